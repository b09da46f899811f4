"""Functions of functions, gradients inside, and arguments of every kind.

Each is run as Python and compiled, see ``test_language.py``.
"""

import functools
import math

import numpy as np

import mindspore as ms
from mindspore import Tensor, ops
from tests.engine.syntax.programs.cases import case

F, S, N, I = Tensor([1.0, 2.0, 3.0]), Tensor(2.0), Tensor(-2.0), Tensor([1, 2, 3])
M = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


@case(F)
def f_partial(x):
    def g(a, b):
        return a - b

    return ops.partial(g, x)(1), functools.partial(g, b=2)(x), ops.partial(g, b=1)(a=x)


@case(F)
def f_reduce(x):
    return functools.reduce(lambda a, b: a + b, [1, 2, 3]), functools.reduce(lambda a, b: a * b, [x, x])


@case(F)
def f_math(x):
    return math.sqrt(4), math.pi > 3, math.floor(2.5)


@case(F)
def f_numpy(x):
    return np.array([1, 2]).sum(), np.add(1, 2), Tensor(np.arange(3)), np.mean(np.ones((2, 2))), np.array([1, 2]) + 1


@case(F)
def f_numpy_tensor(x):
    return Tensor(np.square(x.asnumpy())), x.asnumpy().sum() > 1


@case(F)
def f_grad(x):
    return ms.grad(lambda v: (v * v).sum())(x), ops.GradOperation()(lambda v: v * v * v)(x)


@case(S)
def f_value_and_grad(x):
    return ms.value_and_grad(lambda v: v * v)(x)


@case(S)
def f_vmap(x):
    return ops.vmap(lambda v: v * 2)(Tensor([1.0, 2.0]))


@case(S)
def f_depend(x):
    return ops.depend(x, x + 1), ops.stop_gradient(x), ops.identity(x)


@case(F)
def f_hypermap(x):
    return ops.HyperMap()(lambda v: v + 1, (x, x)), ops.Map()(lambda a, b: a * b, (x, 1), (2, 3))


@case(F)
def f_multitype(x):
    return _mt(x, x), _mt(1, 2)


_mt = ops.MultitypeFuncGraph("mt")


@_mt.register("Tensor", "Tensor")
def _a(x, y):
    return x + y


@_mt.register("Number", "Number")
def _b(x, y):
    return x * y


@case(3, F)
def scalar_arg(n, x):
    return x * n, n + 1, [n], n if n > 2 else 0


@case((1, 2.5, F))
def tuple_arg(t):
    return t[0] + 1, t[1], t[2] * t[0], len(t), t


@case([1, F])
def list_arg(t):
    return t[0] + 1, t[1] * 2, t


@case({"a": 1, "b": F})
def dict_arg(d):
    return d["a"] + 1, d["b"] * 2, d


@case("relu", F)
def str_arg(s, x):
    return x if s == "relu" else -x, s + "!"


@case(None, F)
def none_arg(n, x):
    return n is None, x


@case(F)
def default_args(x, y=2, *, z=3):
    return x * y + z


@case(F)
def unpack_shape(x):
    (b,) = x.shape
    return b, x.reshape((b, 1)), x.reshape(-1, b)


@case(M)
def shape_math(x):
    r, c = x.shape
    return r * c, x.shape[0] // 1, x.reshape(r * c), ops.zeros((r, c + 1)).shape, x.shape + (1,), x.shape[::-1]
