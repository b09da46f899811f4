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
    *layers(
        "nn.Flatten()\nnn.Flatten(0)\nnn.Flatten(0, 1)\nnn.Identity(1, a=2)\nnn.Unflatten(-1, (2, -1))", f32(2, 3, 4)
    ),
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

EMBEDDING: list[AnyLayerCase] = [
    *layers(
        """
        nn.Embedding(5, 3)
        nn.Embedding(5, 3, True)
        nn.Embedding(5, 3, padding_idx=1)
        nn.Embedding(5, 3, False, 'ones', ms.float16)
        nn.Embedding(2, 3, embedding_table=Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), padding_idx=0)
        nn.EmbeddingLookup(5, 3, 'ones', 'DEVICE', sparse=False)
        """,
        i32(2, 3, low=0, high=2),
    ),
    # the gradient of these is a sparse Tensor in real MindSpore
    layer("nn.EmbeddingLookup(5, 3)", i32(2, 3, low=0, high=5), gradient=False),
    layer(
        "nn.EmbeddingLookup(5, 3, slice_mode='table_row_slice', dtype=ms.float16)",
        i32(2, 3, low=0, high=5),
        gradient=False,
    ),
    layer("nn.Embedding(5, 3, True)", literal([7, -1], "int32")),
    layer("nn.EmbeddingLookup(5, 3)", literal([7, -1], "int32"), gradient=False),
    layer("nn.EmbeddingLookup(5, 3, max_norm=0.01)", i32(2, 3, low=0, high=5), waiver=_CLIPPED_AXES),
    layer("nn.Embedding(5, 3)", literal([7], "int32"), raises=True),
    layer("nn.Embedding(5, 3)", f32(2), raises=True),
    layer("nn.EmbeddingExt(5, 3)"),
    layer("nn.EmbeddingExt(5, 3, 1, 2.0)"),
    layer("nn.EmbeddingExt(2, 2, 1, _weight=Tensor([[1.0, 2.0], [3.0, 4.0]]), _freeze=True)"),
    layer("nn.EmbeddingExt(5, 3, dtype=ms.float16)"),
    *layers(
        """
        nn.MultiFieldEmbeddingLookup(5, 3, 3)
        nn.MultiFieldEmbeddingLookup(5, 3, 3, operator='MEAN')
        nn.MultiFieldEmbeddingLookup(5, 3, 3, operator='MAX')
        """,
        literal([[1, 2, 3], [0, 4, 1]], "int32"),
        literal([[1.0, 2.0, 1.0], [1.0, -1.0, 0.0]]),
        literal([[0, 1, 0], [1, 1, 0]], "int32"),
        gradient=False,
    ),
    *layers(
        """
        nn.Embedding(0, 3)
        nn.Embedding(5, 'a')
        nn.Embedding(5, 3, 1)
        nn.Embedding(5, 3, padding_idx=5)
        nn.Embedding(5, 3, padding_idx=1.0)
        nn.Embedding(5, 3, embedding_table=Tensor([1.0]))
        nn.EmbeddingLookup(5, 3, target='GPU')
        nn.EmbeddingLookup(5, 3, sparse=False)
        nn.EmbeddingLookup(5, 3, max_norm=-1.0)
        nn.MultiFieldEmbeddingLookup(5, 3, 2, operator='MIN')
        nn.EmbeddingExt('a', 3)
        nn.EmbeddingExt(5, 3, 7)
        nn.EmbeddingExt(5, 3, sparse=True)
        nn.EmbeddingExt(5, 3, _weight=Tensor([1.0]))
        """,
        raises=True,
    ),
]

_GRAPH_ONLY = "real MindSpore computes it in compiled functions only; its numbers are in tests/nn/test_image.py"
IMAGES: list[AnyLayerCase] = [
    *layers("nn.CentralCrop(0.5)\nnn.CentralCrop(0.3)\nnn.CentralCrop(1.0)", f32(2, 3, 7, 6)),
    layer("nn.CentralCrop(0.5)", i32(1, 4, 5)),
    layer("nn.ImageGradients()", f32(1, 2, 2, 3)),
    layer("nn.ImageGradients()", i32(1, 1, 2, 3)),
    layer("nn.PixelShuffle(2)", f32(1, 8, 1, 3)),
    layer("nn.PixelUnshuffle(2)", f32(2, 1, 4, 2)),
    layer("nn.ChannelShuffle(2)", f32(2, 4, 3)),
    layer("nn.ChannelShuffle(3)", f32(2, 6, 1, 2)),
    layer("nn.SSIM(filter_size=3)", f32(1, 1, 4, 4), f32(1, 1, 4, 4), waiver=_GRAPH_ONLY),
    layer("nn.SSIM(filter_size=3)", initial_not_compared="the last bit of the window differs"),
    layer(
        "nn.MSSSIM(power_factors=(0.5, 0.5), filter_size=3)",
        initial_not_compared="the last bit of the window differs",
    ),
    layer("nn.PSNR()"),
    *layers(
        """
        nn.CentralCrop(1.5)
        nn.CentralCrop(0.0)
        nn.CentralCrop(1)
        nn.PSNR(0)
        nn.SSIM(max_val=0.0)
        nn.SSIM(filter_size=0)
        nn.SSIM(filter_size=3.0)
        nn.SSIM(filter_sigma=0.0)
        nn.SSIM(k1=0)
        nn.MSSSIM(power_factors=0.5)
        nn.ChannelShuffle(0)
        nn.ChannelShuffle(2.0)
        """,
        raises=True,
    ),
    layer("nn.CentralCrop(0.5)", f32(4, 4), raises=True),
    layer("nn.ImageGradients()", f32(1, 2, 3), raises=True),
    layer("nn.SSIM(filter_size=3)", f32(1, 1, 2, 2), f32(1, 1, 2, 2), raises=True),
    layer("nn.PSNR()", f32(1, 1, 2, 2), f32(1, 1, 2, 3), raises=True),
    layer("nn.PixelShuffle(2)", f32(1, 3, 1, 2), raises=True),
    layer("nn.PixelShuffle(-1)", f32(1, 4, 1, 1), raises=True),
    layer("nn.PixelUnshuffle(2)", f32(1, 1, 3, 4), raises=True),
]

_PARTS = "real MindSpore computes it with an LGamma inside"
_SYMMETRIC = literal([[4.0, 1.0], [1.0, 3.0]])
MATHEMATICS: list[AnyLayerCase] = [
    *layers("nn.ReduceLogSumExp(0)\nnn.ReduceLogSumExp((0, 1), True)\nnn.ReduceLogSumExp(())", f32(2, 3)),
    *layers("nn.Range(1, 8, 2)\nnn.Range(5)\nnn.Range(0.0, 1.0, 0.3)\nnn.Range(1, 5.0)\nnn.Range(5, 0, -2)"),
    layer("nn.LGamma()", literal([0.1, 0.5, 1.5, -0.5, -2.5]), tolerance=1e-4),
    layer("nn.LGamma()", literal([4.0, 30.0]), tolerance=1e-4, gradient=False),
    layer("nn.DiGamma()", literal([0.1, 0.5, 1.7, 4.0, 100.0, -1.5]), gradient=False, tolerance=1e-4),
    layer(
        "nn.IGamma()",
        literal([2.0, 4.0, 0.5, 1.0]),
        literal([2.0, 3.0, 6.0, 0.0]),
        gradient=False,
        tolerance=1e-5,
        repr_not_compared=_PARTS,
    ),
    layer(
        "nn.LBeta()",
        literal([2.0, 4.0, 0.5, 20.0]),
        literal([2.0, 3.0, 16.0, 30.0]),
        gradient=False,
        tolerance=1e-4,
        repr_not_compared=_PARTS,
    ),
    layer("nn.MatMul()", f32(2, 3), f32(3, 4)),
    layer("nn.MatMul()", f32(3), f32(2, 3, 4)),
    layer("nn.MatMul()", f32(3), f32(3)),
    layer("nn.MatMul(True)", f32(3, 2), f32(2, 3, 4), tolerance=1e-5),
    layer("nn.MatMul(False, True)", f32(2, 1, 3), f32(4, 3)),
    layer("nn.MatMul(True, True)", f32(3), f32(4, 3)),
    *layers("nn.Moments(0)\nnn.Moments()\nnn.Moments((0, 1), True)\nnn.Moments(-1, True)", f32(2, 3)),
    layer("nn.Moments(0)", array("float16", 2, 3), gradient=False),
    *layers("nn.layer.math.CosineSimilarity()\nnn.layer.math.CosineSimilarity(0, 0.1)", f32(2, 3), f32(2, 3)),
    layer("nn.MatInverse()", _SYMMETRIC, waiver=_NO_KERNEL),
    layer("nn.MatDet()", _SYMMETRIC, waiver=_NO_KERNEL),
    *layers(
        """
        nn.ReduceLogSumExp('a')
        nn.Range('a')
        nn.Range(0, 5, 0)
        nn.MatMul(1)
        nn.Moments('a')
        nn.Moments([0])
        nn.Moments(0, 1)
        """,
        raises=True,
    ),
    layer("nn.ReduceLogSumExp(5)", f32(2, 3), raises=True),
    layer("nn.LGamma()", i32(3), raises=True),
    layer("nn.Moments(0)", i32(3), raises=True),
    layer("nn.MatMul()", f32(2, 3), f32(2, 4), raises=True),
    layer("nn.MatMul()", i32(2, 3), f32(3, 4), raises=True),
]

PADDING: list[AnyLayerCase] = [
    *layers(
        """
        nn.ConstantPad1d(1, 2.0)
        nn.ConstantPad1d((1, -1), 2)
        nn.ConstantPad2d((1, 0, 2, 1), 0.5)
        nn.ConstantPad3d(1, 0.5)
        nn.ZeroPad2d((1, -1, 0, 1))
        nn.ReflectionPad1d((1, 2))
        nn.ReflectionPad2d((1, 2, 0, 1))
        nn.ReflectionPad3d(1)
        nn.ReplicationPad1d((1, 2))
        nn.ReplicationPad2d((1, 2, 0, 1))
        nn.ReplicationPad3d(1)
        """,
        f32(2, 2, 2, 3),
    ),
    layer("nn.ConstantPad1d(1, 1.7)", i32(1, 3)),
    layer("nn.ReflectionPad1d(1)", f32(3)),
    *layers(
        """
        nn.ConstantPad1d((1, 2, 3), 2)
        nn.ConstantPad1d((1, 2, 3, 4), 2)
        nn.ConstantPad1d('a', 2)
        nn.ConstantPad1d(1, 'a')
        nn.ReflectionPad1d(-1)
        nn.ReflectionPad1d([1, 2])
        nn.ReflectionPad1d(1.5)
        """,
        raises=True,
    ),
    layer("nn.ReflectionPad1d(3)", f32(2, 3), raises=True),
    layer("nn.ConstantPad3d(1, 0.5)", f32(2, 3), raises=True),
    layer("nn.ConstantPad1d((-4, 0), 0.5)", f32(2, 3), raises=True),
]

COMBINED: list[AnyLayerCase] = [
    layer("nn.Conv2dBnAct(2, 3, 3)", f32(1, 2, 4, 4), tolerance=1e-4),
    layer("nn.Conv2dBnAct(2, 3, 3, has_bn=True, activation='relu')", f32(2, 2, 3, 3), train=True, tolerance=1e-3),
    layer("nn.Conv2dBnAct(2, 3, 1, has_bias=True, activation='leakyrelu', alpha=0.1)", f32(1, 2, 2, 2), tolerance=1e-4),
    layer("nn.DenseBnAct(2, 3)", f32(4, 2)),
    layer("nn.DenseBnAct(2, 3, has_bn=True, activation='sigmoid')", f32(4, 2), train=True, tolerance=1e-3),
    layer("nn.DenseBnAct(2, 3, has_bn=True)", f32(4, 2)),
]

CASES = DENSE + DROPOUT + ARRANGING + MATRICES + EMBEDDING + IMAGES + MATHEMATICS + PADDING + COMBINED
