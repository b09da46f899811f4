"""Gradient primitives of losses and normalizations."""

from __future__ import annotations

from tools.oracle.case import Array, Case, case, f32, literal

PROBABILITIES = f32(3, 4, low=0.1, high=0.9)
LABELS = literal([1, 0, 3], "int32")


def reductions(source: str, *arrays: Array) -> list[Case]:
    """A loss with each reduction; the last array is the cotangent of every element."""
    return [
        case(source.replace("reduction", "'none'"), *arrays),
        case(source.replace("reduction", "'mean'"), *arrays[:-1], f32()),
        case(source.replace("reduction", "'sum'"), *arrays[:-1], f32()),
    ]


LOSSES: list[Case] = [
    *[
        one
        for reduction in ("none", "mean", "sum")
        for one in (
            case(f"G.BinaryCrossEntropyGrad('{reduction}')(x, y, z, w)", PROBABILITIES, PROBABILITIES,
                 f32(3, 4) if reduction == "none" else f32(), f32(3, 4, low=0.5, high=2.0)),
            case(f"G.BinaryCrossEntropyGrad('{reduction}')(x, y, z)", PROBABILITIES, PROBABILITIES,
                 f32(3, 4) if reduction == "none" else f32()),
        )
    ],
    case("G.SigmoidCrossEntropyWithLogitsGrad()(x, y, z)", f32(3, 4), PROBABILITIES, f32(3, 4)),
    case("G.KLDivLossGrad('none')(x, y, z)", f32(3, 4), f32(3, 4), PROBABILITIES),
    case("G.KLDivLossGrad('mean')(x, y, z)", f32(), f32(3, 4), PROBABILITIES),
    case("G.KLDivLossGrad('sum')(x, y, z)", f32(), f32(3, 4), PROBABILITIES),
    case("G.KLDivLossGrad('batchmean')(x, y, z)", f32(), f32(3, 4), PROBABILITIES),
    case("A.KLDivGrad()(x, y, z, 'mean', False)", f32(), f32(3, 4), PROBABILITIES),
    case("A.kl_div_grad(x, y, z, 'sum', True)", f32(), f32(3, 4), f32(3, 4)),
    case("A.MSELossGradExt()(x, y, z, 'mean')", f32(), f32(3, 4), f32(3, 4)),
    *reductions("G.SmoothL1LossGrad(0.5, reduction)(x, y, z)", f32(3, 4), f32(3, 4), f32(3, 4)),
    *reductions("G.SoftMarginLossGrad(reduction)(x, y, z)", f32(3, 4), f32(3, 4), f32(3, 4)),
    case("G.NLLLossGrad('mean', -100)(x, y, z, w, v)", f32(3, 4), f32(), LABELS, f32(4, low=0.5, high=2.0), v=f32(low=1.0, high=4.0)),
    case("G.NLLLossGrad('sum', 1)(x, y, z, w, v)", f32(3, 4), f32(), LABELS, f32(4, low=0.5, high=2.0), v=f32(low=1.0, high=4.0)),
    case("G.NLLLossGrad('none', -100)(x, y, z, w, v)", f32(3, 4), f32(3), LABELS, f32(4, low=0.5, high=2.0), v=f32(low=1.0, high=4.0)),
    case("A.NLLLoss2dGrad()(x, y, z, w, 'mean', -100, v)", f32(), f32(2, 3, 2, 2), literal([[[0, 1], [2, 0]]] * 2, "int32"), f32(3), v=f32()),
    case("A.CrossEntropyLossGrad()(x, y, z)", f32(), f32(3, 4), literal([1, 0, 3], "int64")),
    case("G.MultiMarginLossGrad(1, 1.0, 'mean')(x, y, z)", f32(), f32(3, 4), literal([1, 0, 3], "int64")),
    case("G.MultiMarginLossGrad(2, 0.5, 'none')(x, y, z, w)", f32(3), f32(3, 4), literal([1, 0, 3], "int64"), f32(4, low=0.5, high=2.0)),
    case("G.MultilabelMarginLossGrad('mean')(x, y, z, w)", f32(), f32(2, 4), literal([[0, 2, -1, 3], [1, -1, 0, 0]], "int32"), literal([[1, 0, 1, 0], [0, 1, 0, 0]], "int32")),
    case("G.MultilabelMarginLossGrad('none')(x, y, z, w)", f32(2), f32(2, 4), literal([[0, 2, -1, 3], [1, -1, 0, 0]], "int32"), literal([[1, 0, 1, 0], [0, 1, 0, 0]], "int32")),
    case("lp = ops.log_softmax(y, 2); loss, alpha = P.CTCLossV2()(lp, z, w, v); P.CTCLossV2Grad(0, 'none', False)(x, lp, z, w, v, loss, alpha)",
         f32(2), f32(5, 2, 4), literal([[1, 2], [3, 3]], "int64"), literal([5, 5], "int64"), v=literal([2, 2], "int64")),
]  # fmt: skip

_LAYER = "out, mean, var = P.LayerNorm(1, 1)(x, z, w); "
_BATCH = "out, _, _, mean, var = P.BatchNorm(True)(x, z, w, u, v); "
_CHANNELS = {"u": f32(3), "v": f32(3, low=0.5, high=2.0)}
NORMALIZATIONS: list[Case] = [
    case(f"{_LAYER}G.LayerNormGrad(1, 1)(x, y, var, mean, z)", f32(2, 5), f32(2, 5), f32(5), f32(5), gradient="weighted"),
    case("G.LayerNormGrad(1, 1)(x, y, z, w, v)", f32(2, 3), f32(2, 3), f32(2, 1, low=0.5, high=2.0), f32(2, 1), v=f32(3)),
    case("G.LayerNormGrad(-1, -1)(x, y, z, w, v)", f32(2, 3, 4), f32(2, 3, 4), f32(2, 3, 1, low=0.5, high=2.0), f32(2, 3, 1), v=f32(4)),
    case(f"{_LAYER}G.LayerNormGradGrad(1, 1)(x, y, var, mean, z, a, b, c)", f32(2, 5), f32(2, 5), f32(5), f32(5), a=f32(2, 5), b=f32(5), c=f32(5)),
    case("A.LayerNormGradV3(1, 1)(x, y, z, w, v)", f32(2, 3), f32(2, 3), f32(2, 1, low=0.5, high=2.0), f32(2, 1), v=f32(3)),
    case("A.LayerNormGradExt()(x, y, (3,), w, z, v, u)", f32(2, 3), f32(2, 3), f32(2, 1, low=0.5, high=2.0), f32(2, 1), v=f32(3), u=f32(3)),
    case("A.AddLayerNormGrad()(x, y, z, w, a, b, c)", f32(2, 3), f32(2, 3), f32(2, 3), f32(2, 1), a=f32(2, 1), b=f32(3), c=f32(2, 3)),
    case("G.RmsNormGrad()(x, y, z, w)", f32(2, 3), f32(2, 3), f32(2, 1, low=0.5, high=2.0), f32(3)),
    case("A.GroupNormGrad()(x, y, z, w, v, 2)", f32(2, 4, 3), f32(2, 4, 3), f32(2, 2), f32(2, 2), v=f32(4)),
    case("G.InstanceNormGrad(1e-5)(x, y, z, w, v)", f32(2, 3, 2, 2), f32(2, 3, 2, 2), f32(3), f32(6), v=f32(6)),
    case("G.InstanceNormV2Grad()(x, y, z, z, z, w, v)", f32(2, 3, 2, 2), f32(2, 3, 2, 2), f32(2, 3, 1, 1), f32(2, 3, 1, 1), v=f32(2, 3, 1, 1, low=0.5, high=2.0)),
    case("G.InstanceNormV2Grad(False, 1e-3)(x, y, z, w, v, w, v)", f32(2, 3, 2, 2), f32(2, 3, 2, 2), f32(2, 3, 1, 1), f32(2, 3, 1, 1), v=f32(2, 3, 1, 1, low=0.5, high=2.0)),
    case("G.BatchNormGrad(False, 1e-3)(x, y, z, w, v, w)", f32(2, 3, 2, 2), f32(2, 3, 2, 2), f32(3), f32(3), v=f32(3, low=0.5, high=2.0)),
    case(f"{_BATCH}G.BatchNormGrad(True)(y, x, z, mean, var, mean)", f32(2, 3, 2, 2), f32(2, 3, 2, 2), f32(3), f32(3), **_CHANNELS, gradient="weighted"),
    case(f"{_BATCH}G.BatchNormGrad(True)(y, x, z, mean, var, mean)", f32(4, 3), f32(4, 3), f32(3), f32(3), **_CHANNELS),
    case(f"{_BATCH}G.BatchNormGradGrad(True)(x, y, z, mean, var, a, b, c)", f32(2, 3, 2, 2), f32(2, 3, 2, 2), f32(3), f32(3), **_CHANNELS, a=f32(2, 3, 2, 2), b=f32(3), c=f32(3)),
    case("G.BatchNormGradGrad(False)(x, y, z, w, v, a, b, c)", f32(2, 3, 2, 2), f32(2, 3, 2, 2), f32(3), f32(3), v=f32(3, low=0.5, high=2.0), a=f32(2, 3, 2, 2), b=f32(3), c=f32(3)),
    case("A.BatchNormGradExt(True)(x, y, z, w, v, w, v)", f32(2, 3, 2, 2), f32(2, 3, 2, 2), f32(3), f32(3), v=f32(3)),
    case("A.BatchNormElemtGrad()(x, y, z, w, a, b, c, d)", f32(2, 3, 2, 2), f32(2, 3, 2, 2), f32(3), f32(3), a=f32(3), b=f32(3), c=f32(3), d=literal([8], "int32")),
    case("A.BatchNormReduceGrad()(x, y, z, w, a, True, True, True)", f32(2, 3, 2, 2), f32(2, 3, 2, 2), f32(3), f32(3), a=f32(3)),
    case("G.BNTrainingUpdateGrad()(x, y, z, w)", f32(2, 3, 2, 2), f32(2, 3, 2, 2), f32(3), f32(3, low=0.5, high=2.0)),
    case("G.BNTrainingReduceGrad()(x, y, z, w, a, b, c)", f32(2, 3, 2, 2), f32(2, 3, 2, 2), f32(3), f32(3), a=f32(3), b=f32(3), c=f32(3, low=0.5, high=2.0)),
    case("G.SyncBatchNormGrad(1e-5, 'hccl_world_group', 1)(x, y, z, w, v)", f32(2, 3, 2, 2), f32(2, 3, 2, 2), f32(3), f32(3), v=f32(3, low=0.5, high=2.0)),
    case("G.L2NormalizeGrad(1, 1e-4)(x, y, z)", f32(2, 3), f32(2, 3), f32(2, 3)),
    case("out = ops.L2Normalize(1)(x); G.L2NormalizeGrad(1, 1e-4)(x, out, z)", x=f32(2, 3), z=f32(2, 3)),
    case("out = P.LRN()(x); G.LRNGrad()(z, x, out)", x=f32(2, 3, 2, 2), z=f32(2, 3, 2, 2)),
    case("out = P.LRN(1, 2.0, 0.5, 0.75)(x); G.LRNGrad(1, 2.0, 0.5, 0.75)(z, x, out)", x=f32(2, 3, 2, 2), z=f32(2, 3, 2, 2)),
]  # fmt: skip
CASES = LOSSES + NORMALIZATIONS
