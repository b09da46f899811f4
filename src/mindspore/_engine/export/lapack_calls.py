"""The sizes of LAPACK calls in a graph from a file: jaxlib's bindings take those of the first operand for granted.

A result that is smaller than the routine makes it would be written beyond its end. Each routine has a rule here that gives,
from batch axes and sizes of the matrix, the shapes of all operands and results.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore._engine.export.export_file import GraphFileError

Shape = tuple[int, ...]
Shapes = list[Shape]
Rule = Callable[["LapackOperand"], tuple[Shapes, Shapes] | None]  # shapes of operands and results; None: impossible

_FULL, _THIN, _NONE, _VECTORS = map(ord, "ASNV")


class LapackOperand:
    """The first operand of a call, and the attributes of the call."""

    def __init__(self, target: str, operands: Shapes, results: Shapes, attributes: dict[str, int]):
        *batch, self.rows, self.columns = operands[0]
        self.batch, self.complex = tuple(batch), target[7] in "cz"
        self.least = min(self.rows, self.columns)
        self.operands, self.results, self.attributes = operands, results, attributes

    def of(self, *sizes: int) -> Shape:
        """A shape with the batch axes in front."""
        return (*self.batch, *sizes)

    @property
    def own(self) -> Shape:
        return self.of(self.rows, self.columns)


def _square(results: Callable[[LapackOperand, int], Shapes]) -> Rule:
    return lambda x: ([x.own], results(x, x.rows)) if x.rows == x.columns else None


def _any_matrix(results: Callable[[LapackOperand], Shapes]) -> Rule:
    return lambda x: ([x.own], results(x))


def _orgqr(x: LapackOperand) -> tuple[Shapes, Shapes] | None:
    reflectors = x.operands[1][-1] if len(x.operands) == 2 and x.operands[1] else x.columns + 1
    return ([x.own, x.of(reflectors)], [x.own]) if reflectors <= x.columns <= x.rows else None


def _gesdd(x: LapackOperand) -> tuple[Shapes, Shapes] | None:
    mode = x.attributes.get("mode")
    full = [x.of(x.rows, x.rows), x.of(x.columns, x.columns)]
    thin = [x.of(x.rows, x.least), x.of(x.least, x.columns)]
    if mode not in (_FULL, _THIN, _NONE):
        return None
    vectors = full if mode == _FULL or (mode == _NONE and x.results[2:4] == full) else thin
    return [x.own], [x.own, x.of(x.least), *vectors, x.of()]


def _gehrd(x: LapackOperand) -> tuple[Shapes, Shapes] | None:
    low, high = x.attributes.get("low", 0), x.attributes.get("high", 0)
    fits = x.rows == x.columns and 1 <= low <= high <= x.rows
    return ([x.own], [x.own, x.of(x.rows - 1), x.of()]) if fits else None


def _gees(x: LapackOperand) -> tuple[Shapes, Shapes] | None:
    if x.rows != x.columns or x.attributes.get("sort") != _NONE or x.attributes.get("mode") not in (_NONE, _VECTORS):
        return None
    values = [x.of(x.rows)] * (1 if x.complex else 2)
    return [x.own], [x.own, x.own, *values, x.of(), x.of()]


def _geev(x: LapackOperand) -> tuple[Shapes, Shapes] | None:
    values = [x.of(x.rows)] * (1 if x.complex else 2)
    return ([x.own], [*values, x.own, x.own, x.of()]) if x.rows == x.columns else None


def _trsm(x: LapackOperand) -> tuple[Shapes, Shapes] | None:
    right = x.operands[1] if len(x.operands) == 2 else ()
    side = {ord("L"): -2, ord("R"): -1}.get(x.attributes.get("side", 0))
    if side is None or len(right) != len(x.own) or right[:-2] != x.batch or not x.rows == x.columns == right[side]:
        return None
    return [x.own, right], [right]


_RULES: dict[str, Rule] = {
    "potrf": _square(lambda x, n: [x.own, x.of()]),
    "geqrf": _any_matrix(lambda x: [x.own, x.of(x.least)]),
    "getrf": _any_matrix(lambda x: [x.own, x.of(x.least), x.of()]),
    "syevd": _square(lambda x, n: [x.own, x.of(n), x.of()]),
    "sytrd": _square(lambda x, n: [x.own, x.of(n), x.of(n - 1), x.of(n - 1), x.of()]),
    "gesdd": _gesdd, "orgqr": _orgqr, "gehrd": _gehrd, "gees": _gees, "geev": _geev, "trsm": _trsm,
}  # fmt: skip
_SAME = {"ungqr": "orgqr", "heevd": "syevd", "hetrd": "sytrd"}


def check(target: str, operands: Shapes, results: Shapes, attributes: dict[str, int]) -> None:
    """Refuse a call whose operands and results do not fit each other.

    >>> check("lapack_spotrf_ffi", [(2, 3, 3)], [(2, 3, 3), (2,)], {})
    """
    routine = target[8:-4]  # lapack_<kind><routine>_ffi
    expected = _expected(target, _SAME.get(routine, routine), operands, results, attributes)
    if expected != (operands, results):
        raise GraphFileError(
            f"it calls '{target}' with operands of shapes {operands} and results of shapes {results}, which do not fit each other"
        )


def _expected(target: str, routine: str, operands: Shapes, results: Shapes, attributes: Any) -> Any:
    if routine == "gtsv":  # three diagonals, and the right-hand sides
        *batch, rows, _ = operands[-1] if operands and len(operands[-1]) > 1 else (0, 0)
        given = [(*batch, rows)] * 3 + [operands[-1]] if operands else []
        return given, [*given, tuple(batch)]
    if not operands or len(operands[0]) < 2:
        return None
    return _RULES[routine](LapackOperand(target, operands, results, attributes))
