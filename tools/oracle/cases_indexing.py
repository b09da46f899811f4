"""Gather, scatter, select and mask operators, and Parameter updates."""

from __future__ import annotations

from tools.oracle.case import ALL_DTYPES, REAL_DTYPES, Case, array, case, f32, i32, i64, literal, mask, parameter

MASK_BUG = "real MindSpore, CPU: right shape, values of another slice"
SHAPE_DEPENDS = "result shape depends on values"
ROWS = literal([[0, 1], [2, 0]], "int32")

GATHER: list[Case] = [
    *[
        case("ops.gather(x, y, 0)", array(dtype, 3, 2), literal([2, 0, 2], "int32"), gradient="weighted")
        for dtype in ALL_DTYPES
    ],
    case("ops.gather(x, y, 1)", f32(2, 3), i64(2, 2, low=0, high=3), gradient="weighted"),
    case(
        "ops.gather(x, y, -1)",
        f32(2, 3),
        literal([-1, 0], "int32"),
        gradient="weighted",
        gradient_not_compared="real MindSpore loses the gradient of negative indices",
    ),
    case("ops.gather(x, y, 1)", f32(2, 3), literal(1, "int64")),
    case("ops.gather(x, y, 1, 1)", f32(2, 3), literal([[0, 1], [2, 0]], "int32")),
    case("P.Gather()(x, y, 0)", f32(4), literal([1, 1], "int32"), gradient="weighted"),
    case("ops.gather_d(x, 1, y)", f32(2, 3), literal([[0, 2], [1, 0]], "int64"), gradient="weighted"),
    case("ops.gather_d(x, 0, y)", i32(2, 3), literal([[0, 1, 1]], "int32")),
    case("P.GatherD()(x, 1, y)", f32(2, 3), literal([[0], [2]], "int32")),
    case("ops.gather_elements(x, 1, y)", f32(2, 3), literal([[0, -1], [1, 0]], "int64"), gradient="weighted"),
    case("ops.gather_nd(x, y)", f32(2, 3), literal([[0, 1], [1, 2]], "int32"), gradient="weighted"),
    case("ops.gather_nd(x, y)", f32(2, 3, 2), literal([[0], [1], [0]], "int64"), gradient="weighted"),
    case("P.GatherNd()(x, y)", i32(2, 3), literal([[1, 1]], "int32")),
    case("ops.index_select(x, 0, y)", f32(3, 2), literal([2, 2, 0], "int32"), gradient="weighted"),
    case("ops.index_select(x, 1, y)", i32(3, 2), literal([1], "int64")),
    case("ops.strided_slice(x, (0, 1), (4, 4), (2, 2))", f32(4, 4), gradient="weighted"),
    case("ops.strided_slice(x, (3, 0), (0, 3), (-1, 2))", f32(4, 4)),
    case("P.StridedSlice()(x, (0, 0, 1), (2, 3, 3), (1, 2, 1))", f32(2, 3, 4)),
    case("P.StridedSlice(begin_mask=1, end_mask=2)(x, (1, 1), (3, 2), (1, 1))", f32(4, 4)),
    case("P.StridedSlice(shrink_axis_mask=1)(x, (1, 0), (2, 3), (1, 1))", f32(4, 4)),
    case("P.StridedSlice(new_axis_mask=1)(x, (0, 1), (1, 3), (1, 1))", f32(4, 4), not_compared=MASK_BUG),
    case("P.StridedSlice(ellipsis_mask=1)(x, (0, 1), (1, 3), (1, 1))", f32(2, 3, 4), not_compared=MASK_BUG),
    case("ops.slice(x, (0, 1), (2, 2))", f32(4, 4), gradient="weighted"),
    case("ops.slice(x, (1, 1), (2, -1))", f32(4, 4)),
    case("P.Slice()(x, (0, 1), (2, 2))", i32(4, 4)),
    case("ops.take(x, y)", f32(2, 3), literal([0, 4], "int64")),
    case("ops.nonzero(x)", mask(2, 3), eager_only=SHAPE_DEPENDS),
    case("ops.nonzero(x)", literal([0.0, 1.5, 0.0, -2.0]), eager_only=SHAPE_DEPENDS),
    case("ops.argwhere(x)", literal([[1, 0], [0, 3]], "int32"), eager_only=SHAPE_DEPENDS),
    case("ops.masked_select(x, y)", f32(2, 3), mask(2, 3), eager_only=SHAPE_DEPENDS, gradient="weighted"),
    case("ops.masked_select(x, y)", i32(2, 3), mask(3), eager_only=SHAPE_DEPENDS),
    case("P.MaskedSelect()(x, y)", f32(4), mask(4), eager_only=SHAPE_DEPENDS),
    case("ops.embedding(x, y)", literal([[0, 1], [2, 0]], "int64"), f32(3, 2)),
    case("P.EmbeddingLookup()(x, y, 0)", f32(4, 2), literal([[1, 3], [5, 0]], "int32")),
    case("P.EmbeddingLookup()(x, y, 1)", f32(4, 2), literal([1, 3], "int32")),
]

SELECT: list[Case] = [
    *[
        case("ops.select(x, y, z)", mask(2, 3), array(d, 2, 3), array(d, 2, 3), gradient="weighted")
        for d in REAL_DTYPES
    ],
    case("ops.select(x, y, 0.5)", mask(4), f32(4)),
    case("ops.select(x, 1, y)", mask(4), i32(4)),
    case("P.Select()(x, y, z)", mask(3), f32(3), f32(3), gradient="weighted"),
    case("ops.where(x, y, z)", mask(2, 3), f32(2, 3), f32(3), gradient="weighted"),
    case("ops.where(x, y, z)", mask(3), f32(2, 1), f32(3)),
    case("ops.where(x, y, 0)", mask(4), f32(4), gradient="weighted"),
    case("ops.where(x, y, 1.5)", mask(4), i32(4)),
    case("ops.where(x, y, z)", mask(4), i32(4), f32(4)),
    case("ops.where(x, y, z)", mask(4), array("float16", 4), f32(4)),
    case("ops.where(x, 1, 0.5)", mask(4)),
    case("ops.masked_fill(x, y, -1.0)", f32(2, 3), mask(2, 3), gradient="weighted"),
    case("ops.masked_fill(x, y, 0.5)", array("float16", 2, 3), mask(3)),
    case("ops.masked_fill(x, y, 7)", i32(2, 3), mask(2, 3)),
    case("ops.masked_fill(x, y, z)", f32(2, 3), mask(3), f32(), gradient="weighted"),
    case("P.MaskedFill()(x, y, 2.0)", f32(4), mask(4)),
    case("x.masked_scatter(y, z)", f32(4), literal([True, False, True, False], "bool"), f32(4)),
]

SCATTER: list[Case] = [
    case("ops.scatter_nd(x, y, (4,))", literal([[0], [2], [0]], "int32"), f32(3), gradient="weighted"),
    case("ops.scatter_nd(x, y, (3, 2))", literal([[1], [2]], "int64"), f32(2, 2), gradient="weighted"),
    case("P.ScatterNd()(x, y, (2, 3))", literal([[0, 1], [1, 2]], "int32"), i32(2)),
]
for _name in ("update", "add", "sub", "max", "min", "mul", "div"):
    SCATTER += [
        case(
            f"ops.tensor_scatter_{_name}(x, y, z)",
            f32(3, 2, low=0.5, high=2.0),
            literal([[0, 0], [2, 1]], "int32"),
            f32(2, low=0.5, high=2.0),
            gradient="weighted" if _name in ("update", "add", "sub") else "",
        ),
        case(
            f"ops.tensor_scatter_{_name}(x, y, z)",
            f32(3, 2, low=0.5, high=2.0),
            literal([[0], [2]], "int64"),
            f32(2, 2, low=0.5, high=2.0),
        ),
    ]
SCATTER += [
    case("ops.tensor_scatter_add(x, y, z)", f32(3), literal([[0], [0]], "int32"), f32(2)),
    case("P.TensorScatterUpdate()(x, y, z)", i32(3), literal([[0], [2]], "int32"), i32(2)),
    case(
        "ops.tensor_scatter_elements(x, y, z, axis=0)",
        f32(3, 2),
        literal([[0, 1]], "int32"),
        f32(1, 2),
        gradient="weighted",
    ),
    case("ops.tensor_scatter_elements(x, y, z, axis=1)", f32(2, 3), ROWS, f32(2, 2)),
    case("ops.tensor_scatter_elements(x, y, z, 0, 'add')", f32(3, 2), literal([[0, 0], [0, 1]], "int32"), f32(2, 2)),
    case("P.TensorScatterElements(axis=1)(x, y, z)", f32(2, 3), ROWS, f32(2, 2)),
    case("ops.scatter(x, 0, y, z)", f32(3, 2), literal([[0, 1]], "int64"), f32(1, 2)),
    case("ops.index_fill(x, 0, y, 9.0)", f32(3, 2), literal([0, 2], "int32")),
    case("ops.index_add(p, y, z, 0)", p=parameter("float32", 3, 2), y=literal([0, 2], "int32"), z=f32(2, 2)),
    case("ops.unsorted_segment_sum(x, y, 3)", f32(4, 2), literal([0, 2, 0, 2], "int32"), gradient="weighted"),
    case("ops.unsorted_segment_sum(x, y, 2)", f32(3), literal([0, -1, 1], "int32")),
    case("ops.unsorted_segment_max(x, y, 2)", f32(4), literal([0, 1, 0, 1], "int32")),
    case("ops.unsorted_segment_min(x, y, 2)", f32(4), literal([0, 1, 0, 1], "int32")),
    case("ops.unsorted_segment_prod(x, y, 2)", f32(4), literal([0, 1, 0, 1], "int32")),
    case("P.UnsortedSegmentSum()(x, y, 2)", f32(3), literal([0, 0, 1], "int32")),
]

PARAMETERS: list[Case] = [
    case("(ops.assign(p, x), p)", f32(2, 3), p=parameter("float32", 2, 3)),
    case("(ops.assign(p, x), p)", i32(3), p=parameter("float32", 3)),
    case("(P.Assign()(p, x), p)", f32(4), p=parameter("float32", 4)),
    case("(ops.assign_add(p, x), p)", f32(2, 3), p=parameter("float32", 2, 3)),
    case("(ops.assign_sub(p, x), p)", f32(2, 3), p=parameter("float32", 2, 3)),
    case("(P.AssignAdd()(p, x), p)", i32(3), p=parameter("int32", 3)),
    case("(P.AssignSub()(p, x), p)", f32(3), p=parameter("float32", 3)),
    case("(ops.assign_add(p, 2), p)", p=parameter("int32")),
    case("(ops.assign(p, 3.5), p)", p=parameter("float32")),
]
for _name in ("update", "add", "mul", "max", "min"):
    PARAMETERS += [
        case(
            f"(ops.scatter_{_name}(p, x, y), p)",
            literal([0, 2], "int32"),
            f32(2, 2),
            p=parameter("float32", 3, 2),
        ),
        case(
            f"(ops.scatter_nd_{_name}(p, x, y), p)",
            literal([[0, 1], [2, 0]], "int32"),
            f32(2),
            p=parameter("float32", 3, 2),
        ),
    ]
PARAMETERS += [
    case("(P.ScatterUpdate()(p, x, y), p)", literal([1], "int32"), f32(1, 2), p=parameter("float32", 3, 2)),
    case("(P.ScatterNdUpdate()(p, x, y), p)", literal([[1]], "int32"), f32(1, 2), p=parameter("float32", 3, 2)),
    case("(P.ScatterAdd()(p, x, y), p)", literal([[0, 0]], "int32"), f32(1, 2), p=parameter("float32", 3)),
    case("p.set_data(x); p", f32(2), p=parameter("float32", 2), eager_only="set_data is a host call"),
    case("p + x", f32(3), p=parameter("float32", 2, 3)),
    case("p * 2", p=parameter("float16", 3)),
]

CASES = GATHER + SELECT + SCATTER + PARAMETERS
