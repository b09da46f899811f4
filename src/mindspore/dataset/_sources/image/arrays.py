"""Less used datasets that have all images in one file."""

from __future__ import annotations

import os
from typing import Any

import cv2
import numpy as np

from mindspore.dataset._pipeline.errors import pipeline_error, reading
from mindspore.dataset._pipeline.rows import Columns
from mindspore.dataset._sources.folder_source import FolderDataset, NamedUsageDataset, UsageDataset, UsageFilesDataset
from mindspore.dataset._sources.formats.matlab import read_matlab
from mindspore.dataset._sources.record_source import line_positions
from mindspore.dataset._sources.table_source import (
    TableDataset,
    check_folder,
    check_usage,
    file_lines,
    needed_file,
)
from mindspore.dataset.engine.datasets import VisionBaseDataset


def matlab_file(path: str) -> dict[str, Any]:
    """The variables of a MATLAB file."""
    try:
        return _Variables(path, read_matlab(path))
    except ValueError as error:
        raise pipeline_error(f"Invalid file, {error}") from error


class _Variables(dict[str, Any]):
    """Variables of a file, which is named where one is missing."""

    def __init__(self, path: str, found: dict[str, Any]):
        super().__init__(found)
        self._path = path

    def __missing__(self, name: str) -> Any:
        raise pipeline_error(f"Invalid file, {self._path} has no variable '{name}': it has {list(self)!r:.200}.")


class SVHNDataset(TableDataset, VisionBaseDataset):
    """SVHN: images <32,32,3> of house numbers, and labels, uint32.

    Args:
        dataset_dir: the folder with ``train_32x32.mat`` and so on.
        usage: 'train', 'test', 'extra' or 'all'; None for all.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.SVHNDataset("data/svhn", "train", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'image': (32, 32, 3), 'label': ()}
    """

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
    ):
        super().__init__(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id)
        self.dataset_dir = check_folder(dataset_dir)
        self.usage = check_usage(usage, ["train", "test", "extra", "all"])

    def _scan(self) -> dict[str, Any]:
        parts = ["train", "test", "extra"] if self.usage == "all" else [self.usage]
        found = [self._part(needed_file(self.dataset_dir, f"{part}_32x32.mat")) for part in parts]
        images, labels = (np.concatenate(columns) for columns in zip(*found, strict=True))
        labels[labels == 10] = 0
        return {"image": images, "label": labels}

    @staticmethod
    def _part(path: str) -> tuple[np.ndarray, np.ndarray]:
        with reading(lambda: path, "images 'X' <32,32,3,N> and labels 'y' <N,1>"):
            variables = matlab_file(path)
            images, labels = variables["X"].transpose(3, 0, 1, 2), variables["y"].ravel().astype(np.uint32)
            if len(images) != len(labels):
                raise ValueError(f"there are {len(images)} images and {len(labels)} labels")
            return images, labels


class STL10Dataset(UsageDataset, VisionBaseDataset):
    """STL-10: images <96,96,3>, and labels.

    Args:
        dataset_dir: the folder with ``train_X.bin`` and so on.
        usage: 'train', 'test', 'unlabeled', 'train+unlabeled' or 'all'; None for all.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.STL10Dataset("data/stl10", "train", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'image': (96, 96, 3), 'label': ()}
    """

    _PIXELS = 3 * 96 * 96

    usages = ("train", "test", "unlabeled", "train+unlabeled", "all")

    def _scan(self) -> dict[str, Any]:
        parts = ["test", "train", "unlabeled"] if self.usage == "all" else self.usage.split("+")
        images, labels = [], []
        for part in parts:
            path = needed_file(self.dataset_dir, f"{part}_X.bin")
            data = np.fromfile(path, np.uint8)
            if data.size % self._PIXELS:
                raise pipeline_error(f"Invalid file, {path} has {data.size} bytes, no multiple of {self._PIXELS}.")
            images.append(data.reshape(-1, 3, 96, 96).transpose(0, 3, 2, 1))
            labels.append(self._labels_of(part, len(images[-1])))
        return {"image": np.concatenate(images), "label": np.concatenate(labels)}

    def _labels_of(self, part: str, count: int) -> np.ndarray:
        if part == "unlabeled":
            return np.full(count, -1, np.int32)
        path = needed_file(self.dataset_dir, f"{part}_y.bin")
        labels = np.fromfile(path, np.uint8)
        if len(labels) != count:
            raise pipeline_error(f"Invalid file, {path} has {len(labels)} labels for {count} images.")
        return labels.astype(np.int32) - 1


class SemeionDataset(FolderDataset, VisionBaseDataset):
    """Semeion: images <16,16> of digits, uint8, and labels, uint32.

    Args:
        dataset_dir: the folder with ``semeion.data``.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.SemeionDataset("data/semeion", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'image': (16, 16), 'label': ()}
    """

    def _scan(self) -> dict[str, Any]:
        path = needed_file(self.dataset_dir, "semeion.data")
        rows = [line.split() for line in file_lines(path) if line.strip()]
        for number, row in enumerate(rows, 1):
            if len(row) != 266:
                raise pipeline_error(f"Invalid file, {path} line {number} has {len(row)} numbers instead of 266.")
        numbers = np.array(rows, np.float64).reshape(-1, 266)
        images = numbers[:, :256].astype(np.uint8).reshape(-1, 16, 16)
        return {"image": images, "label": numbers[:, 256:].argmax(axis=1).astype(np.uint32)}


class PhotoTourDataset(NamedUsageDataset, VisionBaseDataset):
    """PhotoTour: patches <64,64,1> of photos. For 'train' the column image; for 'test' image1, image2 and matches.

    Args:
        dataset_dir: the folder with ``liberty`` and so on.
        name: 'notredame', 'yosemite', 'liberty', or one of them followed by '_harris'.
        usage: 'train' or 'test'; None for 'train'.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.PhotoTourDataset("data/photo_tour", "liberty", "train", shuffle=False, num_samples=12)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'image': (64, 64, 1)}
    """

    names = ("notredame", "yosemite", "liberty", "notredame_harris", "yosemite_harris", "liberty_harris")
    usages = ("train", "test")
    default_usage = "train"

    def _patches(self, count: int) -> np.ndarray:
        """The first patches of the images, 16 x 16 of them in each."""
        folder = os.path.join(self.dataset_dir, self.name)
        parts = []
        for number in range(-(-count // 256)):
            path = needed_file(folder, f"patches{number:04}.bmp")
            image = cv2.imread(path, cv2.IMREAD_GRAYSCALE)
            if image is None or image.shape != (1024, 1024):
                raise pipeline_error(f"Invalid file, {path} is no image of 1024 x 1024 pixels.")
            parts.append(image.reshape(16, 64, 16, 64).swapaxes(1, 2).reshape(256, 64, 64, 1))
        return np.concatenate([np.empty((0, 64, 64, 1), np.uint8), *parts])[:count]

    def _scan(self) -> dict[str, Any]:
        folder = os.path.join(self.dataset_dir, self.name)
        count = sum(1 for line in file_lines(needed_file(folder, "info.txt")) if line.strip())
        patches = self._patches(count)
        if self.usage == "train":
            return {"image": patches}
        lines = file_lines(needed_file(folder, "m50_100000_100000_0.txt"))
        pairs = np.array([line.split()[:5] for line in lines if line.strip()], np.int64).reshape(-1, 5)
        matches = (pairs[:, 1] == pairs[:, 4]).astype(np.uint32)
        return {"image1": patches[pairs[:, 0]], "image2": patches[pairs[:, 3]], "matches": matches}


class USPSDataset(UsageFilesDataset, VisionBaseDataset):
    """USPS: images <16,16,1> of digits, uint8, and labels, uint32.

    Args:
        dataset_dir: the folder with ``usps`` and ``usps.t``.
        usage: 'train', 'test' or 'all'; None for all.
        shuffle: Shuffle.GLOBAL or True, Shuffle.FILES, or False.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.USPSDataset("data/usps", "train", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'image': (16, 16, 1), 'label': ()}
    """

    usage_files = (("train", "usps"), ("test", "usps.t"))

    def _positions(self, path: str, data: memoryview) -> np.ndarray:
        return line_positions(data)

    def _parse(self, records: list[Any], ids: list[int]) -> Columns:
        images, labels = [], []
        for record, identity in zip(records, ids, strict=True):
            label, *dots = bytes(record).split()
            if len(dots) != 256:
                raise pipeline_error(f"Invalid file, {self.describe(identity)} has {len(dots)} pixels instead of 256.")
            values = np.array([dot.partition(b":")[2] for dot in dots]).astype(np.float32).astype(np.float64)
            images.append(((values + 1) / 2 * 255).astype(np.uint8).reshape(16, 16, 1))
            labels.append(int(label) - 1)
        return {"image": np.stack(images), "label": np.array(labels, np.uint32)}
