"""The programs of ``workloads/science.py`` in PyTorch, layer by layer the same shapes."""

from __future__ import annotations

import itertools
import math

import torch
from torch import Tensor, nn, optim
from torch.nn import functional as F

from benchmarks.peers.torch_building import Step, descent, training


class Surface(nn.Module):
    def __init__(self, width: int, layers: int) -> None:
        super().__init__()
        sizes = [2] + [width] * layers
        dense = [each for pair in itertools.pairwise(sizes) for each in (nn.Linear(*pair), nn.Tanh())]
        self.layers = nn.Sequential(*dense, nn.Linear(width, 1))

    def forward(self, t: Tensor, x: Tensor) -> Tensor:
        return self.layers(torch.cat((t, x), 1))


def pinn(points: int, width: int, layers: int) -> Step:
    network = Surface(width, layers)
    t, x = (torch.rand(points, 1, requires_grad=True) for _ in range(2))

    def loss(t: Tensor, x: Tensor) -> Tensor:
        u = network(t, x)
        in_t, in_x = torch.autograd.grad(u.sum(), (t, x), create_graph=True)
        (curvature,) = torch.autograd.grad(in_x.sum(), x, create_graph=True)
        return ((in_t + u * in_x - 0.01 / math.pi * curvature) ** 2).mean()

    step = descent(loss, optim.Adam(network.parameters(), 1e-3))
    return lambda: step(t, x)


class GraphConvolution(nn.Module):
    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.own, self.neighbours = nn.Linear(inputs, outputs), nn.Linear(inputs, outputs, bias=False)

    def forward(self, x: Tensor, sources: Tensor, targets: Tensor, degrees: Tensor) -> Tensor:
        sums = torch.zeros_like(x).index_add(0, targets, x[sources])
        return self.own(x) + self.neighbours(sums / degrees)


class GraphNet(nn.Module):
    def __init__(self, inputs: int, hidden: int, count: int) -> None:
        super().__init__()
        self.first, self.second = GraphConvolution(inputs, hidden), GraphConvolution(hidden, count)

    def forward(self, x: Tensor, sources: Tensor, targets: Tensor, degrees: Tensor, labels: Tensor) -> Tensor:
        x = F.relu(self.first(x, sources, targets, degrees))
        return F.cross_entropy(self.second(x, sources, targets, degrees), labels)


def gnn(nodes: int, edges: int, inputs: int, hidden: int) -> Step:
    network = GraphNet(inputs, hidden, 7)
    step = descent(network, optim.Adam(network.parameters(), 1e-2))
    sources, targets = torch.randint(nodes, (2, edges))
    degrees = torch.bincount(targets, minlength=nodes).clamp(min=1)[:, None].float()
    x, labels = torch.randn(nodes, inputs), torch.randint(7, (nodes,))
    return lambda: step(x, sources, targets, degrees, labels)


class Tower(nn.Module):
    def __init__(self, rows: int, width: int, fields: int, sparse: bool) -> None:
        super().__init__()
        self.table = nn.Embedding(rows, width, sparse=sparse)
        self.layers = nn.Sequential(nn.Linear(fields * width, 64), nn.ReLU(), nn.Linear(64, 2))

    def forward(self, words: Tensor) -> Tensor:
        return self.layers(self.table(words).flatten(1))


def embeddings(rows: int, width: int, batch: int, fields: int) -> Step:
    network = Tower(rows, width, fields, sparse=False)
    step = training(network, optim.Adam(network.parameters(), 1e-3))
    words, labels = torch.randint(rows, (batch, fields)), torch.randint(2, (batch,))
    return lambda: step((words,), labels)


def sparse_embeddings(rows: int, width: int, batch: int, fields: int) -> Step:
    network = Tower(rows, width, fields, sparse=True)
    table = optim.SparseAdam(network.table.parameters(), 1e-3)
    others = optim.Adam(network.layers.parameters(), 1e-3)
    words, labels = torch.randint(rows, (batch, fields)), torch.randint(2, (batch,))

    def step() -> Tensor:
        table.zero_grad()
        others.zero_grad()
        loss = F.cross_entropy(network(words), labels)
        loss.backward()
        table.step()
        others.step()
        return loss.detach()

    return step


STEPS = (pinn, gnn, embeddings, sparse_embeddings)
