"""Less used datasets of images with a class each, in folders or lists."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from mindspore.dataset._pipeline import arguments as check
from mindspore.dataset._pipeline.errors import pipeline_error
from mindspore.dataset._sources.folder_source import PictureFolderDataset, PictureUsageDataset
from mindspore.dataset._sources.table_source import (
    Images,
    TableDataset,
    check_choice,
    check_decode,
    check_folder,
    check_usage,
    file_lines,
    files_in,
    needed_file,
    subfolders,
    texts,
)
from mindspore.dataset.engine.datasets import VisionBaseDataset


def classified(folders: list[tuple[str, int]], decode: bool, dtype: type = np.uint32) -> dict[str, Any]:
    """Images and labels of folders, each with its number."""
    paths: list[str] = []
    labels: list[int] = []
    for folder, label in folders:
        found = files_in(folder)
        paths += found
        labels += [label] * len(found)
    return {"image": Images(paths, decode), "label": np.array(labels, dtype)}


class Caltech256Dataset(PictureFolderDataset, VisionBaseDataset):
    """Caltech256: images in folders of classes, and labels, int32.

    Args:
        dataset_dir: the folder with ``001.ak47`` and so on.
        decode: whether images are decoded.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.Caltech256Dataset("data/caltech256", shuffle=False, decode=True)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'image': (5, 4, 3), 'label': ()}
    """

    def num_classes(self) -> int | None:
        """The number of folders."""
        return len(subfolders(self.dataset_dir))

    def _scan(self) -> dict[str, Any]:
        names = subfolders(self.dataset_dir)
        folders = [(os.path.join(self.dataset_dir, name), number) for number, name in enumerate(names)]
        return classified(folders, self.decode, np.int32)


class LSUNDataset(TableDataset, VisionBaseDataset):
    """LSUN: images of scenes, and labels, uint32.

    Args:
        dataset_dir: the folder with ``bedroom_train`` and so on, with the images in files.
        usage: 'train', 'test', 'valid' or 'all'; None for all.
        classes: names of the classes to take; None for all.
        decode: whether images are decoded.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.LSUNDataset("data/lsun", "train", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'image': (114,), 'label': ()}
    """

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        classes: Any = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        super().__init__(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache)
        self.dataset_dir = check_folder(dataset_dir)
        self.usage = check_usage(usage, ["train", "test", "valid", "all"])
        self.classes = None if classes is None else [check.text("classes", name) for name in classes]
        self.decode = check_decode(decode)

    def _kinds(self) -> list[str]:
        """The names of the classes, in order."""
        found = sorted({name.rpartition("_")[0] for name in subfolders(self.dataset_dir) if "_" in name})
        return [name for name in found if self.classes is None or name in self.classes]

    def num_classes(self) -> int | None:
        """The number of classes; 0 for the test images, which have none."""
        return 0 if self.usage == "test" else len(self._kinds())

    def _scan(self) -> dict[str, Any]:
        if self.usage == "test":
            return classified([(os.path.join(self.dataset_dir, "test"), 0)], self.decode)
        endings = {"train": ["train"], "valid": ["val"], "all": ["train", "val"]}[self.usage]
        names = [f"{kind}_{ending}" for kind in self._kinds() for ending in endings]
        folders = [os.path.join(self.dataset_dir, name) for name in names]
        # Every folder has a number of its own, as in real MindSpore: for 'all' a class has two of them.
        return classified(
            [(folder, number) for number, folder in enumerate(filter(os.path.isdir, folders))], self.decode
        )


class OmniglotDataset(TableDataset, VisionBaseDataset):
    """Omniglot: images of characters of alphabets, and labels, int32.

    Args:
        dataset_dir: the folder with ``images_background`` and ``images_evaluation``.
        background: whether the background images are read, or those for evaluation; None for background.
        decode: whether images are decoded.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.OmniglotDataset("data/omniglot", False, shuffle=False, decode=True)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'image': (5, 4, 3), 'label': ()}
    """

    def __init__(
        self,
        dataset_dir: str,
        background: bool | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        super().__init__(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache)
        self.dataset_dir = check_folder(dataset_dir)
        self.background = True if background is None else check.flag("background", background)
        self.decode = check_decode(decode)

    def _characters(self) -> list[str]:
        root = os.path.join(self.dataset_dir, "images_background" if self.background else "images_evaluation")
        if not os.path.isdir(root):
            raise pipeline_error(f"Invalid dataset_dir, {root} does not exist.")
        alphabets = [os.path.join(root, name) for name in subfolders(root)]
        return [os.path.join(alphabet, name) for alphabet in alphabets for name in subfolders(alphabet)]

    def num_classes(self) -> int | None:
        """The number of characters."""
        return len(self._characters())

    def _scan(self) -> dict[str, Any]:
        folders = [(folder, number) for number, folder in enumerate(self._characters())]
        return classified(folders, self.decode, np.int32)


class RenderedSST2Dataset(PictureUsageDataset, VisionBaseDataset):
    """RenderedSST2: sentences as images, and labels, uint32: 0 for negative, 1 for positive.

    Args:
        dataset_dir: the folder with ``train``, ``val`` and ``test``.
        usage: 'train', 'val', 'test' or 'all'; None for all.
        decode: whether images are decoded.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.RenderedSST2Dataset("data/rendered_sst2", "train", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'image': (114,), 'label': ()}
    """

    usages = ("val", "all", "train", "test")

    def num_classes(self) -> int | None:
        """Two."""
        return 2

    def _scan(self) -> dict[str, Any]:
        parts = ["test", "train", "val"] if self.usage == "all" else [self.usage]
        kinds = enumerate(["negative", "positive"])
        pairs = [(part, name, number) for number, name in kinds for part in parts]
        folders = [(os.path.join(self.dataset_dir, part, name), number) for part, name, number in sorted(pairs)]
        return classified([pair for pair in folders if os.path.isdir(pair[0])], self.decode)


class SUN397Dataset(PictureFolderDataset, VisionBaseDataset):
    """SUN397: images of scenes, and labels, uint32, in the order of ``ClassName.txt``.

    Args:
        dataset_dir: the folder with ``ClassName.txt`` and a folder for each first letter.
        decode: whether images are decoded.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.SUN397Dataset("data/sun397", shuffle=False, decode=True)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'image': (5, 4, 3), 'label': ()}
    """

    def _scan(self) -> dict[str, Any]:
        names = [line.strip().strip("/") for line in file_lines(needed_file(self.dataset_dir, "ClassName.txt"))]
        folders = [os.path.join(self.dataset_dir, name) for name in names if name]
        missing = [folder for folder in folders if not os.path.isdir(folder)]
        if missing:
            raise pipeline_error(f"Invalid dataset_dir, the folder {missing[0]} of ClassName.txt does not exist.")
        return classified([(folder, number) for number, folder in enumerate(folders)], self.decode)


class Places365Dataset(TableDataset, VisionBaseDataset):
    """Places365: images of scenes, and labels, uint32.

    Args:
        dataset_dir: the folder with the lists of images and the folders of them.
        usage: 'train-standard', 'train-challenge' or 'val'; None for 'train-standard'.
        small: whether the images of 256 pixels are read, or the large images.
        decode: whether images are decoded.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.Places365Dataset("data/places365", "train-standard", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'image': (114,), 'label': ()}
    """

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        small: bool = True,
        decode: bool = False,
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
        usages = ["train-standard", "train-challenge", "val"]
        self.usage = usages[0] if usage is None else check_choice("usage", usage, usages)
        self.small = check.flag("small", small)
        self.decode = check_decode(decode)

    def _scan(self) -> dict[str, Any]:
        size = "256" if self.small else "large"
        kind = self.usage.partition("-")[2]
        folder = f"data_{size}_{kind}" if kind else f"val_{size}"
        path = needed_file(self.dataset_dir, f"places365_{self.usage.replace('-', '_')}.txt")
        paths, labels = [], []
        for number, line in enumerate(file_lines(path), 1):
            name, _, label = line.strip().rpartition(" ")
            if not label.isdigit():
                raise pipeline_error(f"Invalid file, {path} line {number} is not a file name and a number: {line!r}.")
            paths.append(os.path.join(self.dataset_dir, folder, name.lstrip("/")))
            labels.append(int(label))
        return {"image": Images(paths, self.decode), "label": np.array(labels, np.uint32)}


class Food101Dataset(PictureUsageDataset, VisionBaseDataset):
    """Food-101: images of dishes, and their names.

    Args:
        dataset_dir: the folder with ``images`` and ``meta``.
        usage: 'train', 'test' or 'all'; None for all.
        decode: whether images are decoded.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.Food101Dataset("data/food101", "train", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'image': (114,), 'label': ()}
    """

    def _scan(self) -> dict[str, Any]:
        parts = [part for part in ("train", "test") if self.usage in (part, "all")]
        lists = [needed_file(self.dataset_dir, "meta", f"{part}.txt") for part in parts]
        names = [line.strip() for path in lists for line in file_lines(path) if line.strip()]
        paths = [os.path.join(self.dataset_dir, "images", f"{name}.jpg") for name in names]
        return {"image": Images(paths, self.decode), "label": texts([name.split("/")[0] for name in names])}
