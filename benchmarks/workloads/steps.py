"""Training steps that run alike under any MindSpore: ``python steps.py NAME MODE SIZES`` serves one of them.

Sizes are a JSON object; each function says with its arguments which there are.
"""

from __future__ import annotations

import json
import sys

import numpy as np

import mindspore as ms
import mindspore.dataset as ds
from benchmarks.peers.worker_loop import serve
from benchmarks.workloads import science, sequences, vision
from benchmarks.workloads.building import RANDOM, Step, classifier_step, one_step, pictures, with_cross_entropy, words
from examples.networks.bert import BertConfig, BertMaskedLanguageModel
from examples.networks.gpt import GPT
from examples.networks.lenet import LeNet5
from examples.networks.lstm_classifier import SentimentNet
from examples.networks.mobilenet_v2 import MobileNetV2
from examples.networks.resnet import ResNet
from mindspore import Model, Tensor, nn


def lenet(batch: int) -> Step:
    network = LeNet5()
    return classifier_step(network, nn.Momentum(network.trainable_params(), 0.01, 0.9), batch, 1, 32, 10)


def lenet_sink(batch: int, steps: int) -> Step:
    """An epoch of so many steps through ``Model``, the data kept in memory."""
    network = LeNet5()
    images = RANDOM.rand(batch * steps, 1, 32, 32).astype(np.float32)
    labels = RANDOM.randint(0, 10, batch * steps).astype(np.int32)
    data = ds.NumpySlicesDataset((images, labels), ["image", "label"], shuffle=False).batch(batch)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    model = Model(network, loss, nn.Momentum(network.trainable_params(), 0.01, 0.9))
    parameter = network.trainable_params()[-1]

    def epoch() -> Tensor:
        model.train(1, data, dataset_sink_mode=True)
        return parameter

    return epoch


def resnet50(batch: int, size: int, blocks: tuple[int, ...] = (3, 4, 6, 3), width: int = 64) -> Step:
    network = ResNet(list(blocks), 1000, width)
    return classifier_step(network, nn.Momentum(network.trainable_params(), 0.01, 0.9), batch, 3, size, 1000)


def resnet50_inference(batch: int, size: int, blocks: tuple[int, ...] = (3, 4, 6, 3), width: int = 64) -> Step:
    network = ResNet(list(blocks), 1000, width).set_train(False)
    images = pictures(batch, 3, size)
    return lambda: network(images)


def mobilenet_v2(batch: int, size: int, width: float = 1.0) -> Step:
    network = MobileNetV2(1000, width_mult=width)
    return classifier_step(network, nn.Momentum(network.trainable_params(), 0.01, 0.9), batch, 3, size, 1000)


class NextToken(nn.Cell):
    """The mean loss of the tokens that follow."""

    def __init__(self, network: nn.Cell):
        super().__init__(auto_prefix=False)
        self.network = network
        self.loss = nn.CrossEntropyLoss()

    def construct(self, tokens: Tensor, following: Tensor) -> Tensor:
        logits = self.network(tokens)
        return self.loss(logits.reshape((-1, logits.shape[-1])), following.reshape((-1,)))


def gpt(batch: int, length: int, layers: int, width: int, heads: int, vocabulary: int) -> Step:
    network = NextToken(GPT(vocabulary, width, layers, heads, length))
    optimizer = nn.AdamWeightDecay(network.trainable_params(), 1e-4, weight_decay=0.01)
    return one_step(network, optimizer, words(batch, length, vocabulary), words(batch, length, vocabulary))


def bert(batch: int, length: int, layers: int, width: int, heads: int, vocabulary: int) -> Step:
    network = BertMaskedLanguageModel(BertConfig(vocabulary, width, layers, heads, length))
    optimizer = nn.Adam(network.trainable_params(), 1e-4)
    mask = Tensor((np.arange(length) < RANDOM.randint(length // 2, length + 1, (batch, 1))).astype(np.int32))
    kinds = Tensor(np.zeros((batch, length), np.int32))
    tokens, labels = words(batch, length, vocabulary), words(batch, length, vocabulary)
    return one_step(network, optimizer, tokens, kinds, mask, labels)


def lstm(batch: int, length: int, width: int, hidden: int, vocabulary: int) -> Step:
    network = SentimentNet(vocabulary, width, hidden)
    loss = with_cross_entropy(network)
    labels = Tensor(RANDOM.randint(0, 2, batch).astype(np.int32))
    return one_step(loss, nn.Adam(network.trainable_params(), 1e-3), words(batch, length, vocabulary), labels)


STEPS = {
    step.__name__: step
    for step in (lenet, lenet_sink, resnet50, resnet50_inference, mobilenet_v2, gpt, bert, lstm,
                 *vision.STEPS, *sequences.STEPS, *science.STEPS)
}  # fmt: skip


def serve_step(name: str, mode: str, sizes: str) -> None:
    ms.set_context(mode=ms.PYNATIVE_MODE if mode == "pynative" else ms.GRAPH_MODE)
    ms.set_seed(1)
    serve(STEPS[name](**json.loads(sizes)), lambda result: result.asnumpy())


if __name__ == "__main__":
    serve_step(*sys.argv[1:])
