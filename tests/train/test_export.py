"""export and load: what a network computes, in a file that runs without the network's code."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import mindspore as ms
from examples.networks.bert import BertConfig, BertModel
from examples.networks.gpt import GPT
from examples.networks.lenet import LeNet5
from examples.networks.lstm_classifier import SentimentNet
from mindspore import Parameter, Tensor, nn, ops
from mindspore.nn.graph_cell import GraphCell
from mindspore.train._formats.export import export, load

RANDOM = np.random.RandomState(5)


def floats(*shape):
    return RANDOM.randn(*shape).astype(np.float32)


def saved(net, *inputs, folder, file_format="MINDIR", **options):
    export(net, *inputs, file_name=str(folder / "net"), file_format=file_format, **options)
    return GraphCell(load(str(folder / "net.mindir")))


def same(one, other):
    np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-5, atol=1e-5)


class Scaled(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(3, 2)
        self.unused = Parameter(Tensor(np.zeros(100_000, np.float32)), name="unused")
        self.factor = Tensor(2.0)

    def construct(self, x):
        return self.dense(x) * self.factor


# -- running ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("file_format", ["MINDIR", "STABLEHLO"])
def test_a_loaded_network_computes_the_same_in_both_modes(mode, file_format, tmp_path):
    net, x = Scaled(), Tensor(floats(4, 3))
    loaded = saved(net, x, folder=tmp_path, file_format=file_format)
    same(loaded(x), net(x))


def test_the_parameters_in_use_are_there_under_their_names_and_nothing_else(tmp_path):
    net = Scaled()
    loaded = saved(net, Tensor(floats(4, 3)), folder=tmp_path)
    assert list(loaded.parameters_dict()) == ["dense.weight", "dense.bias"]
    same(loaded.parameters_dict()["dense.weight"], net.dense.weight)
    assert os.path.getsize(tmp_path / "net.mindir") < 50_000


def test_weights_are_stored_once(tmp_path):
    net = nn.Dense(300, 1000)
    saved(net, Tensor(floats(1, 300)), folder=tmp_path)
    assert os.path.getsize(tmp_path / "net.mindir") < 1.05 * 4 * 301_000


def test_a_network_trained_in_graph_mode_is_saved_as_trained(tmp_path):
    ms.set_context(mode=ms.GRAPH_MODE)
    net = LeNet5()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), nn.Momentum(net.trainable_params(), 0.1, 0.9)).set_train()
    images, labels = Tensor(floats(4, 1, 32, 32)), Tensor([1, 2, 3, 4], ms.int32)
    before = net(images).asnumpy()
    for _ in range(2):
        step(images, labels)
    net.set_train(False)
    loaded = saved(net, images, folder=tmp_path)
    assert np.abs(net(images).asnumpy() - before).max() > 1e-4
    same(loaded(images), net(images))


def test_a_fresh_process_runs_the_file_without_the_class(tmp_path):
    net, x = Scaled(), floats(4, 3)
    saved(net, Tensor(x), folder=tmp_path)
    np.save(tmp_path / "x.npy", x)
    program = (
        "import numpy as np\nfrom mindspore import Tensor\nfrom mindspore.nn.graph_cell import GraphCell\n"
        "from mindspore.train._formats.export import load\n"
        "np.save('y.npy', GraphCell(load('net.mindir'))(Tensor(np.load('x.npy'))).asnumpy())\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True)
    np.testing.assert_allclose(np.load(tmp_path / "y.npy"), net(Tensor(x)).asnumpy(), rtol=1e-5)


def test_inputs_and_results_keep_their_nesting(mode, tmp_path):
    def compute(pair, scale):
        return {"sum": pair[0] + pair[1] * scale, "pair": (pair[0], [pair[1], None, "text"])}

    a, b = Tensor(floats(2)), Tensor(floats(2))
    loaded = saved(compute, (a, b), 3, folder=tmp_path, file_format="STABLEHLO")
    result = loaded((a, b), 3)
    same(result["sum"], a + b * 3)
    same(result["pair"][0], a)
    assert type(result["pair"][1]) is list and result["pair"][1][1:] == [None, "text"]
    with pytest.raises(ValueError, match=r"exported with the number 3 as an input.*got 4"):
        loaded((a, b), 4)


def test_a_function_under_jit_is_exported(tmp_path):
    @ms.jit
    def double(x):
        return x + x

    x = Tensor(floats(3))
    same(saved(double, x, folder=tmp_path)(x), x * 2)


@pytest.mark.parametrize("file_format", ["MINDIR", "STABLEHLO"])
def test_a_network_exported_in_training_updates_its_state_when_it_runs(mode, file_format, tmp_path):
    net, x = nn.BatchNorm1d(3).set_train(), Tensor(floats(8, 3))
    loaded = saved(net, x, folder=tmp_path, file_format=file_format)
    same(loaded(x), net(x))
    same(loaded.parameters_dict()[net.moving_mean.name], net.moving_mean)
    assert np.abs(net.moving_mean.asnumpy()).max() > 1e-4


def test_random_operators_follow_the_seed_of_the_process(tmp_path):
    net, x = nn.Dropout(p=0.5).set_train(), Tensor(np.ones((10, 10), np.float32))
    loaded = saved(net, x, folder=tmp_path, file_format="STABLEHLO")
    ms.set_seed(7)
    first, second = loaded(x).asnumpy(), loaded(x).asnumpy()
    ms.set_seed(7)
    assert not np.array_equal(first, second)
    np.testing.assert_array_equal(loaded(x).asnumpy(), first)


def test_a_loaded_graph_works_inside_another_cell(mode, tmp_path):
    net, x = nn.Dense(3, 2), Tensor(floats(4, 3))
    outer = nn.SequentialCell(saved(net, x, folder=tmp_path), nn.ReLU())
    same(outer(x), ops.relu(net(x)))


def test_what_a_network_prints_is_left_out(mode, tmp_path, capfd):
    class Talking(nn.Cell):
        def construct(self, x):
            ops.print_("value", x)
            return x + 1

    loaded = saved(Talking(), Tensor([1.0]), folder=tmp_path)
    assert loaded(Tensor([1.0])).asnumpy() == [2.0]
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize("dtype", [ms.bfloat16, ms.float16, ms.float64, ms.int8, ms.bool_, ms.complex64])
def test_weights_of_every_dtype_come_back(dtype, tmp_path):
    class Holder(nn.Cell):
        def __init__(self):
            super().__init__()
            self.weight = Parameter(Tensor([0, 1, 2], ms.int32).astype(dtype), requires_grad=False)

        def construct(self, x):
            return x, self.weight

    loaded = saved(Holder(), Tensor([1.0]), folder=tmp_path)
    result = loaded(Tensor([1.0]))[1]
    assert result.dtype == dtype
    np.testing.assert_array_equal(result.asnumpy().astype(np.complex64).real, [0, 1, 1 if dtype == ms.bool_ else 2])


def test_a_dataset_stands_for_its_rows(tmp_path):
    rows = ms.dataset.NumpySlicesDataset(floats(6, 3), ["data"], shuffle=False).batch(2)
    net, x = nn.Dense(3, 2), Tensor(floats(2, 3))
    same(saved(net, rows, folder=tmp_path)(x), net(x))


# -- sizes left open ------------------------------------------------------------------------------------------------------
def ints(*shape):
    return Tensor(RANDOM.randint(0, 2, shape).astype(np.int32))


NETWORKS = {
    "lenet": (LeNet5, lambda n: [Tensor(floats(n, 1, 32, 32))]),
    "lstm": (lambda: SentimentNet(50, 12, 8, num_layers=1), lambda n: [ints(n, 10)]),
    "bert": (lambda: BertModel(BertConfig(num_layers=1)), lambda n: [ints(n, 16), ints(n, 16), ints(n, 16)]),
    "gpt": (lambda: GPT(num_layers=1), lambda n: [ints(n, 16)]),
}


@pytest.mark.parametrize("network", NETWORKS)
def test_a_batch_left_open_may_have_any_size(network, tmp_path):
    build, inputs = NETWORKS[network]
    net = build().set_train(False)
    described = [Tensor(shape=[None, *one.shape[1:]], dtype=one.dtype) for one in inputs(1)]
    loaded = saved(net, *described, folder=tmp_path)
    ms.set_context(mode=ms.GRAPH_MODE)
    whole = inputs(64)
    expected = net(*whole).asnumpy()
    for count in (1, 3, 64):
        result = loaded(*[one[:count] for one in whole]).asnumpy()
        np.testing.assert_allclose(result, expected[:count], rtol=1e-4, atol=1e-5)


def test_open_sizes_of_two_inputs_are_independent_where_the_network_allows_it(tmp_path):
    loaded = saved(lambda x, y: ops.matmul(x, y.T), *[Tensor(shape=[None, 3], dtype=ms.float32)] * 2, folder=tmp_path)
    assert loaded(Tensor(floats(2, 3)), Tensor(floats(5, 3))).shape == (2, 5)


def test_open_sizes_that_must_agree_are_compared(tmp_path):
    inputs = [Tensor(shape=[None, 3], dtype=ms.float32)] * 2
    loaded = saved(lambda x, y: x + y, *inputs, folder=tmp_path, file_format="STABLEHLO")
    assert loaded(Tensor(floats(2, 3)), Tensor(floats(2, 3))).shape == (2, 3)
    with pytest.raises(
        ValueError, match=r"'y' of .* must be Tensor\[Float32\]\(batch, 3\), but got .*\(5, 3\).*batch is 2"
    ):
        loaded(Tensor(floats(2, 3)), Tensor(floats(5, 3)))


def test_several_axes_may_be_open(tmp_path):
    class Pooled(nn.Cell):
        def construct(self, x):
            return x[:, 0], x.reshape(x.shape[0], -1), x.mean(1), x[:, : x.shape[1], 1:]

    net = Pooled()
    loaded = saved(net, Tensor(shape=[None, None, 4], dtype=ms.float32), folder=tmp_path)
    for shape in ((2, 5, 4), (3, 1, 4)):
        x = Tensor(floats(*shape))
        for mine, theirs in zip(loaded(x), net(x), strict=True):
            same(mine, theirs)


class Of(nn.Cell):
    """A function as a Cell."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def construct(self, x):
        return self.function(x)


# layers and lines whose results have sizes that follow from open heights and widths
OPEN_SIZES = {
    "convolution, same": lambda: nn.Conv2d(3, 2, 3, 2),
    "convolution, valid": lambda: nn.Conv2d(3, 2, 3, 2, pad_mode="valid"),
    "transposed": lambda: nn.Conv2dTranspose(3, 2, 3, 2),
    "largest, same": lambda: nn.MaxPool2d(3, 2, pad_mode="same"),
    "largest, padded": lambda: nn.MaxPool2d(3, 2, pad_mode="pad", padding=1),
    "average, same": lambda: nn.AvgPool2d(3, 2, pad_mode="same"),
    "average, padded": lambda: nn.AvgPool2d(3, 2, pad_mode="pad", padding=1, count_include_pad=False),
    "adaptive average": lambda: nn.AdaptiveAvgPool2d((3, 2)),
    "adaptive largest": lambda: nn.AdaptiveMaxPool2d((3, None)),
    "normalized": lambda: nn.InstanceNorm2d(3),
    "mirrored": lambda: nn.ReflectionPad2d((1, 2, 0, 1)),
    "zeros around": lambda: nn.ZeroPad2d((1, 2, 0, 1)),
    "nearest": lambda: nn.Upsample(scale_factor=2.0, mode="nearest", recompute_scale_factor=True),
    "bilinear": lambda: Of(lambda x: ops.interpolate(x[:, :, ::2], size=x.shape[2:], mode="bilinear")),
    "slices": lambda: Of(lambda x: (x[:, :, 1:-1, 1::3], x[..., -2:], x[..., :100], x[:, :, ::-1], x[:, :, -1])),
    "sizes as numbers": lambda: Of(lambda x: ops.masked_fill(x, ops.arange(x.shape[3]) > x.shape[3] - 2, 0.0)),
    "positions": lambda: Of(lambda x: x + Tensor(np.arange(40.0, dtype=np.float32))[: x.shape[3]]),
}


@pytest.mark.parametrize("file_format", ["MINDIR", "STABLEHLO"])
@pytest.mark.parametrize("name", OPEN_SIZES)
def test_heights_and_widths_may_be_open(name, file_format, tmp_path):
    net = OPEN_SIZES[name]().set_train(False)
    described = Tensor(shape=[None, 3, None, None], dtype=ms.float32)
    loaded = saved(net, described, folder=tmp_path, file_format=file_format)
    for shape in ((2, 3, 8, 8), (1, 3, 7, 9)):
        x = Tensor(floats(*shape))
        expected, found = net(x), loaded(x)
        for mine, theirs in zip(expected, found) if isinstance(expected, tuple) else [(expected, found)]:
            same(mine, theirs)


def test_what_a_network_needs_of_open_sizes_is_kept_in_the_file(tmp_path):
    net = OPEN_SIZES["positions"]()
    loaded = saved(net, Tensor(shape=[1, None, None, None], dtype=ms.float32), folder=tmp_path, file_format="STABLEHLO")
    with pytest.raises(ValueError, match="must fulfil 40 >= size_3, but"):
        loaded(Tensor(floats(1, 1, 1, 41)))


def test_a_size_that_must_be_known_is_refused_with_the_line(tmp_path):
    class First(nn.Cell):
        def construct(self, x):
            return ops.split(x, 2)[0]  # this line

    with pytest.raises(ValueError, match=r"left open \(None\) must be known here") as caught:
        saved(First(), Tensor(shape=[None, 3], dtype=ms.float32), folder=tmp_path)
    assert "test_export.py" in str(caught.value) and "return ops.split(x, 2)[0]" in str(caught.value)
    assert os.listdir(tmp_path) == []


# -- GraphCell ------------------------------------------------------------------------------------------------------------
def test_params_init_replaces_weights(tmp_path):
    net, x = nn.Dense(3, 2), Tensor(floats(4, 3))
    saved(net, x, folder=tmp_path)
    graph = load(str(tmp_path / "net.mindir"))
    zeros = {"weight": Parameter(Tensor(np.zeros((2, 3), np.float32))), "other": Tensor(1.0)}
    same(GraphCell(graph, params_init=zeros)(x), ops.zeros((4, 2)) + net.bias)
    same(GraphCell(graph)(x), net(x))


@pytest.mark.parametrize(
    ("values", "error", "text"),
    [
        (3, TypeError, "'params_init' must be a dict"),
        ({"weight": 3}, TypeError, "the value must be Tensor or Parameter"),
        (
            {"weight": Tensor([1.0])},
            ValueError,
            r"'weight' in 'params_init' must have the shape \(2, 3\), but got \(1,\)",
        ),
    ],
)
def test_params_init_is_checked(values, error, text, tmp_path):
    saved(nn.Dense(3, 2), Tensor(floats(4, 3)), folder=tmp_path)
    with pytest.raises(error, match=text):
        GraphCell(load(str(tmp_path / "net.mindir")), params_init=values)


def test_only_a_loaded_graph_makes_a_graph_cell():
    with pytest.raises(TypeError, match=r"'graph' must be what mindspore.load returns, but got 3"):
        GraphCell(3)


@pytest.mark.parametrize(
    ("inputs", "error", "text"),
    [
        (
            [np.zeros((4, 3), np.int32)],
            ValueError,
            r"'x' of Dense must be Tensor\[Float32\]\(4, 3\), but got Tensor\[Int32\]",
        ),
        (
            [np.zeros((5, 3), np.float32)],
            ValueError,
            r"must be Tensor\[Float32\]\(4, 3\), but got Tensor\[Float32\]\(5, 3\)",
        ),
        ([1.0], TypeError, "'x' of Dense must be a Tensor, but got float"),
        ([np.zeros((4, 3), np.float32)] * 2, ValueError, r"the inputs of Dense must be \(x: Tensor.*but got 2 inputs"),
    ],
)
def test_inputs_are_checked(inputs, error, text, mode, tmp_path):
    loaded = saved(nn.Dense(3, 2), Tensor(floats(4, 3)), folder=tmp_path)
    with pytest.raises(error, match=text):
        loaded(*[Tensor(x) if isinstance(x, np.ndarray) else x for x in inputs])


@pytest.mark.parametrize("file_format", ["MINDIR", "STABLEHLO"])
def test_a_network_exported_in_training_can_be_trained_further(mode, file_format, tmp_path):
    net, x = nn.SequentialCell(nn.Dense(3, 2), nn.BatchNorm1d(2), nn.Tanh()).set_train(), Tensor(floats(4, 3))
    loaded = saved(net, x, folder=tmp_path, file_format=file_format).set_train()

    def gradients(network):
        return ms.grad(lambda x: (network(x) ** 2).sum(), 0, network.trainable_params())(x)

    (at_input, at_weights), (mine, my_weights) = gradients(net), gradients(loaded)
    same(mine, at_input)
    for one, other in zip(my_weights, at_weights, strict=True):
        same(one, other)


def test_a_gradient_through_a_graph_for_inference_is_refused_in_words(tmp_path):
    net = nn.Dense(3, 2).set_train(False)
    loaded = saved(net, Tensor(floats(4, 3)), folder=tmp_path, file_format="STABLEHLO")
    with pytest.raises(NotImplementedError, match=r"exported for inference.*net\.set_train\(\) to train it further"):
        ms.grad(lambda x: loaded(x).sum())(Tensor(floats(4, 3)))


# -- files --------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["AIR", "GEIR"])
def test_air_is_refused_with_a_reason(name, tmp_path):
    with pytest.raises(ValueError, match=rf"{name}' is a program for Ascend hardware.*MINDIR.*ONNX"):
        export(nn.ReLU(), Tensor([1.0]), file_name=str(tmp_path / "net"), file_format=name)
    with pytest.raises(ValueError, match="'AIR' is a program for Ascend"):
        export(nn.ReLU(), Tensor([1.0]), file_name=str(tmp_path / "net"))


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"file_format": "FOO"}, ValueError, r"must be one of \['AIR', 'ONNX', 'MINDIR', 'STABLEHLO'\], but got 'FOO'"),
        ({"file_name": 3}, TypeError, "'file_name' must be string, but got 3"),
        ({"file_name": ""}, ValueError, "'file_name' must not be empty"),
        ({"file_name": "folder/"}, ValueError, "'file_name' cannot be a directory path, but got 'folder/'"),
        ({"net": 3}, TypeError, "'net' must be a Cell or a function, but got 3"),
        ({"speed": 1}, TypeError, r"the options must be among .*but got \['speed'\]"),
        ({"enc_key": b"short"}, ValueError, "'enc_key' must have 16, 24 or 32 bytes for 'AES-GCM', but got 5"),
        ({"enc_key": b"0" * 16, "enc_mode": "X"}, ValueError, "'enc_mode' must be one of .*AES-GCM"),
        ({"enc_key": b"0" * 16, "file_format": "ONNX"}, ValueError, "only MINDIR files can be encrypted"),
    ],
)
def test_mistakes_are_told_before_anything_is_written(options, error, text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    net = options.pop("net", nn.ReLU())
    with pytest.raises(error, match=text):
        export(net, Tensor([1.0]), **{"file_name": "net", "file_format": "MINDIR", **options})
    assert os.listdir(tmp_path) == []


def test_the_suffix_is_added_where_it_is_missing_and_folders_are_made(tmp_path):
    for name in ("a", "b.mindir", "new/c"):
        export(nn.ReLU(), Tensor([1.0]), file_name=str(tmp_path / name), file_format="MINDIR")
    found = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.*")}
    assert found == {"a.mindir", "b.mindir", "new/c.mindir"}


def test_the_old_file_stays_when_writing_fails(tmp_path, monkeypatch):
    net, x = nn.Dense(3, 2), Tensor(floats(4, 3))
    saved(net, x, folder=tmp_path)
    before = (tmp_path / "net.mindir").read_bytes()

    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        saved(nn.Dense(3, 2), x, folder=tmp_path)
    assert (tmp_path / "net.mindir").read_bytes() == before
    assert os.listdir(tmp_path) == ["net.mindir"]


@pytest.mark.parametrize("cipher", ["AES-GCM", "AES-CBC"])
def test_an_encrypted_file_opens_with_its_key_only(cipher, tmp_path):
    net, x, key = nn.Dense(3, 2), Tensor(floats(4, 3)), b"0123456789abcdef"
    path = str(tmp_path / "net.mindir")
    export(net, x, file_name=path, file_format="MINDIR", enc_key=key, enc_mode=cipher)
    assert b"weight" not in Path(path).read_bytes()
    same(GraphCell(load(path, dec_key=key, dec_mode=cipher))(x), net(x))
    with pytest.raises(RuntimeError, match=r"is encrypted\. Give 'dec_key'"):
        load(path)
    with pytest.raises((RuntimeError, ValueError), match=re.escape(path)):
        load(path, dec_key=b"0" * 16, dec_mode=cipher)


def test_functions_of_the_users_encrypt_and_decrypt(tmp_path):
    def turned(data, key):
        return bytes(byte ^ key[0] for byte in data)

    net, x, path = nn.Dense(3, 2), Tensor(floats(4, 3)), str(tmp_path / "net.mindir")
    export(net, x, file_name=path, file_format="MINDIR", enc_key=b"k", enc_mode=turned)
    with pytest.raises(ValueError, match="does not begin like a graph"):
        load(path)
    opened = load(path, dec_key=b"k", dec_mode=lambda name, key: turned(Path(name).read_bytes(), key))
    same(GraphCell(opened)(x), net(x))


@pytest.mark.parametrize(
    ("name", "text"),
    [(3, "must be string"), ("net.txt", "should end with '.mindir'"), ("nowhere.mindir", "does not exist")],
)
def test_load_checks_its_argument(name, text):
    with pytest.raises(ValueError, match=text):
        load(name)


def test_a_damaged_file_of_mindspore_itself_is_recognised(tmp_path):
    path = tmp_path / "real.mindir"
    path.write_bytes(b"\n\x031.1\x12\tMindSpore*\x062.10.0:\xa1\x17" + bytes(200))
    with pytest.raises(ValueError, match=r"real.mindir.*message of type 'ModelProto'"):
        load(str(path))


# -- the recipe -----------------------------------------------------------------------------------------------------------
DOCUMENT = Path(__file__).absolute().parents[2] / "docs" / "inference.md"


def test_the_programs_of_the_inference_page_run_one_after_the_other(tmp_path):
    programs = re.findall(r"^```python\n# (\w+\.py)\n(.*?)^```$", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL)
    assert [name for name, _ in programs] == ["save.py", "predict.py", "serve.py"]
    for name, program in programs:
        (tmp_path / name).write_text(program)
    one_after_the_other = (
        "import runpy\nfor name in ['save', 'predict', 'serve']: runpy.run_path(f'{name}.py', run_name='__main__')"
    )
    command = [sys.executable, "-c", one_after_the_other, "--once"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert re.fullmatch(r'\(1000,\)\n\{"classes": \[\d, \d\]\}\n', run.stdout)
