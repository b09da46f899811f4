"""What a differential case is: a line of MindSpore code and a description of its inputs.

A case never holds input values. It holds shapes, dtypes and ranges; the values come from a generator seeded by the
case's name, so real MindSpore and this package see the same numbers and the recorded data stay small.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

FLOATS = ("float16", "bfloat16", "float32", "float64")
# float32 first: the first dtype of a family meets every shape, the others only the first shape.
ALL_DTYPES = ("float32", "float16", "bfloat16", "float64", "int32", "int64", "uint8", "bool")
REAL_DTYPES = ("float32", "float16", "bfloat16", "float64", "int32", "int64", "uint8")
FLOAT_DTYPES = ("float32", "float16", "bfloat16", "float64")
HALF_DTYPES = ("float32", "float16", "float64")
INPUT_NAMES = ("x", "y", "z", "w")

DEFAULT_RANGE = {"float": (-2.0, 2.0), "int": (-5, 6), "uint": (0, 11)}


@dataclass(frozen=True)
class Array:
    """One input: `dtype` and `shape` with values drawn from [low, high), or the literal `values`."""

    dtype: str
    shape: tuple[int, ...] = ()
    low: float | None = None
    high: float | None = None
    values: Any = None
    parameter: bool = False

    def __str__(self) -> str:
        kind = "Parameter " if self.parameter else ""
        if self.values is not None:
            return f"{kind}{self.dtype}={self.values}".replace(" ", "")
        bounds = "" if self.low is None else f"({self.low}..{self.high})"
        return f"{kind}{self.dtype}[{','.join(map(str, self.shape))}]{bounds}"

    def draw(self, random: np.random.RandomState) -> np.ndarray:
        """The NumPy value; bfloat16 is drawn as float32 and cast by whoever makes the Tensor."""
        numpy_dtype = "float32" if self.dtype == "bfloat16" else self.dtype
        if self.values is not None:
            return np.array(self.values, dtype=numpy_dtype)
        if self.dtype == "bool":
            return random.randint(0, 2, self.shape).astype(bool)
        kind = self.dtype.rstrip("0123456789").removeprefix("b")
        low, high = DEFAULT_RANGE["float" if kind == "float" else kind]
        low, high = (low, high) if self.low is None else (self.low, self.high)
        if kind == "float":
            return (low + (high - low) * random.random_sample(self.shape)).astype(numpy_dtype)
        return random.randint(int(low), int(high), self.shape).astype(numpy_dtype)


@dataclass(frozen=True)
class Case:
    """One comparison.

    source: statements separated by `;`, the last one an expression: the result. Inputs appear under their names;
        `ms`, `ops`, `P`, `F`, `C`, `Tensor`, `Parameter`, `nan`, `inf` are there too.
    gradient: "" for none, "weighted" for the gradient of the outputs times fixed random weights, "sum" for their sum.
    tolerance: relative and absolute, where that of the dtype is too strict.
    raises: the call must fail; a tuple of names lists the error types that are accepted besides the recorded one.
    eager_only: why the case cannot run in a compiled function (result shapes that depend on values).
    not_compared: why the values are left out of the comparison (dtype and shape still count).
    waiver: why this package does something else on purpose; the case is recorded and run, nothing is compared.
    oracle_crash: why real MindSpore must not even be asked (it takes the process down or never returns).
    text: also compare `str` and `repr` of the outputs.
    eager: run eagerly even though another case has the same source (see `check.eager_sample`).
    """

    source: str
    inputs: dict[str, Array] = field(default_factory=dict)
    gradient: str = ""
    tolerance: float | None = None
    raises: bool | tuple[str, ...] = False
    eager_only: str = ""
    not_compared: str = ""
    gradient_not_compared: str = ""
    waiver: str = ""
    oracle_crash: str = ""
    text: bool = False
    eager: bool = False

    @property
    def name(self) -> str:
        described = " ".join(f"{name}={array}" for name, array in self.inputs.items())
        return f"{self.source} | {described}" if described else self.source

    @property
    def seed(self) -> int:
        return zlib.crc32(self.name.encode())

    def draw(self) -> dict[str, np.ndarray]:
        random = np.random.RandomState(self.seed)
        return {name: array.draw(random) for name, array in self.inputs.items()}

    @property
    def differentiable(self) -> list[str]:
        """Names of the inputs the gradient is taken for."""
        return [name for name, array in self.inputs.items() if array.dtype in FLOATS and not array.parameter]


def array(dtype: str, *shape: int, low: float | None = None, high: float | None = None) -> Array:
    return Array(dtype, shape, low, high)


def f32(*shape: int, low: float | None = None, high: float | None = None) -> Array:
    return Array("float32", shape, low, high)


def i32(*shape: int, low: float | None = None, high: float | None = None) -> Array:
    return Array("int32", shape, low, high)


def i64(*shape: int, low: float | None = None, high: float | None = None) -> Array:
    return Array("int64", shape, low, high)


def mask(*shape: int) -> Array:
    return Array("bool", shape)


def literal(values: Any, dtype: str = "float32") -> Array:
    return Array(dtype, values=values)


def parameter(dtype: str, *shape: int) -> Array:
    return Array(dtype, shape, parameter=True)


def case(source: str, *arrays: Array, **options: Any) -> Case:
    """A case whose inputs are named x, y, z, w in order; options that are Arrays become further named inputs."""
    inputs = dict(zip(INPUT_NAMES, arrays, strict=False))
    inputs.update({name: value for name, value in options.items() if isinstance(value, Array)})
    return Case(source, inputs, **{name: value for name, value in options.items() if not isinstance(value, Array)})


def over(
    source: str,
    shapes: Sequence[Sequence[Any]],
    dtypes: Sequence[str] = ("float32",),
    low: float | None = None,
    high: float | None = None,
    **options: Any,
) -> list[Case]:
    """One source over shapes and dtypes: the first dtype with every shape, the others with the first shape.

    An entry of `shapes` is a shape (one input) or a tuple of shapes (several inputs).
    """
    cases = []
    for dtype in dtypes:
        for entry in shapes if dtype == dtypes[0] else shapes[:1]:
            several = bool(entry) and isinstance(entry[0], tuple)
            floating = dtype in FLOATS
            arrays = [
                Array(dtype, tuple(shape), low if floating else None, high if floating else None)
                for shape in (entry if several else (entry,))
            ]
            changed = options if floating else {**options, "gradient": ""}
            cases.append(case(source, *arrays, **changed))
    return cases


def several(sources: str, **options: Any) -> list[Case]:
    """Many sources, one per line, over the same inputs, given by name."""
    return [case(source.strip(), **options) for source in sources.strip().splitlines()]
