"""Datasets of random data, to try pipelines with."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._utils.refusals import type_or_value
from mindspore.dataset._pipeline import arguments as check
from mindspore.dataset._pipeline.rows import Columns
from mindspore.dataset._pipeline.schema import Schema
from mindspore.dataset._sources.random_access import RandomAccessDataset
from mindspore.dataset._sources.table_source import check_cache
from mindspore.dataset.core import config
from mindspore.dataset.engine.datasets import VisionBaseDataset

__all__ = ["FakeImageDataset", "RandomDataset"]


def _generator(seed: int, identity: int) -> np.random.Generator:
    """Numbers that depend on the seed and the row alone."""
    return np.random.Generator(np.random.Philox(key=[seed % 2**64, identity]))


class RandomDataset(RandomAccessDataset, VisionBaseDataset):
    """Random rows by a schema.

    Args:
        total_rows: how many rows; None: by chance, or by the schema's number.
        schema: a :class:`Schema` or the path of its JSON file; None: a few columns by chance.
        columns_list: names of the columns to make; None for all.

    Examples:
        >>> import mindspore.dataset as ds
        >>> schema = ds.Schema()
        >>> schema.add_column("x", "int32", [2, 3])
        >>> ds.RandomDataset(total_rows=4, schema=schema).output_shapes()
        [[2, 3]]
    """

    _MOST_ROWS = 100

    def __init__(
        self,
        total_rows: int | None = None,
        schema: Schema | str | None = None,
        columns_list: list[str] | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        cache: Any = None,
        shuffle: bool | None = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
    ):
        ordered = False if shuffle is None and num_samples is not None else shuffle
        super().__init__(num_samples, num_parallel_workers, ordered, None, num_shards, shard_id)
        self.seed = config.pipeline_seed()
        if isinstance(schema, str):
            schema = Schema(schema)
        self.schema = _some_columns() if schema is None else schema
        if not isinstance(self.schema, Schema):
            raise TypeError(f"Argument schema must be a Schema or the path of a JSON file, but got {type(schema)}.")
        by_chance = int(_generator(self.seed, 0).integers(1, self._MOST_ROWS))
        given = None if total_rows is None else check.number("RandomDataset", "total_rows", total_rows)
        self.total_rows = given or self.schema.num_rows or by_chance
        self.columns_list = check.names(columns_list) or self.schema.columns_named()
        self.cache = check_cache(cache)

    def _length(self) -> int:
        return self.total_rows

    def fetch(self, ids: np.ndarray) -> Columns:
        """Rows by number."""
        return {
            name: [self._value(name, index, row) for row in ids.tolist()]
            for index, name in enumerate(self.columns_list)
        }

    def _value(self, name: str, index: int, identity: int) -> np.ndarray:
        generator = _generator(self.seed + index, identity)
        shape = self.schema.shape(name)
        lengths = [
            int(generator.integers(1, 10)) if length < 0 else length for length in ((-1,) if shape is None else shape)
        ]
        dtype = self.schema.dtype(name)
        if dtype is None:
            letters = generator.integers(97, 123, (*lengths, 8), dtype=np.uint8)
            return np.apply_along_axis(lambda row: row.tobytes().decode(), -1, letters)
        if dtype.kind == "f":
            return np.asarray(generator.standard_normal(lengths)).astype(dtype)
        if dtype.kind == "b":
            return np.asarray(generator.integers(0, 2, lengths)).astype(dtype)
        limits = np.iinfo(dtype)
        return np.asarray(generator.integers(limits.min, limits.max, lengths, dtype=dtype, endpoint=True))


def _some_columns() -> Schema:
    schema = Schema()
    for number, kind in enumerate(("int32", "float32", "uint8")):
        schema.add_column(f"c{number}", kind, [2, 2])
    return schema


class FakeImageDataset(RandomAccessDataset, VisionBaseDataset):
    """Random images, uint8, and labels, uint32.

    Args:
        num_images: how many.
        image_size: height, width and channels.
        num_classes: labels are below it.
        base_seed: another seed gives other images.

    Examples:
        >>> import mindspore.dataset as ds
        >>> ds.FakeImageDataset(10, (8, 8, 3)).output_shapes()
        [[8, 8, 3], []]
    """

    def __init__(
        self,
        num_images: int = 1000,
        image_size: Any = (224, 224, 3),
        num_classes: int = 10,
        base_seed: int = 0,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        super().__init__(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id)
        self.num_images = check.number("FakeImageDataset", "num_images", num_images, low=1)
        if not isinstance(image_size, (list, tuple)) or len(image_size) != 3:
            raise type_or_value(ValueError)(f"image_size should be a list or tuple of length 3, but got {image_size!r}")
        self.image_size = tuple(check.number("FakeImageDataset", "image_size", length, low=1) for length in image_size)
        self._classes = check.number("FakeImageDataset", "num_classes", num_classes, low=1)
        self.base_seed = check.number("FakeImageDataset", "base_seed", base_seed)
        self.cache = check_cache(cache)

    def _length(self) -> int:
        return self.num_images

    def _label(self, identity: int) -> int:
        return int(_generator(self.base_seed, identity).integers(self._classes))

    def _labels(self, column: str) -> list[int]:
        return [self._label(identity) for identity in range(self.num_images)]

    def fetch(self, ids: np.ndarray) -> Columns:
        """Images by number."""
        images = [
            _generator(self.base_seed + 1, row).integers(0, 256, self.image_size, np.uint8) for row in ids.tolist()
        ]
        return {"image": np.stack(images), "label": np.array([self._label(row) for row in ids.tolist()], np.uint32)}
