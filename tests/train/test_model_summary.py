"""The table of a network: what it says, and that the network is none the wiser."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore._engine.graph.shape_probe import observe
from mindspore.train.model_summary import summary


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.features = nn.SequentialCell(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU())
        self.head = nn.Dense(2 * 16, 3)
        self.drop = nn.Dropout(p=0.5)
        self.count = Parameter(Tensor(0.0), requires_grad=False)

    def construct(self, x):
        self.count += 1
        x = ops.flatten(self.features(x))
        return self.drop(self.head(x))


def test_the_table_lists_every_layer(capsys):
    found = summary(Net(), (4, 1, 4, 4))
    assert capsys.readouterr().out.splitlines() == [
        "Net",
        "---------------------------------------------------------------",
        "Layer       Type            Output shape  Parameters  Trainable",
        "---------------------------------------------------------------",
        "(network)   Net             (4, 3)        1           no",
        "  features  SequentialCell  (4, 2, 4, 4)  -",
        "    0       Conv2d          (4, 2, 4, 4)  18          yes",
        "    1       BatchNorm2d     (4, 2, 4, 4)  8           in part",
        "    2       ReLU            (4, 2, 4, 4)  -",
        "  head      Dense           (4, 3)        99          yes",
        "  drop      Dropout         (4, 3)        -",
        "---------------------------------------------------------------",
        "Parameters: 126 (121 trainable, 5 not)",
        "Memory of Parameters: 504 B",
        "Memory of layer outputs, forward: about 1.6 KB",
    ]
    assert found.total_parameters == 126
    assert found.activation_bytes == 4 * (3 * 4 * 2 * 16 + 2 * 12)
    assert [row.path for row in found.rows][:3] == ["", "features", "features.0"]


@pytest.mark.usefixtures("mode")
def test_the_network_stays_as_it_is():
    net = Net().set_train()
    x = Tensor(np.ones((4, 1, 4, 4), np.float32))
    net(x)
    before = {name: one.asnumpy() for name, one in net.parameters_dict().items()}
    compilations = net._graphs_of().compilations
    summary(net, (4, 1, 4, 4), show=False)
    for name, one in net.parameters_dict().items():
        assert np.array_equal(one.asnumpy(), before[name]), name
    net(x)
    assert net._graphs_of().compilations == compilations
    assert not any(cell._forward_hook or cell._forward_pre_hook for _, cell in net.cells_and_names())


def test_the_random_state_is_not_used_up():
    net = Net().set_train()
    ms.set_seed(5)
    expected = ops.rand(3).asnumpy()
    ms.set_seed(5)
    summary(net, (4, 1, 4, 4), show=False)
    assert np.array_equal(ops.rand(3).asnumpy(), expected)


def test_nothing_is_computed():
    net = nn.Dense(50_000, 2, weight_init="zeros")
    assert summary(net, (1_000_000, 50_000), show=False).rows[0].output_shapes == ((1_000_000, 2),)  # 200 GB if it were


def test_shapes_tensors_arrays_and_several_inputs():
    class Sum(nn.Cell):
        def construct(self, x, y):
            return x + y, y.shape[0]

    for inputs in (((2, 3), (2, 3)), ([(2, 3), (2, 3)],), (Tensor(np.ones((2, 3))), np.ones((2, 3)))):
        assert summary(Sum(), *inputs, show=False).rows[0].output_shapes == ((2, 3),)
    embedding = nn.Embedding(10, 4)
    assert summary(embedding, (2, 5), dtype=ms.int32, show=False).rows[0].output_shapes == ((2, 5, 4),)


def test_a_layer_called_twice_has_its_parameters_counted_once():
    class Twice(nn.Cell):
        def __init__(self):
            super().__init__()
            self.layer = nn.Dense(3, 3)

        def construct(self, x):
            return self.layer(self.layer(x))

    found = summary(Twice(), (1, 3), show=False)
    assert [row.parameters for row in found.rows] == [0, 12, 0]
    assert found.total_parameters == 12
    assert "(as above)" in str(found)


def test_without_inputs_the_cells_are_listed():
    found = summary(Net(), show=False)
    assert [row.kind for row in found.rows] == [
        "Net", "SequentialCell", "Conv2d", "BatchNorm2d", "ReLU", "Dense", "Dropout",
    ]  # fmt: skip
    assert found.activation_bytes is None


def test_depth_shortens_the_table_but_not_the_totals():
    found = summary(Net(), (4, 1, 4, 4), depth=1, show=False)
    assert "Conv2d" not in str(found) and "features" in str(found)
    assert "Parameters: 126" in str(found)


def test_cells_in_branches_of_a_graph_are_listed_once():
    class Branch(nn.Cell):
        def __init__(self):
            super().__init__()
            self.left, self.right = nn.Dense(3, 3), nn.Dense(3, 3)

        def construct(self, x):
            if x.sum() > 0:
                return self.left(x)
            return self.right(x)

    assert [row.path for row in summary(Branch(), (2, 3), show=False).rows] == ["", "left", "right"]


def test_steps_know_their_cell_and_where_their_inputs_come_from():
    net = nn.SequentialCell(nn.Dense(3, 4), nn.ReLU())
    seen = observe(net, [Tensor(np.ones((2, 3), np.float32))])
    first, second = seen.steps
    assert (first.path, first.sources) == ("0", ("input_0", "0.weight", "0.bias"))
    assert (second.name, second.path, second.sources) == ("ReLU", "1", (0,))
    assert first.shapes == ((2, 4),)


def test_mistakes_are_named():
    with pytest.raises(TypeError, match="the 'network' must be a Cell"):
        summary(3)
    with pytest.raises(TypeError, match=r"such as \(1, 3, 224, 224\).*but got 'large'"):
        summary(Net(), "large")
    with pytest.raises(ValueError, match="the 'depth'"):
        summary(Net(), depth=0)
    with pytest.raises(Exception, match="Conv2d"):
        summary(Net(), (4, 3, 4, 4), show=False)
    assert not Net()._forward_hook
