"""Gradients of pooling over windows."""

from __future__ import annotations

from typing import Any

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.operator.arguments import Array, DType, Shape
from mindspore._ops.declaring.gradient_primitives import gradient, pull, pull_from, push
from mindspore._ops.gradients.positions import gathered, scattered
from mindspore._ops.nn.pooling import (
    avg_pool2d,
    avg_pool3d,
    avg_pool3d_primitive,
    avg_pool_primitive,
    max_pool2d,
    max_pool3d_primitive,
    max_pool_primitive,
    max_pool_with_argmax,
)

_IMAGES = ("kernel_size", "strides", "pad_mode", "data_format")


# -- averages --------------------------------------------------------------------------------------------------------
@gradient("AvgPoolGrad", _IMAGES)
def avg_pool_grad(x: Array, out: Array, dout: Array, kernel_size: Any = 1, strides: Any = 1, pad_mode: str = "VALID",
                  data_format: str = "NCHW"):  # fmt: skip
    """The gradient of ``AvgPool``; its result is not needed."""
    return pull(avg_pool_primitive, dout, x, kernel_size=kernel_size, strides=strides, pad_mode=pad_mode,
                data_format=data_format)  # fmt: skip


@gradient(("AvgPoolGradV1", "AvgPoolGradGe"), _IMAGES)
def avg_pool_grad_v1(orig_input_shape: Shape, input_grad: Array, kernel_size: Any = 1, strides: Any = 1,
                     pad_mode: str = "VALID", data_format: str = "NCHW"):  # fmt: skip
    """The gradient of ``AvgPool``, from the shape of its input."""
    return pull_from(avg_pool_primitive, orig_input_shape, input_grad, kernel_size=kernel_size, strides=strides,
                     pad_mode=pad_mode, data_format=data_format)  # fmt: skip


@gradient("AvgPoolGradVm", _IMAGES[:3])
def avg_pool_grad_vm(x_origin: Shape, grad: Array, mean_matrix: Array, kernel_matrix: Array, kernel_size: Any = 1,
                     strides: Any = 1, pad_mode: str = "VALID"):  # fmt: skip
    """The gradient of ``AvgPool``, from the shape of its input; the matrices follow from it."""
    return pull_from(avg_pool_primitive, x_origin, grad, kernel_size=kernel_size, strides=strides, pad_mode=pad_mode)


@gradient("AvgPool2DGrad")
def avg_pool2d_grad(grad: Array, image: Array, kernel_size: Any, stride: Any, padding: Any = 0, ceil_mode: bool = False,
                    count_include_pad: bool = True, divisor_override: int | None = None):  # fmt: skip
    return pull(avg_pool2d, grad, image, kernel_size=kernel_size, stride=stride, padding=padding, ceil_mode=ceil_mode,
                count_include_pad=count_include_pad, divisor_override=divisor_override or 0)  # fmt: skip


@gradient("AvgPool3DGradExt")
def avg_pool3d_grad_ext(grad: Array, input: Array, kernel_size: Any, stride: Any = None, padding: Any = 0,
                        ceil_mode: bool = False, count_include_pad: bool = True,
                        divisor_override: int | None = None):  # fmt: skip
    steps = kernel_size if stride is None else stride
    return pull(avg_pool3d, grad, input, kernel_size=kernel_size, stride=steps, padding=padding, ceil_mode=ceil_mode,
                count_include_pad=count_include_pad, divisor_override=divisor_override or 0)  # fmt: skip


@gradient("AvgPool3DGrad", ("kernel_size", "strides", "pads", "ceil_mode", "count_include_pad", "divisor_override",
                            "data_format", "pad_mode"))  # fmt: skip
def avg_pool3d_grad(origin_input_shape: Shape, grads: Array, kernel_size: Any = 1, strides: Any = 1, pads: Any = 0,
                    ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int = 0,
                    data_format: str = "NCDHW", pad_mode: str = "pad"):  # fmt: skip
    """The gradient of ``AvgPool3D``, from the shape of its input."""
    return pull_from(avg_pool3d_primitive, origin_input_shape, grads, kernel_size=kernel_size, strides=strides,
                     pad_mode=pad_mode, pad=pads, ceil_mode=ceil_mode, count_include_pad=count_include_pad,
                     divisor_override=divisor_override, data_format=data_format)  # fmt: skip


# -- largest elements ------------------------------------------------------------------------------------------------
@gradient(("MaxPoolGrad", "MaxPoolGradV1"), _IMAGES)
def max_pool_grad(x_origin: Array, out_origin: Array, grad: Array, kernel_size: Any = 1, strides: Any = 1,
                  pad_mode: str = "VALID", data_format: str = "NCHW"):  # fmt: skip
    """The gradient of ``MaxPool``; its result is not needed."""
    return pull(max_pool_primitive, grad, x_origin, kernel_size=kernel_size, strides=strides, pad_mode=pad_mode,
                data_format=data_format)  # fmt: skip


@gradient("MaxPoolGradGrad", _IMAGES[:3])
def max_pool_grad_grad(x_origin: Array, out_origin: Array, grad: Array, kernel_size: Any = 1, strides: Any = 1,
                       pad_mode: str = "VALID"):  # fmt: skip
    """The gradient of ``MaxPoolGrad`` by its cotangent: the elements of ``grad`` where the largest ones are."""
    return push(max_pool_primitive, (x_origin,), (grad,), kernel_size=kernel_size, strides=strides, pad_mode=pad_mode)


@gradient("MaxPool3DGrad", ("kernel_size", "strides", "pad_mode", "pad_list", "data_format"))
def max_pool3d_grad(x_origin: Array, out_origin: Array, grad: Array, kernel_size: Any = (1, 1, 1, 1, 1),
                    strides: Any = (1, 1, 1, 1, 1), pad_mode: str = "VALID", pad_list: Any = 0,
                    data_format: str = "NCDHW"):  # fmt: skip
    """The gradient of ``MaxPool3D``; its result is not needed."""
    return pull(max_pool3d_primitive, grad, x_origin, kernel_size=kernel_size, strides=strides, pad_mode=pad_mode,
                pad_list=pad_list, data_format=data_format)  # fmt: skip


@gradient("MaxPool3DGradGrad", _IMAGES)
def max_pool3d_grad_grad(x_origin: Array, out_origin: Array, grad: Array, kernel_size: Any = (1, 1, 1, 1, 1),
                         strides: Any = (1, 1, 1, 1, 1), pad_mode: str = "VALID", data_format: str = "NCDHW"):  # fmt: skip
    """The gradient of ``MaxPool3DGrad`` by its cotangent: the elements of ``grad`` where the largest ones are."""
    return push(max_pool3d_primitive, (x_origin,), (grad,), kernel_size=kernel_size, strides=strides, pad_mode=pad_mode,
                data_format=data_format)  # fmt: skip


# -- largest elements, whose positions are known ---------------------------------------------------------------------
@gradient("MaxPoolGradWithArgmax", _IMAGES)
def max_pool_grad_with_argmax(x: Array, grad: Array, argmax: Array, kernel_size: Any = 1, strides: Any = 1,
                              pad_mode: str = "VALID", data_format: str = "NCHW"):  # fmt: skip
    """The gradient of ``MaxPoolWithArgmax``; the positions are found again."""
    return pull(max_pool_with_argmax, grad, x, kernel_size=kernel_size, strides=strides, pad_mode=pad_mode,
                data_format=data_format)  # fmt: skip


@gradient("MaxPoolGradGradWithArgmax", _IMAGES[:3])
def max_pool_grad_grad_with_argmax(x: Array, grad: Array, argmax: Array, kernel_size: Any = 1, strides: Any = 1,
                                   pad_mode: str = "VALID"):  # fmt: skip
    """The elements of ``grad`` where the largest ones of ``x`` are."""
    return push(max_pool_primitive, (x,), (grad,), kernel_size=kernel_size, strides=strides, pad_mode=pad_mode)


_PLANES = ("kernel_size", "strides", "pads", "dilation", "ceil_mode", "argmax_type")


@gradient(("MaxPoolGradWithArgmaxV2", "MaxPoolGradWithIndices"), _PLANES)
def max_pool_grad_with_argmax_v2(x: Array, grad: Array, argmax: Array, kernel_size: Any, strides: Any = None,
                                 pads: Any = 0, dilation: Any = (1, 1), ceil_mode: bool = False,
                                 argmax_type: DType = dtypes.int64):  # fmt: skip
    """The gradient of ``MaxPoolWithArgmaxV2``: the cotangent put where the largest elements were."""
    return scattered(x, grad, argmax, 2)


@gradient("MaxPoolGradWithMask", _PLANES)
def max_pool_grad_with_mask(x: Array, grad: Array, mask: Array, kernel_size: Any, strides: Any = None, pads: Any = 0,
                            dilation: Any = (1, 1), ceil_mode: bool = False, argmax_type: DType = dtypes.int64):  # fmt: skip
    """The gradient of ``MaxPoolWithMask``; the mask is made again."""
    return pull(max_pool2d, grad, x, kernel_size=kernel_size, stride=strides, padding=pads, dilation=dilation,
                ceil_mode=ceil_mode)  # fmt: skip


@gradient("MaxPool3DGradWithArgmax", ("ksize", "strides", "pads", "dilation", "ceil_mode", "data_format"))
def max_pool3d_grad_with_argmax(x: Array, grads: Array, argmax: Array, ksize: Any, strides: Any, pads: Any,
                                dilation: Any = (1, 1, 1), ceil_mode: bool = False, data_format: str = "NCDHW"):  # fmt: skip
    """The gradient of ``MaxPool3DWithArgmax``: the cotangent put where the largest elements were."""
    return scattered(x, grads, argmax, 3)


_UNPOOL = ("ksize", "strides", "pads", "output_shape", "data_format")


@gradient("MaxUnpool2DGrad", _UNPOOL)
def max_unpool2d_grad(x: Array, grads: Array, argmax: Array, ksize: Any, strides: Any = 0, pads: Any = 0,
                      output_shape: Any = (), data_format: str = "NCHW"):  # fmt: skip
    """The gradient of ``MaxUnpool2D``: the cotangent at the positions."""
    return gathered(grads, argmax, 2, data_format == "NHWC")


@gradient("MaxUnpool3DGrad", _UNPOOL)
def max_unpool3d_grad(x: Array, grads: Array, argmax: Array, ksize: Any, strides: Any = 0, pads: Any = 0,
                      output_shape: Any = (), data_format: str = "NCDHW"):  # fmt: skip
    """The gradient of ``MaxUnpool3D``: the cotangent at the positions."""
    return gathered(grads, argmax, 3, data_format == "NDHWC")
