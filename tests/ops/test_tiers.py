"""Every operator computes the same with NumPy as with XLA: values, shapes and dtypes, and those of its gradient."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import numpy as np
import pytest

from mindspore import Tensor
from mindspore._engine.base.kernel import Kernel, is_inexact
from mindspore._engine.interpreter import choice
from mindspore._engine.operator.registry import OPS, Op
from tests.ops.samples import Case
from tests.ops.test_registry import as_array, cases_of, every_operator, flat, to_arguments
from tests.sampling import share

# What NumPy has no exact equal of: decompositions of matrices, some special functions, many random keys.
LEFT_TO_XLA = 0.08  # of the operators, at most


@pytest.mark.parametrize("op", [pytest.param(OPS[name], id=name) for name in sorted(OPS) if share(name, 24) == 3])
def test_both_tiers_agree(op: Op):
    """The first case of a few operators, others at every commit; everything: ``pytest -m heavy``."""
    check(op, cases_of(op)[:1])


@pytest.mark.heavy
@every_operator
def test_both_tiers_agree_in_every_case(op: Op):
    check(op, cases_of(op))


@pytest.mark.heavy
def test_few_operators_are_left_to_xla():
    left = [
        name
        for name in sorted(OPS)
        if any(not is_interpreted(*selected(OPS[name], c)) for c in cases_of(OPS[name])[:1])
    ]
    assert len(left) < LEFT_TO_XLA * len(OPS), left


def selected(op: Op, case: Case) -> tuple[Kernel, list[Any]]:
    kernel, inputs = op.select(*to_arguments(op, case.args, case.kwargs))
    return kernel, [x._read() if isinstance(x, Tensor) else x for x in inputs]


def is_interpreted(kernel: Kernel, values: list[Any]) -> bool:
    return choice.new_form(kernel, values).call is not None


def check(op: Op, cases: Sequence[Case]) -> None:
    for case in cases:
        kernel, values = selected(op, case)
        results = compare(kernel, values)
        wanted = tuple(isinstance(value, (np.ndarray, jax.Array)) and is_inexact(value.dtype) for value in values)
        given = tuple(is_inexact(result.dtype) for result in results)
        if case.grad is True and any(wanted) and any(given):
            random = np.random.default_rng(7)
            seeds = [random.normal(size=one.shape).astype(one.dtype) for one in results if is_inexact(one.dtype)]
            compare(kernel.vjp(wanted, given), [*values, *seeds])


def rounding(array: Any) -> float:
    """How far the tiers may be apart; sums of 16-bit numbers are rounded in another order."""
    width = np.dtype(array.dtype).itemsize // (2 if array.dtype.kind == "c" else 1)
    return 1e-9 if array.dtype.kind in "biu" else {2: 1e-2, 4: 1e-5}.get(width, 1e-9)


def compare(kernel: Kernel, values: list[Any]) -> list[Any]:
    """The results of XLA, after comparing those of NumPy with them."""
    wanted = flat(kernel.jitted(*values))
    form = choice.new_form(kernel, values)
    if form.call is not None:
        with np.errstate(all="ignore"):
            found = flat(form.call(*[np.asarray(x) if isinstance(x, jax.Array) else x for x in values]))
        assert [(one.shape, one.dtype) for one in found] == [(one.shape, one.dtype) for one in wanted]
        for one, other in zip(found, wanted, strict=True):
            assert not one.flags.writeable
            allowed = rounding(other)
            np.testing.assert_allclose(as_array(one), as_array(other), allowed, allowed, err_msg=kernel.name)
    return wanted
