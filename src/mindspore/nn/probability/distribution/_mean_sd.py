"""What distributions with a mean and a width share of which MindSpore knows the density only."""

from __future__ import annotations

from typing import Any

from mindspore._engine.base.dtype import DType
from mindspore.nn.probability._parameters import require_positive
from mindspore.nn.probability.distribution.distribution import Distribution


class MeanAndWidth(Distribution):
    """Holds ``mean`` and ``sd``."""

    def __init__(self, mean: Any, sd: Any, seed: int | None, dtype: DType, name: str, param: dict[str, Any]):
        super().__init__(seed, dtype, name, param)
        self._require_floating()
        self._add_own()
        self._mean_value = self._add_parameter(mean, "mean")
        self._sd_value = self._add_parameter(sd, "sd")
        require_positive(name, "sd", self._sd_value)

    def _add_own(self) -> None:
        """Add parameters that come before mean and sd."""

    def extend_repr(self) -> str:
        return ""
