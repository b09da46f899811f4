"""Distributions of transformed values."""

from __future__ import annotations

from typing import Any

from mindspore._engine.base.dtype import DType
from mindspore._utils.checks import check_type
from mindspore.common.tensor import Tensor
from mindspore.nn.probability.bijector.bijector import Bijector
from mindspore.nn.probability.distribution.distribution import Distribution

__all__ = ["TransformedDistribution"]


class TransformedDistribution(Distribution):
    """The distribution of what a bijector makes of the values of another distribution.

    Args:
        bijector: increasing, maps samples of ``distribution`` to samples of this distribution.
        distribution: the other distribution.
        seed: of samples; None for that of the distribution.
        name: of the distribution.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.nn.probability import bijector, distribution
        >>> twice = distribution.TransformedDistribution(bijector.ScalarAffine(2.0, 0.0), distribution.Uniform(0.0, 1.0))
        >>> print(twice.prob(Tensor([1.5])), twice.mean())
        [0.5] 1.0
    """

    def __init__(self, bijector: Bijector, distribution: Distribution, seed: int | None = None,
                 name: str = "transformed_distribution"):  # fmt: skip
        check_type("TransformedDistribution", "bijector", bijector, Bijector)
        check_type("TransformedDistribution", "distribution", distribution, Distribution)
        super().__init__(seed, distribution.dtype, name, dict(locals()))
        self._bijector = bijector
        self._distribution = distribution
        self._is_linear_transformation = bijector.is_constant_jacobian

    @property
    def bijector(self) -> Bijector:
        return self._bijector

    @property
    def distribution(self) -> Distribution:
        return self._distribution

    @property
    def dtype(self) -> DType:
        return self._distribution.dtype

    @property
    def is_linear_transformation(self) -> bool:
        return self._is_linear_transformation

    @property
    def batch_shape(self) -> tuple[int, ...] | None:
        return self._distribution.batch_shape

    def _log_prob(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        density = self._distribution.log_prob(self._bijector.inverse(value), *args, **kwargs)
        return density + self._bijector.inverse_log_jacobian(value)

    def _cdf(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return self._distribution.cdf(self._bijector.inverse(value), *args, **kwargs)

    def _log_cdf(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return self._distribution.log_cdf(self._bijector.inverse(value), *args, **kwargs)

    def _survival_function(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return self._distribution.survival_function(self._bijector.inverse(value), *args, **kwargs)

    def _log_survival(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return self._distribution.log_survival(self._bijector.inverse(value), *args, **kwargs)

    def _mean(self, *args: Any, **kwargs: Any) -> Tensor:
        if not self._is_linear_transformation:
            raise ValueError(f"The mean of {self._name} is not known: the transformation is not linear.")
        return self._bijector.forward(self._distribution.mean(*args, **kwargs))

    def _sample(self, *args: Any, **kwargs: Any) -> Tensor:
        return self._bijector.forward(self._distribution.sample(*args, **kwargs))


Distribution.transformed = TransformedDistribution
