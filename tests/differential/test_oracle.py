"""The answers of real MindSpore 2.10, recorded by tools/oracle/record.py, hold here in both modes."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mindspore
from tests.sampling import every
from tools.oracle.case import Case
from tools.oracle.check import (
    Finding,
    check_batch,
    check_eagerly,
    eager_sample,
    has_compiled_gradient,
    one_per_source,
    runs_in_graph,
)
from tools.oracle.execute import input_checksum, public_names
from tools.oracle.families import FAMILIES
from tools.oracle.storage import load

DATA = Path(__file__).resolve().parents[1] / "data" / "oracle"
# Large enough to share the cost of a compilation, small enough to name the part that fails.
BATCH = 40
# Here the mode decides which code runs; elsewhere both modes run the same operator bodies.
BOTH_MODES = ("gradients", "tensor_index")
Records = dict[str, dict[str, Any]]


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
    assert list(records) == [case.name for case in FAMILIES[family]], "record again, see tools/oracle/README.md"
    changed = [case.name for case in FAMILIES[family] if records[case.name]["inputs"] != input_checksum(case)]
    assert not changed, f"the seeded generator gives other inputs than when recorded: {changed[:3]}"


def report(found: list[Finding]) -> str:
    return f"{len(found)} differences\n" + "\n".join(f"{name}\n    {line}" for name, line in found)


def eager_differences(cases: list[Case], records: Records, names: dict[str, Any], gradient: bool) -> list[Finding]:
    return [
        (case.name, line)
        for case in cases
        for line in check_eagerly(case, records[case.name], mindspore, names, gradient)
    ]


def compiled_differences(cases: list[Case], records: Records, names: dict[str, Any], gradient: bool) -> list[Finding]:
    found = []
    for position in range(0, len(cases), BATCH):
        batch = cases[position : position + BATCH]
        found += check_batch(batch, [records[case.name] for case in batch], mindspore, names, gradient)
    return found


# What runs by default visits every other recorded answer in one of the modes (of large families every fifth) and the
# gradient of every other operator; `pytest -m heavy` visits everything in both.
LARGE = (
    "gradient_arrays",
    "gradient_elementwise",
    "gradient_layers",
    "gradient_networks",
    "gradient_windows",
    "images",
    "mathematics",
    "mint",
    "numpy_arrays",
    "numpy_choices",
    "numpy_math",
    "numpy_products",
    "sparse",
)


@pytest.mark.parametrize("family", FAMILIES)
def test_eager_results_equal_real_mindspore(family: str, names: dict[str, Any]) -> None:
    cases = (
        FAMILIES[family] if family in BOTH_MODES else every(3 if family in LARGE else 1, eager_sample(FAMILIES[family]))
    )
    found = eager_differences(cases, load(DATA / family), names, gradient=family == "gradients")
    assert not found, report(found)


@pytest.mark.parametrize("family", FAMILIES)
def test_compiled_results_equal_real_mindspore(family: str, names: dict[str, Any]) -> None:
    records = load(DATA / family)
    done = set() if family in BOTH_MODES else {case.name for case in eager_sample(FAMILIES[family])}
    cases = [case for case in FAMILIES[family] if case.name not in done and runs_in_graph(case, records[case.name])]
    found = compiled_differences(every(10 if family in LARGE else 4, cases), records, names, gradient=False)
    assert not found, report(found)


@pytest.mark.parametrize("family", FAMILIES)
def test_compiled_gradients_equal_real_mindspore(family: str, names: dict[str, Any]) -> None:
    records = load(DATA / family)
    cases = [case for case in FAMILIES[family] if has_compiled_gradient(case, records[case.name])]
    found = compiled_differences(every(4, one_per_source(cases)), records, names, gradient=True)
    assert not found, report(found)


@pytest.mark.heavy
@pytest.mark.parametrize("family", FAMILIES)
def test_everything_equals_real_mindspore_in_both_modes(family: str, names: dict[str, Any]) -> None:
    records = load(DATA / family)
    compiled = [case for case in FAMILIES[family] if runs_in_graph(case, records[case.name])]
    differentiated = [case for case in compiled if has_compiled_gradient(case, records[case.name])]
    found = [
        *eager_differences(FAMILIES[family], records, names, gradient=True),
        *compiled_differences(compiled, records, names, gradient=False),
        *compiled_differences(differentiated, records, names, gradient=True),
    ]
    assert not found, report(found)


class TestTheCheckItself:
    """A comparison that cannot fail proves nothing."""

    @pytest.fixture
    def sample(self) -> tuple[Case, dict[str, Any]]:
        case = next(case for case in FAMILIES["arithmetic"] if case.source == "ops.exp(x)")
        return case, load(DATA / "arithmetic")[case.name]

    def test_accepts_the_recorded_answer(self, sample: tuple[Case, dict[str, Any]], names: dict[str, Any]) -> None:
        assert check_eagerly(*sample, mindspore, names) == []

    @pytest.mark.parametrize("key", ["output", "gradient"])
    def test_reports_another_value(self, sample: tuple[Case, dict[str, Any]], names: dict[str, Any], key: str) -> None:
        case, record = sample
        leaf = record[key][0] if key == "gradient" else record[key]
        leaf.values = leaf.values * 1.001
        assert len(check_eagerly(case, record, mindspore, names)) == 1
        assert len(check_batch([case], [record], mindspore, names, gradient=key == "gradient")) == 1

    def test_reports_another_dtype_and_shape(self, sample: tuple[Case, dict[str, Any]], names: dict[str, Any]) -> None:
        case, record = sample
        record["output"].dtype = "Float16"
        assert "dtype Float32, expected Float16" in check_eagerly(case, record, mindspore, names)[0]
        record["output"].dtype = "Float32"
        record["output"].values = record["output"].values.reshape(-1)
        assert "shape (2, 3), expected (6,)" in check_eagerly(case, record, mindspore, names)[0]

    def test_reports_a_missing_error_and_another_error(self, names: dict[str, Any]) -> None:
        record = {"error": ["ValueError", "why"]}
        assert check_eagerly(Case("1 + 1", raises=True), record, mindspore, names)
        assert check_eagerly(Case("1 + None", raises=True), record, mindspore, names)
        assert not check_eagerly(Case("int('a')", raises=True), record, mindspore, names)

    def test_reports_an_error_that_jax_raised(self, names: dict[str, Any]) -> None:
        raw = {**names, "lax": importlib.import_module("jax.lax"), "one": np.ones(1)}
        record = {"unsupported": ["TypeError", "why"]}
        assert "raw JAX error" in check_eagerly(Case("lax.add(one, 'a')"), record, mindspore, raw)[0]
        assert not check_eagerly(Case("int('a')"), record, mindspore, raw)
