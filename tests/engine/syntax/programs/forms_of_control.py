"""Patterns, recursion, views, loops and returns of every form.

Each is run as Python and compiled, see ``test_language.py``.
"""

import collections
import dataclasses
import enum

from mindspore import Tensor
from tests.engine.syntax.programs.cases import case

F, S, N, I = Tensor([1.0, 2.0, 3.0]), Tensor(2.0), Tensor(-2.0), Tensor([1, 2, 3])
M = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


@case(S)
def match_stmt(x):
    r = []
    for v in (1, "a", (1, 2), {"k": 3}, None, [4, 5, 6]):
        match v:
            case 1:
                r.append("one")
            case str():
                r.append("str")
            case (a, b):
                r.append(a + b)
            case {"k": k}:
                r.append(k)
            case None:
                r.append("none")
            case [a, *rest]:
                r.append(len(rest))
    return r


@case(S)
def global_fn(x):
    return helper(x) + helper(x, k=2)


def helper(v, k=1):
    if v > k:
        return v * k
    return v


@case(S)
def tensor_recursion(x):
    return rec(x)


def rec(v):
    if v > 10:
        return v
    return rec(v * 2)


@case(S)
def mutual(x):
    return even(6), odd(3)


def even(n):
    return True if n == 0 else odd(n - 1)


def odd(n):
    return False if n == 0 else even(n - 1)


@case(S)
def lambda_capture(x):
    fs = [lambda v, i=i: v * i for i in range(3)]
    return [f(x) for f in fs]


@case(S)
def sort_key(x):
    return sorted([(2, "b"), (1, "a")], key=lambda p: p[0]), sorted([x, x - 1], key=lambda t: float(t))


@case(S)
def zip_star(x):
    return list(zip(*[(1, 2), (3, 4)])), [*range(2), *(5,)], {**{"a": 1}}, (*[1], x)


@case(S)
def set_ops(x):
    return sorted({1, 2} | {3}), 2 in {1, 2}, len({1, 1})


@case(S)
def string_build(x):
    return "".join([str(i) for i in range(3)]), "a-b".split("-")


@case(F)
def inplace_views(x):
    y = x * 1
    v = y[0:2]
    v += 1
    y[0] += 5
    y[1:] *= 2
    return y, v


@case(F)
def inplace_ops(x):
    y = x * 1
    y.add_(1)
    y.mul_(2)
    z = y
    z += 1
    return y, z


@case(F)
def swap_elems(x):
    y = x * 1
    y[0], y[2] = y[2], y[0]
    return y


@case(F)
def set_slice(x):
    y = x * 1
    y[1:] = 0
    y[:1] = Tensor([9.0])
    y[-1] = 4
    y[::2] = 1
    return y


@case(S)
def while_cond_and(x):
    i = 0
    while x < 100 and i < 3:
        x = x * 3
        i = i + 1
    return x, i


@case(S)
def while_nested(x):
    t = x * 0
    while x < 10:
        y = x
        while y > 1:
            y = y / 2
        t = t + y
        x = x + 3
    return t


@case(S)
def for_break_tensor(x):
    for i in range(10):
        x = x * 2
        if x > 20:
            break
    return x, i


@case(S)
def for_return_tensor(x):
    for i in range(10):
        x = x * 2
        if x > 20:
            return x
    return -x


@case(S)
def continue_tensor(x):
    s = x * 0
    for i in range(4):
        if x * i > 3:
            continue
        s = s + i
    return s


@case(S)
def deep_if(x):
    if x > 0:
        if x > 1:
            if x > 3:
                y = 1
            else:
                y = 2
        else:
            y = 3
    else:
        y = 4
    return y


@case(S)
def early_returns(x):
    if x > 10:
        return x
    if x > 5:
        return x * 2
    x = x + 1
    if x > 2:
        return x * 3
    return x


@case(S)
def global_const(x):
    return K * x, KL[0], KD["a"], KT[1]


K = 3
KL = [1]
KD = {"a": 2}
KT = (1, 2)


@case(S)
def enum_use(x):
    return Color.RED.value * x, Color.RED is Color.RED, Color["RED"].name


class Color(enum.Enum):
    RED = 1


@dataclasses.dataclass
class Point:
    a: float
    b: object = 2

    def norm(self):
        return self.a * self.b


@case(S)
def dataclass_use(x):
    p = Point(x)
    p.b = 3
    return p.norm(), p.a, Point(1, 2) == Point(1, 2)


NT = collections.namedtuple("NT", "a b")


@case(S)
def namedtuple_use(x):
    n = NT(x, 2)
    return n.a * n.b, n[0], n._replace(b=5).b
