"""The Laplace distribution."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._engine.base.dtype import DType, float32
from mindspore.common.tensor import Tensor
from mindspore.nn.probability.distribution._mean_sd import MeanAndWidth

__all__ = ["Laplace"]


class Laplace(MeanAndWidth):
    """The Laplace distribution; ``sd`` is its scale, as in MindSpore.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.nn.probability.distribution import Laplace
        >>> print(Laplace(0.0, 2.0).prob(Tensor([0.0])))
        [0.25]
    """

    def __init__(self, mean: Any = None, sd: Any = None, seed: int | None = None, dtype: DType = float32,
                 name: str = "Laplace"):  # fmt: skip
        super().__init__(mean, sd, seed, dtype, name, dict(locals()))

    def _log_prob(self, value: Tensor, mean: Any = None, sd: Any = None) -> Tensor:
        mean, sd = self._check_param_type(mean, sd)
        return -ops.abs(value - mean) / sd - ops.log(2 * sd)
