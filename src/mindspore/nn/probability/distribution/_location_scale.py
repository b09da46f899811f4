"""What distributions with a location and a scale share."""

from __future__ import annotations

from typing import Any, ClassVar

from mindspore._engine.base.dtype import DType
from mindspore.common.tensor import Tensor
from mindspore.nn.probability._parameters import require_positive
from mindspore.nn.probability.distribution.distribution import Distribution


class LocationScaleMembers(Distribution):
    """The parameters ``loc`` and ``scale``."""

    _loc_value: Tensor | None
    _scale_value: Tensor | None

    def _add_location_scale(self, loc: Any, scale: Any) -> None:
        self._loc_value = self._add_parameter(loc, "loc")
        self._scale_value = self._add_parameter(scale, "scale")

    @property
    def loc(self) -> Tensor | None:
        return self._loc_value

    @property
    def scale(self) -> Tensor | None:
        return self._scale_value


class LocationScale(LocationScaleMembers):
    """``loc + scale * standard value``."""

    LABELS: ClassVar[dict[str, str]] = {"loc": "location", "scale": "scale"}

    def __init__(self, loc: Any, scale: Any, seed: int | None, dtype: DType, name: str, param: dict[str, Any]):
        super().__init__(seed, dtype, name, param)
        self._require_floating()
        self._add_location_scale(loc, scale)
        require_positive(name, "scale", self._scale_value)

    def _standard(self, value: Tensor, loc: Any, scale: Any) -> tuple[Tensor, Tensor]:
        """The value seen from the location in units of the scale, and the scale."""
        loc, scale = self._check_param_type(loc, scale)
        return (value - loc) / scale, scale

    def _mode(self, loc: Any = None, scale: Any = None) -> Tensor:
        return self._check_param_type(loc, scale)[0]
