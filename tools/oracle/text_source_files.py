"""Small files of datasets of text, and the calls that read them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tools.oracle.source_files import Folder, text

CASES: dict[str, tuple[str, Callable[[Any, str], Any]]] = {}


def _add(files: str, name: str, usages: list[str | None], **options: Any) -> None:
    for usage in usages:
        plain = {"shuffle": False, "num_parallel_workers": 1, **options}
        CASES[f"{files}_{name}_{usage or 'default'}"] = (
            files,
            lambda ds, at, usage=usage, plain=plain: getattr(ds, name)(at, usage, **plain),
        )


def tables(folder: Folder) -> None:
    """Tables of news and reviews."""
    for part, count in (("train", 3), ("test", 2)):
        rows = [f'"{n % 2 + 1}","title, {n} of {part}","say ""hi"" {n}\\nagain","last {n}"\n' for n in range(count)]
        for columns in (2, 3, 4):
            cut = ['","'.join(row.strip()[1:-1].split('","')[:columns]) for row in rows]
            text(folder / str(columns) / f"{part}.csv", "".join(f'"{row}"\n' for row in cut))


for _columns, _names in {
    2: ["YelpReviewDataset"],
    3: ["AGNewsDataset", "AmazonReviewDataset", "DBpediaDataset", "SogouNewsDataset"],
    4: ["YahooAnswersDataset"],
}.items():
    for _name in _names:
        for _usage in (None, "train", "foo"):
            CASES[f"tables_{_name}_{_usage or 'default'}"] = (
                "tables",
                lambda ds, at, name=_name, usage=_usage, columns=_columns: getattr(ds, name)(
                    f"{at}/{columns}", usage, shuffle=False, num_parallel_workers=1
                ),
            )


def books(folder: Folder) -> None:
    """Plain lines."""
    for part in ("train", "valid", "test"):
        lines = f" = title of {part} = \n \n no it was n't black monday \n\nlast <unk> line\n"
        text(folder / f"ptb.{part}.txt", lines)
        text(folder / f"wiki.{part}.tokens", lines)
    text(folder / "enwik9", "<mediawiki>\n\n  <title>A</title>\nlast")


_add("books", "PennTreebankDataset", [None, "train", "foo"])
_add("books", "WikiTextDataset", [None, "valid"])
CASES["books_enwik9"] = ("books", lambda ds, at: ds.EnWik9Dataset(at, shuffle=False))


def sentences(folder: Folder) -> None:
    """Words with tags, a line for each, and an empty line behind each sentence."""
    first, second = "Confidence NN B-NP\nin IN B-PP\n. . O\n\n", "Chancellor NNP O\n\n"
    text(folder / "train.txt", first + second)
    text(folder / "test.txt", second)
    for part in ("train", "dev", "test"):
        tabbed = (first + second).replace(" ", "\t")
        text(folder / f"en-ud-tag.v2.{part}.txt", tabbed)


_add("sentences", "CoNLL2000Dataset", [None, "train", "test", "foo"])
_add("sentences", "UDPOSDataset", [None, "train", "valid"])


def movies(folder: Folder) -> None:
    """Reviews in files."""
    for part in ("train", "test"):
        for kind in ("pos", "neg"):
            for number in (1, 0):
                text(folder / part / kind / f"{number}_7.txt", f"{kind} review {number} of {part}")


_add("movies", "IMDBDataset", [None, "train", "test", "foo"])


def sst2(folder: Folder) -> None:
    """Sentences and labels."""
    for part in ("train", "dev"):
        text(folder / f"{part}.tsv", f"sentence\tlabel\nhide new {part} \t0\nof saucy \t1\n")
    text(folder / "test.tsv", "index\tsentence\n0\tuneasy mishmash\n1\tgood\n")


_add("sst2", "SST2Dataset", [None, "train", "dev", "test"])


def squad(folder: Folder) -> None:
    """Questions and answers."""
    for part, version in (("train", "v1.1"), ("dev", "v1.1")):
        answers = [{"text": "red", "answer_start": 4}, {"text": "a red", "answer_start": 2}]
        questions = [{"question": f"Which {n}?", "id": str(n), "answers": answers[: n + 1]} for n in range(2)]
        paragraphs = [{"context": f"is a red {part}", "qas": questions}, {"context": "other", "qas": questions[:1]}]
        text(
            folder / f"{part}-{version}.json",
            json.dumps({"data": [{"title": "T", "paragraphs": paragraphs}], "version": "1.1"}),
        )


_add("squad", "SQuADDataset", [None, "train", "dev", "foo"])


def multi30k(folder: Folder) -> None:
    """Sentences in two languages."""
    for place, name in (("training", "train"), ("validation", "val"), ("mmt16_task1_test", "test")):
        for language in ("en", "de"):
            text(folder / place / f"{name}.{language}", f"{language} first of {name}\n{language} second\n")


_add("multi30k", "Multi30kDataset", [None, "train", "valid", "test", "foo"])
CASES["multi30k_german"] = (
    "multi30k",
    lambda ds, at: ds.Multi30kDataset(at, "train", ["de", "en"], shuffle=False, num_parallel_workers=1),
)
