"""Printed forms: `str` and `repr` of Tensors, dtypes, Parameters and Primitives."""

from __future__ import annotations

from tools.oracle.case import Case, array, case, f32, i32, literal, mask, parameter, several

VALUE = "the text of a Tensor needs its value"
NAN, INF = float("nan"), float("inf")

CASES: list[Case] = [
    *[
        case("x", literal(value), text=True)
        for value in (
            2.0,
            1e-05,
            123456.789,
            0.1,
            -0.0,
            NAN,
            -INF,
            1e20,
            3.14159274,
            [1.0],
            [1.5, -2.25],
            [1e-10, 1.0, 1e10],
            [[1.0, 2.0], [3.0, 4.5]],
            [[[1.0], [2.0]], [[3.0], [4.0]]],
            [NAN, INF, -INF, 0.0],
            [1e30, -1e-30],
            [0.1] * 13,
            [1.0] * 12,
            [[0.5] * 7] * 2,
            [[1.0]] * 8,
            [123456.789, 0.001],
        )
    ],
    *[
        case("x", literal(value, "int32"), text=True)
        for value in (7, [1, -20, 300], [[0, 1, 2], [3, 4, 5]], list(range(25)), list(range(24)), [[1] * 8] * 2)
    ],
    *[case("x", literal(value, "bool"), text=True) for value in (True, [True, False], [[True], [False]], [True] * 13)],
    *[case("x", literal([[1.5, -2.25], [0.0, 100.0]], dtype), text=True) for dtype in ("float16", "float64")],
    case(
        "x",
        literal([1.5, -2.25], "bfloat16"),
        text=True,
        waiver="decimals of bfloat16 follow the extension type of NumPy",
    ),
    *[
        case("x", literal([[1, 2], [30, 100]], d), text=True)
        for d in ("int8", "int16", "int64", "uint8", "uint16", "uint64")
    ],
    case("x", literal([1 + 2j, 0.5 - 1j], "complex64"), text=True),
    case("ops.zeros((0,))", text=True),
    case("ops.zeros((2, 0))", text=True),
    case("repr((x, x))", literal([1.0, 2.0]), eager_only=VALUE),
    case("repr([x])", literal(1.0), eager_only=VALUE),
    case("repr({'a': x})", literal([True, False], "bool"), eager_only=VALUE),
    case("str((x, 1))", literal([[1, 2]], "int32"), eager_only=VALUE),
    case("f'{x}'", literal([1.0, 2.0]), eager_only=VALUE),
    case("'%.2f' % x", literal([2.5]), eager_only=VALUE),
    case("repr(x)", literal(1e6), eager_only=VALUE),
    case("str(x)", literal([0.1, 1e-7, 1e7]), eager_only=VALUE),
    case("str(p)", p=parameter("float32", 2)),
    case("repr(p)", p=parameter("int32", 2, 3)),
    case("repr((p, 1))", p=parameter("int32", 2, 3)),
    *several(
        """
        str(ms.float32)
        repr(ms.float32)
        str(ms.bool_)
        repr(ms.bool_)
        str(ms.int64)
        repr(ms.bfloat16)
        str(ms.uint8)
        str(ms.complex64)
        repr(ms.complex128)
        str(ms.float16)
        repr(ms.int8)
        str(ms.string)
        ms.float32 == ms.float32
        ms.float32 == ms.float16
        ms.dtype_to_nptype(ms.float32)
        ms.dtype_to_pytype(ms.float32)
        ms.pytype_to_dtype(int)
        ms.get_py_obj_dtype(1)
        repr(P.Add())
        repr(P.ReduceMean())
        repr(P.ReduceSum(keep_dims=True))
        str(P.ReLU())
        P.Add().name
        """,
    ),
    case("repr(ops.tensor_add)", waiver="the functions of 1.x are functions here, not Primitive objects"),
    *several(
        """
        repr(P.MatMul(transpose_b=True))
        repr(P.Softmax(axis=-1))
        repr(P.Concat(1))
        """,
    ),
    case("x", mask(2, 3), text=True),
    case("x", i32(3, 4), text=True),
    case("x.shape", f32(2, 3)),
    case("x", array("uint8", 2, 3), text=True),
]
