"""Gradient primitives of recurrent layers, attention, quantization and communication."""

from __future__ import annotations

from tools.oracle.case import Case, case, f32, literal

_STATES = {"h": f32(1, 2, 3), "c": f32(1, 2, 3), "dh": f32(1, 2, 3), "dc": f32(1, 2, 3)}
_SIZES = "2, 3, 1, True, False, 0.0"
_GATES = {name: f32(3, 2, 4, low=0.1, high=0.9) for name in ("update", "reset", "new", "inner")}
_STEP = {name: f32(2, 3, low=0.1, high=0.9) for name in ("i", "j", "f", "o", "t")}

RECURRENT: list[Case] = [
    case(f"y, hy, cy, r, s = P.LSTM({_SIZES})(x, h, c, w); G.LSTMGrad({_SIZES})(x, h, c, w, y, hy, cy, dy, dh, dc, r)",
         x=f32(4, 2, 2), w=f32(72, 1, 1), dy=f32(4, 2, 3), **_STATES),
    case(f"G.GRUV2Grad({_SIZES})(x, h, w, n, y, h, dy, dh, h)", x=f32(4, 2, 2), w=f32(63, 1, 1), y=f32(4, 2, 3), dy=f32(4, 2, 3),
         h=f32(1, 2, 3), dh=f32(1, 2, 3), n=literal([4, 4], "int32"),
         oracle_crash="real MindSpore answers another shape than that of the input, and then ends with a segmentation fault"),
    case("G.DynamicRNNGrad()(x, w, b, y, h, c, y, y, dy, dh, dc, y, y, y, y, y)", x=f32(3, 2, 5), w=f32(9, 16), b=f32(16),
         y=f32(3, 2, 4), h=f32(1, 2, 4), c=f32(1, 2, 4), dy=f32(3, 2, 4), dh=f32(2, 4), dc=f32(2, 4)),
    case("G.DynamicGRUV2Grad()(x, w, u, y, h, y, dy, dh, update, reset, new, inner, None, None)", x=f32(3, 2, 5), w=f32(5, 12),
         u=f32(4, 12), y=f32(3, 2, 4), h=f32(2, 4), dy=f32(3, 2, 4), dh=f32(2, 4), **_GATES),
    case("G.BasicLSTMCellCStateGrad(1.0, 'tanh')(c, x, y, i, j, f, o, t)", c=f32(2, 3), x=f32(2, 3), y=f32(2, 3), **_STEP),
    case("G.BasicLSTMCellWeightGrad()(x, y, z)", f32(2, 4), f32(2, 3), f32(2, 12)),
    case("G.BasicLSTMCellInputGrad(1.0)(x, y)", f32(2, 12), f32(7, 12)),
    *[case(f"G.{name}({_SIZES})(x)", f32(2), raises=("RuntimeError", "TypeError", "ValueError"))
      for name in ("LSTMGradData", "LSTMGradWeight", "GruGradData", "GruGradWeight")],
]  # fmt: skip

_TOKENS = {"q": f32(1, 4, 6), "k": f32(1, 5, 6), "v": f32(1, 5, 6), "dy": f32(1, 4, 6)}
ATTENTION: list[Case] = [
    case("G.FlashAttentionScoreGrad(2)(q, k, v, dy)", **_TOKENS),
    case("A.SpeedFusionAttentionGrad()(q, k, v, dy, 2, 'BSH')", **_TOKENS),
    case("A.NsaCompressGrad()(x, y, z, 2, 1, (3, 7))", f32(5, 2, 3), f32(7, 2, 3), f32(2, 2)),
    case("A.NsaSelectAttentionGrad()(x, q, k, v, x, x, x, i, 0.5, 2, 2, 1, None, (4,), (6,))", x=f32(4, 2, 2), q=f32(4, 2, 3),
         k=f32(6, 1, 3), v=f32(6, 1, 2), i=literal([[[0]], [[1]], [[2]], [[0]]], "int32")),
    case("A.SparseFlashAttentionGrad()(q, k, v, i, dy, dy, dy, dy, 0.5, 1)", q=f32(1, 2, 2, 4), k=f32(1, 5, 1, 4), v=f32(1, 5, 1, 4),
         dy=f32(1, 2, 2, 4), i=literal([[[[0, 1, 2]], [[1, 3, 4]]]], "int32")),
    case("A.LightningIndexerGrad()(q, k, dy, i, w)", q=f32(1, 2, 2, 4), k=f32(1, 5, 1, 4), w=f32(1, 2, 2), dy=f32(1, 2, 1, 3),
         i=literal([[[[0, 1, -1]], [[1, 3, 4]]]], "int32")),
    case("A.RotaryPositionEmbeddingGrad()(x, y, z, w, 0)", f32(1, 2, 3, 4), f32(1, 2, 1, 4), f32(1, 2, 1, 4), f32(1, 2, 3, 4)),
    case("A.MultiScaleDeformableAttnGrad()(x, s, o, p, w, dy)", x=f32(1, 6, 2, 4), s=literal([[2, 3]], "int32"), o=literal([0], "int32"),
         p=f32(1, 2, 2, 1, 3, 2, low=0.1, high=0.9), w=f32(1, 2, 2, 1, 3), dy=f32(1, 2, 8)),
    case("A.MoeTokenPermuteGrad()(x, y, 2)", f32(4, 3), literal([2, 0, 3, 1], "int32")),
    case("A.MoeTokenUnpermuteGrad()(x, y, z, w)", f32(4, 3), f32(2, 3), literal([2, 0, 3, 1], "int32"), f32(2, 2)),
    case("G.WKVGrad()(x, y, z, w, v)", f32(4, low=-1.0, high=-0.1), f32(4), f32(2, 3, 4), f32(2, 3, 4), v=f32(2, 3, 4)),
]  # fmt: skip

_RANGE = (f32(1, low=-1.0, high=-0.5), f32(1, low=0.5, high=1.0))
_RANGES = (f32(3, low=-1.0, high=-0.5), f32(3, low=0.5, high=1.0))
_FOLD = {name: f32(3, low=0.5, high=1.5) for name in ("a", "b", "c", "d", "e")}
QUANTIZATION: list[Case] = [
    case("P.FakeQuantPerLayerGrad()(x, y, z, w)", f32(2, 3), f32(2, 3), *_RANGE),
    case("P.FakeQuantPerChannelGrad()(x, y, z, w)", f32(2, 3), f32(2, 3), *_RANGES),
    case("P.FakeQuantWithMinMaxVarsGradient()(x, y, z, w)", f32(2, 3), f32(2, 3), *_RANGE),
    case("P.FakeQuantWithMinMaxVarsPerChannelGradient()(x, y, z, w)", f32(2, 3), f32(2, 3), *_RANGES),
    *[case(f"P.FakeLearnedScaleQuantPerLayer{form}()(x, y, z, w)", f32(2, 3), f32(2, 3), _RANGE[1], literal([7.0])) for form in ("Grad", "GradD")],
    *[case(f"P.FakeLearnedScaleQuantPerChannel{form}()(x, y, z, w)", f32(2, 3), f32(2, 3), _RANGES[1], literal([7.0])) for form in ("Grad", "GradD")],
    case("P.FakeLearnedScaleQuantPerLayerGradDReduce()(x)", f32(2, 3)),
    case("P.FakeLearnedScaleQuantPerChannelGradDReduce()(x)", f32(2, 3)),
    case("P.ActsULQInputGrad()(x, y, z)", f32(2, 3), f32(2, 3), f32(2, 3)),
    case("P.ActULQClampMinGrad()(x, y, z)", f32(2, 3), literal([[1, 0, 1]] * 2, "int8"), f32(2, 3)),
    case("P.ActULQClampMaxGrad()(x, y, z)", f32(2, 3), literal([[1, 0, 1]] * 2, "int8"), f32(2, 3)),
    case("P.BatchNormFoldGrad()(a, b, x, c, d, s)", x=f32(2, 3, 2, 2), s=literal([1], "int32"), **_FOLD),
    case("P.BatchNormFoldGradD()(a, b, x, c, d)", x=f32(2, 3, 2, 2), **_FOLD),
    case("P.BatchNormFold2Grad(freeze_bn=5)(x, y, a, b, c, d, e, s)", f32(2, 3, 2, 2), f32(2, 3, 2, 2), s=literal([1], "int32"), **_FOLD),
    case("P.BatchNormFold2GradReduce()(x, y)", f32(2, 3, 2, 2), f32(2, 3, 2, 2)),
    case("P.BatchNormFold2GradD()(x, a, b, c, d, e, a)", x=f32(2, 3, 2, 2), **_FOLD),
    case("P.CorrectionMulGrad()(x, y, z, w)", f32(3, 2), f32(3, 2), f32(3), f32(3, low=0.5, high=1.5)),
    case("P.CorrectionMulGradReduce()(x)", f32(3, 2)),
    case("P.UpdateThorGradient(2)(x, y, z)", f32(2, 2, 2), f32(4, 4), f32(2, 2, 2, 2)),
]  # fmt: skip

COMMUNICATION: list[Case] = [
    case("G.NeighborExchangeV2Grad([-1] * 8, [0] * 4, [-1] * 8, [0] * 4, 'NCHW')(x)", f32(1, 1, 2, 2)),
    case("G.EmbeddingLookupCommGrad()(x, 2)", f32(4, 2)),
    case("P._VirtualAccuGrad()(x, y)", f32(2), f32(2)),
    case("A.InplaceStopGradient()(x); x", f32(2)),
    case("G.MapTensorGetGrad()(x, y, z, w)", f32(2), f32(2), f32(2), f32(2), raises=("RuntimeError", "TypeError", "ValueError")),
    case("G.RefToEmbed()(x)", f32(2), raises=("RuntimeError", "TypeError", "ValueError")),
]  # fmt: skip
CASES = RECURRENT + ATTENTION + QUANTIZATION + COMMUNICATION
