"""Minimization under constraints: Lagrange multipliers, Adam between their updates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mindspore import ops
from mindspore._engine.gradients import value_and_grad
from mindspore._utils import log
from mindspore._utils.checks import check_positive_int
from mindspore.common.tensor import Tensor


class _Adam:
    """The state of Adam for one Tensor."""

    def __init__(self, x: Tensor, rate: float):
        self.rate, self.count = rate, 0
        self.first, self.second = ops.zeros_like(x), ops.zeros_like(x)

    def step(self, gradient: Tensor) -> Tensor:
        self.count += 1
        self.first = self.first * 0.9 + gradient * 0.1
        self.second = self.second * 0.999 + ops.square(gradient) * 0.001
        first, second = self.first / (1 - 0.9**self.count), self.second / (1 - 0.999**self.count)
        return first / (ops.sqrt(second) + 1e-8) * self.rate


def _kept_inside(x: Tensor, lower: Tensor | None, upper: Tensor | None) -> Tensor:
    x = x if lower is None else ops.maximum(x, lower)
    return x if upper is None else ops.minimum(x, upper)


def minimize_lagrange(func: Callable[..., Any], x0: Tensor, constraints: Sequence[Callable[..., Any]],
                      save_tol: Sequence[float] | None = None, obj_weight: float = 1.0, lower: Tensor | None = None,
                      upper: Tensor | None = None, learning_rate: float = 0.1,
                      coincide_func: Callable[..., Any] | None = None, rounds: int = 10, steps: int = 100,
                      log_sw: bool = False) -> Any:  # fmt: skip
    """The best place found where every constraint is below its tolerance; the last place if there was none.

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
        failures = [ops.relu(one(x, *shared)).reshape(()) for one in constraints]
        return func(x, *shared).reshape(()), ops.stack(failures) if failures else ops.zeros((1,), x.dtype)

    def penalized(x: Tensor, multipliers: Tensor, weight: Tensor) -> tuple[Any, Any, Tensor]:
        value, failures = evaluate(x)
        penalty = (multipliers * failures).sum() + weight / 2 * ops.square(failures).sum()
        return value * obj_weight + penalty, value, failures

    differentiated = value_and_grad(penalized, has_aux=True)
    multipliers = ops.zeros((max(len(constraints), 1),), x0.dtype)
    x, best, least = x0, None, np.inf
    for number in range(rounds):
        adam, weight = _Adam(x, learning_rate), Tensor(10.0 * obj_weight * 2.0**number, x0.dtype)
        for _ in range(steps):
            (loss, value, failures), gradient = differentiated(x, multipliers, weight)
            allowed = bool((failures.asnumpy()[: len(limits)] <= limits).all())
            if allowed and float(value) < least:
                best, least = x, float(value)
            if log_sw:
                log.info(f"round {number}: loss {float(loss)}, objective {float(value)}")
            x = _kept_inside(x - adam.step(gradient), lower, upper)
        multipliers = multipliers + weight * evaluate(x)[1]
    return x if best is None else best
