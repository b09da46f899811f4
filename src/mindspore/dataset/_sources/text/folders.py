"""Books, sentences with tagged words, and reviews in files."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from mindspore.dataset._pipeline.errors import pipeline_error
from mindspore.dataset._pipeline.rows import Columns
from mindspore.dataset._sources.folder_source import ShuffleFirstFilesDataset, UsageDataset, UsageFilesDataset
from mindspore.dataset._sources.table_source import Files, check_cache, check_folder, file_text, files_in, needed_file
from mindspore.dataset._sources.text.lines import LinesDataset
from mindspore.dataset.engine.datasets import TextBaseDataset


class PennTreebankDataset(UsageFilesDataset, LinesDataset, TextBaseDataset):
    """Penn Treebank: the column text, a line in each row.

    Args:
        dataset_dir: the folder with ``ptb.train.txt`` and so on.
        usage: 'train', 'valid', 'test' or 'all'; None for all.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.PennTreebankDataset("data/books", "train", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'text': ()}
    """

    usages = ("train", "valid", "test", "all")
    usage_files = (("test", "ptb.test.txt"), ("train", "ptb.train.txt"), ("valid", "ptb.valid.txt"))


class WikiTextDataset(UsageFilesDataset, LinesDataset, TextBaseDataset):
    """WikiText: the column text, a line in each row.

    Args:
        dataset_dir: the folder with ``wiki.train.tokens`` and so on.
        usage: 'train', 'valid', 'test' or 'all'; None for all.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.WikiTextDataset("data/books", None, shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'text': ()}
    """

    usages = ("train", "valid", "test", "all")
    usage_files = (("test", "wiki.test.tokens"), ("train", "wiki.train.tokens"), ("valid", "wiki.valid.tokens"))


class EnWik9Dataset(LinesDataset, TextBaseDataset):
    """EnWik9: the column text, a line of the file ``enwik9`` in each row, empty lines too.

    Args:
        dataset_dir: the folder with ``enwik9``.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.EnWik9Dataset("data/books", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'text': ()}
    """

    def __init__(
        self,
        dataset_dir: str,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = True,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        self.dataset_dir = check_folder(dataset_dir)
        check_cache(cache)
        files = [needed_file(self.dataset_dir, "enwik9")]
        super().__init__(files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)

    def _positions(self, path: str, data: memoryview) -> np.ndarray:
        characters = np.frombuffer(data, np.uint8)
        ends = np.flatnonzero(characters == ord("\n"))
        if characters.size and characters[-1] != ord("\n"):
            ends = np.append(ends, characters.size)
        return np.stack([np.concatenate([[0], ends[:-1] + 1])[: len(ends)], ends], axis=1).astype(np.int64)


class _TaggedWords(ShuffleFirstFilesDataset, TextBaseDataset):
    """Base of sentences with a word and its tags in every line, and an empty line behind each sentence."""

    columns: tuple[str, ...] = ()
    separator = " "

    def _positions(self, path: str, data: memoryview) -> np.ndarray:
        content, positions, start = bytes(data), [], 0
        while start < len(content):
            stop = content.find(b"\n\n", start)
            stop = len(content) if stop < 0 else stop
            if content[start:stop].strip():
                positions.append((start, stop))
            start = stop + 2
        return np.array(positions, np.int64).reshape(-1, 2)

    def _parse(self, records: list[Any], ids: list[int]) -> Columns:
        sentences = []
        for record, identity in zip(records, ids, strict=True):
            rows = [line.split(self.separator) for line in str(record, "utf-8").strip("\n").split("\n")]
            if any(len(row) != len(self.columns) for row in rows):
                raise pipeline_error(f"Invalid file, {self.describe(identity)} has lines without {self.columns}.")
            sentences.append(np.array(rows))
        return {name: [words[:, column] for words in sentences] for column, name in enumerate(self.columns)}


class CoNLL2000Dataset(_TaggedWords):
    """CoNLL2000: columns word, pos_tag and chunk_tag, a sentence in each row.

    Args:
        dataset_dir: the folder with ``train.txt`` and so on.
        usage: 'train', 'test' or 'all'; None for all.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.CoNLL2000Dataset("data/sentences", "train", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'word': (3,), 'pos_tag': (3,), 'chunk_tag': (3,)}
    """

    usage_files = (("test", "test.txt"), ("train", "train.txt"))
    columns = ("word", "pos_tag", "chunk_tag")
    separator = " "


class UDPOSDataset(_TaggedWords):
    """UDPOS: columns word, universal and stanford, a sentence in each row.

    Args:
        dataset_dir: the folder with ``en-ud-tag.v2.train.txt`` and so on.
        usage: 'train', 'valid', 'test' or 'all'; None for all.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.UDPOSDataset("data/sentences", "train", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'word': (3,), 'universal': (3,), 'stanford': (3,)}
    """

    usages = ("train", "valid", "test", "all")
    usage_files = (
        ("valid", "en-ud-tag.v2.dev.txt"),
        ("test", "en-ud-tag.v2.test.txt"),
        ("train", "en-ud-tag.v2.train.txt"),
    )
    columns = ("word", "universal", "stanford")
    separator = "\t"


class IMDBDataset(UsageDataset, TextBaseDataset):
    """IMDB: reviews of movies in files, and labels, int32: 0 for negative, 1 for positive.

    Args:
        dataset_dir: the folder with ``train`` and ``test``.
        usage: 'train', 'test' or 'all'; None for all.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.IMDBDataset("data/movies", "train", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'text': (), 'label': ()}
    """

    def num_classes(self) -> int | None:
        """Two."""
        return 2

    def _scan(self) -> dict[str, Any]:
        paths: list[str] = []
        labels: list[int] = []
        for part in ("train", "test"):
            for name, label in (("pos", 1), ("neg", 0)):
                folder = os.path.join(self.dataset_dir, part, name)
                if self.usage not in (part, "all"):
                    continue
                if not os.path.isdir(folder):
                    raise pipeline_error(f"Invalid data, the folder {folder} does not exist.")
                found = files_in(folder)
                paths += found
                labels += [label] * len(found)
        return {"text": Files(paths, file_text), "label": np.array(labels, np.int32)}
