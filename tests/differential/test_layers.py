"""Cells and optimizers against the answers of real MindSpore 2.10, in both modes; see tools/oracle/layer_case.py."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mindspore
from tests.sampling import every
from tools.oracle.case import f32
from tools.oracle.execute import input_checksum, public_names
from tools.oracle.families import LAYER_FAMILIES
from tools.oracle.layer_case import AnyLayerCase, OptimizerCase, layer, optimizer
from tools.oracle.layer_check import check_layers_compiled, check_one, compiles
from tools.oracle.storage import load

DATA = Path(__file__).resolve().parents[1] / "data" / "oracle"
# Large enough to share the cost of a compilation, small enough to name the part that fails.
BATCH = 20


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    return public_names(mindspore)


def report(found: list[tuple[str, str]]) -> str:
    return f"{len(found)} differences\n" + "\n".join(f"{name}\n    {line}" for name, line in found)


@pytest.mark.parametrize("family", LAYER_FAMILIES)
def test_recorded_cases_and_inputs_are_current(family: str) -> None:
    records = load(DATA / family)
    assert list(records) == [case.name for case in LAYER_FAMILIES[family]], "record again, see tools/oracle/README.md"
    changed = [case.name for case in LAYER_FAMILIES[family] if records[case.name]["inputs"] != input_checksum(case)]
    assert not changed, f"the seeded generator gives other inputs than when recorded: {changed[:3]}"


def eager_sample(cases: Sequence[AnyLayerCase], records: dict[str, Any]) -> list[AnyLayerCase]:
    """What is run eagerly by default: all that no graph checks, and some of the rest, which compiled graphs check too."""
    alone = [case for case in cases if "output" not in records[case.name] or not compiles(case, records[case.name])]
    layers = [case for case in alone if not isinstance(case, OptimizerCase) or "output" not in records[case.name]]
    return list({case.name: case for case in (*layers, *every(5, cases))}.values())


@pytest.mark.parametrize("family", LAYER_FAMILIES)
def test_eager_results_equal_real_mindspore(family: str, names: dict[str, Any]) -> None:
    mindspore.set_context(mode=mindspore.PYNATIVE_MODE)
    records = load(DATA / family)
    found = [
        (case.name, line)
        for case in eager_sample(LAYER_FAMILIES[family], records)
        for line in check_one(case, records[case.name], mindspore, names, gradient=False)
    ]
    assert not found, report(found)


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.heavy)], ids=["every fourth", "all"])
@pytest.mark.parametrize("family", LAYER_FAMILIES)
def test_compiled_results_and_gradients_equal_real_mindspore(family: str, step: int, names: dict[str, Any]) -> None:
    mindspore.set_context(mode=mindspore.GRAPH_MODE)
    records = load(DATA / family)
    found = [
        (case.name, line)
        for case in every(step, LAYER_FAMILIES[family])
        if isinstance(case, OptimizerCase)
        for line in check_one(case, records[case.name], mindspore, names)
    ]
    cells = every(step, [case for case in LAYER_FAMILIES[family] if compiles(case, records[case.name])])
    for position in range(0, len(cells), BATCH):
        batch = cells[position : position + BATCH]
        found += check_layers_compiled(batch, [records[case.name] for case in batch], mindspore, names)
    assert not found, report(found)


@pytest.mark.heavy
@pytest.mark.parametrize("family", LAYER_FAMILIES)
def test_eager_gradients_equal_real_mindspore(family: str, names: dict[str, Any]) -> None:
    mindspore.set_context(mode=mindspore.PYNATIVE_MODE)
    records = load(DATA / family)
    found = [
        (case.name, line)
        for case in LAYER_FAMILIES[family]
        for line in check_one(case, records[case.name], mindspore, names)
    ]
    assert not found, report(found)


class TestTheCheckItself:
    """A comparison that cannot fail proves nothing."""

    CASE = layer("nn.SequentialCell(nn.Dense(3, 4), nn.ReLU(), nn.Dense(4, 2))", f32(2, 3))

    @pytest.fixture
    def record(self) -> dict[str, Any]:
        return load(DATA / "layers_containers")[self.CASE.name]

    def test_accepts_the_recorded_answer(self, record: dict[str, Any], names: dict[str, Any]) -> None:
        assert check_one(self.CASE, record, mindspore, names) == []

    @pytest.mark.parametrize("key", ["output", "gradient"])
    def test_reports_another_number(self, record: dict[str, Any], names: dict[str, Any], key: str) -> None:
        leaf = record[key][2] if key == "gradient" else record[key]
        leaf.values = leaf.values * np.float32(1.001)
        assert len(check_one(self.CASE, record, mindspore, names)) == 1
        assert len(check_layers_compiled([self.CASE], [record], mindspore, names)) == 1

    def test_reports_other_parameters(self, record: dict[str, Any], names: dict[str, Any]) -> None:
        record["initial"][1] += 1
        assert check_one(self.CASE, record, mindspore, names) == ["initial values of ['0.bias']"]
        record["parameters"][0][0] = "first.weight"
        assert "first.weight" in check_one(self.CASE, record, mindspore, names)[0]

    def test_reports_another_printed_form(self, record: dict[str, Any], names: dict[str, Any]) -> None:
        record["repr"] = record["repr"].replace("ReLU", "Relu")
        assert "repr" in check_one(self.CASE, record, mindspore, names)[0]

    def test_reports_another_step(self, names: dict[str, Any]) -> None:
        case = optimizer("nn.Momentum(params, 0.1, 0.9)")
        record = load(DATA / "optimizers")[case.name]
        assert check_one(case, record, mindspore, names) == []
        record["output"][3][1].values = record["output"][3][1].values + np.float32(1e-3)
        assert "step[3][1]" in check_one(case, record, mindspore, names)[0]
