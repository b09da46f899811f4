"""Minimization of a function of several variables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from mindspore import ops
from mindspore._utils.checks import check_callable, check_positive_int, check_type, suggestion
from mindspore.common.tensor import Tensor
from mindspore.scipy.optimize._lagrange import minimize_lagrange
from mindspore.scipy.optimize._line_search import differentiate, refuse_tracing, search
from mindspore.scipy.utils_const import check_tensor


class OptimizeResults(NamedTuple):
    """Where a minimization ended: the place, whether it is a minimum, value, gradient, and the work done."""

    x: Tensor
    success: bool
    status: int
    fun: float
    jac: Tensor
    hess_inv: Tensor | None
    nfev: int
    njev: int
    nit: int


class _DenseInverse:
    """The inverse Hessian as a matrix (BFGS)."""

    def __init__(self, x: Tensor):
        self.one = ops.eye(x.shape[0], x.shape[0], x.dtype)
        self.matrix = self.one

    def times(self, gradient: Tensor) -> Tensor:
        return ops.matmul(self.matrix, gradient)

    def learn(self, step: Tensor, change: Tensor) -> None:
        """Take in how the gradient changed along a step."""
        curvature = float(ops.tensor_dot(step, change, 1))
        if curvature <= 0:  # nothing is learned from a step without curvature
            return
        left = self.one - ops.outer(step, change) / curvature
        self.matrix = ops.matmul(ops.matmul(left, self.matrix), left.T) + ops.outer(step, step) / curvature


class _RecentInverse:
    """The inverse Hessian as the last steps (LBFGS)."""

    matrix = None

    def __init__(self, size: int):
        self.size = size
        self.kept: list[tuple[Tensor, Tensor, float]] = []

    def times(self, gradient: Tensor) -> Tensor:
        result, factors = gradient, []
        for step, change, curvature in reversed(self.kept):
            factors.append(ops.tensor_dot(step, result, 1) / curvature)
            result = result - change * factors[-1]
        if self.kept:
            _, change, curvature = self.kept[-1]
            result = result * (curvature / ops.tensor_dot(change, change, 1))
        for (step, change, curvature), factor in zip(self.kept, reversed(factors), strict=True):
            result = result + step * (factor - ops.tensor_dot(change, result, 1) / curvature)
        return result

    def learn(self, step: Tensor, change: Tensor) -> None:
        curvature = float(ops.tensor_dot(step, change, 1))
        if curvature > 0:
            self.kept = [*self.kept, (step, change, curvature)][-self.size :]


def _length(gradient: Tensor, norm: float) -> float:
    return float(np.linalg.norm(gradient.asnumpy(), norm))


def _descend(evaluate: Callable[..., Any], x: Tensor, inverse: Any, maxiter: int | None, norm: float, gtol: float,
             line_search_maxiter: int) -> OptimizeResults:  # fmt: skip
    """Quasi-Newton steps until the gradient is short enough."""
    maxiter = 200 * x.shape[0] if maxiter is None else maxiter
    value, gradient = evaluate(x)
    calls, rounds, status = 1, 0, 0
    while _length(gradient, norm) >= gtol:
        if rounds >= maxiter:
            status = 1
            break
        direction = -inverse.times(gradient)
        found = search(evaluate, x, direction, value, gradient, maxiter=line_search_maxiter)
        calls += found.nfev
        rounds += 1
        step = direction * found.a_k
        if found.failed and not found.f_k < value:
            status = 5  # the search found nothing lower
            break
        inverse.learn(step, found.g_k - gradient)
        x, value, gradient = x + step, found.f_k, found.g_k
    return OptimizeResults(x, status == 0, status, value, gradient, inverse.matrix, calls, calls, rounds)


def _bfgs(evaluate: Callable[..., Any], x: Tensor, maxiter: int | None = None, norm: float = np.inf,
          gtol: float = 1e-5, line_search_maxiter: int = 10) -> OptimizeResults:  # fmt: skip
    return _descend(evaluate, x, _DenseInverse(x), maxiter, norm, gtol, line_search_maxiter)


def _lbfgs(evaluate: Callable[..., Any], x: Tensor, history_size: int = 20, maxiter: int | None = None,
           norm: float = np.inf, gtol: float = 1e-5, line_search_maxiter: int = 10) -> OptimizeResults:  # fmt: skip
    size = check_positive_int("minimize", "history_size", history_size)
    return _descend(evaluate, x, _RecentInverse(size), maxiter, norm, gtol, line_search_maxiter)


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


def minimize(func: Callable[..., Any], x0: Tensor, args: tuple = (), method: str | None = None,
             jac: Callable[..., Any] | None = None, hess: Any = None, hessp: Any = None, bounds: Any = None,
             constraints: Any = (), tol: float | None = None, callback: Any = None,
             options: Mapping[str, Any] | None = None) -> Any:  # fmt: skip
    """The place where a function is least, found from a first guess.

    Args:
        func: the function ``func(x, *args)``; it gives one number.
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
    refuse_tracing("minimize")
    name = _check(func, x0, args, method, options)
    chosen = dict(options or {})
    if name == "lagrange":
        check_type("minimize", "constraints", constraints, (tuple, list))
        return minimize_lagrange(lambda x, *more: func(x, *more, *args), x0, list(constraints), **chosen)
    gradient = None if jac is None else (lambda x: check_callable("minimize", "jac", jac)(x, *args))
    return _METHODS[name](differentiate(lambda x: func(x, *args), gradient), x0, **chosen)
