"""Less used datasets of faces and of traffic: LFW, WIDERFace, KITTI."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from mindspore.dataset._pipeline.errors import pipeline_error
from mindspore.dataset._sources.folder_source import PictureUsageDataset
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
)
from mindspore.dataset.engine.datasets import VisionBaseDataset

_LFW_FOLDERS = {"original": "lfw", "funneled": "lfw_funneled", "deepfunneled": "lfw-deepfunneled"}


class LFWDataset(TableDataset, VisionBaseDataset):
    """Labeled Faces in the Wild. People: image and label, uint32; pairs: image1, image2 and label, 1 for the same person.

    Args:
        dataset_dir: the folder with the images of people and the lists.
        task: 'people' or 'pairs'; None for 'people'.
        usage: '10fold', 'train', 'test' or 'all'; None for all.
        image_set: 'original', 'funneled' or 'deepfunneled'; None for 'funneled'.
        decode: whether images are decoded.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.LFWDataset("data/lfw", "people", "train", shuffle=False, decode=True)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'image': (5, 4, 3), 'label': ()}
    """

    def __init__(
        self,
        dataset_dir: str,
        task: str | None = None,
        usage: str | None = None,
        image_set: str | None = None,
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
        self.task = "people" if task is None else check_choice("task", task, ["people", "pairs"])
        self.usage = check_usage(usage, ["10fold", "train", "test", "all"])
        sets = list(_LFW_FOLDERS)
        self.image_set = "funneled" if image_set is None else check_choice("image_set", image_set, sets)
        self.decode = check_decode(decode)

    def _lines(self) -> list[list[str]]:
        """The lines of the lists that name people."""
        if self.usage == "10fold":
            names = [f"{self.task}.txt"]
        else:
            names = [f"{self.task}Dev{part}.txt" for part in ("Train", "Test") if self.usage in (part.lower(), "all")]
        lines = [line.split() for name in names for line in file_lines(needed_file(self.dataset_dir, name))]
        return [line for line in lines if line and not line[0].isdigit()]

    def _image(self, person: str, number: str | int) -> str:
        folder = _LFW_FOLDERS[self.image_set]
        return os.path.join(self.dataset_dir, folder, person, f"{person}_{int(number):04}.jpg")

    def _scan(self) -> dict[str, Any]:
        return self._people() if self.task == "people" else self._pairs()

    def _people(self) -> dict[str, Any]:
        names = [line.split()[0] for line in file_lines(needed_file(self.dataset_dir, "lfw-names.txt")) if line.strip()]
        numbers = {name: number for number, name in enumerate(names)}
        paths: list[str] = []
        labels: list[int] = []
        for person, count in self._lines():
            if person not in numbers:
                raise pipeline_error(f"Invalid data, {person} is not in lfw-names.txt of {self.dataset_dir}.")
            paths += [self._image(person, number) for number in range(1, int(count) + 1)]
            labels += [numbers[person]] * int(count)
        return {"image": Images(paths, self.decode), "label": np.array(labels, np.uint32)}

    def _pairs(self) -> dict[str, Any]:
        first, second, labels = [], [], []
        for line in self._lines():
            same = len(line) == 3
            first.append(self._image(line[0], line[1]))
            second.append(self._image(line[0], line[2]) if same else self._image(line[2], line[3]))
            labels.append(same)
        images = {"image1": Images(first, self.decode), "image2": Images(second, self.decode)}
        return {**images, "label": np.array(labels, np.uint32)}


_FACE_COLUMNS = ["blur", "expression", "illumination", "occlusion", "pose", "invalid"]


class WIDERFaceDataset(PictureUsageDataset, VisionBaseDataset):
    """WIDERFace: images, and of every face bbox, blur, expression, illumination, occlusion, pose and invalid, int32.

    Args:
        dataset_dir: the folder with ``WIDER_train`` and so on, and ``wider_face_split``.
        usage: 'train', 'test', 'valid' or 'all' (train and valid); None for all. Test images have no annotation.
        decode: whether images are decoded.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.WIDERFaceDataset("data/wider_face", "train", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> print(*row, sep=", ")
        image, bbox, blur, expression, illumination, occlusion, pose, invalid
    """

    usages = ("train", "test", "valid", "all")

    def _scan(self) -> dict[str, Any]:
        if self.usage == "test":
            names = file_lines(needed_file(self.dataset_dir, "wider_face_split", "wider_face_test_filelist.txt"))
            return {"image": Images([self._image("test", name) for name in names if name.strip()], self.decode)}
        paths: list[str] = []
        faces: list[np.ndarray] = []
        for part, usage in (("train", "train"), ("val", "valid")):
            if self.usage in (usage, "all"):
                for name, rows in self._annotations(part):
                    paths.append(self._image(part, name))
                    faces.append(rows)
        columns = {name: [rows[:, 4 + index] for rows in faces] for index, name in enumerate(_FACE_COLUMNS)}
        return {"image": Images(paths, self.decode), "bbox": [rows[:, :4] for rows in faces], **columns}

    def _image(self, part: str, name: str) -> str:
        return os.path.join(self.dataset_dir, f"WIDER_{part}", "images", name.strip())

    def _annotations(self, part: str) -> list[tuple[str, np.ndarray]]:
        path = needed_file(self.dataset_dir, "wider_face_split", f"wider_face_{part}_bbx_gt.txt")
        lines = iter([line.strip() for line in file_lines(path) if line.strip()])
        found = []
        try:
            for name in lines:
                count = max(int(next(lines)), 1)  # images without a face have one line of zeros
                rows = [next(lines).split()[:10] for _ in range(count)]
                found.append((name, np.array(rows, np.int32).reshape(count, 10)))
        except (ValueError, StopIteration, RuntimeError) as error:
            raise pipeline_error(f"Invalid file, {path} is not a list of faces: {error!r}.") from error
        return found


class KITTIDataset(PictureUsageDataset, VisionBaseDataset):
    """KITTI: images of streets, and of every object label, truncated, occluded, alpha, bbox, dimensions, location, rotation_y.

    Args:
        dataset_dir: the folder with ``data_object_image_2`` and ``data_object_label_2``.
        usage: 'train' or 'test'; None for 'train'. Test images have no annotation.
        decode: whether images are decoded.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.KITTIDataset("data/kitti", "train", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> print(*row, sep=", ")
        image, label, truncated, occluded, alpha, bbox, dimensions, location, rotation_y
    """

    usages = ("train", "test")
    default_usage = "train"

    def _scan(self) -> dict[str, Any]:
        part = "training" if self.usage == "train" else "testing"
        folder = os.path.join(self.dataset_dir, "data_object_image_2", part, "image_2")
        if not os.path.isdir(folder):
            raise pipeline_error(f"Invalid data, the folder {folder} does not exist.")
        paths = files_in(folder)
        table: dict[str, Any] = {"image": Images(paths, self.decode)}
        if self.usage == "test":
            return table
        stems = [os.path.splitext(os.path.basename(path))[0] for path in paths]
        rows = [self._objects(stem) for stem in stems]
        names = sorted({fields[0] for objects in rows for fields in objects})
        kinds = {name: number for number, name in enumerate(names)}
        table["label"] = [np.array([[kinds[fields[0]]] for fields in objects], np.uint32) for objects in rows]
        for name, start, stop, dtype in _KITTI_COLUMNS:
            table[name] = [
                np.array([fields[start:stop] for fields in objects], np.float64).astype(dtype) for objects in rows
            ]
        return table

    def _objects(self, stem: str) -> list[list[str]]:
        path = needed_file(self.dataset_dir, "data_object_label_2", "training", "label_2", f"{stem}.txt")
        rows = [line.split() for line in file_lines(path) if line.strip()]
        for number, row in enumerate(rows, 1):
            if len(row) < 15:
                raise pipeline_error(f"Invalid file, {path} line {number} has {len(row)} fields instead of 15.")
        return rows


# column, its first field, the field behind it, its type
_KITTI_COLUMNS: list[tuple[str, int, int, type]] = [
    ("truncated", 1, 2, np.float32),
    ("occluded", 2, 3, np.uint32),
    ("alpha", 3, 4, np.float32),
    ("bbox", 4, 8, np.float32),
    ("dimensions", 8, 11, np.float32),
    ("location", 11, 14, np.float32),
    ("rotation_y", 14, 15, np.float32),
]
