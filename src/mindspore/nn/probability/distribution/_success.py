"""What distributions of trials with a probability of success share."""

from __future__ import annotations

from typing import Any, ClassVar

from mindspore._engine.base.dtype import DType
from mindspore.common.tensor import Tensor
from mindspore.nn.probability._parameters import require_probability
from mindspore.nn.probability.distribution.distribution import Distribution


class SuccessProbability(Distribution):
    """The parameter ``probs``, between 0 and 1."""

    LABELS: ClassVar[dict[str, str]] = {"probs": "probs"}

    def __init__(self, probs: Any, seed: int | None, dtype: DType, name: str, param: dict[str, Any]):
        super().__init__(seed, dtype, name, param)
        self._probs_value = self._add_parameter(probs, "probs")
        require_probability(name, "probs", self._probs_value)

    @property
    def probs(self) -> Tensor | None:
        return self._probs_value
