"""Bijector: what all bijectors share."""

from __future__ import annotations

from typing import Any

from mindspore._engine.base.dtype import DType, float32
from mindspore._utils.checks import check_bool, check_type
from mindspore._utils.refusals import refused
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.probability._parameters import as_parameter, require_tensor, shape_of

__all__ = ["Bijector"]

_FUNCTIONS = ("forward", "inverse", "forward_log_jacobian", "inverse_log_jacobian")


class Bijector(Cell):
    """The base of bijectors: maps that can be undone.

    A bijector defines ``_forward``, ``_inverse``, ``_forward_log_jacobian`` and ``_inverse_log_jacobian``; of the last
    two a single definition is enough. Called with a distribution, it returns the transformed distribution.

    Args:
        is_constant_jacobian: whether the slope is the same everywhere.
        is_injective: whether different values stay different.
        name: of the bijector.
        dtype: of the values; None for any floating-point dtype.
        param: what was passed to the constructor.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.nn.probability.bijector import Bijector
        >>> class Shift(Bijector):
        ...     def _forward(self, value):
        ...         return value + 1
        >>> print(Shift(is_constant_jacobian=True).forward(Tensor([1.0])))
        [2.]
    """

    def __init__(self, is_constant_jacobian: bool = False, is_injective: bool = True, name: str | None = None,
                 dtype: DType | None = None, param: dict[str, Any] | None = None):  # fmt: skip
        super().__init__()
        owner = name or type(self).__name__
        check_type(owner, "name", name, (str, type(None)))
        self._name = name
        self._dtype = check_type(owner, "dtype", dtype, (DType, type(None)))
        self._is_constant_jacobian = check_bool(owner, "is_constant_jacobian", is_constant_jacobian)
        self._is_injective = check_bool(owner, "is_injective", is_injective)
        check_type(owner, "param", param, (dict, type(None)))
        self._parameters = {k: v for k, v in (param or {}).items() if k not in ("self", "__class__")}
        self._names: tuple[str, ...] = ()

    def _add_parameter(self, value: Any, name: str) -> Any:
        """A parameter given at construction, to be kept in an attribute ``_<name>_value``."""
        if value is None:
            raise refused(
                TypeError, f"For '{self.name}', the '{name}' must be a number, an array or a Tensor, but got None."
            )
        self._names = (*self._names, name)
        return as_parameter(self._name or type(self).__name__, name, value, self._dtype or float32)

    def _value(self, value: Any) -> Tensor:
        owner = self._name or type(self).__name__
        value = require_tensor(owner, "value", value)
        if not value.dtype.is_floating:
            raise refused(
                TypeError,
                f"For '{owner}', the 'value' must have a floating-point dtype, but got {value.dtype}. Convert it with "
                "astype(mindspore.float32).",
            )
        return value

    def cast_param_by_value(self, value: Tensor, para: Any) -> Tensor:
        """A parameter in the dtype of a value."""
        return require_tensor(self._name or type(self).__name__, "para", para).astype(self._value(value).dtype)

    def shape_mapping(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """The shape that values of a shape have afterwards: the same."""
        return shape

    def forward(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """What the bijector makes of a value."""
        return self._own("forward")(self._value(value), *args, **kwargs)

    def inverse(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """The value that the bijector makes this of."""
        return self._own("inverse")(self._value(value), *args, **kwargs)

    def forward_log_jacobian(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """The logarithm of the slope of ``forward``."""
        if hasattr(self, "_forward_log_jacobian"):
            return self._forward_log_jacobian(self._value(value), *args, **kwargs)
        there = self.forward(value, *args, **kwargs)
        return -self._own("inverse_log_jacobian", "forward_log_jacobian")(there, *args, **kwargs)

    def inverse_log_jacobian(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """The logarithm of the slope of ``inverse``."""
        if hasattr(self, "_inverse_log_jacobian"):
            return self._inverse_log_jacobian(self._value(value), *args, **kwargs)
        back = self.inverse(value, *args, **kwargs)
        return -self._own("forward_log_jacobian", "inverse_log_jacobian")(back, *args, **kwargs)

    def _own(self, name: str, asked: str = "") -> Any:
        if not hasattr(self, f"_{name}"):
            raise NotImplementedError(f"'{asked or name}' is not implemented for {type(self).__name__}.")
        return getattr(self, f"_{name}")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The distribution of transformed values; or, as a part of networks, a function by its name."""
        if args and hasattr(args[0], "transformed_by"):
            return args[0].transformed_by(self)
        return super().__call__(*args, **kwargs)

    def construct(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Call one of the functions above by its name."""
        if name not in _FUNCTIONS:
            raise NotImplementedError(f"{name!r} is not a function of bijectors; there are {', '.join(_FUNCTIONS)}.")
        return getattr(self, name)(*args, **kwargs)

    @property
    def name(self) -> str | None:
        return self._name

    @property
    def dtype(self) -> DType | None:
        return self._dtype

    @property
    def parameters(self) -> dict[str, Any]:
        """What was passed to the constructor."""
        return self._parameters

    @property
    def is_constant_jacobian(self) -> bool:
        return self._is_constant_jacobian

    @property
    def is_injective(self) -> bool:
        return self._is_injective

    @property
    def batch_shape(self) -> tuple[int, ...]:
        """The common shape of the parameters."""
        return shape_of([getattr(self, f"_{name}_value", None) for name in self._names])

    @property
    def is_scalar_batch(self) -> bool:
        return self.batch_shape == ()
