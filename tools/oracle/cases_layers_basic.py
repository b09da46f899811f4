"""Fully connected, embedding, image, mathematical, padding and other basic layers."""

from __future__ import annotations

from tools.oracle.case import array, f32, i32, literal
from tools.oracle.layer_case import AnyLayerCase, layer, layers

_RANDOM = "random numbers of another generator"
_CLIPPED_AXES = "real MindSpore's CPU kernel mixes up the norms of different rows"
_NO_KERNEL = "real MindSpore has no such kernel on CPU"

DENSE: list[AnyLayerCase] = [
    *layers(
        """
        nn.Dense(3, 4)
        nn.Dense(3, 4, has_bias=False)
        nn.Dense(3, 4, activation='relu')
        nn.Dense(3, 4, activation=nn.Sigmoid())
        nn.Dense(3, 4, activation=ops.Tanh())
        nn.Dense(3, 4, 'normal', 'zeros')
        nn.Dense(3, 4, weight_init='xavier_uniform', bias_init=0.5)
        nn.Dense(3, 2, Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), Tensor([1.0, 2.0]))
        nn.Linear(3, 4)
        nn.Linear(3, 4, False)
        nn.Linear(3, 4, weight_init='ones', bias_init='ones')
        """,
        f32(2, 3),
    ),
    layer("nn.Dense(3, 4)", f32(2, 2, 3)),
    layer("nn.Dense(3, 4)", f32(3)),
    layer("nn.Dense(3, 4, dtype=ms.float16)", array("float16", 2, 3)),
    layer("nn.BiDense(2, 3, 4)", f32(5, 2), f32(5, 3), tolerance=2e-5),
    layer("nn.BiDense(2, 3, 4, has_bias=False)", f32(2, 2, 2), f32(2, 2, 3), tolerance=2e-5),
    layer("nn.BiDense(2, 3, 1, 'ones', 'zeros')", f32(2), f32(3), tolerance=2e-5),
    *layers(
        """
        nn.Dense(0, 4)
        nn.Dense(3.0, 4)
        nn.Dense(3, 4, has_bias=1)
        nn.Dense(3, 4, activation='foo')
        nn.Dense(3, 4, activation=5)
        nn.Dense(3, 4, Tensor([1.0]))
        nn.Dense(3, 4, bias_init=Tensor([1.0]))
        nn.Linear(3, 0)
        nn.BiDense(2, 3, 4, weight_init=Tensor([1.0]))
        """,
        raises=True,
    ),
    layer("nn.Dense(3, 4)", f32(2, 4), raises=True),
    layer("nn.Dense(3, 4)", array("float16", 2, 3), raises=True),
    layer("nn.BiDense(2, 3, 4)", f32(2, 3), f32(2, 3), raises=True),
]

DROPOUT: list[AnyLayerCase] = [
    *layers("nn.Dropout()\nnn.Dropout(0.8)\nnn.Dropout(p=0.3)\nnn.DropoutExt(0.3)\nnn.Dropout2dExt(0.3)", f32(2, 3)),
    layer("nn.Dropout(p=0.5)", f32(2, 3), train=True, not_compared=_RANDOM, gradient_not_compared=_RANDOM),
    layer("nn.Dropout(p=0.0)", f32(2, 3), train=True),
    layer("nn.Dropout1d(0.3)", f32(2, 3, 4)),
    layer("nn.Dropout1d(1.0)", f32(2, 3, 4), train=True),
    layer("nn.Dropout2d(0.3)", f32(2, 3, 1, 2)),
    layer("nn.Dropout2d(1.0)", f32(2, 3, 1, 2), train=True),
    layer("nn.Dropout3d(0.3)", f32(1, 2, 1, 2, 2)),
    layer("nn.DropoutExt(1.0)", f32(2, 3), train=True),
    *layers(
        """
        nn.Dropout(p=1.0)
        nn.Dropout(p=-0.1)
        nn.Dropout(keep_prob=0.0)
        nn.Dropout(keep_prob=1)
        nn.Dropout('a')
        nn.Dropout1d(1.5)
        nn.Dropout2d(-1.0)
        nn.Dropout3d(1)
        """,
        raises=True,
    ),
    layer("nn.Dropout2d(0.5)", f32(2, 3, 4), train=True, raises=True),
]

ARRANGING: list[AnyLayerCase] = [
    *layers("nn.Flatten()\nnn.Flatten(0)\nnn.Flatten(0, 1)\nnn.Identity(1, a=2)\nnn.Unflatten(-1, (2, -1))", f32(2, 3, 4)),
    *layers(
        """
        nn.Pad(((1, 1), (2, 0)))
        nn.Pad(((1, 1), (2, 0)), 'REFLECT')
        nn.Pad(((1, 1), (2, 0)), mode='SYMMETRIC')
        """,
        f32(2, 3),
    ),
    *layers(
        """
        nn.Upsample((3, 5))
        nn.Upsample((3, 5), mode='bilinear', align_corners=True)
        nn.Upsample(scale_factor=2.0, recompute_scale_factor=True)
        nn.Upsample((4, 4), mode='bicubic')
        """,
        f32(1, 2, 2, 3),
    ),
    *layers("nn.Roll(1, 0)\nnn.Roll((1, 2), (0, 1))", f32(2, 3), waiver=_NO_KERNEL),
    *layers(
        """
        nn.Pad([[1, 1]])
        nn.Pad(((1, 1),), 'abc')
        nn.Pad(((1, 1, 1), (2, 2)))
        nn.Pad(((1, 1), (0, 0), (0, 0), (0, 0), (0, 0)))
        nn.Roll((1, 2), 0)
        nn.Roll('a', 0)
        nn.Unfold([1, 2, 2], [1, 1, 1, 1], [1, 1, 1, 1])
        nn.Unfold([1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], 'xx')
        nn.Unflatten('a', (2, 3))
        nn.Unflatten(1, 3)
        """,
        raises=True,
    ),
    layer("nn.Flatten()", f32(3), raises=True),
    layer("nn.Flatten(2, 1)", f32(2, 3, 4), raises=True),
    layer("nn.Pad(((1, 1), (2, 2)))", f32(2), raises=True),
    layer("nn.Unflatten(1, (2, 2))", f32(2, 6), raises=True),
]

MATRICES: list[AnyLayerCase] = [
    layer("nn.ClipByNorm()", f32(2, 3), literal(0.5)),
    layer("nn.ClipByNorm()", f32(2, 3), literal([9.0])),
    layer("nn.ClipByNorm((0, 1))", array("float16", 2, 3), literal(0.5), gradient=False),
    layer("nn.ClipByNorm(0)", f32(2, 3), literal(0.5), waiver=_CLIPPED_AXES),
    *layers("nn.Norm()\nnn.Norm((0,), True)\nnn.Norm(1)\nnn.L1Regularizer(0.5)\nnn.Tril()\nnn.Triu()", f32(2, 3)),
    layer("nn.Tril()", f32(3, 3), call="net(x, 1)"),
    layer("nn.Triu()", f32(2, 3, 3), call="net(x, -1)"),
    *layers(
        """
        nn.OneHot(depth=4)
        nn.OneHot(0, 3, 2.0, -1.0)
        nn.OneHot(depth=4, dtype=ms.int32)
        nn.OneHot(depth=4, dtype=ms.float16)
        """,
        i32(2, 2, low=0, high=5),
    ),
    *layers(
        """
        nn.ClipByNorm('a')
        nn.Norm('a')
        nn.Norm(0, 1)
        nn.L1Regularizer(-0.5)
        nn.L1Regularizer(0)
        nn.L1Regularizer('a')
        """,
        raises=True,
    ),
    layer("nn.OneHot(depth=4)", f32(3), raises=True),
    layer("nn.ClipByNorm(2)", f32(2, 3), literal(0.5), raises=True),
    layer("nn.ClipByNorm()", i32(2, 3), literal(0.5), raises=True),
    layer("nn.Triu()", f32(3), raises=True),
]

CASES = DENSE + DROPOUT + ARRANGING + MATRICES
