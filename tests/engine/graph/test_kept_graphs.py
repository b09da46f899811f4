"""Graphs of many sizes: so many are kept, those used last."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn
from mindspore._engine.graph import compiled, new_graph, sizes


class Net(nn.Cell):
    """Writes to a Parameter, so that every size has a graph of its own."""

    def __init__(self):
        super().__init__()
        self.count = Parameter(Tensor(0.0), name="count")

    def construct(self, x):
        self.count += 1
        return x.sum() + self.count


@pytest.fixture
def few(monkeypatch):
    ms.set_context(mode=ms.GRAPH_MODE)
    monkeypatch.setattr(new_graph, "MOST_SIGNATURES", 4)
    monkeypatch.setattr(compiled, "_MANY", 2)


def rows(number):
    return Tensor(np.ones((number, 2), np.float32))


def test_the_graphs_used_last_are_kept(few):
    net = Net()
    for calls, number in enumerate([1, 2, 3, 4, 1, 5, 6], 1):  # 1 is used again and stays, 2 and 3 go
        assert float(net(rows(number))) == 2 * number + calls
    found = net._graphs_of()
    assert len(found.graphs) == 4 and found.compilations == 6
    net(rows(1))
    assert found.compilations == 6
    assert float(net(rows(2))) == 4 + 9  # compiled again
    assert found.compilations == 7 and len(found.graphs) == 4


def test_calls_of_many_shapes_are_not_counted_for_ever(monkeypatch):
    monkeypatch.setattr(sizes, "_COUNTED", 3)
    family = sizes.Family()
    for number in range(10):
        family.note(((number, 2),), (number,))
    assert list(family.keys) == list(family.calls) == [((7, 2),), ((8, 2),), ((9, 2),)]
