"""How far to go in a direction: Nocedal and Wright, "Numerical Optimization", algorithms 3.5 and 3.6."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from mindspore import ops
from mindspore._engine.execution.tape import paused
from mindspore._engine.tracing.traced_kernel import tracing
from mindspore._engine.transforms.gradients import value_and_grad
from mindspore._utils.checks import check_callable
from mindspore.common import dtype as mstype
from mindspore.common.tensor import Tensor
from mindspore.scipy.utils_const import check_tensor


class LineSearchResults(NamedTuple):
    """Where a search ended; ``a_k`` is the step, ``f_k`` and ``g_k`` are value and gradient there.

    All but the gradient are Python numbers; in a graph, Tensors.
    """

    failed: Any
    nit: Any
    nfev: Any
    ngev: Any
    k: Any
    a_k: Any
    f_k: Any
    g_k: Tensor
    status: Any


class Point(NamedTuple):
    """A step, the value there, the slope along the direction, and the gradient."""

    step: Any
    value: Any
    slope: Any
    gradient: Tensor


def number(value: Any) -> Any:
    """A number in float64, since steps are chosen by small differences: NumPy's, in a graph a Tensor."""
    if isinstance(value, Tensor) and value.size != 1:
        raise ValueError(f"For 'line_search', 'f' must return one number, but got a Tensor of shape {value.shape}.")
    if tracing():
        return (value if isinstance(value, Tensor) else Tensor(value)).reshape(()).astype(mstype.float64)
    return np.float64(value.asnumpy().reshape(()) if isinstance(value, Tensor) else value)


def whole(value: int) -> Any:
    """A whole number that a loop counts with or decides by."""
    return Tensor(value, mstype.int64) if tracing() else np.int64(value)


def times(tensor: Tensor, factor: Any) -> Tensor:
    """A Tensor times a number of :func:`number`."""
    return tensor * (factor.astype(tensor.dtype) if isinstance(factor, Tensor) else float(factor))


def choose(condition: Any, first: Any, second: Any) -> Any:
    """Select between two Points, numbers or Tensors."""
    if not isinstance(condition, Tensor):
        return first if condition else second
    if isinstance(first, tuple):
        members = [choose(condition, left, right) for left, right in zip(first, second, strict=True)]
        return Point(*members) if isinstance(first, Point) else tuple(members)
    return ops.where(condition, first, second)


def plain(value: Any) -> Any:
    """A Python number; in a graph, where it is not known yet, the Tensor."""
    return value if isinstance(value, Tensor) else value.item()


def differentiate(func: Callable[..., Any], jac: Callable[..., Any] | None) -> Callable[[Tensor], tuple[Any, Tensor]]:
    """The value and the gradient."""
    both = value_and_grad(func)

    def evaluate(x: Tensor) -> tuple[Any, Tensor]:
        value, gradient = both(x) if jac is None else (func(x), jac(x))
        return number(value), gradient

    return evaluate


_BRACKETING, _ZOOMING, _DONE = 0, 1, 2


class _Search:
    """A search along a direction, as a loop that evaluates one point per round, so that it can be compiled.

    First steps are doubled until a good point must lie between two of them, then this interval is narrowed.
    """

    def __init__(self, evaluate: Callable[..., Any], start: Tensor, direction: Tensor, c1: float, c2: float, most: int,
                 origin: Point):  # fmt: skip
        self.evaluate, self.start, self.direction = evaluate, start, direction
        self.c1, self.c2, self.most = c1, c2, most
        self.origin = origin

    def at(self, step: Any) -> Point:
        value, gradient = self.evaluate(self.start + times(self.direction, step))
        return Point(step, value, number(ops.tensor_dot(gradient, self.direction, 1)), gradient)

    def too_high(self, point: Point) -> Any:
        """The value has not fallen enough."""
        return point.value > self.origin.value + self.c1 * point.step * self.origin.slope

    def flat(self, point: Point) -> Any:
        return abs(point.slope) <= -self.c2 * self.origin.slope

    def run(self) -> dict[str, Any]:
        """The point found as ``point``, whether it satisfies both conditions, and the work done."""
        zero, origin = whole(0), self.origin
        begin = {
            "mode": zero, "found": zero > 0, "rounds": zero, "zooms": zero, "next": number(1.0),
            "point": origin, "low": origin, "high": origin, "last": origin,
        }  # fmt: skip
        with np.errstate(all="ignore"):  # an extremum that does not exist is NaN
            return ops.WhileLoop()(lambda now: now["mode"] < _DONE, self._round, begin)

    def _round(self, now: dict[str, Any]) -> dict[str, Any]:
        point = self.at(now["next"])
        zooming = now["mode"] == _ZOOMING
        bracketed, zoomed = self._bracket(now, point), self._zoom(now, point)
        after = {name: choose(zooming, zoomed[name], bracketed[name]) for name in bracketed}
        inside = _trial(after["low"], after["high"], after["last"], zooming)
        after["next"] = choose(after["mode"] == _ZOOMING, inside, 2 * now["next"])
        return {name: after[name] for name in now}

    def _bracket(self, now: dict[str, Any], point: Point) -> dict[str, Any]:
        previous = now["point"]
        beyond = self.too_high(point) | ((point.value >= previous.value) & (now["rounds"] > 0))
        good = ~beyond & self.flat(point)
        behind = beyond | (~good & (point.slope >= 0))
        ends = good | (now["rounds"] + 1 >= self.most)
        return {
            "mode": choose(behind, whole(_ZOOMING), choose(ends, whole(_DONE), whole(_BRACKETING))), "found": good,
            "rounds": now["rounds"] + 1, "zooms": now["zooms"], "point": point,
            "low": choose(beyond, previous, point), "high": choose(beyond, point, previous), "last": now["last"],
        }  # fmt: skip

    def _zoom(self, now: dict[str, Any], point: Point) -> dict[str, Any]:
        low, high = now["low"], now["high"]
        above = self.too_high(point) | (point.value >= low.value)
        good = ~above & self.flat(point)
        turned = point.slope * (high.step - low.step) >= 0
        ends = good | (now["zooms"] + 1 >= self.most)
        new_low = choose(above, low, point)
        better = ~good & (new_low.step > 0)
        return {
            "mode": choose(ends, whole(_DONE), whole(_ZOOMING)), "found": good, "rounds": now["rounds"],
            "zooms": now["zooms"] + 1, "point": choose(ends & better, new_low, point), "low": new_low,
            "high": choose(above, point, choose(turned, low, high)), "last": choose(above | turned, high, low),
        }  # fmt: skip


def _trial(low: Point, high: Point, last: Point, has_last: Any) -> Any:
    """The minimum of a cubic through the points, or of a parabola, or the middle: the first that is well inside."""
    cubic, parabola = _cubic(low, high, last), _parabola(low, high)
    middle = low.step + (high.step - low.step) / 2
    second = choose(_inside(parabola, low, high, 0.1), parabola, middle)
    return choose(has_last & _inside(cubic, low, high, 0.2), cubic, second)


def _inside(found: Any, low: Point, high: Point, margin: float) -> Any:
    """Whether a step is well between two others; NaN is not."""
    below = choose(low.step < high.step, low.step, high.step)
    width = abs(high.step - low.step)
    return (below + margin * width < found) & (found < below + width - margin * width)


def _parabola(low: Point, high: Point) -> Any:
    """Where the parabola with value and slope of ``low`` and the value of ``high`` is least, if it has a minimum."""
    width = high.step - low.step
    curve = (high.value - low.value - low.slope * width) / width**2
    return choose(curve > 0, low.step - low.slope / (2 * curve), number(np.nan))


def _cubic(low: Point, high: Point, last: Point) -> Any:
    """Where the cubic with value and slope of ``low`` and the values of the others is least; NaN without a minimum."""
    first, second = high.step - low.step, last.step - low.step
    scale = (first * second) ** 2 * (first - second)
    rests = [p.value - low.value - low.slope * d for p, d in ((high, first), (last, second))]
    third = (second**2 * rests[0] - first**2 * rests[1]) / scale
    square = (-(second**3) * rests[0] + first**3 * rests[1]) / scale
    return low.step + (-square + (square**2 - 3 * third * low.slope) ** 0.5) / (3 * third)


def search(evaluate: Callable[..., Any], x: Tensor, direction: Tensor, value: Any, gradient: Tensor,
           c1: float = 1e-4, c2: float = 0.9, maxiter: int = 20) -> LineSearchResults:  # fmt: skip
    """A step along a direction that satisfies the strong Wolfe conditions; its numbers are those of :func:`number`."""
    origin = Point(number(0.0), value, number(ops.tensor_dot(gradient, direction, 1)), gradient)
    found = _Search(evaluate, x, direction, c1, c2, maxiter, origin).run()
    calls, rounds = found["rounds"] + found["zooms"], found["rounds"]
    failed = ~found["found"]
    step, value, _, gradient = found["point"]
    status = choose(failed, whole(1), whole(0))
    return LineSearchResults(failed, rounds, calls, calls, rounds + 1, step, value, gradient, status)


def line_search(f: Callable[[Tensor], Any], xk: Tensor, pk: Tensor, jac: Callable[..., Any] | None = None,
                gfk: Tensor | None = None, old_fval: Any = None, old_old_fval: Any = None, c1: float = 1e-4,
                c2: float = 0.9, maxiter: int = 20) -> LineSearchResults:  # fmt: skip
    """How far to go from a point in a direction: a step that satisfies the strong Wolfe conditions.

    Args:
        f: the function; it takes a vector and returns a scalar.
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
    check_callable("line_search", "f", f)
    check_tensor("line_search", "xk", xk)
    check_tensor("line_search", "pk", pk)
    evaluate = differentiate(f, jac)
    with paused():
        known = gfk is not None and old_fval is not None
        value, gradient = evaluate(xk) if gfk is None or old_fval is None else (number(old_fval), gfk)
        found = search(evaluate, xk, pk, value, gradient, c1, c2, maxiter)
    spent = 0 if known else 1
    return LineSearchResults(*[
        member if name == "g_k" else plain(member + spent if name in ("nfev", "ngev") else member)
        for name, member in found._asdict().items()
    ])  # fmt: skip
