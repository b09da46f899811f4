"""The half-normal distribution."""

from __future__ import annotations

import math
from typing import Any

from mindspore import ops
from mindspore._engine.base.dtype import DType, float32
from mindspore.common.tensor import Tensor
from mindspore.nn.probability.distribution._mean_sd import MeanAndWidth

__all__ = ["HalfNormal"]


class HalfNormal(MeanAndWidth):
    """The upper half of a normal distribution with ``mean`` and ``sd``.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.nn.probability.distribution import HalfNormal
        >>> print(HalfNormal(0.0, 1.0).prob(Tensor([-1.0, 0.0])))
        [0.        0.7978846]
    """

    def __init__(self, mean: Any = None, sd: Any = None, seed: int | None = None, dtype: DType = float32,
                 name: str = "HalfNormal"):  # fmt: skip
        super().__init__(mean, sd, seed, dtype, name, dict(locals()))

    def _prob(self, value: Tensor, mean: Any = None, sd: Any = None) -> Tensor:
        mean, sd = self._check_param_type(mean, sd)
        density = math.sqrt(2 / math.pi) / sd * ops.exp(-0.5 * ops.square((value - mean) / sd))
        return ops.where(value < mean, 0.0, density)
