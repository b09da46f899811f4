"""ImageNet into MindRecord files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from mindspore.mindrecord.common.exceptions import PathNotExistsError
from mindspore.mindrecord.filewriter import FileWriter, check_filename
from mindspore.mindrecord.tools import _convert

__all__ = ["ImageNetToMR"]

_SCHEMA = {"label": {"type": "int64"}, "data": {"type": "bytes"}, "file_name": {"type": "string"}}


class ImageNetToMR:
    """Write folders of images, one per class, into MindRecord files, images as they are.

    Args:
        map_file: a text file with the name of a folder and the number of its class on each line.
        image_dir: the folder that holds those folders.
        destination: path of the file to write.
        partition_number: how many files it is spread over.

    Examples:
        >>> import os, tempfile
        >>> from mindspore.mindrecord import FileReader, ImageNetToMR
        >>> folder = tempfile.mkdtemp()
        >>> with open(os.path.join(folder, "map.txt"), "w", encoding="utf-8") as file:
        ...     print("ant 0", file=file)
        >>> _ = ImageNetToMR(os.path.join(folder, "map.txt"), "data/image_folder", os.path.join(folder, "a.mindrecord")).transform()
        >>> row = next(FileReader(os.path.join(folder, "a.mindrecord")).get_next())
        >>> sorted(row)
        ['data', 'file_name', 'label']
    """

    def __init__(self, map_file: str, image_dir: str, destination: str, partition_number: int = 1):
        self.map_file = check_filename(map_file)
        self.image_dir = check_filename(image_dir)
        self.destination = check_filename(destination)
        self.partition_number = _convert.check_partitions(partition_number)

    def transform(self) -> None:
        """Write the files."""
        labels = self._labels()
        writer = FileWriter(self.destination, self.partition_number)
        writer.set_page_size(1 << 26)
        writer.add_schema(_SCHEMA, "imagenet_schema")
        writer.add_index(["label", "file_name"])
        _convert.write(writer, self._rows(labels))

    run = transform

    def _labels(self) -> dict[str, int]:
        if not os.path.isfile(self.map_file):
            raise OSError(f"map file {self.map_file} not exists")
        labels = {}
        with open(self.map_file, encoding="utf-8") as stream:
            for number, line in enumerate(stream, 1):
                if not line.strip():
                    continue
                try:
                    folder, label = line.split()
                    labels[folder] = int(label)
                except ValueError:
                    raise ValueError(
                        f"Line {number} of {self.map_file} must be a folder and a number, but it is {line.strip()!r}."
                    ) from None
        return labels

    def _rows(self, labels: dict[str, int]) -> Iterator[dict[str, Any]]:
        for folder, label in labels.items():
            path = os.path.join(self.image_dir, folder)
            if not os.path.isdir(path):
                raise PathNotExistsError(f"{path}, named in {self.map_file}, is not a folder.")
            for name in sorted(os.listdir(path)):
                with open(os.path.join(path, name), "rb") as stream:
                    yield {"label": label, "data": stream.read(), "file_name": name}
