"""Tables of news, reviews and questions, every field a text."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore.dataset._pipeline.errors import pipeline_error
from mindspore.dataset._pipeline.rows import Columns
from mindspore.dataset._sources.folder_source import ShuffleFirstFilesDataset, UsageFilesDataset
from mindspore.dataset._sources.formats.csv import split_line
from mindspore.dataset._sources.record_source import line_positions
from mindspore.dataset.engine.datasets import TextBaseDataset


class _TableOfTexts(UsageFilesDataset, TextBaseDataset):
    """Base of them: ``train.csv`` and ``test.csv`` without a line of names."""

    columns: tuple[str, ...] = ()
    usage_files = (("test", "test.csv"), ("train", "train.csv"))

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

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.AGNewsDataset("data/tables/3", "train", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'index': (), 'title': (), 'description': ()}
    """

    columns = ("index", "title", "description")


class AmazonReviewDataset(_TableOfTexts):
    """Amazon reviews: columns label, title and content.

    Args:
        dataset_dir: the folder with ``train.csv`` and ``test.csv``.
        usage: 'train', 'test' or 'all'; None for all.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.AmazonReviewDataset("data/tables/3", "train", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'label': (), 'title': (), 'content': ()}
    """

    columns = ("label", "title", "content")


class DBpediaDataset(_TableOfTexts):
    """DBpedia: columns class, title and content.

    Args:
        dataset_dir: the folder with ``train.csv`` and ``test.csv``.
        usage: 'train', 'test' or 'all'; None for all.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.DBpediaDataset("data/tables/3", "train", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'class': (), 'title': (), 'content': ()}
    """

    columns = ("class", "title", "content")


class SogouNewsDataset(ShuffleFirstFilesDataset, _TableOfTexts):
    """Sogou News: columns index, title and content.

    Args:
        dataset_dir: the folder with ``train.csv`` and ``test.csv``.
        usage: 'train', 'test' or 'all'; None for all.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.SogouNewsDataset("data/tables/3", "train", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'index': (), 'title': (), 'content': ()}
    """

    columns = ("index", "title", "content")
    usage_files = (("train", "train.csv"), ("test", "test.csv"))


class YahooAnswersDataset(_TableOfTexts):
    """Yahoo! Answers: columns class, title, content and answer.

    Args:
        dataset_dir: the folder with ``train.csv`` and ``test.csv``.
        usage: 'train', 'test' or 'all'; None for all.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.YahooAnswersDataset("data/tables/4", "train", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> print(*row, sep=", ")
        class, title, content, answer
    """

    columns = ("class", "title", "content", "answer")


class YelpReviewDataset(ShuffleFirstFilesDataset, _TableOfTexts):
    """Yelp reviews: columns label and text.

    Args:
        dataset_dir: the folder with ``train.csv`` and ``test.csv``.
        usage: 'train', 'test' or 'all'; None for all.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.YelpReviewDataset("data/tables/2", "train", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'label': (), 'text': ()}
    """

    columns = ("label", "text")
    usage_files = (("train", "train.csv"), ("test", "test.csv"))
