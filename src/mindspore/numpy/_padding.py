"""Padding."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.linalg.numpy_arrays import numpy_pad
from mindspore._utils.checks import check_one_of, shown
from mindspore._utils.refusals import refused
from mindspore.numpy._choices import apply_along_axis
from mindspore.numpy._inputs import ArrayLike, as_tensor

_MODES = ("constant", "edge", "empty", "linear_ramp", "maximum", "mean", "minimum", "reflect", "symmetric", "wrap")


def pad(arr: ArrayLike, pad_width: Any, mode: Any = "constant", stat_length: Any = None, constant_values: Any = 0,
        end_values: Any = 0, reflect_type: str = "even", **kwargs: Any) -> Tensor:  # fmt: skip
    """More elements before and after each axis.

    Args:
        pad_width: how many: a number, ``(before, after)``, or such a pair for each axis.
        mode: where they come from: 'constant', 'edge', 'empty', 'linear_ramp', 'maximum', 'mean', 'minimum', 'reflect',
            'symmetric' or 'wrap', or a function of a vector, its pair of widths, the axis and ``kwargs``.
        stat_length: of how many elements at the edge 'maximum', 'mean' and 'minimum' are taken; of all unless given.
        constant_values, end_values: the numbers of 'constant' and the last ones of 'linear_ramp', given like
            the widths.
        reflect_type: 'even', or 'odd' to mirror in the edge's value too.

    Examples:
        >>> import mindspore.numpy as np
        >>> print(np.pad([1, 2, 3], (1, 2)))
        [0 1 2 3 0 0]
    """
    tensor = as_tensor(arr, "pad", "arr")
    pairs = _pairs(pad_width, tensor.ndim, "pad_width")
    if any(n < 0 or int(n) != n for pair in pairs for n in pair):
        raise refused(ValueError, f"For 'pad', the 'pad_width' must hold ints >= 0, but got {shown(pad_width)}.")
    pairs = tuple((int(before), int(after)) for before, after in pairs)
    if callable(mode):
        padded = numpy_pad(tensor, pairs, "constant", 0, 0, 0, "even")
        for axis, pair in enumerate(pairs):
            padded = apply_along_axis(mode, axis, padded, pair, axis, kwargs)
        return padded
    check_one_of("pad", "mode", mode, _MODES)
    check_one_of("pad", "reflect_type", reflect_type, ("even", "odd"))
    lengths = 0 if stat_length is None else _pairs(stat_length, tensor.ndim, "stat_length")
    constants, ends = (
        _pairs(constant_values, tensor.ndim, "constant_values"),
        _pairs(end_values, tensor.ndim, "end_values"),
    )
    return numpy_pad(tensor, pairs, mode, lengths, constants, ends, reflect_type)


def _pairs(values: Any, ndim: int, name: str) -> tuple[tuple[Any, Any], ...]:
    """A pair for each axis, from a number, a pair, or as many pairs."""
    try:
        array = values.asnumpy() if isinstance(values, Tensor) else np.asarray(values)
        pairs = np.broadcast_to(array, (ndim, 2))
    except ValueError:
        raise refused(
            ValueError,
            f"For 'pad', the '{name}' must be a number, a pair, or a pair for each of {ndim} axes, but got {values!r}.",
        ) from None
    if array.dtype.kind not in "biuf":
        raise refused(TypeError, f"For 'pad', the '{name}' must hold numbers, but got {shown(values)}.")
    return tuple(tuple(pair) for pair in pairs.tolist())
