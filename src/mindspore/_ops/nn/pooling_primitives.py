"""Max pooling with argmax, its inverse, and morphological dilation, as Primitive classes."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.operator.arguments import Array, Choice, DType, Shape, Sizes
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import op, register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.construction import at_construction
from mindspore._ops.declaring.dtype_checks import accepts, alike
from mindspore._ops.declaring.requirements import positive_ints, require, require_choice, require_elements, require_rank
from mindspore._ops.declaring.windows import padding_pairs, reach, spatial, windows_of
from mindspore._ops.nn.adaptive_pooling import adaptive_max_pool3d
from mindspore._ops.nn.fractional_pooling import fractional_max_pool_2d, fractional_max_pool_3d
from mindspore._ops.nn.pooling import lowest, max_pool3d
from mindspore._ops.nn.unpooling import max_unpool2d, max_unpool3d
from mindspore._utils import checks

_max_pool3d, _adaptive, _fractional2, _fractional3 = (
    function.op.body  # type: ignore[attr-defined] - made by @op
    for function in (max_pool3d, adaptive_max_pool3d, fractional_max_pool_2d, fractional_max_pool_3d)
)


# -- where the largest are ---------------------------------------------------------------------------------------------
def _numpy_blocks(x: np.ndarray, *_: Any) -> tuple[np.ndarray, np.ndarray]:
    """Of the two halves of the first spatial axis."""
    halves = x.reshape(1, 1, 2, -1)
    indices = halves.argmax(-1) + np.array([0, halves.shape[-1]])
    return halves.max(-1).reshape(1, 1, 2, 1, 1), indices.reshape(1, 1, 2, 1, 1)


@op(primitive="MaxPool3DWithArgmax", public=False,
    init=("ksize", "strides", "pads", "dilation", "ceil_mode", "data_format", "argmax_type"),
    test=lambda t: [t.case(t.normal(1, 1, 4, 2, 2), 2, 2, 0, expect=_numpy_blocks)])  # fmt: skip
@accepts("if", "x")
def max_pool3d_with_argmax(x: Array, ksize: Sizes, strides: Sizes, pads: Sizes, dilation: Sizes = (1, 1, 1),
                           ceil_mode: bool = False, data_format: str = "NCDHW",
                           argmax_type: DType = dtypes.int64):  # fmt: skip
    """The largest elements of windows on (N, C, D, H, W), and where they are in the flattened volume.

    Examples:
        >>> from mindspore import ops
        >>> output, argmax = ops.MaxPool3DWithArgmax(ksize=2, strides=2, pads=0)(ops.ones((1, 1, 2, 2, 2)))
        >>> print(output.shape, argmax.shape)
        (1, 1, 1, 1, 1) (1, 1, 1, 1, 1)
    """
    require_choice("data_format", data_format, ("NCDHW",))
    require_choice("argmax_type", argmax_type, (dtypes.int32, dtypes.int64))
    steps, pairs = spatial("strides", strides, 3), spatial("pads", pads, 3, least=0)
    values, indices = _max_pool3d(x, ksize, steps, pairs, dilation, ceil_mode, True)
    return values, indices.astype(argmax_type.np_dtype)


@op(primitive="AdaptiveMaxPool3D", public=False,
    test=lambda t: [t.case(t.normal(1, 1, 4, 2, 2), (2, 1, 1), expect=_numpy_blocks)])  # fmt: skip
def adaptive_max_pool3d_primitive(x: Array, output_size: Shape):
    """The largest elements of as many windows as ``output_size`` says, and where they are (Int32).

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> print(ops.AdaptiveMaxPool3D()(ops.ones((1, 4, 4, 4)), Tensor([2, 2, 2], mindspore.int32))[0].shape)
        (1, 2, 2, 2)
    """
    values, indices = _adaptive(x, output_size, True)
    return values, indices.astype(jnp.int32)


def _three_halves(count: int) -> np.ndarray:
    return np.full((1, 1, count), 0.5, np.float32)


@op(primitive="FractionalMaxPoolWithFixedKsize", init=("ksize", "output_shape", "data_format"), public=False,
    test=lambda t: [t.case(t.normal(1, 1, 4, 4), _three_halves(2), 2, 2, grad=(0,),
                           expect=lambda x, *_: _numpy_quarters(x))])  # fmt: skip
@accepts("f", "input_x")
@accepts("f", "random_samples")
def fractional_max_pool_with_fixed_ksize(input_x: Array, random_samples: Array, ksize: Sizes, output_shape: Any,
                                         data_format: Choice = "NCHW"):  # fmt: skip
    """:func:`fractional_max_pool2d` with windows positioned by ``random_samples``, and the indices of the elements.

    Examples:
        >>> from mindspore import ops
        >>> pool = ops.FractionalMaxPoolWithFixedKsize(ksize=(2, 2), output_shape=(2, 2))
        >>> output, argmax = pool(ops.ones((1, 1, 5, 5)), ops.ones((1, 1, 2)) * 0.5)
        >>> print(output.shape, argmax.shape)
        (1, 1, 2, 2) (1, 1, 2, 2)
    """
    require_choice("data_format", data_format, ("NCHW",))
    return _fractional2(input_x, random_samples, ksize, output_shape)


def _numpy_quarters(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    blocks = x.reshape(2, 2, 2, 2).transpose(0, 2, 1, 3).reshape(2, 2, 4)
    indices = np.arange(16).reshape(2, 2, 2, 2).transpose(0, 2, 1, 3).reshape(2, 2, 4)
    return blocks.max(-1)[None, None], np.take_along_axis(indices, blocks.argmax(-1)[..., None], -1)[None, None, ..., 0]


@op(primitive="FractionalMaxPool3DWithFixedKsize", init=("ksize", "output_shape", "data_format"), public=False,
    test=lambda t: [t.case(t.normal(1, 1, 5, 4, 5), _three_halves(3), 2, (3, 2, 3), grad=(0,))])  # fmt: skip
@accepts("f", "x")
@accepts("f", "random_samples")
def fractional_max_pool3d_with_fixed_ksize(x: Array, random_samples: Array, ksize: Sizes, output_shape: Any,
                                           data_format: Choice = "NCDHW"):  # fmt: skip
    """:func:`fractional_max_pool3d` with windows positioned by ``random_samples``, and the indices of the elements.

    Examples:
        >>> from mindspore import ops
        >>> pool = ops.FractionalMaxPool3DWithFixedKsize(ksize=(1, 1, 1), output_shape=(1, 1, 2))
        >>> output, argmax = pool(ops.ones((1, 1, 2, 2, 4)), ops.ones((1, 1, 3)) * 0.5)
        >>> print(output.shape, argmax.shape)
        (1, 1, 1, 1, 2) (1, 1, 1, 1, 2)
    """
    require_choice("data_format", data_format, ("NCDHW",))
    return _fractional3(x, random_samples, ksize, output_shape)


# -- undone ------------------------------------------------------------------------------------------------------------
class _Unpool(Primitive):
    """Elements put back to where ``argmax`` says, zeros elsewhere."""

    count = 2

    def __init__(self, ksize: Any, strides: Any = 0, pads: Any = 0, output_shape: Any = (), data_format: str = "NCHW"):
        super().__init__()
        layouts = ("NCHW", "NHWC") if self.count == 2 else ("NCDHW", "NDHWC")
        data_format = checks.check_one_of(self.name, "data_format", data_format, layouts)
        self.last = data_format == layouts[1]
        given = {"ksize": ksize, "strides": strides, "pads": pads, "output_shape": output_shape}
        for name, value in (given | {"data_format": data_format}).items():
            self.add_prim_attr(name, tuple(value) if isinstance(value, list) else value)

    def __call__(self, x: Tensor, argmax: Tensor) -> Tensor:
        to_front, back = (0, self.count + 1, *range(1, self.count + 1)), (0, *range(2, self.count + 2), 1)
        shape = self.output_shape
        if self.last:
            x, argmax = x.transpose(*to_front), argmax.transpose(*to_front)
            shape = tuple(shape[axis] for axis in to_front) if shape else shape
        unpool = max_unpool2d if self.count == 2 else max_unpool3d
        stride = None if self.strides in (0, (0,) * self.count) else self.strides
        result = unpool(x, argmax, self.ksize, stride, self.pads, shape or None)
        return result.transpose(*back) if self.last else result


@register_primitive
class MaxUnpool2D(_Unpool):
    """Elements of images put back to where ``argmax`` says, zeros elsewhere; see :func:`max_unpool2d`.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> print(ops.MaxUnpool2D(2)(Tensor([[[[5.0]]]]), Tensor([[[[3]]]], ms.int64)))
        [[[[0. 0.]
           [0. 5.]]]]
    """


@register_primitive
class MaxUnpool3D(_Unpool):
    """Elements of volumes put back to where ``argmax`` says, zeros elsewhere; see :func:`max_unpool3d`.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> unpool = ops.MaxUnpool3D(ksize=(1, 1, 2), strides=(1, 1, 2), pads=0, output_shape=(1, 1, 1, 1, 4))
        >>> x, argmax = Tensor([[[[[5.0, 7.0]]]]]), Tensor([[[[[1, 2]]]]], mindspore.int64)
        >>> print(unpool(x, argmax).reshape(-1))
        [0. 5. 7. 0.]
    """

    count = 3

    def __init__(self, ksize: Any, strides: Any = 0, pads: Any = 0, output_shape: Any = (), data_format: str = "NCDHW"):
        super().__init__(ksize, strides, pads, output_shape, data_format)


# -- with a filter -----------------------------------------------------------------------------------------------------
def _step(name: str, value: Any) -> tuple[int, ...]:
    return spatial(name, value, 2)


def _check_dilation(stride: Any, dilation: Any, pad_mode: str, data_format: str) -> None:
    _step("stride", stride)
    _step("dilation", dilation)
    require_choice("pad_mode", pad_mode.lower() if isinstance(pad_mode, str) else pad_mode, ("same", "valid"))
    require_choice("data_format", data_format, ("NCHW",))


def _numpy_dilation(x: np.ndarray, weight: np.ndarray, *_: Any) -> np.ndarray:
    windows = windows_of(x, (2, 2))
    return (windows + weight[None, :, None, None]).max((4, 5))


@at_construction(_check_dilation)
@op(primitive="Dilation2D", init=("stride", "dilation", "pad_mode", "data_format"), public=False,
    test=lambda t: [t.case(t.normal(1, 2, 4, 3), t.normal(2, 2, 2), 1, 1, "VALID", expect=_numpy_dilation),
                    t.case(t.normal(1, 2, 4, 3), t.normal(2, 2, 2), 2, 1)])  # fmt: skip
@alike("x", "filter")
def dilation2d(
    x: Array, filter: Array, stride: Sizes, dilation: Sizes, pad_mode: Choice = "SAME", data_format: Choice = "NCHW"
):
    """The largest of every window of (N, C, H, W) after ``filter`` (C, rows, columns) was added to it.

    Examples:
        >>> from mindspore import ops
        >>> dilation = ops.Dilation2D(stride=1, dilation=1, pad_mode="VALID")
        >>> print(dilation(ops.ones((1, 1, 3, 3)), ops.zeros((1, 2, 2))).shape)
        (1, 1, 2, 2)
    """
    _check_dilation(stride, dilation, pad_mode, data_format)
    require_rank("x", x, 4)
    require_rank("filter", filter, 3)
    require_elements("filter", filter, (1, 2))
    text = f"the 'filter' must have as many channels as the input, {x.shape[1]}, but got shape {filter.shape}."
    require(filter.shape[0] == x.shape[1], text)
    kernel, step, gap = filter.shape[1:], _step("stride", stride), _step("dilation", dilation)
    pairs = padding_pairs(pad_mode.lower(), ((0, 0), (0, 0)), x.shape[2:], kernel, step, gap)
    padded = jnp.pad(x, ((0, 0), (0, 0), *pairs), constant_values=lowest(x.dtype))
    counts = [(n - reach(k, d)) // s + 1 for n, k, d, s in zip(padded.shape[2:], kernel, gap, step, strict=True)]
    positive_ints("filter size", tuple(counts), 2)
    shifted = []
    for row, column in np.ndindex(*kernel):
        corner = (row * gap[0], column * gap[1])
        cut = tuple(slice(c, c + s * (n - 1) + 1, s) for c, s, n in zip(corner, step, counts, strict=True))
        shifted.append(padded[(slice(None), slice(None), *cut)] + filter[:, row, column, None, None])
    return jnp.stack(shifted).max(0)
