"""The table of operators: ``@operator`` declares a function of values for one or several of ONNX's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from mindspore._engine.export.export_file import GraphFileError
from mindspore._engine.tensor.tensor import Tensor

OLDEST, NEWEST = (
    1,
    28,
)  # versions of the operator set that files may have; before 7, where nothing is broadcast in the old way
COVERAGE = "docs/onnx.md"


class OnnxNode:
    """One node of a graph, as its operator sees it: attributes, version of the operator set, number of outputs."""

    __slots__ = ("attributes", "kind", "name", "outputs", "program", "version")

    def __init__(
        self, kind: str, name: str, version: int, outputs: int, attributes: dict[str, Any], program: Any = None
    ):
        self.kind, self.name, self.version, self.outputs = kind, name, version, outputs
        self.attributes, self.program = attributes, program

    def get(self, name: str, default: Any = None) -> Any:
        return self.attributes.get(name, default)

    def flag(self, name: str, default: int = 0) -> bool:
        return bool(self.attributes.get(name, default))

    def refuse(self, what: str) -> Exception:
        """The error for a form that no operator here has."""
        return GraphFileError(
            f"the node '{self.name}' ({self.kind}, opset {self.version}) {what}; {COVERAGE} lists what is read"
        )

    def __repr__(self) -> str:
        return f"{self.kind} '{self.name}'"


class OnnxOperator(NamedTuple):
    """A row of the table."""

    function: Callable[..., Any]  # (node, *values) -> value or values
    known: tuple[int, ...]  # inputs that must be known before the graph runs: shapes, axes; they come as NumPy arrays
    raw: bool  # takes values as they are: arrays, Tensors, lists
    folds: bool  # computed at once where all inputs are known
    untrained: tuple[int, ...]  # inputs whose weights no optimizer changes: moving averages


OPERATORS: dict[str, OnnxOperator] = {}


def operator(*kinds: str, known: Sequence[int] = (), raw: bool = False, folds: bool = True,
             untrained: Sequence[int] = ()) -> Callable[[Callable[..., Any]], Callable[..., Any]]:  # fmt: skip
    """Declare the function of these operators."""

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        for kind in kinds:
            OPERATORS[kind] = OnnxOperator(function, tuple(known), raw, folds, tuple(untrained))
        return function

    return declare


def ints(array: np.ndarray | None) -> list[int]:
    """The numbers of a known 1-D input."""
    return [] if array is None else [int(value) for value in np.asarray(array).reshape(-1)]


def number(array: np.ndarray) -> Any:
    """The number of a known input that has one element."""
    return np.asarray(array).reshape(-1)[0].item()


def is_float(x: Tensor) -> bool:
    return x.is_floating_point()


def positive(axis: int, rank: int) -> int:
    """An axis counted from the front."""
    if not -rank <= axis < max(rank, 1):
        raise ValueError(f"the axis must be from {-rank} to {rank - 1}, but got {axis}.")
    return axis + rank if axis < 0 else axis
