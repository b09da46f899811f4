"""The distributions of weights: what is believed before training, and what is learned."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mindspore import ops
from mindspore._engine.base.dtype import DType, float32
from mindspore._utils.checks import check_str, check_type
from mindspore._utils.refusals import refused
from mindspore.common.parameter import Parameter
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.probability.distribution.normal import Normal

__all__ = ["NormalPosterior", "NormalPrior", "normal_post_fn"]

_SMALLEST = 1e-6  # standard deviation: 0 would make densities infinite


class NormalPrior(Cell):
    """A normal distribution that stays as it is: what is believed of a weight before training.

    Args:
        dtype: of the numbers.
        mean, std: mean and standard deviation.

    Examples:
        >>> from mindspore.nn.probability.bnn_layers import NormalPrior
        >>> print(NormalPrior(std=0.5)("sd"))
        0.5
    """

    def __init__(self, dtype: DType = float32, mean: float = 0, std: float = 0.1):
        super().__init__()
        self.normal = Normal(mean, std, dtype=dtype)

    def construct(self, *inputs: Any) -> Any:
        """A function of the distribution by its name, as of :class:`Distribution`."""
        return self.normal(*inputs)


class NormalPosterior(Cell):
    """A normal distribution for each weight, whose mean and standard deviation are trained.

    The standard deviation is ``log(1 + exp(untransformed_std))``, so that it stays above 0.

    Args:
        name: in front of the names of its two Parameters.
        shape: of the weight.
        dtype: of the Parameters.
        loc_mean, loc_std: the normal distribution that the initial means are drawn from.
        untransformed_scale_mean, untransformed_scale_std: likewise of the untransformed standard deviations.

    Examples:
        >>> from mindspore.nn.probability.bnn_layers import NormalPosterior
        >>> print(NormalPosterior("weight", (2, 3))("sample", (4,)).shape)
        (4, 2, 3)
    """

    def __init__(self, name: str, shape: tuple[int, ...] | list[int], dtype: DType = float32, loc_mean: float = 0,
                 loc_std: float = 0.1, untransformed_scale_mean: float = -5,
                 untransformed_scale_std: float = 0.1):  # fmt: skip
        super().__init__()
        owner = self.cls_name
        check_str(owner, "name", name)
        check_type(owner, "shape", shape, (tuple, list))
        for label, value, low in (("loc_mean", loc_mean, None), ("loc_std", loc_std, 0),
                                  ("untransformed_scale_mean", untransformed_scale_mean, None),
                                  ("untransformed_scale_std", untransformed_scale_std, 0)):  # fmt: skip
            check_type(owner, label, value, (int, float))
            if low is not None and value <= low:
                raise refused(
                    TypeError, f"For '{owner}', the '{label}' must be an int or float above 0, but got {value}."
                )
        # NumPy's generator, as in MindSpore: the same first values for a seed
        means = np.random.normal(loc_mean, loc_std, shape)
        scales = np.random.normal(untransformed_scale_mean, untransformed_scale_std, shape)
        self.mean = Parameter(Tensor(means, dtype), name=f"{name}_mean")
        self.untransformed_std = Parameter(Tensor(scales, dtype), name=f"{name}_untransformed_std")
        self.normal = Normal(dtype=dtype)

    def std(self) -> Tensor:
        """The standard deviation of every weight."""
        return _SMALLEST + ops.softplus(self.untransformed_std)

    def construct(self, *inputs: Any) -> Any:
        """A function of the distribution by its name, as of :class:`Distribution`."""
        return self.normal(*inputs, mean=self.mean, sd=self.std())


def normal_post_fn(name: str, shape: tuple[int, ...], dtype: DType = float32) -> NormalPosterior:
    """The default posterior of layers."""
    return NormalPosterior(name, shape, dtype)


def prior_of(owner: str, name: str, make: Any) -> Cell:
    """The prior a layer was given: a class or function that makes it, or the Cell itself."""
    made = make if isinstance(make, Cell) else _made(owner, name, make, {})
    return check_type(owner, name, made, NormalPrior)


def posterior_of(
    owner: str, name: str, make: Callable[..., Any], shape: tuple[int, ...], attribute: str
) -> NormalPosterior:
    """The posterior that a layer's function makes, its Parameters named after the layer's attribute."""
    made = check_type(
        owner,
        name,
        _made(owner, name, make, {"name": f"bnn_{attribute.partition('_')[0]}", "shape": list(shape)}),
        NormalPosterior,
    )
    made.mean.name, made.untransformed_std.name = f"{attribute}.mean", f"{attribute}.untransformed_std"
    return made


class VariationalWeights(Cell):
    """Priors and posteriors of a layer's weight and, if ``has_bias``, of its bias."""

    has_bias: bool

    def _init_distributions(self, weight_shape: tuple[int, ...], bias_shape: tuple[int, ...], weight_prior_fn: Any,
                            weight_posterior_fn: Any, bias_prior_fn: Any, bias_posterior_fn: Any) -> None:  # fmt: skip
        owner = self.cls_name
        self.weight_prior = prior_of(owner, "weight_prior_fn", weight_prior_fn)
        self.weight_posterior = posterior_of(
            owner, "weight_posterior_fn", weight_posterior_fn, weight_shape, "weight_posterior"
        )
        if self.has_bias:
            self.bias_prior = prior_of(owner, "bias_prior_fn", bias_prior_fn)
            self.bias_posterior = posterior_of(
                owner, "bias_posterior_fn", bias_posterior_fn, bias_shape, "bias_posterior"
            )

    def compute_kl_loss(self) -> Tensor:
        """How far the learned distributions are from those believed before training."""
        loss = divergence(self.weight_prior, self.weight_posterior)
        return loss + divergence(self.bias_prior, self.bias_posterior) if self.has_bias else loss

    def _distributions_repr(self) -> str:
        text = (
            f"weight_mean={self.weight_posterior.mean}, weight_std={self.weight_posterior.untransformed_std}, "
            f"has_bias={self.has_bias}"
        )
        if self.has_bias:
            text += f", bias_mean={self.bias_posterior.mean}, bias_std={self.bias_posterior.untransformed_std}"
        return text


def _made(owner: str, name: str, make: Any, arguments: dict[str, Any]) -> Any:
    if not callable(make):
        raise refused(
            TypeError,
            f"For '{owner}', the '{name}' must be a function or class that makes a distribution, but got {make!r} of type "
            f"{type(make).__name__}. Write for example NormalPrior, or lambda name, shape: NormalPosterior(name, shape).",
        )
    return make(**arguments)


def divergence(prior: Cell, posterior: NormalPosterior) -> Tensor:
    """How far a posterior is from its prior, summed over all weights: KL(prior || posterior), as MindSpore has it."""
    return prior("kl_loss", "Normal", posterior("mean"), posterior("sd")).sum()
