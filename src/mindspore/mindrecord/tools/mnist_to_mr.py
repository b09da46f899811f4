"""MNIST into MindRecord files."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from mindspore.mindrecord.common.exceptions import PathNotExistsError
from mindspore.mindrecord.filewriter import FileWriter, check_filename
from mindspore.mindrecord.tools import _convert

__all__ = ["MnistToMR"]


class MnistToMR:
    """Write MNIST into ``destination`` + "_train.mindrecord" and "_test.mindrecord", images as JPEG.

    Args:
        source: folder with train-images-idx3-ubyte.gz, train-labels-idx1-ubyte.gz and the same for t10k.
        destination: start of the paths of the files to write.
        partition_number: how many files each part is spread over.
    """

    def __init__(self, source: str, destination: str, partition_number: int = 1):
        self.source = check_filename(source)
        self.destination = check_filename(destination)
        self.partition_number = _convert.check_partitions(partition_number)

    def transform(self) -> None:
        """Write the files."""
        for part, name in (("train", "train"), ("test", "t10k")):
            writer = FileWriter(f"{self.destination}_{part}.mindrecord", self.partition_number)
            writer.set_page_size(1 << 26)
            writer.add_schema({"label": {"type": "int64"}, "data": {"type": "bytes"}}, "mnist_schema")
            writer.add_index(["label"])
            _convert.write(writer, self._rows(name))

    run = transform

    def _read(self, name: str, header: int) -> np.ndarray:
        path = os.path.join(self.source, name)
        if not os.path.isfile(path):
            raise PathNotExistsError(f"{name} is missing in {self.source}.")
        with gzip.open(path, "rb") as stream:
            return np.frombuffer(stream.read(), np.uint8, offset=header)

    def _rows(self, name: str) -> Iterator[dict[str, Any]]:
        images = self._read(f"{name}-images-idx3-ubyte.gz", 16).reshape(-1, 28, 28, 1)
        labels = self._read(f"{name}-labels-idx1-ubyte.gz", 8)
        for image, label in zip(images, labels, strict=True):
            yield {"label": int(label), "data": _convert.jpeg(image)}
