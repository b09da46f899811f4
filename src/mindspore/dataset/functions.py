"""Methods of a dataset as functions that take the dataset first: some programs call them on the package."""

from __future__ import annotations

from typing import Any

from mindspore.dataset.core.checks import check_type
from mindspore.dataset.engine.datasets import Dataset
from mindspore.dataset.engine.iterators import DictIterator

__all__ = ["create_dict_iterator", "save"]


def create_dict_iterator(dataset: Dataset, *args: Any, **options: Any) -> DictIterator[Any]:
    """``dataset.create_dict_iterator(...)``.

    Examples:
        >>> import mindspore.dataset as ds
        >>> data = ds.NumpySlicesDataset({"x": [1, 2]}, shuffle=False)
        >>> [int(row["x"]) for row in ds.create_dict_iterator(data, num_epochs=1, output_numpy=True)]
        [1, 2]
    """
    return check_type("create_dict_iterator", "dataset", dataset, Dataset).create_dict_iterator(*args, **options)


def save(dataset: Dataset, file_name: str, num_files: int = 1, file_type: str = "mindrecord") -> None:
    """``dataset.save(...)``: write all rows of one epoch to MindRecord files.

    Examples:
        >>> import os, tempfile
        >>> import mindspore.dataset as ds
        >>> path = os.path.join(tempfile.mkdtemp(), "rows.mindrecord")
        >>> ds.save(ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False), path)
        >>> len(ds.MindDataset(path))
        2
    """
    check_type("save", "dataset", dataset, Dataset).save(file_name, num_files, file_type)
