"""Forward-mode transforms on top of ``jvp``: Taylor mode (``jet``) and ``linearize``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.graph import jit
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing import invoke
from mindspore._engine.tracing.traced_kernel import ones_like
from mindspore._engine.transforms.gradients import jvp


def jet(fn: Callable[..., Any], primals: Any, series: Any) -> tuple:
    """Derivatives of ``fn`` along a curve, up to the order given by ``series``.

    Args:
        fn: a function or Cell of Tensors.
        primals: the point, a Tensor or a tuple of Tensors. Integers become floats.
        series: for each of them, the derivatives of the curve at this point, first to n-th, along axis 0. Ones and then
            zeros give the derivatives of ``fn`` itself.

    Returns:
        ``fn``'s output, and its derivatives, first to n-th, along axis 0.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> value, derivatives = ops.jet(lambda x: x ** 3, Tensor([2.0]), Tensor([[1.0], [0.0], [0.0]]))
        >>> print(value, derivatives.flatten())
        [8.] [12. 12.  6.]
    """
    points = [_floating("primals", x) for x in (primals if isinstance(primals, (tuple, list)) else (primals,))]
    curves = [_floating("series", x) for x in (series if isinstance(series, (tuple, list)) else (series,))]
    _check_series(points, curves)
    if jit.compiles_now():
        identity = ("jet", jit.identity_of(fn))
        return jit.call_compiled(functools.partial(_jet, fn), (points, curves), {}, identity, (fn,))
    return _jet(fn, points, curves)


def _jet(fn: Callable[..., Any], points: list[Tensor], curves: list[Tensor]) -> tuple:
    def along(time: Tensor) -> Any:
        """The function on the curve: the point plus its derivatives times t^k / k!."""
        moved = []
        for point, curve in zip(points, curves, strict=True):
            power = ones_like(time)
            for order, derivative in enumerate(curve, start=1):
                power = power * time / order
                point = point + derivative * power.astype(point.dtype)
            moved.append(point)
        return invoke.invoke(fn, tuple(moved), {})

    orders, current = [], along
    for _ in range(curves[0].shape[0]):
        current = _derived(current)
        orders.append(current(Tensor(0.0, points[0].dtype)))
    return invoke.invoke(fn, tuple(points), {}), _stacked(orders)


def _derived(function: Callable[[Tensor], Any]) -> Callable[[Tensor], Any]:
    return lambda time: jvp(function, time, ones_like(time))[1]


def _stacked(orders: list[Any]) -> Any:
    """Stack the derivatives of every output along a new leading axis."""
    if isinstance(orders[0], (tuple, list)):
        return tuple(Tensor(list(same)) for same in zip(*orders, strict=True))
    return Tensor(orders)


def _floating(name: str, tensor: Any) -> Tensor:
    if not isinstance(tensor, Tensor):
        raise TypeError(f"For 'jet', the '{name}' must be a Tensor or a tuple of Tensors, but got {tensor!r}.")
    return tensor if tensor.dtype.is_floating else tensor.astype(dtypes.float32)


def _check_series(points: list[Tensor], curves: list[Tensor]) -> None:
    if len(points) != len(curves):
        raise ValueError(
            f"For 'jet', the 'series' must hold one Tensor per Tensor of 'primals', {len(points)}, but got {len(curves)}."
        )
    for point, curve in zip(points, curves, strict=True):
        if curve.ndim == 0 or curve.shape[1:] != point.shape or curve.shape[0] != curves[0].shape[0]:
            raise ValueError(
                "For 'jet', the 'series' must have the shape of the 'primals' with the number of orders in front, (n, "
                f"*{point.shape}), the same n for all, but got {curve.shape}."
            )


def linearize(fn: Callable[..., Any], inputs: Any) -> tuple[Any, Callable[..., Any]]:
    """``fn``'s output at ``inputs``, and the function that maps a direction to the derivative along it.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> output, jvp_fn = ops.linearize(lambda x: x * x, Tensor([1.0, 2.0]))
        >>> print(output, jvp_fn(Tensor([1.0, 10.0])))
        [1. 4.] [ 2. 40.]
    """
    points = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
    for point in points:
        if not isinstance(point, Tensor):
            raise TypeError(
                f"For 'linearize', the 'inputs' must be a Tensor or a tuple or list of Tensors, but got {point!r}."
            )

    def jvp_fn(*v: Any) -> Any:
        directions = tuple(v[0]) if len(v) == 1 and isinstance(v[0], (tuple, list)) else v
        return jvp(fn, points, directions)[1]

    return invoke.invoke(fn, points, {}), jvp_fn
