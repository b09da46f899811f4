"""Whole networks in the style of the model zoo train alike in both modes."""

import numpy as np
import pytest

import mindspore as ms
from examples.networks.bert import BertConfig, BertMaskedLanguageModel
from examples.networks.gpt import GPT
from examples.networks.lenet import LeNet5
from examples.networks.lstm_classifier import SentimentNet
from examples.networks.mobilenet_v2 import MobileNetV2
from examples.networks.resnet import ResNet, resnet50
from mindspore import Tensor, nn

RANDOM = np.random.RandomState(3)


def images(count, channels, size):
    return Tensor(RANDOM.rand(count, channels, size, size).astype(np.float32))


def classes(count, number):
    return Tensor(RANDOM.randint(0, number, count).astype(np.int32))


def classifier_step(net, optimizer):
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    return nn.TrainOneStepCell(nn.WithLossCell(net, loss), optimizer).set_train()


def lenet():
    net = LeNet5()
    return classifier_step(net, nn.Momentum(net.trainable_params(), 0.01, 0.9)), (images(4, 1, 32), classes(4, 10))


def small_resnet():
    net = ResNet([1, 1, 1, 1], width=8)
    decayed = [one for one in net.trainable_params() if "gamma" not in one.name and "beta" not in one.name]
    plain = [one for one in net.trainable_params() if "gamma" in one.name or "beta" in one.name]
    groups = [{"params": decayed, "weight_decay": 1e-4}, {"params": plain}, {"order_params": net.trainable_params()}]
    rates = nn.cosine_decay_lr(0.001, 0.05, 20, 5, 4)
    optimizer = nn.Momentum(groups, rates, 0.9, loss_scale=128.0)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), optimizer, sens=128.0).set_train()
    return step, (images(4, 3, 32), classes(4, 10))


def whole_resnet50():
    net = resnet50()
    return classifier_step(net, nn.Momentum(net.trainable_params(), 0.01, 0.9)), (images(2, 3, 64), classes(2, 10))


def small_mobilenet():
    net = MobileNetV2(
        width_mult=0.25, last_channel=64, dropout=0.0, settings=((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 1, 2))
    )
    optimizer = nn.RMSProp(net.trainable_params(), 0.005, decay=0.9, momentum=0.9)
    return classifier_step(net, optimizer), (images(4, 3, 32), classes(4, 10))


def whole_mobilenet():
    net = MobileNetV2(dropout=0.0)
    return classifier_step(net, nn.Momentum(net.trainable_params(), 0.01, 0.9)), (images(2, 3, 64), classes(2, 10))


def lstm_classifier():
    net = SentimentNet(50, 12, 8)
    step = classifier_step(net, nn.Adam(net.trainable_params(), 0.01))
    return step, (Tensor(RANDOM.randint(0, 50, (4, 10)).astype(np.int32)), classes(4, 2))


def bert():
    net = BertMaskedLanguageModel(BertConfig())
    warm = nn.WarmUpLR(0.01, 3)
    optimizer = nn.AdamWeightDecay(net.trainable_params(), warm, weight_decay=0.01)
    step = nn.TrainOneStepWithLossScaleCell(net, optimizer, nn.DynamicLossScaleUpdateCell(2**10, 2, 100)).set_train()
    tokens = RANDOM.randint(0, 128, (2, 16)).astype(np.int32)
    mask = np.ones((2, 16), np.int32)
    mask[1, 10:] = 0
    return step, (Tensor(tokens), Tensor(np.zeros_like(tokens)), Tensor(mask), Tensor(tokens[:, ::-1].copy()))


def gpt():
    net = GPT()
    loss = nn.CrossEntropyLoss()
    optimizer = nn.Adam(net.trainable_params(), nn.ExponentialDecayLR(0.01, 0.9, 2))

    class NextToken(nn.Cell):
        def __init__(self, network):
            super().__init__(auto_prefix=False)
            self.network = network
            self.loss = loss

        def construct(self, tokens):
            logits = self.network(tokens[:, :-1])
            return self.loss(logits.reshape(-1, logits.shape[-1]), tokens[:, 1:].reshape(-1))

    step = nn.TrainOneStepCell(NextToken(net), optimizer).set_train()
    return step, (Tensor(RANDOM.randint(0, 64, (2, 16)).astype(np.int32)),)


def train(build, mode, steps):
    """The losses of a few steps, starting from the same weights and data."""
    global RANDOM
    RANDOM = np.random.RandomState(3)
    ms.set_context(mode=mode)
    ms.set_seed(1)
    step, inputs = build()
    losses = []
    for _ in range(steps):
        result = step(*inputs)
        losses.append(float((result[0] if isinstance(result, tuple) else result).asnumpy()))
    return losses, {one.name: one.asnumpy() for one in step.network.get_parameters()}


# The losses of real MindSpore 2.10 (CPU, PyNative) for the same programs and seeds.
REAL = {
    lenet: [2.333314895629883, 2.330127716064453, 2.3240842819213867, 2.315493583679199],
    small_resnet: [2.563426971435547, 1.6163932085037231, 0.9343180656433105, 0.2043437659740448],
    small_mobilenet: [2.3414804935455322, 2.300751209259033, 2.232858180999756, 2.1492817401885986],
    lstm_classifier: [0.6998265981674194, 0.6922243237495422, 0.6918257474899292, 0.6910997629165649],
    bert: [4.825251579284668, 4.825251579284668, 4.477860450744629, 3.7375335693359375],
    gpt: [4.485060691833496, 3.955240488052368, 3.5682456493377686, 3.335263252258301],
}


def check_both_modes(build, steps=4, tolerance=2e-4):
    graph, graph_weights = train(build, ms.GRAPH_MODE, steps)
    eager, eager_weights = train(build, ms.PYNATIVE_MODE, steps)
    np.testing.assert_allclose(graph, eager, rtol=tolerance)
    if build in REAL:
        np.testing.assert_allclose(graph, REAL[build], rtol=tolerance)
    assert graph[-1] < graph[0], f"the loss does not fall: {graph}"
    for name, value in graph_weights.items():
        np.testing.assert_allclose(value, eager_weights[name], rtol=0.02, atol=2e-3, err_msg=name)


@pytest.mark.parametrize("build", [pytest.param(one, marks=[pytest.mark.heavy] * (one is bert)) for one in REAL])
def test_both_modes_give_the_losses_of_real_mindspore(build):
    check_both_modes(build)


@pytest.mark.heavy
@pytest.mark.parametrize("build", [whole_resnet50, whole_mobilenet])
def test_both_modes_give_the_same_first_losses_at_full_size(build):
    """Only the first: untrained and this deep, the networks answer a change of 1e-6 in the input with percents later on."""
    graph, _ = train(build, ms.GRAPH_MODE, 3)
    eager, _ = train(build, ms.PYNATIVE_MODE, 3)
    np.testing.assert_allclose(graph[0], eager[0], rtol=1e-4)
    np.testing.assert_allclose(graph[1], eager[1], rtol=0.1)
    assert graph[2] < graph[0] and eager[2] < eager[0]


def test_resnet50_has_the_parameters_of_the_model_zoo():
    net = resnet50()
    trainable = net.trainable_params()
    assert len(trainable) == 161
    assert sum(one.size for one in trainable) == 23_528_522
    assert "layer4.2.bn3.gamma" in {one.name for one in trainable}
