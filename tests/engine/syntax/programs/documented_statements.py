"""Statements and functions in graphs, as the documents show them."""

import functools

import numpy as np

import mindspore as ms
from mindspore import Tensor, ops
from tests.engine.syntax.programs.cases import case

V = Tensor(np.array([1.0, 2.0, 3.0], np.float32))
N = Tensor(2, ms.int32)
K = 3

NAMES = ["a", "b"]

CONF = {"s": 2}


@case(V)
def dict_nested(x):
    return {"a": {"b": [x, 1]}, 2: (x,)}


@case(V)
def nested_comp(x):
    return [[i * j for j in range(2)] for i in range(3)], [i for i in range(6) if i % 2 if i > 1]


@case(V)
def lambda_default(x):
    return (lambda a, b=2: a * b)(x), (lambda *a: a[1])(1, 2)


@case(V)
def inner_defaults(x):
    def f(a, b=3, *c, d=4, **e):
        return a * b + d, c, e

    return f(x), f(x, 1, 2, 3, d=5, k=6)


@case(V)
def inner_recursion(x):
    def fact(n):
        return 1 if n < 2 else n * fact(n - 1)

    return x * fact(4)


@case(V)
def closure_list(x):
    fs = [lambda a, k=k: a * k for k in range(3)]
    return [f(x) for f in fs]


@case(V)
def partial_kw(x):
    f = functools.partial(lambda a, b: a - b, b=x)
    return f(x * 3)


@case(V)
def ops_partial(x):
    return ops.Partial()(lambda a, b: a - b, x * 3)(x)


@case(V, N)
def if_number_by_tensor(x, n):
    if n > 1:
        k = 1
    else:
        k = 2
    return x * k, k


@case(V, N)
def while_number(x, n):
    k = 0
    while n > 0:
        n = n - 1
        k = k + 2
    return x * k, n


@case(V)
def if_return_none(x):
    if x.sum() > 100:
        return None
    return None


@case(V)
def for_dict(x):
    s = x
    for k in {"a": 1, "b": 2}:
        s = s + len(k)
    return s


@case(V)
def for_str(x):
    n = 0
    for c in "abc":
        n += ord(c) - 96
    return x * n


@case(V)
def for_tensors_list(x):
    s = 0
    for t in [x, x * 2, x * 3]:
        s = s + t
    return s


@case(V)
def nested_break(x):
    n = 0
    for i in range(4):
        for j in range(4):
            if j == 2:
                break
            if i == 3:
                continue
            n += i * j
    return x * n


@case(V)
def while_true(x):
    while True:
        x = x * 2
        if x.sum() > 50:
            break
    return x


@case(V)
def assert_msg(x):
    assert x.shape == (3,), "shape"
    assert isinstance(x, Tensor)
    return x


@case(V)
def raise_if_shape(x):
    if x.shape[0] == 3:
        raise TypeError(f"shape {x.shape}")
    return x


@case(V)
def raise_list(x):
    raise ValueError("a", [1, 2], x)


@case(V)
def try_reraise(x):
    try:
        raise KeyError("k")
    except KeyError as e:
        return x, str(e)


@case(V)
def del_elements(x):
    l = [1, 2, 3]
    d = {"a": 1, "b": 2}
    del l[0]
    del d["a"]
    return l, d


@case(V)
def grad_inside(x):
    return ms.grad(lambda a: (a**3).sum())(x), ms.value_and_grad(lambda a: (a**2).sum())(x)


@case(V)
def stop_grad(x):
    return ms.grad(lambda a: (ops.stop_gradient(a) * a).sum())(x)


@case(V)
def return_forms(x):
    return x, (x, 1), [x, None], {"a": x}, "s", 2.5, True, None


@case((1, 2.0, "a", V))
def arg_tuple(t):
    return t, t[3] * t[0]


@case([1, V])
def arg_list(l):
    l.append(3)
    return l


@case({"a": V, "b": 1})
def arg_dict(d):
    return d["a"] * d["b"], list(d.keys())


@case(V)
def conditional_nested(x):
    return x if x.sum() > 3 else (x * 2 if x.max() > 1 else x * 3)


@case(V)
def multi_target(x):
    a = b = x * 2
    (c, d), e = (1, 2), 3
    a, b = b, a
    return a, b, c, d, e


@case(V)
def global_read(x):
    return x * K, NAMES[1], CONF["s"] * x
