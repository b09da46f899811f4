"""Sparse matrices, where real MindSpore's CPU has the kernels."""

from __future__ import annotations

from tools.oracle.case import Case, case, f32, literal

_COO = "c = ms.COOTensor(x, y, (3, 4)); "
_CSR = "c = ms.CSRTensor(x, y, z, (3, 4)); "
_POSITIONS = literal([[0, 1], [1, 2], [2, 0]], "int64")
_STARTS = literal([0, 2, 2, 3], "int32")
_COLUMNS = literal([0, 3, 1], "int32")
_VALUES = f32(3, low=0.1, high=0.9)
_COUNTED = "the number of values depends on the values"
_ELEMENTWISE = [
    "abs",
    "acos",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "ceil",
    "cos",
    "cosh",
    "exp",
    "expm1",
    "floor",
    "inv",
    "isfinite",
    "isinf",
    "isnan",
    "log",
    "log1p",
    "neg",
    "relu",
    "relu6",
    "round",
    "sigmoid",
    "sin",
    "sinh",
    "softsign",
    "sqrt",
    "square",
    "tan",
    "tanh",
]

CASES: list[Case] = [
    *[case(f"{_COO}ops.coo_{name}(c).values", _POSITIONS, _VALUES) for name in _ELEMENTWISE],
    *[case(f"{_CSR}ops.csr_{name}(c).values", _STARTS, _COLUMNS, _VALUES) for name in _ELEMENTWISE],
    case("ops.coo_acosh(ms.COOTensor(x, y, (3, 4))).values", _POSITIONS, f32(3, low=1.1, high=3.0)),
    case(f"{_COO}c.to_dense()", _POSITIONS, _VALUES, gradient="weighted"),
    case(f"{_COO}c.to_dense()", literal([[0, 1], [1, 2], [0, 1]], "int32"), _VALUES),
    case(f"{_COO}(c * z).values", _POSITIONS, _VALUES, f32(3, 4), gradient="weighted"),
    case(f"{_COO}(c / z).values", _POSITIONS, _VALUES, f32(3, 4, low=0.5, high=2.0), gradient="weighted"),
    case(f"{_COO}c + z", _POSITIONS, _VALUES, f32(3, 4)),
    case(f"{_COO}c - z", _POSITIONS, _VALUES, f32(3, 4)),
    case(f"{_COO}(-c).values", _POSITIONS, _VALUES),
    case(f"{_COO}c.astype(ms.float64).values", _POSITIONS, _VALUES),
    case(f"{_COO}(c.size, c.itemsize, c.ndim, c.shape)", _POSITIONS, _VALUES),
    *[
        case(f"{_COO}d = ms.COOTensor(z, y, (3, 4)); r = {sum}; r.{member}", _POSITIONS, _VALUES,
             literal([[0, 1], [1, 3], [2, 0]], "int64"), eager_only=_COUNTED)
        for sum in ("c + d", "c - d", "c.add(d, Tensor(1.0, ms.float32))") for member in ("indices", "values")
    ],
    *[
        case(f"{_COO}r = ops.coo_concat((c, c), {axis}); r.{member}", _POSITIONS, _VALUES)
        for axis in (0, 1) for member in ("indices", "values", "shape")
    ],
    case(f"{_CSR}c.to_dense()", _STARTS, _COLUMNS, _VALUES),
    case(f"{_CSR}(c.size, c.itemsize, c.ndim, c.shape)", _STARTS, _COLUMNS, _VALUES),
    *[
        case(f"{_CSR}r = c {sign} c; r.{member}", _STARTS, _COLUMNS, _VALUES, eager_only=_COUNTED)
        for sign in "+-" for member in ("indptr", "indices", "values")
    ],
    case("c = ms.CSRTensor(x, y, z, (3, 4)); ops.csr_softmax(c, ms.float32).values", _STARTS, _COLUMNS, _VALUES),
    *[case(f"x.to_coo().{member}", literal([[0, 2], [3, 0]]), eager_only=_COUNTED) for member in ("indices", "values")],
    *[
        case(f"x.to_csr().{member}", literal([[0, 2], [3, 0]]), eager_only=_COUNTED)
        for member in ("indptr", "indices", "values")
    ],
    case("nn.SparseToDense()(ms.COOTensor(x, y, (3, 4)))", _POSITIONS, _VALUES),
    case("nn.SparseTensorDenseMatmul()(x, y, (3, 4), z)", _POSITIONS, _VALUES, f32(4, 2), gradient="weighted"),
    case("nn.SparseTensorDenseMatmul(adjoint_st=True)(x, y, (3, 4), z)", _POSITIONS, _VALUES, f32(3, 2)),
    case("nn.SparseTensorDenseMatmul(False, True)(x, y, (3, 4), z)", _POSITIONS, _VALUES, f32(2, 4)),
    case("P.SparseToDense()(x, y, (3, 4))", _POSITIONS, _VALUES),
    case("P.SparseToDense()(x, y, (3, 4))", literal([[0, 1], [1, 2], [0, 1]], "int64"), _VALUES),
    case("r = ms.RowTensor(x, y, (3, 2)); (r.indices, r.values)", literal([0, 2], "int32"), f32(2, 2)),
    case("ms.COOTensor(x, y)", _POSITIONS, _VALUES, raises=True),
    case("ms.COOTensor(1, y, (3, 4))", _POSITIONS, _VALUES, raises=True),
    case("ms.COOTensor(x, y, (3, -4))", _POSITIONS, _VALUES, raises=True),
    case("ms.COOTensor(x, y, (3, 4.0))", _POSITIONS, _VALUES, raises=True),
    case("ms.COOTensor(x, y, (3, 4))", _POSITIONS, f32(2), raises=True),
    case("ms.COOTensor(x, y, (3, 4))", f32(3, 2), _VALUES, raises=True),
    case("ms.COOTensor(x, y, (3, 4))", _POSITIONS, f32(3, 1), raises=True),
    case("ms.CSRTensor(x, y, z, (5, 4))", _STARTS, _COLUMNS, _VALUES, raises=True),
    case("ms.CSRTensor(1, y, z, (3, 4))", _STARTS, _COLUMNS, _VALUES, raises=True),
    case("ops.csr_exp(x)", _VALUES, raises=True),
]  # fmt: skip
