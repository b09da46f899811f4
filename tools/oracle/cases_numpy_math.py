"""`mindspore.numpy`: arithmetic, reductions, products, polynomials, statistics, comparisons."""

from __future__ import annotations

from tools.oracle.case import Case, array, case, f32, i32, literal, mask, over, several

KINDS = ("float32", "float16", "float64", "int32", "uint8", "bool")
NUMBERS = KINDS[:-1]
FLOATS = KINDS[:3]
COUNTED = "how many elements there are depends on the values"
ROWS = ((2, 3), (2, 3))
NO_GRADIENT = "real MindSpore gives zeros for the second input"
INTEGER_MEAN = "real MindSpore takes the distances from a mean cut off to an integer"


def together(names: str, arguments: str = "x") -> str:
    """Several functions of the same arguments as one case."""
    return f"({', '.join(f'mnp.{name}({arguments})' for name in names.split())},)"


UNARY: list[Case] = [
    *over(
        together("abs absolute fabs ceil deg2rad rad2deg radians trunc fix exp2"), [(2, 3)], KINDS, gradient="weighted"
    ),
    *over(together("negative positive square"), [(2, 3), (), (0, 2)], NUMBERS, gradient="weighted"),
    *over("mnp.sign(x)", [(2, 3)], NUMBERS),
    *over(together("exp expm1 floor rint"), [(2, 3), ()], FLOATS),
    *over(together("exp expm1"), [(2, 3)], FLOATS, gradient="weighted"),
    *over(together("log log10 log1p log2"), [(2, 3)], FLOATS, 0.5, 3.0, gradient="weighted"),
    *over(together("sin cos tan sinh cosh tanh arcsinh arctan"), [(2, 3)], KINDS, gradient="weighted", tolerance=2e-4),
    *over(together("arcsin arccos arctanh"), [(2, 3)], KINDS, -0.9, 0.9, gradient="weighted"),
    *over("mnp.arccosh(x)", [(2, 3)], KINDS, 1.1, 3.0, gradient="weighted"),
    *over("mnp.sqrt(x)", [(2, 3)], KINDS, 0.5, 3.0, gradient="weighted"),
    *over(together("reciprocal cbrt"), [(2, 3)], FLOATS, 0.5, 3.0, gradient="weighted"),
    case(together("reciprocal cbrt"), i32(2, 3, low=1, high=4)),
    case("mnp.reciprocal(x)", i32(2, 3, low=-4, high=-1)),
    *several(
        """
        mnp.exp([1.0, 2.0])
        mnp.sin(1.5)
        mnp.sqrt((1, 4))
        mnp.exp(x, dtype=mnp.float16)
        mnp.square(x, ms.int32)
        mnp.around(x)
        mnp.around(x, 1)
        mnp.round(x, decimals=2)
        mnp.round([1.5, 2.5, -0.7])
        """,
        x=f32(2, 3),
    ),
    case("mnp.invert(x)", i32(2, 3)),
    case("mnp.bitwise_not(x)", i32(2, 3)),
    case("mnp.around(x, -1)", i32(4, low=-50, high=50)),
    case("mnp.unwrap(x)", f32(8, low=-9, high=9), gradient="weighted"),
    case("mnp.unwrap(x, 1.0, 0)", f32(4, 3, low=-9, high=9)),
]

BINARY: list[Case] = [
    *over(together("add subtract", "x, y"), [ROWS, ((2, 1), (3,)), ((), (2,))], NUMBERS, 0.5, 4.0, gradient="weighted"),
    *over(
        together("multiply divide true_divide maximum arctan2 heaviside", "x, y"),
        [ROWS, ((2, 1), (3,))],
        KINDS,
        0.5,
        4.0,
        gradient="weighted",
    ),
    *over(together("minimum hypot copysign", "x, y"), [ROWS, ((2, 1), (3,))], NUMBERS, 0.5, 4.0, gradient="weighted"),
    *over(together("logaddexp logaddexp2", "x, y"), [ROWS, ((2, 1), (3,))], FLOATS, gradient="weighted"),
    *over(
        together("fmod mod remainder floor_divide divmod", "x, y"),
        [ROWS, ((2, 1), (3,))],
        FLOATS,
        0.5,
        4.0,
        gradient="weighted",
    ),
    case(
        together("fmod mod remainder floor_divide divmod", "x, y"),
        array("int64", 6, low=-9, high=9),
        array("int64", 6, low=1, high=5),
    ),
    case(
        together("fmod mod remainder floor_divide divmod", "x, y"),
        array("uint8", 6, low=0, high=9),
        array("uint8", 6, low=1, high=5),
    ),
    case(together("fmod mod floor_divide", "x, y"), mask(4), literal([True, True, True, True], "bool")),
    *over("mnp.power(x, y)", [ROWS], ("float32", "float16", "float64"), 0.5, 2.0, gradient="weighted"),
    *over(
        "mnp.float_power(x, y)",
        [ROWS],
        ("float32", "float16", "float64", "int32"),
        0.5,
        2.0,
        gradient="weighted",
        tolerance=1e-6,
    ),
    *[
        case(
            together("add multiply divide power maximum", "x, y"),
            array(a, 2, 3, low=1, high=5),
            array(b, 3, low=1, high=5),
        )
        for a, b in (
            ("int32", "float32"),
            ("float16", "int64"),
            ("float32", "float64"),
            ("uint8", "int8"),
            ("int16", "int32"),
        )
    ],
    *several(
        """
        mnp.add(1, 2)
        mnp.add([1, 2], 3.5)
        mnp.add(x, 1)
        mnp.add(x, 1.5)
        mnp.add(x, 1.5, dtype=mnp.int32)
        mnp.multiply(2, x)
        mnp.subtract((1, 2, 3), x)
        mnp.divide(x, 2)
        mnp.power(x, 2)
        mnp.power(2, x)
        mnp.power(x, 0.5)
        mnp.floor_divide(x, 2)
        mnp.mod(x, 3)
        mnp.remainder(x, -3)
        mnp.fmod(x, -3)
        mnp.maximum(x, 2)
        mnp.minimum(x, 2.5)
        mnp.clip(x, 2, 3)
        mnp.clip(x, 2, None)
        mnp.clip(x, None, 3)
        mnp.clip(x, 1.5, 3)
        mnp.clip(x, [1, 2, 3], 3)
        """,
        x=i32(3, low=1, high=6),
    ),
    case("mnp.add(x, 1.5)", array("float16", 3)),
    case("mnp.add(x, 1)", mask(3)),
    case("mnp.mod(x, y)", i32(6, low=-9, high=9), literal([3, -3, 2, -2, 5, -5], "int32")),
    case("mnp.fmod(x, y)", i32(6, low=-9, high=9), literal([3, -3, 2, -2, 5, -5], "int32")),
    case("mnp.floor_divide(x, y)", i32(6, low=-9, high=9), literal([3, -3, 2, -2, 5, -5], "int32")),
    case("mnp.mod(x, y)", f32(6, low=-9, high=9), literal([3, -3, 2, -2, 5, -5]), gradient="weighted"),
    case("mnp.fmod(x, y)", f32(6, low=-9, high=9), literal([3, -3, 2, -2, 5, -5])),
    case("mnp.clip(x, -1.0, 1.0)", f32(2, 3), gradient="weighted"),
    case("mnp.clip(x, y, 1)", f32(2, 3), f32(3)),
    case("mnp.clip(x, -1, 1, dtype=mnp.int32)", f32(2, 3), waiver="real MindSpore ignores the dtype it documents"),
    *over(
        together("bitwise_and bitwise_or bitwise_xor gcd lcm", "x, y"),
        [ROWS, ((2, 1), (3,))],
        ("int32", "int64", "uint8"),
    ),
    case("mnp.bitwise_and(x, 3)", i32(4)),
]

REDUCTIONS: list[Case] = [
    *over(together("sum nansum"), [(2, 3), ()], KINDS, gradient="weighted"),
    *over(together("argmax argmin"), [(2, 3), (4,)], KINDS),
    *over("mnp.count_nonzero(x)", [(2, 3), ()], NUMBERS),
    *over(together("mean max min amax amin ptp nanmax nanmin average"), [(2, 3)], NUMBERS, gradient="weighted"),
    *over(together("std var"), [(2, 3)], FLOATS, gradient="weighted", tolerance=1e-6),
    case(together("std var"), i32(2, 3), waiver=INTEGER_MEAN),
    *over(together("nanmean nanvar nanstd norm"), [(2, 3)], NUMBERS, gradient="weighted", tolerance=1e-3),
    *[
        case(together(names, f"x, {options}"), f32(2, 3, 4), gradient="weighted")
        for names in ("sum mean max min amax amin std var ptp", "nansum nanmax nanmin nanmean nanvar nanstd norm")
        for options in ("axis=1", "axis=(0, -1)", "axis=-1, keepdims=True")
    ],
    *several(
        """
        mnp.sum(x, dtype=mnp.float16)
        mnp.sum(x, axis=0, initial=2.5)
        mnp.sum([1, 2, 3])
        mnp.sum(3.5)
        mnp.mean(x, axis=0, dtype=mnp.float16)
        mnp.mean([1.0, 2.0])
        mnp.max(x, axis=0, initial=1.5)
        mnp.min(x, initial=-1)
        mnp.max(x, axis=0, initial=0.5, where=x > 0)
        mnp.amin(x, axis=1, initial=0.5, where=x < 0, keepdims=True)
        mnp.std(x, axis=0, ddof=1)
        mnp.var(x, ddof=1, keepdims=True)
        mnp.nanvar(x, axis=0, ddof=1)
        mnp.nanstd(x, 1, None, 1, True)
        mnp.argmax(x, 0)
        mnp.argmin(x, axis=-1)
        mnp.argmax([1, 3, 2])
        mnp.count_nonzero(x, axis=1, keepdims=True)
        mnp.average(x, axis=0)
        mnp.average(x, axis=1, weights=mnp.array([1.0, 2.0, 3.0]))
        mnp.average(x, axis=1, weights=[1, 2, 3], returned=True)
        mnp.average(x, weights=x * x)
        mnp.average(x, returned=True)
        mnp.norm(x, 1, axis=1)
        mnp.norm(x, 2, axis=0, keepdims=True)
        mnp.norm(x, ord=mnp.inf, axis=1)
        mnp.norm(x, ord=-mnp.inf, axis=1)
        mnp.norm(x, 0, axis=1)
        mnp.norm(x, 3, axis=-1)
        mnp.norm(x, 'fro')
        mnp.norm(x, 1)
        mnp.norm(x, -1)
        mnp.norm(x, mnp.inf)
        mnp.norm(x, -mnp.inf, axis=(1, 0), keepdims=True)
        mnp.norm([3.0, 4.0])
        mnp.cumsum(x)
        mnp.cumsum(x, 1)
        mnp.cumprod(x)
        mnp.cumprod(x, 1)
        mnp.cumprod(x, axis=0, dtype=mnp.float64)
        mnp.nancumsum(x)
        mnp.nancumsum(x, 1)
        mnp.diff(x)
        mnp.diff(x, 2, axis=-1)
        mnp.diff(x, axis=0, prepend=x[:1], append=mnp.zeros((2, 3)))
        mnp.diff([1, 4, 9])
        mnp.ediff1d(x)
        mnp.ediff1d(x, to_end=[1.0], to_begin=mnp.array([2.0, 3.0]))
        mnp.trapz(x)
        mnp.trapz(x, dx=2.0, axis=0)
        mnp.trapz(x, mnp.array([1.0, 2.0, 4.0]))
        mnp.gradient(x)
        mnp.gradient(x, axis=1)
        mnp.gradient(x, 2.0, axis=0)
        mnp.gradient(x, 2, 3)
        mnp.gradient([1.0, 4.0, 9.0])
        """,
        x=f32(2, 3),
        gradient="weighted",
    ),
    *over(together("cumsum cumprod nancumsum"), [(4,), (2, 3)], KINDS),
    case("mnp.cumsum(x, axis=0, dtype=mnp.float16)", f32(2, 3)),
    *several(
        """
        mnp.nansum(x)
        mnp.nanmax(x, axis=0)
        mnp.nanmin(x, axis=1)
        mnp.nanmean(x, axis=1, keepdims=True)
        mnp.nanvar(x, axis=1)
        mnp.nanstd(x)
        mnp.nancumsum(x, 1)
        mnp.nansum(x, axis=0, dtype=mnp.float16)
        mnp.isnan(x)
        """,
        x=literal([[1.0, float("nan"), 3.0], [4.0, 5.0, float("nan")]]),
    ),
]

PRODUCTS: list[Case] = [
    *over(
        "mnp.dot(x, y)",
        [((2, 3), (3, 4)), ((3,), (3,)), ((2, 3), (3,)), ((2, 3, 4), (4, 5)), ((2, 4), (3, 4, 2))],
        ("float32", "float16", "float64", "int32"),
        gradient="weighted",
    ),
    *over(
        "mnp.inner(x, y)",
        [((2, 3), (4, 3)), ((3,), (3,)), ((2, 3, 4), (4,))],
        ("float32", "int32"),
        gradient="weighted",
    ),
    *over("mnp.outer(x, y)", [((3,), (2,)), ((2, 2), (3,))], ("float32", "float16", "int32"), gradient="weighted"),
    *over(
        "mnp.matmul(x, y)",
        [((2, 3), (3, 4)), ((3,), (3,)), ((2, 3), (3,)), ((2, 2, 3), (3, 4)), ((5, 2, 3), (5, 3, 2))],
        ("float32", "float16", "float64", "int32"),
        gradient="weighted",
    ),
    case("mnp.matmul(x, y, dtype=mnp.float16)", f32(2, 3), f32(3, 2)),
    *over("mnp.tensordot(x, y)", [((2, 3, 4), (3, 4, 2))], gradient="weighted"),
    case("mnp.tensordot(x, y, 1)", f32(2, 3), f32(3, 2), gradient="weighted"),
    case("mnp.tensordot(x, y, 0)", f32(2), f32(3)),
    case("mnp.tensordot(x, y, ((1, 0), (0, 1)))", f32(2, 3, 4), f32(3, 2, 5), gradient="weighted"),
    case("mnp.tensordot(x, y, axes=([1], [0]))", f32(2, 3), f32(3, 2)),
    case("mnp.dot(x, 2.0)", f32(2, 3)),
    case("mnp.dot([1, 2], [3, 4])"),
    case("mnp.inner([1, 2], [3, 4])"),
    case("mnp.outer([1, 2], [3.0, 4.0])"),
    case("mnp.kron(x, y)", f32(2, 2), f32(2, 3), gradient="weighted"),
    case("mnp.kron(x, y)", i32(2), i32(3)),
    case("mnp.kron(x, y)", f32(2, 2), f32(3)),
    case("mnp.cross(x, y)", f32(2, 3), f32(2, 3), gradient="weighted"),
    case("mnp.cross(x, y)", f32(3), f32(2)),
    case("mnp.cross(x, y)", f32(2), f32(2)),
    case("mnp.cross(x, y, axisa=0, axisb=0)", f32(3, 2), f32(3, 2)),
    case("mnp.cross(x, y, axisc=0)", i32(2, 3), i32(2, 3)),
    case("mnp.cross(x, y, axis=0)", f32(3, 2), f32(3, 2)),
    case("mnp.cross([1, 2, 3], [4, 5, 6])"),
    case("mnp.multi_dot((x, y, z))", f32(2, 3), f32(3, 4), f32(4, 2), gradient="weighted", tolerance=1e-5),
    case("mnp.multi_dot([x, y])", f32(2, 3), f32(3, 4)),
    case("mnp.multi_dot([x, y, z])", f32(3), f32(3, 4), f32(4)),
    *[case(f"mnp.matrix_power(x, {power})", f32(3, 3), gradient="weighted") for power in (0, 1, 2, 5)],
    *[
        case(f"mnp.correlate(x, y, mode='{mode}')", f32(5), f32(3), gradient="weighted")
        for mode in ("full", "same", "valid")
    ],
    *[
        case(
            f"mnp.convolve(x, y, mode='{mode}')", f32(5), f32(3), gradient="weighted", gradient_not_compared=NO_GRADIENT
        )
        for mode in ("full", "same", "valid")
    ],
    case("mnp.convolve(x, y)", f32(5), f32(3)),
    case("mnp.correlate(x, y)", f32(3), f32(5)),
    case("mnp.convolve([1, 2, 3], [0, 1, 2])"),
    case("mnp.correlate([1, 2, 3], [0, 1, 2], 'full')"),
]

STATISTICS: list[Case] = [
    *several(
        """
        mnp.cov(x)
        mnp.cov(x, rowvar=False)
        mnp.cov(x, bias=True)
        mnp.cov(x, ddof=0)
        mnp.cov(x, y)
        mnp.cov(x, fweights=[1, 2, 1, 3])
        mnp.cov(x, aweights=[1.0, 2.0, 1.5, 3.0])
        mnp.cov(x[0])
        mnp.cov([[1, 2, 3], [3, 1, 2]])
        mnp.corrcoef(x)
        mnp.corrcoef(x, y)
        mnp.corrcoef(x, rowvar=False)
        mnp.corrcoef(x, dtype=mnp.float64)
        """,
        x=f32(3, 4),
        y=f32(2, 4),
        tolerance=2e-5,
    ),
    *several(
        """
        mnp.histogram(x)
        mnp.histogram(x, 4)
        mnp.histogram(x, bins=[-2, -1, 0, 2])
        mnp.histogram(x, 4, range=(-1.0, 1.0))
        mnp.histogram(x, 4, density=True)
        mnp.histogram(x, 4, weights=y)
        mnp.histogram_bin_edges(x)
        mnp.histogram_bin_edges(x, 4, (0, 2))
        mnp.histogram_bin_edges(x, [1, 2, 3])
        mnp.histogram2d(x, y)
        mnp.histogram2d(x, y, 3)
        mnp.histogram2d(x, y, bins=(3, 4), range=((-1, 1), (-2, 2)))
        mnp.histogram2d(x, y, bins=[[-2, 0, 2], [-2, -1, 2]])
        mnp.histogram2d(x, y, 3, density=True)
        mnp.histogramdd((x, y), 3)
        mnp.histogramdd(mnp.stack((x, y), 1), (2, 3))
        mnp.histogramdd((x, y), 3, weights=x)
        """,
        x=f32(20),
        y=f32(20),
        tolerance=1e-5,
    ),
    *several(
        """
        mnp.bincount(x)
        mnp.bincount(x, minlength=12)
        mnp.bincount(x, length=4)
        mnp.bincount(x, weights=y)
        mnp.bincount([0, 1, 1, 3])
        """,
        x=i32(9, low=0, high=7),
        y=f32(9),
        eager_only=COUNTED,
    ),
    *several(
        """
        mnp.digitize(x, [-1.0, 0.0, 1.0])
        mnp.digitize(x, [-1.0, 0.0, 1.0], right=True)
        mnp.digitize(x, [1.0, 0.0, -1.0])
        mnp.searchsorted([-1.0, 0.0, 1.0], x)
        mnp.searchsorted([-1.0, 0.0, 1.0], x, side='right')
        mnp.searchsorted([1.0, -1.0, 0.0], x, sorter=[1, 2, 0])
        mnp.searchsorted([1, 2, 3], 2)
        mnp.interp(x, [-1.0, 0.0, 1.0], [3.0, 4.0, 6.0])
        mnp.interp(x, [-1.0, 0.0, 1.0], [3.0, 4.0, 6.0], left=-9.0, right=9.0)
        mnp.interp(0.5, [0, 1], [2, 4])
        """,
        x=f32(2, 4),
    ),
]

POLYNOMIALS: list[Case] = [
    *several(
        """
        mnp.polyadd(x, y)
        mnp.polysub(x, y)
        mnp.polyval(x, y)
        mnp.polyder(x)
        mnp.polyder(x, 2)
        mnp.polyint(x)
        mnp.polyint(x, 2, [1, 2])
        mnp.polyint(x, m=2, k=3)
        """,
        x=f32(4),
        y=f32(2),
        gradient="weighted",
    ),
    case("mnp.polymul(x, y)", f32(4), f32(2), gradient="weighted", gradient_not_compared=NO_GRADIENT),
    case("mnp.polyadd([1, 2], [9, 5, 4])"),
    case("mnp.polymul([3, 1], [2, 1, 2])"),
    case("mnp.polyval([3, 0, 1], 5)"),
    case("mnp.polyval(x, y)", i32(3), i32(2, 2)),
    case("mnp.polyder([1, 1, 1, 1], 3)"),
    case("mnp.polyder([1, 1], 3)"),
]

LOGIC: list[Case] = [
    *over(together("equal not_equal less less_equal greater greater_equal", "x, y"), [ROWS, ((2, 1), (3,))], KINDS),
    *over(together("logical_and logical_or logical_xor", "x, y"), [ROWS, ((2, 1), (3,))], ("bool", "int32", "float32")),
    *over("mnp.logical_not(x)", [(2, 3)], ("bool", "int32", "float32")),
    *over(together("isfinite isinf isnan signbit sometrue"), [(2, 3)], KINDS),
    *several(
        """
        mnp.isfinite(x)
        mnp.isinf(x)
        mnp.isneginf(x)
        mnp.isposinf(x)
        mnp.signbit(x)
        mnp.isclose(x, x)
        mnp.isclose(x, x, equal_nan=True)
        mnp.array_equal(x, x)
        mnp.array_equal(x, x, equal_nan=True)
        """,
        x=literal([1.0, float("nan"), float("inf"), -float("inf"), -2.0]),
    ),
    *several(
        """
        mnp.greater(x, 1)
        mnp.less([1, 2, 3], x)
        mnp.equal(x, 2, dtype=mnp.int32)
        mnp.isin(x, [1, 2])
        mnp.isin(x, [1, 2], invert=True)
        mnp.in1d(x, mnp.array([3, -1]))
        mnp.in1d(x, [3, -1], invert=True)
        mnp.isclose(x, x + 1)
        mnp.isclose(x, 2, 0.1, 0.5)
        mnp.array_equal(x, x)
        mnp.array_equal(x, x + 1)
        mnp.array_equal(x, [1, 2])
        mnp.array_equiv(x, x[None])
        mnp.array_equiv(x, [1, 2])
        mnp.sometrue(x, axis=0)
        mnp.sometrue(x, 0, True)
        mnp.isscalar(3)
        mnp.isscalar(True)
        mnp.isscalar('a')
        mnp.isscalar([1])
        mnp.isscalar(x)
        """,
        x=i32(3),
    ),
    case("mnp.isclose([1e10, 1e-7], [1.00001e10, 1e-8])"),
    case("mnp.logical_and([True, False], [True, True])"),
    case("mnp.setdiff1d(x, [1, 2])", i32(8), eager_only=COUNTED),
    case("mnp.setdiff1d([3, 1, 2], [1], assume_unique=True)", eager_only=COUNTED),
]

TYPES: list[Case] = [
    *several(
        """
        mnp.promote_types(mnp.float32, mnp.float64)
        mnp.promote_types(mnp.int32, mnp.float16)
        mnp.promote_types('int8', 'uint8')
        mnp.promote_types(mnp.int64, mnp.float32)
        mnp.promote_types(mnp.bool_, mnp.uint8)
        mnp.result_type('i2', mnp.float32)
        mnp.result_type(mnp.int32, 1.5)
        mnp.result_type(x, mnp.int64)
        mnp.result_type(x, 1)
        mnp.result_type(3, 4)
        (mnp.pi, mnp.inf, mnp.nan, mnp.PINF, mnp.NINF)
        (mnp.int_, mnp.float_, mnp.bool_, mnp.uint, mnp.uint8, mnp.int64, mnp.float16)
        """,
        x=f32(2),
        eager_only="the result is no Tensor",
    )
]

FOURIER: list[Case] = [
    *over(
        together("fft.fft fft.ifft fft.fft2 fft.ifft2 fft.fftn fft.ifftn"),
        [(3, 4)],
        ("float32", "float16", "int32"),
        tolerance=2e-6,
    ),
    *over(
        together("fft.rfft fft.rfft2 fft.rfftn fft.ihfft fft.ihfft2 fft.fftshift fft.ifftshift"),
        [(3, 4), (2, 3, 5)],
        ("float32",),
        tolerance=2e-6,
    ),
    *over(
        together("fft.irfft fft.irfft2 fft.irfftn fft.hfft fft.hfft2 fft.hfftn"),
        [(3, 4)],
        ("float32", "float64", "float16"),
        tolerance=2e-6,
    ),
    *several(
        """
        mnp.fft.fft(x, 6, 0, 'ortho')
        mnp.fft.fft(x, n=2, norm='forward')
        mnp.fft.ifft(x, 6, axis=0, norm='forward')
        mnp.fft.fft2(x, (2, 6), norm='ortho')
        mnp.fft.fftn(x, s=(5,))
        mnp.fft.fftn(x, axes=(0,))
        mnp.fft.rfft(x, 6, 0, 'forward')
        mnp.fft.irfft(x, 7, 1, 'ortho')
        mnp.fft.irfftn(x, (3, 5), (0, 1), 'forward')
        mnp.fft.hfft(x, 5, norm='ortho')
        mnp.fft.ihfft(x, 6, 0, 'forward')
        mnp.fft.fftshift(x, 0)
        mnp.fft.ifftshift(x, (1,))
        mnp.fft.fftfreq(5)
        mnp.fft.fftfreq(4, 0.5)
        mnp.fft.fftfreq(4, dtype=mnp.float64)
        mnp.fft.rfftfreq(6)
        """,
        x=f32(3, 4),
        tolerance=2e-6,
    ),
    case("mnp.fft.ihfftn(x)", f32(3, 4), waiver="real MindSpore computes hfftn"),
]

MATH = [*UNARY, *BINARY, *REDUCTIONS]
PRODUCTS_AND_LOGIC = [*PRODUCTS, *STATISTICS, *POLYNOMIALS, *LOGIC, *TYPES, *FOURIER]
