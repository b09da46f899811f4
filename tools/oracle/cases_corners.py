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

CASES: list[Case] = MADE + DTYPES + STACKED + VALUES
