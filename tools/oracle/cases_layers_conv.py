"""Convolution layers and fully connected ones."""

from __future__ import annotations

from tools.oracle.case import array, f32
from tools.oracle.layer_case import AnyLayerCase, layer, layers

IMAGE = f32(2, 2, 5, 4)

CONVOLUTION: list[AnyLayerCase] = [
    *layers(
        """
        nn.Conv2d(2, 3, 3)
        nn.Conv2d(2, 3, (3, 2), stride=2, has_bias=True)
        nn.Conv2d(2, 4, 3, pad_mode='valid', dilation=(1, 1), group=2, has_bias=True)
        nn.Conv2d(2, 3, 3, (1, 2), 'pad', (1, 0, 2, 0), has_bias=True)
        nn.Conv2d(2, 3, 2, pad_mode='pad', padding=1, dilation=2)
        nn.Conv2d(2, 3, 3, weight_init='normal', bias_init='zeros', has_bias=True)
        nn.Conv2d(2, 3, 1, weight_init=0.5, bias_init='ones')
        nn.Conv2dTranspose(2, 3, 3)
        nn.Conv2dTranspose(2, 3, 3, 2, has_bias=True)
        nn.Conv2dTranspose(2, 3, 2, 3, 'valid')
        nn.Conv2dTranspose(2, 3, 3, 2, 'pad', (1, 0, 2, 1))
        nn.Conv2dTranspose(2, 4, 3, 2, 'pad', 1, output_padding=(1, 0), group=2)
        nn.Conv2dTranspose(2, 3, 3, 2, 'pad', 1, output_padding=1, dilation=2, weight_init='xavier_uniform')
        """,
        IMAGE,
        tolerance=1e-4,
    ),
    *layers(
        """
        nn.Conv1d(2, 3, 3)
        nn.Conv1d(2, 4, 3, 2, 'pad', 2, 2, 2, True)
        nn.Conv1d(2, 3, 2, pad_mode='valid', weight_init='he_normal')
        nn.Conv1dTranspose(2, 3, 3, has_bias=True)
        nn.Conv1dTranspose(2, 4, 3, 2, 'pad', 1, group=2)
        nn.Conv1dTranspose(2, 3, 2, 3, 'valid')
        """,
        f32(2, 2, 6),
        tolerance=1e-4,
    ),
    *layers(
        """
        nn.Conv3d(2, 3, 2)
        nn.Conv3d(2, 4, (1, 2, 3), stride=2, pad_mode='pad', padding=(1, 0, 2, 0, 1, 1), has_bias=True)
        nn.Conv3d(2, 3, 2, pad_mode='valid')
        nn.Conv3dTranspose(2, 3, 2, has_bias=True)
        nn.Conv3dTranspose(2, 3, 3, stride=2, pad_mode='pad', padding=1, output_padding=(0, 1, 0))
        nn.Conv3dTranspose(2, 3, (2, 3, 2), stride=2, pad_mode='valid')
        """,
        f32(1, 2, 3, 4, 3),
        tolerance=1e-4,
    ),
    layer("nn.Conv3d(2, 4, 2, group=2)", f32(1, 2, 3, 3, 3), tolerance=1e-4, gradient=False),
    layer("nn.Conv2d(2, 3, 3, dtype=ms.float16)", array("float16", 1, 2, 4, 4), tolerance=2e-2),
    layer("nn.SequentialCell(nn.Conv2d(2, 3, 3, has_bias=True), nn.Conv2d(3, 1, 1))", IMAGE, tolerance=1e-4),
    *layers(
        """
        nn.Conv2d(0, 3, 3)
        nn.Conv2d(2, 3.0, 3)
        nn.Conv2d(2, 3, 0)
        nn.Conv2d(2, 3, 3, stride=0)
        nn.Conv2d(2, 3, 3, dilation=0)
        nn.Conv2d(2, 3, (3, 3, 3))
        nn.Conv2d(2, 3, 3.0)
        nn.Conv2d(2, 3, 3, pad_mode='xx')
        nn.Conv2d(2, 3, 3, pad_mode='SAME')
        nn.Conv2d(2, 3, 3, padding=1)
        nn.Conv2d(2, 3, 3, pad_mode='pad', padding=(1, 2))
        nn.Conv2d(2, 3, 3, pad_mode='pad', padding=-1)
        nn.Conv2d(2, 3, 3, pad_mode='pad', padding=1.5)
        nn.Conv2d(2, 3, 3, group=2)
        nn.Conv2d(2, 3, 3, has_bias=1)
        nn.Conv2d(2, 3, 3, data_format='XX')
        nn.Conv2d(2, 3, 3, weight_init=Tensor([1.0]))
        nn.Conv1d(2, 3, 0)
        nn.Conv1d(2, 3, 3, pad_mode='xx')
        nn.Conv1d(2, 3, 3, padding=1)
        nn.Conv3d(2, 3, 3, pad_mode='pad', padding=(1, 2))
        """,
        raises=True,
    ),
    layer("nn.Conv2d(2, 3, 3)", f32(1, 3, 4, 4), raises=True),
    layer("nn.Conv2d(2, 3, 3)", f32(2, 4, 4), raises=True),
    layer("nn.Conv2d(2, 3, 3)", array("float16", 1, 2, 4, 4), raises=True),
    layer("nn.Conv1d(2, 3, 3)", f32(2, 4), raises=True),
    layer("nn.Conv1dTranspose(2, 3, 3)", f32(2, 4), raises=True),
    layer("nn.Conv3d(2, 3, 3)", f32(2, 4), raises=True),
    layer("nn.Conv2dTranspose(2, 3, 3, output_padding=1)", f32(1, 2, 3, 3), raises=True),
    layer("nn.Conv2dTranspose(2, 3, 3, pad_mode='pad', padding=1, output_padding=1)", f32(1, 2, 3, 3), raises=True),
]

CASES = CONVOLUTION
