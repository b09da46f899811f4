"""The constructors that most datasets of a folder have."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from mindspore.dataset._sources.record_source import RecordFilesDataset
from mindspore.dataset._sources.table_source import (
    TableDataset,
    check_cache,
    check_choice,
    check_decode,
    check_folder,
    needed_file,
)
from mindspore.dataset.engine.samplers import Shuffle


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


class PictureFolderDataset(FolderDataset):
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
        super().__init__(dataset_dir, num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache)
        self.decode = check_decode(decode)


class _Usages:
    """The splits of a dataset, and the one that ``usage=None`` stands for."""

    usages: Collection[str] = ("train", "test", "all")
    default_usage = "all"

    def _check_usage(self, usage: Any) -> str:
        return self.default_usage if usage is None else check_choice("usage", usage, self.usages)


class UsageDataset(_Usages, FolderDataset):
    """Base of sources with a folder and splits in it, named in ``usages``."""

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
        super().__init__(dataset_dir, num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache)
        self.usage = self._check_usage(usage)


class NamedUsageDataset(_Usages, FolderDataset):
    """Base of collections of datasets in one folder, each with its name in ``names`` and splits named in ``usages``."""

    names: Collection[str] = ()

    def __init__(
        self,
        dataset_dir: str,
        name: str,
        usage: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        super().__init__(dataset_dir, num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache)
        self.name = check_choice("name", name, self.names)
        self.usage = self._check_usage(usage)


class PictureUsageDataset(_Usages, FolderDataset):
    """Base of sources of image files with a folder and splits in it, named in ``usages``."""

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
        super().__init__(dataset_dir, num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache)
        self.usage = self._check_usage(usage)
        self.decode = check_decode(decode)


class UsageFilesDataset(_Usages, RecordFilesDataset):
    """Base of sources whose rows stand in one file of the folder for each usage."""

    usage_files: Sequence[tuple[str, str]] = ()  # usages and the names of their files, in the order of reading

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        check_cache(cache)  # before the files are looked for
        self.dataset_dir = check_folder(dataset_dir)
        self.usage = self._check_usage(usage)
        paths = [self._path(part, name) for part, name in self.usage_files if self.usage in (part, "all")]
        super().__init__(paths, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)

    def _path(self, part: str, name: str) -> str:
        """The path of a usage's file."""
        return needed_file(self.dataset_dir, name)


class ShuffleFirstFilesDataset(UsageFilesDataset):
    """The same for those of MindSpore's sources that take the number of workers after ``shuffle`` and the shard."""

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        num_samples: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        num_parallel_workers: int | None = None,
        cache: Any = None,
    ):
        super().__init__(dataset_dir, usage, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)
