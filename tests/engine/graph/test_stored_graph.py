"""Graphs kept on disk serve equal networks without a trace, and no others."""

from __future__ import annotations

import copy
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore._engine.graph import graph as graph_module
from mindspore._engine.runtime import compile_cache
from mindspore.common.initializer import One

SCALE = 2.0
TABLE = [1.0, 2.0]


class Traces:
    """How many graphs were traced."""

    def __init__(self) -> None:
        self.count = 0

    def during(self, call) -> int:
        before = self.count
        call()
        return self.count - before


@pytest.fixture
def traces(tmp_path, monkeypatch):
    ms.set_context(mode=ms.GRAPH_MODE)
    folder = compile_cache.folder()
    compile_cache.enable(str(tmp_path / "programs"))
    monkeypatch.setattr(sys.modules["__main__"], "__file__", __file__, raising=False)  # test runners have none
    found = Traces()
    original = graph_module.Graph._trace

    def counted(self, inputs):
        found.count += 1
        return original(self, inputs)

    monkeypatch.setattr(graph_module.Graph, "_trace", counted)
    yield found
    if folder is None:
        compile_cache.disable()
    else:
        compile_cache.enable(folder.rpartition("/")[0])


def t(*values):
    return Tensor(np.array(values, np.float32))


class Scaled(nn.Cell):
    """Reads attributes of many kinds."""

    power = 1

    def __init__(self, factor=3.0, sizes=(1, 2), options=None, weight=1.0):
        super().__init__()
        self.factor = factor
        self.sizes = list(sizes)
        self.options = options or {"bias": 0.0}
        self.weight = Parameter(Tensor(weight, ms.float32), name="weight")
        self.dense = nn.Dense(2, 2, weight_init=One(), has_bias=False)

    def construct(self, x):
        y = self.dense(x) * self.factor * SCALE + self.options["bias"] + len(self.sizes)
        return ops.pow(y, self.power) * self.weight


X = t(1.0, 2.0).reshape(1, 2)


def test_an_equal_network_is_not_traced_again(traces):
    first, again = Scaled(), Scaled()
    assert traces.during(lambda: first(X)) == 1
    assert traces.during(lambda: again(X)) == 0
    assert again(X).asnumpy().tolist() == first(X).asnumpy().tolist()


def test_values_of_parameters_are_inputs(traces):
    Scaled()(X)
    other = Scaled(weight=5.0)
    assert traces.during(lambda: other(X)) == 0
    assert other(X).asnumpy()[0, 0] == 5 * (3 * 3 * 2 + 2)


@pytest.mark.parametrize(
    "other",
    [lambda: Scaled(factor=4.0), lambda: Scaled(sizes=(1, 2, 3)), lambda: Scaled(options={"bias": 1.0}),
     lambda: Scaled().set_train(), lambda: Scaled().to_float(ms.float16)],
    ids=["number", "list", "dict", "training", "precision"],
)  # fmt: skip
def test_other_attributes_are_another_graph(traces, other):
    Scaled()(X)
    net = other()
    with_trace = net(X).asnumpy()
    assert traces.count == 2
    ms.set_context(mode=ms.PYNATIVE_MODE)
    assert np.allclose(with_trace, other()(X).asnumpy())


def test_another_global_is_another_graph(traces, monkeypatch):
    before = float(Scaled()(X)[0, 0])
    monkeypatch.setitem(globals(), "SCALE", 4.0)
    assert float(Scaled()(X)[0, 0]) == 2 * before - 2


def test_another_class_attribute_is_another_graph(traces, monkeypatch):
    before = float(Scaled()(X)[0, 0])
    monkeypatch.setattr(Scaled, "power", 2)
    assert float(Scaled()(X)[0, 0]) == before**2


def test_another_method_is_another_graph(traces, monkeypatch):
    Scaled()(X)
    monkeypatch.setattr(Scaled, "construct", lambda self, x: x)
    assert np.array_equal(Scaled()(X).asnumpy(), X.asnumpy())


def test_a_patched_layer_is_another_graph(traces, monkeypatch):
    before = float(Scaled()(X)[0, 0])
    monkeypatch.setattr(nn.Dense, "construct", lambda self, x: x)
    assert float(Scaled()(X)[0, 0]) != before


def test_changes_of_a_network_that_was_not_traced_are_seen(traces):
    Scaled()(X)
    net = Scaled()
    before = float(net(X)[0, 0])
    net.factor = 6.0
    assert float(net(X)[0, 0]) == 2 * before - 2
    net.factor = 3.0
    assert float(net(X)[0, 0]) == before
    net.sizes.append(9)
    assert float(net(X)[0, 0]) == before + 1


@pytest.mark.parametrize("kind", [nn.GraphCell, type("Loaded", (nn.GraphCell,), {})], ids=["GraphCell", "a subclass"])
def test_files_of_equal_shapes_are_other_graphs(traces, tmp_path, kind):
    path = str(tmp_path / "net.mindir")
    for number, layer in enumerate((nn.ReLU(), nn.Tanh(), nn.ReLU())):
        ms.export(nn.SequentialCell(layer), X, file_name=path, file_format="STABLEHLO")
        loaded = kind(ms.load(path))
        assert traces.during(lambda loaded=loaded: loaded(X)) == (number < 2)
        assert np.allclose(loaded(X).asnumpy(), layer(X).asnumpy())


def test_layers_with_attributes_that_have_no_digest_are_traced(traces):
    layer = nn.SequentialCell(nn.ReLU())
    with open(__file__, "rb") as layer.opaque:
        assert [traces.during(lambda one=one: one(X)) for one in (layer, copy.copy(layer))] == [1, 1]


def test_layers_that_hold_operators_are_kept(traces):
    nets = [
        nn.TransformerEncoderLayer(2, 1, 4, dropout=0.0, activation=one).set_train(False)
        for one in (ops.relu, ops.relu, ops.gelu)
    ]
    for net in nets:
        for parameter in net.get_parameters():
            parameter.set_data(ops.ones_like(parameter) / 3)
    x = X.reshape(1, 1, 2)
    assert [traces.during(lambda net=net: net(x)) for net in nets] == [1, 0, 1]


def test_closures_count(traces):
    def make(offset):
        @ms.jit
        def f(x):
            return x + offset

        return f

    assert float(make(1.0)(t(1.0))[0]) == 2.0
    assert float(make(1.0)(t(1.0))[0]) == 2.0
    assert traces.count == 1
    assert float(make(5.0)(t(1.0))[0]) == 6.0


def test_shapes_dtypes_and_constants_of_arguments_count(traces):
    def make():
        return ms.jit(lambda x, n="a": x.sum() + len(n))

    for call in range(2):
        assert float(make()(t(1.0))) == 2.0
        assert float(make()(t(1.0, 2.0))) == 4.0
        assert int(make()(Tensor([3]))) == 4
        assert float(make()(t(1.0), "abc")) == 4.0
        assert traces.count == 4, call


def train(network_seed=1):
    ms.set_seed(network_seed)
    net = nn.SequentialCell(nn.Dense(4, 8), nn.Dropout(p=0.5), nn.ReLU(), nn.Dense(8, 2)).set_train()
    optimizer = nn.Adam(net.trainable_params(), nn.exponential_decay_lr(0.1, 0.5, 9, 3, 1))
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer).set_train()
    x, y = Tensor(np.linspace(0, 1, 12, dtype=np.float32).reshape(3, 4)), Tensor(np.ones((3, 2), np.float32))
    return [float(step(x, y)) for _ in range(4)]


def test_training_goes_on_with_the_same_numbers(traces):
    losses = train()
    traced = traces.count
    assert train() == losses  # Dropout draws from the same state
    assert traces.count == traced
    assert train(network_seed=2) != losses
    assert traces.count == traced


def test_gradients_of_functions(traces):
    def losses():
        net = Scaled()

        def forward(x):
            return net(x).sum()

        step = ms.value_and_grad(forward, None, net.trainable_params())
        value, gradients = step(X)
        return [float(value), *[g.asnumpy().tolist() for g in gradients]]

    first = losses()
    traced = traces.count
    assert losses() == first
    assert traces.count == traced


class Draws(nn.Cell):
    def construct(self, x):
        return x + float(np.random.rand())


class Counts(nn.Cell):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def construct(self, x):
        self.calls = self.calls + 1
        return x * self.calls


class Keeps(nn.Cell):
    def construct(self, x):
        self.last = x
        return x + 1


class Prints(nn.Cell):
    def construct(self, x):
        print("x", x)
        return x


class AsksForItsId(nn.Cell):
    def construct(self, x):
        return x * len(str(id(self)))


@pytest.mark.parametrize("kind", [Draws, Counts, Keeps, Prints, AsksForItsId])
def test_what_does_more_than_compute_is_traced(traces, kind, capfd):
    kind()(X)
    assert traces.during(lambda: kind()(X)) > 0


def test_attributes_that_construct_assigns(traces):
    for _ in range(2):
        net = Counts()
        assert [float(net(t(1.0))[0]) for _ in range(5)] == [1.0, 2.0, 3.0, 4.0, 5.0]
        keeps = Keeps()
        keeps(t(2.0))
        assert float(keeps.last[0]) == 2.0


def test_an_index_out_of_range_names_its_line(traces):
    def make():
        return ms.jit(lambda table, index: ops.gather(table, index, 0))

    table = t(1.0, 2.0)
    make()(table, Tensor([0], ms.int32))
    f = make()
    with pytest.raises(
        (IndexError, ValueError, RuntimeError), match=r"'Gather'[^']*'input_indices'(.|\n)*test_stored_graph"
    ):
        f(table, Tensor([7], ms.int32)).asnumpy()
    assert traces.count == 1


def test_graphs_are_dumped_and_counted_although_they_are_kept(traces, tmp_path):
    Scaled()(X)
    again = Scaled()
    again(X)
    assert traces.count == 1
    assert again._graphs_of().floating_point_operations() > 0
    ms.set_context(save_graphs=2, save_graphs_path=str(tmp_path / "dump"))
    Scaled()(X)
    assert any((tmp_path / "dump").rglob("*stablehlo*"))


def test_a_damaged_entry_is_made_again(traces, tmp_path):
    Scaled()(X)
    for path in (tmp_path / "programs").rglob("program-*"):
        path.write_bytes(path.read_bytes()[:-9])
    net = Scaled()
    assert traces.during(lambda: net(X)) == 1
    assert float(net(X)[0, 0]) == 20.0


PROGRAM = """
import os, sys
import numpy as np
import mindspore as ms
from mindspore import nn, Tensor
from mindspore._engine.graph.graph import Graph

ms.set_context(mode=ms.GRAPH_MODE)
FACTOR = float(os.environ["FACTOR"])
traced = []
original = Graph._trace
Graph._trace = lambda self, inputs: traced.append(1) or original(self, inputs)

class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(2, 2, weight_init="ones", has_bias=False)

    def construct(self, x):
        return self.dense(x) * FACTOR

print(Net()(Tensor(np.ones((1, 2), np.float32))).asnumpy().tolist(), len(traced))
"""


def test_another_process_does_not_trace(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(PROGRAM))
    environment = {"MYCELIUM_CACHE_DIR": str(tmp_path / "programs"), "PATH": "", "PYTHONPATH": ":".join(sys.path)}

    def run(factor):
        done = subprocess.run([sys.executable, str(program)], env=environment | {"FACTOR": factor},
                              capture_output=True, text=True, check=True)  # fmt: skip
        return done.stdout.split("\n")[0]

    assert run("2") == "[[4.0, 4.0]] 1"
    assert run("2") == "[[4.0, 4.0]] 0"
    assert run("3") == "[[6.0, 6.0]] 1"
    program.write_text(program.read_text().replace("* FACTOR", "+ FACTOR"))
    assert run("2") == "[[4.0, 4.0]] 1"


class Chosen(nn.Cell):
    """Leaves out one of its inputs."""

    def __init__(self, place):
        super().__init__()
        self.place = place

    def construct(self, *given):
        return given[self.place] + 1.375


def test_programs_that_leave_out_different_inputs_are_not_exchanged(traces):
    given = [t(10.0, 1.0), t(20.0, 2.0), t(30.0, 3.0)]
    for place, count in [(0, 2), (1, 2), (1, 2), (0, 2), (1, 3), (0, 3), (2, 3), (1, 3)]:
        expected = given[place].asnumpy() + 1.375
        np.testing.assert_array_equal(Chosen(place)(*given[:count]).asnumpy(), expected)
