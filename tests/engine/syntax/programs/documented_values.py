"""Numbers, texts and containers in graphs, as the documents show them."""

import numpy as np

import mindspore as ms
from mindspore import Tensor, mutable
from tests.engine.syntax.programs.cases import case

V = Tensor(np.array([1.0, 2.0, 3.0], np.float32))
M = Tensor(np.arange(6).reshape(2, 3).astype(np.float32))
I = Tensor(np.array([3, 1, 2], np.int32))
S = Tensor(2.0, ms.float32)
N = Tensor(2, ms.int32)


@case(V)
def mutable_use(x):
    t = mutable((1, 2, 3))
    return t[0] + x, len(t)


@case(V)
def mutable_num(x):
    return mutable(4) * x


@case(V)
def tuple_by_tensor(x):
    t = (x, x * 2, x * 3)
    return t[Tensor(1)]


@case(V, N)
def tuple_by_tensor_arg(x, i):
    return (x, x * 2, x * 3)[i]


@case(V)
def list_ops(x):
    return [1, 2] + [3], [1] * 3, [1, 2] == [1, 2], 2 in [1, 2], [[1, 2], [3]][0][1], [1, 2, 3, 4][::2], [1, 2, 3][-1]


@case(V)
def list_of_tensor_set(x):
    l = [x, x]
    l[0] = x * 2
    l[1] += 1
    return l


@case(V)
def tuple_ops(x):
    return (1, 2) + (3,), (1,) * 3, (1, 2) < (1, 3), 5 in (1, 5), (1, 2, 3)[1:], (1, (2, 3))[1][0], (1, 2, 3)[::-1]


@case(V)
def str_ops(x):
    return "ab" + "cd", "ab" * 2, "abcdef"[1:4], "abc"[-1], "b" in "abc", "abc" == "abc", len("abc"), "abc" < "abd"


@case(V)
def str_methods(x):
    return (
        "aBc".upper(),
        "a,b".split(","),
        " x ".strip(),
        "abc".replace("b", "z"),
        "abc".startswith("a"),
        "-".join(["a", "b"]),
        "{}-{}".format(1, 2),
        "abc".find("c"),
    )


@case(V)
def dict_ops(x):
    d = {"a": x, "b": 2}
    d["c"] = x * 2
    d["b"] = 3
    return tuple(d.keys()), d["c"], d.get("z"), d.get("z", 4), "a" in d, len(d), d.has_key("a")


@case(V)
def dict_items_loop(x):
    d = {"a": 1, "b": 2}
    s = x
    for k, v in d.items():
        s = s + v + len(k)
    return s


@case(V)
def dict_pop(x):
    d = {"a": x, "b": 2}
    p = d.pop("b")
    q = d.setdefault("c", 5)
    return d, p, q


@case(V)
def set_use(x):
    s = {1, 2, 3}
    t = s | {4}
    return len(t), 2 in s, sorted(t), len(s & {1}), sorted(s - {1})


@case(V)
def none_ops(x):
    return None is None, x is None, x is not None, None == None, [None, 1][0] is None  # noqa: E711


@case(V)
def float_ops(x):
    return 7.5 // 2, -7.5 % 2, 2.0**0.5, 1e3, 0.1 + 0.2, float("inf") > 1, 1.5 == 1.5


@case(I)
def aug_int(x):
    x += 1
    x -= 2
    x *= 3
    y = x // 2
    y %= 5
    y &= 6
    y |= 1
    y ^= 3
    y <<= 1
    y >>= 1
    return x, y


@case(V)
def aug_float(x):
    x += 1
    x -= 0.5
    x *= 2
    x /= 4
    x **= 2
    x //= 1
    x %= 3
    return x


@case(M)
def matmul_op(x):
    return x @ x.T, x.T @ x


@case(V)
def tensor_bool_ops(x):
    return (x > 1) & (x < 3), (x > 1) | (x < 0), ~(x > 1), (x == 2), (x != 2), -x, +x


@case(S)
def scalar_logic(x):
    return x > 1 and x < 3, x > 5 or x < 3, not x > 1


@case(M)
def index_forms(x):
    return (
        x[0],
        x[-1],
        x[0, 1],
        x[:, 1],
        x[..., 0],
        x[None],
        x[0:1],
        x[::1, ::2],
        x[:, 0:2],
        x[True],
    )


@case(M)
def index_lists(x):
    return x[[0, 1]], x[:, [0, 2]], x[(0, 1), (1, 2)], x[Tensor([1, 0])], x[x > 2]


@case(M)
def set_forms(x):
    x[0] = 9.0
    x[:, 1] = 5.0
    x[1, 2] = Tensor(7.0)
    x[..., 0] = Tensor([1.0, 2.0])
    return x


@case(M)
def set_mask(x):
    x[x > 3] = 0.0
    return x


@case(M)
def iterate_tensor(x):
    s = 0
    for row in x:
        s = s + row.sum()
    return s, len(x)


@case(V)
def unpack_tensor(x):
    a, b, c = x
    return a + b * c


@case(V)
def star_unpack(x):
    a, *b = (1, 2, 3)
    *c, d = [4, 5, 6]
    return a, b, c, d


@case(V)
def gen_expr(x):
    return sum(i * 2 for i in range(4)), tuple(i for i in (1, 2)), max(i for i in [3, 1])


@case(V)
def dict_comp(x):
    return {k: v for k, v in zip(("a", "b"), (1, x))}


@case(V)
def set_comp(x):
    return sorted({i % 2 for i in range(5)})


@case(V)
def comp_tensors(x):
    return [x * i for i in range(3) if i != 1]


@case(V)
def comparisons(x):
    return x.sum() > 3, 1 < 2 < 3, 1 < 2 > 3, x[0] == 1, "a" != "b", (1, 2) == (1, 2), [1] != [2]


@case(V)
def complex_num(x):
    return complex(1, 2), 1j * 1j, complex(3).real


@case(V)
def bytes_use(x):
    return len(b"abc"), b"a" + b"b" == b"ab"


@case(V)
def slices_obj(x):
    return [1, 2, 3, 4][slice(1, 3)], x[slice(0, 2)], x[slice(None, None, 2)]


@case(V)
def chain_methods(x):
    return x.reshape(1, 3).sum(axis=1).astype(ms.int32).expand_dims(0)


@case(V)
def bool_in_arith(x):
    return x * True + False, True + True, sum([True, False])
