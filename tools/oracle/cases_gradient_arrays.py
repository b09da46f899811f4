"""Gradient primitives of slices, padding, sampling, factorizations and segments."""

from __future__ import annotations

from tools.oracle.case import Case, case, f32, literal

SELECTION: list[Case] = [
    case("G.StridedSliceGrad()(x, (4, 5), (1, 0), (3, 5), (1, 2))", f32(2, 3), gradient="weighted"),
    case("G.StridedSliceGrad(1, 2)(x, (4, 5), (1, 0), (3, 2), (1, 2))", f32(3, 3), waiver="real MindSpore's kernel does not read the masks"),
    case("G.StridedSliceGrad(0, 0, 0, 0, 1)(x, (4, 5), (1, 0), (3, 5), (1, 1))", f32(5)),
    case("G.StridedSliceGrad()(x, (4,), (3,), (0,), (-1,))", f32(3), waiver="real MindSpore answers zeros for negative steps"),
    case("G.SliceGrad()(x, y, (1, 2), (2, 2))", f32(2, 2), f32(4, 5)),
    case("G.FlattenGrad()(x, (2, 3, 2))", f32(2, 6)),
    case("G.GatherDGradV2()(x, 1, y, z)", f32(2, 3), literal([[0, 1, 0], [2, 2, 1]], "int64"), f32(2, 3), gradient="weighted"),
    case("G.MaskedSelectGrad()(x, y, z)", f32(2, 3), literal([[True, False, True], [False, True, True]], "bool"), f32(4)),
    case("G.MaskedSelectGrad()(x, y, z)", f32(2, 3), literal([True, False, True], "bool"), f32(4)),
    case("G.UniqueGrad()((x, y), (z, y))", f32(3), literal([0, 2, 1, 2], "int32"), f32(3)),
    case("A.RepeatInterleaveGrad()(x, Tensor([2], ms.int64), 0)", f32(4, 3)),
    case("out, at = ops.median(x, 1); G.MedianGrad(False, 1)(y, x, out, at)", f32(2, 3), f32(2)),
    case("G.MedianGrad(True)(y, x, z, w)", literal([1.0, 3.0, 2.0, 2.0, 5.0]), f32(), literal(2.0), literal(0, "int64")),
    case("G.TraceGrad()(x, Tensor([2, 3], ms.int64))", f32()),
    case("A.TraceV2Grad()(x, Tensor([2, 3], ms.int64), 0, 0, 1)", f32()),
    case("G.EinsumGrad('ij,jk->ik')((x, y), z)", f32(2, 3), f32(3, 2), f32(2, 2)),
    case("G.SparseSegmentSumGrad()(x, y, z, Tensor(4, ms.int32))", f32(2, 3), literal([0, 2, 3], "int32"), literal([0, 0, 1], "int32")),
    case("G.SparseSegmentMeanGrad()(x, y, z, Tensor(4, ms.int32))", f32(2, 3), literal([0, 2, 3], "int32"), literal([0, 0, 1], "int32")),
    case("G.SparseSegmentSqrtNGrad()(x, y, z, Tensor(4, ms.int32))", f32(2, 3), literal([0, 2, 3], "int32"), literal([0, 0, 1], "int32")),
    case("G.SparseFillEmptyRowsGrad()(x, y)", literal([0, 2, 3], "int64"), f32(5)),
    case("G.SparseSliceGrad()(x, y, z, w)", literal([1, 2, 3, 4], "int64"), literal([[0, 0], [0, 2], [1, 2], [1, 3], [2, 3], [2, 4]], "int64"),
         literal([0, 0], "int64"), literal([[0, 2], [1, 2], [1, 3], [2, 4]], "int64")),
    case("G.SparseSliceGrad()(x, y, z, w)", f32(2), literal([[0, 1], [1, 2], [2, 2]], "int64"), literal([1, 1], "int64"), literal([[0, 1], [1, 1]], "int64")),
    case("G.ConcatOffset(2, 1)((x, y))", f32(2, 3), f32(2, 4)),
]  # fmt: skip

PADDING: list[Case] = [
    case("G.MirrorPadGrad('REFLECT')(x, Tensor([[1, 1], [2, 1]], ms.int64))", f32(5, 6)),
    case("G.MirrorPadGrad('SYMMETRIC')(x, Tensor([[1, 1], [2, 1]], ms.int64))", f32(5, 6)),
    case("G.PadV3Grad('reflect')(x, Tensor([1, 2, 1, 1], ms.int64))", f32(1, 2, 5, 6)),
    case("G.PadV3Grad('edge')(x, Tensor([1, 2, 1, 1], ms.int64))", f32(1, 2, 5, 6)),
    case("G.PadV3Grad('circular')(x, Tensor([1, 2, 1, 1], ms.int64))", f32(1, 2, 5, 6)),
    case("A.ReflectionPad1DGrad()(x, y, (1, 1))", f32(2, 5), f32(2, 3)),
    case("A.ReflectionPad2DGrad()(x, y, (1, 1, 1, 0))", f32(1, 4, 5), f32(1, 3, 3)),
    case("A.ReflectionPad3DGrad()(x, y, (1, 1, 1, 0, 0, 1))", f32(1, 4, 4, 5), f32(1, 3, 3, 3)),
    case("A.ReplicationPad1DGrad()(x, y, (1, 1))", f32(2, 5), f32(2, 3)),
    case("A.ReplicationPad2DGrad()(x, y, (1, 1, 1, 0))", f32(1, 4, 5), f32(1, 3, 3)),
    case("A.ReplicationPad3DGrad()(x, y, (1, 1, 1, 0, 0, 1))", f32(1, 4, 4, 5), f32(1, 3, 3, 3)),
]

_ROIS = literal([[0.0, 1.0, 1.0, 4.0, 4.0], [1.0, 0.0, 0.0, 3.0, 5.0]])
_SEVEN = f32(1, 2, 4, 6)
SAMPLING: list[Case] = [
    case("G.AffineGridGrad()(x, (2, 3, 4, 5))", f32(2, 4, 5, 2)),
    case("G.AffineGridGrad(True)(x, (1, 1, 2, 3, 2))", f32(1, 2, 3, 2, 3)),
    *[
        case(f"G.GridSampler2DGrad('{mode}', '{pad}', {align})(x, y, z)", f32(1, 2, 3, 4), f32(1, 2, 4, 5), f32(1, 3, 4, 2, low=-1.2, high=1.2))
        for mode, pad, align in (("bilinear", "zeros", False), ("nearest", "border", True), ("bilinear", "reflection", True))
    ],
    case("G.GridSampler3DGrad('bilinear', 'zeros', False)(x, y, z)", f32(1, 1, 2, 2, 2), f32(1, 1, 3, 3, 3), f32(1, 2, 2, 2, 3, low=-1.2, high=1.2)),
    case("G.ResizeBilinearGrad()(x, y)", _SEVEN, f32(1, 2, 3, 3), gradient="weighted"),
    case("G.ResizeBilinearGrad(True)(x, y)", _SEVEN, f32(1, 2, 3, 3)),
    case("G.ResizeBilinearGrad(False, True)(x, y)", _SEVEN, f32(1, 2, 3, 3)),
    case("G.ResizeBicubicGrad()(x, y)", _SEVEN, f32(1, 2, 3, 3)),
    case("G.ResizeBicubicGrad(True)(x, y)", _SEVEN, f32(1, 2, 3, 3), tolerance=2e-3),
    case("G.ResizeLinear1DGrad()(x, y)", f32(1, 2, 6), f32(1, 2, 3)),
    case("G.ResizeLinear1DGrad('half_pixel')(x, y)", f32(1, 2, 6), f32(1, 2, 3)),
    case("G.ResizeNearestNeighborGrad()(x, (3, 3))", _SEVEN),
    case("G.ResizeNearestNeighborGrad(True)(x, (3, 3))", _SEVEN),
    case("G.ResizeNearestNeighborV2Grad()(x, (3, 3))", _SEVEN),
    case("G.ResizeNearestNeighborV2Grad(False, True)(x, (3, 3))", _SEVEN),
    *[
        case(f"G.ResizeV2Grad('{transformation}', '{mode}')(x, y, y, Tensor([1, 2, 1, 3], ms.int64))", f32(1, 2, 1, 6), literal([1.0]))
        for transformation in ("half_pixel", "asymmetric", "align_corners")
        for mode in ("nearest", "linear")
    ],
    case("G.ResizeV2Grad('half_pixel', 'cubic')(x, y, y, Tensor([1, 2, 3, 3], ms.int64))", f32(1, 2, 6, 6), literal([1.0])),
    case("G.ScaleAndTranslateGrad('triangle')(x, y, z, w)", f32(1, 4, 4, 1), f32(1, 3, 3, 1), literal([1.5, 1.25]), literal([0.5, 0.0])),
    case("G.ParallelResizeBilinearGrad((4, 4), 0, 0, False)(x, y, (8, 8))", f32(1, 1, 8, 8), f32(1, 1, 4, 4)),
    case("A.UpsampleNearest1DGrad()(x, (1, 2, 3), (6,), None)", f32(1, 2, 6)),
    case("A.UpsampleNearest2DGrad()(x, (1, 2, 3, 3), (4, 6), None)", _SEVEN),
    case("G.UpsampleNearest3DGrad()(x, (1, 1, 2, 2, 2), (4, 4, 4), None)", f32(1, 1, 4, 4, 4)),
    case("G.UpsampleNearest3DGrad()(x, (1, 1, 2, 2, 2), None, (2.0, 1.5, 2.4))", f32(1, 1, 4, 3, 4)),
    case("A.UpsampleLinear1DGrad()(x, (1, 2, 3), (6,), None, False)", f32(1, 2, 6)),
    case("A.UpsampleBilinear2DGrad()(x, (1, 2, 3, 3), (4, 6), None, True)", _SEVEN),
    case("A.UpsampleBicubic2DGrad()(x, (1, 2, 3, 3), (4, 6), None, True)", _SEVEN),
    case("G.UpsampleTrilinear3DGrad(True)(x, (1, 1, 2, 2, 2), (4, 4, 4), None)", f32(1, 1, 4, 4, 4)),
    case("G.UpsampleTrilinear3DGrad(False)(x, (1, 1, 2, 2, 2), None, (2.0, 1.5, 2.4))", f32(1, 1, 4, 3, 4)),
    case("G.ROIAlignGrad(2, 2, 0.5, 2)(x, y, (2, 3, 6, 6))", f32(2, 3, 2, 2), _ROIS),
    case("P.nn_ops.PSROIPooling(0.5, 2, 2)(x, y)", f32(1, 8, 5, 6), literal([[[0.0], [1.4], [2.6], [9.0], [20.0]]])),
    case("G.PSROIPoolingGrad((4, 4), 1.0, 2, 2)(x, y)", f32(1, 2, 2, 2), literal([[[0.0], [0.0], [0.0], [3.0], [3.0]]])),
    case("G.PsROIPoolingGrad(2, 8, 6, 6, 2, 2, 2, 1.0, 2)(x, y, z)", f32(2, 2, 2, 2), _ROIS, literal([[[[0]]]], "int32")),
]  # fmt: skip

MATRICES: list[Case] = [
    case("low = ops.tril(x) + 2 * ops.eye(3, 3, ms.float32); G.CholeskyGrad()(low, y)", f32(3, 3), f32(3, 3)),
    case("A.LstsqV2Grad()(x, y, z)", f32(2, 1), f32(3, 2), f32(3, 1)),
    case("G.LuUnpackGrad(True, True)(x, y, z)", f32(3, 2), f32(2, 2), f32(3, 2)),
    *[case(f"d = ops.cdist(y, z, {p}); A.CdistGrad({p})(x, y, z, d)", f32(3, 2), f32(3, 4), f32(2, 4)) for p in (1.0, 2.0, 3.0)],
    *[case(f"d = P.Pdist({p})(y); G.PdistGrad({p})(x, y, d)", f32(3), f32(3, 4)) for p in (1.0, 2.0, 3.0)],
]  # fmt: skip
CASES = SELECTION + PADDING + SAMPLING + MATRICES
