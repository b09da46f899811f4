"""Empty and 0-d Tensors, other shapes and axes, wrong arguments: every operator answers as real MindSpore does.

The calls are derived from the operators' own cases (tools/oracle/sweep_shapes.py), the answers were recorded once. By
default a sample of them is asked; all of them: ``pytest -m heavy``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import mindspore
from tests.sampling import every
from tools.oracle import sweep_shapes_store as store
from tools.oracle.sweep_shapes import Call
from tools.oracle.sweep_shapes_compare import compare, differences
from tools.oracle.sweep_shapes_purpose import ON_PURPOSE
from tools.oracle.sweep_sources import forms

DATA = Path(__file__).resolve().parents[1] / "data" / "oracle" / "sweep_shapes"
RECORDS = store.load(DATA)
# A refusal costs a trace, an answer costs a compilation.
ONE_REFUSAL_OF, ONE_ANSWER_OF = 50, 300


@pytest.fixture(autouse=True)
def pynative_mode() -> Iterator[None]:
    before = mindspore.get_context("mode")
    mindspore.set_context(mode=mindspore.PYNATIVE_MODE)
    yield
    mindspore.set_context(mode=before)


@pytest.fixture(scope="module")
def calls() -> dict[str, dict[str, Call]]:
    return {form: {call.label: call for call in found} for form, found in forms() if form in RECORDS}


def found_in(calls: list[Call]) -> str:
    """What differs, in words."""
    lines = [f"{c.name}\n    {line}" for c in calls for line in differences(c, RECORDS[c.form][c.label])]
    return "\n".join(lines)


def test_recorded_calls_are_current(calls: dict[str, dict[str, Call]]) -> None:
    gone = [f"{form}: {label}" for form, kept in RECORDS.items() for label in kept if label not in calls.get(form, {})]
    assert not gone, f"record again, see tools/oracle/README.md: {gone[:5]}"


@pytest.mark.parametrize("refused", [True, False], ids=["refusals", "answers"])
def test_a_sample_equals_real_mindspore(calls: dict[str, dict[str, Call]], refused: bool) -> None:
    chosen = [
        calls[form][label] for form, kept in RECORDS.items() for label, a in kept.items() if ("error" in a) == refused
    ]
    assert not (found := found_in(every(ONE_REFUSAL_OF if refused else ONE_ANSWER_OF, chosen))), found


@pytest.mark.heavy
@pytest.mark.parametrize("form", RECORDS)
def test_every_call_equals_real_mindspore(calls: dict[str, dict[str, Call]], form: str) -> None:
    assert not (found := found_in([calls[form][label] for label in RECORDS[form]])), found


NUMBER = {"dtype": "Float32", "shape": [], "values": [1.0]}


class TestTheCheckItself:
    """A comparison that cannot fail proves nothing."""

    def test_reports_another_value_shape_and_dtype(self) -> None:
        for change in ({"values": [1.1]}, {"shape": [1]}, {"dtype": "Int32"}):
            assert compare("ops.f: base", {"result": {**NUMBER, **change}}, {"result": NUMBER})
        assert not compare("ops.f: base", {"result": NUMBER}, {"result": NUMBER})

    def test_reports_another_gradient_and_a_missing_one(self) -> None:
        real = {"result": NUMBER, "gradient": [NUMBER]}
        assert compare("ops.f: base", {"result": NUMBER, "gradient error": ["ValueError", "why"]}, real)
        assert compare("ops.f: base", {**real, "gradient": [{**NUMBER, "values": [2.0]}]}, real)

    def test_reports_a_missing_error_another_kind_and_unclear_words(self) -> None:
        real = {"error": ["ValueError", "For 'F', why"]}
        assert compare("ops.f: axis=7", {"result": NUMBER}, real)
        assert compare("ops.f: axis=7", {"error": ["KeyError", "For 'F', why"]}, real)
        assert compare("ops.f: axis=7", {"error": ["ValueError", "tracers are leaking"]}, real)
        assert not compare("ops.f: axis=7", real, real)

    def test_reports_a_refusal_of_something_else(self) -> None:
        real = {"error": ["ValueError", "~v"]}
        assert compare("ops.f: empty x.0", {"error": ["ValueError", "For 'F', the 'x' must be a Tensor."]}, real)
        assert not compare("ops.f: empty x.0", {"error": ["ValueError", "For 'F', the 'x' is out of range."]}, real)
        real = {"error": ["TypeError", "~t"]}
        assert compare("ops.f: axis='a'", {"error": ["TypeError", "For 'F', the 'x' must be an int."]}, real)
        assert not compare("ops.f: axis='a'", {"error": ["TypeError", "For 'F', the 'axis' must be an int."]}, real)

    def test_every_difference_on_purpose_has_a_reason(self) -> None:
        assert all(len(reason.split()) > 4 for *_, reason in ON_PURPOSE)


def test_records_survive_storage(tmp_path: Path) -> None:
    number = {"dtype": "Complex64", "shape": [1], "values": [[1.0, 2.0]]}
    records = {
        "ops.f": {
            "base": {"result": [NUMBER, [number, "None"]], "gradient": [number]},
            "axis=7": {"error": ["ValueError", "why"]},
            "misspelt": {"error": ["TypeError", ""]},
        }
    }
    store.save(tmp_path / "kept", records)
    assert store.load(tmp_path / "kept") == records
