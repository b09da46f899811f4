"""ONNX files give in onnxruntime what the network gives here."""

import importlib
import os
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest

import mindspore as ms
from examples.networks.bert import BertConfig, BertModel
from examples.networks.gpt import GPT
from examples.networks.lenet import LeNet5
from examples.networks.lstm_classifier import SentimentNet
from examples.networks.mobilenet_v2 import MobileNetV2
from examples.networks.resnet import ResNet
from mindspore import Parameter, Tensor, nn, ops
from mindspore.train._formats.export import export

RANDOM = np.random.RandomState(5)


def floats(*shape):
    return RANDOM.randn(*shape).astype(np.float32)


def ints(high, *shape):
    return RANDOM.randint(0, high, shape).astype(np.int32)


def tensors(value):
    return tuple(map(tensors, value)) if isinstance(value, tuple) else Tensor(value)


def leaves(value):
    return [leaf for one in value for leaf in leaves(one)] if isinstance(value, (tuple, list)) else [value]


def session_of(net, *inputs, folder):
    path = str(folder / "net.onnx")
    export(net, *inputs, file_name=path, file_format="ONNX")
    return onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])


def check_same(session, net, inputs):
    expected = leaves(net(*map(tensors, inputs)))
    names = [one.name for one in session.get_inputs()]
    results = session.run(None, dict(zip(names, leaves(list(inputs)), strict=True)))
    for result, one in zip(results, expected, strict=True):
        assert result.dtype == one.asnumpy().dtype
        np.testing.assert_allclose(result, one.asnumpy(), rtol=1e-5, atol=2e-6)


# -- networks -----------------------------------------------------------------------------------------------------------
NETWORKS = {
    "lenet": (LeNet5, lambda n: [floats(n, 1, 32, 32)]),
    "resnet": (lambda: ResNet([1, 1, 1, 1], width=8), lambda n: [floats(n, 3, 32, 32)]),
    "mobilenet": (
        lambda: MobileNetV2(width_mult=0.25, last_channel=64, settings=((1, 16, 1, 1), (6, 24, 2, 2))),
        lambda n: [floats(n, 3, 32, 32)],
    ),
    "lstm": (lambda: SentimentNet(50, 12, 8), lambda n: [ints(50, n, 10)]),
    "bert": (lambda: BertModel(BertConfig()), lambda n: [ints(128, n, 16), ints(2, n, 16), ints(2, n, 16)]),
    "gpt": (GPT, lambda n: [ints(64, n, 16)]),
}


@pytest.mark.parametrize("network", NETWORKS)
def test_a_network_gives_the_same_for_any_size_of_the_batch(network, tmp_path):
    build, inputs = NETWORKS[network]
    net = build().set_train(False)
    described = [Tensor(shape=[None, *one.shape[1:]], dtype=Tensor(one).dtype) for one in inputs(1)]
    session = session_of(net, *described, folder=tmp_path)
    ms.set_context(mode=ms.GRAPH_MODE)
    whole = inputs(3)
    expected = net(*map(tensors, whole)).asnumpy()
    for count in (1, 3):
        fed = {one.name: array[:count] for one, array in zip(session.get_inputs(), whole, strict=True)}
        np.testing.assert_allclose(session.run(None, fed)[0], expected[:count], rtol=1e-5, atol=2e-6)


@pytest.mark.parametrize("layer", [lambda: nn.Conv2d(3, 2, 3, 2), lambda: nn.MaxPool2d(3, 2, pad_mode="same"),
                                   lambda: nn.Upsample(scale_factor=2.0, mode="bilinear", recompute_scale_factor=True)])  # fmt: skip
def test_heights_and_widths_may_be_open(layer, tmp_path):
    net = layer()
    session = session_of(net, Tensor(shape=[None, 3, None, None], dtype=ms.float32), folder=tmp_path)
    for shape in ((2, 3, 8, 8), (1, 3, 7, 9)):
        check_same(session, net, [floats(*shape)])


def test_names_are_those_of_the_program(tmp_path):
    net = LeNet5().set_train(False)
    session = session_of(net, Tensor(floats(2, 1, 32, 32)), folder=tmp_path)
    assert [(one.name, one.shape) for one in session.get_inputs()] == [("x", [2, 1, 32, 32])]
    model = onnx.load(str(tmp_path / "net.onnx"))
    weights = {one.name for one in model.graph.initializer}
    assert weights >= {one.name for one in net.get_parameters()}
    kinds = [node.op_type for node in model.graph.node]
    assert kinds.count("Conv") == 2 and kinds.count("MaxPool") == 2 and kinds.count("MatMul") == 3
    assert kinds.count("Relu") == 4


# -- layers -------------------------------------------------------------------------------------------------------------
class Written(nn.Cell):
    def construct(self, x):
        y = x * 1
        y[0] = 1.0
        y[1:, 2] = x[:2, 0]
        return y


class Grown(nn.Cell):
    def construct(self, x):
        while x.sum() < 100.0:
            x = x + 1.0
        return x


class Branched(nn.Cell):
    def construct(self, x):
        if x.sum() > 0:
            return x * 2
        return x - 1


ACTIVATIONS = ["ReLU", "ReLU6", "GELU", "Sigmoid", "Tanh", "Softmax", "LogSoftmax", "LeakyReLU", "ELU", "HSigmoid", "HSwish",
               "SiLU", "Mish", "LogSigmoid", "PReLU", "SoftShrink", "Hardtanh"]  # fmt: skip
LAYERS = {
    **{name: (getattr(nn, name), [floats(2, 4, 6)]) for name in ACTIVATIONS},
    "gelu with erf": (lambda: nn.GELU(approximate=False), [floats(2, 5)]),
    "dense on 3 axes": (lambda: nn.Dense(4, 3, activation="relu"), [floats(2, 5, 4)]),
    "bilinear": (lambda: nn.BiDense(4, 5, 3), [floats(2, 4), floats(2, 5)]),
    "conv1d": (lambda: nn.Conv1d(3, 4, 3, has_bias=True), [floats(2, 3, 9)]),
    "conv same": (lambda: nn.Conv2d(3, 4, 3, stride=2, has_bias=True), [floats(2, 3, 9, 9)]),
    "conv dilated, grouped": (
        lambda: nn.Conv2d(4, 8, 3, pad_mode="pad", padding=(1, 2, 0, 1), dilation=2, group=2),
        [floats(2, 4, 12, 12)],
    ),
    "conv3d": (lambda: nn.Conv3d(2, 3, 3), [floats(1, 2, 5, 5, 5)]),
    "conv transposed": (lambda: nn.Conv2dTranspose(3, 4, 3, stride=2), [floats(2, 3, 5, 5)]),
    "conv transposed, grouped": (
        lambda: nn.Conv2dTranspose(4, 6, 4, stride=2, pad_mode="pad", padding=1, group=2, has_bias=True),
        [floats(2, 4, 5, 5)],
    ),
    "conv transposed, gaps": (lambda: nn.Conv2dTranspose(3, 4, 2, stride=3, pad_mode="valid"), [floats(2, 3, 5, 5)]),
    "max pool": (lambda: nn.MaxPool2d(3, 2, pad_mode="same"), [floats(2, 3, 9, 9)]),
    "average pool": (lambda: nn.AvgPool2d(3, 2, pad_mode="same"), [floats(2, 3, 9, 9)]),
    "max pool 1d": (lambda: nn.MaxPool1d(3, 2), [floats(2, 3, 9)]),
    "average pool 3d": (lambda: nn.AvgPool3d(2, 2), [floats(1, 2, 4, 4, 4)]),
    "adaptive pool": (lambda: nn.AdaptiveAvgPool2d(4), [floats(2, 3, 9, 9)]),
    "batch norm": (lambda: nn.BatchNorm2d(3), [floats(2, 3, 5, 5)]),
    "layer norm": (lambda: nn.LayerNorm((6,)), [floats(2, 3, 6)]),
    "group norm": (lambda: nn.GroupNorm(2, 4), [floats(2, 4, 5, 5)]),
    "instance norm": (lambda: nn.InstanceNorm2d(4), [floats(2, 4, 5, 5)]),
    "dropout": (lambda: nn.Dropout(p=0.5), [floats(2, 3)]),
    "embedding": (lambda: nn.Embedding(10, 4), [ints(10, 2, 5)]),
    "one hot": (lambda: nn.OneHot(depth=5), [ints(5, 2, 3)]),
    "lstm": (lambda: nn.LSTM(4, 5, 2, bidirectional=True, batch_first=True), [floats(2, 7, 4)]),
    "gru": (lambda: nn.GRU(4, 5), [floats(7, 2, 4)]),
    "lstm cell": (lambda: nn.LSTMCell(4, 5), [floats(2, 4), (floats(2, 5), floats(2, 5))]),
    "attention": (lambda: nn.MultiheadAttention(8, 2, batch_first=True), [floats(2, 5, 8)] * 3),
    "transformer layer": (lambda: nn.TransformerDecoderLayer(8, 2, 16), [floats(5, 2, 8), floats(6, 2, 8)]),
    "pixel shuffle": (lambda: nn.PixelShuffle(2), [floats(2, 8, 3, 3)]),
    "padding, cutting": (lambda: nn.ZeroPad2d((1, 2, 0, -1)), [floats(2, 3, 5, 5)]),
    "reflection": (lambda: nn.ReflectionPad2d(2), [floats(2, 3, 5, 5)]),
    "replication": (lambda: nn.ReplicationPad2d(2), [floats(2, 3, 5, 5)]),
    "resize": (lambda: nn.Upsample(size=(8, 9), mode="bilinear", align_corners=True), [floats(2, 3, 5, 5)]),
    "cross entropy": (nn.CrossEntropyLoss, [floats(4, 5), ints(5, 4)]),
    "written in place": (Written, [floats(3, 4)]),
    "a loop": (Grown, [np.abs(floats(3, 4))]),
    "a branch": (Branched, [floats(3, 4)]),
}
FUNCTIONS = {
    "mean and deviation": (lambda x: x.mean(0) + x.std(0), [floats(3, 4)]),
    "order": (lambda x: (ops.sort(x), ops.argsort(x), ops.topk(x, 2)), [floats(3, 4)]),
    "extremes": (
        lambda x: (x.max(1, keepdims=True), x.min(), ops.argmax(x, 1), ops.argmin(x, 0), ops.maximum(x, 0.1)),
        [floats(3, 4)],
    ),
    "cumulation": (lambda x: (ops.cumsum(x, 1), ops.cumprod(x, 1), ops.cummax(x, 1), ops.cummin(x, 0)), [floats(3, 5)]),
    "einsum": (lambda x, y: ops.einsum("bij,bkj->bik", x, y), [floats(2, 3, 4), floats(2, 5, 4)]),
    "tensor dot": (lambda x, y: ops.tensor_dot(x, y, 2), [floats(2, 3, 4), floats(3, 4, 5)]),
    "inner product": (lambda x, y: ops.matmul(x, y), [floats(4), floats(4)]),
    "gather": (
        lambda x, i: (ops.gather(x, i, 1), x[:, i], ops.gather_nd(x, i.reshape(-1, 1))),
        [floats(3, 4), ints(3, 2)],
    ),
    "gather elements": (lambda x, i: ops.gather_elements(x, 1, i), [floats(3, 4), ints(4, 3, 2)]),
    "indices": (lambda x, i, j: x[i, :, j], [floats(3, 4, 2), ints(3, 5), ints(2, 5)]),
    "scatter": (lambda x, i: ops.tensor_scatter_add(x, i, x[:2]), [floats(3, 4), ints(3, 2, 1)]),
    "parts": (lambda x: (ops.concat(ops.split(x, 2, 1)[::-1], 0), ops.stack(ops.unbind(x, 0), 1)), [floats(3, 4)]),
    "places": (lambda x: (ops.roll(ops.flip(x, (0,)), 1, 1), ops.tile(x, (2, 1, 3)), ops.tril(x)), [floats(3, 4)]),
    "logic": (
        lambda x: ((x > 0).any(1), (x > 0).all(0), ops.logical_and(x > 0, x != 1), ops.isfinite(x)),
        [floats(3, 4)],
    ),
    "integers": (lambda x: (x // 3, x % 3, x & 6, x | 1, x ^ 5), [ints(20, 3, 4)]),
    "rounding": (lambda x: (ops.round(x), ops.floor_mod(x, 2.0), ops.trunc(x), x.astype(ms.int32)), [floats(3, 4) * 3]),
    "powers": (lambda x: x**3 + ops.sqrt(x) + ops.log1p(x) + ops.expm1(x) + ops.rsqrt(x), [np.abs(floats(3, 4)) + 1]),
    "angles": (lambda x: ops.sin(x) + ops.tan(x) + ops.atan2(x, x + 1) + ops.sinh(x) + ops.acos(x / 9), [floats(3, 4)]),
    "clipping": (lambda x: ops.clip(x, -0.5, 0.5), [floats(3, 4)]),
    "half precision": (lambda x: x.astype(ms.float16) * 2, [floats(3, 4)]),
}


@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_gives_the_same(layer, tmp_path):
    build, inputs = LAYERS[layer]
    net = build().set_train(False)
    check_same(session_of(net, *map(tensors, inputs), folder=tmp_path), net, inputs)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_gives_the_same(function, tmp_path):
    compute, inputs = FUNCTIONS[function]
    check_same(session_of(compute, *map(tensors, inputs), folder=tmp_path), compute, inputs)


@pytest.mark.parametrize(
    ("function", "opset"),
    [("order", 11), ("extremes", 9), ("gather", 9), ("tensor dot", 9), ("rounding", 9), ("cumulation", 9)],
)
def test_a_function_gives_the_same_in_an_older_operator_set(function, opset, tmp_path):
    compute, inputs = FUNCTIONS[function]
    path = str(tmp_path / "old.onnx")
    export(compute, *map(tensors, inputs), file_name=path, file_format="ONNX", opset=opset)
    check_same(onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"]), compute, inputs)


def test_what_an_older_operator_set_lacks_is_named(tmp_path):
    compute, inputs = FUNCTIONS["order"]
    with pytest.raises(
        ValueError, match=r"(?s)in the operator set 9:.*GatherElements, before opset 11.*larger 'opset'"
    ):
        export(compute, *map(tensors, inputs), file_name=str(tmp_path / "old"), file_format="ONNX", opset=9)
    assert os.listdir(tmp_path) == []


# -- what cannot be written -----------------------------------------------------------------------------------------------
def test_everything_without_a_form_is_named_at_once_with_its_line(tmp_path):
    class Odd(nn.Cell):
        def construct(self, x):
            y = ops.igamma(x, x) + ops.igamma(x, x + 1)  # first line
            return ops.svd(y)[0]  # second line

    with pytest.raises(ValueError, match="Odd cannot be written as ONNX") as caught:
        session_of(Odd(), Tensor(floats(3, 3)), folder=tmp_path)
    text = str(caught.value)
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    first = 1 + next(i for i, line in enumerate(lines) if line.endswith("# first line"))
    assert f"igamma (2 x), at {__file__}:{first}" in text
    assert "svd (1 x)" in text and f"{__file__}:{first + 1}" in text
    assert os.listdir(tmp_path) == []


def test_dropout_in_training_is_refused(tmp_path):
    with pytest.raises(ValueError, match="cannot be written as ONNX"):
        session_of(nn.Dropout(p=0.5).set_train(), Tensor(floats(3, 3)), folder=tmp_path)


def test_without_the_package_the_extra_is_named(tmp_path, monkeypatch):
    found = importlib.import_module

    def missing(name, *rest):
        if name.partition(".")[0] == "onnx":
            raise ImportError(name)
        return found(name, *rest)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(ImportError, match=r"pip install mycelium\[onnx\]"):
        session_of(nn.ReLU(), Tensor(floats(3)), folder=tmp_path)


def test_a_function_of_the_users_sees_the_model_before_it_is_written(tmp_path):
    def describe(model):
        model.doc_string = "made by a test"

    path = str(tmp_path / "net")
    export(nn.ReLU(), Tensor(floats(3)), file_name=path, file_format="ONNX", custom_func=describe)
    assert onnx.load(f"{path}.onnx").doc_string == "made by a test"


def test_parameters_keep_their_names_where_an_input_has_the_same(tmp_path):
    class Named(nn.Cell):
        def __init__(self):
            super().__init__()
            self.x = Parameter(Tensor(floats(3)), name="x")

        def construct(self, x):
            return x + self.x

    net, x = Named(), floats(3)
    check_same(session_of(net, Tensor(x), folder=tmp_path), net, [x])
