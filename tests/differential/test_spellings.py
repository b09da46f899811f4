"""A call is the same however it is spelled: by position, by name, with defaults written out, as real MindSpore 2.10 has them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor
from tests.sampling import every
from tools.oracle.case import Array
from tools.oracle.spellings import good_calls, spellings
from tools.oracle.wrong_call_answers import fresh
from tools.oracle.wrong_calls import WrongCall

GROUPS = ("methods", "mint", "primitives", "operators", "layers", "cells", "train")
CHANGES = ("ms.set_", "ms.manual_seed", "ms.runtime", "ms.hal", "ms.reset_", "net(")  # or is no function


@pytest.fixture(autouse=True)
def eagerly(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    ms.set_context(mode=ms.PYNATIVE_MODE)


def answer(spelling: str, source: str, inputs: dict[str, Array]) -> Any:
    """The result, or the text of the error, with the inputs of a call."""
    ms.set_seed(7)
    try:
        return eval(spelling, fresh(ms, WrongCall(source, "", "", inputs)))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def same(one: Any, other: Any) -> bool:
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, Tensor) and isinstance(other, Tensor):
        close = one.dtype == other.dtype and one.shape == other.shape
        values = [x.float().asnumpy() if x.dtype == ms.bfloat16 else x.asnumpy() for x in (one, other)]
        return close and bool(np.allclose(*values, rtol=1e-4, atol=1e-5, equal_nan=True))
    return type(one) is type(other)


def differing(group: str, share: int) -> list[str]:
    found = []
    for source, inputs in every(share, good_calls(group)):
        if source.startswith(CHANGES):
            continue
        wanted = answer(source, source, inputs)
        if isinstance(wanted, str) or not same(
            wanted, answer(source, source, inputs)
        ):  # no good call here, or no seed makes it repeat itself
            continue
        for spelling in spellings(source):
            got = answer(spelling, source, inputs)
            if not same(wanted, got):
                found.append(f"{spelling}: {got if isinstance(got, str) else 'another result'}")
    return found


@pytest.mark.parametrize("group", GROUPS)
def test_every_spelling_of_a_call_gives_the_same(group: str) -> None:
    """A part of the calls; all of them: ``pytest -m heavy``."""
    found = differing(group, max(1, len(good_calls(group)) // 12))
    assert not found, "\n".join(found)


@pytest.mark.heavy
@pytest.mark.parametrize("group", GROUPS)
def test_all_spellings_of_all_calls_give_the_same(group: str) -> None:
    found = differing(group, 1)
    assert not found, "\n".join(found)


def test_spellings_are_those_of_the_recorded_forms() -> None:
    assert {"ops.sort(input_x=x)", "ops.sort(x, -1)", "ops.sort(x, axis=-1)", "ops.sort(x, -1, False)"} <= set(
        spellings("ops.sort(x)")
    )
    assert "nn.Dense(in_channels=4, out_channels=2)(x)" in spellings("nn.Dense(4, 2)(x)")


@pytest.mark.parametrize(
    "call",
    [
        lambda x: x.argmax(dim=0, axis=1),
        lambda x: x.all(axis=1, dim=None),
        lambda x: ms.ops.add(x, other=x, y=x),
        lambda x: ms.ops.Add()(x, x=x, y=x),
        lambda x: ms.ops.Add()(x, x, y=x),
    ],
)
def test_two_names_of_one_argument_are_refused_and_none_wins(call) -> None:
    with pytest.raises(TypeError, match="given twice"):
        call(Tensor([[1.0, 2.0]]))
