"""Comprehensions, functions inside functions, and single statements.

Each is run as Python and compiled, see ``test_language.py``.
"""

from mindspore import Tensor
from tests.engine.syntax.programs.cases import case

F, S, N, I = Tensor([1.0, 2.0, 3.0]), Tensor(2.0), Tensor(-2.0), Tensor([1, 2, 3])
M = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


@case(F)
def comprehension(x):
    return (
        [i * i for i in range(4)],
        [v for v in [1, 2, 3] if v > 1],
        [i + j for i in (1, 2) for j in (10, 20)],
        {k: v * 2 for k, v in {"a": 1}.items()},
        [r * 2 for r in x],
    )


@case(F)
def tuple_comp(x):
    return tuple(i for i in (1, 2)), sum(i for i in [1, 2, 3]), max(i for i in [1, 3])


@case(F)
def comprehension_cond(x):
    return [v for v in (x, -x) if v.sum() > 0]


@case(F)
def lambdas(x):
    f = lambda a, b=2: a * b
    return f(x), f(x, 3), (lambda: 1)()


@case(F)
def closures(x):
    def outer(a):
        def inner(b):
            return a + b

        return inner

    return outer(x)(1)


@case(F)
def nonlocal_like(x):
    n = 1

    def f():
        return n + x

    return f()


@case(F)
def star_args(x):
    def f(*a, **k):
        return len(a), sorted(k), a[0] + k["s"]

    return f(1, x, s=x)[:2] + (f(x, s=1)[2],)


@case(F)
def star_call(x):
    def f(a, b, c=1, *, d=2):
        return a + b * c - d

    return f(*(1, 2), **{"c": 3, "d": x}), f(1, *[2], d=4), f(b=1, a=2)


@case(F)
def keyword_only(x):
    def f(a, *, k):
        return a * k

    return f(x, k=2)


@case(F)
def kwargs_dict(x):
    def f(**k):
        return k

    return f(a=1, b=x)


@case(F, 4)
def recursion(x, n):
    def fact(n):
        return 1 if n <= 1 else n * fact(n - 1)

    return fact(n) * x


@case(S)
def assert_ok(x):
    assert 1 < 2, "no"
    assert x.shape == ()
    return x


@case(S)
def assert_fails(x):
    assert x.ndim == 1, "wrong"
    return x


@case(S)
def assert_tensor(x):
    assert x > 5
    return x


@case(S)
def raise_const(x):
    if x.ndim == 0:
        raise ValueError("zero")
    return x


@case(S)
def raise_tensor(x):
    if x > 1:
        raise ValueError(f"the value is {x}")
    return x


@case(N)
def raise_not(x):
    if x > 1:
        raise ValueError("no")
    return x


@case(S)
def raise_types(x):
    if x.ndim == 0:
        raise KeyError("k")
    return x


@case(S)
def with_stmt(x):
    class Ctx:
        def __init__(self):
            self.n = 1

        def __enter__(self):
            return self

        def __exit__(self, *a):
            return False

    with Ctx() as c:
        y = x * c.n
    return y


@case(S)
def pass_stmt(x):
    if x > 0:
        pass
    for _ in range(2):
        pass
    return x


@case(S)
def print_stmt(x):
    print("value", x, [x, 1], (x,), {"a": x}, f"{x}")
    return x


@case(S)
def del_stmt(x):
    a = 1
    b = 2
    del a
    return b


@case(S)
def import_stmt(x):
    import math
    from math import sqrt

    return math.pi > 3, sqrt(4.0)


@case(S)
def multi_assign(x):
    a = b = x
    c, (d, e) = 1, (2, 3)
    a, b = b, a
    return a, b, c, d, e


@case(S)
def annotated(x: Tensor) -> Tensor:
    y: int = 2
    return x * y


@case(S)
def walrus(x):
    if (n := 3) > 2:
        return x * n
    return x


@case(S)
def try_stmt(x):
    try:
        y = [1][3]
    except IndexError:
        y = 5
    return y


@case(S)
def try_finally(x):
    y = 0
    try:
        y = 1
    finally:
        y += 1
    return y
