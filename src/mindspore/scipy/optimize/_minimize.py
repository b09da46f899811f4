"""Minimization of a function of several variables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from mindspore import ops
from mindspore._engine.execution.tape import paused
from mindspore._utils.checks import check_callable, check_positive_int, check_type, suggestion
from mindspore.common.tensor import Tensor
from mindspore.scipy.optimize._lagrange import minimize_lagrange
from mindspore.scipy.optimize._line_search import choose, differentiate, number, plain, search, times, whole
from mindspore.scipy.utils_const import check_tensor


class OptimizeResults(NamedTuple):
    """The result of a minimization: the point, whether it is a minimum, value, gradient, and the work done.

    The numbers among them are Python's; in a graph they are Tensors.
    """

    x: Tensor
    success: Any
    status: Any
    fun: Any
    jac: Tensor
    hess_inv: Tensor | None
    nfev: Any
    njev: Any
    nit: Any


class _DenseInverse:
    """The inverse Hessian as a matrix (BFGS)."""

    def __init__(self, x: Tensor):
        self.identity = ops.eye(x.shape[0], x.shape[0], x.dtype)

    def begin(self) -> Tensor:
        return self.identity

    def times(self, matrix: Tensor, gradient: Tensor) -> Tensor:
        return ops.matmul(matrix, gradient)

    def learned(self, matrix: Tensor, step: Tensor, change: Tensor) -> Tensor:
        """The matrix updated with the change of the gradient along a step; a step without curvature is skipped."""
        curvature = ops.tensor_dot(step, change, 1)
        left = self.identity - ops.outer(step, change) / curvature
        new = ops.matmul(ops.matmul(left, matrix), left.T) + ops.outer(step, step) / curvature
        return choose(number(curvature) > 0, new, matrix)


class _RecentInverse:
    """The inverse Hessian as the last steps (LBFGS), the newest last, and how many of them there are so far."""

    def __init__(self, x: Tensor, size: int):
        self.size = size
        self.empty = ops.zeros((size, x.shape[0]), x.dtype)

    def begin(self) -> tuple[Tensor, Tensor, Any]:
        return self.empty, self.empty, whole(0)

    def times(self, kept: tuple[Tensor, Tensor, Any], gradient: Tensor) -> Tensor:
        steps, changes, count = kept
        curvatures, indices = (steps * changes).sum(1), ops.arange(self.size)

        def down(number: Tensor, carried: tuple[Any, ...]) -> tuple[Any, ...]:
            result, factors = carried
            index = self.size - 1 - number
            factor = (steps[index] * result).sum() / curvatures[index]
            return result - changes[index] * factor, ops.where(indices == index, factor, factors)

        def up(number: Tensor, carried: tuple[Any, ...]) -> tuple[Any, ...]:
            result, factors = carried
            index = self.size - _index(count) + number
            return result + steps[index] * (
                factors[index] - (changes[index] * result).sum() / curvatures[index]
            ), factors

        result, factors = self._each(down, count, (gradient, ops.zeros_like(curvatures)))
        scale = curvatures[-1] / ops.square(changes[-1]).sum()
        return self._each(up, count, (choose(count > 0, result * scale, result), factors))[0]

    @staticmethod
    def _each(step: Callable[..., Any], count: Any, begin: Any) -> Any:
        """A loop over the kept steps; the number is a Tensor in both modes, so that no step is a program of its own."""
        upper = count if isinstance(count, Tensor) else int(count)
        return ops.ForiLoop()(0, upper, lambda number, carried: step(_index(number), carried), begin, False)

    def learned(self, kept: tuple[Tensor, Tensor, Any], step: Tensor, change: Tensor) -> tuple[Any, ...]:
        *rows, count = kept
        useful = number(ops.tensor_dot(step, change, 1)) > 0
        added = [ops.concat((old[1:], new.expand_dims(0))) for old, new in zip(rows, (step, change), strict=True)]
        more = choose(count < self.size, count + 1, count)
        return choose(useful, (*added, more), kept)


def _index(number: Any) -> Tensor:
    return number if isinstance(number, Tensor) else Tensor(int(number))


def _descend(evaluate: Callable[..., Any], x: Tensor, inverse: Any, maxiter: int | None, norm: float, gtol: float,
             line_search_maxiter: int) -> OptimizeResults:  # fmt: skip
    """Quasi-Newton steps until the gradient is short enough: a loop, which a graph compiles as a loop."""
    most = 200 * x.shape[0] if maxiter is None else maxiter
    going, enough, stuck = -1, 1, 5  # what the status says, beside 0 for a minimum

    def status_of(gradient: Tensor, rounds: Any) -> Any:
        is_minimum = number(ops.norm(gradient, norm)) < gtol
        return choose(is_minimum, whole(0), choose(rounds >= most, whole(enough), whole(going)))

    def round_of(now: dict[str, Any]) -> dict[str, Any]:
        x, value, gradient, known = now["x"], now["value"], now["gradient"], now["known"]
        direction = -inverse.times(known, gradient)
        found = search(evaluate, x, direction, value, gradient, maxiter=line_search_maxiter)
        lower = ~found.failed | (found.f_k < value)
        step = choose(lower, times(direction, found.a_k), ops.zeros_like(x))
        gradient_after = choose(lower, found.g_k, gradient)
        rounds = now["rounds"] + 1
        return {
            "status": choose(lower, status_of(gradient_after, rounds), whole(stuck)),
            "calls": now["calls"] + found.nfev, "rounds": rounds, "x": x + step,
            "value": choose(lower, found.f_k, value), "gradient": gradient_after,
            "known": inverse.learned(known, step, gradient_after - gradient),
        }  # fmt: skip

    value, gradient = evaluate(x)
    zero = whole(0)
    last = ops.WhileLoop()(lambda now: now["status"] == going, round_of, {
        "status": status_of(gradient, zero), "calls": zero + 1, "rounds": zero, "x": x, "value": value,
        "gradient": gradient, "known": inverse.begin(),
    })  # fmt: skip
    status, calls = plain(last["status"]), plain(last["calls"])
    return OptimizeResults(
        last["x"], status == 0, status, plain(last["value"]), last["gradient"],
        last["known"] if isinstance(inverse, _DenseInverse) else None, calls, calls, plain(last["rounds"]),
    )  # fmt: skip


def _bfgs(evaluate: Callable[..., Any], x: Tensor, maxiter: int | None = None, norm: float = np.inf,
          gtol: float = 1e-5, line_search_maxiter: int = 10) -> OptimizeResults:  # fmt: skip
    return _descend(evaluate, x, _DenseInverse(x), maxiter, norm, gtol, line_search_maxiter)


def _lbfgs(evaluate: Callable[..., Any], x: Tensor, history_size: int = 20, maxiter: int | None = None,
           norm: float = np.inf, gtol: float = 1e-5, line_search_maxiter: int = 10) -> OptimizeResults:  # fmt: skip
    size = check_positive_int("minimize", "history_size", history_size)
    return _descend(evaluate, x, _RecentInverse(x, size), maxiter, norm, gtol, line_search_maxiter)


_METHODS = {"bfgs": _bfgs, "lbfgs": _lbfgs, "lagrange": minimize_lagrange}
_COMMON = ("maxiter", "norm", "gtol", "line_search_maxiter")
_OPTIONS = {
    "bfgs": _COMMON,
    "lbfgs": ("history_size", *_COMMON),
    "lagrange": ("save_tol", "obj_weight", "lower", "upper", "learning_rate", "coincide_func", "rounds", "steps",
                 "log_sw"),
}  # fmt: skip


def _check(func: Any, x0: Any, args: Any, method: Any, options: Any) -> str:
    check_callable("minimize", "func", func)
    check_tensor("minimize", "x0", x0)
    check_type("minimize", "args", args, tuple)
    check_type("minimize", "options", options, (Mapping, type(None)))
    if method is None:
        raise ValueError("For 'minimize', the 'method' must be given: 'BFGS', 'LBFGS' or 'LAGRANGE'.")
    check_type("minimize", "method", method, str)
    if method.lower() not in _METHODS:
        hint = suggestion(method.upper(), [name.upper() for name in _METHODS])
        raise ValueError(
            f"For 'minimize', the 'method' must be 'BFGS', 'LBFGS' or 'LAGRANGE', but got {method!r}.{hint}"
        )
    if method.lower() != "lagrange" and x0.ndim != 1:
        raise ValueError(f"For 'minimize', the 'x0' must have 1 dimension, but got shape {x0.shape}.")
    if not x0.is_floating_point():
        raise TypeError(f"For 'minimize', the 'x0' must hold floating-point numbers, but got {x0.dtype}.")
    for name in options or {}:
        if name not in _OPTIONS[method.lower()]:
            allowed = _OPTIONS[method.lower()]
            raise TypeError(
                f"For 'minimize', the options of {method!r} are {allowed}, but got {name!r}.{suggestion(name, allowed)}"
            )
    return method.lower()


def minimize(func: Callable[..., Any], x0: Tensor, args: tuple[Any, ...] = (), method: str | None = None,
             jac: Callable[..., Any] | None = None, hess: Any = None, hessp: Any = None, bounds: Any = None,
             constraints: Any = (), tol: float | None = None, callback: Any = None,
             options: Mapping[str, Any] | None = None) -> Any:  # fmt: skip
    """The minimum of a function, searched from a first guess; in a graph it is a compiled loop.

    Args:
        func: the function ``func(x, *args)``; it returns a scalar.
        x0: the first guess.
        args: further arguments of ``func``.
        method: 'BFGS', 'LBFGS' or 'LAGRANGE', which takes ``constraints``.
        jac: the gradient ``jac(x, *args)``; found by differentiation unless given.
        hess, hessp, bounds, callback: taken for SciPy's sake, they change nothing, as in MindSpore.
        constraints: for 'LAGRANGE': functions that shall be below 0.
        tol: taken for SciPy's sake; the gradient's length is ``options["gtol"]``.
        options: ``maxiter``, ``norm``, ``gtol``, ``line_search_maxiter``, and ``history_size`` of 'LBFGS'; of
            'LAGRANGE' ``save_tol``, ``obj_weight``, ``lower``, ``upper``, ``learning_rate``, ``coincide_func``,
            ``rounds``, ``steps`` and ``log_sw``.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.scipy.optimize import minimize
        >>> def func(p):
        ...     x, y = p
        ...     return (x - 1.0) ** 2 + (y + 2.0) ** 2
        >>> result = minimize(func, Tensor([0.0, 0.0]), method="BFGS")
        >>> print(result.x.round(), result.success)
        [ 1. -2.] True
    """
    name = _check(func, x0, args, method, options)
    chosen = dict(options or {})
    if name == "lagrange":
        check_type("minimize", "constraints", constraints, (tuple, list))
        with paused():
            return minimize_lagrange(lambda x, *more: func(x, *more, *args), x0, list(constraints), **chosen)
    gradient = None if jac is None else (lambda x: check_callable("minimize", "jac", jac)(x, *args))
    with paused():  # the way to a minimum is not differentiated, as in MindSpore
        return _METHODS[name](differentiate(lambda x: func(x, *args), gradient), x0, **chosen)
