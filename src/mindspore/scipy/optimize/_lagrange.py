"""Minimization under constraints: Lagrange multipliers, Adam between their updates."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mindspore import ops
from mindspore._engine.tracing.traced_kernel import tracing
from mindspore._engine.transforms.gradients import value_and_grad
from mindspore._utils import log
from mindspore._utils.checks import check_positive_int
from mindspore.common.tensor import Tensor
from mindspore.scipy.optimize._line_search import choose, number, times


def _adam(gradient: Tensor, first: Tensor, second: Tensor, count: Any) -> tuple[Tensor, Tensor, Tensor]:
    """The direction of Adam's step ``count``, and its moments."""
    first = first * 0.9 + gradient * 0.1
    second = second * 0.999 + ops.square(gradient) * 0.001
    corrected = [times(moment, 1 / (1 - rate ** number(count))) for moment, rate in ((first, 0.9), (second, 0.999))]
    return corrected[0] / (ops.sqrt(corrected[1]) + 1e-8), first, second


def _kept_inside(x: Tensor, lower: Tensor | None, upper: Tensor | None) -> Tensor:
    x = x if lower is None else ops.maximum(x, lower)
    return x if upper is None else ops.minimum(x, upper)


def minimize_lagrange(func: Callable[..., Any], x0: Tensor, constraints: Sequence[Callable[..., Any]],
                      save_tol: Sequence[float] | None = None, obj_weight: float = 1.0, lower: Tensor | None = None,
                      upper: Tensor | None = None, learning_rate: float = 0.1,
                      coincide_func: Callable[..., Any] | None = None, rounds: int = 10, steps: int = 100,
                      log_sw: bool = False) -> Any:  # fmt: skip
    """The best feasible point found, where every constraint is below its tolerance; the last point if there was none.

    With ``coincide_func``, the function and the constraints get its result after ``x``.
    """
    if save_tol is not None and len(save_tol) != len(constraints):
        raise ValueError(
            f"For 'minimize', the 'save_tol' must have one number for each of the {len(constraints)} constraints, but "
            f"got {len(save_tol)}."
        )
    check_positive_int("minimize", "rounds", rounds)
    check_positive_int("minimize", "steps", steps)
    limits = np.zeros(len(constraints)) if save_tol is None else np.asarray(save_tol)

    def evaluate(x: Tensor) -> tuple[Any, Tensor]:
        shared = () if coincide_func is None else (coincide_func(x),)
        failures = [ops.relu(constraint(x, *shared)).reshape(()) for constraint in constraints]
        return func(x, *shared).reshape(()), ops.stack(failures) if failures else ops.zeros((1,), x.dtype)

    def penalized(x: Tensor, multipliers: Tensor, weight: Tensor) -> tuple[Any, Any, Tensor]:
        value, failures = evaluate(x)
        penalty = (multipliers * failures).sum() + weight / 2 * ops.square(failures).sum()
        return value * obj_weight + penalty, value, failures

    differentiated = value_and_grad(penalized, has_aux=True)
    limit = Tensor(np.concatenate([limits, [np.inf] * (not constraints)]), x0.dtype)

    def step(index: Any, carried: dict[str, Any]) -> dict[str, Any]:
        x, least = carried["x"], carried["least"]
        (loss, value, failures), gradient = differentiated(x, carried["multipliers"], carried["weight"])
        exceeded = number(ops.maximum(failures - limit, 0).sum())
        better = (exceeded <= 0) & (number(value) < least)
        if log_sw and not tracing():
            log.info(f"step {index}: loss {float(loss)}, objective {float(value)}")
        direction, first, second = _adam(gradient, carried["first"], carried["second"], index + 1)
        return carried | {
            "x": _kept_inside(x - direction * learning_rate, lower, upper), "first": first, "second": second,
            "best": choose(better, x, carried["best"]), "least": choose(better, number(value), least),
        }  # fmt: skip

    def round_of(index: Any, carried: dict[str, Any]) -> dict[str, Any]:
        nothing, weight = ops.zeros_like(x0), times(ops.ones((), x0.dtype), 10.0 * obj_weight * 2.0 ** number(index))
        begun = carried | {"first": nothing, "second": nothing, "weight": weight}
        ended = ops.ForiLoop()(0, steps, step, begun, False)
        return ended | {"multipliers": ended["multipliers"] + weight * evaluate(ended["x"])[1]}

    end = ops.ForiLoop()(0, rounds, round_of, {
        "x": x0, "best": x0, "least": number(math.inf), "first": x0, "second": x0,
        "multipliers": ops.zeros((max(len(constraints), 1),), x0.dtype), "weight": ops.zeros((), x0.dtype),
    }, False)  # fmt: skip
    return choose(end["least"] < math.inf, end["best"], end["x"])
