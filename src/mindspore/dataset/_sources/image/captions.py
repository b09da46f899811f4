"""Less used datasets of images with captions."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from mindspore.dataset._pipeline.errors import pipeline_error
from mindspore.dataset._sources.folder_source import PictureFolderDataset
from mindspore.dataset._sources.table_source import (
    Images,
    TableDataset,
    check_decode,
    check_file,
    check_folder,
    file_lines,
    needed_file,
    texts,
)
from mindspore.dataset.engine.datasets import VisionBaseDataset


class FlickrDataset(TableDataset, VisionBaseDataset):
    """Flickr8k and Flickr30k: images, and five captions of each.

    Args:
        dataset_dir: the folder of the images.
        annotation_file: the file of the captions: in every line the image, ``#``, a number, a tab, the caption.
        decode: whether images are decoded.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.FlickrDataset("data/flickr/images", "data/flickr/tokens.txt", decode=True, shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'image': (5, 4, 3), 'annotation': (5,)}
    """

    def __init__(
        self,
        dataset_dir: str,
        annotation_file: str,
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
        self.annotation_file = check_file(annotation_file)
        self.decode = check_decode(decode)

    def _scan(self) -> dict[str, Any]:
        captions: dict[str, list[str]] = {}
        for number, line in enumerate(file_lines(self.annotation_file), 1):
            if not line.strip():
                continue
            image, mark, caption = line.partition("\t")
            if not mark or "#" not in image:
                raise pipeline_error(
                    f"Invalid annotation file, {self.annotation_file} line {number} is no caption: {line!r}."
                )
            captions.setdefault(image.rpartition("#")[0], []).append(caption)
        names = sorted(captions)
        images = Images([os.path.join(self.dataset_dir, name) for name in names], self.decode)
        return {"image": images, "annotation": [np.array(captions[name]) for name in names]}


class SBUDataset(PictureFolderDataset, VisionBaseDataset):
    """SBU Captioned Photo: images, and a caption of each.

    Args:
        dataset_dir: the folder with the lists of addresses and captions, and ``sbu_images``.
        decode: whether images are decoded.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.SBUDataset("data/sbu", shuffle=False, decode=True)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'image': (5, 4, 3), 'caption': ()}
    """

    _PREFIX = len("http://static.flickr.co")  # files are called by what follows

    def _scan(self) -> dict[str, Any]:
        addresses = list(file_lines(needed_file(self.dataset_dir, "SBU_captioned_photo_dataset_urls.txt")))
        captions = list(file_lines(needed_file(self.dataset_dir, "SBU_captioned_photo_dataset_captions.txt")))
        if len(addresses) != len(captions):
            raise pipeline_error(
                f"Invalid data, there are {len(addresses)} addresses and {len(captions)} captions in {self.dataset_dir}."
            )
        folder = os.path.join(self.dataset_dir, "sbu_images")
        paths = [os.path.join(folder, address[self._PREFIX :].replace("/", "_")) for address in addresses]
        pairs = [(path, text) for path, text in zip(paths, captions, strict=True) if os.path.isfile(path)]
        if not pairs:
            raise pipeline_error(f"Invalid data, no valid images in {folder}, check SBU dataset.")
        images = Images([path for path, _ in pairs], self.decode)
        return {"image": images, "caption": texts([text.strip() for _, text in pairs])}
