"""Corners: special values, dtypes that few programs use, a Tensor where a list is usual."""

from __future__ import annotations

from tools.oracle.case import Case, array, case, f32, literal, several

_HOST = "made from values on the host"

MADE: list[Case] = several(
    """
    ms.Tensor([0.1, 1e-40], ms.float64)
    ms.Tensor([[0.1], [1]], ms.float64)
    ms.Tensor([16777217.0, -3.7], ms.int32)
    ms.Tensor([np.int32(1), np.int32(2)])
    ms.Tensor([np.array([1, 2], 'int32')])
    ms.Tensor([np.float64(0.1), 1])
    ms.Tensor([np.int8(1), np.int8(2)])
    ms.Tensor([ms.Tensor(1, ms.int32), ms.Tensor(2, ms.int32)])
    ms.Tensor([ms.Tensor(0.5, ms.float64)])
    ms.Tensor(2**63)
    ms.Tensor([2**64 - 1])
    ms.tensor([0.1, 0.2], dtype=ms.float64)
    mnp.array([0.1, 0.2], ms.float64)
    mnp.asarray([0.1], 'float64')
    mnp.array(0.1, ms.float64)
    mnp.full((2,), 0.1, ms.float64)
    mnp.full_like(ms.Tensor([1.0], ms.float64), 0.1)
    """,
    eager_only=_HOST,
)

DTYPES: list[Case] = [
    case(source, array(dtype, 3, low=0, high=3))
    for dtype in ("uint8", "uint16", "uint32", "uint64")
    for source in ("ops.sum(x)", "x.sum(0)", "ops.prod(x)", "x.prod()")
]
DTYPES += [
    case(source, array(dtype, 3, low=0, high=2))
    for dtype in ("int8", "uint8", "int16", "bool")
    for source in ("mnp.sin(x)", "mnp.arctan2(x, x)", "mnp.polyder(x)", "ops.cumprod(x, 0)")
]
DTYPES += [
    case(f"{module}.bincount(x)", array("int8", 5, low=0, high=9), eager_only="the length depends on the values")
    for module in ("ops", "mnp")
]
DTYPES.append(case("ops.bincount(x)", array("bool", 5), eager_only="the length depends on the values"))

STACKED: list[Case] = [
    case(f"mnp.{name}(x)", f32(*shape))
    for name in ("vstack", "hstack", "dstack", "column_stack")
    for shape in ((3,), (2, 3), (), (2, 1, 3))
]

VALUES: list[Case] = [
    case("ops.lgamma(x)", literal([0.0, 171.0, float("inf"), float("nan")])),
    case("ops.digamma(x)", literal([0.0, -0.0, 1.0, -2.5])),
    case("mnp.tril(x)", f32(3)),
    case("mnp.triu(x, 1)", f32(3)),
    case("mnp.reciprocal(x)", literal([2 + 1j], "complex64")),
    case("ms.mint.nn.functional.softmax(x)", f32()),
]

_VIEWS = "graphs have no views"
VIEWS: list[Case] = [
    case(f"x = x * 1; v = {view}; v[0] = 5; x[1] = 7; (x, v)", f32(3, 4), eager_only=_VIEWS)
    for view in (
        "x.T", "x.transpose(1, 0)", "ops.transpose(x, (1, 0))", "x.swapaxes(0, 1)", "x.reshape(12)", "x.view(2, 6)", "x.flatten()",
        "ops.flatten(x)", "x.unsqueeze(0)", "x.narrow(1, 1, 2)", "x.chunk(2, 1)[1]", "x.split([1, 2])[1]", "x.unbind(1)[2]",
        "x.diagonal()", "x.expand((2, 3, 4))", "x[1:]", "x[:, 1]", "x[1:].T[2]", "x.T.reshape(12)", "x.T.contiguous()", "x.copy()",
    )
]  # fmt: skip
VIEWS += [
    case(f"v = {view}; (v.is_contiguous(), tuple(v.stride()), v.storage_offset())", f32(3, 4), eager_only=_VIEWS)
    for view in ("x.T", "x[:, 1]", "x[::2]", "x[1:, 1:]", "x[0, 1]", "x.expand((2, 3, 4))", "x.diagonal()", "x[1:].T[0]",
                 "x.narrow(1, 1, 2)", "x.chunk(2, 1)[1]", "x.T.reshape(12)", "x.reshape(12)[2:5]")
]  # fmt: skip
VIEWS += [
    case("y = x * 1; y[0][1] = 7.0; y", f32(3, 4)),
    case("y = x * 1; y[0][1:][0] += 7.0; y", f32(3, 4)),
    case("y = x * 1; y[[0]][0] = x[1]; y", f32(3, 4)),
    case("y = x * 1; y[0], y[2] = y[2], y[0]; y", f32(3, 4), eager_only=_VIEWS),
]

LISTS: list[Case] = [
    case(source, array(dtype, 2, low=1, high=5))
    for dtype in ("uint8", "int16", "float16")
    for source in ("x + [1, 2]", "(1, 2) - x", "x // [2, 1]")
]
LISTS.append(case("[1.5, 2] ** x", array("float16", 2, low=1, high=2)))

SLOPES: list[Case] = [
    case(f"ops.{name}(x)", literal(points), gradient="sum")
    for name, points in (("digamma", [0.0, -0.0, 1.0]), ("sinc", [0.0, 1e-20, 0.5]), ("logit", [-1.0, 0.5, 2.0]))
]
SLOPES.append(case("ops.copysign(x, -x)", literal([1.0, -2.0, 0.0]), gradient="sum"))

CASES: list[Case] = MADE + DTYPES + STACKED + VALUES + VIEWS + LISTS + SLOPES
