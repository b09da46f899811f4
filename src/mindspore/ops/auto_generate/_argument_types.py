"""The kinds of arguments that generated primitives know by number, and conversion between them.

>>> type_it("op", "size", 3, DT_INT_VAL, DT_TUPLE_INT_VAL)
(3,)
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from typing import Any

from mindspore._engine.tensor.tensor import Tensor
from mindspore.ops._utils.arg_dtype_cast import list_to_tensor, scalar_to_tensor, scalar_to_tuple, tensor_to_tuple

_NUMBERS = ("BOOL", "INT", "FLOAT", "NUMBER", "TENSOR", "STR", "ANY")
_KINDS = {
    "DT_BEGIN": 0,
    **{f"DT_{kind}": 1 + number for number, kind in enumerate(_NUMBERS)},
    **{f"DT_TUPLE_{kind}": 8 + number for number, kind in enumerate(_NUMBERS)},
    **{f"DT_LIST_{kind}": 15 + number for number, kind in enumerate(_NUMBERS)},
    "DT_TYPE": 22,
    "DT_NONE": 23,
    "DT_END": 25,
}
OpDtype = enum.IntEnum("OpDtype", _KINDS)
VALUES = {f"{name}_VAL": number for name, number in _KINDS.items()}
DT_BOOL_VAL, DT_INT_VAL, DT_FLOAT_VAL, DT_NUMBER_VAL, DT_TENSOR_VAL = range(1, 6)
DT_TUPLE_INT_VAL, DT_LIST_INT_VAL = VALUES["DT_TUPLE_INT_VAL"], VALUES["DT_LIST_INT_VAL"]
_WORDS = {
    "BOOL": "bool",
    "INT": "int",
    "FLOAT": "float",
    "NUMBER": "number",
    "TENSOR": "Tensor",
    "STR": "string",
    "ANY": "Any",
}
dtype_to_string = {
    **{VALUES[f"DT_{kind}_VAL"]: _WORDS[kind] for kind in _NUMBERS[:5]},
    **{VALUES[f"DT_TUPLE_{kind}_VAL"]: f"tuple of {_WORDS[kind]}" for kind in _NUMBERS},
    **{VALUES[f"DT_LIST_{kind}_VAL"]: f"list of {_WORDS[kind]}" for kind in _NUMBERS},
}
hidden_handlers = [
    "_scalar_tensor_to_scalar",
    "_scalar_tensor_to_int",
    "_scalar_tensor_to_float",
    "_normalize_int_sequence",
]
_CLASSES: dict[int, Any] = {
    DT_BOOL_VAL: bool, DT_INT_VAL: int, DT_FLOAT_VAL: float, DT_NUMBER_VAL: (int, float), DT_TENSOR_VAL: Tensor,
}  # fmt: skip


def is_tuple(type_id: int) -> bool:
    """Whether a number means tuples.

    >>> is_tuple(DT_TUPLE_INT_VAL)
    True
    """
    return VALUES["DT_TUPLE_BOOL_VAL"] <= type_id <= VALUES["DT_TUPLE_ANY_VAL"]


def is_list(type_id: int) -> bool:
    """Whether a number means lists.

    >>> is_list(DT_TUPLE_INT_VAL)
    False
    """
    return VALUES["DT_LIST_BOOL_VAL"] <= type_id <= VALUES["DT_LIST_ANY_VAL"]


def is_number(type_id: int) -> bool:
    """Whether a number means Python's numbers.

    >>> is_number(DT_FLOAT_VAL)
    True
    """
    return type_id in (DT_INT_VAL, DT_FLOAT_VAL, DT_BOOL_VAL, DT_NUMBER_VAL)


def is_instance_of(data: Any, type_id: int) -> bool:
    """Whether a value is of a kind; what a tuple or list holds does not matter.

    >>> is_instance_of([1], DT_LIST_INT_VAL)
    True
    """
    if is_tuple(type_id):
        return isinstance(data, tuple)
    if is_list(type_id):
        return isinstance(data, list)
    return isinstance(data, _CLASSES[type_id]) if type_id in _CLASSES else True


def is_instance_in(data: Any, type_id: int | Sequence[int]) -> bool:
    """Whether a value is of one of the kinds.

    >>> is_instance_in(1, (DT_FLOAT_VAL, DT_INT_VAL))
    True
    """
    return any(is_instance_of(data, one) for one in _several(type_id))


def _several(type_id: int | Sequence[int]) -> Sequence[int]:
    return [type_id] if isinstance(type_id, int) else type_id


def get_support_dtype_list(src_type: int | Sequence[int], dst_type: int) -> str:
    """The kinds that are accepted, in words.

    >>> get_support_dtype_list(DT_INT_VAL, DT_TUPLE_INT_VAL)
    'int, tuple of int'
    """
    return ", ".join(dtype_to_string[one] for one in (*_several(src_type), dst_type))


def tensor_to_number(data: Tensor, dst_type: int, op_name: str) -> Any:
    """The element of a Tensor of one, as a number.

    >>> tensor_to_number(Tensor(3), DT_FLOAT_VAL, "op")
    3.0
    """
    if data.size != 1:
        raise TypeError(f"For '{op_name}', the Tensor must have one element, but got shape {data.shape}.")
    kind: Callable[[Any], Any] = {DT_FLOAT_VAL: float, DT_INT_VAL: int, DT_BOOL_VAL: bool}.get(
        dst_type, lambda one: one
    )
    return kind(data.item())


def do_type_cast(data: Any, dst_type: int, op_name: str) -> Any:
    """A value in another kind.

    >>> do_type_cast([1, 2], DT_TUPLE_INT_VAL, "op")
    (1, 2)
    """
    if is_instance_of(data, dst_type):
        return data
    if isinstance(data, Tensor) and is_number(dst_type):
        return tensor_to_number(data, dst_type, op_name)
    if dst_type == DT_FLOAT_VAL and isinstance(data, int):
        return float(data)
    if is_tuple(dst_type) or is_list(dst_type):
        many = isinstance(data, (tuple, list))
        as_tuple = tuple(data) if many else tensor_to_tuple(data) if isinstance(data, Tensor) else scalar_to_tuple(data)
        return as_tuple if is_tuple(dst_type) else list(as_tuple)
    if dst_type == DT_TENSOR_VAL:
        return list_to_tensor(list(data)) if isinstance(data, (tuple, list)) else scalar_to_tensor(data)
    raise TypeError(f"For '{op_name}', the value {data!r} cannot become {dtype_to_string.get(dst_type, dst_type)}.")


def type_it(op_name: str, arg_name: str, data: Any, src_type: int | Sequence[int], dst_type: int) -> Any:
    """An argument in the kind that the operator takes, from those that users may give.

    >>> type_it("op", "size", [1, 2], DT_LIST_INT_VAL, DT_TUPLE_INT_VAL)
    (1, 2)
    """
    if not is_instance_in(data, (*_several(src_type), dst_type)):
        allowed = get_support_dtype_list(src_type, dst_type)
        raise TypeError(f"For '{op_name}', the type of '{arg_name}' must be one of [{allowed}], but got {type(data)}.")
    return do_type_cast(data, dst_type, op_name)


def normalize_int_sequence(op_name: str, arg_name: str, data: Any, to_tuple: bool = True) -> Any:
    """A sequence whose Tensors became ints.

    >>> normalize_int_sequence("op", "size", [1, Tensor(2)])
    (1, 2)
    """
    if not isinstance(data, (tuple, list)):
        raise TypeError(f"For '{op_name}', the '{arg_name}' must be a tuple or list of ints, but got {type(data)}.")
    made = [normalize_int_tensor(op_name, arg_name, one) if isinstance(one, Tensor) else one for one in data]
    return tuple(made) if to_tuple else made


def normalize_int_tensor(op_name: str, arg_name: str, data: Any) -> int:
    """The int that a Tensor of one element holds.

    >>> normalize_int_tensor("op", "size", Tensor(3))
    3
    """
    return tensor_to_number(data, DT_INT_VAL, op_name)


def is_shape_unknown(shape: Sequence[int] | None) -> bool:
    """Whether lengths of a shape are known only when the graph runs: -1 for one, -2 for all.

    >>> is_shape_unknown((2, -1)), is_shape_unknown((2, 3))
    (True, False)
    """
    return bool(shape) and any(length < 0 for length in shape or ())


def jit_context() -> None:
    """The compiler that now reads the bytecode of a function: none does here, functions are traced."""
    return None
