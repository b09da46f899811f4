"""Images in files, with a class for each: folders of classes, manifests, CelebA."""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np

from mindspore._utils.progress import progress
from mindspore.dataset._pipeline import arguments as check
from mindspore.dataset._pipeline.errors import pipeline_error
from mindspore.dataset._sources.table_source import (
    Decrypted,
    Images,
    TableDataset,
    check_choice,
    check_class_indexing,
    check_decode,
    check_file,
    check_folder,
    file_lines,
    needed_file,
    subfolders,
)
from mindspore.dataset.engine.datasets import VisionBaseDataset


def check_extensions(value: Any) -> list[str] | None:
    """Endings of file names, or None for all files."""
    if value is None:
        return None
    if not isinstance(value, list):
        raise TypeError(
            f"Argument extensions with value {value!r} is not of type [<class 'list'>], but got {type(value)}."
        )
    return [check.text("extensions", element) for element in value]


class ImageFolderDataset(TableDataset, VisionBaseDataset):
    """Images in folders, one for each class: the bytes of the files or, decoded, <H,W,C>; labels are int32.

    Args:
        dataset_dir: the folder of the folders. Classes are numbered in the order of their names.
        extensions: endings of the file names to take, such as ".jpg"; None for all files.
        class_indexing: numbers for the names of the classes to take; None for all.
        decode: whether images are decoded.
        decrypt: a function that makes the bytes of an encrypted file from its path.

    Examples:
        >>> import os, tempfile
        >>> import mindspore.dataset as ds
        >>> folder = tempfile.mkdtemp()
        >>> for name in ("dog", "cat"):
        ...     os.mkdir(os.path.join(folder, name))
        >>> ds.ImageFolderDataset(folder).get_class_indexing()
        {'cat': 0, 'dog': 1}
    """

    def __init__(
        self,
        dataset_dir: str,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        extensions: list[str] | None = None,
        class_indexing: dict[str, int] | None = None,
        decode: bool = False,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
        decrypt: Any = None,
    ):
        super().__init__(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache)
        self.dataset_dir = check_folder(dataset_dir)
        self.extensions = check_extensions(extensions)
        self.class_indexing = check_class_indexing(class_indexing)
        self.decode = check_decode(decode)
        self.decrypt = decrypt

    def get_class_indexing(self) -> dict[str, Any]:
        """Names of classes and their numbers."""
        if self.class_indexing is None:
            return {name: number for number, name in enumerate(subfolders(self.dataset_dir))}
        return dict(self.class_indexing)

    def num_classes(self) -> int | None:
        """The number of classes."""
        return len(self.get_class_indexing())

    def _scan(self) -> dict[str, Any]:
        there = subfolders(self.dataset_dir)
        classes = self.get_class_indexing()
        paths: list[str] = []
        labels: list[int] = []
        for name in progress(there, f"listing images of {self.dataset_dir}"):
            if name in classes:
                found = self._images_of(os.path.join(self.dataset_dir, name))
                paths += found
                labels += [classes[name]] * len(found)
        if not paths:
            raise pipeline_error(
                f"Invalid data, ImageFolderDataset API can't read the data file: no file with one of the extensions "
                f"{self.extensions or '(any)'} in the folders {there} of {self.dataset_dir}."
            )
        images = Images(paths, self.decode)
        if self.decrypt is not None:
            images.read = Decrypted(self.decrypt, self.decode)
        return {"image": images, "label": np.array(labels, np.int32)}

    def _images_of(self, folder: str) -> list[str]:
        names = sorted(os.listdir(folder))
        if self.extensions is not None:
            names = [name for name in names if os.path.splitext(name)[1] in self.extensions]
        return [os.path.join(folder, name) for name in names]


class ManifestDataset(TableDataset, VisionBaseDataset):
    """Images listed in a manifest file: a line of JSON with source, usage and annotation for each; labels are int32.

    Args:
        dataset_file: the manifest.
        usage: 'train', 'eval' or 'inference': which lines to take.
        class_indexing: numbers for the names of the classes to take; None for all, in the order of their names.
        decode: whether images are decoded.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.ManifestDataset("data/manifest/cats.manifest", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'image': (114,), 'label': ()}
    """

    def __init__(
        self,
        dataset_file: str,
        usage: str | None = "train",
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        class_indexing: dict[str, int] | None = None,
        decode: bool = False,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        super().__init__(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache)
        self.dataset_file = check_file(dataset_file)
        self.usage = check.text("usage", usage)
        self.class_indexing = check_class_indexing(class_indexing)
        self.decode = check_decode(decode)

    def _entries(self) -> list[tuple[str, list[str]]]:
        entries = []
        for number, line in enumerate(file_lines(self.dataset_file), 1):
            if not line.strip():
                continue
            try:
                entry = json.loads(line)
                if entry["usage"] == self.usage:
                    names = [str(note["name"]) for note in entry.get("annotation", [])]
                    entries.append((str(entry["source"]), names))
            except (ValueError, LookupError, TypeError) as error:
                raise pipeline_error(
                    f"Invalid manifest file, {self.dataset_file} line {number} is not JSON with 'source', 'usage' and "
                    f"'annotation' with a 'name' each: {error!r}."
                ) from error
        return entries

    def get_class_indexing(self) -> dict[str, Any]:
        """Names of classes and their numbers."""
        if self.class_indexing is not None:
            return dict(self.class_indexing)
        names = sorted({name for _, names in self._entries() for name in names})
        return {name: number for number, name in enumerate(names)}

    def num_classes(self) -> int | None:
        """The number of classes."""
        return len(self.get_class_indexing())

    def _scan(self) -> dict[str, Any]:
        classes = self.get_class_indexing()
        paths, labels = [], []
        for path, names in self._entries():
            numbers = [classes[name] for name in names if name in classes]
            if numbers or (not names and self.usage == "inference"):
                paths.append(path)
                labels.append(np.array(numbers[0] if len(numbers) == 1 else numbers, np.int32))
        if not paths:
            raise pipeline_error(
                "Invalid data, ManifestDataset API can't read the data file (interface mismatch or no data found). Check "
                f"file path: {self.dataset_file}, usage: {self.usage}."
            )
        return {"image": Images(paths, self.decode), "label": labels}


class CelebADataset(TableDataset, VisionBaseDataset):
    """CelebA: images of faces, and 40 attributes of each, uint32: 0 or 1.

    Args:
        dataset_dir: the folder with the images, ``list_attr_celeba.txt`` and ``list_eval_partition.txt``.
        usage: 'train', 'valid', 'test' or 'all'.
        decode: whether images are decoded.
        extensions: endings of the file names to take; None for all.
        decrypt: a function that makes the bytes of an encrypted file from its path.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.CelebADataset("data/celeba", shuffle=False, usage="train", decode=True)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'image': (5, 4, 3), 'attr': (40,)}
    """

    def __init__(
        self,
        dataset_dir: str,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        usage: str | None = "all",
        sampler: Any = None,
        decode: bool = False,
        extensions: list[str] | None = None,
        num_samples: int | None = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
        decrypt: Any = None,
    ):
        super().__init__(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache)
        self.dataset_dir = check_folder(dataset_dir)
        self.usage = check_choice("usage", usage, ["all", "train", "valid", "test"])
        self.decode = check_decode(decode)
        self.extensions = check_extensions(extensions)
        self.decrypt = decrypt

    def _chosen(self) -> set[str] | None:
        """The names of the images of the usage, or None for all."""
        if self.usage == "all":
            return None
        wanted = {"train": "0", "valid": "1", "test": "2"}[self.usage]
        pairs = [line.split() for line in file_lines(needed_file(self.dataset_dir, "list_eval_partition.txt"))]
        return {pair[0] for pair in pairs if len(pair) == 2 and pair[1] == wanted}

    def _scan(self) -> dict[str, Any]:
        path = needed_file(self.dataset_dir, "list_attr_celeba.txt")
        lines = list(file_lines(path))
        chosen = self._chosen()
        paths, attributes = [], []
        for number, line in enumerate(lines[2:], 3):
            name, *values = line.split() or [""]
            fits = self.extensions is None or os.path.splitext(name)[1] in self.extensions
            if not name or not fits or (chosen is not None and name not in chosen):
                continue
            if len(values) != len(lines[1].split()):
                raise pipeline_error(f"Invalid attribute file, {path} line {number} has {len(values)} attributes.")
            paths.append(os.path.join(self.dataset_dir, name))
            attributes.append([value == "1" for value in values])
        images = Images(paths, self.decode)
        if self.decrypt is not None:
            images.read = Decrypted(self.decrypt, self.decode)
        return {"image": images, "attr": np.array(attributes, np.uint32).reshape(len(paths), -1)}
