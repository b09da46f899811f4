"""Losses and learning-rate schedules."""

from __future__ import annotations

from tools.oracle.case import array, f32, literal
from tools.oracle.layer_case import AnyLayerCase, layer, layers

NO_KERNEL = "real MindSpore has no CPU kernel for it"
INDICES = literal([1, 0, 2, 1], "int32")
SIGNS = literal([1, -1, 1, -1], "int32")
POINT_SIGNS = literal([[1.0, -1.0, 1.0], [-1.0, -1.0, 1.0]])
PROBABILITIES = f32(2, 3, low=0.1, high=0.9)

DISTANCES: list[AnyLayerCase] = [
    *layers(
        """
        nn.MSELoss()
        nn.MSELoss('sum')
        nn.MSELoss('none')
        nn.L1Loss()
        nn.L1Loss('none')
        nn.MAELoss('sum')
        nn.RMSELoss()
        nn.SmoothL1Loss()
        nn.SmoothL1Loss(0.5, 'mean')
        nn.HuberLoss()
        nn.HuberLoss('none', 0.5)
        """,
        f32(2, 3),
        f32(2, 3),
    ),
    layer("nn.MSELoss()", f32(2, 3), f32(3)),
    layer("nn.MSELoss()", array("float16", 2, 3), f32(2, 3)),
    layer("nn.L1Loss()", f32(2, 3), literal([[1, 0, 2], [2, 1, 0]], "int32")),
    layer("nn.L1LossExt()", f32(2, 3), f32(2, 3), oracle_crash=NO_KERNEL),
]

CLASSES: list[AnyLayerCase] = [
    *layers(
        """
        nn.SoftmaxCrossEntropyWithLogits(True)
        nn.SoftmaxCrossEntropyWithLogits(True, 'mean')
        nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction='sum')
        nn.CrossEntropyLoss()
        nn.CrossEntropyLoss(Tensor([0.5, 1.0, 2.0]), 1, 'sum', 0.1)
        nn.NLLLoss()
        nn.NLLLoss(Tensor([0.5, 1.0, 2.0]), 2, 'none')
        """,
        f32(4, 3),
        INDICES,
    ),
    layer("nn.SoftmaxCrossEntropyWithLogits(True)", f32(2, 3), literal([5, -1], "int32")),
    layer("nn.SoftmaxCrossEntropyWithLogits()", f32(4, 3), f32(4, 3, low=0.0, high=1.0)),
    layer("nn.SoftmaxCrossEntropyWithLogits(False, 'mean')", f32(4, 3), f32(4, 3, low=0.0, high=1.0)),
    layer("nn.CrossEntropyLoss()", f32(4, 3), f32(4, 3, low=0.0, high=1.0)),
    layer("nn.CrossEntropyLoss(reduction='none')", f32(2, 3, 2), literal([[1, 0], [2, -100]], "int32")),
    layer("nn.FocalLoss()", f32(4, 3), literal([[1], [0], [2], [1]], "int32")),
    layer("nn.FocalLoss(Tensor([0.5, 1.0, 2.0]), 1.5, 'none')", f32(2, 3, 2), literal([[[1, 0]], [[2, 2]]], "int32")),
    layer("nn.FocalLoss(Tensor([0.5, 1.0, 2.0]))", f32(2, 3, 2, 1), literal([[[[1], [0]]] * 3] * 2, "int32")),
    layer(
        "nn.SampledSoftmaxLoss(2, 5, 1, (Tensor([1, 4], ms.int32), Tensor([[0.5], [0.4]]), Tensor([0.3, 0.2])), False)",
        f32(5, 3),
        f32(5),
        literal([[0], [3]], "int32"),
        f32(2, 3),
    ),
    layer(
        "nn.SampledSoftmaxLoss(2, 5, 2, (Tensor([1, 4], ms.int32), Tensor([[0.5, 0.1]] * 2), Tensor([0.3, 0.2])), False)",
        f32(5, 3),
        f32(5),
        literal([[0, 1], [3, 2]], "int32"),
        f32(2, 3),
    ),
]

PROBABILITY: list[AnyLayerCase] = [
    *layers("nn.BCELoss()\nnn.BCELoss(reduction='sum')\nnn.DiceLoss()\nnn.DiceLoss(0.5)", PROBABILITIES, PROBABILITIES),
    layer("nn.BCELoss(Tensor([[0.5, 1.0, 2.0]] * 2), 'none')", PROBABILITIES, PROBABILITIES),
    *layers(
        """
        nn.BCEWithLogitsLoss()
        nn.BCEWithLogitsLoss('none', Tensor([0.5, 1.0, 2.0]), Tensor([1.5, 1.0, 0.5]))
        nn.KLDivLoss()
        nn.KLDivLoss('batchmean')
        nn.KLDivLoss('none')
        nn.PoissonNLLLoss()
        nn.PoissonNLLLoss(full=True, reduction='none')
        nn.MultiClassDiceLoss()
        nn.MultiClassDiceLoss(Tensor([[0.5, 1.0], [1.0, 1.0], [2.0, 0.5]]), 1, 'sigmoid')
        nn.MultiClassDiceLoss(activation=None)
        nn.MultiLabelSoftMarginLoss()
        nn.MultiLabelSoftMarginLoss(Tensor([0.5, 1.0, 2.0]), 'none')
        """,
        f32(2, 3),
        PROBABILITIES,
    ),
    layer("nn.MultiClassDiceLoss()", f32(2, 3, 2, 2), f32(2, 3, 2, 2, low=0.0, high=1.0)),
    layer("nn.PoissonNLLLoss(False, True, 1e-3, 'sum')", PROBABILITIES, f32(2, 3, low=0.5, high=3.0)),
    layer("nn.GaussianNLLLoss()", f32(2, 3), f32(2, 3), f32(2, 3, low=0.5, high=2.0)),
    layer("nn.GaussianNLLLoss(full=True, eps=0.8, reduction='none')", f32(2, 3), f32(2, 3), f32(2, low=0.5, high=2.0)),
]

MARGINS: list[AnyLayerCase] = [
    layer("nn.CosineEmbeddingLoss()", f32(4, 3), f32(4, 3), SIGNS),
    layer("nn.CosineEmbeddingLoss(0.5, 'none')", f32(4, 3), f32(4, 3), SIGNS),
    layer("nn.MarginRankingLoss(0.5)", f32(2, 3), f32(2, 3), POINT_SIGNS, gradient=False),
    layer("nn.HingeEmbeddingLoss()", f32(2, 3), POINT_SIGNS, gradient=False),
    layer("nn.HingeEmbeddingLoss(2, 'none')", f32(2, 3), POINT_SIGNS, gradient=False),
    layer("nn.SoftMarginLoss()", f32(2, 3), POINT_SIGNS, oracle_crash=NO_KERNEL),
    layer("nn.MultiMarginLoss()", f32(4, 3), literal([1, 0, 2, 1], "int64")),
    layer("nn.MultiMarginLoss(2, 0.5, 'none', Tensor([0.5, 1.0, 2.0]))", f32(4, 3), literal([1, 0, 2, 1], "int64")),
    layer("nn.TripletMarginWithDistanceLoss()", f32(2, 3), f32(2, 3), f32(2, 3)),
    layer("nn.TripletMarginWithDistanceLoss(swap=True, reduction='none', margin=2.0)", f32(2, 3), f32(2, 3), f32(2, 3)),
    layer(
        "nn.TripletMarginWithDistanceLoss(lambda x, y: ops.abs(x - y).sum(-1))",
        f32(2, 3),
        f32(2, 3),
        f32(2, 3),
    ),
    *layers(
        "nn.CTCLoss()\nnn.CTCLoss(1, 'none')\nnn.CTCLoss(reduction='sum')",
        f32(5, 2, 3),
        literal([[1, 2], [2, 2]], "int32"),
        literal([5, 4], "int32"),
        literal([2, 1], "int32"),
        tolerance=1e-4,
    ),
]

SCHEDULES: list[AnyLayerCase] = [
    *layers(
        """
        nn.ExponentialDecayLR(0.1, 0.5, 2)
        nn.ExponentialDecayLR(0.1, 0.5, 2, True)
        nn.NaturalExpDecayLR(0.1, 0.5, 2)
        nn.NaturalExpDecayLR(0.1, 0.5, 2, True)
        nn.InverseDecayLR(0.1, 0.5, 2)
        nn.InverseDecayLR(0.1, 0.5, 2, True)
        nn.CosineDecayLR(0.01, 0.1, 3)
        nn.PolynomialDecayLR(0.1, 0.01, 3, 0.5)
        nn.PolynomialDecayLR(0.1, 0.01, 3, 0.5, True)
        nn.WarmUpLR(0.1, 2)
        """,
        literal([0, 1, 2, 3, 4, 7], "int32"),
    ),
]

ERRORS: list[AnyLayerCase] = [
    *layers(
        """
    nn.MSELoss('avg')
    nn.MSELoss(None)
    nn.SoftmaxCrossEntropyWithLogits(1)
    nn.CrossEntropyLoss(label_smoothing=1.5)
    nn.CrossEntropyLoss(label_smoothing=1)
    nn.CrossEntropyLoss(3)
    nn.NLLLoss(ignore_index=1.0)
    nn.FocalLoss(gamma=1)
    nn.FocalLoss(Tensor([[1.0]]))
    nn.DiceLoss(0.0)
    nn.DiceLoss(1)
    nn.MultiClassDiceLoss(activation='foo')
    nn.MultiClassDiceLoss(Tensor([1.0]))
    nn.CosineEmbeddingLoss(2.0)
    nn.CosineEmbeddingLoss(1)
    nn.MultiMarginLoss(3)
    nn.MultiMarginLoss(margin=1)
    nn.GaussianNLLLoss(eps=0.0)
    nn.GaussianNLLLoss(eps=1)
    nn.TripletMarginWithDistanceLoss(margin=1)
    nn.SampledSoftmaxLoss(7, 5)
    nn.SampledSoftmaxLoss(2, 5, 1, (3,))
    nn.ExponentialDecayLR(1, 0.5, 2)
    nn.ExponentialDecayLR(0.1, 0.5, 0)
    nn.ExponentialDecayLR(0.1, 0.5, 2.0)
    nn.ExponentialDecayLR(0.1, 0.5, 2, 1)
    nn.CosineDecayLR(0.1, 0.01, 3)
    nn.CosineDecayLR(0, 0.01, 3)
    nn.PolynomialDecayLR(0.1, 0.01, 3, 1)
    nn.WarmUpLR(1, 2)
    nn.WarmUpLR(-0.1, 2)
    """,
        raises=True,
    ),
]

CALL_ERRORS: list[AnyLayerCase] = [
    layer("nn.SoftmaxCrossEntropyWithLogits(True)", f32(2, 3), literal([0.0, 2.0]), raises=True),
    layer("nn.SoftmaxCrossEntropyWithLogits(True)", f32(2, 3), literal([0, 2], "uint8"), raises=True),
    layer("nn.SoftmaxCrossEntropyWithLogits()", f32(2, 3), literal([[1, 0, 0], [0, 1, 0]], "int32"), raises=True),
    layer("nn.MSELoss()", f32(2, 3), f32(2, 4), raises=True),
    layer("nn.DiceLoss()", f32(2, 3), f32(3), raises=True),
    layer("nn.FocalLoss()", f32(2, 3), literal([0, 2], "int32"), raises=True),
    layer("nn.BCELoss()", PROBABILITIES, literal([[1, 0, 0], [0, 1, 0]], "int32"), raises=True),
]

CASES = DISTANCES + CLASSES + PROBABILITY + MARGINS + SCHEDULES + ERRORS + CALL_ERRORS
