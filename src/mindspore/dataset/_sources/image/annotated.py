"""Less used datasets of images with outlines, other images or text beside each."""

from __future__ import annotations

import functools
import json
import os
from typing import Any

import numpy as np

from mindspore.dataset._pipeline import arguments as check
from mindspore.dataset._pipeline.errors import pipeline_error
from mindspore.dataset._sources.image.arrays import matlab_file
from mindspore.dataset._sources.image.class_names import CALTECH_101, FLOWERS_102
from mindspore.dataset._sources.table_source import (
    Files,
    Images,
    TableDataset,
    check_choice,
    check_decode,
    check_folder,
    file_lines,
    files_in,
    needed_file,
    subfolders,
)
from mindspore.dataset.engine.datasets import VisionBaseDataset


class Flowers102Dataset(TableDataset, VisionBaseDataset):
    """Flowers102: images, labels, uint32, and for the task Segmentation images of the flower alone.

    Args:
        dataset_dir: the folder with ``jpg``, ``segmim``, ``imagelabels.mat`` and ``setid.mat``.
        task: 'Classification' or 'Segmentation'.
        usage: 'train', 'valid', 'test' or 'all'.
        decode: whether images are decoded.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.Flowers102Dataset("data/flowers102", "Classification", "train", shuffle=False, decode=True)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'image': (5, 4, 3), 'label': ()}
    """

    def __init__(
        self,
        dataset_dir: str,
        task: str = "Classification",
        usage: str | None = "all",
        num_samples: int | None = None,
        num_parallel_workers: int | None = 1,
        shuffle: bool | None = None,
        decode: bool = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
    ):
        super().__init__(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id)
        self.dataset_dir = check_folder(dataset_dir)
        self.task = check_choice("task", task, ["Classification", "Segmentation"])
        self.usage = check_choice("usage", usage, ["train", "valid", "test", "all"])
        self.decode = check_decode(decode)

    def get_class_indexing(self) -> dict[str, Any]:
        """Names of flowers and their numbers."""
        return dict(FLOWERS_102)

    def _scan(self) -> dict[str, Any]:
        sets = matlab_file(needed_file(self.dataset_dir, "setid.mat"))
        keys = {"train": ["trnid"], "test": ["tstid"], "valid": ["valid"], "all": ["trnid", "tstid", "valid"]}
        numbers = np.concatenate([sets[key].ravel() for key in keys[self.usage]]).astype(np.int64)
        labels = matlab_file(needed_file(self.dataset_dir, "imagelabels.mat"))["labels"].ravel()
        table: dict[str, Any] = {"image": self._images("jpg/image_", numbers)}
        if self.task == "Segmentation":
            table["segmentation"] = self._images("segmim/segmim_", numbers)
        return {**table, "label": labels[numbers - 1].astype(np.uint32) - np.uint32(1)}

    def _images(self, stem: str, numbers: np.ndarray) -> Images:
        return Images(
            [os.path.join(self.dataset_dir, f"{stem}{number:05}.jpg") for number in numbers.tolist()], self.decode
        )


def _outline(path: str) -> np.ndarray:
    return matlab_file(path)["obj_contour"]


_OUTLINE_FOLDERS = {
    "Faces": "Faces_2",
    "Faces_easy": "Faces_3",
    "Motorbikes": "Motorbikes_16",
    "airplanes": "Airplanes_Side_2",
}


class Caltech101Dataset(TableDataset, VisionBaseDataset):
    """Caltech101: images, and the number of the category, int64, or the outline, or both.

    Args:
        dataset_dir: the folder with ``101_ObjectCategories`` and ``Annotations``.
        target_type: 'category', 'annotation' or 'all'; None for 'category'.
        decode: whether images are decoded.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.Caltech101Dataset("data/caltech101", "all", shuffle=False, decode=True)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'image': (5, 4, 3), 'category': (), 'annotation': (2, 3)}
    """

    def __init__(
        self,
        dataset_dir: str,
        target_type: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = 1,
        shuffle: bool | None = None,
        decode: bool = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
    ):
        super().__init__(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id)
        self.dataset_dir = check_folder(dataset_dir)
        kinds = ["category", "annotation", "all"]
        self.target_type = kinds[0] if target_type is None else check_choice("target_type", target_type, kinds)
        self.decode = check_decode(decode)

    def get_class_indexing(self) -> dict[str, Any]:
        """Names of categories and their numbers."""
        return dict(CALTECH_101)

    def _scan(self) -> dict[str, Any]:
        root = check_folder(os.path.join(self.dataset_dir, "101_ObjectCategories"))
        paths: list[str] = []
        outlines: list[str] = []
        labels: list[int] = []
        names = [name for name in subfolders(root) if name != "BACKGROUND_Google"]
        for label, name in enumerate(names):
            notes = os.path.join(self.dataset_dir, "Annotations", _OUTLINE_FOLDERS.get(name, name))
            for number in range(1, len(os.listdir(os.path.join(root, name))) + 1):
                paths.append(os.path.join(root, name, f"image_{number:04}.jpg"))
                outlines.append(os.path.join(notes, f"annotation_{number:04}.mat"))
                labels.append(label)
        table: dict[str, Any] = {"image": Images(paths, self.decode)}
        if self.target_type in ("category", "all"):
            table["category"] = np.array(labels, np.int64)
        if self.target_type in ("annotation", "all"):
            table["annotation"] = Files(outlines, _outline)
        return table


def _sbd_target(task: str, path: str) -> np.ndarray:
    found = matlab_file(path)["GTcls"].flat[0][task]
    return found if task == "Segmentation" else np.stack(list(found.ravel()))


class SBDataset(TableDataset, VisionBaseDataset):
    """Semantic Boundaries: images, and in the column task boundaries of 20 categories or the segmentation.

    Args:
        dataset_dir: the folder with ``img``, ``cls`` and lists of names.
        task: 'Boundaries' or 'Segmentation'.
        usage: 'train', 'val', 'train_noval' or 'all'.
        decode: whether images are decoded.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.SBDataset("data/sbd", "Boundaries", "val", shuffle=False, decode=True)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'image': (5, 4, 3), 'task': (20, 3, 4)}
    """

    def __init__(
        self,
        dataset_dir: str,
        task: str = "Boundaries",
        usage: str | None = "all",
        num_samples: int | None = None,
        num_parallel_workers: int | None = 1,
        shuffle: bool | None = None,
        decode: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
    ):
        super().__init__(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id)
        self.dataset_dir = check_folder(dataset_dir)
        self.task = check_choice("task", task, ["Boundaries", "Segmentation"])
        self.usage = check_choice("usage", usage, ["train", "val", "train_noval", "all"])
        self.decode = check_decode(decode)
        self.lists = [
            os.path.join(self.dataset_dir, f"{part}.txt")
            for part in (["train", "val"] if self.usage == "all" else [self.usage])
        ]
        for path in self.lists:
            if not os.path.exists(path):
                raise FileNotFoundError(f"SBDataset: {path} not found")

    def _scan(self) -> dict[str, Any]:
        names = [line.strip() for path in self.lists for line in file_lines(path) if line.strip()]
        targets = [os.path.join(self.dataset_dir, "cls", f"{name}.mat") for name in names]
        return {
            "image": Images([os.path.join(self.dataset_dir, "img", f"{name}.jpg") for name in names], self.decode),
            "task": Files(targets, functools.partial(_sbd_target, self.task)),
        }


def _polygons(path: str) -> np.ndarray:
    with open(path, encoding="utf-8") as stream:
        return np.array(json.dumps(json.load(stream), separators=(",", ":"), sort_keys=True))


_CITYSCAPES_ENDINGS = {
    "instance": "instanceIds.png",
    "semantic": "labelIds.png",
    "color": "color.png",
    "polygon": "polygons.json",
}


class CityscapesDataset(TableDataset, VisionBaseDataset):
    """Cityscapes: images of streets, and in the column task an image, or JSON for 'polygon'.

    Args:
        dataset_dir: the folder with ``leftImg8bit`` and ``gtFine`` or ``gtCoarse``.
        usage: 'train', 'test', 'val' or 'all' of the fine annotations, 'train', 'train_extra', 'val' or 'all' of the coarse annotations.
        quality_mode: 'fine' or 'coarse'.
        task: 'instance', 'semantic', 'polygon' or 'color'.
        decode: whether images are decoded.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.CityscapesDataset("data/cityscapes", "val", "fine", "semantic", shuffle=False, decode=True)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'image': (5, 4, 3), 'task': (5, 4, 3)}
    """

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = "train",
        quality_mode: str = "fine",
        task: str = "instance",
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        super().__init__(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache)
        self.dataset_dir = check_folder(dataset_dir)
        self.task = check_choice("task", task, ["instance", "semantic", "polygon", "color"])
        self.quality_mode = check_choice("quality_mode", quality_mode, ["fine", "coarse"])
        usages = ["train", "test", "val"] if quality_mode == "fine" else ["train", "train_extra", "val"]
        self.usage = check_choice("usage", usage, [*usages, "all"])
        self.parts = usages if self.usage == "all" else [self.usage]
        self.decode = check_decode(decode)

    def _scan(self) -> dict[str, Any]:
        kind = "gtFine" if self.quality_mode == "fine" else "gtCoarse"
        images: list[str] = []
        targets: list[str] = []
        for part in self.parts:
            root = os.path.join(self.dataset_dir, "leftImg8bit", part)
            if not os.path.isdir(root):
                raise pipeline_error(f"Invalid data, the folder {root} does not exist.")
            for city in subfolders(root):
                for path in files_in(os.path.join(root, city)):
                    stem = os.path.basename(path).removesuffix("_leftImg8bit.png")
                    images.append(path)
                    name = f"{stem}_{kind}_{_CITYSCAPES_ENDINGS[self.task]}"
                    targets.append(needed_file(self.dataset_dir, kind, part, city, name))
        target = Files(targets, _polygons) if self.task == "polygon" else Images(targets, self.decode)
        return {"image": Images(images, self.decode), "task": target}


_DIV2K_LETTERS = {"mild": "m", "difficult": "d", "wild": "w"}


class DIV2KDataset(TableDataset, VisionBaseDataset):
    """DIV2K: images in high and in low resolution.

    Args:
        dataset_dir: the folder with ``DIV2K_train_HR`` and so on.
        usage: 'train', 'valid' or 'all'.
        downgrade: 'bicubic', 'unknown', 'mild', 'difficult' or 'wild'.
        scale: 2, 3, 4 or 8; 8 for bicubic only, 4 for mild, difficult and wild.
        decode: whether images are decoded.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.DIV2KDataset("data/div2k", "all", "bicubic", 2, shuffle=False, decode=True)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'hr_image': (5, 4, 3), 'lr_image': (5, 4, 3)}
    """

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = "train",
        downgrade: str = "bicubic",
        scale: int = 2,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        super().__init__(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache)
        self.dataset_dir = check_folder(dataset_dir)
        self.usage = check_choice("usage", usage, ["train", "valid", "all"])
        self.downgrade = check_choice("downgrade", downgrade, ["bicubic", "unknown", "mild", "difficult", "wild"])
        if check.number("DIV2KDataset", "scale", scale) not in (2, 3, 4, 8):
            raise ValueError(f"Input scale is not within the valid set of [2, 3, 4, 8], but got {scale!r}.")
        if scale == 8 and downgrade != "bicubic":
            raise ValueError("DIV2KDataset: scale equal to 8 is allowed only in bicubic downgrade.")
        if scale != 4 and downgrade in _DIV2K_LETTERS:
            raise ValueError(f"DIV2KDataset: {downgrade} downgrade requires scale equal to 4.")
        self.scale = scale
        self.decode = check_decode(decode)

    def _low(self, part: str, stem: str) -> str:
        if self.scale == 8:
            parts = [f"DIV2K_{part}_LR_x8", f"{stem}x8.png"]
        elif self.downgrade in _DIV2K_LETTERS:
            parts = [f"DIV2K_{part}_LR_{self.downgrade}", f"{stem}x4{_DIV2K_LETTERS[self.downgrade]}.png"]
        else:
            parts = [f"DIV2K_{part}_LR_{self.downgrade}", f"X{self.scale}", f"{stem}x{self.scale}.png"]
        return needed_file(self.dataset_dir, *parts)

    def _scan(self) -> dict[str, Any]:
        high: list[str] = []
        low: list[str] = []
        for part in ["train", "valid"] if self.usage == "all" else [self.usage]:
            folder = os.path.join(self.dataset_dir, f"DIV2K_{part}_HR")
            if not os.path.isdir(folder):
                raise pipeline_error(f"Invalid data, the folder {folder} does not exist.")
            for path in files_in(folder):
                high.append(path)
                low.append(self._low(part, os.path.splitext(os.path.basename(path))[0]))
        return {"hr_image": Images(high, self.decode), "lr_image": Images(low, self.decode)}
