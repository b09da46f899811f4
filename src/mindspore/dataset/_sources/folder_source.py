"""The constructors that most datasets of a folder have."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from mindspore.dataset._sources.table_source import TableDataset, check_decode, check_folder, check_usage


class FolderDataset(TableDataset):
    """Base of sources that a folder is enough for."""

    def __init__(
        self,
        dataset_dir: str,
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


class UsageDataset(TableDataset):
    """Base of sources with a folder and parts in it, named in ``usages``."""

    usages: Collection[str] = ("train", "test", "all")

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
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
        self.usage = check_usage(usage, self.usages)


class PictureFolderDataset(TableDataset):
    """Base of sources of image files that a folder is enough for."""

    def __init__(
        self,
        dataset_dir: str,
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
        self.decode = check_decode(decode)


class PictureUsageDataset(TableDataset):
    """Base of sources of image files with a folder and parts in it, named in ``usages``."""

    usages: Collection[str] = ("train", "test", "all")

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
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
        self.usage = check_usage(usage, self.usages)
        self.decode = check_decode(decode)
