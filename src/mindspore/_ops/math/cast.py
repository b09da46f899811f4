"""The same values in another dtype."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.convert import convert
from mindspore._engine.operator.arguments import Array, DType, Operand
from mindspore._engine.operator.overloads import overloaded
from mindspore._engine.operator.registry import op, register_function
from mindspore._engine.tensor.members import attach
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.hints import ON_ONE_DEVICE

_PLACES = ("cpu", "gpu", "ascend", "npu")  # device names that Tensor.to accepts
_PYTHON_TYPES = {bool: dtypes.bool_, int: dtypes.int64, float: dtypes.float64, complex: dtypes.complex128}


@op(
    primitive="Cast",
    old={"input": ("input_x", "x"), "dtype": ("type",)},
    passes=lambda input, dtype: dtypes.to_dtype(dtype, "Cast").is_integer or dtype == dtypes.bool_,
    test=lambda t: [
        t.case(t.normal(2, 3), dtypes.float64, expect=lambda x, _: x.astype(np.float64)),
        t.case(t.normal(2, 3), dtypes.float16, expect=lambda x, _: x.astype(np.float16), grad=False),
        t.case(t.normal(2, 3), dtypes.int32, expect=lambda x, _: x.astype(np.int32), grad=False),
        t.case(t.ints(2, 3), dtypes.bool_, expect=lambda x, _: x != 0),
    ],
)
def cast(input: Operand, dtype: DType):
    """The values in another dtype; floats lose their fraction in integers.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> print(ops.cast(Tensor([1.7, -1.7]), ms.int32))
        [ 1 -1]
    """
    return convert(input, dtype.np_dtype)


@op(
    method="type_as",
    passes=lambda input, other: True,
    test=lambda t: [t.case(t.normal(2), t.ints(1), expect=lambda x, y: x.astype(y.dtype), grad=False)],
)
def type_as(input: Array, other: Array):
    """The values in the dtype of another tensor.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.type_as(Tensor([1.7]), Tensor([1])))
        [1]
    """
    return convert(input, other.dtype)


def astype(self: Tensor, dtype: Any, copy: bool = True) -> Tensor:
    """The values in another dtype, given as a MindSpore or NumPy dtype, a name or a Python type.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([1.7, -1.7]).astype("int32"))
        [ 1 -1]
    """
    wanted = (_PYTHON_TYPES.get(dtype) if isinstance(dtype, type) else None) or dtypes.to_dtype(dtype, "Tensor.astype")
    if wanted == self.dtype and copy:
        return Tensor.copy(self)
    if wanted == self.dtype:
        return self.value() if self._is_state else self  # a Parameter's values are a Tensor
    return cast(self, wanted)


def _to_dtype(self: Tensor, dtype: Any = None, non_blocking: bool = False, copy: bool = False) -> Tensor:
    """The values in another dtype, or in the dtype of another tensor. Naming a device changes nothing.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor
        >>> print(Tensor([1, 2]).to(ms.float16).dtype)
        Float16
    """
    if dtype is None:
        return Tensor.copy(self) if copy else self
    return astype(self, dtype, copy)


def _to_device(
    self: Tensor, device: str | None = None, dtype: Any = None, non_blocking: bool = False, copy: bool = False
) -> Tensor:
    if device is not None and device.lower().split(":")[0] not in _PLACES:
        dtype = _named_dtype(device)
    return _to_dtype(self, dtype, non_blocking, copy)


def _to_other(self: Tensor, other: Tensor, non_blocking: bool = False, copy: bool = False) -> Tensor:
    return _to_dtype(self, other.dtype, non_blocking, copy)


to = overloaded("Tensor.to", _to_device, _to_other, _to_dtype)


def _named_dtype(name: str) -> dtypes.DType:
    try:
        return dtypes.to_dtype(name)
    except TypeError:
        raise ValueError(
            f"For 'Tensor.to', the 'device' must be 'CPU', 'GPU' or 'Ascend', but got {name!r}, which is no dtype either. {ON_ONE_DEVICE}"
        ) from None


def type_(self: Tensor, dtype: Any = None) -> Any:
    """The name of the dtype; with an argument, the values in that dtype.

    Examples:
        >>> from mindspore import Tensor
        >>> Tensor([1.0]).type()
        'Float32'
    """
    return str(self.dtype) if dtype is None else astype(self, dtype)


def _to_fixed(name: str, wanted: DType) -> Any:
    def method(self: Tensor) -> Tensor:
        return astype(self, wanted)

    method.__doc__ = f"""The values as {wanted}.

    Examples:
        >>> from mindspore import Tensor
        >>> print(Tensor([1.5, 0.0]).{name}().dtype)
        {wanted}
    """
    return method


def is_floating_point(input: Tensor) -> bool:
    """Whether the tensor holds floating-point numbers.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> ops.is_floating_point(Tensor([1.0]))
        True
    """
    return input.dtype.is_floating


def is_complex(input: Tensor) -> bool:
    """Whether the tensor holds complex numbers.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> ops.is_complex(Tensor([1.0]))
        False
    """
    return input.dtype.is_complex


def is_signed(self: Tensor) -> bool:
    """Whether the dtype has negative numbers.

    Examples:
        >>> from mindspore import Tensor
        >>> Tensor([1.0]).is_signed()
        True
    """
    return self.dtype.kind in ("int", "float", "complex")


register_function(is_floating_point, method="is_floating_point")
register_function(is_complex, method="is_complex")
_METHODS = {"astype": astype, "to": to, "type": type_, "is_signed": is_signed} | {
    name: _to_fixed(name, wanted)
    for name, wanted in (
        ("bool", dtypes.bool_),
        ("byte", dtypes.uint8),
        ("short", dtypes.int16),
        ("int", dtypes.int32),
        ("long", dtypes.int64),
        ("half", dtypes.float16),
        ("bfloat16", dtypes.bfloat16),
        ("float", dtypes.float32),
        ("double", dtypes.float64),
    )
}
for _name, _method in _METHODS.items():
    attach(_name, _method)
