"""The Primitives of layers: programs look at them, cut them, replace them, and call them in classes of their own."""

import copy
import pickle

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

X = Tensor(np.array([[-1.0, 2.0, 0.5, -3.0]], np.float32))
IDS = Tensor(np.array([[2, 0]], np.int32))

# layer, name of the Primitive, its class, what the layer gets
LAYERS = [
    (nn.ReLU, "relu", "ReLU", X),
    (nn.ReLU6, "relu6", "ReLU6", X),
    (nn.Tanh, "tanh", "Tanh", X),
    (nn.Sigmoid, "sigmoid", "Sigmoid", X),
    (nn.SeLU, "selu", "SeLU", X),
    (nn.Mish, "mish", "Mish", X),
    (nn.HSwish, "hswish", "HSwish", X),
    (nn.HSigmoid, "hsigmoid", "HSigmoid", X),
    (nn.FastGelu, "fast_gelu", "FastGeLU", X),
    (nn.Softsign, "softsign", "Softsign", X),
    (nn.ELU, "elu", "Elu", X),
    (nn.CELU, "celu", "CeLU", X),
    (nn.HShrink, "hshrink", "HShrink", X),
    (nn.SoftShrink, "softshrink", "SoftShrink", X),
    (nn.Softmax, "softmax", "Softmax", X),
    (nn.LogSoftmax, "log_softmax", "LogSoftmax", X),
    (lambda: nn.Dropout(p=0.1).set_train(), "dropout", "Dropout", X),
    (lambda: nn.LayerNorm((4,)), "layer_norm", "LayerNorm", X),
    (lambda: nn.Dense(4, 3), "matmul", "MatMul", X),
    (lambda: nn.Dense(4, 3), "bias_add", "BiasAdd", X),
    (lambda: nn.Embedding(3, 4), "gather", "Gather", IDS),
    (lambda: nn.Embedding(3, 4, use_one_hot=True), "array_mul", "MatMul", IDS),
]


class Constant(ops.Primitive):
    """What another Primitive gives, with sevens in place of the first result."""

    def __init__(self, inner):
        super().__init__("Constant")
        self.inner = inner

    def __call__(self, *inputs):
        outputs = self.inner(*inputs)
        if isinstance(outputs, tuple):
            return (ops.full_like(outputs[0], 7.0), *outputs[1:])
        return ops.full_like(outputs, 7.0)


@pytest.mark.parametrize(("make", "name", "kind", "x"), LAYERS)
def test_a_layer_calls_the_primitive_that_was_put_in_place_of_its_own(make, name, kind, x, mode):
    layer = make()
    layer(x)  # a graph is there already
    assert isinstance(getattr(layer, name), ops.Primitive)
    assert getattr(layer, name).name == kind
    assert layer._primitives[name] is getattr(layer, name)
    setattr(layer, name, Constant(getattr(layer, name)))
    bias = layer.bias.asnumpy() if name == "matmul" else 0.0
    assert np.allclose(layer(x).asnumpy(), 7.0 + bias)


def test_looking_at_a_primitive_changes_no_result(mode):
    dense = nn.Dense(4, 3)
    before = dense(X).asnumpy()
    dense.matmul.add_prim_attr("keep_alive", True)
    assert np.array_equal(dense(X).asnumpy(), before)


def test_a_dense_layer_in_parts_gives_the_same(mode):
    dense = nn.Dense(4, 3)
    before = dense(X).asnumpy()
    dense.matmul = ops.MatMul(transpose_b=True)
    assert np.allclose(dense(X).asnumpy(), before, atol=1e-6)


def test_a_cell_or_parameter_may_take_the_name(mode):
    class Own(nn.Softmax):
        def __init__(self):
            super().__init__()
            self.softmax = nn.ReLU()

    class Weighted(nn.ReLU):
        def __init__(self):
            super().__init__()
            self.relu = Parameter(Tensor([2.0]), name="relu")

        def construct(self, input):
            return input * self.relu

    assert Own()(X).asnumpy().tolist() == [[0.0, 2.0, 0.5, 0.0]]
    assert Weighted()(X).asnumpy().tolist() == [[-2.0, 4.0, 1.0, -6.0]]
    assert [p.name for p in Weighted().get_parameters()] == ["relu"]


def test_construct_may_assign_an_attribute_of_the_same_name(mode):
    class Sized(nn.BatchNorm1d):
        def construct(self, x):
            self.shape = x.shape
            return super().construct(x)

    net = Sized(4)
    net(X)
    assert net.shape == (1, 4)


def test_a_class_of_the_program_calls_the_primitives_of_its_base(mode):
    class Flat(nn.Embedding):
        def construct(self, ids):
            shape = (*self.get_shp(ids), self.embedding_size)
            return self.reshape(self.gather(self.embedding_table, self.reshape_flat(ids, self.shp_flat), 0), shape)

    table = Tensor(np.arange(12, dtype=np.float32).reshape(3, 4))
    assert np.array_equal(Flat(3, 4, embedding_table=table)(IDS), nn.Embedding(3, 4, embedding_table=table)(IDS))


def test_primitives_are_attributes_of_instances_and_copied_with_them():
    assert not hasattr(nn.ReLU, "relu")
    layer = nn.Softmax(axis=0)
    assert "softmax" not in vars(layer)  # nobody asked yet
    assert layer.softmax.name == "Softmax"
    for other in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
        assert np.array_equal(other(X), layer(X))
        assert other.softmax is not layer.softmax


LOSSES = [
    (lambda: nn.SoftmaxCrossEntropyWithLogits(), "softmax_cross_entropy", np.eye(2, dtype=np.float32)),
    (lambda: nn.SoftmaxCrossEntropyWithLogits(sparse=True), "softmax_cross_entropy", np.array([0, 1], np.int32)),
    (
        lambda: nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"),
        "sparse_softmax_cross_entropy",
        np.array([0, 1], np.int32),
    ),
    (lambda: nn.SmoothL1Loss(), "smooth_l1_loss", np.ones((2, 2), np.float32)),
    (lambda: nn.MultiMarginLoss(), "multi_margin_loss", np.array([0, 1], np.int32)),
]


@pytest.mark.parametrize(("make", "name", "labels"), LOSSES)
def test_a_loss_calls_the_primitive_that_was_put_in_place_of_its_own(make, name, labels, mode):
    logits, labels, loss = Tensor(np.array([[0.5, 2.0], [1.0, -1.0]], np.float32)), Tensor(labels), make()
    before = loss(logits, labels).asnumpy()
    other = (
        type(getattr(loss, name))(reduction=loss.reduction) if name.endswith("_loss") else type(getattr(loss, name))()
    )
    setattr(loss, name, other)
    assert np.allclose(loss(logits, labels).asnumpy(), before, atol=1e-6)
    setattr(loss, name, Constant(other))
    assert np.allclose(loss(logits, labels).asnumpy(), 7.0)


def test_every_cell_casts_unless_it_has_a_member_of_that_name(mode):
    class Halved(nn.Cell):
        def construct(self, x):
            return self.cast(x, ms.float16)

    class Own(nn.Cell):
        def __init__(self, member):
            super().__init__()
            self.cast = member

        def construct(self, x):
            return x

    assert Halved()(X).dtype == ms.float16
    weight, layer = Parameter(X, name="w"), nn.ReLU()
    assert Own(weight).cast is weight and Own(layer).cast is layer and Own(3).cast == 3
    assert "cast" not in nn.ReLU().__dict__
