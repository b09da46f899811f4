"""Windows of images as columns, blocks and the order of axes under the names of Primitive classes."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array, Choice, Shape
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.construction import at_construction
from mindspore._ops.declaring.dtype_checks import accepts
from mindspore._ops.declaring.requirements import (
    positive_ints,
    require,
    require_choice,
    require_index_dtype,
    require_rank,
)
from mindspore._ops.declaring.windows import padding_pairs
from mindspore._ops.image.blocks import batch_to_space_nd, fold, space_to_batch_nd, unfold

# The bodies of declared operators, on arrays.
_fold, _unfold, _to_space, _to_batch = (
    function.op.body  # type: ignore[attr-defined] - made by @op
    for function in (fold, unfold, batch_to_space_nd, space_to_batch_nd)
)


# -- columns -----------------------------------------------------------------------------------------------------------
def _columns_to_image(x: Any, output_size: Any, kernel_size: Any, dilation: Any, padding: Any, stride: Any) -> Any:
    require_rank("input_x", x, 4)
    rows, columns = positive_ints("kernel_size", kernel_size, 2)
    text = f"the 'input_x' must have shape (N, C, {rows * columns}, number of windows), but got {x.shape}."
    require(x.shape[2] == rows * columns, text)
    flat = x.reshape(x.shape[0], x.shape[1] * x.shape[2], x.shape[3])
    return _fold(flat, output_size, kernel_size, dilation, padding, stride)


def _numpy_counts(x: np.ndarray, *_: Any) -> np.ndarray:
    return x.reshape(1, 2, 2, 2, 2, 2).transpose(0, 1, 4, 2, 5, 3).reshape(1, 2, 4, 4)


@op(method="col2im",
    test=lambda t: [t.case(t.normal(1, 2, 4, 4), (4, 4), (2, 2), (1, 1), (0, 0), (2, 2), expect=_numpy_counts),
                    t.case(t.normal(1, 1, 6, 9), (4, 5), (2, 3), (1, 1), (1, 0), (2, 1))])  # fmt: skip
def col2im(input_x: Array, output_size: Shape, kernel_size: Any, dilation: Any, padding_value: Any, stride: Any):
    """Columns (N, C, window size, number of windows) put back into images, summed where windows overlap.

    Examples:
        >>> from mindspore import ops
        >>> print(ops.col2im(ops.ones((1, 1, 4, 4)), (3, 3), [2, 2], [1, 1], [0, 0], [1, 1]))
        [[[[1. 2. 1.]
           [2. 4. 2.]
           [1. 2. 1.]]]]
    """
    return _columns_to_image(input_x, output_size, kernel_size, dilation, padding_value, stride)


@op(primitive="Col2Im", init=("kernel_size", "dilation", "padding", "stride"), public=False,
    test=lambda t: [t.case(t.normal(1, 2, 4, 4), (4, 4), 2, 1, 0, 2, expect=_numpy_counts)])  # fmt: skip
def col2im_primitive(input_x: Array, output_size: Shape, kernel_size: Any, dilation: Any = 1, padding: Any = 0,
                     stride: Any = 1):  # fmt: skip
    """:func:`col2im` as a class.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> to_image = ops.Col2Im([2, 2], [1, 1], [0, 0], [1, 1])
        >>> print(to_image(ops.ones((1, 1, 4, 4)), Tensor([3, 3], mindspore.int32)).reshape(3, 3))
        [[1. 2. 1.]
         [2. 4. 2.]
         [1. 2. 1.]]
    """
    return _columns_to_image(input_x, output_size, kernel_size, dilation, padding, stride)


@op(primitive="Im2Col", init=("ksizes", "strides", "dilations", "pads"), public=False,
    test=lambda t: [t.case(t.normal(1, 2, 4, 4), 2, 2, expect=lambda x, *_: x.reshape(1, 2, 2, 2, 2, 2).transpose(
        0, 1, 3, 5, 2, 4).reshape(1, 2, 4, 4))])  # fmt: skip
@accepts("ifc", "x")
def im2col(x: Array, ksizes: Any, strides: Any = 1, dilations: Any = 1, pads: Any = 0):
    """Windows of images (N, C, H, W) as columns: (N, C, window size, number of windows).

    Examples:
        >>> from mindspore import ops
        >>> print(ops.Im2Col(ksizes=[2, 2])(ops.ones((1, 3, 4, 4))).shape)
        (1, 3, 4, 9)
    """
    require_rank("x", x, 4)
    sizes, steps, gaps = (
        positive_ints(name, value, 2)
        for name, value in (("ksizes", ksizes), ("strides", strides), ("dilations", dilations))
    )
    columns = _unfold(x, sizes, gaps, positive_ints("pads", pads, 2, 0), steps)
    return columns.reshape(*x.shape[:2], columns.shape[1] // x.shape[1], columns.shape[-1])


# -- blocks ------------------------------------------------------------------------------------------------------------
def _check_block(block_size: int, **borders: Any) -> None:
    require(block_size >= 2, f"the 'block_size' must be at least 2, but got {block_size}.")
    for name, pairs in borders.items():
        text = f"the '{name}' must be ((top, bottom), (left, right)) with non-negative ints, but got {pairs!r}."
        require(np.shape(pairs) == (2, 2) and np.min(pairs) >= 0, text)


_EVEN = ((0, 0), (0, 0))


@at_construction(_check_block)
@op(primitive="SpaceToBatch", init=("block_size", "paddings"), public=False,
    test=lambda t: [t.case(t.normal(1, 1, 2, 2), 2, _EVEN, expect=lambda x, *_: x.reshape(4, 1, 1, 1))])  # fmt: skip
def space_to_batch(input_x: Array, block_size: int, paddings: Any):
    """:func:`space_to_batch_nd` of images (N, C, H, W) with square blocks.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.SpaceToBatch(2, [[0, 0], [0, 0]])(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])).reshape(-1))
        [1. 2. 3. 4.]
    """
    _check_block(block_size, paddings=paddings)
    require_rank("input_x", input_x, 4)
    return _to_batch(input_x, (block_size,) * 2, paddings)


@at_construction(_check_block)
@op(primitive="BatchToSpace", init=("block_size", "crops"), public=False,
    test=lambda t: [t.case(t.normal(4, 1, 1, 1), 2, _EVEN, expect=lambda x, *_: x.reshape(1, 1, 2, 2))])  # fmt: skip
def batch_to_space(input_x: Array, block_size: int, crops: Any):
    """:func:`batch_to_space_nd` of images (N, C, H, W) with square blocks.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.BatchToSpace(2, [[0, 0], [0, 0]])(Tensor([1.0, 2.0, 3.0, 4.0]).reshape(4, 1, 1, 1)))
        [[[[1. 2.]
           [3. 4.]]]]
    """
    _check_block(block_size, crops=crops)
    require_rank("input_x", input_x, 4)
    return _to_space(input_x, (block_size,) * 2, crops)


@op(primitive="BatchToSpaceNDV2", public=False,
    test=lambda t: [t.case(t.normal(4, 1, 1, 2), (2, 2), _EVEN, expect=lambda x, *_: x.reshape(
        2, 2, 1, 1, 1, 2).transpose(2, 3, 0, 4, 1, 5).reshape(1, 2, 2, 2))])  # fmt: skip
def batch_to_space_nd_v2(input_x: Array, block_shape: Shape, crops: Any):
    """As :func:`batch_to_space_nd`, for spatial axes directly behind the batch: (N, H, W, ...).

    Examples:
        >>> from mindspore import Tensor, ops
        >>> x = Tensor([1.0, 2.0, 3.0, 4.0]).reshape(4, 1, 1, 1)
        >>> print(ops.BatchToSpaceNDV2()(x, [2, 2], [[0, 0], [0, 0]]).reshape(2, 2))
        [[1. 2.]
         [3. 4.]]
    """
    spatial = len(block_shape)
    text = f"the 'block_shape' must be shorter than the input's shape {input_x.shape}, but got {block_shape}."
    require(0 < spatial < input_x.ndim, text)
    rest = list(range(1 + spatial, input_x.ndim))
    behind = input_x.transpose(0, *rest, *range(1, 1 + spatial))
    moved = _to_space(behind, block_shape, crops)
    return moved.transpose(0, *range(1 + len(rest), input_x.ndim), *range(1, 1 + len(rest)))


# -- order of axes -----------------------------------------------------------------------------------------------------
_FORMATS = ("NHWC", "NCHW")


def _check_formats(src_format: str, dst_format: str) -> None:
    require_choice("src_format", src_format, _FORMATS)
    require_choice("dst_format", dst_format, _FORMATS)


@at_construction(_check_formats)
@op(primitive="DataFormatDimMap", init=("src_format", "dst_format"), public=False,
    test=lambda t: [t.case(np.array([0, 1, 2, 3, -1]), expect=lambda x: np.array([0, 3, 1, 2, 2]))])  # fmt: skip
def data_format_dim_map(input_x: Array, src_format: Choice = "NHWC", dst_format: Choice = "NCHW"):
    """Axis numbers of a layout converted to those of another layout.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> print(ops.DataFormatDimMap("NHWC", "NCHW")(Tensor([0, 1, 2, 3], mindspore.int32)))
        [0 3 1 2]
    """
    _check_formats(src_format, dst_format)
    require_index_dtype("input_x", input_x)
    axes = np.array([src_format.index(letter) for letter in dst_format])
    return jnp.asarray(axes, input_x.dtype)[input_x % 4]


@at_construction(_check_formats)
@op(primitive="DataFormatVecPermute", init=("src_format", "dst_format"), public=False,
    test=lambda t: [t.case(np.array([1, 2, 3, 4]), expect=lambda x: x[[0, 3, 1, 2]])])  # fmt: skip
def data_format_vec_permute(input_x: Array, src_format: str = "NHWC", dst_format: str = "NCHW"):
    """Lengths (4,) or pairs of them (4, 2) in the order of another layout.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> print(ops.DataFormatVecPermute("NHWC", "NCHW")(Tensor([8, 32, 32, 3], mindspore.int32)))
        [ 8  3 32 32]
    """
    _check_formats(src_format, dst_format)
    require_index_dtype("input_x", input_x)
    text = f"the 'input_x' must have shape (4,) or (4, 2), but got {input_x.shape}."
    require(input_x.shape in ((4,), (4, 2)), text)
    return input_x[np.array([src_format.index(letter) for letter in dst_format])]


# -- volumes -----------------------------------------------------------------------------------------------------------
def _volume(name: str, value: Any) -> tuple[int, ...]:
    if isinstance(value, int):
        value = (1, 1, *[value] * 3)
    value = (1, 1, *value) if isinstance(value, tuple) and len(value) == 3 else value
    values = positive_ints(name, value, 5)
    require(values[:2] == (1, 1), f"the '{name}' must be (1, 1, depth, height, width), but got {value}.")
    return values[2:]


def _check_volume(kernel_size: Any, strides: Any, padding: str) -> None:
    _volume("kernel_size", kernel_size)
    _volume("strides", strides)
    require_choice("padding", padding.lower(), ("same", "valid"))


@at_construction(_check_volume)
@op(primitive="ExtractVolumePatches", init=("kernel_size", "strides", "padding"), public=False,
    test=lambda t: [t.case(t.normal(1, 2, 2, 2, 2), (1, 1, 2, 2, 2), (1, 1, 1, 1, 1), "valid",
                           expect=lambda x, *_: np.moveaxis(x, 1, -1).reshape(1, -1, 1, 1, 1)),
                    t.case(t.normal(1, 2, 3, 4, 2), (1, 1, 2, 1, 2), (1, 1, 1, 2, 1), "same")])  # fmt: skip
@accepts("if", "input_x")
def extract_volume_patches(input_x: Array, kernel_size: Any, strides: Any, padding: str):
    """Every patch of (N, C, D, H, W) as one element; its channels are ordered by offset in the patch, then channel.

    Examples:
        >>> from mindspore import ops
        >>> patches = ops.ExtractVolumePatches([1, 1, 2, 2, 2], [1, 1, 1, 1, 1], "VALID")
        >>> print(patches(ops.ones((1, 1, 3, 3, 3))).shape)
        (1, 8, 2, 2, 2)
    """
    _check_volume(kernel_size, strides, padding)
    require_rank("input_x", input_x, 5)
    kernel, step = _volume("kernel_size", kernel_size), _volume("strides", strides)
    none = ((0, 0),) * 3
    pairs = padding_pairs(padding.lower(), none, input_x.shape[2:], kernel, step, (1, 1, 1))
    x = jnp.pad(input_x, ((0, 0), (0, 0), *pairs))
    counts = [(n - k) // s + 1 for n, k, s in zip(x.shape[2:], kernel, step, strict=True)]
    text = f"the 'kernel_size' must fit into the input of shape {input_x.shape}, but got {kernel_size}."
    require(min(counts) > 0, text)
    patches = []
    for corner in np.ndindex(*kernel):
        cut = tuple(slice(c, c + s * (n - 1) + 1, s) for c, s, n in zip(corner, step, counts, strict=True))
        patches.append(x[(slice(None), slice(None), *cut)])
    return jnp.concatenate(patches, axis=1)
