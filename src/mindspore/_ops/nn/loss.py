"""Losses of predictions against targets of the same shape, and what all losses share: the reduction."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.execution.value_checks import require_values
from mindspore._engine.operator.arguments import Array, Choice
from mindspore._engine.operator.registry import op
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.construction import at_construction
from mindspore._ops.declaring.conventions import magnitude
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.promotion import as_float, promote
from mindspore._ops.declaring.requirements import (
    FOUND_BY_KERNEL,
    require,
    require_choice,
    require_float,
    require_same_dtype,
    require_shape,
)
from mindspore._ops.declaring.value_rules import outside_unit

_DIVERGENCE_REDUCTIONS = ("none", "mean", "batchmean", "sum")
_TINY = 1e-12  # the smallest probability a logarithm is taken of


def reduced(loss: Any, reduction: str) -> Any:
    """The loss per element, its mean, or its sum."""
    require_choice("reduction", reduction, ("none", "mean", "sum"))
    return jnp.mean(loss) if reduction == "mean" else jnp.sum(loss) if reduction == "sum" else loss


def check_reduction(reduction: str, **_: Any) -> None:
    """The check of a loss Primitive's attributes."""
    require_choice("reduction", reduction, ("none", "mean", "sum"))


def _floats(x: Any, y: Any) -> tuple[Any, Any]:
    """Both in the common floating-point dtype."""
    x, y = promote(x, y)
    return as_float(x), as_float(y)


def _check_pair(first: str, x: Any, second: str, y: Any) -> None:
    """Same shape, same floating-point dtype."""
    require_float(first, x)
    require_same_dtype(**{first: x, second: y})
    require_shape(second, y, x.shape)


# -- distances ---------------------------------------------------------------------------------------------------------
@op(test=lambda t: [t.case(t.normal(2, 3), t.normal(2, 3), expect=lambda x, y: ((x - y) ** 2).mean()),
                    t.case(t.normal(2, 3), t.normal(3), "none", expect=lambda x, y, _: (x - y) ** 2)])  # fmt: skip
def mse_loss(input: Array, target: Array, reduction: Choice = "mean"):
    """The squared difference.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.mse_loss(Tensor([1.0, 2.0]), Tensor([1.0, 4.0])))
        2.0
    """
    x, y = _floats(input, target)
    return reduced(jnp.square(x - y), reduction)


@op(test=lambda t: [t.case(t.normal(2, 3), t.normal(2, 3), expect=lambda x, y: abs(x - y).mean()),
                    t.case(t.normal(2, 3), t.normal(3), "sum", expect=lambda x, y, _: abs(x - y).sum())])  # fmt: skip
def l1_loss(input: Array, target: Array, reduction: Choice = "mean"):
    """The absolute difference.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.l1_loss(Tensor([1.0, 2.0]), Tensor([1.0, 4.0])))
        1.0
    """
    x, y = _floats(input, target)
    return reduced(magnitude(x - y), reduction)


@at_construction(check_reduction)
@op(primitive="SmoothL1Loss", init=("beta", "reduction"), old={"input": ("prediction", "logits"), "target": "labels"},
    test=lambda t: [t.case(t.normal(2, 3), t.normal(2, 3)),
                    t.case(t.normal(2, 3) * 3, t.normal(2, 3), 0.5, "mean",
                           expect=lambda x, y, b, _: np.where(abs(x - y) < b, (x - y) ** 2 / (2 * b),
                                                              abs(x - y) - b / 2).mean())])  # fmt: skip
def smooth_l1_loss(input: Array, target: Array, beta: float = 1.0, reduction: str = "none"):
    """The square of the difference over ``2 * beta`` where it is below ``beta``, the absolute difference beyond.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.smooth_l1_loss(Tensor([1.0, 2.0]), Tensor([2.0, 5.0])))
        [0.5 2.5]
    """
    input, target = _floats(input, target)
    require_shape("target", target, input.shape)
    require(beta >= 0, f"the 'beta' must not be negative, but got {beta}.", FOUND_BY_KERNEL)
    distance = magnitude(input - target)
    if beta == 0:
        return reduced(distance, reduction)
    return reduced(jnp.where(distance < beta, jnp.square(distance) / (2 * beta), distance - beta / 2), reduction)


@op(test=lambda t: [t.case(t.normal(2, 3), t.normal(2, 3)),
                    t.case(t.normal(2, 3), t.normal(3), "none", 0.5,
                           expect=lambda x, y, _, d: np.where(abs(x - y) <= d, (x - y) ** 2 / 2,
                                                              d * (abs(x - y) - d / 2)))])  # fmt: skip
@accepts("ifc", "input", "target")
def huber_loss(input: Array, target: Array, reduction: Choice = "mean", delta: float = 1.0):
    """Half the square of the difference up to ``delta``, growing linearly beyond.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.huber_loss(Tensor([1.0, 2.0]), Tensor([1.0, 5.0]), "none"))
        [0.  2.5]
    """
    require(delta > 0, f"the 'delta' must be positive, but got {delta}.")
    x, y = _floats(input, target)
    distance = magnitude(x - y)
    return reduced(jnp.where(distance <= delta, jnp.square(distance) / 2, delta * (distance - delta / 2)), reduction)


@op(primitive="L2Loss", public=False, test=lambda t: [t.case(t.normal(2, 3), expect=lambda x: (x * x).sum() / 2)])
@accepts("f", "input_x")
def l2_loss(input_x: Array):
    """Half the sum of the squares.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.L2Loss()(Tensor([3.0, 4.0])))
        12.5
    """
    require_float("input_x", input_x)
    return jnp.sum(jnp.square(input_x)) / 2


# -- two classes -------------------------------------------------------------------------------------------------------
def _logarithms(probability: Any) -> tuple[Any, Any]:
    """The logarithms of a probability and of its complement, finite at 0 and 1."""
    tiny = max(_TINY, float(jnp.finfo(probability.dtype).tiny))
    return jnp.log(jnp.maximum(probability, tiny)), jnp.log(jnp.maximum(1 - probability, tiny))


@jax.custom_jvp
def _entropy(probability: Any, label: Any) -> Any:
    yes, no = _logarithms(probability)
    return -(label * yes + (1 - label) * no)


@_entropy.defjvp
def _entropy_slope(primals: tuple, tangents: tuple) -> tuple:
    """At probabilities 0 and 1 the slope is finite, and 0 where the label agrees."""
    probability, label = primals
    tiny = max(_TINY, float(jnp.finfo(probability.dtype).tiny))
    by_probability = (probability - label) / jnp.maximum(probability * (1 - probability), tiny)
    yes, no = _logarithms(probability)
    return _entropy(probability, label), by_probability * tangents[0] + (no - yes) * tangents[1]


def _numpy_entropy(p: np.ndarray, y: np.ndarray) -> np.ndarray:
    return -(y * np.log(p) + (1 - y) * np.log(1 - p))


def _probabilities(logits: Tensor, *_: Any) -> None:
    require_values("BinaryCrossEntropy", "the 'input_x' must be in [0.0, 1.0], but got {}.", outside_unit, logits)


@at_construction(check_reduction)
@op(primitive="BinaryCrossEntropy", init=("reduction",), old={"logits": "input", "labels": "target"}, bounds=_probabilities,
    test=lambda t: [t.case(t.uniform(0.1, 0.9, 2, 3), t.uniform(0, 1, 2, 3),
                           expect=lambda p, y: _numpy_entropy(p, y).mean()),
                    t.case(t.uniform(0.1, 0.9, 2, 3), t.uniform(0, 1, 2, 3), t.positive(2, 3), "none", grad=(0, 1),
                           expect=lambda p, y, w, _: w * _numpy_entropy(p, y))])  # fmt: skip
@accepts("f", "logits", "labels")
def binary_cross_entropy(logits: Array, labels: Array, weight: Array | None = None, reduction: str = "mean"):
    """The cross entropy of probabilities (not logits, whatever the name); the weight gets no gradient.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.binary_cross_entropy(Tensor([0.5]), Tensor([1.0])))
        0.6931472
    """
    _check_pair("logits", logits, "labels", labels)
    # a probability outside [0, 1] must not pass for a valid probability
    loss = jnp.where((logits >= 0) & (logits <= 1), _entropy(logits, labels), jnp.nan)
    if weight is not None:
        _check_pair("logits", logits, "weight", weight)
        loss = loss * lax.stop_gradient(weight)
    return reduced(loss, reduction)


def _logit_entropy(x: Any, y: Any, positive: Any = 1) -> Any:
    """The cross entropy of logits; exact for large ones, with a single logarithm."""
    both = jnp.log1p(jnp.exp(-jnp.abs(x)))
    zero = jnp.zeros_like(x)
    return (1 - y) * (jnp.maximum(x, zero) + both) + positive * y * (jnp.maximum(-x, zero) + both)


@at_construction(check_reduction)
@op(primitive="BCEWithLogitsLoss", init=("reduction",),
    old={"input": ("logits", "predict"), "target": ("label", "labels"), "pos_weight": "posWeight"},
    test=lambda t: [t.case(t.normal(2, 3), t.uniform(0, 1, 2, 3)),
                    t.case(t.normal(2, 3), t.uniform(0, 1, 2, 3), t.positive(3), t.positive(3), "none", grad=(0, 1),
                           expect=lambda x, y, w, p, _: w * (p * y * np.log1p(np.exp(-x))
                                                             + (1 - y) * np.log1p(np.exp(x))))])  # fmt: skip
@accepts("f", "input", "target")
@accepts("f", "weight")
@accepts("f", "pos_weight")
def binary_cross_entropy_with_logits(input: Array, target: Array, weight: Array | None = None,
                                     pos_weight: Array | None = None, reduction: str = "mean"):  # fmt: skip
    """The cross entropy of the sigmoid of logits; ``pos_weight`` weighs positive targets. Weights get no gradient.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.binary_cross_entropy_with_logits(Tensor([0.0]), Tensor([1.0])))
        0.6931472
    """
    _check_pair("input", input, "target", target)
    loss = _logit_entropy(input, target, 1 if pos_weight is None else lax.stop_gradient(promote(input, pos_weight)[1]))
    if weight is not None:
        loss = jnp.multiply(*promote(loss, lax.stop_gradient(weight)))
    return reduced(loss, reduction)


@op(primitive="SigmoidCrossEntropyWithLogits", public=False, old={"logits": "x", "label": ("labels", "y")},
    test=lambda t: [t.case(t.normal(2, 3), t.uniform(0, 1, 2, 3), grad=(0,),
                           expect=lambda x, y: y * np.log1p(np.exp(-x)) + (1 - y) * np.log1p(np.exp(x)))])  # fmt: skip
def sigmoid_cross_entropy_with_logits(logits: Array, label: Array):
    """The cross entropy of the sigmoid of every logit; labels get no gradient.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.SigmoidCrossEntropyWithLogits()(Tensor([0.0, 0.0]), Tensor([1.0, 0.0])))
        [0.6931472 0.6931472]
    """
    _check_pair("logits", logits, "label", label)
    return _logit_entropy(logits, lax.stop_gradient(label))


@at_construction(lambda reduction: require_choice("reduction", reduction, _DIVERGENCE_REDUCTIONS))
@op(primitive="KLDivLoss", init=("reduction",), old={"logits": ("logits_", "x"), "labels": "target"},
    test=lambda t: [t.case(t.normal(2, 3), t.uniform(0.1, 0.9, 2, 3), grad=(0,),
                           expect=lambda x, y: (y * (np.log(y) - x)).mean()),
                    t.case(t.normal(2, 3), t.uniform(0.1, 0.9, 2, 3), "batchmean", grad=(0,),
                           expect=lambda x, y, _: (y * (np.log(y) - x)).sum() / 2)])  # fmt: skip
@accepts("f", "logits", "labels")
def kl_div(logits: Array, labels: Array, reduction: Choice = "mean"):
    """The Kullback-Leibler divergence of log-probabilities ``logits`` from probabilities ``labels``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.kl_div(Tensor([-1.0, -1.0]), Tensor([1.0, 0.0]), "sum"))
        1.0
    """
    require_choice("reduction", reduction, _DIVERGENCE_REDUCTIONS)
    _check_pair("logits", logits, "labels", labels)
    target = lax.stop_gradient(labels)
    loss = jax.scipy.special.xlogy(target, target) - target * logits
    if reduction == "batchmean":
        return jnp.sum(loss) / (loss.shape[0] if loss.ndim else 1)
    return reduced(loss, reduction)
