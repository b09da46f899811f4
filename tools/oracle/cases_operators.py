"""Python operators on Tensors: the whole promotion table, and scalars on either side."""

from __future__ import annotations

from tools.oracle.case import Case, array, case, f32, i32, literal, mask

DTYPES = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64")
ARITHMETIC = ("+", "-", "*", "/", "//", "%", "**")
COMPARISON = ("<", "<=", ">", ">=", "==", "!=")
SCALARS = ("True", "2", "1.5")

CASES: list[Case] = []

for _place, _left in enumerate(DTYPES):
    for _other, _right in enumerate(DTYPES):
        # Positive right-hand values: no division by zero, no negative integer powers.
        _x = mask(3) if _left == "bool" else array(_left, 3, low=1, high=5)
        _y = literal([True, True, True], "bool") if _right == "bool" else array(_right, 3, low=1, high=4)
        # The whole table for two of them; the others share its rules, so half of it will do.
        for _symbol in ARITHMETIC if _place <= _other else ("+", "/"):
            CASES.append(case(f"x {_symbol} y", _x, _y, eager=_symbol == "+"))
        CASES.append(case("x < y", _x, _y))
for _symbol in COMPARISON[1:]:
    for _left, _right in (("int32", "float32"), ("bool", "int64"), ("float16", "float64"), ("uint8", "int8")):
        _x = mask(3) if _left == "bool" else array(_left, 3, low=1, high=5)
        CASES.append(case(f"x {_symbol} y", _x, array(_right, 3, low=1, high=4)))

for _dtype in DTYPES:
    _x = literal([True, False, True], "bool") if _dtype == "bool" else array(_dtype, 3, low=1, high=5)
    for _scalar in SCALARS:
        for _symbol in (*ARITHMETIC, "<", "=="):
            CASES.append(case(f"x {_symbol} {_scalar}", _x))
        for _symbol in ("+", "-", "/", "//", "%", "**"):
            _positive = literal([True, True], "bool") if _dtype == "bool" else array(_dtype, 2, low=1, high=4)
            CASES.append(case(f"{_scalar} {_symbol} x", _positive))

for _symbol in ("&", "|", "^"):
    for _pair in (("bool", "bool"), ("int32", "int32"), ("uint8", "int32"), ("bool", "int32"), ("int64", "int16")):
        CASES.append(case(f"x {_symbol} y", array(_pair[0], 4), array(_pair[1], 4)))
    CASES.append(case(f"x {_symbol} 3", i32(4)))
    CASES.append(case(f"x {_symbol} True", mask(4)))

_WIDE = "integer division by zero is undefined"
CASES += [
    case("-x", f32(3)),
    case("-x", array("uint8", 3)),
    case("+x", i32(3)),
    case("abs(x)", i32(3)),
    case("~x", mask(4)),
    case("~x", literal([1, 0, 5], "int32")),
    case("round(x)", literal([0.5, 1.5, -2.5])),
    case("x / 0", literal([1, -2], "int32")),
    case("x / 0", literal([1.0, 0.0, -1.0])),
    case("x // 0", literal([1.0, -1.0, 0.0])),
    case("x % 0", literal([1.0, -1.0])),
    case("x // 0", literal([1, -2], "int32"), not_compared=_WIDE),
    case("x % 0", literal([1, -2], "int32"), not_compared=_WIDE),
    case("x // y", literal([-7, -7, 7, 7], "int32"), literal([2, -2, 2, -2], "int32")),
    case("x % y", literal([-7, -7, 7, 7], "int32"), literal([2, -2, 2, -2], "int32")),
    case("x // y", literal([-7.5, -7.5, 7.5, 7.5]), literal([2.0, -2.0, 2.0, -2.0])),
    case("x % y", literal([-7.5, -7.5, 7.5, 7.5]), literal([2.0, -2.0, 2.0, -2.0])),
    case("x ** -1", literal([1, 2, 3], "int32")),
    case("x ** y", literal([2.0, 0.0, -2.0]), literal([3.0, 0.0, 2.0])),
    case("x * 200", literal([5, -5], "int8")),
    case("x + 300", literal([1], "uint8")),
    case("x - 2", literal([1], "uint8")),
    case("x + [1, 2]", literal([1, 2], "int64")),
    case("x == None", f32(2)),
    case("x == 'a'", f32(2)),
    case("x != 'a'", f32(2)),
    case("x + np.float32(1)", f32(2)),
    case("x * np.float64(2)", f32(2)),
    case("y = x; y += 1; (x, y)", f32(3)),
    case("y = x; y *= 2; (x, y)", f32(3)),
    case("y = x; y -= 1; (x, y)", i32(3)),
    case("y = x; y /= 2; y", f32(3)),
    case("x + y", literal([3], "uint16"), literal([4], "uint16")),
    case("x + y", literal([3], "uint32"), literal([4], "uint32")),
    case("x == y", literal([3], "uint64"), literal([3], "uint64")),
    case("x + y", literal([[1.0], [2.0]]), literal([1.0, 2.0, 3.0])),
    case("2 ** x", literal([[1, 2], [0, 3]], "int32")),
    case("bool(x)", literal([1.5]), eager_only="Python value of a Tensor"),
    case("int(x)", literal(2.7), eager_only="Python value of a Tensor"),
    case("float(x)", literal([2], "int32"), eager_only="Python value of a Tensor"),
    case("len(x)", f32(3, 2)),
    case("[t for t in x]", f32(2, 2)),
]
