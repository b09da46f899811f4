"""Checks that the Cells of a transformer share: of arguments when they are made, of inputs when they are called."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from mindspore._utils.checks import check_float_range, check_positive_int, shown
from mindspore._utils.refusals import WrongObject, refused
from mindspore.common import dtype as mstype
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell

FLOATS = (mstype.float32, mstype.float16)


# -- what old programs import -----------------------------------------------------------------------------------------
def _args_type_validator_check(*checks: Any, **named_checks: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate a function so that ``check(value, name)`` is called for the arguments given here by name.

    Examples:
        >>> from mindspore.nn.transformer.layers import _args_type_validator_check, _valid_type_checks
        >>> @_args_type_validator_check(size=_valid_type_checks([int], "f"))
        ... def f(size, text=""):
        ...     return size
        >>> f(3)
        3
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(function)
        expected = _by_name(signature, signature.bind_partial(*checks, **named_checks))

        @functools.wraps(function)
        def checked(*args: Any, **kwargs: Any) -> Any:
            for name, value in _by_name(signature, signature.bind(*args, **kwargs)).items():
                if name in expected:
                    expected[name](value, name)
            return function(*args, **kwargs)

        return checked

    return decorate


def _by_name(signature: inspect.Signature, bound: inspect.BoundArguments) -> dict[str, Any]:
    """Arguments by their own names, also those that ``**kwargs`` collects."""
    arguments = dict(bound.arguments)
    for parameter in signature.parameters.values():
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            arguments.update(arguments.pop(parameter.name, {}))
    return arguments


def _valid_type_checks(types: Sequence[type], class_name: str) -> Callable[[Any, str], None]:
    """A check that a value has one of these types."""
    names = ", ".join(kind.__name__ for kind in types)

    def check(value: Any, name: str) -> None:
        if not isinstance(value, tuple(types)):
            raise refused(
                TypeError, f"For '{class_name}', the type of '{name}' must be one of {names}, but got {shown(value)}."
            )

    return check


def _valid_value_checks(types: Sequence[Any], class_name: str) -> Callable[[Any, str], None]:
    """A check that a value is one of these."""
    names = ", ".join(map(str, types))

    def check(value: Any, name: str) -> None:
        if value not in types:
            raise refused(TypeError, f"For '{class_name}', the '{name}' must be one of {names}, but got {value}.")

    return check


def _check_input_dtype(input_dtype: Any, param_name: str, allow_dtypes: Sequence[Any], cls_name: str) -> None:
    """The dtype of an input must be one of these."""
    if input_dtype not in allow_dtypes:
        allowed = ", ".join(map(str, allow_dtypes))
        raise refused(
            TypeError, f"For '{cls_name}', the dtype of '{param_name}' must be one of {allowed}, but got {input_dtype}."
        )


# -- arguments --------------------------------------------------------------------------------------------------------
def check_sizes(owner: str, **sizes: Any) -> None:
    """Ints of at least 1."""
    for name, size in sizes.items():
        check_positive_int(owner, name, size)


def check_rates(owner: str, **rates: Any) -> None:
    """Probabilities to drop something: less than 1."""
    for name, rate in rates.items():
        check_float_range(owner, name, rate, 0.0, 1.0, include_high=False)


def check_float_types(owner: str, **dtypes: Any) -> None:
    """Float32 or Float16."""
    for name, dtype in dtypes.items():
        _valid_value_checks(FLOATS, owner)(dtype, name)


def check_multiples(owner: str, of: str, divisor: int, **sizes: int) -> None:
    """Sizes that are split into equal parts."""
    for name, size in sizes.items():
        if size % divisor:
            raise refused(
                ValueError, f"For '{owner}', the '{name}' must be a multiple of {of}, but got {size} and {divisor}."
            )


def check_config(owner: str, config: Any, *types: type) -> None:
    """A parallel configuration of the right kind."""
    _valid_type_checks(types, owner)(config, "parallel_config")


def check_activation(owner: str, name: str, activation: Any) -> None:
    """A name, or a class of Cells."""
    if not isinstance(activation, str) and not (isinstance(activation, type) and issubclass(activation, Cell)):
        raise refused(
            TypeError, f"For '{owner}', the '{name}' must be a str or a class of Cells, but got {shown(activation)}."
        )


# -- inputs -----------------------------------------------------------------------------------------------------------
def check_rows(owner: str, name: str, x: Tensor, length: int, width: int) -> None:
    """Vectors of this width: (batch, length, width), or (batch * length, width)."""
    _check_input_dtype(x.dtype, name, FLOATS, owner)
    shape = x.shape
    fits = len(shape) in (2, 3) and shape[-1] == width
    if not fits or (shape[1] != length if len(shape) == 3 else shape[0] % length):
        raise refused(
            ValueError,
            f"For '{owner}', the '{name}' must have shape (batch, {length}, {width}) or (batch * {length}, {width}), but "
            f"got {shape}.",
        )


def check_mask(owner: str, name: str, mask: Any, length: int, columns: int) -> None:
    """None, or a mask of shape (batch, length, columns), or a mask per head."""
    if mask is None:
        return
    _check_input_dtype(mask.dtype, name, FLOATS, owner)
    if mask.ndim not in (3, 4) or mask.shape[-2:] != (length, columns):
        raise refused(
            ValueError,
            f"For '{owner}', the '{name}' must have shape (batch, {length}, {columns}), but got {mask.shape}.",
        )


def check_past(owner: str, use_past: bool, name: str, value: Any, default: Any, dtype: Any = None) -> None:
    """An input that belongs to ``use_past``: a Tensor with it, the default without."""
    if use_past and not isinstance(value, Tensor):
        raise refused(
            WrongObject,
            f"For '{owner}', the '{name}' must be a Tensor when 'use_past' is True, but got {shown(value)}.",
        )
    if not use_past and value is not default:
        raise refused(
            TypeError,
            f"For '{owner}', the '{name}' must be {default} when 'use_past' is False, but got {shown(value)}.",
        )
    if use_past and dtype is not None:
        _check_input_dtype(value.dtype, name, (dtype,), owner)
