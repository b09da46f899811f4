"""Text files, line by line, and JSON files with one object in each line."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from mindspore.dataset._pipeline.errors import pipeline_error
from mindspore.dataset._pipeline.rows import Columns
from mindspore.dataset._sources.record_source import RecordFilesDataset, line_positions, matching_files
from mindspore.dataset._sources.table_source import check_choice
from mindspore.dataset.engine.datasets import TextBaseDataset
from mindspore.dataset.engine.samplers import Shuffle


class LinesDataset(RecordFilesDataset, TextBaseDataset):
    """Base of datasets of lines: one column with the text."""

    def _positions(self, path: str, data: memoryview) -> np.ndarray:
        return line_positions(data)

    def _parse(self, records: list[Any], ids: list[int]) -> Columns:
        return {"text": [np.array(str(record, "utf-8")) for record in records]}


class TextFileDataset(LinesDataset):
    """The lines of text files, without those that are empty.

    Args:
        dataset_files: a path or a list of them; ``*`` and ``?`` stand for any characters.
        shuffle: Shuffle.GLOBAL or True, Shuffle.FILES (the order of files only), or False.

    Examples:
        >>> import os, tempfile
        >>> import mindspore.dataset as ds
        >>> path = os.path.join(tempfile.mkdtemp(), "a.txt")
        >>> with open(path, "w") as stream:
        ...     _ = stream.write("one\\ntwo\\n")
        >>> [str(row[0]) for row in ds.TextFileDataset(path, shuffle=False).create_tuple_iterator(output_numpy=True)]
        ['one', 'two']
    """

    def __init__(
        self,
        dataset_files: Any,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        files = matching_files(dataset_files)
        super().__init__(files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)


# column -> key in the JSON object of a line
_CLUE: dict[str, dict[str, dict[str, str]]] = {
    "AFQMC": {
        "train": {"label": "label", "sentence1": "sentence1", "sentence2": "sentence2"},
        "test": {"id": "id", "sentence1": "sentence1", "sentence2": "sentence2"},
        "eval": {"label": "label", "sentence1": "sentence1", "sentence2": "sentence2"},
    },
    "CMNLI": {
        "train": {"label": "label", "sentence1": "sentence1", "sentence2": "sentence2"},
        "test": {"id": "id", "sentence1": "sentence1", "sentence2": "sentence2"},
        "eval": {"label": "label", "sentence1": "sentence1", "sentence2": "sentence2"},
    },
    "CSL": {
        "train": {"id": "id", "abst": "abst", "keyword": "keyword", "label": "label"},
        "test": {"id": "id", "abst": "abst", "keyword": "keyword"},
        "eval": {"id": "id", "abst": "abst", "keyword": "keyword", "label": "label"},
    },
    "IFLYTEK": {
        "train": {"label": "label", "label_des": "label_des", "sentence": "sentence"},
        "test": {"id": "id", "sentence": "sentence"},
        "eval": {"label": "label", "label_des": "label_des", "sentence": "sentence"},
    },
    "TNEWS": {
        "train": {"label": "label", "label_desc": "label_desc", "sentence": "sentence", "keywords": "keywords"},
        "test": {"id": "id", "sentence": "sentence", "keywords": "keywords"},
        "eval": {"label": "label", "label_desc": "label_desc", "sentence": "sentence", "keywords": "keywords"},
    },
    "WSC": {
        "train": {
            "span1_index": "target/span1_index", "span2_index": "target/span2_index", "span1_text": "target/span1_text",
            "span2_text": "target/span2_text", "idx": "idx", "label": "label", "text": "text",
        },
        "test": {
            "span1_index": "target/span1_index", "span2_index": "target/span2_index", "span1_text": "target/span1_text",
            "span2_text": "target/span2_text", "idx": "idx", "text": "text",
        },
        "eval": {
            "span1_index": "target/span1_index", "span2_index": "target/span2_index", "span1_text": "target/span1_text",
            "span2_text": "target/span2_text", "idx": "idx", "label": "label", "text": "text",
        },
    },
}  # fmt: skip


class CLUEDataset(LinesDataset):
    """CLUE, the Chinese tasks of language understanding: the columns of a task.

    Args:
        dataset_files: JSON files with an object in each line: a path or a list of them.
        task: 'AFQMC', 'TNEWS', 'IFLYTEK', 'CMNLI', 'WSC' or 'CSL'.
        usage: 'train', 'test' or 'eval'.

    Examples:
        >>> import mindspore.dataset as ds
        >>> dataset = ds.CLUEDataset("data/clue/wsc.json", "WSC", "train", shuffle=False)
        >>> row = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
        >>> print(*row, sep=", ")
        span1_index, span2_index, span1_text, span2_text, idx, label, text
    """

    def __init__(
        self,
        dataset_files: Any,
        task: str = "AFQMC",
        usage: str = "train",
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ):
        files = matching_files(dataset_files)
        super().__init__(files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)
        self.task = check_choice("task", task, list(_CLUE))
        self.usage = check_choice("usage", usage, ["train", "test", "eval"])

    def _parse(self, records: list[Any], ids: list[int]) -> Columns:
        paths = {name: path.split("/") for name, path in _CLUE[self.task][self.usage].items()}
        columns: dict[str, list[np.ndarray]] = {name: [] for name in paths}
        for record, identity in zip(records, ids, strict=True):
            try:
                row = json.loads(bytes(record))
                for name, path in paths.items():
                    value = row
                    for key in path:
                        value = value[key]
                    columns[name].append(_json_array(value))
            except (ValueError, LookupError, TypeError) as error:
                raise pipeline_error(
                    f"Invalid json file, {self.describe(identity)} does not fit task {self.task}, usage {self.usage}: {error!r}."
                ) from error
        return columns


def _json_array(value: Any) -> np.ndarray:
    """A value of JSON as MindSpore gives it: integers have 32 bits (text stays text)."""
    if isinstance(value, bool):
        return np.array(str(value).lower())
    if isinstance(value, int):
        return np.array(value, np.uint32)
    if isinstance(value, float):
        return np.array(value, np.float32)
    return np.array(value)
