"""Steps beyond images and texts: a physics-informed network, a network on a graph, large tables of embeddings."""

from __future__ import annotations

import itertools

import numpy as np

import mindspore as ms
from benchmarks.workloads.building import RANDOM, Step, classes, numbers, one_step, with_cross_entropy
from mindspore import Tensor, nn, ops


class Surface(nn.Cell):
    """u(t, x), a network of dense layers."""

    def __init__(self, width: int, layers: int):
        super().__init__()
        sizes = [2] + [width] * layers
        dense = [cell for pair in itertools.pairwise(sizes) for cell in (nn.Dense(*pair), nn.Tanh())]
        self.layers = nn.SequentialCell(*dense, nn.Dense(width, 1))

    def construct(self, t: Tensor, x: Tensor) -> Tensor:
        return self.layers(ops.concat((t, x), 1))


def pinn(points: int, width: int, layers: int) -> Step:
    """Burgers' equation: the residual needs second derivatives, training one order more."""
    network = Surface(width, layers)
    optimizer = nn.Adam(network.trainable_params(), 1e-3)
    t, x = (Tensor(RANDOM.rand(points, 1).astype(np.float32)) for _ in range(2))

    def total(t, x):
        return network(t, x).sum()

    slopes = ms.grad(total, (0, 1))

    def slope_in_x(t, x):
        return slopes(t, x)[1].sum()

    curvature = ms.grad(slope_in_x, 1)

    def loss(t, x):
        u = network(t, x)
        in_t, in_x = slopes(t, x)
        residual = in_t + u * in_x - 0.01 / np.pi * curvature(t, x)
        return (residual**2).mean()

    gradient = ms.value_and_grad(loss, None, optimizer.parameters)

    def step(t, x):
        value, gradients = gradient(t, x)
        optimizer(gradients)
        return value

    compiled = ms.jit(step) if ms.get_context("mode") == ms.GRAPH_MODE else step
    return lambda: compiled(t, x)


class GraphConvolution(nn.Cell):
    """Each node gets the mean of its neighbours, beside its own."""

    def __init__(self, inputs: int, outputs: int):
        super().__init__()
        self.own, self.neighbours = nn.Dense(inputs, outputs), nn.Dense(inputs, outputs, has_bias=False)

    def construct(self, x: Tensor, sources: Tensor, targets: Tensor, degrees: Tensor) -> Tensor:
        messages = ops.gather(x, sources, 0)
        sums = ops.unsorted_segment_sum(messages, targets, x.shape[0])
        return self.own(x) + self.neighbours(sums / degrees)


class GraphNet(nn.Cell):
    """Two convolutions; classes of nodes."""

    def __init__(self, inputs: int, hidden: int, count: int):
        super().__init__()
        self.first, self.second = GraphConvolution(inputs, hidden), GraphConvolution(hidden, count)

    def construct(self, x: Tensor, sources: Tensor, targets: Tensor, degrees: Tensor, labels: Tensor) -> Tensor:
        x = ops.relu(self.first(x, sources, targets, degrees))
        return ops.cross_entropy(self.second(x, sources, targets, degrees), labels)


def gnn(nodes: int, edges: int, inputs: int, hidden: int) -> Step:
    network = GraphNet(inputs, hidden, 7)
    sources, targets = (RANDOM.randint(0, nodes, edges).astype(np.int32) for _ in range(2))
    degrees = np.maximum(np.bincount(targets, minlength=nodes), 1)[:, None].astype(np.float32)
    given = (Tensor(each) for each in (sources, targets, degrees))
    return one_step(
        network, nn.Adam(network.trainable_params(), 1e-2), numbers(nodes, inputs), *given, classes(nodes, 7)
    )


class Tower(nn.Cell):
    """Some words of a large table, joined, through two dense layers."""

    def __init__(self, rows: int, width: int, fields: int, sparse: bool):
        super().__init__()
        self.table = nn.EmbeddingLookup(rows, width, sparse=True) if sparse else nn.Embedding(rows, width)
        self.layers = nn.SequentialCell(nn.Dense(fields * width, 64), nn.ReLU(), nn.Dense(64, 2))

    def construct(self, words: Tensor) -> Tensor:
        found = self.table(words)
        return self.layers(found.reshape(found.shape[0], -1))


def embeddings(rows: int, width: int, batch: int, fields: int) -> Step:
    """Every row of the table takes part in the update."""
    network = Tower(rows, width, fields, sparse=False)
    optimizer = nn.Adam(network.trainable_params(), 1e-3)
    return one_step(with_cross_entropy(network), optimizer, _rows(batch, fields, rows), classes(batch, 2))


def sparse_embeddings(rows: int, width: int, batch: int, fields: int) -> Step:
    """Only rows that were looked up take part in the update."""
    network = Tower(rows, width, fields, sparse=True)
    optimizer = nn.LazyAdam(network.trainable_params(), 1e-3)
    return one_step(with_cross_entropy(network), optimizer, _rows(batch, fields, rows), classes(batch, 2))


def _rows(batch: int, fields: int, rows: int) -> Tensor:
    return Tensor(RANDOM.randint(0, rows, (batch, fields)).astype(np.int32))


STEPS = (pinn, gnn, embeddings, sparse_embeddings)
