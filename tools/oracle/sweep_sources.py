"""Empty and 0-d inputs and other axes for what is no operator of its own: numpy, Tensor methods, composed functions.

The calls come from the differential cases (``cases_*.py``): of every function that ``sweep_shapes.py`` does not reach, the
first case, and the first that names an axis.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mindspore._engine.operator.registry import OPS
from tools.oracle.case import Case
from tools.oracle.families import FAMILIES
from tools.oracle.sweep_shapes import Call, bases, variants

AXIS_NAMES = ("axis", "dim", "axes", "dims", "axis0", "axis1", "dim0", "dim1", "source", "destination")


@dataclass(frozen=True)
class Source:
    """A line of code with inputs, as a base to derive calls from."""

    case: Case

    @property
    def form(self) -> str:
        return f"{', '.join(map(str, self.case.inputs.values()))} -> {self.case.source}"

    def variants(self) -> Iterator[Call]:
        arrays = self.case.draw()
        yield self.call("base", self.case.source, arrays)
        for name, array in arrays.items():
            for axis in range(min(array.ndim, 3)):
                empty = {**arrays, name: array.take([], axis)}
                yield self.call(f"empty {name}.{axis}", self.case.source, empty)
            if array.ndim and array.size:
                yield self.call(f"0-d {name}", self.case.source, {**arrays, name: np.array(array.reshape(-1)[0])})
        rank = next(iter(arrays.values())).ndim
        for axis in dict.fromkeys((-1, -rank, rank - 1, rank, -rank - 1)):
            if source := with_axis(self.case.source, axis):
                yield self.call(f"axis={axis}", source, arrays)

    def call(self, label: str, source: str, arrays: dict[str, np.ndarray]) -> Call:
        code = f"lambda {', '.join(arrays)}: {source}"
        return Call(self.form, label, tuple(arrays.values()), code=code)


def with_axis(source: str, axis: int) -> str:
    """The source with its first axis replaced; nothing if it names none."""
    tree = ast.parse(source, mode="eval")
    call = tree.body
    for keyword in call.keywords if isinstance(call, ast.Call) else ():
        if keyword.arg in AXIS_NAMES and isinstance(ast.literal_eval(keyword.value), int):
            keyword.value = ast.Constant(axis)
            return ast.unparse(tree)
    return ""


def head(case: Case) -> str:
    """The function that a case calls; nothing if it is more than a call, or has inputs of its own kind."""
    plain = case.inputs and not any(one.parameter or one.dtype == "bfloat16" for one in case.inputs.values())
    if not plain or ";" in case.source or case.raises or case.waiver or case.oracle_crash or case.not_compared:
        return ""
    tree = ast.parse(case.source, mode="eval").body
    function = tree.func if isinstance(tree, ast.Call) else None
    if isinstance(function, ast.Call):  # a Primitive, made and called
        function = function.func
    return ast.unparse(function) if isinstance(function, ast.Attribute) else ""


def sources() -> Iterator[Source]:
    reached = {base.form for op in OPS.values() for base in bases(op)}
    seen: set[tuple[str, bool]] = set()
    for cases in FAMILIES.values():
        for case in cases:
            name = head(case)
            if not name or name in reached or name.replace("ops.", "P.") in reached:
                continue
            has_axis = bool(with_axis(case.source, 0))
            if (name, has_axis) not in seen:
                seen.update({(name, has_axis), (name, False)})
                yield Source(case)


def forms() -> Iterator[tuple[str, Iterator[Call]]]:
    """All forms and their calls: of the operators, then of the sources."""
    for name in sorted(OPS):
        for base in bases(OPS[name]):
            yield base.form, variants(base)
    for source in sources():
        yield source.form, source.variants()
