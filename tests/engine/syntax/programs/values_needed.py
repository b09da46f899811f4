"""Branches and loops that differ in form, and values that Python needs.

Each is run as Python and compiled, see ``test_language.py``.
"""

import numpy as np

import mindspore as ms
from mindspore import Tensor, ops
from tests.engine.syntax.programs.cases import case

F, S, N, I = Tensor([1.0, 2.0, 3.0]), Tensor(2.0), Tensor(-2.0), Tensor([1, 2, 3])
M = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


@case(S)
def second_grad_while(x):
    def f(v):
        y = v
        while y < 20:
            y = y * v
        return y

    return ms.grad(ms.grad(f))(x), ms.grad(f)(x), f(x)


@case(S)
def third_grad_while(x):
    def f(v):
        i = Tensor(0)
        y = v
        while i < 3:
            y = y * v
            i = i + 1
        return y

    return ms.grad(ms.grad(ms.grad(f)))(x)


@case(F)
def grad_while_vector(x):
    w = Tensor([0.5, 1.0, 1.5])

    def f(v, w):
        y = v
        while y.sum() < 50:
            y = y * v + w
        return (y * y).sum()

    return ms.grad(f, (0, 1))(x, w), ms.grad(lambda a, b: ms.grad(f)(a, b).sum(), (0, 1))(x, w)


@case(S)
def branch_shapes(x):
    if x > 0:
        y = ops.ones((2,))
    else:
        y = ops.ones((3,))
    return y * x


@case(N)
def branch_shapes_n(x):
    if x > 0:
        y = ops.ones((2,))
    else:
        y = ops.ones((3,))
    return y * x


@case(S)
def branch_dtypes(x):
    if x > 0:
        y = x
    else:
        y = Tensor(1)
    return y


@case(N)
def branch_dtypes_n(x):
    if x > 0:
        y = x
    else:
        y = Tensor(1)
    return y


@case(N)
def branch_struct(x):
    if x > 0:
        y = (x, x)
    else:
        y = x
    return y


@case(S)
def branch_none(x):
    if x > 0:
        return None
    return x


@case(N)
def branch_none_n(x):
    if x > 0:
        return None
    return x


@case(S)
def branch_str(x):
    s = "pos" if x > 0 else "neg"
    return s


@case(S)
def branch_missing(x):
    if x > 0:
        y = x * 2
    return y


@case(S)
def branch_list(x):
    l = []
    if x > 0:
        l.append(x)
    else:
        l.append(x)
        l.append(x)
    return l


@case(S)
def branch_dict(x):
    d = {}
    if x > 0:
        d["p"] = x
    else:
        d["n"] = x
    return d


@case(S)
def branch_function(x):
    f = ops.square if x > 0 else ops.neg
    return f(x)


@case(Tensor([1.0]))
def loop_shapes(x):
    while x.shape[0] < 4:
        x = ops.concat((x, x))
    return x


@case(Tensor([1.0]))
def loop_shapes_tensor(x):
    while x.sum() < 4:
        x = ops.concat((x, x))
    return x


@case(S)
def loop_list(x):
    out = []
    while x < 20:
        out.append(x)
        x = x * 2
    return out


@case(S)
def loop_dtype(x):
    y = Tensor(1)
    while x < 20:
        y = y * 1.5
        x = x * 2
    return y


@case(Tensor(3))
def for_range_tensor(n):
    s = 0
    for i in range(n):
        s = s + i
    return s


@case(Tensor(3))
def comp_range_tensor(n):
    return [i * 2 for i in range(n)]


@case(Tensor([[2.0]]))
def sens_scalar(x):
    return ops.GradOperation(sens_param=True)(lambda v: v * v)(x, 2.0)


@case(Tensor(2.0))
def sens_scalar0(x):
    return ops.GradOperation(sens_param=True)(lambda v: v * v)(x, 3.0), ops.GradOperation(sens_param=True)(
        lambda v: v * v
    )(x, Tensor(3.0))


@case(S)
def grad_pos_number(x):
    def f(a, b, c):
        return a * b * c

    return ms.grad(f, (0, 1, 2))(x, 2, x)


@case(S)
def grad_branch(x):
    def f(v):
        if v > 1:
            return v * v
        return v

    return ms.grad(f)(x), ms.grad(ms.grad(f))(x)


@case(F)
def bool_mask(x):
    return x[x > 1], x[x > 5].shape


@case(F)
def unique(x):
    return ops.unique(x)


@case(F)
def nonzero(x):
    return ops.nonzero(x > 1)


@case(F)
def index_by_tensor(x):
    return [10, 20, 30][Tensor(1)], (1, 2)[Tensor(0)], x[Tensor(1)]


@case(F)
def slice_by_tensor(x):
    return x[Tensor(1) :], x[: Tensor(2)]


@case(F)
def dict_by_value(x):
    return {1: "a", 2: "b"}[int(x[0])]


@case(F)
def item_arith(x):
    return x * x[1].item(), x.max().item() + 1


@case(F)
def tolist_use(x):
    return sum(x.tolist()), [v for v in x.tolist()]


@case(F)
def np_on_tensor(x):
    return np.sum(x.asnumpy()), Tensor(np.cumsum(x.asnumpy()))
