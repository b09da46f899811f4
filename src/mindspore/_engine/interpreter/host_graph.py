"""Traced programs of many operators, backward passes and updates of optimizers, that are run on the host because they are small.

A call of XLA costs microseconds for each array that goes in or out; a network whose layers are small spends its time there. Sizes
alone decide, so a program that is run again computes the same bits.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from mindspore._engine.interpreter import choice, native_part
from mindspore._engine.interpreter.native import program

MOST_INSTRUCTIONS = 4000
MOST_ELEMENTS = 1 << 17  # of the Parameters of an optimizer
_BASE, _EACH = 50_000.0, 4_000.0  # nanoseconds of a call of XLA, at least, and for each array


def is_possible() -> bool:
    """Whether programs can run on the host."""
    return native_part.module() is not None


def function_of(traced: Any) -> Any:
    """What a traced function computes, as a function of arrays of the host or the device and of numbers; None to leave it to XLA."""
    closed = traced.jaxpr
    inputs = [variable.aval for variable in closed.jaxpr.invars]
    written = _written(closed, [None] * len(inputs))
    if written is None:
        return None
    call, dtypes, ndarray, asarray = written.call, [x.dtype for x in inputs], np.ndarray, np.asarray
    tree = traced.out_tree
    flat = tree == jax.tree.structure((0,) * tree.num_leaves)

    def run(*values: Any) -> Any:
        arrays = [x if x.__class__ is ndarray else asarray(x, dtype) for x, dtype in zip(values, dtypes)]
        results = call(*arrays)
        return results if flat else jax.tree.unflatten(tree, results)

    return run


def form_of(traced: Any, values: Sequence[Any]) -> choice.KernelForm | None:
    """A kernel with a tuple of results as a program of the host, wherever its operands are; None to leave it to XLA."""
    closed = traced.jaxpr
    numbers = [x.aval.dtype if value.__class__ in choice.NUMBERS else None
               for value, x in zip(values, closed.jaxpr.invars, strict=True)]  # fmt: skip
    written = _written(closed, numbers)
    if written is None:
        return None
    form = choice.KernelForm(written.call, written.nanoseconds)
    form.cheap, form.left = True, sys.maxsize
    return form


def _written(closed: Any, numbers: Sequence[Any]) -> program.NativeProgram | None:
    """The program of the C++ part, if it takes less time than a call of XLA."""
    written = program.write(closed, numbers, False, None, MOST_INSTRUCTIONS)
    arrays = len(closed.jaxpr.invars) + len(closed.jaxpr.outvars)
    return None if written is None or written.nanoseconds > _BASE + _EACH * arrays else written
