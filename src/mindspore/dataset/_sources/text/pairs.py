"""Questions, translations and short sentences."""

from __future__ import annotations

import functools
import json
import os
from typing import Any

import numpy as np

from mindspore._utils.files import atomic_file
from mindspore.dataset._pipeline import arguments as check
from mindspore.dataset._pipeline.errors import pipeline_error
from mindspore.dataset._pipeline.rows import Columns
from mindspore.dataset._sources.folder_source import UsageFilesDataset
from mindspore.dataset._sources.record_source import RecordFilesDataset, line_positions
from mindspore.dataset._sources.table_source import check_cache, check_folder, check_usage, needed_file
from mindspore.dataset.engine.datasets import TextBaseDataset


class SST2Dataset(UsageFilesDataset, TextBaseDataset):
    """SST-2: columns sentence and label; for 'test' sentence alone.

    Args:
        dataset_dir: the folder with ``train.tsv`` and so on.
        usage: 'train', 'dev' or 'test'; None for 'train'.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.SST2Dataset("data/sst2", "train", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'sentence': (), 'label': ()}
    """

    usages = ("train", "test", "dev")
    default_usage = "train"
    usage_files = (("train", "train.tsv"), ("test", "test.tsv"), ("dev", "dev.tsv"))

    def _positions(self, path: str, data: memoryview) -> np.ndarray:
        return line_positions(data)[1:]

    def _parse(self, records: list[Any], ids: list[int]) -> Columns:
        rows = [str(record, "utf-8").rstrip("\r").split("\t") for record in records]
        for row, identity in zip(rows, ids, strict=True):
            if len(row) != 2:
                raise pipeline_error(f"Invalid file, {self.describe(identity)} has {len(row)} fields instead of two.")
        if self.usage == "test":
            return {"sentence": [np.array(row[1]) for row in rows]}
        return {"sentence": [np.array(row[0]) for row in rows], "label": [np.array(row[1]) for row in rows]}


class ParsedFilesDataset(RecordFilesDataset, TextBaseDataset):
    """Base of sources whose rows do not stand behind each other in their files: these are parsed as a whole."""

    def _rows_of(self, path: str, data: memoryview) -> list[dict[str, Any]]:
        """The rows of a file."""
        raise NotImplementedError

    @functools.cached_property
    def _rows(self) -> list[dict[str, Any]]:
        return []

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        state.pop("_rows", None)  # a worker process reads the files itself
        return state

    def _positions(self, path: str, data: memoryview) -> np.ndarray:
        rows = self._rows_of(path, data)
        self._rows.extend(rows)
        return np.zeros((len(rows), 2), np.int64)  # row numbers are used instead of byte positions

    def _parse(self, records: list[Any], ids: list[int]) -> Columns:
        return {name: [self._rows[row][name] for row in ids] for name in self._rows[0]}


class SQuADDataset(UsageFilesDataset, ParsedFilesDataset):
    """SQuAD 1.1 and 2.0: columns context, question, text and answer_start (uint32); the last two are arrays.

    Args:
        dataset_dir: the folder with ``train-v1.1.json`` and ``dev-v1.1.json``, or those of version 2.0.
        usage: 'train', 'dev' or 'all'; None for all.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.SQuADDataset("data/squad", "train", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'context': (), 'question': (), 'text': (1,), 'answer_start': (1,)}
    """

    usages = ("train", "dev", "all")
    usage_files = (("train", "train-v1.1.json"), ("dev", "dev-v1.1.json"))

    def _path(self, part: str, name: str) -> str:
        newer = os.path.join(self.dataset_dir, f"{part}-v2.0.json")
        return newer if os.path.isfile(newer) else super()._path(part, name)

    def _rows_of(self, path: str, data: memoryview) -> list[dict[str, Any]]:
        rows = []
        try:
            for paragraph in (inner for entry in json.loads(bytes(data))["data"] for inner in entry["paragraphs"]):
                for question in paragraph["qas"]:
                    answers = question.get("answers", [])
                    rows.append(
                        {
                            "context": np.array(paragraph["context"]),
                            "question": np.array(question["question"]),
                            "text": np.array([answer["text"] for answer in answers] or [""]),
                            "answer_start": np.array([answer["answer_start"] for answer in answers], np.uint32),
                        }
                    )
        except (ValueError, LookupError, TypeError) as error:
            raise pipeline_error(f"Invalid json file, {path} is no file of SQuAD: {error!r}.") from error
        return rows


class Multi30kDataset(RecordFilesDataset, TextBaseDataset):
    """Multi30k: columns text and translation.

    Args:
        dataset_dir: the folder with ``training``, ``validation`` and ``mmt16_task1_test``.
        usage: 'train', 'valid', 'test' or 'all'; None for all.
        language_pair: ['en', 'de'] or ['de', 'en']; None for the first.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.Multi30kDataset("data/multi30k", "train", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> {name: value.shape for name, value in row.items()}
        {'text': (), 'translation': ()}
    """

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        language_pair: Any = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        self.dataset_dir = check_folder(dataset_dir)
        self.usage = check_usage(usage, ["train", "test", "valid", "all"])
        check_cache(cache)
        if language_pair is not None:
            check.of_type("language_pair", language_pair, list, tuple)
        pair = ["en", "de"] if language_pair is None else check.names(language_pair) or []
        if sorted(pair) != ["de", "en"]:
            raise ValueError(f"language_pair can only be ['en', 'de'] or ['de', 'en'], but got {language_pair!r}.")
        self.language_pair = pair
        stems_of = {"test": "mmt16_task1_test/test", "train": "training/train", "valid": "validation/val"}
        stems = [stem for part, stem in stems_of.items() if self.usage in (part, "all")]
        files = [needed_file(self.dataset_dir, f"{stem}.{pair[0]}") for stem in stems]
        self.translations = [needed_file(self.dataset_dir, f"{stem}.{pair[1]}") for stem in stems]
        super().__init__(files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)
        self._others: list[str] = []

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_others": []}  # a worker process reads the files itself

    def _positions(self, path: str, data: memoryview) -> np.ndarray:
        found = line_positions(data)
        other = self.translations[self.files.index(path)]
        content = atomic_file.contents(other)
        lines = [str(content[start:stop], "utf-8") for start, stop in line_positions(content).tolist()]
        if len(lines) != len(found):
            raise pipeline_error(f"Invalid file, {path} has {len(found)} lines, {other} has {len(lines)}.")
        self._others += lines
        return found

    def _parse(self, records: list[Any], ids: list[int]) -> Columns:
        return {
            "text": [np.array(str(record, "utf-8")) for record in records],
            "translation": [np.array(self._others[row]) for row in ids],
        }
