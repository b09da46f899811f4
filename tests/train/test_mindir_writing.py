"""MINDIR files that are written here: graphs of MindSpore's primitives, which it reads."""

import json
from pathlib import Path

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore._engine.export.mindir.known_primitives import FUNCTIONS, WITH_ATTRIBUTES
from mindspore.train._mindir import writing
from tools.oracle.mindir_export import flat
from tools.oracle.mindir_networks import KEY, NETWORKS, made
from tools.oracle.mindir_written import CHOSEN, node_forms

DATA = Path(__file__).resolve().parents[1] / "data" / "mindir"
QUICK = ("gate", "search", "counter", "training", "lenet")


def written(net, *inputs, folder, **options):
    ms.export(net, *inputs, file_name=str(folder / "net"), file_format="MINDIR", **options)
    return str(folder / "net.mindir")


def check_round(name, folder):
    """A network, written and read, gives its own results; every node has a form that MindSpore ran."""
    net, inputs = made(name)
    path = written(net, *inputs, folder=folder)
    again = nn.GraphCell(ms.load(path))
    for one, other in zip(flat(again(*inputs)), flat(net(*inputs)), strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(one, other, 1e-4, 1e-5)
    check_heard(folder)


def check_heard(folder):
    unheard = node_forms(ms.load_mindir(str(folder / "net.mindir"))) - set(
        json.loads((DATA / "accepted.json").read_text())
    )
    assert not unheard, f"let MindSpore run these (tools/oracle/mindir_written.py): {unheard}"


@pytest.mark.parametrize("name", QUICK)
def test_networks_come_back_as_they_were(name, tmp_path):
    ms.set_context(mode=ms.GRAPH_MODE)
    check_round(name, tmp_path)


@pytest.mark.heavy
@pytest.mark.parametrize("name", [name for name in NETWORKS if name not in QUICK])
def test_larger_networks_come_back_as_they_were(name, mode, tmp_path):
    check_round(name, tmp_path)


@pytest.mark.parametrize("name", CHOSEN)
def test_mindspore_ran_files_from_here_with_the_results_of_its_own(name):
    mine, own = np.load(DATA / "written" / "answers.npz"), np.load(DATA / "answers.npz")
    keys = [key for key in own if key.split()[0] == name]
    assert keys and keys == [key for key in mine if key.split()[0] == name]
    for key in keys:
        np.testing.assert_allclose(mine[key], own[key], 1e-5, 1e-6)


def test_files_that_mindspore_ran_give_its_results_here(mode):
    answers = np.load(DATA / "written" / "answers.npz")
    for name in ("gate", "counter"):
        found = flat(nn.GraphCell(ms.load(str(DATA / "written" / f"{name}.mindir")))(*NETWORKS[name][1]()))
        for number, one in enumerate(found):
            np.testing.assert_allclose(one, answers[f"{name} {number}"], 1e-4, 1e-6)


def test_the_file_is_a_message_of_primitives(tmp_path):
    model = ms.load_mindir(
        written(nn.SequentialCell(nn.Dense(3, 2), nn.ReLU()), Tensor(np.ones((4, 3), np.float32)), folder=tmp_path)
    )
    assert model.producer_name == "MindSpore" and [one.ref_key for one in model.graph.parameter] == [
        "0.weight",
        "0.bias",
    ]
    names = {one.op_type for one in model.primitives}
    assert {"Dense", "ReLU", "Load", "UpdateState", "Depend"} <= names <= FUNCTIONS | WITH_ATTRIBUTES


def test_operators_without_a_primitive_are_named_and_another_format_offered(tmp_path):
    class Net(nn.Cell):
        def construct(self, x):
            return ops.eigvals(x)

    x = Tensor(np.eye(3, dtype=np.float32))
    with pytest.raises(
        ValueError, match=r"(?s)of Net have no primitive.*eig .*in eigvals, at .*test_mindir_writing.*STABLEHLO"
    ):
        written(Net(), x, folder=tmp_path)
    assert not list(tmp_path.iterdir())
    ms.export(Net(), x, file_name=str(tmp_path / "net"), file_format="STABLEHLO")
    found = nn.GraphCell(ms.load(str(tmp_path / "net.mindir")))(x).asnumpy()
    np.testing.assert_allclose(found, Net()(x).asnumpy(), 1e-5)


def test_random_numbers_are_refused_in_words(tmp_path):
    with pytest.raises(ValueError, match=r"(?s)random numbers: set_train\(False\).*STABLEHLO"):
        written(nn.Dropout(p=0.5).set_train(), Tensor(np.ones((2, 2), np.float32)), folder=tmp_path)


def test_text_among_results_is_refused(tmp_path):
    class Net(nn.Cell):
        def construct(self, x):
            return x, "words"

    with pytest.raises(ValueError, match=r"(?s)the text 'words' among the results.*STABLEHLO"):
        written(Net(), Tensor([1.0]), folder=tmp_path)


def test_windows_sorts_and_places_come_back(tmp_path):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.up, self.line = nn.Conv2dTranspose(2, 4, 3, 2, group=2), nn.Conv1d(4, 3, 3, has_bias=True)

        def construct(self, x):
            order = ops.argsort(x, 3)
            return self.up(x), self.line(x[0]), order, ops.gather_elements(x, 3, order), ops.max(x, 1)

    ms.set_context(mode=ms.GRAPH_MODE)
    net, x = Net(), Tensor(np.random.RandomState(1).randn(2, 2, 4, 4).astype(np.float32))
    again = nn.GraphCell(ms.load(written(net, x, folder=tmp_path)))
    for one, other in zip(flat(again(x)), flat(net(x)), strict=True):
        np.testing.assert_allclose(one, other, 1e-4, 1e-5)


class Parts(nn.Cell):
    """Operators that are several of MindSpore's primitives."""

    def __init__(self):
        super().__init__()
        self.up, self.fill = (
            ops.Conv3DTranspose(2, 2, (2, 2, 2), stride=2),
            Parameter(Tensor(np.ones((2, 2, 2, 2, 2), np.float32))),
        )

    def construct(self, x, grid, places):
        y = x.copy()
        y[0, 1:3, places] = 2.0
        square = ops.matmul(x[0, 0], x[0, 0].T) + ops.eye(4)
        columns = ops.unfold(x, [2, 2])
        return (
            ops.topk(x, 2, 1, False), ops.grid_sample(x, grid, "bilinear", "border", True), ops.cholesky(square),
            ops.inverse(square), ops.fold(columns, Tensor([4, 4], ms.int32), [2, 2]), self.up(x.expand_dims(2), self.fill), y,
            ops.searchsorted(ops.sort(x[0, 0])[0], x[0, 1]), ops.rfft(x), ops.copysign(x, -x), ops.max_pool2d(x, 2, return_indices=True),
            ops.logcumsumexp(x, 2), ops.bitwise_and(places.astype(ms.uint32) - 3, 7), (x > 0).argmax(-1), x.tensor_split(3, 1),
        )  # fmt: skip


def test_operators_of_several_primitives_come_back(tmp_path):
    ms.set_context(mode=ms.GRAPH_MODE)
    random = np.random.RandomState(2)
    inputs = [
        Tensor(random.randn(1, 2, 4, 4).astype(np.float32)),
        Tensor(random.rand(1, 3, 3, 2).astype(np.float32)),
        Tensor([1, 3]),
    ]
    net = Parts()
    again = nn.GraphCell(ms.load(written(net, *inputs, folder=tmp_path)))
    for one, other in zip(flat(again(*inputs)), flat(net(*inputs)), strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(one, other, 1e-4, 1e-5)
    check_heard(tmp_path)


def test_open_sizes_stay_open(tmp_path):
    class Heads(nn.Cell):
        def construct(self, x):
            batch, length, width = x.shape
            return x.reshape(batch, length, 2, width // 2).transpose(0, 2, 1, 3), ops.broadcast_to(
                x[:, :1], x.shape
            ) * 2

    ms.set_context(mode=ms.GRAPH_MODE)
    net = Heads()
    path = written(net, Tensor(shape=[None, None, 4], dtype=ms.float32), folder=tmp_path)
    again = nn.GraphCell(ms.load(path))
    for shape in ((2, 3, 4), (1, 5, 4)):
        x = Tensor(np.random.RandomState(0).randn(*shape).astype(np.float32))
        for one, other in zip(again(x), net(x), strict=True):
            np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), 1e-5, 1e-5)


class Pyramid(nn.Cell):
    """Heights, widths and lengths that are open decide about slices, borders, positions and indices."""

    def __init__(self):
        super().__init__()
        self.down, self.up = nn.Conv2d(3, 2, 3, 2), nn.Conv2dTranspose(2, 2, 2, 2)
        self.pool, self.border = nn.MaxPool2d(3, 2, pad_mode="pad", padding=1), nn.ReflectionPad2d(1)

    def construct(self, x):
        y = self.down(x)
        wide = ops.interpolate(y, size=x.shape[2:], mode="bilinear")
        return self.up(y), self.pool(self.border(x)), wide[:, :, 1:-1, ::2], wide[..., -2:], ops.arange(x.shape[3])


def test_open_heights_and_widths_stay_open(tmp_path):
    net = Pyramid()
    again = nn.GraphCell(ms.load(written(net, Tensor(shape=[None, 3, None, None], dtype=ms.float32), folder=tmp_path)))
    check_heard(tmp_path)
    for shape in ((2, 3, 8, 6), (1, 3, 7, 9)):
        x = Tensor(np.random.RandomState(0).randn(*shape).astype(np.float32))
        for one, other in zip(flat(again(x)), flat(net(x)), strict=True):
            assert one.dtype == other.dtype
            np.testing.assert_allclose(one, other, 1e-4, 1e-5)


def test_a_number_beside_tensors_has_their_dtype(tmp_path):
    x = Tensor([1.0, 2.0])
    net = ms.jit(lambda x: ops.lerp(x, x + 1, 0.25))
    (found,) = flat(nn.GraphCell(ms.load(written(net, x, folder=tmp_path)))(x))
    assert found.dtype == np.float32 and found.tolist() == [1.25, 2.25]


def test_operands_of_several_dtypes_are_converted(mode, tmp_path):
    class Mixed(nn.Cell):
        def construct(self, x, n):
            return x * n + 1, n / 2, n > 1.5, ops.where(n > 1, x, 0.0)

    inputs = [Tensor(np.float32([[1, 2], [3, 4]])), Tensor(np.int32([1, 2]))]
    again = nn.GraphCell(ms.load(written(Mixed(), *inputs, folder=tmp_path)))
    for one, other in zip(again(*inputs), Mixed()(*inputs), strict=True):
        assert one.dtype == other.dtype and one.asnumpy().tolist() == other.asnumpy().tolist()


def test_parameters_keep_whether_they_are_trained(tmp_path):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a = Parameter(Tensor(2.0, ms.float32), name="a")
            self.b = Parameter(Tensor(3.0, ms.float32), name="b", requires_grad=False)

        def construct(self, x):
            return x * self.a + self.b

    again = nn.GraphCell(ms.load(written(Net(), Tensor([1.0]), folder=tmp_path)))
    assert [one.name for one in again.trainable_params()] == ["a"]


def test_tuples_go_in(mode, tmp_path):
    class Net(nn.Cell):
        def construct(self, pair, x):
            return pair[0] + pair[1] * x

    a, b = Tensor([1.0]), Tensor([2.0])
    again = nn.GraphCell(ms.load(written(Net(), (a, b), b, folder=tmp_path)))
    assert again((a, b), b).asnumpy() == [5.0]


@pytest.mark.parametrize("options", [{}, {"enc_key": KEY, "enc_mode": "AES-GCM"}])
def test_large_parameters_stand_in_files_of_their_own(options, tmp_path, monkeypatch):
    monkeypatch.setattr(writing, "_MOST_BYTES", 0)
    net, x = nn.Dense(3, 2), Tensor(np.ones((4, 3), np.float32))
    written(net, x, folder=tmp_path, **options)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["data_0", "net_graph.mindir", "net_variables"]
    keys = {"dec_key": KEY} if options else {}
    again = nn.GraphCell(ms.load(str(tmp_path / "net_graph.mindir"), **keys))
    np.testing.assert_allclose(again(x).asnumpy(), net(x).asnumpy(), 1e-6)


def test_a_file_that_was_read_can_be_written_again(tmp_path):
    net, x = nn.Dense(3, 2), Tensor(np.ones((4, 3), np.float32))
    once = nn.GraphCell(ms.load(written(net, x, folder=tmp_path)))
    twice = nn.GraphCell(ms.load(written(once, x, folder=tmp_path)))
    np.testing.assert_allclose(twice(x).asnumpy(), net(x).asnumpy(), 1e-6)
    assert list(twice.parameters_dict()) == ["weight", "bias"]
