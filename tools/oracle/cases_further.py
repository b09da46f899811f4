"""Operators that few programs use, where real MindSpore's CPU has the kernels."""

from __future__ import annotations

from tools.oracle.case import Case, case, f32, i32, literal

_COUNTED = "the number of values depends on the values"
_ROWS = literal([0, 1, 3, 1], "int32")
_SEGMENTS = literal([0, 2, 2, 3], "int32")

CASES: list[Case] = [
    case("ops.deepcopy(x)", f32(2, 3)),
    case("ops.dyn_shape(x)", f32(2, 3)),
    case("ops.isnan_ext(x)", f32(2, 3)),
    case("ops.float_power_ext(x, y)", f32(2, 3, low=0.1, high=2.0), f32(3)),
    case("ops.float_power_ext(x, 2)", i32(4)),
    case("ops.diff_ext(x)", f32(2, 5), gradient="weighted"),
    case("ops.diff_ext(x, 2, 0)", f32(4, 2)),
    case("ops.reshape_(x, (3, -1))", f32(2, 3)),
    case("ops.tensor_muls(x, 3)", f32(2, 3)),
    case("ops.tensor_muls(x, 2.5)", i32(4)),
    case("ops.mirror_pad(x, ms.Tensor([[1, 1], [0, 2]]), 'REFLECT')", f32(2, 3)),
    case("ops.mirror_pad(x, ms.Tensor([[1, 1], [0, 2]]), 'SYMMETRIC')", f32(2, 3)),
    case("ops.SelectView()(x, 1, 0)", f32(2, 3)),
    case("ops.TransposeView()(x, (1, 0))", f32(2, 3)),
    case("ops.TransposeExtView()(x, 0, 2)", f32(2, 3, 4), gradient="weighted"),
    case("ops.CopyWithSlice()(x, y)", f32(2, 3), f32(2, 3)),
    case(
        "ops.coalesce(x, y, ms.Tensor([3, 3]))",
        literal([[2, 0, 1, 0], [1, 1, 2, 1]], "int64"),
        f32(4),
        eager_only=_COUNTED,
    ),
    case(
        "ops.SparseSlice()(x, y, ms.Tensor([3, 4]), ms.Tensor([0, 1]), ms.Tensor([2, 3]))",
        literal([[0, 1], [1, 2], [1, 3], [2, 2]], "int64"),
        f32(4),
        eager_only=_COUNTED,
    ),
    case("ops.sparse_segment_mean(x, y, z)", f32(4, 3), _ROWS, _SEGMENTS, eager_only=_COUNTED),
    case("(x * ms.COOTensor(ms.Tensor([[0, 1], [1, 0]]), y, (2, 2))).values", f32(2, 2), f32(2)),
    case("x + ms.COOTensor(ms.Tensor([[0, 1], [1, 0]]), y, (2, 2))", f32(2, 2), f32(2)),
    case("ops.interpolate(x, scale_factor=2.0, mode='nearest')", f32(1, 2, 2, 3, 2)),
    case(
        "ops.interpolate(x, scale_factor=(2.0, 3.0, 1.0), mode='trilinear', recompute_scale_factor=True)",
        f32(1, 1, 2, 2, 3),
        gradient="weighted",
    ),
    case("ops.interpolate(x, scale_factor=(2.0, 1.5, 2.0), mode='trilinear', align_corners=True)", f32(1, 1, 2, 4, 3)),
    case("ops.interpolate(x, scale_factor=(2.0, 1.5, 2.0), mode='trilinear')", f32(1, 1, 2, 3, 3)),
    case("ops.interpolate(x, scale_factor=(1.4, 1.5, 2.0), mode='nearest')", f32(1, 1, 4, 3, 3)),
]
