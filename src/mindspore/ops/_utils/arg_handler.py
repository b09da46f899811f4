"""Arguments of Primitive classes in their full form."""

from __future__ import annotations

from typing import Any

from mindspore._engine.tensor.tensor import Tensor


def arg_invalid_info(op_name: str, arg_name: str, arg_val: Any) -> str:
    """What to say about a value that does not fit.

    >>> arg_invalid_info("Conv2D", "stride", 2.5)
    "For 'Conv2D', the 'stride' must be an int or a tuple of ints, but got '2.5'."
    """
    return f"For '{op_name}', the '{arg_name}' must be an int or a tuple of ints, but got '{arg_val}'."


def to_pair(op_name: str, arg_name: str, arg_val: Any) -> Any:
    """A number as two of them.

    >>> to_pair("Conv2D", "stride", 2)
    (2, 2)
    """
    return (arg_val, arg_val) if isinstance(arg_val, (int, float)) else arg_val


def to_kernel_size(op_name: str, arg_name: str, kernel_size: Any) -> Any:
    """Height and width, of a number or of four numbers.

    >>> to_kernel_size("MaxPool", "kernel_size", (1, 1, 2, 3))
    (2, 3)
    """
    return _two(op_name, arg_name, kernel_size)


def to_strides(op_name: str, arg_name: str, stride: Any) -> Any:
    """Height and width, of a number or of four numbers."""
    return _two(op_name, arg_name, stride)


def to_rates(op_name: str, arg_name: str, rates: Any) -> Any:
    """Height and width, of a number or of four numbers."""
    return _two(op_name, arg_name, rates)


def to_dilations(op_name: str, arg_name: str, dilation: Any) -> Any:
    """Height and width, of a number or of four numbers."""
    return _two(op_name, arg_name, dilation)


def to_output_padding(op_name: str, arg_name: str, output_padding: Any) -> Any:
    """Height and width, of a number or of four numbers."""
    return _two(op_name, arg_name, output_padding)


def to_2d_paddings(op_name: str, arg_name: str, pad: Any) -> Any:
    """Height and width, of a number."""
    return _pair_or_tuple(op_name, arg_name, pad)


def _two(op_name: str, arg_name: str, value: Any) -> Any:
    value = _pair_or_tuple(op_name, arg_name, value)
    return value[2:] if len(value) == 4 else value


def _pair_or_tuple(op_name: str, arg_name: str, value: Any) -> Any:
    if isinstance(value, int):
        return (value, value)
    if isinstance(value, (tuple, list)):
        return value
    raise ValueError(arg_invalid_info(op_name, arg_name, value))


def generator_handler(op_name: str, arg_name: str, inputs: tuple) -> tuple:
    """The inputs of a generator, with ints as Tensors.

    >>> generator_handler("Generator", "inputs", (2,))
    (Tensor(shape=[], dtype=Int64, value= 2),)
    """
    return tuple(Tensor(one) if type(one) is int else one for one in inputs)


def _scalar_tensor_to_scalar(op_name: str, arg_name: str, x: Any) -> Any:
    return x.item() if isinstance(x, Tensor) else x


def _scalar_tensor_to_int(op_name: str, arg_name: str, x: Any) -> int:
    return int(_scalar_tensor_to_scalar(op_name, arg_name, x))


def _scalar_tensor_to_float(op_name: str, arg_name: str, x: Any) -> float:
    return float(_scalar_tensor_to_scalar(op_name, arg_name, x))


def _normalize_int_sequence(op_name: str, arg_name: str, data: Any) -> Any:
    """Ints, some of which may be Tensors of one element."""
    if not isinstance(data, (tuple, list)):
        return data
    return tuple(_scalar_tensor_to_scalar(op_name, arg_name, one) for one in data)
