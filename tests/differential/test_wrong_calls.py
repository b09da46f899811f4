"""Wrong calls end as those of real MindSpore 2.10: the same type of exception, and its message names the same facts.

The answers are recorded by tools/oracle/record_wrong_calls.py. Not compared is what real MindSpore takes and this package refuses (NaN for
a probability, an array of the wrong rank), and the reverse where real MindSpore has no kernel or refuses the good call as well: there
this package may compute.
"""

from __future__ import annotations

import pytest

import mindspore as ms
from mindspore import nn
from tests.sampling import every
from tools.oracle.wrong_call_answers import attempt, attempt_compiled
from tools.oracle.wrong_call_check import difference, known, recorded
from tools.oracle.wrong_calls import WrongCall, groups

# The share of wrong calls of each group that end with the same type of exception and all facts.
SHARES = {
    "dataset": 0.935,
    "dataset_pipelines": 0.95,
    "dataset_sources": 0.955,
    "cells": 0.96,
    "train": 0.93,
    "layers": 0.955,
    "operators": 0.95,
    "methods": 0.96,
    "mint": 0.94,
    "primitives": 0.91,
    "programs": 0.94,
}
# The share with the same type of exception, whatever the message says; one that is several of Python's types counts as each of them.
TYPES = {
    "dataset": 0.979,
    "dataset_pipelines": 0.98,
    "dataset_sources": 0.995,
    "cells": 0.989,
    "train": 0.985,
    "layers": 0.983,
    "operators": 0.978,
    "methods": 0.983,
    "mint": 0.97,
    "primitives": 0.947,
    "programs": 0.977,
}
# The share whose exception also has the name of MindSpore's in a traceback.
NAMES = {
    "dataset": 0.964,
    "dataset_pipelines": 0.98,
    "dataset_sources": 0.989,
    "cells": 0.945,
    "train": 0.929,
    "layers": 0.92,
    "operators": 0.943,
    "methods": 0.965,
    "mint": 0.935,
    "primitives": 0.9,
    "programs": 0.928,
}
# Those that are compared as compiled functions, too.
COMPILED = ("operators", "methods", "mint", "primitives")


@pytest.fixture(autouse=True)
def eagerly(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)  # some calls write files
    ms.set_context(mode=ms.PYNATIVE_MODE)


SETTINGS = ("ms.set_", "ds.config.", "ms.manual_seed")  # if one were taken, other tests would notice


def refused(group: str) -> list[WrongCall]:
    return [wrong for wrong in known(group) if recorded()[wrong.key][0] and not wrong.source.startswith(SETTINGS)]


def check(group: str, wrong: list[WrongCall]) -> None:
    found = {call.key: difference(call) for call in wrong}
    check_share(SHARES[group], {key: one.text for key, one in found.items() if one.text}, len(wrong))
    check_share(TYPES[group], {key: one.text for key, one in found.items() if one.is_type}, len(wrong))
    check_share(
        NAMES[group], {key: one.text or "another name" for key, one in found.items() if one.is_name}, len(wrong)
    )


def check_share(wanted: float, found: dict[str, str], count: int) -> None:
    lines = "\n".join(f"{key}: {text}" for key, text in found.items())
    share = 1 - wanted
    chance = 4 * (share * (1 - share) / count) ** 0.5  # samples change with the commit
    assert len(found) <= (share + chance) * count, f"{len(found)} of {count} differ:\n{lines}"


@pytest.mark.parametrize("group", SHARES)
def test_wrong_calls_end_as_in_real_mindspore(group: str) -> None:
    """A part of the calls; all of them: ``pytest -m heavy``."""
    calls = refused(group)
    check(group, every(max(1, len(calls) // (150 if group in COMPILED else 300)), calls))


@pytest.mark.heavy
@pytest.mark.parametrize("group", SHARES)
def test_all_wrong_calls_end_as_in_real_mindspore(group: str) -> None:
    check(group, refused(group))


@pytest.mark.parametrize("group", COMPILED)
def test_wrong_calls_end_alike_when_they_are_compiled(group: str) -> None:
    calls = [
        wrong
        for wrong in refused(group)
        if "lambda" not in wrong.source and "Parameter(" not in wrong.source and not wrong.source.startswith("mnp")
    ]
    sample = every(len(calls) // 40, calls)
    eager = {wrong.key: attempt(ms, wrong)[0] for wrong in sample}
    found = {wrong.key: attempt_compiled(ms, wrong)[0] for wrong in sample if eager[wrong.key]}
    # in a graph some exceptions are those of MindSpore's graphs, too: who catches what PyNative mode raises catches them
    other = {
        key: f"{kind or 'accepted'} instead of {eager[key]}"
        for key, kind in found.items()
        if not set(eager[key].split("|")) <= set(kind.split("|"))
    }
    assert len(other) <= 1, other


def test_wrong_calls_of_layers_end_alike_in_both_modes() -> None:
    calls = [wrong for wrong in refused("layers") if "Transformer" not in wrong.source]  # which take long to compile
    sample = every(len(calls) // 60, calls)
    eager = {wrong.key: attempt(ms, wrong)[0] for wrong in sample}
    ms.set_context(mode=ms.GRAPH_MODE)
    found = {wrong.key: attempt(ms, wrong)[0] for wrong in sample if eager[wrong.key]}
    # an exception of several types is caught by each of them: one in common is enough
    other = {
        key: (kind, eager[key]) for key, kind in found.items() if not set(kind.split("|")) & set(eager[key].split("|"))
    }
    assert len(other) <= 1, other


@pytest.mark.parametrize("group", SHARES)
def test_most_wrong_calls_have_an_answer(group: str) -> None:
    assert len(known(group)) > 2 * len(groups()[group]), "record them with tools/oracle/record_wrong_calls.py"


@pytest.mark.parametrize(
    ("layer", "given", "words"),
    [
        (lambda: nn.BatchNorm2d(3), None, r"For 'BatchNorm2d', the 'x' must be a Tensor, but got None"),
        (
            lambda: nn.Conv2dTranspose(2, 3, 3),
            1,
            r"For 'Conv2dTranspose', the 'x' must be a Tensor, but got 1 \(type 'int'\)",
        ),
    ],
)
def test_a_layer_that_is_handed_no_tensor_names_its_input(layer, given, words) -> None:
    with pytest.raises(TypeError, match=words):
        layer()(given)
