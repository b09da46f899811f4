"""Images with objects in them: PASCAL VOC and COCO."""

from __future__ import annotations

import os
from typing import Any
from xml.etree import ElementTree

import numpy as np

from mindspore.dataset._pipeline import arguments as check
from mindspore.dataset._pipeline.errors import pipeline_error
from mindspore.dataset._sources.image.coco import CocoDataset
from mindspore.dataset._sources.table_source import (
    Decrypted,
    Images,
    TableDataset,
    check_choice,
    check_class_indexing,
    check_decode,
    check_folder,
    file_lines,
    needed_file,
    texts,
)
from mindspore.dataset.engine.datasets import VisionBaseDataset

__all__ = ["CocoDataset", "VOCDataset"]


class VOCDataset(TableDataset, VisionBaseDataset):
    """PASCAL VOC. Segmentation: columns image and target; Detection: image, bbox (x, y, width, height), label, difficult, truncate.

    Args:
        dataset_dir: the folder with JPEGImages, Annotations, ImageSets and SegmentationClass.
        task: 'Segmentation' or 'Detection'.
        usage: the name of a list in ``ImageSets/Segmentation`` or ``ImageSets/Main``: 'train', 'val', ...
        class_indexing: numbers for the names of the classes to take, in Detection; None for all, in the order of their names.
        decode: whether images are decoded.
        extra_metadata: whether there is a column ``_meta-filename``.
        decrypt: a function that makes the bytes of an encrypted file from its path.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.VOCDataset("data/voc", shuffle=False, decode=True)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'image': (5, 4, 3), 'target': (5, 4, 3)}
    """

    def __init__(
        self,
        dataset_dir: str,
        task: str = "Segmentation",
        usage: str | None = "train",
        class_indexing: dict[str, int] | None = None,
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
        self.task = check_choice("task", task, ["Segmentation", "Detection"])
        self.usage = check.text("usage", usage)
        self.class_indexing = check_class_indexing(class_indexing)
        if self.task == "Segmentation" and self.class_indexing is not None:
            raise ValueError("class_indexing is not supported in Segmentation task.")
        folder = "Segmentation" if self.task == "Segmentation" else "Main"
        self.image_list = os.path.join(self.dataset_dir, "ImageSets", folder, f"{self.usage}.txt")
        if not os.path.isfile(self.image_list):
            raise ValueError(f"The file {self.image_list} does not exist or permission denied!")
        self.decode = check_decode(decode)
        self.extra_metadata = check.flag("extra_metadata", extra_metadata)
        self.decrypt = decrypt

    def _names(self) -> list[str]:
        return [line.strip() for line in file_lines(self.image_list) if line.strip()]

    def _images(self, folder: str, names: list[str], ending: str) -> Images:
        images = Images([os.path.join(self.dataset_dir, folder, name + ending) for name in names], self.decode)
        if self.decrypt is not None:
            images.read = Decrypted(self.decrypt, self.decode)
        return images

    def _annotations(self, names: list[str]) -> list[list[tuple]]:
        return [_objects(needed_file(self.dataset_dir, "Annotations", f"{name}.xml")) for name in names]

    def get_class_indexing(self) -> dict[str, Any]:
        """Names of classes and their numbers."""
        if self.task != "Detection":
            raise NotImplementedError("Only 'Detection' support get_class_indexing.")
        if self.class_indexing is not None:
            return dict(self.class_indexing)
        return _numbered(self._annotations(self._names()))

    def _scan(self) -> dict[str, Any]:
        names = self._names()
        if self.task == "Segmentation":
            table: dict[str, Any] = {
                "image": self._images("JPEGImages", names, ".jpg"),
                "target": self._images("SegmentationClass", names, ".png"),
            }
        else:
            names, table = self._detection(names)
        if self.extra_metadata:
            table["_meta-filename"] = texts(names)
        return table

    def _detection(self, names: list[str]) -> tuple[list[str], dict[str, Any]]:
        annotations = self._annotations(names)
        classes = self.class_indexing or _numbered(annotations)
        kept, columns = [], {"bbox": [], "label": [], "difficult": [], "truncate": []}
        for name, objects in zip(names, annotations, strict=True):
            objects = [found for found in objects if found[0] in classes]
            if not objects:
                continue
            kept.append(name)
            columns["bbox"].append(np.array([found[1] for found in objects], np.float32))
            columns["label"].append(np.array([[classes[found[0]]] for found in objects], np.uint32))
            columns["difficult"].append(np.array([[found[2]] for found in objects], np.uint32))
            columns["truncate"].append(np.array([[found[3]] for found in objects], np.uint32))
        if not kept:
            raise pipeline_error(
                "Invalid data, VOCDataset API can't read the data file (interface mismatch or no data found). Check file: "
                f"{self.image_list}, classes: {sorted(classes)}."
            )
        return kept, {"image": self._images("JPEGImages", kept, ".jpg"), **columns}


def _numbered(annotations: list[list[tuple]]) -> dict[str, int]:
    names = sorted({found[0] for objects in annotations for found in objects})
    return {name: number for number, name in enumerate(names)}


def _objects(path: str) -> list[tuple]:
    """The objects of an annotation file: name, (x, y, width, height), difficult, truncated."""
    try:
        found = []
        for element in ElementTree.parse(path).getroot().iter("object"):
            box = element.find("bndbox")
            if box is None:
                raise LookupError("an object without 'bndbox'")
            left, top, right, bottom = (float(box.findtext(side, "")) for side in ("xmin", "ymin", "xmax", "ymax"))
            if right <= left or bottom <= top or left <= 0 or top <= 0:
                raise LookupError(f"the box ({left}, {top}, {right}, {bottom}) is not inside of an image")
            corners = (left, top, right - left, bottom - top)
            flags = (int(element.findtext("difficult", "0")), int(element.findtext("truncated", "0")))
            found.append((element.findtext("name", ""), corners, *flags))
    except (ElementTree.ParseError, LookupError, ValueError) as error:
        raise pipeline_error(f"Invalid xml file, failed to parse {path}: {error}.") from error
    if not found:
        raise pipeline_error(f"Invalid xml file, {path} has no 'object'.")
    return found
