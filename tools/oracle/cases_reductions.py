"""Reductions, arg-reductions and sorting."""

from __future__ import annotations

from tools.oracle.case import (
    ALL_DTYPES,
    FLOAT_DTYPES,
    HALF_DTYPES,
    REAL_DTYPES,
    Case,
    array,
    case,
    f32,
    i32,
    literal,
    mask,
    over,
)

CASES: list[Case] = []

for _name in ("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd"):
    _wrong = {"gradient_not_compared": "real MindSpore: gradient 1 for the product over all axes"}
    _all = {"gradient": "weighted", **(_wrong if _name == "ReduceProd" else {})}
    CASES += over(f"P.{_name}()(x)", [(2, 3), (4,), ()], ALL_DTYPES, **_all)
    CASES += over(f"P.{_name}(keep_dims=True)(x, 1)", [(2, 3), (2, 3, 2)], ("float32", "float16"), gradient="weighted")
    CASES += over(f"P.{_name}()(x, (0, -1))", [(2, 3, 2)], ("float32", "int32"), gradient="weighted")
    CASES += over(f"P.{_name}(True)(x, ())", [(2, 3)], **_all)
for _name in ("ReduceAll", "ReduceAny"):
    CASES += over(f"P.{_name}()(x)", [(2, 3), (4,)], ("bool",))
    CASES += over(f"P.{_name}(True)(x, 1)", [(2, 3)], ("bool",))
    CASES += over(f"P.{_name}()(x, (0, 1))", [(2, 3)], ("bool",))

for _name in ("sum", "mean", "prod"):
    CASES += over(f"ops.{_name}(x)", [(2, 3), (4,), ()], ALL_DTYPES, gradient="weighted")
    CASES += over(f"ops.{_name}(x, 1)", [(2, 3), (2, 3, 2)], ALL_DTYPES, gradient="weighted")
    CASES += over(f"ops.{_name}(x, -1, True)", [(2, 3)], ("float32", "int32"), gradient="weighted")
CASES += over("ops.sum(x, (0, 2))", [(2, 3, 2)], ("float32", "int64"), gradient="weighted")
CASES += over("ops.mean(x, (0, 2), True)", [(2, 3, 2)], gradient="weighted")
CASES += [
    case("ops.sum(x, dim=1, keepdim=True, dtype=ms.float32)", i32(2, 3)),
    case("ops.sum(x, dtype=ms.int32)", f32(2, 3)),
    case("ops.prod(x, axis=0, keep_dims=True, dtype=ms.float32)", i32(2, 3)),
    case("ops.nansum(x)", literal([1.0, float("nan"), 2.0])),
    case("ops.mean(x)", literal([[-1, -2], [-4, -4]], "int32"), not_compared="integer mean of negatives is undefined"),
]

for _name in ("max", "min"):
    CASES += over(f"ops.{_name}(x)", [(2, 3), (4,)], REAL_DTYPES, gradient="weighted")
    CASES += over(f"ops.{_name}(x, 1)", [(2, 3), (2, 3, 2)], REAL_DTYPES, gradient="weighted")
    CASES += over(f"ops.{_name}(x, 0, True)", [(2, 3)], ("float32", "int32"), gradient="weighted")
    CASES += over(f"ops.{_name}(x, axis=-1, keepdims=True)", [(3, 4)], gradient="weighted")
for _name in ("amax", "amin"):
    CASES += over(f"ops.{_name}(x)", [(2, 3), (4,)], REAL_DTYPES, gradient="weighted")
    CASES += over(f"ops.{_name}(x, (0, 1), keepdims=True)", [(2, 3), (2, 3, 2)], gradient="weighted")
    CASES += over(f"ops.{_name}(x, 1)", [(2, 3)], ("float32", "int32"), gradient="weighted")
    CASES.append(case(f"ops.{_name}(x, 1, initial=0.5, where=y)", f32(2, 3), mask(2, 3)))
for _name in ("argmax", "argmin"):
    CASES += over(f"ops.{_name}(x)", [(2, 3), (4,)], REAL_DTYPES)
    CASES += over(f"ops.{_name}(x, 1)", [(2, 3), (2, 3, 2)], ("float32", "float16", "int32"))
    CASES += over(f"ops.{_name}(x, 0, True)", [(2, 3)])
    CASES.append(case(f"ops.{_name}(x, 0)", literal([1.0, 3.0, 3.0, 1.0])))
CASES += [
    case("P.Argmax()(x)", f32(2, 3)),
    case("P.Argmax(axis=0, output_type=ms.int64)(x)", f32(2, 3)),
    case("P.Argmin()(x)", f32(2, 3)),
    case("P.Argmin(0)(x)", f32(2, 3)),
    case("P.ArgMaxWithValue(1)(x)", f32(2, 3), gradient="weighted"),
    case("P.ArgMaxWithValue(axis=0, keep_dims=True)(x)", f32(2, 3), gradient="weighted"),
    case("P.ArgMinWithValue(1)(x)", f32(2, 3), gradient="weighted"),
    case("P.ArgMinWithValue(-1, True)(x)", i32(2, 3)),
]
for _name in ("any", "all"):
    CASES += over(f"ops.{_name}(x)", [(2, 3), (4,)], ("bool", "float32", "int32"))
    CASES += over(f"ops.{_name}(x, 1)", [(2, 3)], ("bool",))
    CASES += over(f"ops.{_name}(x, (0, 1), True)", [(2, 3)], ("bool",))
    CASES += over(f"ops.{_name}(x, axis=0, keep_dims=True)", [(2, 3)], ("bool",))

for _name in ("std", "var"):
    CASES += over(f"ops.{_name}(x)", [(2, 3), (5,)], HALF_DTYPES, gradient="weighted")
    CASES += over(f"ops.{_name}(x, axis=1, ddof=1, keepdims=True)", [(2, 3)], gradient="weighted")
    CASES += over(f"ops.{_name}(x, (0, 1), 0)", [(2, 3)])
    CASES += over(f"ops.{_name}(x, axis=0, ddof=False)", [(2, 3)])
    CASES += over(f"ops.{_name}_mean(x, axis=1)", [(2, 3)])
CASES += over("ops.norm(x)", [(2, 3), (4,)], HALF_DTYPES, gradient="weighted")
CASES += over("ops.norm(x, ord=1, dim=1)", [(2, 3)], gradient="weighted")
CASES += over("ops.norm(x, ord=2, dim=-1, keepdim=True)", [(2, 3)], gradient="weighted")
CASES += over("ops.norm(x, inf, 1)", [(2, 3)])
CASES += over("ops.norm(x, 'fro')", [(2, 3)], gradient="weighted")
CASES += over("ops.norm(x, 3, 0)", [(2, 3)], gradient="weighted")
CASES += over("ops.norm(x, 0, 0)", [(2, 3)])
CASES += over("P.LpNorm(axis=1, p=2)(x)", [(2, 3)], gradient="weighted")
CASES += over("P.L2Loss()(x)", [(2, 3), (4,)], HALF_DTYPES, gradient="weighted")
CASES += over("ops.count_nonzero(x)", [(2, 3)], ("float32", "int32", "bool"))
CASES += over("ops.count_nonzero(x, axis=1, keep_dims=True)", [(2, 3)], ("int32",))
CASES += over("ops.median(x)", [(5,), (2, 4)], ("float32", "int32"))
CASES += over("ops.median(x, 0, True)", [(3, 2)])
CASES += over("ops.reduce_sum(x)", [(2, 3)])
CASES += over("ops.reduce_mean(x, 1)", [(2, 3)])
CASES += over("ops.reduce_max(x, 1)", [(2, 3)])
CASES += over("ops.aminmax(x, axis=1)", [(2, 3)])

# A wide range keeps integer inputs free of ties, whose order is not defined.
for _dtype in ("int32", "int64", "uint8"):
    CASES.append(case("ops.topk(x, 2)", array(_dtype, 2, 5, low=0, high=200)))
    CASES.append(case("ops.sort(x)", array(_dtype, 2, 5, low=0, high=200)))
CASES += over("ops.topk(x, 2)", [(5,), (2, 4)], FLOAT_DTYPES, gradient="weighted")
CASES += over("ops.topk(x, 2, largest=False)", [(2, 4)], gradient="weighted")
CASES += over("ops.topk(x, 1, dim=0)", [(3, 2)], gradient="weighted")
CASES += over("P.TopK(sorted=True)(x, 3)", [(2, 4)], FLOAT_DTYPES, gradient="weighted")
CASES.append(case("ops.topk(x, 3)", literal([2.0, 3.0, 3.0, 1.0, 3.0])))
CASES += over("ops.sort(x)", [(5,), (2, 4)], HALF_DTYPES, gradient="weighted")
CASES += over("ops.sort(x, 0, True)", [(4, 2)], gradient="weighted")
CASES += over("ops.sort(x, axis=-1, descending=True)", [(2, 4)], ("float32",), gradient="weighted")
CASES += over("P.Sort(axis=0, descending=True)(x)", [(3, 2)], ("float32", "float16"), gradient="weighted")
CASES += over("ops.argsort(x)", [(5,), (2, 4)], ("float32", "float16"))
CASES += over("ops.argsort(x, axis=0, descending=True)", [(3, 2)])
CASES += over("ops.histc(x, 4)", [(6,)])
CASES += [
    case("ops.bincount(x)", i32(6, low=0, high=4), eager_only="result shape depends on values"),
    case("ops.bincount(x, y, 6)", i32(4, low=0, high=4), f32(4), eager_only="result shape depends on values"),
    case("ops.searchsorted(x, y)", literal([1.0, 2.0, 3.0, 4.0]), literal([0.5, 2.0, 2.5, 5.0])),
    case("ops.searchsorted(x, y, right=True)", literal([1.0, 2.0, 3.0, 4.0]), literal([2.0, 2.5, 4.0])),
    case("ops.searchsorted(x, y, out_int32=True)", literal([[1, 3], [2, 4]], "int32"), literal([[2], [3]], "int32")),
    case("ops.intopk(x, y, 2)", f32(3, 4), i32(3, low=0, high=4)),
    case("P.InTopK(1)(x, y)", f32(3, 4), i32(3, low=0, high=4)),
    case("ops.unique(x)", literal([3, 1, 3, 2, 1], "int32"), eager_only="result shape depends on values"),
    case("ops.unique(x)", literal([3.0, 1.0, 3.0]), eager_only="result shape depends on values"),
    case("ops.unique_consecutive(x)", literal([3, 3, 1, 1, 3], "int32"), eager_only="result shape depends on values"),
    case(
        "ops.unique_consecutive(x, True, True)",
        literal([3, 3, 1], "int64"),
        eager_only="result shape depends on values",
    ),
]
