"""Classes, Cells, Parameters and Tensors in graphs, as the documents show them."""

import numpy as np

import mindspore as ms
from mindspore import Parameter, ParameterTuple, Tensor, jit_class, nn, ops
from tests.engine.syntax.programs.cases import case

V = Tensor(np.array([1.0, 2.0, 3.0], np.float32))


@jit_class
class Box:
    kind = "box"

    def __init__(self, value, scale):
        self.value = value
        self.scale = scale

    def total(self):
        return self.value.sum() * self.scale

    def __call__(self, y):
        return self.value + y

    @property
    def double(self):
        return self.scale * 2

    @staticmethod
    def fixed(a):
        return a + 1

    @classmethod
    def made(cls, a):
        return cls(a, 7)


BOX = Box(Tensor([1.0]), 4)


class Ctx:
    def __init__(self, n):
        self.n = n

    def __enter__(self):
        return self.n

    def __exit__(self, *e):
        return True


class Base(nn.Cell):
    def __init__(self, k=2):
        super().__init__()
        self.k = k

    def helper(self, x):
        return x * self.k

    def construct(self, x):
        return self.helper(x) + 1


class Child(Base):
    def __init__(self):
        super().__init__(3)
        self.c = Base()

    def construct(self, x):
        return super().construct(x) * 2


CHILD = Child()

PARAM = Parameter(Tensor([1.0, 2.0, 3.0]), name="p1")

PTUP = ParameterTuple([PARAM])


@case(V)
def jc_create(x):
    return Box(x, 2).total(), Box(x, 3).scale


@case(V)
def jc_attrs(x):
    return BOX.scale, BOX.kind, Box.kind, BOX.total(), BOX(x)


@case(V)
def jc_static(x):
    return BOX.fixed(x), Box.fixed(2)


@case(V)
def jc_property(x):
    return BOX.double * x


@case(V)
def jc_classmethod(x):
    return Box.made(x).scale


@case(V)
def jc_isinstance(x):
    return isinstance(BOX, Box), hasattr(BOX, "value"), getattr(BOX, "scale"), getattr(BOX, "none", 9)


@case(V)
def with_class(x):
    with Ctx(2) as n:
        y = x * n
    return y


@case(V)
def with_suppress(x):
    y = x
    with Ctx(3) as n:
        y = x * n
        raise ValueError("gone")
    return y


@case(V)
def prim_inside(x):
    return ops.ReduceSum(keep_dims=True)(x), ops.Concat(0)((x, x)), ops.Cast()(x, ms.int32)


@case(V)
def cell_inside(x):
    return nn.ReLU()(x - 2)


@case(V)
def super_call(x):
    return CHILD(x)


@case(V)
def cell_attrs(x):
    return CHILD.k, CHILD.c.k, CHILD.helper(x), CHILD.c(x)


@case(V)
def param_attrs(x):
    return PARAM.name, PARAM.shape, PARAM.requires_grad, PARAM * x


@case(V)
def param_tuple(x):
    s = x
    for p in PTUP:
        s = s + p
    return s


@case(V)
def tensor_props(x):
    return x.shape, x.dtype == ms.float32, x.ndim, x.size, x.itemsize, x.nbytes, x.strides, x.T.shape, x.is_contiguous()


@case(V)
def tensor_new(x):
    return Tensor([1, 2]), Tensor(3.0), Tensor(np.ones(2)), Tensor(True), Tensor([[1.0]], ms.float16), Tensor((1, 2))


@case(V)
def grad_of_cell(x):
    return ops.GradOperation()(CHILD)(x)


@case(V)
def b_super_use(x):
    return Child()(x)
