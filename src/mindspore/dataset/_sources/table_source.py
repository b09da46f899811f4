"""Sources that list their samples once, in a table, and read files when their turn comes."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

import numpy as np

from mindspore.dataset._pipeline import arguments as check
from mindspore.dataset._pipeline.errors import pipeline_error, reading
from mindspore.dataset._pipeline.rows import Columns, select
from mindspore.dataset._pipeline.run_context import PipelineContext
from mindspore.dataset._pipeline.stages import Stage
from mindspore.dataset._sources.random_access import RandomAccessDataset
from mindspore.dataset.engine.cache_client import DatasetCache
from mindspore.dataset.vision._implementation.decoding import decode as decode_image


class Files:
    """A column whose values are read from files.

    Args:
        paths: one file for each sample.
        read: makes the value from a path.
    """

    def __init__(self, paths: Sequence[str], read: Callable[[str], np.ndarray]):
        self.paths = list(paths)
        self.read = read

    def __len__(self) -> int:
        return len(self.paths)

    def select(self, ids: np.ndarray) -> list[np.ndarray]:
        """The values of some samples."""
        return [self._value(self.paths[identity]) for identity in ids.tolist()]

    def _value(self, path: str) -> np.ndarray:
        with reading(lambda: path, "a whole file of its kind"):
            return self.read(path)


class Images(Files):
    """Image files: their bytes, or what they decode to."""

    def __init__(self, paths: Sequence[str], decode: bool | None):
        super().__init__(paths, decoded_file if decode else file_bytes)


class Decrypted:
    """Reads encrypted images with a function of the program."""

    def __init__(self, decrypt: Callable[[str], bytes], decode: bool):
        self.decrypt = decrypt
        self.decode = decode

    def __call__(self, path: str) -> np.ndarray:
        data = np.frombuffer(self.decrypt(path), np.uint8)
        return decode_image("Decode", data) if self.decode else data


class TableDataset(RandomAccessDataset):
    """Base of these sources: a subclass says in ``_scan`` what its samples are."""

    def __init__(
        self,
        num_samples: int | None,
        num_parallel_workers: int | None,
        shuffle: Any,
        sampler: Any,
        num_shards: int | None,
        shard_id: int | None,
        cache: DatasetCache | None = None,
    ):
        super().__init__(num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id)
        self.cache = check_cache(cache)

    def _scan(self) -> dict[str, Any]:
        """The columns of all samples: arrays, lists of arrays, or Files."""
        raise NotImplementedError

    @functools.cached_property
    def _table(self) -> dict[str, Any]:
        with reading(self._origin, f"what {type(self).__name__} describes"):
            table = self._scan()
        # `take` copies an array that is not contiguous as a whole
        return {
            name: np.ascontiguousarray(column) if isinstance(column, np.ndarray) else column
            for name, column in table.items()
        }

    def _origin(self) -> str:
        """The file that lists the samples, or their folder."""
        named = ("annotation_file", "dataset_file", "image_list", "dataset_dir")
        return next((str(vars(self)[name]) for name in named if name in vars(self)), type(self).__name__)

    def _length(self) -> int:
        return len(next(iter(self._table.values())))

    def _stage(self, plan: PipelineContext) -> Stage:
        if not self._length():
            raise nothing_found(self, self._origin())
        return super()._stage(plan)

    def fetch(self, ids: np.ndarray) -> Columns:
        """The columns of these samples."""
        if self.cache is not None:
            return self.cache.rows(id(self), ids, self._read)
        return self._read(ids)

    def _read(self, ids: np.ndarray) -> Columns:
        return {name: _selected(column, ids) for name, column in self._table.items()}

    def describe(self, identity: int) -> str:
        """The file of the sample, or None."""
        for column in self._table.values():
            if isinstance(column, Files):
                return column.paths[identity]
        folder = getattr(self, "dataset_dir", "")
        return f"sample {identity} of {folder}" if folder else f"sample {identity}"

    def _labels(self, column: str) -> Sequence[int]:
        if column not in self._table:
            raise RuntimeError(f"PKSampler: there is no column '{column}'; the columns are {list(self._table)}.")
        values = self._table[column]
        return (
            values.tolist() if isinstance(values, np.ndarray) else [int(np.asarray(value).flat[0]) for value in values]
        )


def _selected(column: Any, ids: np.ndarray) -> Any:
    if isinstance(column, Files):
        return column.select(ids)
    return column.take(ids, axis=0) if isinstance(column, np.ndarray) else select(column, ids)  # faster than an index


def nothing_found(dataset: Any, place: str) -> RuntimeError:
    """The error of a source that is read, but has no samples: often it was given a wrong folder."""
    return pipeline_error(
        f"Invalid data, {type(dataset).__name__} API can't read the data file (interface mismatch or no data found). Check {place}"
    )


# -- values of files --------------------------------------------------------------------------------------------------
def file_bytes(path: str) -> np.ndarray:
    """The bytes of a file."""
    try:
        with open(path, "rb", buffering=0) as stream:
            data = np.empty(os.fstat(stream.fileno()).st_size, np.uint8)
            read = stream.readinto(data)  # type: ignore[arg-type]
            while read < data.size and (more := stream.readinto(data[read:])):  # type: ignore[arg-type]
                read += more
    except IsADirectoryError as error:
        raise pipeline_error(f"Invalid file found: {path}, should be file, but got directory.") from error
    except OSError as error:
        raise pipeline_error(f"Invalid file, failed to read {path}: {error.strerror}.") from error
    data = data[:read]
    if not data.size:
        raise pipeline_error(f"Invalid file, {path} is empty.")
    return data


def decoded_file(path: str) -> np.ndarray:
    """The pixels of an image file."""
    try:
        return decode_image("Decode", file_bytes(path))
    except (RuntimeError, ValueError, MemoryError) as error:
        raise pipeline_error(
            f"Invalid image, {path} decode failed, the image is broken or permission denied. {str(error).splitlines()[0]}"
        ) from error


def file_text(path: str) -> np.ndarray:
    """The text of a file."""
    with open(path, encoding="utf-8") as stream:
        return np.array(stream.read())


def texts(values: Sequence[str]) -> list[np.ndarray]:
    """A column of text."""
    return [np.array(value) for value in values]


# -- checks -----------------------------------------------------------------------------------------------------------
def check_folder(path: Any) -> str:
    """A folder that is there."""
    path = os.fspath(path) if isinstance(path, os.PathLike) else check.text("dataset_dir", path)
    if not os.path.isdir(path) or not os.access(path, os.R_OK):
        raise ValueError(f"The folder {path} does not exist or is not a directory or permission denied!")
    return path


def check_file(path: Any) -> str:
    """A file that is there."""
    path = os.fspath(path) if isinstance(path, os.PathLike) else check.text("dataset_file", path)
    if not os.path.isfile(path) or not os.access(path, os.R_OK):
        raise ValueError(f"The file {path} does not exist or permission denied!")
    return path


def check_choice(name: str, value: Any, allowed: Collection[str]) -> str:
    """A str that is among those allowed."""
    check.text(name, value)
    if value not in allowed:
        raise ValueError(f"Input {name} is not within the valid set of {list(allowed)}.")
    return value


def check_usage(value: Any, allowed: Collection[str] = ("train", "test", "all")) -> str:
    """The part of a dataset; None for all of it."""
    return "all" if value is None else check_choice("usage", value, allowed)


def check_decode(value: Any) -> bool:
    """Whether images are decoded."""
    return False if value is None else check.flag("decode", value)


def check_cache(value: Any) -> DatasetCache | None:
    """A cache, or None."""
    if value is not None and not isinstance(value, DatasetCache):
        raise TypeError(f"Argument cache with value {value!r} is not of type [DatasetCache], but got {type(value)}.")
    return value


def check_class_indexing(value: Any) -> dict[str, int] | None:
    """Numbers for names of classes, or None."""
    if value is None:
        return None
    if not isinstance(value, dict):
        raise TypeError(
            f"Argument class_indexing with value {value!r} is not of type [<class 'dict'>], but got {type(value)}."
        )
    for name, number in value.items():
        check.text("class_indexing key", name)
        check.number("class_indexing", f"class_indexing['{name}']", number)
    return dict(value)


# -- folders ----------------------------------------------------------------------------------------------------------
def subfolders(path: str) -> list[str]:
    """The names of the folders in a folder, sorted."""
    with os.scandir(path) as entries:
        return sorted(entry.name for entry in entries if entry.is_dir())


def files_in(path: str, extensions: Collection[str] | None = None) -> list[str]:
    """The paths of the files in a folder, sorted; only those that end like one of ``extensions``."""
    with os.scandir(path) as entries:
        names = sorted(entry.name for entry in entries if entry.is_file())
    return [os.path.join(path, name) for name in names if extensions is None or os.path.splitext(name)[1] in extensions]


def needed_file(folder: str, *names: str) -> str:
    """The path of a file that must be in a folder."""
    path = os.path.join(folder, *names)
    if not os.path.isfile(path):
        raise pipeline_error(f"Invalid file, {path} does not exist. Check that the dataset is complete.")
    return path


def file_lines(path: str) -> Iterator[str]:
    """The lines of a text file without their ends."""
    number = 0
    with open(path, "rb") as stream:
        for number, line in enumerate(stream, 1):
            with reading(lambda: f"line {number} of {path}", "text in UTF-8"):  # noqa: B023 - asked for at once
                text = line.decode("utf-8")
            yield text.rstrip("\n").removesuffix("\r")
