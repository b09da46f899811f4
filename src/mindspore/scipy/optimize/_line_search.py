"""How far to go in a direction: Nocedal and Wright, "Numerical Optimization", algorithms 3.5 and 3.6."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from mindspore import ops
from mindspore._engine.gradients import value_and_grad
from mindspore._engine.state import state
from mindspore._utils.checks import check_callable
from mindspore.common.tensor import Tensor
from mindspore.scipy.utils_const import check_tensor


class LineSearchResults(NamedTuple):
    """Where a search ended; ``a_k`` is the step, ``f_k`` and ``g_k`` are value and gradient there."""

    failed: bool
    nit: int
    nfev: int
    ngev: int
    k: int
    a_k: float
    f_k: float
    g_k: Tensor
    status: int


class Point(NamedTuple):
    """A step, the value there, the slope along the direction, and the gradient."""

    step: float
    value: float
    slope: float
    gradient: Any


def refuse_tracing(owner: str) -> None:
    """The steps depend on values: they are decided on the host."""
    if state.scope is not None:
        raise RuntimeError(
            f"For '{owner}', the steps are decided by values, so it cannot be part of a compiled graph: call it outside "
            "jit and Cell.construct. The function that is minimized may be compiled."
        )


def differentiate(func: Callable[..., Any], jac: Callable[..., Any] | None) -> Callable[[Tensor], tuple[float, Tensor]]:
    """The value as a number and the gradient."""
    both = value_and_grad(func)

    def evaluate(x: Tensor) -> tuple[float, Tensor]:
        value, gradient = both(x) if jac is None else (func(x), jac(x))
        return float(value), gradient

    return evaluate


class _Search:
    """One search along a direction."""

    def __init__(self, evaluate: Callable[..., Any], start: Tensor, direction: Tensor, c1: float, c2: float, most: int):
        self.evaluate, self.start, self.direction = evaluate, start, direction
        self.c1, self.c2, self.most = c1, c2, most
        self.calls = 0

    def at(self, step: float) -> Point:
        value, gradient = self.evaluate(self.start + self.direction * step)
        self.calls += 1
        return Point(step, value, float(ops.tensor_dot(gradient, self.direction, 1)), gradient)

    def too_high(self, origin: Point, point: Point) -> bool:
        """The value has not fallen enough."""
        return point.value > origin.value + self.c1 * point.step * origin.slope

    def flat(self, origin: Point, point: Point) -> bool:
        return abs(point.slope) <= -self.c2 * origin.slope

    def run(self, origin: Point) -> tuple[Point, bool, int]:
        """The point found, whether it satisfies both conditions, and the rounds taken."""
        previous, step = origin, 1.0
        for number in range(1, self.most + 1):
            point = self.at(step)
            if self.too_high(origin, point) or (point.value >= previous.value and number > 1):
                return (*self.zoom(origin, previous, point), number)
            if self.flat(origin, point):
                return point, True, number
            if point.slope >= 0:
                return (*self.zoom(origin, point, previous), number)
            previous, step = point, 2 * step
        return previous, False, self.most

    def zoom(self, origin: Point, low: Point, high: Point) -> tuple[Point, bool]:
        """Narrow the interval in which a good point must be."""
        last: Point | None = None
        point = high
        for _ in range(self.most):
            point = self.at(_trial(low, high, last))
            if self.too_high(origin, point) or point.value >= low.value:
                last, high = high, point
            else:
                if self.flat(origin, point):
                    return point, True
                if point.slope * (high.step - low.step) >= 0:
                    last, high, low = high, low, point
                else:
                    last, low = low, point
        return (low if low.step > 0 else point), False


def _trial(low: Point, high: Point, last: Point | None) -> float:
    """The minimum of a cubic through the points, or of a parabola, or the middle: the first that is well inside."""
    width = high.step - low.step
    ends = sorted((low.step, high.step))
    if last is not None:
        found = _cubic(low, high, last)
        margin = 0.2 * abs(width)
        if ends[0] + margin < found < ends[1] - margin:
            return found
    with np.errstate(all="ignore"):
        curve = (high.value - low.value - low.slope * width) / np.float64(width) ** 2
        found = float(low.step - low.slope / (2 * curve)) if curve > 0 else np.nan
    margin = 0.1 * abs(width)
    return found if ends[0] + margin < found < ends[1] - margin else low.step + width / 2


def _cubic(low: Point, high: Point, last: Point) -> float:
    """Where the cubic with value and slope of ``low`` and the values of the others is least; NaN without such a place."""
    first, second = high.step - low.step, last.step - low.step
    with np.errstate(all="ignore"):
        scale = np.float64(first * second) ** 2 * (first - second)
        rests = [p.value - low.value - low.slope * d for p, d in ((high, first), (last, second))]
        third = (second**2 * rests[0] - first**2 * rests[1]) / scale
        square = (-(second**3) * rests[0] + first**3 * rests[1]) / scale
        return float(low.step + (-square + np.sqrt(square**2 - 3 * third * low.slope)) / (3 * third))


def search(evaluate: Callable[..., Any], x: Tensor, direction: Tensor, value: float, gradient: Tensor,
           c1: float = 1e-4, c2: float = 0.9, maxiter: int = 20) -> LineSearchResults:  # fmt: skip
    """A step along a direction that satisfies the strong Wolfe conditions."""
    looking = _Search(evaluate, x, direction, c1, c2, maxiter)
    origin = Point(0.0, value, float(ops.tensor_dot(gradient, direction, 1)), gradient)
    point, found, rounds = looking.run(origin)
    return LineSearchResults(
        not found, rounds, looking.calls, looking.calls, rounds + 1, point.step, point.value, point.gradient, int(not found)
    )  # fmt: skip


def line_search(f: Callable[[Tensor], Any], xk: Tensor, pk: Tensor, jac: Callable[..., Any] | None = None,
                gfk: Tensor | None = None, old_fval: Any = None, old_old_fval: Any = None, c1: float = 1e-4,
                c2: float = 0.9, maxiter: int = 20) -> LineSearchResults:  # fmt: skip
    """How far to go from a point in a direction: a step that satisfies the strong Wolfe conditions.

    Args:
        f: the function; it takes a vector and gives one number.
        xk: the point.
        pk: the direction, in which the function falls.
        jac: the gradient; found by differentiation unless given.
        gfk, old_fval: gradient and value at the point, where they are known.
        old_old_fval: taken for SciPy's sake.
        c1, c2: how much the value must fall, and how flat the function must have become.
        maxiter: the most steps that are tried.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> from mindspore.scipy.optimize import line_search
        >>> found = line_search(lambda x: ops.square(x).sum(), Tensor([1.0, 2.0]), Tensor([-1.0, -2.0]))
        >>> found.a_k, found.failed
        (1.0, False)
    """
    refuse_tracing("line_search")
    check_callable("line_search", "f", f)
    check_tensor("line_search", "xk", xk)
    check_tensor("line_search", "pk", pk)
    evaluate = differentiate(f, jac)
    spent = 0
    if gfk is None or old_fval is None:
        old_fval, gfk = evaluate(xk)
        spent = 1
    found = search(evaluate, xk, pk, float(old_fval), gfk, c1, c2, maxiter)
    return found._replace(nfev=found.nfev + spent, ngev=found.ngev + spent)
