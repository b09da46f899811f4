"""Argument binding of operators, driven by the annotations of their declarations.

    Array      a Tensor                          Operand    a Tensor or a number; ``Operand | list``: or a list of numbers
    Arrays     a tuple or list of Tensors        Shape      ints, as a tuple, list, int or constant Tensor
    Axis       None, an int or a tuple of ints   DType      a MindSpore dtype (or its name)
    Choice     a str of a few; the body checks   Sizes      an int or a tuple of ints, no list; the body checks
    Ints       ints, as a tuple, list or Tensor  Axis | tuple   as Axis, but no list
    int float bool str                           checked    anything else: any hashable value

Adding ``| None`` makes an argument optional. Tensors become operands of the kernel; the rest is static, part of its cache key.
"""

from __future__ import annotations

import inspect
import operator
import reprlib
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.export import is_symbolic_dim

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.open_sizes import is_exported
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tensor.tensor_input import plain_number
from mindspore._utils.documents.annotation_words import annotation_text, named_text
from mindspore._utils.hints import KEYWORDS
from mindspore._utils.refusals import WrongObject, WrongType, refused
from mindspore._utils.user_call import called_as

# The annotations as types, inside operator bodies.
Array = jax.Array
Operand = Any
Arrays = tuple[jax.Array, ...]
Listed = tuple[jax.Array, ...]
Shape = tuple[int, ...]
Axis = Any
DType = dtypes.DType
Choice = Any
Ints = tuple[int, ...]
Sizes = Any

NUMBERS = (bool, int, float, complex)


class Argument:
    """One argument of an operator: how it is split into kernel operands and cache key, and put together again."""

    tensor = False  # contributes kernel operands
    plain = False  # a Tensor is passed through unchanged

    def __init__(self, name: str, default: Any, optional: bool):
        self.name = name
        self.default = default
        self.optional = optional
        self.old_names: tuple[str, ...] = ()
        self.annotation = "Any"

    def take(self, value: Any, inputs: list[Any], key: list[Any], owner: str) -> None:
        """Append this argument's operands to ``inputs`` and its static part to the cache key."""
        raise NotImplementedError("subclasses must implement take")

    def give(self, supply: Iterator[Any], statics: Iterator[Any]) -> Any:
        """The inverse of ``take``: rebuild the argument for the body."""
        raise NotImplementedError("subclasses must implement give")

    def refuse(self, value: Any, owner: str, allowed: str, kind: type[Exception] = TypeError) -> Exception:
        text = f"For '{owner}', the '{self.name}' must be {allowed}, but got {_in_words(value)}."
        if kind is TypeError:
            kind = WrongType if "Tensor" not in allowed or isinstance(value, Tensor) else WrongObject
        return refused(kind, f"{text}{_advice(value, allowed)}")

    def __str__(self) -> str:
        return named_text(self.name, annotation_text(self.annotation, self.default, self.name), self.default)


def _in_words(value: Any) -> str:
    if isinstance(value, Tensor):
        return "a Tensor"
    if isinstance(value, np.ndarray):
        return f"a NumPy array of dtype {value.dtype} and shape {value.shape}"
    return f"{reprlib.repr(value)} of type {type(value).__name__}"


def _advice(value: Any, allowed: str) -> str:
    """A hint for the commonest mistakes where a Tensor was expected."""
    if "Tensor" not in allowed:
        return ""
    if value is None:
        return " None is what a function or construct without 'return' gives."
    return " Convert it with mindspore.Tensor(...)." if isinstance(value, (np.ndarray, list, tuple)) else ""


class ArrayArgument(Argument):
    tensor = plain = True
    allowed = "a Tensor"

    def take(self, value: Any, inputs: list[Any], key: list[Any], owner: str) -> None:
        if not isinstance(value, Tensor):
            value = self.convert(value, owner)
        inputs.append(value)

    def convert(self, value: Any, owner: str) -> Any:
        raise self.refuse(value, owner, self.allowed)

    def give(self, supply: Iterator[Any], statics: Iterator[Any]) -> Any:
        return next(supply)


class OperandArgument(ArrayArgument):
    allowed = "a Tensor or a number"

    def convert(self, value: Any, owner: str) -> Any:
        if type(value) in NUMBERS:
            return value
        if isinstance(value, np.generic):  # a NumPy scalar is weakly typed, like a Python scalar
            return value.item()
        if isinstance(value, NUMBERS):  # of a derived class, as an IntEnum's members are
            return plain_number(value)
        if isinstance(value, (list, tuple)) and "list" in self.annotation:
            return Tensor(value)
        if is_exported(value):
            return Tensor.wrap(jnp.asarray(value))
        raise self.refuse(value, owner, self.allowed)


class OptionalArgument(Argument):
    """A Tensor argument that may be None."""

    tensor = True

    def __init__(self, inner: Argument):
        super().__init__(inner.name, inner.default, True)
        self.inner, self.annotation = inner, inner.annotation

    def take(self, value: Any, inputs: list[Any], key: list[Any], owner: str) -> None:
        key.append(value is not None)
        if value is not None:
            self.inner.take(value, inputs, key, owner)

    def give(self, supply: Iterator[Any], statics: Iterator[Any]) -> Any:
        return self.inner.give(supply, statics) if next(statics) else None


class ArraysArgument(Argument):
    tensor = True

    def take(self, value: Any, inputs: list[Any], key: list[Any], owner: str) -> None:
        if isinstance(value, Tensor):
            value = tuple(value)
        if not isinstance(value, (tuple, list)) or not all(isinstance(v, Tensor) for v in value):
            raise self.refuse(value, owner, "a tuple or list of Tensors")
        key.append(len(value))
        inputs.extend(value)

    def give(self, supply: Iterator[Any], statics: Iterator[Any]) -> Any:
        return tuple(next(supply) for _ in range(next(statics)))


class ListedArgument(ArraysArgument):
    """Tensors to put together: a single Tensor means a pair of brackets that was forgotten."""

    def take(self, value: Any, inputs: list[Any], key: list[Any], owner: str) -> None:
        if isinstance(value, Tensor):
            raise self.refuse(value, owner, "a tuple or list of Tensors")
        super().take(value, inputs, key, owner)


class StaticArgument(Argument):
    """Any other value; must be hashable once lists became tuples."""

    def take(self, value: Any, inputs: list[Any], key: list[Any], owner: str) -> None:
        value = None if value is None and (self.optional or self.default is None) else self.normal(value, owner)
        key.append(value)
        key.append(type(value))  # 1, 1.0 and True hash equal but are different arguments

    def normal(self, value: Any, owner: str) -> Any:
        return _frozen(value)

    def give(self, supply: Iterator[Any], statics: Iterator[Any]) -> Any:
        value = next(statics)
        next(statics)
        return value


class IntArgument(StaticArgument):
    def normal(self, value: Any, owner: str) -> Any:
        if type(value) is int or is_symbolic_dim(value):
            return value
        if isinstance(value, bool):
            raise self.refuse(value, owner, "an int")
        try:
            return operator.index(value)
        except TypeError:
            raise self.refuse(value, owner, "an int") from None

    def element(self, value: Any, owner: str) -> Any:
        """The same of an element of a sequence, which is refused as a wrong type and a wrong value."""
        if type(value) is int or is_symbolic_dim(value):
            return value
        if isinstance(value, (bool, type)) or not hasattr(value, "__index__"):
            raise self.refuse(value, owner, "an int")
        return IntArgument.normal(self, value, owner)


class FloatArgument(StaticArgument):
    def normal(self, value: Any, owner: str) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float, np.number, Tensor)):
            raise self.refuse(value, owner, "a float")
        return float(value)


class BoolArgument(StaticArgument):
    def normal(self, value: Any, owner: str) -> bool:
        if not isinstance(value, (bool, np.bool_)):
            raise self.refuse(value, owner, "a bool")
        return bool(value)


class StrArgument(StaticArgument):
    def normal(self, value: Any, owner: str) -> str:
        if not isinstance(value, str):
            raise self.refuse(value, owner, "a str")
        return value


class ChoiceArgument(StaticArgument):
    """One of a few words. Anything else is a wrong value to MindSpore, of whatever type, and the body's check lists the words."""


class SizesArgument(StaticArgument):
    """An int for all axes, or a tuple. Its elements are checked in the body: wrong ones are wrong values to MindSpore."""

    def normal(self, value: Any, owner: str) -> Any:
        if isinstance(value, (int, np.integer, tuple)) and not isinstance(value, bool):
            return _frozen(value)
        raise self.refuse(value, owner, "an int or a tuple of ints")


class AxisArgument(IntArgument):
    def normal(self, value: Any, owner: str) -> Any:
        if isinstance(value, (tuple, list)) and not (isinstance(value, list) and "tuple" in self.annotation):
            return tuple(self.element(v, owner) for v in value)
        if value is None:
            return None
        if isinstance(value, Tensor):
            return self.normal(value.tolist(), owner)
        return super().normal(value, owner)


class ShapeArgument(IntArgument):
    def normal(self, value: Any, owner: str) -> tuple[int, ...]:
        if isinstance(value, Tensor):
            value = value.tolist()
        if not isinstance(value, (tuple, list)):
            value = (value,)
        return tuple(self.element(v, owner) for v in value)


class IntsArgument(IntArgument):
    def normal(self, value: Any, owner: str) -> tuple[int, ...]:
        if isinstance(value, Tensor):
            value = value.tolist()
        if not isinstance(value, (tuple, list)):
            raise self.refuse(value, owner, "a tuple or list of ints")
        return tuple(self.element(v, owner) for v in value)


class DTypeArgument(StaticArgument):
    def normal(self, value: Any, owner: str) -> dtypes.DType:
        return dtypes.to_dtype(value, owner, self.name)


def _frozen(value: Any) -> Any:
    """A hashable copy of a static argument."""
    if isinstance(value, (list, tuple)):
        return tuple(_frozen(v) for v in value)
    if isinstance(value, Tensor):
        return _frozen(value.tolist())
    if isinstance(value, np.ndarray):
        return _frozen(value.tolist())
    if isinstance(value, dict):
        return tuple((k, _frozen(v)) for k, v in value.items())
    return value


_KINDS: dict[str, type[Argument]] = {
    "Array": ArrayArgument, "Operand": OperandArgument, "Arrays": ArraysArgument, "Listed": ListedArgument, "Shape": ShapeArgument,
    "Axis": AxisArgument, "Choice": ChoiceArgument, "Sizes": SizesArgument, "Ints": IntsArgument, "DType": DTypeArgument, "int": IntArgument, "float": FloatArgument, "bool": BoolArgument,
    "str": StrArgument,
}  # fmt: skip


def parse_arguments(body: Callable[..., Any]) -> tuple[Argument, ...]:
    """The arguments of an operator's declaration. Annotations are parsed as text, never evaluated."""
    body = inspect.unwrap(body)  # unwrap decorators
    code, annotations = body.__code__, body.__annotations__  # inspect.signature would double the import time
    names = code.co_varnames[: code.co_argcount]
    given = body.__defaults__ or ()
    defaults = (inspect.Parameter.empty,) * (len(names) - len(given)) + given
    found = []
    for name, default in zip(names, defaults, strict=True):
        words = annotations.get(name, "Any").split(" | ")
        optional = "None" in words
        argument: Argument = _KINDS.get(words[0], StaticArgument)(name, default, optional)
        argument.annotation = annotations.get(name, "Any")
        if argument.tensor and (optional or default is None):
            argument = OptionalArgument(argument)
        found.append(argument)
    return tuple(found)


def wrong_call(owner: str, arguments: tuple[Argument, ...], args: tuple, kwargs: dict[str, Any]) -> TypeError:
    """The TypeError for a call that does not match the signature."""
    names = [a.name if a.default is inspect.Parameter.empty else f"{a.name}={a.default!r}" for a in arguments]
    passed = [type(a).__name__ for a in args] + [f"{k}={type(v).__name__}" for k, v in kwargs.items()]
    known = {a.name for a in arguments} | {old for a in arguments for old in a.old_names}
    unknown = [k for k in kwargs if k not in known]
    reason = f" Unknown argument: {', '.join(unknown)}." if unknown else ""
    other = [name for k in unknown for name in KEYWORDS.get(k, ()) if name in known]
    reason += f" Write {other[0]}=..." if other else ""
    return TypeError(
        f"For '{owner}', the arguments must be ({', '.join(names)}), but got ({', '.join(passed)}).{reason}{called_as()}"
    )


def given_twice(title: str, name: str, other: str | None) -> TypeError:
    """The error for an argument that was given by position and by name, or by two of its names."""
    ways = "by position and by name" if other is None else f"as '{other}' and as '{name}', two names of one argument"
    return TypeError(f"For '{title}', the '{name}' was given twice: {ways}. Write one of them.{called_as()}")
