"""Files of the MNIST family: images and labels in idx files, read once as arrays."""

from __future__ import annotations

import math
import os
import struct
from typing import Any

import numpy as np

from mindspore.dataset._pipeline import arguments as check
from mindspore.dataset._pipeline.errors import pipeline_error
from mindspore.dataset._sources.folder_source import NamedUsageDataset, UsageDataset
from mindspore.dataset._sources.table_source import TableDataset, check_folder, check_usage
from mindspore.dataset.engine.datasets import VisionBaseDataset

_IMAGES, _LABELS, _WIDE_LABELS = 2051, 2049, 3074  # the first number of each kind of file


def read_idx(path: str, magic: int) -> np.ndarray:
    """The array of an idx file."""
    try:
        data = np.fromfile(path, np.uint8)
    except OSError as error:
        raise pipeline_error(f"Invalid file, failed to open {path}: {error.strerror}.") from error
    axes = magic & 0xFF
    head = 4 + 4 * axes
    found = struct.unpack(">I", data[:4].tobytes())[0] if data.size >= head else None
    if found != magic:
        raise pipeline_error(
            f"Invalid file, this is not the mnist file: {path}, the magic number must be {magic}, but got {found}."
        )
    shape = struct.unpack(f">{axes}I", data[4:head].tobytes())
    dtype = np.dtype(">i4") if magic == _WIDE_LABELS else np.dtype(np.uint8)
    if data.size - head != math.prod(shape) * dtype.itemsize:
        raise pipeline_error(
            f"Invalid file, {path} announces an array of shape {shape}, but holds {data.size - head} bytes: the data file is "
            "damaged or the content is incomplete."
        )
    return data[head:].view(dtype).reshape(shape)


def read_pairs(pairs: list[tuple[str, str]], label_magic: int = _LABELS) -> dict[str, Any]:
    """Images with a last axis, and labels, of several pairs of files."""
    images, labels = [], []
    for image_path, label_path in pairs:
        images.append(read_idx(image_path, _IMAGES))
        labels.append(read_idx(label_path, label_magic))
        if len(images[-1]) != len(labels[-1]):
            raise pipeline_error(
                f"Invalid data, num of images in {image_path} is {len(images[-1])}, num of labels in {label_path} is "
                f"{len(labels[-1])}: they must be as many."
            )
    if not images:
        return {"image": np.empty((0, 28, 28, 1), np.uint8), "label": np.empty(0, np.uint32)}
    joined = images[0] if len(images) == 1 else np.concatenate(images)
    return {"image": joined.reshape(*joined.shape, 1), "label": np.concatenate(labels).astype(np.uint32)}


def _pairs(folder: str, parts: list[str], images: str, labels: str) -> list[tuple[str, str]]:
    """The files of some parts, those that are there."""
    paths = [(os.path.join(folder, images.format(part)), os.path.join(folder, labels.format(part))) for part in parts]
    return [pair for pair in paths if os.path.isfile(pair[0]) and os.path.isfile(pair[1])]


class MnistDataset(UsageDataset, VisionBaseDataset):
    """MNIST: images <28,28,1> of digits, uint8, and labels, uint32.

    Args:
        dataset_dir: the folder with ``train-images-idx3-ubyte`` and so on.
        usage: 'train', 'test' or 'all'; None for all. The test images come first.

    Examples:
        >>> import tempfile
        >>> import mindspore.dataset as ds
        >>> ds.MnistDataset(tempfile.mkdtemp()).get_dataset_size()
        0
    """

    def _scan(self) -> dict[str, Any]:
        parts = {"train": ["train"], "test": ["t10k"], "all": ["t10k", "train"]}[self.usage]
        return read_pairs(_pairs(self.dataset_dir, parts, "{}-images-idx3-ubyte", "{}-labels-idx1-ubyte"))


class FashionMnistDataset(MnistDataset):
    """Fashion-MNIST: images <28,28,1> of clothes; files and arguments as of :class:`MnistDataset`.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.FashionMnistDataset("data/mnist", "train", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'image': (28, 28, 1), 'label': ()}
    """


class KMnistDataset(MnistDataset):
    """Kuzushiji-MNIST: images <28,28,1> of Japanese letters; files and arguments as of :class:`MnistDataset`.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.KMnistDataset("data/mnist", "all", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'image': (28, 28, 1), 'label': ()}
    """


class EMnistDataset(NamedUsageDataset, VisionBaseDataset):
    """EMNIST: images <28,28,1> of digits and letters, and labels, uint32.

    Args:
        dataset_dir: the folder with ``emnist-<name>-train-images-idx3-ubyte`` and so on.
        name: 'byclass', 'bymerge', 'balanced', 'letters', 'digits' or 'mnist'.
        usage: 'train', 'test' or 'all'; None for all.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.EMnistDataset("data/emnist", "digits", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'image': (28, 28, 1), 'label': ()}
    """

    names = ("byclass", "bymerge", "balanced", "letters", "digits", "mnist")

    def _scan(self) -> dict[str, Any]:
        parts = [f"emnist-{self.name}-{part}" for part in ("test", "train") if self.usage in (part, "all")]
        return read_pairs(_pairs(self.dataset_dir, parts, "{}-images-idx3-ubyte", "{}-labels-idx1-ubyte"))


class QMnistDataset(TableDataset, VisionBaseDataset):
    """QMNIST: images <28,28,1> of digits, and labels, uint32.

    Args:
        dataset_dir: the folder with ``qmnist-train-images-idx3-ubyte`` and so on.
        usage: 'train', 'test', 'test10k', 'test50k', 'nist' or 'all'; None for all.
        compat: whether the label is the digit alone; otherwise all eight numbers of it.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.QMnistDataset("data/qmnist", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'image': (28, 28, 1), 'label': ()}
    """

    _FIRST_TEST_IMAGES = 10_000

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        compat: bool = True,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        super().__init__(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache)
        self.dataset_dir = check_folder(dataset_dir)
        self.usage = check_usage(usage, ["train", "test", "test10k", "test50k", "nist", "all"])
        self.compat = check.flag("compat", compat)

    def _scan(self) -> dict[str, Any]:
        parts = {"train": ["qmnist-train"], "nist": ["xnist"], "all": ["qmnist-train", "qmnist-test", "xnist"]}
        chosen = parts.get(self.usage, ["qmnist-test"])
        pairs = _pairs(self.dataset_dir, chosen, "{}-images-idx3-ubyte", "{}-labels-idx2-int")
        table = read_pairs(pairs, _WIDE_LABELS)
        if self.compat and table["label"].ndim == 2:
            table["label"] = table["label"][:, 0].copy()
        window = {"test10k": slice(self._FIRST_TEST_IMAGES), "test50k": slice(self._FIRST_TEST_IMAGES, None)}
        return {name: column[window.get(self.usage, slice(None))] for name, column in table.items()}
