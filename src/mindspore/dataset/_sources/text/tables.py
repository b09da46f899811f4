"""Tables of news, reviews and questions, every field a text."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.dataset._pipeline.errors import pipeline_error
from mindspore.dataset._pipeline.rows import Columns
from mindspore.dataset._sources.formats.csv import split_line
from mindspore.dataset._sources.record_source import RecordFilesDataset, line_positions
from mindspore.dataset._sources.table_source import check_folder, check_usage, needed_file
from mindspore.dataset.engine.samplers import Shuffle


class _TableOfTexts(RecordFilesDataset):
    """Base of them: ``train.csv`` and ``test.csv`` without a line of names."""

    columns: tuple[str, ...] = ()
    parts: tuple[str, ...] = ("test", "train")  # the order in which the files are read

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
        self.dataset_dir = check_folder(dataset_dir)
        self.usage = check_usage(usage)
        names = [f"{part}.csv" for part in self.parts if self.usage in (part, "all")]
        files = [needed_file(self.dataset_dir, name) for name in names]
        super().__init__(files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)

    def _positions(self, path: str, data: memoryview) -> np.ndarray:
        return line_positions(data, ord('"'))

    def _parse(self, records: list[Any], ids: list[int]) -> Columns:
        columns: dict[str, list[np.ndarray]] = {name: [] for name in self.columns}
        for record, identity in zip(records, ids, strict=True):
            fields = split_line(str(record, "utf-8").rstrip("\r"), ",")
            if len(fields) != len(columns):
                raise pipeline_error(
                    f"Invalid file, {self.describe(identity)} has {len(fields)} fields, but there are {len(columns)} columns."
                )
            for values, field in zip(columns.values(), fields, strict=True):
                values.append(np.array(field))
        return columns


class AGNewsDataset(_TableOfTexts):
    """AG News: columns index, title and description.

    Args:
        dataset_dir: the folder with ``train.csv`` and ``test.csv``.
        usage: 'train', 'test' or 'all'; None for all.
    """

    columns = ("index", "title", "description")


class AmazonReviewDataset(_TableOfTexts):
    """Amazon reviews: columns label, title and content.

    Args:
        dataset_dir: the folder with ``train.csv`` and ``test.csv``.
        usage: 'train', 'test' or 'all'; None for all.
    """

    columns = ("label", "title", "content")


class DBpediaDataset(_TableOfTexts):
    """DBpedia: columns class, title and content.

    Args:
        dataset_dir: the folder with ``train.csv`` and ``test.csv``.
        usage: 'train', 'test' or 'all'; None for all.
    """

    columns = ("class", "title", "content")


class SogouNewsDataset(_TableOfTexts):
    """Sogou News: columns index, title and content.

    Args:
        dataset_dir: the folder with ``train.csv`` and ``test.csv``.
        usage: 'train', 'test' or 'all'; None for all.
    """

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

    columns = ("index", "title", "content")
    parts = ("train", "test")


class YahooAnswersDataset(_TableOfTexts):
    """Yahoo! Answers: columns class, title, content and answer.

    Args:
        dataset_dir: the folder with ``train.csv`` and ``test.csv``.
        usage: 'train', 'test' or 'all'; None for all.
    """

    columns = ("class", "title", "content", "answer")


class YelpReviewDataset(_TableOfTexts):
    """Yelp reviews: columns label and text.

    Args:
        dataset_dir: the folder with ``train.csv`` and ``test.csv``.
        usage: 'train', 'test' or 'all'; None for all.
    """

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

    columns = ("label", "text")
    parts = ("train", "test")
