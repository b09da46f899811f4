"""Gradient primitives of pooling and convolution."""

from __future__ import annotations

from tools.oracle.case import Case, case, f32, literal

IMAGE, VOLUME = f32(2, 3, 5, 5), f32(1, 2, 4, 4, 4)
TIES = literal([[[[1.0, 1.0, 2.0, 2.0], [1.0, 1.0, 0.0, 2.0], [3.0, 0.0, 0.0, 0.0], [0.0, 3.0, 0.0, 0.0]]]])

POOLING: list[Case] = [
    case("out = P.AvgPool(2, 2)(x); G.AvgPoolGrad(2, 2)(x, out, y)", IMAGE, f32(2, 3, 2, 2), gradient="weighted"),
    case("out = P.AvgPool(3, 2, 'SAME')(x); G.AvgPoolGrad(3, 2, 'SAME')(x, out, y)", IMAGE, f32(2, 3, 3, 3)),
    case("out = P.MaxPool(2, 2)(x); G.MaxPoolGrad(2, 2)(x, out, y)", IMAGE, f32(2, 3, 2, 2), gradient="weighted"),
    case("out = P.MaxPool(3, 2, 'SAME')(x); G.MaxPoolGrad(3, 2, 'SAME')(x, out, y)", IMAGE, f32(2, 3, 3, 3)),
    case("out = P.MaxPool(2, 2)(x); G.MaxPoolGrad(2, 2)(x, out, y)", TIES, f32(1, 1, 2, 2)),
    case("out = P.MaxPool(2, 2)(x); G.MaxPoolGradGrad(2, 2)(x, out, y)", IMAGE, IMAGE),
    case("out = P.MaxPool3D(2, 2)(x); G.MaxPool3DGrad((1, 1, 2, 2, 2), (1, 1, 2, 2, 2))(x, out, y)", VOLUME, f32(1, 2, 2, 2, 2)),
    case("out = P.MaxPool3D(2, 2)(x); G.MaxPool3DGradGrad((1, 1, 2, 2, 2), (1, 1, 2, 2, 2))(x, out, y)", VOLUME, VOLUME),
    case("out, argmax = P.MaxPoolWithArgmax(2, 2)(x); G.MaxPoolGradWithArgmax(2, 2)(x, y, argmax)", IMAGE, f32(2, 3, 2, 2)),
    case("out, argmax = P.MaxPoolWithArgmax(2, 2)(x); G.MaxPoolGradGradWithArgmax(2, 2)(x, y, argmax)", IMAGE, IMAGE),
    case("out, argmax = P.MaxPoolWithArgmaxV2(2, 2)(x); G.MaxPoolGradWithArgmaxV2(2, 2)(x, y, argmax)", IMAGE, f32(2, 3, 2, 2)),
    case("out, argmax = P.MaxPoolWithArgmaxV2(3, 2, 1)(x); G.MaxPoolGradWithArgmaxV2(3, 2, 1)(x, y, argmax)", IMAGE, f32(2, 3, 3, 3)),
    case("out, argmax = P.MaxPoolWithArgmaxV2(2, 2)(x); A.MaxPoolGradWithIndices(2, 2)(x, y, argmax)", IMAGE, f32(2, 3, 2, 2)),
    case("A.MaxPoolGradWithMask(2, 2)(x, y, z)", IMAGE, f32(2, 3, 2, 2), literal([0], "uint8")),
    case("out, argmax = P.MaxPool3DWithArgmax(2, 2, 0)(x); G.MaxPool3DGradWithArgmax(2, 2, 0)(x, y, argmax)", VOLUME, f32(1, 2, 2, 2, 2)),
    case("G.AvgPool3DGrad((1, 1, 2, 2, 2), (1, 1, 2, 2, 2))((1, 2, 4, 4, 4), x)", f32(1, 2, 2, 2, 2)),
    case("G.AvgPool3DGrad((1, 1, 3, 3, 3), (1, 1, 2, 2, 2), (1, 1, 1, 1, 1, 1), False, False)((1, 2, 4, 4, 4), x)", f32(1, 2, 2, 2, 2)),
    case("G.AvgPoolGradV1(2, 2)((2, 3, 4, 4), x)", f32(2, 3, 2, 2)),
    case("G.AvgPoolGradGe(2, 2)((2, 3, 4, 4), x)", f32(2, 3, 2, 2)),
    case("G.AvgPoolGradVm(2, 2)((2, 3, 4, 4), x, x, x)", f32(2, 3, 2, 2)),
    case("A.AvgPool2DGrad()(x, y, 2, 2)", f32(2, 3, 2, 2), f32(2, 3, 4, 4)),
    case("A.AvgPool3DGradExt()(x, y, 2)", f32(1, 2, 2, 2, 2), VOLUME),
    case("out = P.MaxPool(2, 2)(x); G.MaxPoolGradV1(2, 2)(x, out, y)", IMAGE, f32(2, 3, 2, 2)),
    case("G.AdaptiveAvgPool2DGrad()(x, Tensor([2, 3, 5, 5], ms.int64))", f32(2, 3, 2, 3)),
    case("G.AdaptiveAvgPool3DGrad()(x, Tensor([1, 2, 4, 4, 4], ms.int32))", f32(1, 2, 2, 3, 2)),
    case("A.AdaptiveAvgPool2DGradExt()(x, y)", f32(2, 3, 2, 3), IMAGE),
    case("A.AdaptiveAvgPool3DGradExt()(x, y)", f32(1, 2, 2, 3, 2), VOLUME),
    case("out, argmax = P.AdaptiveMaxPool2D((2, 3))(x); G.AdaptiveMaxPool2DGrad()(y, x, argmax)", IMAGE, f32(2, 3, 2, 3)),
    case("out, argmax = P.AdaptiveMaxPool3D()(x, Tensor([2, 3, 2], ms.int32)); G.AdaptiveMaxPool3DGrad()(y, x, argmax)", VOLUME, f32(1, 2, 2, 3, 2)),
    case("G.FractionalMaxPoolGradWithFixedKsize()(x, y, z)", f32(1, 1, 4, 4), f32(1, 1, 2, 2), literal([[[[0, 3], [9, 14]]]], "int64")),
    case("G.FractionalMaxPool3DGradWithFixedKsize()(x, y, z)", f32(1, 1, 2, 4, 4), f32(1, 1, 1, 2, 2), literal([[[[[0, 3], [9, 30]]]]], "int64")),
    *[
        one
        for overlapping in (False, True)
        for one in (
            case(f"G.FractionalMaxPoolGrad({overlapping})(x, y, z, w, v)", f32(1, 4, 4, 2), f32(1, 2, 2, 2), f32(1, 2, 2, 2),
                 literal([0, 2, 4], "int64"), v=literal([0, 1, 4], "int64")),
            case(f"G.FractionalAvgPoolGrad({overlapping})(Tensor([1, 4, 4, 2], ms.int64), x, y, z)", f32(1, 2, 2, 2),
                 literal([0, 2, 4], "int64"), literal([0, 1, 4], "int64")),
        )
    ],
    case("G.MaxUnpool2DGrad((1, 1, 2, 2), (1, 1, 2, 2), (1, 1, 0, 0))(x, y, z)", f32(1, 1, 2, 2), f32(1, 1, 4, 4), literal([[[[0, 3], [9, 14]]]], "int64")),
    case("G.MaxUnpool3DGrad((1, 1, 1, 2, 2), (1, 1, 1, 2, 2), (1, 1, 0, 0, 0))(x, y, z)", f32(1, 1, 1, 2, 2), f32(1, 1, 1, 4, 4), literal([[[[[0, 3], [9, 14]]]]], "int64")),
]  # fmt: skip

_SHAPE = "(4, 3, 3, 3)"
CONVOLUTIONS: list[Case] = [
    case(f"G.Conv2DBackpropFilter(4, 3)(x, y, {_SHAPE})", f32(2, 4, 3, 3), IMAGE, gradient="weighted"),
    case(f"G.Conv2DBackpropFilter(4, 3, 'same', stride=(2, 2))(x, y, {_SHAPE})", f32(2, 4, 3, 3), IMAGE),
    case(f"G.Conv2DBackpropFilter(4, 3, 'pad', 1, (1, 1, 1, 1))(x, y, {_SHAPE})", f32(2, 4, 5, 5), IMAGE),
    case("G.Conv2DBackpropFilter(3, 3, group=3)(x, y, (3, 1, 3, 3))", f32(2, 3, 3, 3), IMAGE),
    case("P.Conv2DBackpropInput(4, 3)(x, y, (2, 3, 5, 5))", f32(2, 4, 3, 3), f32(4, 3, 3, 3)),
    case("P.nn_ops.Conv3DBackpropInput(3, 2)(x, y, (1, 2, 4, 4, 4))", f32(3, 2, 2, 2, 2), f32(1, 3, 3, 3, 3)),
    case("G.Conv3DBackpropFilter(3, 2)(x, y, (3, 2, 2, 2, 2))", VOLUME, f32(1, 3, 3, 3, 3)),
    case("G.DepthwiseConv2dNativeBackpropFilter(1, 3)(x, (1, 3, 3, 3), y)", IMAGE, f32(2, 3, 3, 3)),
    case("G.DepthwiseConv2dNativeBackpropInput(1, 3)((2, 3, 5, 5), x, y)", f32(1, 3, 3, 3), f32(2, 3, 3, 3)),
    case("A.ConvolutionGrad()(x, y, z, None, (1, 1), (0, 0), (1, 1), False, (0, 0), 1, (1, 1, 1))", f32(2, 4, 3, 3), IMAGE, f32(4, 3, 3, 3)),
    case("A.ConvolutionStrGrad()(x, y, z, None, (1, 1), 'same', (1, 1), False, (0, 0), 1, (1, 1, 1))", f32(2, 4, 5, 5), IMAGE, f32(4, 3, 3, 3)),
    case("G.BiasAddGrad()(x)", f32(2, 3), gradient="weighted"),
    case("G.BiasAddGrad()(x)", IMAGE),
    case("G.BiasAddGrad('NHWC')(x)", f32(2, 2, 2, 3)),
    case("G.Dilation2DBackpropInput(1, 1, 'VALID')(x, y, z)", f32(1, 2, 4, 4), f32(2, 2, 2), f32(1, 2, 3, 3)),
    case("G.Dilation2DBackpropFilter(1, 1, 'VALID')(x, y, z)", f32(1, 2, 4, 4), f32(2, 2, 2), f32(1, 2, 3, 3)),
    case("G.Dilation2DBackpropInput(2, 1, 'SAME')(x, y, z)", f32(1, 2, 4, 4), f32(2, 2, 2), f32(1, 2, 2, 2)),
    case("G.DeformableOffsetsGrad((1, 1, 1, 1), (0, 0, 0, 0), (2, 2))(x, y, z)", f32(1, 1, 4, 4), f32(1, 1, 3, 3), f32(1, 12, 2, 2)),
    case("A.Col2ImGrad()(x, (2, 2), (1, 1), (0, 0), (1, 1))", f32(1, 2, 4, 4)),
    case("G.DropoutGrad(0.5)(x, y)", f32(2, 3), literal([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])),
    case("A.DropoutGradExt()(x, y, 0.5)", f32(2, 3), literal([5], "uint8")),
]  # fmt: skip
CASES = POOLING + CONVOLUTIONS
