"""A program written from a trace with open sizes computes what the program of a trace with these sizes computes."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest

from mindspore._engine.base.kernel import Kernel, is_inexact
from mindspore._engine.interpreter import choice, open_form
from mindspore._engine.operator.registry import OPS, Op
from tests.ops.test_registry import as_array, cases_of, every_operator, flat
from tests.ops.test_tiers import selected
from tests.sampling import share

LONGER = (1, 3, 2, 5)  # by which one length of all operands differs


@pytest.mark.parametrize("op", [pytest.param(OPS[name], id=name) for name in sorted(OPS) if share(name, 24) == 5])
def test_sizes_that_are_filled_in_give_the_same_results(op: Op):
    """A share of the operators, others at every commit; all of them, and their gradients: ``pytest -m heavy``."""
    check(op, with_gradient=False)


@pytest.mark.heavy
@every_operator
def test_sizes_that_are_filled_in_give_the_same_results_everywhere(op: Op):
    check(op, with_gradient=True)


def check(op: Op, with_gradient: bool) -> None:
    for case in cases_of(op)[:1]:
        kernel, values = selected(op, case)
        for length in sorted({length for x in values for length in getattr(x, "shape", ()) if length > 1}):
            if compare(kernel, [lengthened(values, length, more) for more in LONGER]) and with_gradient:
                pull(kernel, [lengthened(values, length, more) for more in LONGER])


def lengthened(values: list[Any], length: int, more: int) -> list[Any]:
    """The operands with all axes of this length longer; elements come again."""
    found = []
    for x in values:
        if isinstance(x, (np.ndarray, jax.Array)):
            x = np.asarray(x)
            for axis, number in enumerate(x.shape):
                if number == length:
                    x = np.take(x, np.arange(length + more) % length, axis)
        found.append(x)
    return found


def compare(kernel: Kernel, calls: list[list[Any]]) -> bool:
    """Whether the kernel takes these operands, each compared."""
    fresh = Kernel(kernel.name, kernel.function, kernel.loops)
    for values in calls:
        try:
            traced = fresh.jitted.trace(*values)
        except Exception:
            return False  # these lengths do not fit together
        written = open_form.program_of(fresh, values)
        if written is None or not hasattr(values[0], "shape"):
            continue
        numbers = [aval.dtype if x.__class__ in choice.NUMBERS else None
                   for x, aval in zip(values, traced.jaxpr.in_avals, strict=True)]  # fmt: skip
        expected = open_form.program.write(traced.jaxpr, numbers, traced.out_tree == jax.tree.structure(0))
        with np.errstate(all="ignore"):
            try:
                wanted = flat(expected.call(*values))
            except ValueError:
                return False  # a kernel of our own says so
            found = flat(written.call(*values))
        assert [(x.shape, x.dtype) for x in found] == [(x.shape, x.dtype) for x in wanted], kernel.name
        for x, y in zip(found, wanted, strict=True):
            np.testing.assert_allclose(as_array(x), as_array(y), 1e-5, 1e-5, err_msg=kernel.name)
    return True


def pull(kernel: Kernel, calls: list[list[Any]]) -> None:
    """The same for the kernel's gradient."""
    results = [flat(jax.eval_shape(kernel.jitted, *values)) for values in calls]
    wanted = tuple(isinstance(x, np.ndarray) and is_inexact(x.dtype) for x in calls[0])
    given = tuple(is_inexact(x.dtype) for x in results[0])
    if any(wanted) and any(given):
        seeds = [[np.ones(x.shape, x.dtype) for x in each if is_inexact(x.dtype)] for each in results]
        compare(kernel.vjp(wanted, given), [[*values, *seed] for values, seed in zip(calls, seeds, strict=True)])


def test_a_body_that_asks_for_a_size_is_traced_for_each():
    kernel = Kernel("asks", lambda x: x * 2 if x.shape[0] == 7 else x)
    for length in (3, 4, 5, 6):
        assert open_form.program_of(kernel, [np.ones(length, np.float32)]) is None
    form = choice.new_form(kernel, [np.ones(7, np.float32)])
    assert form.call(np.ones(7, np.float32)).tolist() == [2] * 7


def test_a_new_shape_is_not_traced(monkeypatch):
    kernel = Kernel("mean", lambda x: x.mean(1))
    forms = [choice.new_form(kernel, [np.ones((length, 2 * length), np.float32)]) for length in (2, 3, 4)]
    assert all(form.call is not None for form in forms)
    monkeypatch.setattr(kernel, "jitted", jax.jit(lambda x: 1 / 0))
    x = np.arange(50, dtype=np.float32).reshape(5, 10)
    np.testing.assert_allclose(choice.new_form(kernel, [x]).call(x), x.mean(1))


def test_an_elementwise_program_costs_what_its_size_says():
    kernel = Kernel("twice", lambda x: x * 2)
    small = [choice.new_form(kernel, [np.ones(length, np.float32)]) for length in (2, 3, 4, 5)]
    large = choice.new_form(kernel, [np.ones(100_000, np.float32)])
    assert large.call is small[-1].call
    assert large.nanoseconds < 100 * small[-1].nanoseconds


def test_lengths_of_one_and_none_are_forms_of_their_own():
    kernel = Kernel("sum", lambda x, y: x + y)
    for length in (2, 3, 4, 1, 0, 5):
        x, y = np.ones((length, 3), np.float32), np.full((1, 3), 2, np.float32)
        assert choice.new_form(kernel, [x, y]).call(x, y).shape == (length, 3)
