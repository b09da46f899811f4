"""Every operator with every dtype answers as real MindSpore 2.10 does: result dtypes, refusals, values, gradients."""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np
import pytest

from tests.sampling import every, share
from tools.oracle.sweep_dtypes import Variant
from tools.oracle.sweep_dtypes_check import accepts_more, dtype_differences, dtype_problem, reason, value_differences
from tools.oracle.sweep_dtypes_plan import Answers, load

DATA = Path(__file__).resolve().parents[1] / "data" / "oracle" / "sweep_dtypes"
# The operators that programs use most; of these all dtypes are compared by default.
MOST_USED = ("add", "mul", "softmax", "matmul", "mean", "exp", "relu", "conv2d_primitive")


@functools.cache
def recorded() -> dict[str, tuple[list[Variant], Answers]]:
    return load(DATA)


def sample(name: str, given: list[Variant], count: int) -> list[Variant]:
    """Some variants of an operator, others of every operator and at every commit."""
    start = share(name, len(given))
    return [given[(start + step * 7) % len(given)] for step in range(count)]


def test_one_dtype_of_every_other_operator() -> None:
    entries = every(2, list(recorded().items()))
    found = [
        line for name, (given, answers) in entries for line in dtype_differences(name, sample(name, given, 1), answers)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", MOST_USED)
def test_all_dtypes_of_the_operators_that_are_used_most(name: str) -> None:
    given, answers = recorded()[name]
    single = [variant for variant in given if " " not in variant.name]
    found = dtype_differences(name, single, answers) + value_differences(name, single, answers)
    assert not found, "\n".join(found)


@pytest.mark.heavy
@pytest.mark.parametrize("letter", "_abcdefghijklmnopqrstuvwxyz")
def test_all_dtypes_of_all_operators(letter: str) -> None:
    names = [name for name in recorded() if name.startswith(letter)]
    found = [line for name in names for line in dtype_differences(name, *recorded()[name])]
    found += [line for name in names for line in value_differences(name, *recorded()[name])]
    assert not found, "\n".join(found)


class TestTheCheckItself:
    """A comparison that cannot fail proves nothing."""

    @pytest.fixture
    def exponential(self) -> tuple[list[Variant], Answers]:
        given, answers = recorded()["exp"]
        return [variant for variant in given if variant.name == "float16"], dict(answers)

    def test_reports_another_dtype(self, exponential: tuple[list[Variant], Answers]) -> None:
        given, answers = exponential
        assert dtype_differences("exp", given, answers) == []
        answers["float16"] = ("f4", answers["float16"][1])
        assert dtype_differences("exp", given, answers) == ["exp float16: f2 instead of f4"]

    def test_reports_another_value(self, exponential: tuple[list[Variant], Answers]) -> None:
        given, answers = exponential
        code, values = answers["float16"]
        assert values is not None
        assert value_differences("exp", given, answers) == []
        answers["float16"] = (code, np.multiply(values, 1.1))
        assert len(value_differences("exp", given, answers)) == 1

    def test_reports_a_missing_and_an_unneeded_refusal(self, exponential: tuple[list[Variant], Answers]) -> None:
        given, answers = exponential
        refused: Answers = dict.fromkeys(answers, ("T", None))
        assert not accepts_more(given[0], refused) and accepts_more(given[0], answers)
        assert dtype_problem("f2", "T", given[0], refused) == "f2 instead of a TypeError"
        assert "TypeError instead of f2" in dtype_problem(TypeError("why"), "f2", given[0], answers)
        assert "KeyError instead of a TypeError" in dtype_problem(KeyError("why"), "T", given[0], answers)

    def test_a_reason_covers_only_what_it_names(self) -> None:
        assert reason("add bool: b1 instead of a TypeError") and not reason("add bool: f4 instead of i8")
