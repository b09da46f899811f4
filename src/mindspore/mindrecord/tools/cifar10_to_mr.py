"""CIFAR-10 into MindRecord files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from mindspore.mindrecord.common.exceptions import PathNotExistsError
from mindspore.mindrecord.filewriter import FileWriter, check_filename
from mindspore.mindrecord.tools import _convert

__all__ = ["Cifar10ToMR"]

_SCHEMA = {"id": {"type": "int64"}, "label": {"type": "int64"}, "data": {"type": "bytes"}}


class Cifar10ToMR:
    """Write CIFAR-10 (its Python version) into ``destination`` and ``destination`` + "_test", images as JPEG.

    Args:
        source: folder with data_batch_1 and so on, and test_batch.
        destination: path of the file to write.
    """

    def __init__(self, source: str, destination: str):
        self.source = check_filename(source)
        self.destination = check_filename(destination)
        files = sorted(os.listdir(source))
        self._train = [os.path.join(source, name) for name in files if name.startswith("data_batch_")]
        self._test = [os.path.join(source, name) for name in files if name.startswith("test_batch")]
        if not self._train:
            raise PathNotExistsError(f"data_batch_* is missing in {source}.")
        if not self._test:
            raise PathNotExistsError(f"test_batch is missing in {source}.")

    def transform(self, fields: list[str] | None = None) -> None:
        """Write the files; ``fields`` stand in the index."""
        fields = _convert.check_fields(fields)
        parts = ((self.destination, self._train, "img_train"), (f"{self.destination}_test", self._test, "img_test"))
        for destination, paths, description in parts:
            writer = FileWriter(destination, 1)
            writer.add_schema(_SCHEMA, description)
            if fields:
                writer.add_index(fields)
            _convert.write(writer, self._rows(paths))

    run = transform

    @staticmethod
    def _rows(paths: list[str]) -> Iterator[dict[str, Any]]:
        number = 0
        for path in paths:
            batch = _convert.load_batch(path)
            for image, label in zip(batch[b"images"], batch[b"labels"], strict=True):
                yield {"id": number, "label": int(label), "data": _convert.jpeg(image)}
                number += 1
