"""Small networks of the kinds that are exported, for both: files that real MindSpore writes, and files that it reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops


def _numbers(*shape: int) -> Any:
    return Tensor(np.random.RandomState(sum(shape)).randn(*shape).astype(np.float32))


def _integers(high: int, *shape: int) -> Any:
    return Tensor(np.random.RandomState(high).randint(0, high, shape).astype(np.int32))


class LeNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 2, 5, pad_mode="valid")
        self.conv2 = nn.Conv2d(2, 4, 5, pad_mode="valid", has_bias=True)
        self.relu, self.pool, self.flatten = nn.ReLU(), nn.MaxPool2d(2, 2), nn.Flatten()
        self.fc1, self.fc2 = nn.Dense(64, 12, activation="relu"), nn.Dense(12, 10)

    def construct(self, x):
        x = self.pool(self.relu(self.conv2(self.pool(self.relu(self.conv1(x))))))
        return self.fc2(self.fc1(self.flatten(x)))


def _normalized(inputs: int, outputs: int, size: int, stride: int = 1, group: int = 1) -> Any:
    conv = nn.Conv2d(inputs, outputs, size, stride, pad_mode="same", group=group)
    return nn.SequentialCell(conv, nn.BatchNorm2d(outputs))


class Bottleneck(nn.Cell):
    def __init__(self, inputs, width, stride):
        super().__init__()
        self.first, self.second = _normalized(inputs, width, 1), _normalized(width, width, 3, stride)
        self.third, self.relu = _normalized(width, 4 * width, 1), nn.ReLU()
        self.shortcut = _normalized(inputs, 4 * width, 1, stride)

    def construct(self, x):
        y = self.third(self.relu(self.second(self.relu(self.first(x)))))
        return self.relu(y + self.shortcut(x))


class ResNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.stem, self.relu = _normalized(3, 4, 7, 2), nn.ReLU()
        self.pool = nn.MaxPool2d(3, 2, pad_mode="same")
        self.blocks = nn.SequentialCell(Bottleneck(4, 2, 1), Bottleneck(8, 4, 2))
        self.mean, self.flatten, self.fc = ops.ReduceMean(keep_dims=True), nn.Flatten(), nn.Dense(16, 5)

    def construct(self, x):
        x = self.blocks(self.pool(self.relu(self.stem(x))))
        return self.fc(self.flatten(self.mean(x, (2, 3))))


class MobileNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.expand, self.deep, self.project = _normalized(3, 6, 1), _normalized(6, 6, 3, 1, 6), _normalized(6, 3, 1)
        self.relu6, self.pool, self.drop = nn.ReLU6(), nn.AdaptiveAvgPool2d(1), nn.Dropout(p=0.2)
        self.fc = nn.Dense(3, 4)

    def construct(self, x):
        x = x + self.project(self.relu6(self.deep(self.relu6(self.expand(x)))))
        return self.fc(self.drop(self.pool(x).reshape(x.shape[0], -1)))


class Tagger(nn.Cell):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(20, 4)
        self.lstm = nn.LSTM(4, 3, num_layers=2, batch_first=True, bidirectional=True)
        self.fc = nn.Dense(6, 3)

    def construct(self, x):
        y, (h, c) = self.lstm(self.embedding(x))
        return self.fc(y[:, -1]), h, c


class Attention(nn.Cell):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.scale = heads, (width // heads) ** 0.5
        self.query, self.key, self.value = nn.Dense(width, width), nn.Dense(width, width), nn.Dense(width, width)
        self.out, self.softmax, self.drop = nn.Dense(width, width), nn.Softmax(-1), nn.Dropout(p=0.1)

    def split(self, x):
        batch, length, width = x.shape
        return x.reshape(batch, length, self.heads, width // self.heads).transpose(0, 2, 1, 3)

    def construct(self, x, mask):
        query, key, value = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        scores = ops.matmul(query, key.transpose(0, 1, 3, 2)) / self.scale + (1.0 - mask) * -10000.0
        y = ops.matmul(self.drop(self.softmax(scores)), value).transpose(0, 2, 1, 3)
        return self.out(y.reshape(x.shape))


class Encoder(nn.Cell):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(20, 8)
        self.positions = Parameter(_numbers(1, 9, 8), name="positions")
        self.attention, self.norm1, self.norm2 = Attention(8, 2), nn.LayerNorm((8,)), nn.LayerNorm((8,))
        self.up, self.gelu, self.down = nn.Dense(8, 16), nn.GELU(), nn.Dense(16, 8)
        self.pooler = nn.Dense(8, 8, activation="tanh")

    def construct(self, ids, mask):
        x = self.words(ids) + self.positions[:, : ids.shape[1]]
        x = self.norm1(x + self.attention(x, ops.cast(mask, ms.float32).expand_dims(1).expand_dims(1)))
        x = self.norm2(x + self.down(self.gelu(self.up(x))))
        return x, self.pooler(x[:, 0])


class Detector(nn.Cell):
    """Boxes by score; a loop over the best ones counts neighbours."""

    def __init__(self):
        super().__init__()
        self.conv, self.top = nn.Conv2d(3, 12, 3, has_bias=True), ops.TopK(True)
        self.anchors = Tensor(np.random.RandomState(1).rand(32, 4).astype(np.float32))

    def construct(self, x, limit):
        y = self.conv(x).transpose(0, 2, 3, 1).reshape(-1, 6)
        boxes = y[:, :4] * self.anchors + self.anchors
        scores, best = self.top(ops.sigmoid(y[:, 4]), 8)
        boxes = ops.gather(boxes, best, 0)
        kept = ops.zeros((8,), ms.float32)
        number = Tensor(0, ms.int32)
        while number < limit:
            if scores[number] > 0.5:
                near = ops.abs(boxes - boxes[number]).sum(1) < 1.0
                kept = kept + ops.cast(near, ms.float32)
            else:
                kept = kept - 0.5
            number = number + 1
        if kept.sum() > 3:
            return boxes, scores, kept
        return boxes * 2, scores, kept - 1


class Gate(nn.Cell):
    def __init__(self):
        super().__init__()
        self.scale, self.dense = Parameter(Tensor(3.0, ms.float32), name="scale"), nn.Dense(3, 3)

    def construct(self, x, y):
        if x.sum() > 0:  # noqa: SIM108 - a branch of the graph
            z = ops.relu(x) * self.scale
        else:
            z = self.dense(x) - y
        return z + 1


class Search(nn.Cell):
    """A loop that ends at two places."""

    def construct(self, x, limit):
        number = Tensor(0, ms.int32)
        while number < limit:
            x = x * 2
            if x.sum() > 50:
                break
            if x.sum() < -20:
                number = number + 2
                continue
            number = number + 1
        return x, number


class Pairs(nn.Cell):
    """Loops inside a loop, which end at several places; the last one returns."""

    def construct(self, x, limit):
        first = Tensor(0, ms.int32)
        while first < limit:
            second = Tensor(0, ms.int32)
            while second < first:
                x = x + 0.5
                if x.sum() > 4:
                    break
                second = second + 1
            third = Tensor(0, ms.int32)
            while third < 2:
                x = x * 1.25
                if x.sum() > 9:
                    return x, first
                third = third + 1
            first = first + 1
        return x - 1, first


class Upsampling(nn.Cell):
    """Sizes that are left open decide what is computed: `in` and `is` stand in the file."""

    def construct(self, x):
        return ops.interpolate(x, size=(6, 6), mode="bilinear", align_corners=True)


class Counter(nn.Cell):
    """Parameters that a graph writes, and results in tuples."""

    def __init__(self):
        super().__init__()
        self.count = Parameter(Tensor(2.0, ms.float32), name="count")

    def construct(self, x):
        self.count = self.count + x.sum()
        ops.assign_add(self.count, Tensor(1.0, ms.float32))
        return x * self.count, (x, [x + 1, 3]), ops.cast(x, ms.float16)


class Training(nn.Cell):
    """Batch statistics: exported with ``set_train()`` on."""

    def __init__(self):
        super().__init__()
        self.norm, self.dense = nn.BatchNorm1d(4), nn.Dense(4, 2)

    def construct(self, x):
        return self.dense(self.norm(x))


# name: (network, inputs, whether it is exported for training)
NETWORKS: dict[str, tuple[Callable[[], Any], Callable[[], list[Any]], bool]] = {
    "lenet": (LeNet, lambda: [_numbers(2, 1, 28, 28)], False),
    "resnet": (ResNet, lambda: [_numbers(2, 3, 32, 32)], False),
    "mobilenet": (MobileNet, lambda: [_numbers(2, 3, 8, 8)], False),
    "tagger": (Tagger, lambda: [_integers(20, 2, 7)], False),
    "encoder": (Encoder, lambda: [_integers(20, 2, 7), _integers(2, 2, 7)], False),
    "detector": (Detector, lambda: [_numbers(1, 3, 4, 4), Tensor(6, ms.int32)], False),
    "gate": (Gate, lambda: [_numbers(2, 3), _numbers(2, 3)], False),
    "search": (Search, lambda: [Tensor(np.array([1, 2], np.float32)), Tensor(9, ms.int32)], False),
    "pairs": (Pairs, lambda: [Tensor(np.array([-3, 1], np.float32)), Tensor(5, ms.int32)], False),
    "upsampling": (Upsampling, lambda: [_numbers(2, 1, 3, 3)], False),
    "counter": (Counter, lambda: [_numbers(2, 3)], False),
    "training": (Training, lambda: [_numbers(5, 4)], True),
}
# Inputs with open sizes, of files that have them.
OPEN = {
    "lenet": lambda: [Tensor(shape=[None, 1, 28, 28], dtype=ms.float32)],
    "mobilenet": lambda: [Tensor(shape=[None, 3, None, None], dtype=ms.float32)],
    "upsampling": lambda: [Tensor(shape=[None, 1, 3, 3], dtype=ms.float32)],
}
KEY = b"0123456789abcdef"


def made(name: str) -> tuple[Any, list[Any]]:
    """A network with its weights, and its inputs."""
    build, inputs, trains = NETWORKS[name]
    ms.set_seed(1)
    return build().set_train(trains), inputs()
