"""Correctly rounded square roots on every CPU.

XLA lowers ``rsqrt`` to the CPU's reciprocal estimate, whose bits differ between vendors, and rewrites ``a / sqrt(b)`` to
``a * rsqrt(b)``. Here ``rsqrt`` is lowered to sqrt and division, both correctly rounded by IEEE 754, and an optimization
barrier behind sqrt hides it from the algebraic simplifier. XLA removes the barrier before fusion, so no extra pass over
memory results. jaxprs, gradients and exported files still contain ``sqrt`` and ``rsqrt``.
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
