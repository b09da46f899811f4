"""Functions, classes and methods are called as those of real MindSpore 2.10: the same keywords, order and defaults.

The facts are recorded by tools/oracle/record_signatures.py and tools/oracle/record_forms.py.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import mindspore as ms
from tests.sampling import every
from tools.oracle.form_cases import calls
from tools.oracle.form_kinds import kinds
from tools.oracle.signature_check import differences

DATA = Path(__file__).resolve().parents[1] / "data"
FACTS = json.loads((DATA / "signatures.json").read_text())
FORMS: dict[str, list[str]] = json.loads((DATA / "forms.json").read_text())

# What differs on purpose, and why.
ON_PURPOSE = {
    "DeviceCtx.__init__": "made by device_context alone",
    "Node.__init__": "made by SymbolTree alone",
    "SymbolTree.__init__": "made by SymbolTree.create",
    "Tensor.squeeze": "documented with numbers one by one, but refused",
    "Tensor.std": "documented with correction=1, computed with 0 on a CPU",
    "Tensor.var": "documented with correction=1, computed with 0 on a CPU",
    "Tensor.topk": "dim=None is the last axis too",
    "dataset.text.PythonTokenizer.__call__": "a transform takes columns by position",
    "dataset.vision.Decode.__call__": "a transform takes columns by position",
    "dataset.vision.FiveCrop.__call__": "a transform takes columns by position",
    "dataset.vision.MixUp.__call__": "a transform takes columns by position",
    "dataset.vision.RandomCropDecodeResize.__call__": "a transform takes columns by position",
    "nn.TripletMarginLoss.construct": "the margin of the constructor counts where the call gives none",
    "ops.count_nonzero": "dtype=None is int32 too",
    "scipy.optimize.linear_sum_assignment": "dimension_limit=None is no limit too",
}
LINES: dict[str, list[str]] = {**{path: [line] for path, line in FACTS["signatures"].items()}, **FACTS["forms"]}


def test_every_call_of_real_mindspore_binds_here() -> None:
    found = {
        f"{path}({line})": wrong
        for path, lines in LINES.items()
        for line in lines
        if path not in ON_PURPOSE and (wrong := differences(path, line)) and wrong != ["missing"]
    }
    assert not found, "\n".join(f"{call}: {', '.join(wrong)}" for call, wrong in found.items())


def test_few_names_are_missing() -> None:
    missing = [path for path, lines in LINES.items() if differences(path, lines[0]) == ["missing"]]
    assert len(missing) <= 180, missing


@pytest.mark.parametrize("path", ON_PURPOSE)
def test_what_differs_on_purpose_still_differs(path: str) -> None:
    assert any(differences(path, line) for line in LINES[path])


def test_the_check_finds_another_order_name_and_default() -> None:
    assert differences("ops.argsort", "input, descending=False, axis=-1")
    assert differences("ops.argsort", "input, axis=-1, descending=True")
    assert differences("ops.argsort", "input, axis=-1, backwards=False")
    assert not differences("ops.argsort", "input, axis=-1, descending=False")


def wrong_kinds(call: str) -> list[str]:
    here = kinds(ms, call)
    return [
        f"{call} {mode}: {found} instead of {wanted}"
        for mode, found, wanted in zip(("eagerly", "compiled"), here, FORMS[call], strict=True)
        if not wanted.endswith("Error") and found != wanted
    ]


def test_recorded_calls_are_current() -> None:
    assert list(FORMS) == calls(), "record again with tools/oracle/record_forms.py"


def test_every_form_gives_the_kind_of_result_of_real_mindspore() -> None:
    """A part of the calls; all of them: ``pytest -m heavy``. How ``max`` answers depends on the mode: always."""
    chosen = [call for call in calls() if ".max(" in call or ".min(" in call]
    found = [line for call in [*chosen, *every(40, calls())] for line in wrong_kinds(call)]
    assert not found, "\n".join(found)


@pytest.mark.heavy
def test_all_forms_give_the_kind_of_result_of_real_mindspore() -> None:
    found = [line for call in calls() for line in wrong_kinds(call)]
    assert not found, "\n".join(found)
