"""IWSLT: talks and their translations."""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree

import numpy as np

from mindspore._utils.files import atomic_file
from mindspore._utils.refusals import type_or_value
from mindspore.dataset._pipeline.errors import pipeline_error
from mindspore.dataset._sources.table_source import check_cache, check_choice, check_folder, check_usage, needed_file
from mindspore.dataset._sources.text.pairs import ParsedFilesDataset
from mindspore.dataset.engine.datasets import TextBaseDataset
from mindspore.dataset.engine.samplers import Shuffle

_SETS = ["dev2010", "tst2010", "tst2011", "tst2012", "tst2013", "tst2014"]
_PAIRS_2016 = [
    *(("en", other) for other in ("ar", "de", "fr", "cs")),
    *((language, "en") for language in ("ar", "fr", "de", "cs")),
]
_PAIRS_2017 = list(itertools.permutations(("en", "nl", "de", "it", "ro"), 2))


def _check_pair(value: Any, allowed: Sequence[tuple[str, str]]) -> tuple[str, str]:
    if value is None:
        return "de", "en"
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise type_or_value(TypeError)(f"language_pair should be a type list or tuple of length 2, but got {value!r}.")
    if tuple(value) not in allowed:
        raise ValueError(
            f"Input language_pair {value!r} is not within the valid set of {[list(choice) for choice in allowed]}."
        )
    return value[0], value[1]


class _Translations(ParsedFilesDataset, TextBaseDataset):
    """Pairs of files with equally many sentences; in two languages, line by line."""

    folder: str
    pair: tuple[str, str]
    talks: str  # how the names of the files of one year begin

    def _files(self, usage: str, valid_set: str, test_set: str) -> list[str]:
        first, second = self.pair
        names = {
            "train": f"train.tags.{first}-{second}.{first}",
            "valid": f"{self.talks}.{valid_set}.{first}-{second}.{first}.xml",
            "test": f"{self.talks}.{test_set}.{first}-{second}.{first}.xml",
        }
        return [needed_file(self.folder, name) for part, name in names.items() if usage in (part, "all")]

    def _rows_of(self, path: str, data: memoryview) -> list[dict[str, Any]]:
        suffix = ".xml" if path.endswith(".xml") else ""
        stem = path.removesuffix(suffix).removesuffix(self.pair[0])
        other = needed_file(*os.path.split(f"{stem}{self.pair[1]}{suffix}"))
        sentences, translations = _sentences(path, bytes(data)), _sentences(other, bytes(atomic_file.contents(other)))
        if len(sentences) != len(translations):
            raise pipeline_error(
                f"Invalid file, {path} has {len(sentences)} sentences, {other} has {len(translations)}."
            )
        pairs = zip(sentences, translations, strict=True)
        return [{"text": np.array(source), "translation": np.array(other)} for source, other in pairs]


def _sentences(path: str, data: bytes) -> list[str]:
    if path.endswith(".xml"):
        try:
            return [(segment.text or "").strip() for segment in ElementTree.fromstring(data).iter("seg")]
        except ElementTree.ParseError as error:
            raise pipeline_error(f"Invalid xml file, failed to parse {path}: {error}.") from error
    # lines about the talk begin with a tag
    return [line.strip() for line in data.decode("utf-8").split("\n") if line.strip() and not line.startswith("<")]


class IWSLT2016Dataset(_Translations):
    """IWSLT 2016: columns text and translation.

    Args:
        dataset_dir: the folder with ``texts``.
        usage: 'train', 'valid', 'test' or 'all'; None for all.
        language_pair: from which language to which, English being one of them; None for ['de', 'en'].
        valid_set: the talks for 'valid'; None for 'tst2013'.
        test_set: the talks for 'test'; None for 'tst2014'.
    """

    talks = "IWSLT16.TED"

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        language_pair: Any = None,
        valid_set: str | None = None,
        test_set: str | None = None,
        num_samples: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        num_parallel_workers: int | None = None,
        cache: Any = None,
    ):
        self.dataset_dir = check_folder(dataset_dir)
        self.usage = check_usage(usage, ["train", "test", "valid", "all"])
        self.pair = _check_pair(language_pair, _PAIRS_2016)
        check_cache(cache)
        valid = "tst2013" if valid_set is None else check_choice("valid_set", valid_set, _SETS)
        test = "tst2014" if test_set is None else check_choice("test_set", test_set, _SETS)
        self.folder = os.path.join(self.dataset_dir, "texts", *self.pair, "-".join(self.pair))
        files = self._files(self.usage, valid, test)
        super().__init__(files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)


class IWSLT2017Dataset(_Translations):
    """IWSLT 2017: columns text and translation.

    Args:
        dataset_dir: the folder with ``texts``.
        usage: 'train', 'valid', 'test' or 'all'; None for all.
        language_pair: from which language to which, of German, English, Italian, Dutch and Romanian; None for
            ['de', 'en'].
    """

    talks = "IWSLT17.TED"

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        language_pair: Any = None,
        num_samples: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        num_parallel_workers: int | None = None,
        cache: Any = None,
    ):
        self.dataset_dir = check_folder(dataset_dir)
        self.usage = check_usage(usage, ["train", "test", "valid", "all"])
        self.pair = _check_pair(language_pair, _PAIRS_2017)
        check_cache(cache)
        languages = "DeEnItNlRo"
        self.folder = os.path.join(self.dataset_dir, "texts", languages, languages, f"{languages}-{languages}")
        files = self._files(self.usage, "dev2010", "tst2010")
        super().__init__(files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)
