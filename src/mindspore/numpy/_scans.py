"""Running sums and products, differences of neighbours, slopes and areas."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.linalg.numpy_math import numpy_gradient
from mindspore._utils.checks import check_int, check_type
from mindspore._utils.refusals import refused
from mindspore.numpy._inputs import ArrayLike, as_axes, as_axis, as_dtype, as_tensor, cast, floating, same_dtype
from mindspore.numpy.dtypes import bool_, float32, int8, int16, int32, uint8, uint16, uint32


def _along(a: ArrayLike, axis: int | None, owner: str) -> tuple[Tensor, int]:
    """The array and a non-negative axis of it; without an axis the flattened array."""
    tensor = as_tensor(a, owner, "a")
    return (ops.reshape(tensor, (-1,)), 0) if axis is None else (tensor, as_axis(axis, tensor.ndim, owner))


def cumsum(a: ArrayLike, axis: int | None = None, dtype: Any = None) -> Tensor:
    """The sum of all elements up to each element; of small integers and bool in int32.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.cumsum([1, 2, 3]))
        [1 3 6]
    """
    tensor, axis = _along(a, axis, "cumsum")
    wanted = as_dtype(dtype, "cumsum")
    if wanted is None and tensor.dtype in (bool_, int8, int16, uint8, uint16):
        wanted = int32
    return ops.cumsum(cast(tensor, wanted, "cumsum"), axis)


def cumprod(a: ArrayLike, axis: int | None = None, dtype: Any = None) -> Tensor:
    """The product of all elements up to each element; of small integers in 32 bits.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.cumprod([1, 2, 3]))
        [1 2 6]
    """
    tensor, axis = _along(a, axis, "cumprod")
    wanted = as_dtype(dtype, "cumprod")
    if wanted is None and tensor.dtype in (bool_, int8, int16):
        wanted = int32
    elif wanted is None and tensor.dtype in (uint8, uint16):
        wanted = uint32
    tensor = cast(tensor, wanted, "cumprod")
    return ops.cumprod(tensor, axis, tensor.dtype)


def nancumsum(a: ArrayLike, axis: int | None = None, dtype: Any = None) -> Tensor:
    """The sum up to each element, with NaN counted as 0.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.nancumsum([1.0, np.nan, 3.0]))
        [1. 1. 4.]
    """
    tensor = as_tensor(a, "nancumsum", "a")
    if tensor.dtype.is_floating:
        tensor = ops.where(ops.isnan(tensor), ops.zeros_like(tensor), tensor)
    return cumsum(tensor, axis, dtype)


def diff(
    a: ArrayLike, n: int = 1, axis: int = -1, prepend: ArrayLike | None = None, append: ArrayLike | None = None
) -> Tensor:
    """Each element less its predecessor along ``axis``, done ``n`` times.

    Args:
        prepend, append: what to put before and after ``a`` along the axis first.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.diff([1, 4, 9]))
        [3 5]
    """
    tensor = as_tensor(a, "diff", "a")
    if tensor.ndim == 0:
        raise refused(TypeError, "For 'diff', the 'a' must have at least 1 dimension, but got a number.")
    axis = as_axis(axis, tensor.ndim, "diff")
    parts = [
        as_tensor(part, "diff", name) for part, name in ((prepend, "prepend"), (append, "append")) if part is not None
    ]
    before, after = (parts.pop(0) if part is not None else None for part in (prepend, append))
    joined = same_dtype([_slice_of(part, tensor, axis) for part in (before, tensor, after) if part is not None])
    return ops.diff(ops.concat(joined, axis) if len(joined) > 1 else tensor, check_int("diff", "n", n, 0), axis)


def _slice_of(part: Tensor, whole: Tensor, axis: int) -> Tensor:
    """A number broadcast to a slice of the whole."""
    if part.ndim:
        return part
    return ops.broadcast_to(part, tuple(1 if number == axis else n for number, n in enumerate(whole.shape)))


def ediff1d(ary: ArrayLike, to_end: ArrayLike | None = None, to_begin: ArrayLike | None = None) -> Tensor:
    """The differences of neighbours in the flat array, with more before and after.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.ediff1d([1, 2, 4], to_end=[9]))
        [1 2 9]
    """
    flat = ops.reshape(as_tensor(ary, "ediff1d", "ary"), (-1,))
    parts = [flat[1:] - flat[:-1]]
    if to_begin is not None:
        parts.insert(0, ops.reshape(as_tensor(to_begin, "ediff1d", "to_begin"), (-1,)).astype(flat.dtype))
    if to_end is not None:
        parts.append(ops.reshape(as_tensor(to_end, "ediff1d", "to_end"), (-1,)).astype(flat.dtype))
    return ops.concat(parts) if len(parts) > 1 else parts[0]


def gradient(f: ArrayLike, *varargs: float, axis: int | tuple[int, ...] | None = None, edge_order: int = 1) -> Any:
    """The slope along each axis by central differences, one-sided at the ends.

    Args:
        varargs: the distance of neighbours, a number for all axes or one for each; 1 unless given.
        axis: the axis or axes; all of them unless given, which makes the result a list.
        edge_order: 1, the only order there is at the ends.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.gradient([1.0, 4.0, 9.0]))
        [3. 4. 5.]
    """
    if edge_order != 1:
        raise refused(ValueError, f"For 'gradient', the 'edge_order' must be 1, but got {edge_order!r}.")
    tensor = as_tensor(f, "gradient", "f")
    tensor = tensor if tensor.dtype.is_floating else tensor.astype(float32)
    axes = as_axes(axis, tensor.ndim, "gradient")
    if len(varargs) not in (0, 1, len(axes)):
        raise refused(
            TypeError,
            f"For 'gradient', give no distance, one, or one for each axis ({len(axes)}), but got {len(varargs)}.",
        )
    if any(isinstance(step, (list, tuple)) or getattr(step, "ndim", 0) for step in varargs):
        text = (
            "For 'gradient', a distance must be a number, but got coordinates; divide differences by ops.diff of them."
        )
        raise NotImplementedError(text)
    steps = varargs if len(varargs) == len(axes) else (varargs or (1.0,)) * len(axes)
    slopes = [numpy_gradient(tensor, float(step), axis) for axis, step in zip(axes, steps, strict=True)]
    return slopes[0] if len(axes) == 1 else slopes


def trapz(y: ArrayLike, x: ArrayLike | None = None, dx: float = 1.0, axis: int = -1) -> Tensor:
    """The area under a curve by the trapezoidal rule.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.trapz([1.0, 2.0, 3.0]))
        4.0
    """
    heights = floating(y, "trapz", "y")
    check_type("trapz", "dx", dx, (int, float))
    axis = as_axis(axis, heights.ndim, "trapz")
    return ops.trapz(heights, None if x is None else floating(x, "trapz"), float(dx), axis)
