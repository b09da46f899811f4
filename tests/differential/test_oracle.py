"""The answers of real MindSpore 2.10, recorded by tools/oracle/record.py, hold here in both modes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import mindspore

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "oracle"))

from check import check_compiled, check_eagerly, eager_sample, runs_in_graph  # noqa: E402
from execute import input_checksum, public_names  # noqa: E402
from families import FAMILIES  # noqa: E402
from storage import load  # noqa: E402

DATA = ROOT / "tests" / "data" / "oracle"
# Large enough to share the cost of a compilation, small enough to name the part that fails.
BATCH = 40


@pytest.fixture(autouse=True)
def pynative_mode() -> Iterator[None]:
    before = mindspore.get_context("mode")
    mindspore.set_context(mode=mindspore.PYNATIVE_MODE)
    yield
    mindspore.set_context(mode=before)


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    return public_names(mindspore)


@pytest.mark.parametrize("family", FAMILIES)
def test_recorded_cases_and_inputs_are_current(family: str) -> None:
    records = load(DATA / family)
    assert list(records) == [case.name for case in FAMILIES[family]], "run tools/oracle/record.py again"
    changed = [case.name for case in FAMILIES[family] if records[case.name]["inputs"] != input_checksum(case)]
    assert not changed, f"the seeded generator gives other inputs than when recorded: {changed[:3]}"


@pytest.mark.parametrize("family", FAMILIES)
def test_eager_results_equal_real_mindspore(family: str, names: dict[str, Any]) -> None:
    records = load(DATA / family)
    found = [
        f"{case.name}\n    {line}"
        for case in eager_sample(FAMILIES[family])
        for line in check_eagerly(case, records[case.name], mindspore, names)
    ]
    assert not found, f"{len(found)} differences\n" + "\n".join(found)


@pytest.mark.parametrize("family", FAMILIES)
def test_compiled_results_equal_real_mindspore(family: str, names: dict[str, Any]) -> None:
    records = load(DATA / family)
    cases = [case for case in FAMILIES[family] if runs_in_graph(case, records[case.name])]
    found = []
    for position in range(0, len(cases), BATCH):
        batch = cases[position : position + BATCH]
        found += check_compiled(batch, [records[case.name] for case in batch], mindspore, names)
    assert not found, f"{len(found)} differences\n" + "\n".join(f"{name}\n    {line}" for name, line in found)
