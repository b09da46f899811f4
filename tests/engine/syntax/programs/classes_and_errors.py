"""Classes, decorators, errors, patterns, and control flow of every form.

Each is run as Python and compiled, see ``test_language.py``.
"""

from mindspore import Tensor
from tests.engine.syntax.programs.cases import case

F, S, N, I = Tensor([1.0, 2.0, 3.0]), Tensor(2.0), Tensor(-2.0), Tensor([1, 2, 3])
M = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


@case(S)
def isinstance_chain(x):
    out = []
    for v in (1, 2.0, "s", x, None, [1], (1,), {"a": 1}, True):
        if isinstance(v, bool):
            out.append("bool")
        elif isinstance(v, int):
            out.append("int")
        elif isinstance(v, float):
            out.append("float")
        elif isinstance(v, str):
            out.append("str")
        elif isinstance(v, Tensor):
            out.append("Tensor")
        elif isinstance(v, (list, tuple)):
            out.append("seq")
        elif v is None:
            out.append("None")
        else:
            out.append("other")
    return out


@case(S)
def class_inside(x):
    class P:
        k = 2

        def __init__(self, v):
            self.v = v

        def m(self, o):
            return self.v * o * self.k

        @property
        def p(self):
            return self.v + 1

        @staticmethod
        def s(a):
            return a * 3

        @classmethod
        def c(cls, a):
            return cls(a)

        def __call__(self, a):
            return self.v - a

        def __getitem__(self, i):
            return self.v * i

        def __len__(self):
            return 3

        def __add__(self, o):
            return P(self.v + o.v)

    a = P(x)
    b = P.c(x * 2)
    return a.m(2), a.p, P.s(x), a(1), a[4], len(a), (a + b).v


@case(S)
def class_branch(x):
    class P:
        def __init__(self, v):
            self.v = v

        def m(self):
            if self.v > 1:
                return self.v * 2
            return self.v

    return P(x).m()


@case(S)
def decorator_inside(x):
    def twice(f):
        def g(*a, **k):
            return f(*a, **k) * 2

        return g

    @twice
    def h(v, k=1):
        return v + k

    return h(x), h(x, k=3)


@case(S)
def generator_fn(x):
    def gen():
        for i in range(3):
            yield x * i

    return list(gen())


@case(S)
def nested_try(x):
    r = []
    for v in (1, 0, "a"):
        try:
            r.append(1 / v)
        except ZeroDivisionError as e:
            r.append("zero")
        except (TypeError, ValueError):
            r.append("type")
        else:
            r.append("ok")
        finally:
            r.append("end")
    return r


@case(S)
def try_tensor(x):
    try:
        if x > 1:
            raise ValueError("big")
        y = x
    except ValueError:
        y = x * 100
    return y


@case(S)
def raise_from(x):
    try:
        raise KeyError("a")
    except KeyError as e:
        raise RuntimeError("b") from e


@case(S)
def raise_custom(x):
    class MyError(Exception):
        pass

    if x > 1:
        raise MyError(x, 1)
    return x


@case(S)
def raise_no_args(x):
    if x > 1:
        raise ValueError
    return x


@case(S)
def raise_two_args(x):
    if x > 1:
        raise ValueError("got", x, [x, 2])
    return x
