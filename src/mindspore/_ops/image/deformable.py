"""Deformable convolution: every kernel element samples the input at an offset of its own."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.dtype_checks import alike
from mindspore._ops.declaring.promotion import upcast_half
from mindspore._ops.declaring.requirements import (
    positive_ints,
    require,
    require_choice,
    require_float,
    require_rank,
    require_shape,
)
from mindspore._ops.declaring.windows import windows_of
from mindspore._ops.image.sampling import read_linear


def _pair(name: str, value: Any) -> tuple[int, ...]:
    """Row and column of (1, 1, row, column)."""
    values = positive_ints(name, value, 4)
    require(values[:2] == (1, 1), f"the '{name}' must be (1, 1, row, column), but got {value}.")
    return values[2:]


def _read_bent(x: Any, offsets: Any, kernel: Any, strides: Any, pads: Any, dilations: Any, groups: int,
               modulated: bool) -> Any:  # fmt: skip
    """The elements under every window, (N, C, rows * kernel rows, columns * kernel columns)."""
    require_rank("x", x, 4)
    require_float("x", x)
    (kernel_rows, kernel_columns), step, gap = positive_ints("ksize", kernel, 2), _pair("strides", strides), _pair(
        "dilations", dilations)  # fmt: skip
    top, bottom, left, right = positive_ints("pads", pads, 4, 0)
    count, channels, height, width = x.shape
    text = f"the 'deformable_groups' must be positive and divide {channels} channels, but got {groups}."
    require(groups > 0 and channels % groups == 0, text)
    rows = (height + top + bottom - (kernel_rows - 1) * gap[0] - 1) // step[0] + 1
    columns = (width + left + right - (kernel_columns - 1) * gap[1] - 1) // step[1] + 1
    kinds = 3 if modulated else 2
    require_shape("offsets", offsets, (count, kinds * groups * kernel_rows * kernel_columns, rows, columns))
    parts = upcast_half(offsets).reshape(count, kinds, groups, kernel_rows, kernel_columns, rows, columns)
    ys = (np.arange(kernel_rows) * gap[0])[:, None, None, None] + (np.arange(rows) * step[0] - top)[:, None]
    xs = (np.arange(kernel_columns) * gap[1])[:, None, None] + np.arange(columns) * step[1] - left
    positions = [parts[:, 1] + ys.astype(np.float32), parts[:, 0] + xs.astype(np.float32)]
    grouped = upcast_half(x).reshape(count, groups, channels // groups, height, width)
    found = jax.vmap(jax.vmap(read_linear))(
        grouped, positions
    )  # (N, groups, C, kernel rows and columns, rows, columns)
    if modulated:
        found = found * parts[:, 2][:, :, None]
    found = found.reshape(count, channels, kernel_rows, kernel_columns, rows, columns).transpose(0, 1, 4, 2, 5, 3)
    return found.reshape(count, channels, rows * kernel_rows, columns * kernel_columns).astype(x.dtype)


_ONE, _NONE = (1, 1, 1, 1), (0, 0, 0, 0)


def _still(*shape: int) -> np.ndarray:
    """Offsets of zero with weights of 1."""
    parts = np.zeros((shape[0], 3, shape[1] // 3, *shape[2:]), np.float32)
    parts[:, 2] = 1
    return parts.reshape(shape)


@op(primitive="DeformableOffsets", public=False,
    init=("strides", "pads", "ksize", "dilations", "data_format", "deformable_groups", "modulated"),
    test=lambda t: [t.case(t.normal(1, 2, 2, 2), _still(1, 12, 1, 1), _ONE, _NONE, (2, 2), grad=(0,),
                           expect=lambda x, *_: x),
                    t.case(t.normal(1, 2, 3, 3), t.uniform(0.1, 0.9, 1, 12, 2, 2), _ONE, _NONE, (2, 2))])  # fmt: skip
def deformable_offsets(x: Array, offsets: Array, strides: Any, pads: Any, ksize: Any, dilations: Any = _ONE,
                       data_format: str = "NCHW", deformable_groups: int = 1, modulated: bool = True):  # fmt: skip
    """The elements of (N, C, H, W) that the bent windows see, window beside window.

    Examples:
        >>> from mindspore import ops
        >>> bend = ops.DeformableOffsets((1, 1, 1, 1), (0, 0, 0, 0), (2, 2))
        >>> print(bend(ops.ones((1, 1, 3, 3)), ops.zeros((1, 12, 2, 2))).shape)
        (1, 1, 4, 4)
    """
    require_choice("data_format", data_format, ("NCHW",))
    return _read_bent(x, offsets, ksize, strides, pads, dilations, deformable_groups, modulated)


def _numpy_plain(x: np.ndarray, weight: np.ndarray, *_: Any) -> np.ndarray:
    windows = windows_of(x, (2, 2))
    return np.einsum("nchwij,ocij->nohw", windows, weight)


@op(test=lambda t: [t.case(t.normal(1, 2, 3, 3), t.normal(3, 2, 2, 2), _still(1, 12, 2, 2), (2, 2), _ONE, _NONE,
                           grad=(0, 1), expect=_numpy_plain),
                    t.case(t.normal(1, 2, 3, 3), t.normal(2, 1, 2, 2), t.uniform(0.1, 0.9, 1, 24, 2, 2), (2, 2), _ONE,
                           _NONE, t.normal(2), _ONE, 2, 2)])  # fmt: skip
@alike("x", "offsets")
def deformable_conv2d(x: Array, weight: Array, offsets: Array, kernel_size: Any, strides: Any, padding: Any,
                      bias: Array | None = None, dilations: Any = _ONE, groups: int = 1, deformable_groups: int = 1,
                      modulated: bool = True):  # fmt: skip
    """Convolution of (N, C, H, W) with windows whose elements are moved by ``offsets``.

    Args:
        offsets: (N, 3 * deformable_groups * window size, rows, columns): steps to the right, then down, then (when
            ``modulated``) a weight for every element.
        strides, dilations: (1, 1, row, column).
        padding: (top, bottom, left, right).
        deformable_groups: groups of channels with offsets of their own.

    Examples:
        >>> from mindspore import ops
        >>> x, weight, offsets = ops.ones((1, 1, 3, 3)), ops.ones((1, 1, 2, 2)), ops.ones((1, 12, 2, 2))
        >>> print(ops.deformable_conv2d(x, weight, offsets, (2, 2), (1, 1, 1, 1), (0, 0, 0, 0)))
        [[[[4. 2.]
           [2. 1.]]]]
    """
    require_rank("x", x, 4)
    require_rank("weight", weight, 4)
    kernel = positive_ints("kernel_size", kernel_size, 2)
    positive_ints("padding", padding, 4, 0)
    text = f"the 'weight' must have shape (outputs, {x.shape[1]} / groups, {kernel[0]}, {kernel[1]}), but got {weight.shape}."
    require(groups > 0 and weight.shape[1] * groups == x.shape[1] and weight.shape[2:] == kernel, text)
    seen = _read_bent(x, offsets, kernel, strides, padding, dilations, deformable_groups, modulated)
    result = lax.conv_general_dilated(seen, weight, kernel, "VALID", feature_group_count=groups)
    return result if bias is None else result + jnp.reshape(bias, (1, -1, 1, 1))
