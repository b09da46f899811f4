"""CIFAR-100 into MindRecord files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from mindspore.mindrecord.common.exceptions import PathNotExistsError
from mindspore.mindrecord.filewriter import FileWriter, check_filename
from mindspore.mindrecord.tools import _convert

__all__ = ["Cifar100ToMR"]

_SCHEMA = {
    "id": {"type": "int64"},
    "fine_label": {"type": "int64"},
    "coarse_label": {"type": "int64"},
    "data": {"type": "bytes"},
}


class Cifar100ToMR:
    """Write CIFAR-100 (its Python version) into ``destination`` and ``destination`` + "_test", images as JPEG.

    Args:
        source: folder with the files train and test.
        destination: path of the file to write.
    """

    def __init__(self, source: str, destination: str):
        self.source = check_filename(source)
        self.destination = check_filename(destination)
        for name in ("train", "test"):
            if not os.path.isfile(os.path.join(source, name)):
                raise PathNotExistsError(f"{name} is missing in {source}.")

    def transform(self, fields: list[str] | None = None) -> None:
        """Write the files; ``fields`` stand in the index."""
        fields = _convert.check_fields(fields)
        for destination, name in ((self.destination, "train"), (f"{self.destination}_test", "test")):
            writer = FileWriter(destination, 1)
            writer.add_schema(_SCHEMA, f"img_{name}")
            if fields:
                writer.add_index(fields)
            _convert.write(writer, self._rows(os.path.join(self.source, name)))

    run = transform

    @staticmethod
    def _rows(path: str) -> Iterator[dict[str, Any]]:
        batch = _convert.load_batch(path)
        labels = zip(batch[b"fine_labels"], batch[b"coarse_labels"], strict=True)
        for number, (image, (fine, coarse)) in enumerate(zip(batch[b"images"], labels, strict=True)):
            yield {
                "id": number,
                "fine_label": int(fine),
                "coarse_label": int(coarse),
                "data": _convert.jpeg(image),
            }
