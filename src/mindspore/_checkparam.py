"""Argument checks by the names that programs import from MindSpore: a value passes and is returned, or an error tells why.

Functions take the value first, as since 1.1. Those of 1.0 that had another order are recognised by their arguments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from typing import Any

import numpy as np

from mindspore._engine.base.dtype import DType
from mindspore._engine.base.python_dtypes import issubclass_
from mindspore._engine.tensor.type_checks import (  # noqa: F401 - programs find them here
    args_type_check,
    check_astype_dtype,
    check_coo_tensor_dtype,
    check_coo_tensor_input,
    check_coo_tensor_shape,
    check_csr_tensor_dtype,
    check_csr_tensor_input,
    check_csr_tensor_shape,
    check_input_data,
    check_input_dataset,
    check_scalar_or_tensor_types_same,
    check_sparse_tensor_input,
    check_tensor_dtype_valid,
    check_tensors_dtypes_same_and_valid,
    check_type_support,
    check_types_same_and_valid,
    check_valid_input,
    is_stub_tensor,
)
from mindspore._utils.compat.earlier_checks import (  # noqa: F401
    check_int_non_negative,
    check_int_positive,
    check_int_zero_one,
    check_padding,
    check_padmode,
    check_tensor_supported_type,
    check_typename,
)
from mindspore._utils.number_checks import (  # noqa: F401
    COMPARED,
    EQ,
    GE,
    GT,
    IN,
    INC_BOTH,
    INC_LEFT,
    INC_NEITHER,
    INC_RIGHT,
    LE,
    LT,
    NE,
    NOT_IN,
    Rel,
    check_equal_int,
    check_float,
    check_float_range,
    check_int,
    check_int_range,
    check_is_float,
    check_is_int,
    check_negative_float,
    check_negative_int,
    check_non_negative_float,
    check_non_negative_int,
    check_non_positive_float,
    check_non_positive_int,
    check_number,
    check_number_range,
    check_positive_float,
    check_positive_int,
    kind_of,
    number,
    who,
)
from mindspore._utils.shape_checks import (  # noqa: F401
    _expand_tuple,
    check_and_canonicalize_axes,
    check_axis_in_range,
    check_axis_type,
    check_axis_valid,
    check_flatten_order,
    check_hook_fn,
    check_input_format,
    check_output_data,
    check_pad_value_by_mode,
    check_reduce_shape,
    check_reshape_shp,
    check_swapaxes_axis,
    check_transpose_axis,
    expanded_shape,
    infer_out_shape,
    max_,
    min_,
    once,
    once_sequence,
    prepare_shape_for_squeeze,
    triple,
    triple_sequence,
    tuple_slice,
    twice,
    twice_sequence,
)


# -- everything else --------------------------------------------------------------------------------------------------
def check(
    arg_name: str,
    arg_value: Any,
    value_name: str,
    value: Any,
    rel: int = EQ,
    prim_name: str | None = None,
    excp_cls: type[Exception] = ValueError,
) -> Any:
    """A value in a relation to another that has a name."""
    sign, holds = COMPARED[rel]
    if not holds(arg_value, value):
        raise excp_cls(f"{who(arg_name, prim_name)} should be {sign} {value_name}: {value}, but got {arg_value}.")
    return arg_value


def check_bool(arg_value: Any, arg_name: Any = None, prim_name: str | None = None) -> bool:
    """True or False: (value, name, owner), in 1.0 (name, value)."""
    if isinstance(arg_value, str) and isinstance(arg_name, bool):
        arg_value, arg_name = arg_name, arg_value
    if not isinstance(arg_value, bool):
        raise TypeError(f"{who(arg_name, prim_name)} must be a bool, but got {kind_of(arg_value)}.")
    return arg_value


def check_string(arg_value: Any, valid_values: Any, arg_name: Any = None, prim_name: str | None = None) -> str:
    """Check for one of the allowed strings: (value, allowed, name, owner), in 1.0 (name, value, allowed, owner)."""
    if isinstance(valid_values, str):
        arg_value, valid_values, arg_name = valid_values, arg_name, arg_value
    if not isinstance(arg_value, str) or arg_value not in valid_values:
        raise ValueError(
            f"{who(arg_name, prim_name)} must be str and must be in '{list(valid_values)}', but got '{arg_value}'."
        )
    return arg_value


def check_value_type(arg_name: str, arg_value: Any, valid_types: Any, prim_name: str | None = None) -> Any:
    """Check for a value of one of the given types; a bool is no number unless bool is among them.

    >>> check_value_type("rate", 1, [float, str], "Net")
    Traceback (most recent call last):
    ...
    TypeError: For 'Net', the type of 'rate' should be one of '['float', 'str']', but got type 'int'.
    """
    types = tuple(valid_types) if isinstance(valid_types, Iterable) else (valid_types,)
    refused = isinstance(arg_value, bool) and bool not in types
    if refused or not isinstance(arg_value, types):
        names = ["None" if kind is None else kind.__name__ for kind in types]
        allowed = f"'{names[0]}'" if len(names) == 1 else f"one of '{names}'"
        owner = f"For '{prim_name}', the" if prim_name else "The"
        raise TypeError(f"{owner} type of '{arg_name}' should be {allowed}, but got type '{kind_of(arg_value)}'.")
    return arg_value


def check_isinstance(arg_name: str, arg_value: Any, classes: Any) -> Any:
    """Check for a value of one of the given classes."""
    if not isinstance(arg_value, classes):
        raise ValueError(f"The parameter '{arg_name}' must be isinstance of {classes}, but got {kind_of(arg_value)}.")
    return arg_value


def check_type_name(arg_name: str, arg_type: Any, valid_types: Any, prim_name: str | None = None) -> Any:
    """A dtype among some."""
    allowed = list(valid_types) if isinstance(valid_types, Collection) else [valid_types]
    if not any(arg_type == kind for kind in allowed):
        names = str(allowed[0]) if len(allowed) == 1 else f"one of {[str(kind) for kind in allowed]}"
        raise TypeError(f"{who(arg_name, prim_name)} should be {names}, but got '{arg_type}'.")
    return arg_type


def check_subclass(
    arg_name: str, type_: Any, template_types: Any, prim_name: str | None = None, addition_error_info: str | None = None
) -> None:
    """Check for a subclass, or a dtype of a kind, of one of the given types."""
    templates = list(template_types) if isinstance(template_types, (list, tuple, set, frozenset)) else [template_types]
    if not any(_is_special(type_, template) for template in templates):
        owner = f"For '{prim_name}', the" if prim_name else "The"
        allowed = str(templates[0]) if len(templates) == 1 else f"one of {templates}"
        more = f" {addition_error_info}" if addition_error_info else ""
        raise TypeError(f"{owner} element of '{arg_name}' must be {allowed}, but got {type_}.{more}")


def _is_special(type_: Any, template: Any) -> bool:
    if isinstance(type_, type) and isinstance(template, type) and not isinstance(template, DType):
        return issubclass(type_, template)
    return issubclass_(type_, template)


def check_str_by_regular(
    target: str, reg: str | None = None, flag: int = re.ASCII, prim_name: str | None = None
) -> bool:
    """A string that matches a regular expression; by default a name of letters, digits and ``_.-`` that begins with none of ``.-``."""
    pattern = reg or r"^\w[0-9a-zA-Z\_\.\-]*$"
    if re.match(pattern, target, flag) is None:
        owner = f"For '{prim_name}', the" if prim_name else "The"
        raise ValueError(f"{owner} '{target}' is illegal, it must match the regular expression '{pattern}'.")
    return True


def check_str_and_none_by_regular(
    target: str | None, reg: str | None = None, flag: int = re.ASCII, prim_name: str | None = None
) -> bool:
    """None, or a string that matches a regular expression."""
    return target is None or check_str_by_regular(target, reg, flag, prim_name)


def check_file_name_by_regular(target: str, reg: str | None = None, prim_name: str | None = None) -> bool:
    """The name of a file, with folders or without."""
    return check_str_by_regular(target, reg or r"^[0-9a-zA-Z@\_\-\.\:\/\\]+$", re.ASCII, prim_name)


def check_is_number(arg_value: Any, arg_type: type, arg_name: str | None = None, prim_name: str | None = None) -> Any:
    """A number of a type, and no NaN or infinity."""
    if isinstance(arg_value, bool) or not isinstance(arg_value, arg_type):
        owner = f"For '{prim_name}', the" if prim_name else "The"
        raise TypeError(f"{owner} type of '{arg_name}' must be '{arg_type.__name__}', but got '{kind_of(arg_value)}'.")
    if isinstance(arg_value, float):
        check_float_legal_value(arg_name or "input value", arg_value, prim_name)
    return arg_value


# -- what is inside of others -------------------------------------------------------------------------------------------
def _check_each(
    sequence: Iterable[Any], check_one: Callable[..., Any], arg_name: str | None, prim_name: str | None
) -> Any:
    for index, value in enumerate(sequence):
        check_one(value, f"{arg_name or 'input value'}[{index}]", prim_name)
    return sequence


def check_positive_int_sequence(sequence: Any, arg_name: str | None = None, prim_name: str | None = None) -> Any:
    """Ints above 0."""
    return _check_each(sequence, check_positive_int, arg_name, prim_name)


def check_non_negative_int_sequence(sequence: Any, arg_name: str | None = None, prim_name: str | None = None) -> Any:
    """Ints of at least 0."""
    return _check_each(sequence, check_non_negative_int, arg_name, prim_name)


def check_positive_float_sequence(sequence: Any, arg_name: str | None = None, prim_name: str | None = None) -> Any:
    """Floats above 0."""
    return _check_each(sequence, check_positive_float, arg_name, prim_name)


def check_element_type_of_iterable(
    arg_name: str, arg_value: Any, valid_types: Any, prim_name: str | None = None
) -> None:
    """A list or tuple whose elements have some types."""
    check_value_type(arg_name, arg_value, [list, tuple], prim_name)
    for index, value in enumerate(arg_value):
        check_value_type(f"{arg_name}[{index}]", value, valid_types, prim_name)


def check_element_type_of_dict(
    arg_name: str, arg_value: Any, key_types: Any, value_types: Any, prim_name: str | None = None
) -> None:
    """A dict whose keys and values have some types."""
    check_value_type(arg_name, arg_value, [dict], prim_name)
    for key, value in arg_value.items():
        check_value_type(f"key of {arg_name}", key, key_types, prim_name)
        check_value_type(f"{arg_name}[{key!r}]", value, value_types, prim_name)


def check_size_and_element_type_of_tuple(
    arg_name: str, arg_value: Any, expect_size: int, expect_element_type: Any, prim_name: str | None = None
) -> None:
    """A tuple of a length whose elements have a type."""
    check_value_type(arg_name, arg_value, [tuple], prim_name)
    check_equal_int(len(arg_value), expect_size, f"{arg_name} size", prim_name)
    check_element_type_of_iterable(arg_name, arg_value, expect_element_type, prim_name)


# -- the spellings of 1.0 ---------------------------------------------------------------------------------------------
def check_integer(arg_name: str, arg_value: Any, value: int, rel: int, prim_name: str | None = None) -> int:
    """An int in a relation to another."""
    return check_int(arg_value, value, rel, arg_name, prim_name)


def check_float_positive(arg_name: str, arg_value: Any, prim_name: str | None = None) -> float:
    """A float above 0."""
    return check_positive_float(arg_value, arg_name, prim_name)


def check_float_legal_value(arg_name: str, arg_value: Any, prim_name: str | None = None) -> float:
    """A float that is a number."""
    number(arg_value, float, arg_name, prim_name)
    if not np.isfinite(arg_value):
        raise ValueError(f"{who(arg_name, prim_name)} must be a legal float, but got '{arg_value}'.")
    return arg_value


class _AllOfTheModule(type):
    """Has whatever the module has: libraries import ``Validator`` where they find it, the module as ``Validator`` elsewhere."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__") or name not in globals():
            raise AttributeError(f"type object 'Validator' has no attribute {name!r}")
        return globals()[name]


class Validator(metaclass=_AllOfTheModule):
    """The checks as methods, as MindSpore 1.x has them.

    Examples:
        >>> from mindspore._checkparam import Validator
        >>> Validator.check_positive_int(3, "depth", "Net")
        3
    """

    check = staticmethod(check)
    check_bool = staticmethod(check_bool)
    check_equal_int = staticmethod(check_equal_int)
    check_float = staticmethod(check_float)
    check_float_legal_value = staticmethod(check_float_legal_value)
    check_float_positive = staticmethod(check_float_positive)
    check_float_range = staticmethod(check_float_range)
    check_int = staticmethod(check_int)
    check_int_range = staticmethod(check_int_range)
    check_integer = staticmethod(check_integer)
    check_is_float = staticmethod(check_is_float)
    check_is_int = staticmethod(check_is_int)
    check_isinstance = staticmethod(check_isinstance)
    check_negative_float = staticmethod(check_negative_float)
    check_negative_int = staticmethod(check_negative_int)
    check_non_negative_float = staticmethod(check_non_negative_float)
    check_non_negative_int = staticmethod(check_non_negative_int)
    check_non_positive_float = staticmethod(check_non_positive_float)
    check_non_positive_int = staticmethod(check_non_positive_int)
    check_number = staticmethod(check_number)
    check_number_range = staticmethod(check_number_range)
    check_positive_float = staticmethod(check_positive_float)
    check_positive_int = staticmethod(check_positive_int)
    check_str_by_regular = staticmethod(check_str_by_regular)
    check_string = staticmethod(check_string)
    check_subclass = staticmethod(check_subclass)
    check_type_name = staticmethod(check_type_name)
    check_value_type = staticmethod(check_value_type)


def _check_3d_int_or_tuple(arg_name: str, arg_value: Any, prim_name: str, allow_five: bool = False, ret_five: bool = False,
                           greater_zero: bool = True, third_one: bool = False, three_input: bool = False,
                           pad_value: int = 1) -> tuple[int, ...]:  # fmt: skip
    """Depth, height and width of a window: an int for all three, or a tuple of three (of five with ``allow_five``).

    >>> _check_3d_int_or_tuple("kernel_size", 2, "Conv3D"), _check_3d_int_or_tuple("stride", 2, "Conv3D", ret_five=True)
    ((2, 2, 2), (1, 1, 2, 2, 2))
    """
    wanted = (
        f"For '{prim_name}', the parameter '{arg_name}' must be an positive integer or a tuple of three "
        f"{'or five ' if allow_five else ''}positive integer, but got {arg_value}"
    )
    if isinstance(arg_value, bool) or not isinstance(arg_value, (int, tuple)):
        raise TypeError(wanted)
    sizes = (arg_value,) * 3 if isinstance(arg_value, int) else arg_value
    if third_one and isinstance(arg_value, int):
        sizes = (1, arg_value, arg_value)
    if len(sizes) == 5 and allow_five:
        sizes = sizes[2:]
    lowest = 1 if greater_zero else 0
    if len(sizes) != 3 or not all(
        isinstance(size, int) and not isinstance(size, bool) and size >= lowest for size in sizes
    ):
        raise ValueError(wanted)
    if third_one and sizes[0] != 1:
        raise ValueError(f"For '{prim_name}', the depth of parameter '{arg_name}' must be 1, but got {sizes[0]}")
    return (pad_value, pad_value, *sizes) if ret_five else sizes
