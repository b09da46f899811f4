"""Steps of optimizers: they store the new values in the Parameters given and return them."""

from __future__ import annotations

from typing import Any

from mindspore import mint
from mindspore._engine.operator.function_primitive import form_of
from mindspore._ops.generated import updates
from mindspore._ops.methods.in_place import keep
from mindspore.ops import Tensor


def _kept(owner: str, stored: tuple[Any, ...], results: tuple[Tensor, ...]) -> tuple[Any, ...]:
    return tuple(keep(owner, target, result) for target, result in zip(stored, results, strict=True))


def _adamw(var: Any, m: Any, v: Any, max_v: Any, gradient: Any, step: Any, lr: Any, beta1: Any, beta2: Any, decay: Any,
           eps: Any, amsgrad: bool = False, maximize: bool = False) -> tuple[Any, ...]:  # fmt: skip
    results = updates.adamw_step(var, m, v, max_v, gradient, step, lr, beta1, beta2, decay, eps, amsgrad, maximize)
    if amsgrad:
        keep("AdamW", max_v, results[3])
    return _kept("AdamW", (var, m, v), results[:3])


def _applied(var: Any, m: Any, v: Any, beta1_power: Any, beta2_power: Any, lr: Any, weight_decay: Any, beta1: Any,
             beta2: Any, epsilon: Any, grad: Any, max_grad_norm: Any = None, amsgrad: bool = False,
             maximize: bool = False) -> tuple[Any, ...]:  # fmt: skip
    largest = mint.zeros_like(grad) if max_grad_norm is None else max_grad_norm
    results = updates.adamw_step_of_powers(var, m, v, beta1_power, beta2_power, lr, weight_decay, beta1, beta2, epsilon,
                                           grad, largest, amsgrad, maximize)  # fmt: skip
    if amsgrad and max_grad_norm is not None:
        keep("ApplyAdamW", max_grad_norm, results[3])
    return _kept("ApplyAdamW", (var, m, v), results[:3])


FORMS = {
    "AdamW": _adamw,
    "ApplyAdamW": _applied,
    "ApplyCamePart1": form_of(updates.came_sums),
    "ApplyCamePart2": form_of(updates.came_update),
    "ApplyCamePart3": form_of(updates.came_momentum),
    "ApplyCamePart4": form_of(updates.came_step),
}
