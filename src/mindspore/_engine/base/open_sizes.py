"""Symbolic sizes: JAX's symbolic dimensions, evaluating expressions of them, and deciding comparisons while tracing."""

from __future__ import annotations

import functools
import itertools
import sys
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import jax.numpy as jnp
from jax.export import SymbolicScope, is_symbolic_dim, symbolic_shape

LEAST = 2  # sizes 0 and 1 are special: empty arrays and broadcasting


class Undecided(Exception):
    """The program asks about an open size what is true for some sizes only."""


class NotPadded(Exception):
    """A program whose open axes cannot be padded without changing its results."""


class ExportedScope(SymbolicScope):
    """The sizes that an exported graph leaves open, and what a trace found it must take for granted about them."""

    def __init__(self, constraints: Sequence[str] = ()):
        super().__init__(constraints)
        self.wanted: list[str] = []


EXPORTED = ExportedScope()  # kernels cached by symbol serve all graphs that take nothing for granted


def symbols(limits: Sequence[int]) -> list[Any]:
    """A symbol for each open size, from 2 up to its limit."""
    names = [f"n{i}" for i in range(len(limits))]
    bounds = [f"{name} >= {LEAST}" for name in names] + [f"{name} <= {limit}" for name, limit in zip(names, limits)]
    return list(symbolic_shape(",".join(names), scope=SymbolicScope(bounds)))


def is_exported(size: Any) -> bool:
    """Whether a size is open in a graph to export: what it must be at least is left to whoever runs the file."""
    return is_symbolic_dim(size) and isinstance(size.scope, ExportedScope)


def ordered(one: Any, other: Any) -> bool:
    """Whether ``one <= other``. A graph to export that needs to know is traced again, with that for granted."""
    try:
        return bool(one <= other)
    except Exception:  # true for some sizes only
        size = one if is_exported(one) else other
        if is_exported(size):
            size.scope.wanted.append(f"{other} >= {one}")
        return False


@functools.lru_cache(maxsize=4096)
def _code(text: str) -> Any:
    return compile(text.replace("^", "**"), "<size>", "eval")


_FUNCTIONS = {"floordiv": lambda a, b: a // b, "mod": lambda a, b: a % b, "max": max, "min": min}
_TRACED = _FUNCTIONS | {"max": jnp.maximum, "min": jnp.minimum}


def value_of(size: Any, sizes: Mapping[str, Any]) -> Any:
    """What a size comes to for these lengths, which may be traced."""
    if not is_symbolic_dim(size):
        return int(size)
    traced = any(not isinstance(length, int) for length in sizes.values())
    return eval(_code(str(size)), {"__builtins__": {}}, (_TRACED if traced else _FUNCTIONS) | dict(sizes))


def grows(size: Any, limits: Mapping[str, int]) -> bool:
    """Whether a size is nowhere larger than at the limits."""
    text = str(size)
    names = [name for name in limits if name in text]
    if len(names) > 1:
        return not any(word in text for word in ("-", "mod", "min", "max", "floordiv"))
    spans = [range(LEAST, limits[name] + 1) for name in names]
    most = value_of(size, limits)
    return all(value_of(size, dict(zip(names, lengths))) <= most for lengths in itertools.product(*spans))


def mentions_open(jaxpr: Any) -> bool:
    """Whether an open size occurs anywhere in a program."""
    inner = getattr(jaxpr, "jaxpr", jaxpr)
    for equation in inner.eqns:
        shapes = [getattr(v.aval, "shape", ()) for v in (*equation.invars, *equation.outvars)]
        if any(map(is_open, shapes)) or any(_open_in(value) for value in equation.params.values()):
            return True
    return any(is_open(getattr(v.aval, "shape", ())) for v in inner.invars)


def _open_in(value: Any) -> bool:
    if hasattr(value, "eqns") or hasattr(value, "jaxpr"):
        return mentions_open(value)
    if isinstance(value, (tuple, list)):
        return any(map(_open_in, value))
    return is_symbolic_dim(value)


def is_open(shape: Sequence[Any]) -> bool:
    """Whether a shape has an open axis."""
    return any(map(is_symbolic_dim, shape))


@contextmanager
def decided(symbol: Any):
    """Comparisons outside of JAX must have one answer for all sizes.

    JAX answers ``size == 7`` with False where it cannot tell, and takes any expression for true: inside JAX an error follows
    when that is wrong, in a program nothing would.
    """
    kind: Any = type(symbol)
    equal, unequal = kind.__eq__, kind.__ne__

    def strict_equal(self: Any, other: Any) -> bool:
        same = equal(self, other)
        if not same and _is_asked_outside() and (is_symbolic_dim(other) or isinstance(other, (int, float))):
            _tell_apart(self, other)
        return same

    def strict_unequal(self: Any, other: Any) -> bool:
        return not strict_equal(self, other) if _is_asked_outside() else unequal(self, other)

    def truth(self: Any) -> bool:
        if _is_asked_outside():
            _tell_apart(self, 0)
        return True

    kind.__eq__, kind.__ne__, kind.__bool__ = strict_equal, strict_unequal, truth
    try:
        yield
    finally:
        kind.__eq__, kind.__ne__ = equal, unequal
        del kind.__bool__


def _is_asked_outside() -> bool:
    frame = sys._getframe(2)
    while frame is not None and frame.f_globals.get("__name__") == __name__:
        frame = frame.f_back
    return frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] != "jax"


def _tell_apart(size: Any, other: Any) -> None:
    for is_larger in (size.__gt__, size.__lt__):
        try:
            if is_larger(other):
                return
        except Exception:  # inconclusive
            continue
    raise Undecided(f"whether a size is {other} is asked, which holds for some sizes only")
