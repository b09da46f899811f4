"""thor: second-order steps, compared with NumPy (real MindSpore has no kernels for them on CPU)."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops

RANDOM = np.random.RandomState(0)
BATCH = 6


def inverse(matrix, damping):
    return np.linalg.inv(matrix + np.sqrt(damping) * np.eye(len(matrix)))


def gradients_of(net, optimizer, *inputs, scale=1.0):
    def loss(*inputs):
        return (net(*inputs) ** 2).mean() * scale

    return ms.grad(loss, None, weights=optimizer.parameters)(*inputs)


def test_a_dense_layer(mode):
    x = RANDOM.normal(size=(BATCH, 3)).astype(np.float32)
    net = nn.SequentialCell(nn.Dense(3, 2, "ones", "ones"))
    optimizer = nn.thor(net, 0.1, [0.04, 0.01], 0.9, loss_scale=4.0, batch_size=BATCH)
    gradients = gradients_of(net, optimizer, Tensor(x), scale=4.0)
    optimizer(gradients)
    output = x @ np.ones((3, 2)) + 1
    of_output = 2 * output / output.size
    a = x.T @ x / 3  # MindSpore divides by the number of features
    g = of_output.T @ of_output / BATCH * BATCH**2
    step = inverse(g, 0.04) @ (of_output.T @ x) @ inverse(a, 0.04)
    np.testing.assert_allclose(net[0].weight.asnumpy(), 1 - 0.1 * step, rtol=1e-4)
    np.testing.assert_allclose(net[0].bias.asnumpy(), 1 - 0.1 * of_output.sum(0), rtol=1e-4)
    assert optimizer.cov_step.asnumpy() == [1]


def test_a_convolution(mode):
    x = RANDOM.normal(size=(BATCH, 2, 3, 3)).astype(np.float32)
    net = nn.SequentialCell(nn.Conv2d(2, 3, 2, pad_mode="valid", weight_init="ones"))
    optimizer = nn.thor(net, 0.1, 0.04, 0.0, batch_size=BATCH)
    (gradient,) = gradients_of(net, optimizer, Tensor(x))
    optimizer((gradient,))
    patches = np.array(
        [x[n, :, i : i + 2, j : j + 2].ravel() for n in range(BATCH) for i in range(2) for j in range(2)]
    )
    output = patches @ np.ones((8, 3))
    of_output = 2 * output / output.size
    damping = 0.04 * BATCH / len(patches)
    a = patches.T @ patches / len(patches)
    g = of_output.T @ of_output / len(patches) * BATCH**2
    step = inverse(g, damping) @ gradient.asnumpy().reshape(3, 8) @ inverse(a, damping)
    np.testing.assert_allclose(net[0].weight.asnumpy().reshape(3, 8), 1 - 0.1 * step, rtol=1e-4)


def test_an_embedding(mode):
    ids = np.array([0, 2, 2, 1, 2, 0])
    net = nn.SequentialCell(nn.Embedding(4, 2, embedding_table="ones"))
    optimizer = nn.thor(net, 0.1, 0.04, 0.0, batch_size=BATCH)
    (gradient,) = gradients_of(net, optimizer, Tensor(ids, ms.int32))
    optimizer((gradient,))
    of_output = np.full((6, 2), 2 / 12)
    g = of_output.T @ of_output / 6 * BATCH**2
    step = gradient.asnumpy() / (np.array([2, 1, 3, 0]) / BATCH + 0.2)[:, None] @ inverse(g, 0.04)
    np.testing.assert_allclose(net[0].embedding_table.asnumpy(), 1 - 0.1 * step, rtol=1e-4)


def test_large_matrices_are_inverted_in_blocks():
    net = nn.SequentialCell(nn.Dense(150, 3, "zeros"))
    optimizer = nn.thor(net, 1.0, 1.0, 0.0)
    a, g = np.diag(np.arange(150.0)), np.eye(3) / 32**2
    net[0].matrix_a.set_data(Tensor(a, ms.float32))
    net[0].matrix_g.set_data(Tensor(g, ms.float32))
    optimizer((Tensor(np.ones((3, 150), np.float32)), Tensor(np.zeros(3, np.float32))))
    np.testing.assert_allclose(-net[0].weight.asnumpy(), np.ones((3, 150)) / 2 / (np.arange(150) + 1), rtol=1e-5)
    assert optimizer.matrix_a[0].shape == (1, 2, 128, 128)


def test_without_the_flag_the_inverses_stay(mode):
    net = nn.SequentialCell(nn.Dense(3, 2))
    optimizer = nn.thor(net, 0.1, 0.04, 0.9)
    x = Tensor(RANDOM.normal(size=(BATCH, 3)).astype(np.float32))
    optimizer(gradients_of(net, optimizer, x))
    before = optimizer.matrix_a[0].asnumpy()
    net.add_flags_recursive(thor=False)
    optimizer.add_flags_recursive(thor=False)
    optimizer(gradients_of(net, optimizer, x * 2))
    assert (optimizer.matrix_a[0].asnumpy() == before).all()
    assert optimizer.cov_step.asnumpy() == [1]
    assert optimizer.global_step.asnumpy() == [2]


def test_it_solves_a_badly_scaled_problem_that_momentum_does_not():
    ms.set_context(mode=ms.GRAPH_MODE)
    x = (np.random.RandomState(0).normal(size=(64, 4)) * [10, 1, 0.1, 0.1]).astype(np.float32)
    y = (x @ [[0.1], [-1], [10], [-5]]).astype(np.float32)

    def trained(make):
        net = nn.SequentialCell(nn.Dense(4, 1, "zeros", has_bias=False))
        optimizer = make(net)

        def loss(x, y):
            return ((net(x) - y) ** 2).mean()

        step = ms.value_and_grad(loss, None, weights=optimizer.parameters)
        for _ in range(60):
            value, gradients = step(Tensor(x), Tensor(y))
            optimizer(gradients)
        return float(value)

    second = trained(lambda net: nn.thor(net, 0.5, 1e-6, 0.5, batch_size=64))
    first = trained(lambda net: nn.Momentum(net.trainable_params(), 1e-3, 0.9))
    assert second < 0.2 * first


def test_layers_are_exchanged_and_keep_their_parameters():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(2, 4, 3, has_bias=True)
            self.by_channel = nn.Conv2d(4, 4, 3, group=4)
            self.norm = nn.BatchNorm2d(4)
            self.head = nn.CellList([nn.Dense(4, 2, activation="relu")])

        def construct(self, x):
            return self.head[0](self.norm(self.by_channel(self.conv(x))).mean((2, 3)))

    net = Net().set_train()
    before = {one.name: one for one in net.trainable_params()}
    x = ops.ones((1, 2, 5, 5))
    expected = net(x).asnumpy()
    optimizer = nn.thor(net, 0.1, 0.03, 0.9, decay_filter=lambda one: "bias" not in one.name, weight_decay=0.1)
    assert [type(one).__name__ for one in (net.conv, net.by_channel, net.head[0])] == [
        "Conv2dThor",
        "Conv2d",
        "DenseThor",
    ]
    assert all(before[one.name] is one for one in net.trainable_params())
    assert net.head[0].matrix_a.name == "head.0.matrix_a"
    assert net.conv.training
    np.testing.assert_allclose(net(x).asnumpy(), expected, rtol=1e-5)
    assert optimizer.decay_flags == tuple("bias" not in name for name in before)


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"momentum": -0.9}, ValueError, "For 'thor', the 'momentum'"),
        ({"momentum": 1}, TypeError, "For 'thor', the 'momentum' must be 'float'"),
        ({"frequency": 1}, ValueError, "'frequency' must be greater than or equal to 2"),
        ({"batch_size": 0}, ValueError, "'batch_size'"),
        ({"weight_decay": -1.0}, ValueError, "'weight_decay'"),
        ({"net": 3}, TypeError, "the 'net' must be 'Cell'"),
        ({"net": nn.SequentialCell(nn.ReLU())}, ValueError, "must not be empty"),
    ],
)
def test_errors(arguments, error, text):
    given = {
        "net": nn.SequentialCell(nn.Dense(2, 2)),
        "learning_rate": 0.1,
        "damping": 0.03,
        "momentum": 0.9,
        **arguments,
    }
    with pytest.raises(error, match=text):
        nn.thor(**given)
