"""Element-wise arithmetic, comparison and logic."""

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
    i64,
    literal,
    mask,
    over,
)

UNARY_SHAPES = [(2, 3), (4,), (), (2, 1, 3)]
PAIRS = [((2, 3), (2, 3)), ((2, 3), (3,)), ((2, 1), (1, 3)), ((), (2, 2)), ((2, 3), ())]

ANY_REAL = ("abs", "neg", "square", "sign", "trunc")
FLOAT_WIDE = ("exp", "expm1", "sin", "cos", "tan", "atan", "sinh", "cosh", "tanh", "asinh", "erf", "erfc", "sigmoid")
FLOAT_WIDE += ("floor", "ceil", "round", "exp2")
POSITIVE = ("log", "log1p", "log2", "log10", "sqrt", "rsqrt", "reciprocal")
UNIT = ("asin", "acos", "atanh")
PRIMITIVES = ("Abs", "Neg", "Exp", "Log", "Sqrt", "Rsqrt", "Square", "Reciprocal", "Sin", "Cos", "Tan", "Atan", "Tanh")
PRIMITIVES += ("Asinh", "Sinh", "Cosh", "Erf", "Erfc", "Floor", "Ceil", "Round", "Sign", "Log1p", "Expm1", "Sigmoid")

BINARY = ("add", "sub", "mul", "div", "maximum", "minimum")
BINARY_ALIASES = ("subtract", "multiply", "divide", "true_divide", "floor_divide", "remainder", "fmax", "fmin")
BINARY_PRIMITIVES = ("Add", "Sub", "Mul", "Div", "RealDiv", "Maximum", "Minimum", "Pow", "FloorDiv", "FloorMod", "Mod")
BINARY_PRIMITIVES += ("DivNoNan", "TruncateDiv", "SquaredDifference", "Xdivy", "Atan2")
TENSOR_NAMES = ("tensor_add", "tensor_sub", "tensor_mul", "tensor_div", "tensor_floordiv", "tensor_pow", "tensor_mod")
COMPARE = ("equal", "not_equal", "greater", "greater_equal", "less", "less_equal", "eq", "ne", "gt", "ge", "lt", "le")
COMPARE_PRIMITIVES = ("Equal", "NotEqual", "Greater", "GreaterEqual", "Less", "LessEqual")

UNARY: list[Case] = []
for _name in ANY_REAL:
    UNARY += over(f"ops.{_name}(x)", UNARY_SHAPES, ALL_DTYPES, gradient="weighted")
for _name in FLOAT_WIDE:
    _dtypes = ALL_DTYPES if _name in ("exp", "tanh", "floor", "round") else HALF_DTYPES
    UNARY += over(f"ops.{_name}(x)", UNARY_SHAPES, _dtypes, gradient="weighted")
for _name in POSITIVE:
    _dtypes = REAL_DTYPES if _name in ("log", "sqrt", "reciprocal") else HALF_DTYPES
    UNARY += over(f"ops.{_name}(x)", UNARY_SHAPES, _dtypes, 0.2, 4.0, gradient="weighted")
for _name in UNIT:
    UNARY += over(f"ops.{_name}(x)", UNARY_SHAPES[:2], HALF_DTYPES, -0.9, 0.9, gradient="weighted")
UNARY += over("ops.acosh(x)", UNARY_SHAPES[:2], HALF_DTYPES, 1.2, 4.0, gradient="weighted")
for _name in PRIMITIVES:
    UNARY += over(f"P.{_name}()(x)", [(2, 3)], ("float32",), 0.2, 2.0, gradient="weighted")
UNARY += [
    case("ops.round(x)", literal([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 2.4999])),
    case("ops.trunc(x)", literal([-1.7, -0.2, 0.2, 1.7])),
    case("ops.sign(x)", literal([-1.5, 0.0, 2.0])),
    case("ops.log(x)", literal([0.0, -1.0, 1.0])),
    case("ops.sqrt(x)", literal([-1.0, 0.0, 4.0])),
    case("ops.nan_to_num(x, 0.0, 1.0, -1.0)", literal([float("nan"), float("inf"), -float("inf"), 2.0])),
    case("ops.frac(x)", literal([1.5, -1.5, 0.25])),
    case("ops.deg2rad(x)", f32(3)),
    case("ops.rad2deg(x)", f32(3)),
    case("ops.logit(x)", f32(2, 3, low=0.1, high=0.9), gradient="weighted"),
    case("ops.lgamma(x)", f32(2, 3, low=0.5, high=4.0)),
    case("ops.digamma(x)", f32(2, 3, low=0.5, high=4.0)),
    case("ops.erfinv(x)", f32(2, 3, low=-0.9, high=0.9), gradient="weighted", tolerance=1e-4),
    case("ops.sinc(x)", f32(2, 3), gradient="weighted"),
    case("ops.invert(x)", i32(3)),
    case("ops.isfinite(x)", literal([float("nan"), float("inf"), 1.0])),
]

BINARY_CASES: list[Case] = []
for _name in BINARY:
    BINARY_CASES += over(f"ops.{_name}(x, y)", PAIRS, ALL_DTYPES, gradient="weighted")
for _name in BINARY_ALIASES:
    BINARY_CASES += over(f"ops.{_name}(x, y)", PAIRS[:2], ("float32", "int32"), 0.5, 4.0, gradient="weighted")
for _name in BINARY_PRIMITIVES:
    BINARY_CASES += over(f"P.{_name}()(x, y)", PAIRS[:2], ("float32",), 0.5, 4.0, gradient="weighted")
for _name in TENSOR_NAMES:
    BINARY_CASES += over(f"ops.{_name}(x, y)", PAIRS[1:2], ("float32",), 0.5, 4.0)
for _name in ("floor_div", "floor_mod", "fmod"):
    for _dtype in REAL_DTYPES:
        BINARY_CASES += [
            case(
                f"ops.{_name}(x, y)",
                array(_dtype, 2, 4, low=1 if _dtype == "uint8" else -9, high=10),
                array(_dtype, 4, low=1, high=4),
                gradient="weighted" if _dtype == "float32" else "",
            ),
        ]
    BINARY_CASES.append(case(f"ops.{_name}(x, y)", literal([-7, -7, 7, 7], "int32"), literal([2, -2, 2, -2], "int32")))
    BINARY_CASES.append(case(f"ops.{_name}(x, y)", literal([-7.5, -7.5, 7.5, 7.5]), literal([2.0, -2.0, 2.0, -2.0])))
BINARY_CASES += over("ops.pow(x, y)", PAIRS, FLOAT_DTYPES, 0.3, 2.5, gradient="weighted")
BINARY_CASES += over("ops.atan2(x, y)", PAIRS, HALF_DTYPES, 0.3, 2.5, gradient="weighted")
BINARY_CASES += over("ops.hypot(x, y)", PAIRS, ("float32", "float64"), gradient="weighted")
BINARY_CASES += over("ops.xdivy(x, y)", PAIRS[:2], HALF_DTYPES, 0.3, 2.5, gradient="weighted")
BINARY_CASES += over("ops.xlogy(x, y)", PAIRS[:2], HALF_DTYPES, 0.3, 2.5, gradient="weighted")
BINARY_CASES += over("ops.logaddexp(x, y)", PAIRS[:2], HALF_DTYPES, gradient="weighted")
BINARY_CASES += [
    case("ops.pow(x, y)", literal([1, 2, 3], "int32"), literal([3, 2, 0], "int32")),
    case("ops.pow(x, 2)", i32(3)),
    case("ops.pow(x, 0.5)", i32(3, low=1, high=9)),
    case("ops.pow(2, x)", i32(3, low=0, high=5)),
    case("ops.pow(x, 3)", f32(2, 3), gradient="weighted"),
    case("ops.add(x, 2)", f32(2, 3), gradient="weighted"),
    case("ops.add(2.5, x)", i32(3)),
    case("ops.add(1, 2)"),
    case("ops.add(1, 2.5)"),
    case("ops.add(True, 2)"),
    case("ops.mul(x, True)", f32(3)),
    case("ops.sub(3, x)", f32(3), gradient="weighted"),
    case("ops.div(x, 2)", i32(3)),
    case("ops.div(x, y)", array("int64", 3, low=1, high=5), array("int32", 3, low=1, high=5)),
    case("ops.div(x, y, rounding_mode='floor')", literal([-7.0, 7.0]), literal([2.0, 2.0])),
    case("ops.div(x, y, rounding_mode='trunc')", literal([-7.0, 7.0]), literal([2.0, 2.0])),
    case("ops.div(x, 2, rounding_mode='floor')", literal([-7, 7], "int64")),
    case("ops.div(x, 2, rounding_mode='trunc')", literal([-7, 7], "int64")),
    case("P.RealDiv()(x, y)", literal([7, -7], "int32"), literal([2, 2], "int32")),
    case("P.DivNoNan()(x, y)", literal([1.0, 0.0, 3.0]), literal([0.0, 0.0, 2.0])),
    case("P.Mod()(x, y)", literal([-7.5, 7.5]), literal([2.0, -2.0])),
    case("P.TruncateDiv()(x, y)", literal([-7, 7], "int32"), literal([2, -2], "int32")),
    case("P.TruncateMod()(x, y)", literal([-7, 7], "int32"), literal([2, -2], "int32")),
    case("ops.xdivy(x, y)", literal([0.0, 1.0]), literal([0.0, 0.0])),
    case(
        "ops.xlogy(x, y)",
        literal([0.0, 1.0]),
        literal([0.0, 0.0]),
        waiver="0 * log(0) is nan on CPU only; documented as 0",
    ),
    case("ops.maximum(x, 2.5)", i32(3)),
    case("ops.maximum(x, y)", i32(3), f32(3)),
    case("ops.bitwise_and(x, y)", i32(4, low=0, high=16), i32(4, low=0, high=16)),
    case("ops.bitwise_or(x, y)", i32(4, low=0, high=16), i32(4, low=0, high=16)),
    case("ops.bitwise_xor(x, y)", i32(4, low=-16, high=16), i32(4, low=0, high=16)),
    case("ops.bitwise_and(x, 3)", i64(4, low=0, high=16)),
    case("ops.bitwise_and(x, y)", mask(4), mask(4)),
    case("ops.bitwise_xor(x, y)", array("uint8", 4), i32(4, low=0, high=16)),
    case("ops.bitwise_left_shift(x, 2)", i32(4, low=0, high=16)),
    case("ops.bitwise_right_shift(x, 1)", i32(4, low=0, high=16)),
    case("ops.float_power(x, 2)", f32(3)),
    case("ops.heaviside(x, y)", literal([-1.0, 0.0, 1.0]), f32(3)),
    case("ops.gcd(x, y)", i32(4, low=1, high=30), i32(4, low=1, high=30)),
    case("ops.lcm(x, y)", i32(4, low=1, high=12), i32(4, low=1, high=12)),
    case("ops.copysign(x, y)", f32(4), f32(4)),
]

COMPARISONS: list[Case] = []
for _name in COMPARE:
    COMPARISONS += over(f"ops.{_name}(x, y)", PAIRS[:2], ALL_DTYPES if len(_name) > 2 else ("int32",))
    COMPARISONS.append(case(f"ops.{_name}(x, 1)", i32(3, low=0, high=3)))
    COMPARISONS.append(case(f"ops.{_name}(x, y)", i32(4, low=0, high=3), f32(4, low=0, high=3)))
for _name in COMPARE_PRIMITIVES:
    COMPARISONS.append(case(f"P.{_name}()(x, y)", i32(2, 4, low=0, high=3), i32(4, low=0, high=3)))
for _name in ("logical_and", "logical_or", "logical_xor"):
    COMPARISONS += over(f"ops.{_name}(x, y)", PAIRS[:2], ("bool", "float32", "int32"))
    COMPARISONS.append(case(f"ops.{_name}(x, True)", mask(4)))
COMPARISONS += over("ops.logical_not(x)", UNARY_SHAPES[:2], ("bool", "float32", "int32"))
for _name in ("LogicalAnd", "LogicalOr"):
    COMPARISONS.append(case(f"P.{_name}()(x, y)", mask(4), mask(4)))
COMPARISONS.append(case("P.LogicalNot()(x)", mask(4)))
for _name in ("isnan", "isinf", "isfinite"):
    for _dtype in ("float32", "float16", "float64"):
        COMPARISONS.append(case(f"ops.{_name}(x)", literal([1.0, float("nan"), float("inf"), -float("inf")], _dtype)))
    COMPARISONS.append(case(f"ops.{_name}(x)", i32(3)))
COMPARISONS += [
    case("P.IsNan()(x)", literal([1.0, float("nan")])),
    case("P.IsInf()(x)", literal([1.0, float("inf")])),
    case("P.IsFinite()(x)", literal([1.0, float("inf")])),
    case("ops.isclose(x, y)", literal([1.0, 2.0, float("nan")]), literal([1.0 + 1e-7, 2.1, float("nan")])),
    case("ops.isclose(x, y, equal_nan=True)", literal([1.0, float("nan")]), literal([1.0, float("nan")])),
    case("ops.isclose(x, y, rtol=0.1)", literal([1.0, 2.0]), literal([1.05, 2.5])),
    case("ops.isclose(x, y)", i32(3, low=0, high=2), i32(3, low=0, high=2)),
    case("ops.approximate_equal(x, y, 0.5)", f32(4), f32(4)),
    case("ops.equal(x, y)", literal([float("nan"), 1.0]), literal([float("nan"), 1.0])),
]

COMBINED: list[Case] = [
    case("ops.clamp(x, -1, 1)", f32(2, 3), gradient="weighted"),
    case("ops.clamp(x, 2)", i32(4)),
    case("ops.clamp(x, max=2)", f32(4), gradient="weighted"),
    case("ops.clamp(x, 1.5, 2.5)", i32(4)),
    case("ops.clamp(x, y, z)", f32(2, 3), f32(3, low=-1, high=0), f32(3, low=0, high=1)),
    case("ops.clip(x, -1, 1)", f32(2, 3), gradient="weighted"),
    case("ops.clip_by_value(x, -1, 1)", f32(2, 3), gradient="weighted"),
    case("ops.clip_by_value(x, y, z)", f32(2, 3), f32(3, low=-1, high=0), f32(3, low=0, high=1)),
    case("ops.clip_by_value(x, 2, 1)", f32(3)),
    case("ops.clip_by_value(x, 1.5, 2.5)", i32(4)),
    case("ops.clip_by_value(x, clip_value_max=1.0)", f32(4)),
    case("C.clip_by_value(x, -1, 1)", f32(4)),
    case("ops.clip_by_norm(x, 1.0)", f32(2, 3), gradient="weighted"),
    case("ops.clip_by_global_norm([x, y], 1.0)", f32(2, 3), f32(4)),
    case("ops.clip_by_global_norm((x, y), 100.0)", f32(2, 3), f32(4)),
    case("ops.addn([x, y, z])", f32(2, 3), f32(2, 3), f32(2, 3), gradient="weighted"),
    case("P.AddN()((x, y))", i32(3), i32(3)),
    case("ops.accumulate_n([x, y])", f32(3), f32(3)),
    case("ops.addcmul(x, y, z, value=2)", f32(2, 3), f32(3), f32(2, 1), gradient="weighted"),
    case("ops.addcdiv(x, y, z)", f32(2, 3), f32(3), f32(2, 1, low=0.5, high=2.0), gradient="weighted"),
    case("ops.addcdiv(x, y, z, Tensor(2.0))", f32(3), f32(3), f32(3, low=0.5, high=2.0)),
    case("ops.lerp(x, y, 0.3)", f32(2, 3), f32(3), gradient="weighted"),
    case("ops.lerp(x, y, z)", f32(2, 3), f32(2, 3), f32(2, 3), gradient="weighted"),
    case("P.Lerp()(x, y, 0.5)", f32(3), f32(3)),
    *over("ops.cumsum(x, 0)", [(2, 3), (4,)], ALL_DTYPES, gradient="weighted"),
    *over("ops.cumsum(x, -1)", [(2, 3), (2, 2, 2)], gradient="weighted"),
    case("ops.cumsum(x, 1, ms.float32)", i32(2, 3)),
    case("P.CumSum(True, True)(x, 1)", f32(2, 3), gradient="weighted"),
    case("P.CumSum(exclusive=True)(x, 0)", f32(3, 2), gradient="weighted"),
    *over("ops.cumprod(x, 0)", [(2, 3), (4,)], REAL_DTYPES, 0.5, 2.0, gradient="weighted"),
    case("P.CumProd(True, False)(x, 1)", f32(2, 3, low=0.5, high=2.0)),
    *over("ops.cummax(x, 0)", [(4, 3), (5,)], REAL_DTYPES),
    *over("ops.cummin(x, -1)", [(3, 4), (5,)], REAL_DTYPES),
    case("ops.cummax(x, 0)", literal([1, 3, 3, 2], "int32")),
    *over("ops.logcumsumexp(x, 0)", [(4, 3)], HALF_DTYPES),
    *over("ops.logsumexp(x, 1)", [(2, 3), (2, 3, 2)], HALF_DTYPES, gradient="weighted"),
    case("ops.logsumexp(x, (0, 1), True)", f32(2, 3)),
    case("ops.trapz(x)", f32(4)),
    case("ops.diff(x)", f32(2, 4)),
    case("ops.cross(x, y)", f32(2, 3), f32(2, 3), gradient="weighted"),
]

CASES = UNARY + BINARY_CASES + COMPARISONS + COMBINED
