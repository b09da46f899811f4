"""COCO: images and annotations of several tasks."""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np

from mindspore.dataset._pipeline import arguments as check
from mindspore.dataset._pipeline.errors import pipeline_error
from mindspore.dataset._sources.table_source import (
    Decrypted,
    Images,
    TableDataset,
    check_choice,
    check_decode,
    check_file,
    check_folder,
    texts,
)
from mindspore.dataset.engine.datasets import VisionBaseDataset

_TASKS = ["Detection", "Stuff", "Panoptic", "Keypoint", "Captioning"]


class CocoDataset(TableDataset, VisionBaseDataset):
    """COCO: the column image, and columns of the task.

    Detection: bbox, category_id, iscrowd. Stuff: segmentation, iscrowd. Keypoint: keypoints, num_keypoints. Panoptic: bbox,
    category_id, iscrowd, area. Captioning: captions. Images without an annotation are left out.

    Args:
        dataset_dir: the folder of the images.
        annotation_file: the JSON file.
        task: 'Detection', 'Stuff', 'Panoptic', 'Keypoint' or 'Captioning'.
        decode: whether images are decoded.
        extra_metadata: whether there is a column ``_meta-filename``.
        decrypt: a function that makes the bytes of an encrypted file from its path.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.CocoDataset("data/coco/images", "data/coco/detection.json", shuffle=False, decode=True)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'image': (5, 4, 3), 'bbox': (2, 4), 'category_id': (2, 1), 'iscrowd': (2, 1)}
    """

    def __init__(
        self,
        dataset_dir: str,
        annotation_file: str,
        task: str = "Detection",
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
        extra_metadata: bool = False,
        decrypt: Any = None,
    ):
        super().__init__(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache)
        self.dataset_dir = check_folder(dataset_dir)
        self.annotation_file = check_file(annotation_file)
        self.task = check_choice("task", task, _TASKS)
        self.decode = check_decode(decode)
        self.extra_metadata = check.flag("extra_metadata", extra_metadata)
        self.decrypt = decrypt

    def _content(self) -> dict[str, Any]:
        try:
            with open(self.annotation_file, encoding="utf-8") as stream:
                return json.load(stream)
        except (ValueError, RecursionError) as error:
            raise pipeline_error(f"Invalid annotation file, {self.annotation_file} is not JSON: {error}.") from error

    def get_class_indexing(self) -> dict[str, Any]:
        """Names of categories and their numbers; in Panoptic also whether they are things."""
        if self.task not in ("Detection", "Panoptic"):
            raise NotImplementedError("Only 'Detection' and 'Panoptic' support get_class_indexing.")
        more = ("isthing",) if self.task == "Panoptic" else ()
        return {kind["name"]: [kind["id"], *(kind[key] for key in more)] for kind in self._content()["categories"]}

    def _scan(self) -> dict[str, Any]:
        content = self._content()
        try:
            notes: dict[Any, list[dict]] = {}
            for note in content["annotations"]:
                notes.setdefault(note["image_id"], []).append(note)
            images = [image for image in content["images"] if notes.get(image["id"])]
            rows = [_ROWS[self.task](notes[image["id"]]) for image in images]
            names = [check.text("file_name", image["file_name"]) for image in images]
        except (LookupError, TypeError, AttributeError, ValueError, OverflowError) as error:
            problem = f"the attribute of {error} is missing" if isinstance(error, LookupError) else f"{error}"
            raise pipeline_error(
                f"Invalid annotation, {problem} in annotation file: {self.annotation_file}. Expected COCO's 'images' and "
                f"'annotations' of the task {self.task}."
            ) from error
        if not images:
            raise pipeline_error(
                f"Invalid data, CocoDataset API can't read the data file: no image of {self.annotation_file} has annotations."
            )
        column = Images([os.path.join(self.dataset_dir, name) for name in names], self.decode)
        if self.decrypt is not None:
            column.read = Decrypted(self.decrypt, self.decode)
        table: dict[str, Any] = {"image": column, **{name: [row[name] for row in rows] for name in rows[0]}}
        if self.extra_metadata:
            table["_meta-filename"] = texts([os.path.splitext(name)[0] for name in names])
        return table


def _numbers(notes: list[dict], key: str, default: Any = None) -> np.ndarray:
    """A number of each annotation, <N,1>."""
    values = [note[key] if default is None else note.get(key, default) for note in notes]
    return np.array(values, np.uint32).reshape(-1, 1)


def _padded(lists: list[list[float]]) -> np.ndarray:
    """Lists of different length as an array, padded with -1."""
    array = np.full((len(lists), max(map(len, lists))), -1, np.float32)
    for row, values in zip(array, lists, strict=True):
        row[: len(values)] = values
    return array


def _boxes(notes: list[dict]) -> np.ndarray:
    return np.array([note["bbox"] for note in notes], np.float32).reshape(-1, 4)


def _detection(notes: list[dict]) -> dict[str, np.ndarray]:
    return {
        "bbox": _boxes(notes),
        "category_id": _numbers(notes, "category_id"),
        "iscrowd": _numbers(notes, "iscrowd", 0),
    }


def _stuff(notes: list[dict]) -> dict[str, np.ndarray]:
    outlines = []
    for note in notes:
        shape = note["segmentation"]
        outlines += [shape["counts"]] if note["iscrowd"] else shape
    return {"segmentation": _padded(outlines), "iscrowd": _numbers(notes, "iscrowd")}


def _keypoint(notes: list[dict]) -> dict[str, np.ndarray]:
    return {
        "keypoints": _padded([note["keypoints"] for note in notes]),
        "num_keypoints": _numbers(notes, "num_keypoints"),
    }


def _panoptic(notes: list[dict]) -> dict[str, np.ndarray]:
    segments = [segment for note in notes for segment in note["segments_info"]]
    return {**_detection(segments), "area": _numbers(segments, "area")}


def _captioning(notes: list[dict]) -> dict[str, np.ndarray]:
    return {"captions": np.array([[note["caption"]] for note in notes])}


_ROWS = {
    "Detection": _detection,
    "Stuff": _stuff,
    "Keypoint": _keypoint,
    "Panoptic": _panoptic,
    "Captioning": _captioning,
}
