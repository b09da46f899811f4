"""Numbers, strings, lists, tuples, dicts and Tensors.

Each is run as Python and compiled, see ``test_language.py``.
"""

import numpy as np

import mindspore as ms
import mindspore.numpy as mnp
from mindspore import Tensor, ops
from tests.engine.syntax.programs.cases import case

F, S, N, I = Tensor([1.0, 2.0, 3.0]), Tensor(2.0), Tensor(-2.0), Tensor([1, 2, 3])
M = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


@case(F)
def numbers(x):
    return 1 + 2, 3.5 * 2, 7 // 2, 7 % 3, 2**3, -1, 7 / 2, True, not True, 1 < 2 < 3, 0 or 5, 1 and 0


@case(F)
def strings(x):
    return (
        "a" + "b",
        "abc"[1],
        "abc"[-1],
        "ab" * 2,
        len("abc"),
        "b" in "abc",
        "%s" % "k",
        "{} is {}".format("a", 1),
        "abc".upper(),
    )


@case(F)
def lists(x):
    a = [1, 2]
    a.append(3)
    a.extend([4])
    a.insert(0, 0)
    b = a.pop()
    a.reverse()
    a[0] = 9
    return a, b, len(a), a[1:3], a + [1], a * 2, 2 in a, a.index(2), a.count(1)


@case(F)
def list_clear(x):
    a = [1, 2, x]
    a.clear()
    return a


@case(F)
def list_tensor(x):
    a = [x, x + 1]
    a.append(x * 2)
    a[0] = x - 1
    return a


@case(F)
def list_pop(x):
    a = [1, 2, 3]
    b = a.pop(1)
    c = a.pop()
    return a, b, c


@case(F)
def list_unpack(x):
    a, b = [x, 1]
    [c, d] = (2, 3)
    e, *f = [1, 2, 3]
    return a, b, c, d, e, f


@case(F)
def list_slice_set(x):
    a = [1, 2, 3, 4]
    a[1:3] = [7, 8, 9]
    a[0] += 4
    return a


@case(F)
def list_del(x):
    a = [1, 2, 3]
    del a[0]
    return a


@case(F)
def tuples(x):
    a = (1, x, "s")
    return a[0], a[-1], a[0:2], a + (2,), (1, 2) * 2, 1 in (1, 2), len(a), a.index(1), (1, 1).count(1)


@case(F)
def tuple_compare(x):
    return (1, 2) == (1, 2), (1, 2) != (1, 3), [1] == [1], {"a": 1} == {"a": 1}, (1, 2) < (1, 3)


@case(F)
def dicts(x):
    d = {"a": 1, "b": 2}
    d["c"] = 3
    d["a"] = 5
    return d, d["b"], d.get("z", 0), d.get("a"), "a" in d, "z" not in d, len(d), list(d), list(d.items())


@case(F)
def dict_views(x):
    d = {"a": x, "b": 1}
    return d.keys(), d.values(), d.items()


@case(F)
def dict_update(x):
    d = {"a": 1}
    d.update({"b": x})
    return d


@case(F)
def dict_clear(x):
    d = {"a": 1}
    d.clear()
    return d


@case(F)
def dict_loop(x):
    s = 0
    for k, v in {"a": 1, "b": 2}.items():
        s += v
    for k in {"a": 1}:
        s += 1
    return s


@case(F)
def dict_merge(x):
    return {**{"a": 1}, "b": x}, dict(a=1, b=2), dict([("x", 1)])


@case(F)
def dict_fromkeys(x):
    return {}.fromkeys("ab", 1)


@case(F)
def none_values(x):
    y = None
    if y is None:
        y = x
    return y, None is None, x is not None


@case(M)
def tensor_attrs(x):
    return x.shape, x.ndim, x.size, x.dtype == ms.float32, x.T, x.itemsize, x.nbytes, x.strides, x.has_init


@case(M)
def tensor_methods(x):
    return (
        x.sum(),
        x.mean(),
        x.max(),
        x.min(),
        x.argmax(),
        x.reshape(3, 2),
        x.transpose(),
        x.astype(ms.int32),
        x.abs(),
        x.view(6),
        x.squeeze(),
        x.swapaxes(0, 1),
        x.flatten(),
    )


@case(M)
def tensor_index(x):
    return (
        x[0],
        x[0, 1],
        x[..., 0],
        x[:, 1:],
        x[::2],
        x[-1],
        x[:, ::-1] if False else x[None],
        x[(0, 1)],
        x[[0, 1]],
        x[x > 2],
    )


@case(M)
def tensor_index2(x):
    return x[Tensor([0, 1])], x[1:, :2], x[0][1], x[True], x[..., None].shape


@case(M)
def tensor_set(x):
    y = x.copy()
    y[0] = 0
    y[1, 1] = 9
    y[:, 2] = Tensor([7.0, 8.0])
    y[y > 8] = 1.0
    return y


@case(M)
def tensor_made(x):
    return Tensor([1, 2]), Tensor(np.ones((2,))), ms.tensor([1.5]), Tensor(3), Tensor(x), ops.zeros((2,)), mnp.ones(3)


@case(I)
def tensor_ops(x):
    return (
        x + 1,
        x - x,
        x * 2,
        x / 2,
        x // 2,
        x % 2,
        x**2,
        -x,
        x > 2,
        x == 2,
        x != 2,
        ~(x > 1),
        (x > 1) & (x < 3),
        (x > 1) | (x < 1),
        2 * x,
        1 - x,
        6 / x,
        x @ x,
    )


@case(I)
def tensor_bits(x):
    return x << 1, x >> 1, x & 1, x | 4, x ^ 1
