"""Losses and distances."""

from __future__ import annotations

from tools.oracle.case import HALF_DTYPES, Case, array, case, f32, i32, literal, over, several

LOGITS = f32(4, 3)
LABELS = literal([0, 2, 1, 2], "int32")
WEIGHT = literal([1.0, 2.0, 0.5])
PROBABILITIES = f32(4, 3, low=0.0, high=1.0)

CLASSIFICATION: list[Case] = [
    case("P.SoftmaxCrossEntropyWithLogits()(x, y)", LOGITS, PROBABILITIES),
    case("P.SoftmaxCrossEntropyWithLogits()(x, y)[0]", LOGITS, PROBABILITIES, gradient="weighted"),
    case("P.SparseSoftmaxCrossEntropyWithLogits()(x, y)", LOGITS, LABELS, gradient="weighted"),
    case("P.SparseSoftmaxCrossEntropyWithLogits(is_grad=True)(x, y)", LOGITS, LABELS),
    *several(
        """
        ops.cross_entropy(x, y)
        ops.cross_entropy(x, y, reduction='none')
        ops.cross_entropy(x, y, reduction='sum')
        ops.cross_entropy(x, y, w)
        ops.cross_entropy(x, y, w, reduction='none')
        ops.cross_entropy(x, y, w, reduction='sum')
        ops.cross_entropy(x, y, ignore_index=2)
        ops.cross_entropy(x, y, w, 2)
        ops.cross_entropy(x, y, ignore_index=2, reduction='none')
        ops.cross_entropy(x, y, label_smoothing=0.1)
        ops.cross_entropy(x, y, w, label_smoothing=0.2)
        ops.cross_entropy(x, y, w, label_smoothing=0.2, reduction='sum')
        ops.cross_entropy(x, y, ignore_index=1, label_smoothing=0.2)
        ops.nll_loss(x, y)
        ops.nll_loss(x, y, w)
        ops.nll_loss(x, y, reduction='none')
        ops.nll_loss(x, y, w, reduction='sum')
        ops.nll_loss(x, y, ignore_index=2)
        ops.nll_loss(x, y, label_smoothing=0.1)
        """,
        x=LOGITS,
        y=LABELS,
        w=WEIGHT,
        gradient="weighted",
    ),
    *several(
        """
        ops.cross_entropy(x, y)
        ops.cross_entropy(x, y, reduction='none')
        ops.cross_entropy(x, y, w)
        ops.cross_entropy(x, y, w, reduction='sum')
        ops.cross_entropy(x, y, label_smoothing=0.1)
        """,
        x=LOGITS,
        y=PROBABILITIES,
        w=WEIGHT,
        gradient="weighted",
    ),
    case("ops.cross_entropy(x, y)", LOGITS, literal([-100, 2, 1, -100], "int32"), gradient="weighted"),
    case("ops.cross_entropy(x, y)", LOGITS, literal([0, 2, 1, 2], "int64")),
    case("ops.cross_entropy(x, y)", f32(2, 3, 2), i32(2, 2, low=0, high=3), gradient="weighted"),
    case("ops.cross_entropy(x, y)", f32(2, 3, 2, 2), i32(2, 2, 2, low=0, high=3)),
    case("ops.cross_entropy(x, y)", f32(3), literal(1, "int32")),
    case("ops.cross_entropy(x, y)", array("float16", 4, 3), LABELS),
    case("P.NLLLoss()(x, y, z)", LOGITS, LABELS, WEIGHT),
    case("P.NLLLoss(reduction='sum')(x, y, z)", LOGITS, LABELS, WEIGHT),
    case("ops.multi_margin_loss(x, y)", LOGITS, literal([0, 2, 1, 2], "int64")),
    case("ops.multilabel_soft_margin_loss(x, y)", LOGITS, literal([[1.0, 0.0, 1.0]] * 4)),
]

PAIR = [((2, 3), (2, 3)), ((4,), (4,))]
REGRESSION: list[Case] = []
for _name in ("mse_loss", "l1_loss", "huber_loss", "smooth_l1_loss"):
    REGRESSION += over(f"ops.{_name}(x, y)", PAIR, HALF_DTYPES, gradient="weighted")
    for _reduction in ("none", "sum", "mean"):
        REGRESSION += over(f"ops.{_name}(x, y, reduction='{_reduction}')", PAIR[:1], gradient="weighted")
REGRESSION += [
    *over("ops.huber_loss(x, y, 'mean', 0.5)", PAIR[:1], gradient="weighted"),
    *over("ops.smooth_l1_loss(x, y, 0.5, 'mean')", PAIR[:1], gradient="weighted"),
    *over("P.SmoothL1Loss()(x, y)", PAIR[:1], gradient="weighted"),
    *over("P.SmoothL1Loss(0.5, 'mean')(x, y)", PAIR[:1], gradient="weighted"),
    *over("ops.mse_loss(x, y)", [((2, 3), (3,))], gradient="weighted"),
    *over("ops.gaussian_nll_loss(x, y, z)", [((3,), (3,), (3,))], ("float32",), 0.5, 2.0, gradient="weighted"),
]

UNIT = f32(2, 3, low=0.05, high=0.95)
TARGET = f32(2, 3, low=0.0, high=1.0)
BINARY: list[Case] = [
    *several(
        """
        ops.binary_cross_entropy(x, y)
        ops.binary_cross_entropy(x, y, reduction='none')
        ops.binary_cross_entropy(x, y, w, 'sum')
        P.BinaryCrossEntropy()(x, y, w)
        P.BinaryCrossEntropy('sum')(x, y, w)
        ops.kl_div(ops.log(x), y)
        """,
        x=UNIT,
        y=TARGET,
        w=TARGET,
        gradient="weighted",
    ),
    case("ops.binary_cross_entropy(x, y, reduction='none')", literal([0.0, 1.0, 1.0]), literal([1.0, 1.0, 0.0])),
    *several(
        """
        ops.binary_cross_entropy_with_logits(x, y)
        ops.binary_cross_entropy_with_logits(x, y, reduction='none')
        ops.binary_cross_entropy_with_logits(x, y, w, p, 'sum')
        ops.binary_cross_entropy_with_logits(x, y, weight=w, pos_weight=p)
        P.BCEWithLogitsLoss()(x, y, w, p)
        """,
        x=f32(2, 3),
        y=TARGET,
        w=TARGET,
        p=f32(3, low=0.5, high=2.0),
        gradient="weighted",
    ),
    case("ops.binary_cross_entropy_with_logits(x, y, reduction='none')", literal([100.0, -100.0]), literal([0.0, 1.0])),
    *several(
        """
        ops.kl_div(x, y)
        ops.kl_div(x, y, 'none')
        ops.kl_div(x, y, 'sum')
        ops.kl_div(x, y, 'batchmean')
        """,
        x=f32(2, 3, low=-3.0, high=-0.1),
        y=TARGET,
        gradient="weighted",
    ),
    case("ops.kl_div(x, y, 'none')", literal([-0.2, -0.7]), literal([0.0, 0.8])),
    case("P.KLDivLoss()(x, y)", f32(2, 3, low=-3.0, high=-0.1), TARGET),
]

DISTANCES: list[Case] = [
    case("ops.cosine_similarity(x, y)", f32(2, 3), f32(2, 3), gradient="weighted"),
    case("ops.cosine_similarity(x, y, dim=0)", f32(2, 3), f32(2, 3)),
    case("ops.cosine_embedding_loss(x, y, z)", f32(2, 3), f32(2, 3), literal([1, -1], "int32"), gradient="weighted"),
    case("ops.cosine_embedding_loss(x, y, z, 0.5, 'none')", f32(2, 3), f32(2, 3), literal([1, -1], "int32")),
    case("ops.margin_ranking_loss(x, y, z)", f32(4), f32(4), literal([1.0, -1.0, 1.0, -1.0]), gradient="weighted"),
    case("ops.margin_ranking_loss(x, y, z, 0.5, 'sum')", f32(4), f32(4), literal([1.0, -1.0, 1.0, -1.0])),
    case("ops.hinge_embedding_loss(x, y)", f32(4), literal([1.0, -1.0, 1.0, -1.0]), gradient="weighted"),
    case("ops.soft_margin_loss(x, y)", f32(4), literal([1.0, -1.0, 1.0, -1.0])),
    case("ops.triplet_margin_loss(x, y, z)", f32(2, 3), f32(2, 3), f32(2, 3)),
    case("ops.pdist(x)", f32(3, 2)),
]

CASES = CLASSIFICATION + REGRESSION + BINARY + DISTANCES
