"""MINDIR files that MindSpore itself wrote: they run here, with its results."""

import shutil
from pathlib import Path

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore._utils.files import wire
from mindspore.train._mindir.primitives import operator_of
from mindspore.train.mind_ir_pb2 import AttributeProto, ModelProto
from tools.oracle.mindir_export import flat
from tools.oracle.mindir_networks import KEY, NETWORKS

DATA = Path(__file__).resolve().parents[1] / "data" / "mindir"
QUICK = ("gate", "search", "pairs", "counter", "training")  # in both modes at every run
COMPILED = ("lenet", "mobilenet", "detector")


@pytest.fixture(scope="module")
def answers():
    return np.load(DATA / "answers.npz")


def loaded(name, **options):
    return nn.GraphCell(ms.load(str(DATA / f"{name}.mindir"), **options))


def inputs_of(name):
    return NETWORKS[name][1]()


def check_answers(name, answers):
    found = flat(loaded(name)(*inputs_of(name)))
    expected = [answers[key] for key in answers if key.split()[0] == name]
    assert len(found) == len(expected)
    for one, wanted in zip(found, expected, strict=True):
        assert one.dtype == wanted.dtype
        np.testing.assert_allclose(one, wanted, 1e-4, 2e-6)


@pytest.mark.parametrize("name", QUICK)
def test_files_give_what_mindspore_said(name, mode, answers):
    check_answers(name, answers)


@pytest.mark.parametrize("name", COMPILED)
def test_compiled_networks_give_what_mindspore_said(name, answers):
    ms.set_context(mode=ms.GRAPH_MODE)
    check_answers(name, answers)


@pytest.mark.heavy
@pytest.mark.parametrize("name", [name for name in NETWORKS if name not in QUICK])
def test_networks_give_what_mindspore_said(name, mode, answers):
    check_answers(name, answers)


def test_parameters_have_their_names_and_can_be_given(mode):
    net = loaded("gate")
    assert list(net.parameters_dict()) == ["scale", "dense.weight", "dense.bias"]
    x = Tensor(np.ones((2, 3), np.float32))
    other = nn.GraphCell(ms.load(str(DATA / "gate.mindir")), params_init={"scale": Tensor(5.0, ms.float32)})
    assert net(x, x).asnumpy()[0, 0] == 4.0 and other(x, x).asnumpy()[0, 0] == 6.0


def test_gradients_pass_branches_and_loops(mode):
    gate, x = loaded("gate"), Tensor(np.ones((2, 3), np.float32))
    by_input, by_weights = ms.grad(gate, 0, gate.trainable_params())(x, x)
    assert by_input.asnumpy().tolist() == [[3.0] * 3] * 2
    assert by_weights[0].asnumpy() == 6.0
    search, start = loaded("search"), Tensor(np.float32([1, 2]))
    assert ms.grad(lambda x: search(x, Tensor(3, ms.int32))[0].sum())(start).asnumpy().tolist() == [8.0, 8.0]


def test_a_file_can_be_trained_further(mode):
    net = loaded("training")
    data, labels = NETWORKS["training"][1]()[0], Tensor(np.ones((5, 2), np.float32))
    weights = [p for p in net.trainable_params() if "moving" not in p.name]
    optimizer = nn.SGD(weights, 0.1)
    step = ms.value_and_grad(lambda x: ops.mse_loss(net(x), labels), None, weights)
    losses = []
    for _ in range(3):
        loss, gradients = step(data)
        optimizer(gradients)
        losses.append(float(loss.asnumpy()))
    assert losses[2] < losses[1] < losses[0]


def test_a_graph_that_writes_parameters_goes_on_from_them(mode):
    net, x = loaded("counter"), Tensor(np.ones((2, 3), np.float32))
    assert [float(net(x)[0].asnumpy()[0, 0]) for _ in range(2)] == [9.0, 16.0]
    assert net.parameters_dict()["count"].asnumpy() == 16.0


@pytest.mark.parametrize("batch", [1, 3])
def test_sizes_that_the_file_leaves_open_may_differ(batch):
    ms.set_context(mode=ms.GRAPH_MODE)
    x = np.random.RandomState(0).randn(batch, 1, 28, 28).astype(np.float32)
    expected = [loaded("lenet")(Tensor(np.concatenate([row[None]] * 2))).asnumpy()[0] for row in x]
    np.testing.assert_allclose(loaded("lenet_open")(Tensor(x)).asnumpy(), expected, 1e-4, 1e-6)
    assert ms.load(str(DATA / "mobilenet_open.mindir")).inputs[0]["shape"] == ["x_0", 3, "x_2", "x_3"]


def test_open_sizes_may_decide_what_is_computed(mode):
    x = np.random.RandomState(0).randn(3, 1, 3, 3).astype(np.float32)
    found, expected = [net(Tensor(x)) for net in (loaded("upsampling_open"), lambda x: ops.interpolate(x, size=(6, 6), mode="bilinear", align_corners=True))]  # fmt: skip
    np.testing.assert_allclose(found.asnumpy(), expected.asnumpy(), 1e-5, 1e-6)


def test_gradients_pass_loops_inside_loops(mode):
    pairs, start = loaded("pairs"), Tensor(np.float32([-3, 1]))
    found = ms.grad(lambda x: pairs(x, Tensor(3, ms.int32))[0].sum())(start)
    np.testing.assert_allclose(found.asnumpy(), [1.25**6] * 2, 1e-6)


def test_constants_that_a_graph_writes_into_are_new_at_every_call(tmp_path):
    class Net(nn.Cell):
        def construct(self, x):
            count = Tensor(0, ms.int32)
            while count < 3:
                x = x * 2
                count = count + 1
            return x, count

    ms.export(Net(), Tensor([1.0]), file_name=str(tmp_path / "a"), file_format="MINDIR")
    model = ms.load_mindir(str(tmp_path / "a.mindir"))
    for one in model.primitives:  # `count += 1` as MindSpore writes it
        if one.op_type == "Add":
            one.op_type = "InplaceAddExt"
            one.attribute = [*one.attribute, AttributeProto(name="side_effect_mem", type=AttributeProto.BOOL, i=1)]
    ms.save_mindir(model, str(tmp_path / "b"))
    ms.set_context(mode=ms.PYNATIVE_MODE)
    net = nn.GraphCell(ms.load(str(tmp_path / "b.mindir")))
    assert [[float(one.asnumpy().item()) for one in net(Tensor([1.0]))] for _ in range(2)] == [[8.0, 3.0]] * 2


def test_sizes_that_the_file_states_must_be_those(mode):
    with pytest.raises(ValueError, match=r"the input 'x' of .*Gate.* must be Tensor\[Float32\]\(2, 3\), but got"):
        loaded("gate")(Tensor(np.ones((3, 3), np.float32)), Tensor(np.ones((2, 3), np.float32)))
    with pytest.raises(ValueError, match="but got 1 inputs: Tensor"):
        loaded("gate")(Tensor(np.ones((2, 3), np.float32)))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("gate_AES-GCM", {"dec_key": KEY}),
        ("gate_AES-CBC", {"dec_key": KEY, "dec_mode": "AES-CBC"}),
        ("gate_split_graph", {}),
        ("gate_split_locked_graph", {"dec_key": KEY}),
    ],
)
def test_encrypted_and_divided_files_are_the_same_network(name, options, answers):
    ms.set_context(mode=ms.PYNATIVE_MODE)
    np.testing.assert_allclose(loaded(name, **options)(*inputs_of("gate")).asnumpy(), answers["gate 0"], 1e-5, 1e-6)


def test_a_wrong_key_and_no_key_are_told():
    with pytest.raises(RuntimeError, match=r"gate_AES-GCM.mindir is encrypted. Give 'dec_key'"):
        loaded("gate_AES-GCM")
    with pytest.raises(RuntimeError, match=r"gate_AES-GCM.mindir cannot be decrypted"):
        loaded("gate_AES-GCM", dec_key=b"x" * 16)


def changed(folder, change, source="gate"):
    """A file with another message in it."""
    model = ModelProto.FromString((DATA / f"{source}.mindir").read_bytes())
    change(model)
    path = folder / "changed.mindir"
    path.write_bytes(model.SerializeToString())
    return str(path)


def _unknown(model):
    for one in model.primitives:
        if one.op_type == "ReLU":
            one.op_type = "NoSuchThing"


def _short(model):
    model.graph.parameter[0].raw_data = b"12"


def _huge(model):
    model.graph.parameter[0].dims = [2**40, 2**10]


def _reads_nothing(model):
    next(node for node in model.graph.node if node.op_type != "Constant").input = ["nowhere"]


def _outside(model):
    model.graph.parameter[0].external_data.location = "../secret"


def _doubled(model):
    model.functions = [*model.functions, model.graph]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_unknown, r"these primitives have no operator here: 'NoSuchThing' \(at Default/ReLU-op0\)"),
        (_short, r"the tensor '.*' of shape \(\) and dtype float32 must have 4 bytes, but has 2"),
        (_huge, r"must have \d+ bytes, but has 4"),
        (_reads_nothing, "reads 'nowhere', which no node before it makes"),
        (_outside, "is stored in '../secret', which is not in the folder of the file"),
        (_doubled, "two of its functions have the same name"),
    ],
)
def test_wrong_files_are_refused_with_their_place(tmp_path, change, words):
    path = changed(tmp_path, change)
    with pytest.raises(ValueError, match=words) as found:
        ms.load(path)
    assert path in str(found.value)


def test_messages_nested_without_end_are_refused(tmp_path):
    inner = b""
    for _ in range(5000):
        inner = wire.field(17, inner)
    message = ModelProto(ir_version="1", producer_name="MindSpore").SerializeToString()
    body = wire.field(7, wire.field(1, wire.field(5, inner)))
    path = tmp_path / "deep.mindir"
    path.write_bytes(message + body)
    with pytest.raises(ValueError, match=r"deep.mindir.*nested too deep"):
        ms.load(str(path))


def test_a_divided_file_without_its_parts_says_which(tmp_path):
    shutil.copy(DATA / "gate_split_graph.mindir", tmp_path)
    with pytest.raises(ValueError, match="is stored in 'gate_split_variables/data_0', which does not exist"):
        ms.load(str(tmp_path / "gate_split_graph.mindir"))


def test_words_that_files_have_as_numbers():
    scatter = operator_of("TensorScatterElements", {}, flat=True)
    zeros, index, ones = ops.zeros((2, 2)), ops.zeros((1, 2), ms.int32), ops.ones((1, 2))
    assert scatter(scatter(zeros, index, ones, 0, 1), index, ones, 0, 1).asnumpy().tolist() == [[2, 2], [0, 0]]
    assert scatter(ones * 3, index, ones, 0, 0).asnumpy().tolist() == [[1, 1]]
