"""Square roots on CPUs, rounded correctly on every processor.

XLA computes ``rsqrt`` from the processor's own estimate, whose bits differ from maker to maker, and turns ``a / sqrt(b)``
into ``a * rsqrt(b)``. Here ``rsqrt`` becomes a root and a division, both of which IEEE 754 defines to the last bit, and
what XLA's simplifier sees behind a root is a barrier. It takes the barrier out before it joins loops, so nothing is
computed in more passes. Programs, their gradients and exported files still say ``sqrt`` and ``rsqrt``.
"""

from __future__ import annotations

from typing import Any

from jax import lax
from jax.extend.core.primitives import rsqrt_p, sqrt_p
from jax.extend.mlir.dialects import stablehlo
from jax.interpreters import mlir


def _sqrt(_: Any, operand: Any, **__: Any) -> Any:
    return stablehlo.optimization_barrier([stablehlo.sqrt(operand)])


def _reciprocal(x: Any) -> Any:
    return lax.div(lax.full_like(x, 1), lax.sqrt(x))


def _rsqrt(context: Any, operand: Any, **_: Any) -> Any:
    return mlir.lower_fun(_reciprocal, multiple_results=False)(context, operand)


mlir.register_lowering(sqrt_p, _sqrt, platform="cpu")
mlir.register_lowering(rsqrt_p, _rsqrt, platform="cpu")
