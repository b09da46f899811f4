"""Every operator with every dtype: the variants, derived from the cases that the operators declare.

The first case of an operator that has arrays is taken as it is and with its arrays in other dtypes: all together, by
pairs, one against a Python number, and the indices alone. Real MindSpore and this package answer the same calls.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

DTYPES = ("bool", "int8", "uint8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64")
INDEX_DTYPES = ("bool", "uint8", "int16", "int32", "int64", "float32")
HALVES = ("float16", "bfloat16", "float64")  # of which gradients are taken
# Pairs for operators that are no plain arithmetic: their inputs either may differ, or must not.
FEW_PAIRS = (("float32", "float16"), ("float16", "float32"), ("float32", "float64"), ("float32", "int32"), ("int32", "float32"),
             ("bool", "float32"))  # fmt: skip
NUMBERS = (2, 1.5, True)


@dataclass(frozen=True)
class Typed:
    """An array that is handed over as a Tensor of a dtype that NumPy may not have."""

    dtype: str
    values: np.ndarray

    @property
    def as_json(self) -> dict[str, Any]:
        flat = self.values.reshape(-1)
        numbers = flat.view("float32").tolist() if self.dtype == "complex64" else flat.tolist()
        return {"tensor": self.dtype, "shape": list(self.values.shape), "values": numbers}


@dataclass(frozen=True)
class Variant:
    """One call: a short name and the arguments, arrays as `Typed`."""

    name: str
    args: tuple
    kwargs: dict[str, Any]
    gradient: tuple[int, ...] = ()  # of these arguments


def cast(array: np.ndarray, dtype: str) -> Typed:
    """The same array in another dtype; fractions of floating point become small whole numbers."""
    if array.dtype.name == dtype:
        return Typed(dtype, array)
    kind, real = array.dtype.kind, np.real(array)
    if dtype == "bool":
        return Typed(dtype, array > 0.7 if kind == "f" else array % 2 == 1 if kind in "iu" else real > 0)
    if dtype.startswith(("int", "uint")):
        whole = np.trunc(real * 3) if kind in "fc" else array
        with np.errstate(invalid="ignore"):  # of nan; what it becomes is the same on both sides
            return Typed(dtype, (np.abs(whole) if dtype.startswith("u") else whole).astype(dtype))
    if dtype == "bfloat16":
        bits = np.ascontiguousarray(real.astype("float32")).view("uint32") & 0xFFFF0000
        return Typed(dtype, bits.view("float32").reshape(array.shape))
    return Typed(dtype, (array if dtype == "complex64" else real).astype(dtype))


def typed(value: Any) -> Any:
    """The value with its arrays as they are."""
    if isinstance(value, np.ndarray):
        return cast(value, value.dtype.name)
    return type(value)(typed(one) for one in value) if isinstance(value, (list, tuple)) else value


def in_dtype(value: Any, kinds: str, dtype: str) -> Any:
    """The value with its arrays of these kinds in another dtype."""
    if isinstance(value, np.ndarray):
        return cast(value, dtype if value.dtype.kind in kinds else value.dtype.name)
    return type(value)(in_dtype(one, kinds, dtype) for one in value) if isinstance(value, (list, tuple)) else value


def kinds_of(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return "".join(kinds_of(one) for one in value)
    return value.dtype.kind if isinstance(value, np.ndarray) else ""


def variants(args: tuple, kwargs: dict[str, Any], numbers_too: bool) -> Iterator[Variant]:
    """All variants of a case. ``numbers_too``: the first two arguments may be Python numbers."""
    kinds = kinds_of([*args, *kwargs.values()])
    main = "fc" if set(kinds) & set("fc") else "biu"
    yield Variant("own", *_all(typed, args, kwargs))
    for dtype in DTYPES:
        yield Variant(dtype, *_all(lambda value, dtype=dtype: in_dtype(value, main, dtype), args, kwargs))
    if main == "fc" and set(kinds) & set("iu"):
        for dtype in INDEX_DTYPES:
            yield Variant(
                f"index {dtype}", *_all(lambda value, dtype=dtype: in_dtype(value, "iu", dtype), args, kwargs)
            )
    yield from _mixed(args, kwargs, main, numbers_too)
    places = tuple(
        [place for place, value in enumerate(args) if isinstance(value, np.ndarray) and value.dtype.kind == "f"]
    )
    if places:
        for dtype in HALVES:
            call = _all(lambda value, dtype=dtype: in_dtype(value, "f", dtype), args, kwargs)
            yield Variant(f"gradient {dtype}", *call, gradient=places)


def _all(change: Any, args: tuple, kwargs: dict[str, Any]) -> tuple[tuple, dict[str, Any]]:
    return tuple([change(value) for value in args]), {name: change(value) for name, value in kwargs.items()}


def _mixed(args: tuple, kwargs: dict[str, Any], main: str, numbers_too: bool) -> Iterator[Variant]:
    places = [place for place, value in enumerate(args) if isinstance(value, np.ndarray) and value.dtype.kind in main]
    if len(places) < 2:
        return
    one, other = places[:2]
    given, named = _all(typed, args, kwargs)

    def call(first: Any, second: Any) -> tuple[tuple, dict[str, Any]]:
        return tuple([first if i == one else second if i == other else v for i, v in enumerate(given)]), named

    pairs = [(a, b) for a in DTYPES for b in DTYPES if a != b] if numbers_too else FEW_PAIRS
    for a, b in pairs:
        yield Variant(f"{a} {b}", *call(cast(args[one], a), cast(args[other], b)))
    if numbers_too:
        for dtype in DTYPES:
            for number in NUMBERS:
                yield Variant(f"{dtype} {number}", *call(cast(args[one], dtype), number))
                yield Variant(f"{number} {dtype}", *call(number, cast(args[other], dtype)))
