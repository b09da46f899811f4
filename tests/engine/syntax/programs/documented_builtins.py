"""Functions of Python and NumPy in graphs, as the documents on static graphs show them."""

import math

import numpy as np

import mindspore as ms
import mindspore.numpy as mnp
from mindspore import Tensor
from tests.engine.syntax.programs.cases import case

V = Tensor(np.array([1.0, 2.0, 3.0], np.float32))
M = Tensor(np.arange(6).reshape(2, 3).astype(np.float32))


@case(V)
def b_int_forms(x):
    return int(3.7), int("12"), int("ff", 16), int(True), int(x[0])


@case(V)
def b_float_forms(x):
    return float(3), float("1.5"), float(x[1])


@case(V)
def b_bool_forms(x):
    return bool(0), bool("a"), bool([]), bool(x[0]), bool(None)


@case(V)
def b_str_forms(x):
    return str(1), str(1.5), str(None), str((1, 2)), str([1]), str({"a": 1})


@case(V)
def b_tuple_forms(x):
    return tuple([1, 2]), tuple("ab"), tuple({"a": 1}), tuple(range(2))


@case(M)
def b_tuple_tensor(x):
    return tuple(x), list(x)


@case(V)
def b_dict_forms(x):
    return dict(a=1, b=x), dict([("a", 1)]), dict({"k": x})


@case(V)
def b_len_forms(x):
    return len("abc"), len((1, 2)), len([1]), len({"a": 1}), len(x)


@case(V)
def b_round_forms(x):
    return round(2.567, 2), round(-1.5), round(10), round(3.14159, 3)


@case(V)
def b_max_forms(x):
    return max(1, 3, 2), max([4, 5]), min((1, 2)), max(x), min(x), max(x[0], x[1])


@case(V)
def b_sum_forms(x):
    return sum([1, 2, 3]), sum((1, 2), 10), sum([x, x]), sum(x)


@case(V)
def b_abs_forms(x):
    return abs(-3), abs(-1.5), abs(-x), abs(True)


@case(V)
def b_map_forms(x):
    return list(map(lambda a, b: a + b, (1, 2), (3, 4))), tuple(map(lambda a: a * x, [1, 2]))


@case(V)
def b_zip_forms(x):
    return list(zip((1, 2), [3, 4], "ab")), tuple(zip([x], [1]))


@case(V)
def b_enum_forms(x):
    return list(enumerate((5, 6))), list(enumerate([x], 3)), tuple(enumerate("ab"))


@case(V)
def b_filter_forms(x):
    return list(filter(lambda a: a > 1, [1, 2, 3])), tuple(filter(None, (0, 1, 2)))


@case(V)
def b_isinstance_forms(x):
    return (
        isinstance(x, Tensor),
        isinstance(1, (int, float)),
        isinstance("a", str),
        isinstance([1], list),
        isinstance((1,), tuple),
        isinstance({}, dict),
        isinstance(None, type(None)),
        isinstance(1, bool),
    )


@case(V)
def b_hasattr_forms(x):
    return hasattr(x, "shape"), hasattr(x, "foo"), getattr(x, "ndim"), getattr(x, "foo", 3)


@case(V)
def b_type_forms(x):
    return type(1) == int, type("a") is str, type(x) == Tensor, type([]).__name__


@case(V)
def b_all_any_forms(x):
    return all([1, True, "a"]), any([0, None, 2]), all([]), any(()), all(x > 0), any(x > 2)


@case(V)
def np_make(x):
    return Tensor(np.array([1, 2, 3])) + x.astype(ms.int64), x * np.pi, x + np.array([1.0, 2.0, 3.0], np.float32)


@case(V)
def np_const(x):
    return np.add(1, 2), np.array([1, 2]).sum(), np.float32(2.5)


@case(V)
def math_use(x):
    return math.sqrt(4), math.pi, math.floor(2.7), x * math.exp(0)


@case(V)
def mnp_use(x):
    return mnp.sin(x), mnp.ones((2,)), mnp.arange(3)
