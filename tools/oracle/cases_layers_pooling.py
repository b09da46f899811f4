"""Pooling layers."""

from __future__ import annotations

from tools.oracle.case import array, f32, literal
from tools.oracle.layer_case import AnyLayerCase, layer, layers

PLANE = f32(2, 2, 5, 4)
ROW = f32(2, 2, 6)
VOLUME = f32(1, 2, 4, 3, 4)
_CHANNELS_LAST = "channels last run on GPUs only in real MindSpore"
_NO_KERNEL = "real MindSpore has no such kernel on CPU"

MAXIMUM: list[AnyLayerCase] = [
    *layers(
        """
        nn.MaxPool2d()
        nn.MaxPool2d(2, 2)
        nn.MaxPool2d((2, 3), 2, 'same')
        nn.MaxPool2d(3, (1, 2), 'VALID')
        nn.MaxPool2d(2, 2, 'pad', 1)
        nn.MaxPool2d(3, 2, 'pad', (1, 0), return_indices=True)
        nn.MaxPool2d(2, 2, 'pad', 0, (2, 1), False, True)
        """,
        PLANE,
    ),
    layer("nn.MaxPool2d(2, 2)", f32(2, 4, 4)),
    layer("nn.MaxPool2d(2, 2, 'pad', 1, 1, True)", f32(2, 4, 4)),
    layer("nn.MaxPool2d(2, 2)", array("float16", 1, 1, 4, 4)),
    layer("nn.MaxPool2d(2, 2, data_format='NHWC')", f32(1, 4, 4, 2), waiver=_CHANNELS_LAST),
    *layers(
        """
        nn.MaxPool1d(2, 2)
        nn.MaxPool1d(3, 2, 'same')
        nn.MaxPool1d(3, 2, 'pad', 1, 1, True)
        nn.MaxPool1d(2, 3, 'pad', 0, 2, ceil_mode=True)
        """,
        ROW,
    ),
    layer("nn.MaxPool1d(2, 2)", f32(2, 5)),
    *layers(
        """
        nn.MaxPool3d(2, 2)
        nn.MaxPool3d((1, 2, 2), 2, 'same')
        nn.MaxPool3d(2, 2, 'pad', 1, return_indices=True)
        nn.MaxPool3d(2, 2, 'pad', (1, 0, 1), ceil_mode=True)
        """,
        VOLUME,
    ),
    layer("nn.MaxPool3d(2, 2)", f32(2, 2, 4, 4)),
    *layers(
        """
        nn.MaxPool2d(0, 2)
        nn.MaxPool2d(2, -1)
        nn.MaxPool2d(2.0)
        nn.MaxPool2d((1, 2, 3), 2)
        nn.MaxPool2d(2, 2, 'xx')
        nn.MaxPool2d(2, 2, 'valid', 1)
        nn.MaxPool2d(2, 2, 'same', return_indices=True)
        nn.MaxPool2d(2, 2, 'pad', (1, 0, 1, 1))
        nn.MaxPool2d(2, 2, data_format='XX')
        nn.MaxPool1d((2,), 2)
        nn.MaxPool1d(2, 2, 'valid', 1)
        nn.MaxPool3d(2, 2, ceil_mode=True)
        nn.MaxPool3d(2, 2, 'valid', return_indices=True)
        """,
        raises=True,
    ),
    layer("nn.MaxPool2d(7, 2)", f32(1, 1, 4, 4), raises=True),
    layer("nn.MaxPool2d(2, 2)", f32(4, 4), raises=True),
    layer("nn.MaxPool2d(2, 2, 'pad', 2)", f32(1, 1, 4, 4), raises=True),
]

AVERAGE: list[AnyLayerCase] = [
    *layers(
        """
        nn.AvgPool2d()
        nn.AvgPool2d(2, 2)
        nn.AvgPool2d((2, 3), 2, 'same')
        nn.AvgPool2d(2, 2, 'pad', 1)
        nn.AvgPool2d(2, 2, 'pad', (1, 0), count_include_pad=False)
        nn.AvgPool2d(2, 2, 'pad', 1, True)
        nn.AvgPool2d(2, 2, 'valid', 0, True)
        nn.AvgPool2d(2, 2, 'same', 0, True)
        nn.AvgPool2d(2, 2, divisor_override=3)
        """,
        PLANE,
    ),
    layer("nn.AvgPool2d(2, 2)", f32(2, 4, 4)),
    layer("nn.AvgPool2d(2, 2, 'pad', 1)", f32(2, 4, 4)),
    layer("nn.AvgPool2d(2, 2, 'same', data_format='NHWC')", f32(1, 4, 4, 2), waiver=_CHANNELS_LAST),
    *layers(
        """
        nn.AvgPool1d(2, 2)
        nn.AvgPool1d(3, 2, 'same')
        nn.AvgPool1d((2,), (2,))
        nn.AvgPool1d(2, 2, 'pad', 1, True, False)
        nn.AvgPool1d(4, 4, ceil_mode=True)
        """,
        ROW,
    ),
    layer("nn.AvgPool1d(2, 2)", f32(2, 5)),
    *layers(
        """
        nn.AvgPool3d(2, 2)
        nn.AvgPool3d((1, 2, 2), 2, 'same')
        nn.AvgPool3d(2, 2, 'pad', 1)
        nn.AvgPool3d(2, 2, 'pad', (1, 0, 1), True, False)
        nn.AvgPool3d(2, 2, divisor_override=3)
        """,
        VOLUME,
    ),
    layer("nn.AvgPool3d(2, 2)", f32(2, 2, 4, 4)),
    *layers(
        """
        nn.AvgPool2d(0)
        nn.AvgPool2d(2, 2, 'valid', 1)
        nn.AvgPool2d(2, 2, 'pad', 1, divisor_override=0)
        nn.AvgPool1d(0)
        """,
        raises=True,
    ),
    layer("nn.AvgPool2d(2, 2, 'pad', 2)", f32(1, 1, 4, 4), raises=True),
    layer("nn.AvgPool2d(2, 2, 'pad', 1)", f32(4, 4), raises=True),
]

OTHERS: list[AnyLayerCase] = [
    layer("nn.AdaptiveAvgPool1d(2)", f32(1, 2, 4)),
    *layers("nn.AdaptiveAvgPool2d(2)\nnn.AdaptiveAvgPool2d((None, 1))\nnn.AdaptiveAvgPool2d((3, 2))", PLANE),
    layer("nn.AdaptiveAvgPool3d((1, None, 2))", VOLUME),
    layer("nn.AdaptiveMaxPool1d(2)", f32(1, 2, 4)),
    *layers("nn.AdaptiveMaxPool2d(2)\nnn.AdaptiveMaxPool2d((None, 3), True)", PLANE),
    layer("nn.AdaptiveMaxPool3d((2, 2, 3), True)", VOLUME, gradient=False),
    *layers("nn.LPPool1d(2, 2)\nnn.LPPool1d(2.0, 4, 3, True)\nnn.LPPool1d(1.5, 3)", f32(1, 2, 7, low=0.1, high=2.0)),
    *layers("nn.LPPool2d(2, 2)\nnn.LPPool2d(3, (2, 3), 1, True)", f32(1, 2, 5, 5, low=0.1, high=2.0), tolerance=1e-4),
    layer("nn.LPPool1d(2, 2)", literal([[[0.0, 0.0, 3.0, 4.0]]])),
    layer("nn.MaxUnpool1d(2)", f32(1, 1, 2), literal([[[1, 3]]], "int64")),
    layer("nn.MaxUnpool1d(2)", f32(1, 1, 2), literal([[[1, 3]]], "int64"), call="net(x, y, (1, 1, 5))"),
    layer("nn.MaxUnpool2d(2, 2)", f32(1, 1, 2, 2), literal([[[[0, 2], [8, 15]]]], "int64")),
    layer("nn.MaxUnpool2d(2)", f32(1, 2, 2), literal([[[0, 2], [8, 15]]], "int64"), call="net(x, y, (1, 5, 5))"),
    layer("nn.MaxUnpool3d(2)", f32(1, 1, 1, 1, 2), literal([[[[[7, 8]]]]], "int64")),
    layer("nn.MaxUnpool2d(2)", f32(1, 1, 2, 2), literal([[[[0, 2], [8, 99]]]], "int64"), raises=True),
    layer("nn.MaxUnpool2d(2)", f32(1, 1, 1, 1), literal([[[[0]]]], "int64"), call="net(x, y, (9, 9))", raises=True),
    *layers(
        """
        nn.FractionalMaxPool2d(2, (3, 2), return_indices=True, _random_samples=Tensor([[[0.5, 0.1]]]))
        nn.FractionalMaxPool2d(2, output_ratio=(0.5, 0.6), _random_samples=Tensor([[[0.1, 0.5]]]))
        """,
        f32(1, 1, 5, 6),
    ),
    layer(
        "nn.FractionalMaxPool3d(2, (3, 2, 3), return_indices=True, _random_samples=Tensor([[[0.5, 0.1, 0.1]]]))",
        f32(1, 1, 5, 4, 5),
    ),
    layer("nn.FractionalMaxPool2d(2)", f32(1, 1, 5, 5), raises=True),
    layer("nn.FractionalMaxPool2d(2, (6, 6))", f32(1, 1, 5, 5), raises=True),
    layer("nn.FractionalMaxPool2d(2, output_ratio=(1.5, 0.5))", f32(1, 1, 5, 5), raises=True),
    layer("nn.LPPool2d(0, 2)", f32(1, 1, 4, 4), raises=True),
    *layers(
        "nn.AdaptiveAvgPool1d(0)\nnn.AdaptiveAvgPool2d('a')\nnn.AdaptiveAvgPool2d((1, 2, 3))\nnn.AdaptiveMaxPool1d(0)",
        raises=True,
    ),
    layer("nn.MaxPool2dExt(2)", PLANE, waiver=_NO_KERNEL),
    layer("nn.AvgPool1dExt(2)", ROW, waiver=_NO_KERNEL),
    layer("nn.AvgPool2dExt(2)", PLANE, waiver=_NO_KERNEL),
    layer("nn.AvgPool3dExt(2)", VOLUME, waiver=_NO_KERNEL),
]

CASES = MAXIMUM + AVERAGE + OTHERS
