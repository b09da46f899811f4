"""Student's t distribution."""

from __future__ import annotations

import math
from typing import Any

from mindspore import ops
from mindspore._engine.base.dtype import DType, float32
from mindspore.common.tensor import Tensor
from mindspore.nn.probability._parameters import require_positive
from mindspore.nn.probability.distribution._mean_sd import MeanAndWidth

__all__ = ["StudentT"]


class StudentT(MeanAndWidth):
    """Student's t distribution with ``df`` degrees of freedom, moved to ``mean`` and widened by ``sd``.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.nn.probability.distribution import StudentT
        >>> print(StudentT(3.0, 0.0, 1.0).prob(Tensor([0.0])).round(4))
        [0.3676]
    """

    def __init__(self, df: Any = None, mean: Any = None, sd: Any = None, seed: int | None = None,
                 dtype: DType = float32, name: str = "StudentT"):  # fmt: skip
        super().__init__(mean, sd, seed, dtype, name, dict(locals()))

    def _add_own(self) -> None:
        self._df_value = self._add_parameter(self._parameters["df"], "df")
        require_positive(self._name, "df", self._df_value)

    def _log_prob(self, value: Tensor, df: Any = None, mean: Any = None, sd: Any = None) -> Tensor:
        df, mean, sd = self._check_param_type(df, mean, sd)
        half = (df + 1) / 2
        constant = ops.lgamma(half) - ops.lgamma(df / 2) - 0.5 * ops.log(math.pi * df) - ops.log(sd)
        return constant - half * ops.log1p(ops.square((value - mean) / sd) / df)
