"""Loops that Ctrl-C ends: their conditions look at a flag which the signal sets.

Python's own handler runs between two of Python's instructions, and there is none while XLA computes.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax
from jax.extend.core import jaxpr_as_fun, jaxprs_in_params

from mindspore._kernels import library
from mindspore._kernels.primitive import NativeKernel, call

_MOST_ITERATIONS = 1024
_WORK = 1 << 20  # elements that are touched within a few milliseconds
_PRODUCTS = ("dot_general", "conv_general_dilated", "native", "triangular_solve", "custom_call")


@dataclasses.dataclass(frozen=True)
class LookForInterrupt(NativeKernel):
    """The condition itself, or the end of the program if the user has interrupted it."""

    target = "mycelium_interrupt"

    def plain(self, *operands: Any) -> Sequence[Any]:
        return operands

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        return [operands[0].shape]


def while_loop(body: Callable[[tuple], tuple], start: tuple) -> tuple:
    """``lax.while_loop`` on a flat carry whose first element is the condition; the user can interrupt it.

    Asking takes longer than many bodies do, so short iterations run in an inner loop of as many as take some milliseconds.
    """
    if not library.active():
        return lax.while_loop(lambda carry: carry[0], body, start)
    closed = jax.make_jaxpr(body)(start)
    stride = _stride(closed.jaxpr)
    step = jaxpr_as_fun(closed)

    def several(carry: tuple) -> tuple:
        if stride == 1:
            return tuple(step(*carry))
        counted = (jnp.int32(0), *carry)
        return lax.while_loop(lambda c: (c[0] < stride) & c[1], lambda c: (c[0] + 1, *step(*c[1:])), counted)[1:]

    return lax.while_loop(lambda carry: _unless_interrupted(carry[0]), several, start)


def _unless_interrupted(condition: Any) -> Any:
    (looked,) = call(LookForInterrupt(), condition.astype(jnp.float32))
    return looked > 0


def _stride(jaxpr: Any) -> int:
    """How many iterations are short enough together; 1 for a body with loops of its own, whose length is not known."""
    work = _work(jaxpr)
    return 1 if work is None else max(1, min(_MOST_ITERATIONS, _WORK // max(work, 1)))


def _work(jaxpr: Any) -> int | None:
    """About how many elements an evaluation touches; None if it loops."""
    total = 0
    for equation in jaxpr.eqns:
        if equation.primitive.name in ("while", "scan"):
            return None
        sizes = [math.prod(getattr(v.aval, "shape", ())) for v in (*equation.invars, *equation.outvars)]
        contracted = max(sizes, default=0) if equation.primitive.name in _PRODUCTS else 0
        total += sum(sizes) + contracted * math.isqrt(contracted)
        for inner in jaxprs_in_params(equation.params):
            nested = _work(inner)
            if nested is None:
                return None
            total += nested
    return total


def watch() -> None:
    """Before a program with such loops runs: earlier signals do not count, the next does."""
    library.watch_interrupts()
