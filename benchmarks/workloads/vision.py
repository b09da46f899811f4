"""Steps of networks for images and volumes: 3-D convolutions, U-Nets, an EfficientNet-like one, a detection head."""

from __future__ import annotations

import numpy as np

from benchmarks.workloads.building import (
    RANDOM,
    Step,
    classes,
    classifier_step,
    numbers,
    one_step,
    pictures,
    with_cross_entropy,
)  # fmt: skip
from mindspore import Tensor, nn, ops


class Volumes(nn.Cell):
    """Two 3-D convolutions and a classifier."""

    def __init__(self, channels: int):
        super().__init__()
        self.first = nn.Conv3d(3, channels, 3, pad_mode="pad", padding=1, has_bias=True)
        self.second = nn.Conv3d(channels, 2 * channels, 3, pad_mode="pad", padding=1, has_bias=True)
        self.pool = nn.MaxPool3d(2, 2)
        self.head = nn.Dense(2 * channels, 10)

    def construct(self, x: Tensor) -> Tensor:
        x = self.pool(ops.relu(self.first(x)))
        return self.head(ops.relu(self.second(x)).mean((2, 3, 4)))


def volumes(batch: int, depth: int, size: int, channels: int) -> Step:
    network = Volumes(channels)
    optimizer = nn.Momentum(network.trainable_params(), 0.01, 0.9)
    return one_step(with_cross_entropy(network), optimizer, numbers(batch, 3, depth, size, size), classes(batch, 10))


def twice(inputs: int, outputs: int) -> nn.SequentialCell:
    """Two convolutions, each normalized."""
    layers = []
    for channels in (inputs, outputs):
        layers += [nn.Conv2d(channels, outputs, 3), nn.BatchNorm2d(outputs), nn.ReLU()]
    return nn.SequentialCell(*layers)


class UNet(nn.Cell):
    """Down to a quarter of the size and up again, with what each size had beside it; classes of pixels."""

    def __init__(self, width: int, count: int):
        super().__init__()
        self.down = nn.CellList([twice(3, width), twice(width, 2 * width), twice(2 * width, 4 * width)])
        self.pool = nn.MaxPool2d(2, 2)
        self.up = nn.CellList(
            [nn.Conv2dTranspose(width * 4, width * 2, 2, 2), nn.Conv2dTranspose(width * 2, width, 2, 2)]
        )
        self.join = nn.CellList([twice(width * 4, width * 2), twice(width * 2, width)])
        self.head = nn.Conv2d(width, count, 1, has_bias=True)

    def construct(self, x: Tensor) -> Tensor:
        first = self.down[0](x)
        second = self.down[1](self.pool(first))
        x = self.up[0](self.down[2](self.pool(second)))
        x = self.join[0](ops.concat((x, second), 1))
        x = self.join[1](ops.concat((self.up[1](x), first), 1))
        return self.head(x)


class PixelClasses(nn.Cell):
    """The mean loss over all pixels."""

    def __init__(self, network: nn.Cell):
        super().__init__(auto_prefix=False)
        self.network = network

    def construct(self, x: Tensor, labels: Tensor) -> Tensor:
        return ops.cross_entropy(self.network(x), labels)


def unet(batch: int, size: int, width: int) -> Step:
    network = PixelClasses(UNet(width, 4))
    labels = Tensor(RANDOM.randint(0, 4, (batch, size, size)).astype(np.int32))
    return one_step(network, nn.Adam(network.trainable_params(), 1e-3), pictures(batch, 3, size), labels)


class Residual(nn.Cell):
    """Two convolutions after normalization by groups, moved by the time in between."""

    def __init__(self, inputs: int, outputs: int, time: int):
        super().__init__()
        self.norm1, self.norm2 = nn.GroupNorm(8, inputs), nn.GroupNorm(8, outputs)
        self.conv1, self.conv2 = (
            nn.Conv2d(inputs, outputs, 3, has_bias=True),
            nn.Conv2d(outputs, outputs, 3, has_bias=True),
        )
        self.time = nn.Dense(time, outputs)
        self.shortcut = nn.Conv2d(inputs, outputs, 1, has_bias=True)

    def construct(self, x: Tensor, time: Tensor) -> Tensor:
        y = self.conv1(ops.silu(self.norm1(x))) + self.time(time).expand_dims(2).expand_dims(3)
        return self.conv2(ops.silu(self.norm2(y))) + self.shortcut(x)


class PixelAttention(nn.Cell):
    """Every pixel attends to every other."""

    def __init__(self, width: int):
        super().__init__()
        self.norm, self.qkv = nn.GroupNorm(8, width), nn.Conv2d(width, 3 * width, 1, has_bias=True)
        self.projection = nn.Conv2d(width, width, 1, has_bias=True)

    def construct(self, x: Tensor) -> Tensor:
        batch, width, height, breadth = x.shape
        qkv = self.qkv(self.norm(x)).reshape(batch, 3, width, height * breadth)
        scores = ops.softmax(ops.bmm(qkv[:, 0].swapaxes(1, 2), qkv[:, 1]) * width**-0.5, -1)
        y = ops.bmm(qkv[:, 2], scores.swapaxes(1, 2))
        return x + self.projection(y.reshape(batch, width, height, breadth))


class Denoiser(nn.Cell):
    """A small U-Net of diffusion: predicts the noise of an image at a time; the loss is its square error."""

    def __init__(self, width: int):
        super().__init__()
        self.width = width
        time = 4 * width
        self.embedding = nn.SequentialCell(nn.Dense(width, time), nn.SiLU(), nn.Dense(time, time))
        self.stem = nn.Conv2d(3, width, 3, has_bias=True)
        self.down1, self.down2 = Residual(width, width, time), Residual(width, 2 * width, time)
        self.smaller = nn.Conv2d(width, width, 3, 2, has_bias=True)
        self.attention, self.middle = PixelAttention(2 * width), Residual(2 * width, 2 * width, time)
        self.larger = nn.Conv2dTranspose(2 * width, width, 2, 2, has_bias=True)
        self.up = Residual(2 * width, width, time)
        self.head = nn.Conv2d(width, 3, 3, has_bias=True)
        rates = np.exp(-np.log(10_000) * np.arange(width // 2) / (width // 2))
        self.rates = Tensor(rates.astype(np.float32))

    def construct(self, x: Tensor, time: Tensor, noise: Tensor) -> Tensor:
        angles = time.expand_dims(1) * self.rates
        time = self.embedding(ops.concat((ops.sin(angles), ops.cos(angles)), 1))
        first = self.down1(self.stem(x), time)
        y = self.middle(self.attention(self.down2(self.smaller(first), time)), time)
        y = self.up(ops.concat((self.larger(y), first), 1), time)
        return ops.mse_loss(self.head(ops.silu(y)), noise)


def diffusion(batch: int, size: int, width: int) -> Step:
    network = Denoiser(width)
    times = Tensor(RANDOM.randint(0, 1000, batch).astype(np.float32))
    optimizer = nn.AdamWeightDecay(network.trainable_params(), 1e-4)
    return one_step(network, optimizer, pictures(batch, 3, size), times, numbers(batch, 3, size, size))


class Squeeze(nn.Cell):
    """Channels are scaled by what all pixels say together."""

    def __init__(self, channels: int, hidden: int):
        super().__init__()
        self.reduce, self.expand = (
            nn.Conv2d(channels, hidden, 1, has_bias=True),
            nn.Conv2d(hidden, channels, 1, has_bias=True),
        )

    def construct(self, x: Tensor) -> Tensor:
        y = ops.silu(self.reduce(x.mean((2, 3), keep_dims=True)))
        return x * ops.sigmoid(self.expand(y))


class MobileBlock(nn.Cell):
    """Widen, convolve depthwise, squeeze, narrow."""

    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int, expansion: int):
        super().__init__()
        hidden = inputs * expansion
        self.residual = stride == 1 and inputs == outputs
        widen = [nn.Conv2d(inputs, hidden, 1), nn.BatchNorm2d(hidden), nn.SiLU()] if expansion > 1 else []
        depthwise = nn.Conv2d(hidden, hidden, kernel, stride, "pad", kernel // 2, group=hidden)
        self.layers = nn.SequentialCell(
            *widen, depthwise, nn.BatchNorm2d(hidden), nn.SiLU(), Squeeze(hidden, max(1, inputs // 4)),
            nn.Conv2d(hidden, outputs, 1), nn.BatchNorm2d(outputs),
        )  # fmt: skip

    def construct(self, x: Tensor) -> Tensor:
        return x + self.layers(x) if self.residual else self.layers(x)


# inputs, outputs, kernel, stride, expansion
MOBILE_BLOCKS = (
    (16, 16, 3, 1, 1), (16, 24, 3, 2, 6), (24, 24, 3, 1, 6), (24, 40, 5, 2, 6), (40, 40, 5, 1, 6),
    (40, 80, 3, 2, 6), (80, 80, 3, 1, 6), (80, 112, 5, 1, 6), (112, 112, 5, 1, 6),
)  # fmt: skip


class EfficientNet(nn.Cell):
    """Nine blocks between a stem and a classifier."""

    def __init__(self, count: int):
        super().__init__()
        self.stem = nn.SequentialCell(nn.Conv2d(3, 16, 3, 2, "pad", 1), nn.BatchNorm2d(16), nn.SiLU())
        self.blocks = nn.SequentialCell(*[MobileBlock(*each) for each in MOBILE_BLOCKS])
        self.top = nn.SequentialCell(nn.Conv2d(112, 448, 1), nn.BatchNorm2d(448), nn.SiLU())
        self.head = nn.Dense(448, count)

    def construct(self, x: Tensor) -> Tensor:
        return self.head(self.top(self.blocks(self.stem(x))).mean((2, 3)))


def efficientnet(batch: int, size: int) -> Step:
    network = EfficientNet(100)
    return classifier_step(network, nn.Momentum(network.trainable_params(), 0.01, 0.9), batch, 3, size, 100)


class Detector(nn.Cell):
    """Boxes and scores at every place of a feature map; the best of them that do not overlap much."""

    def __init__(self, channels: int, grid: int, best: int):
        super().__init__()
        self.best = best
        self.tower = nn.SequentialCell(
            nn.Conv2d(channels, channels, 3, has_bias=True),
            nn.ReLU(),
            nn.Conv2d(channels, channels, 3, has_bias=True),
            nn.ReLU(),
        )
        self.boxes, self.scores = nn.Conv2d(channels, 4, 1, has_bias=True), nn.Conv2d(channels, 1, 1, has_bias=True)
        y, x = np.meshgrid(np.arange(grid), np.arange(grid), indexing="ij")
        self.centres = Tensor(np.stack((x, y), -1).reshape(-1, 2).astype(np.float32))
        self.nms = ops.NMSWithMask(0.5)

    def construct(self, features: Tensor) -> tuple[Tensor, Tensor]:
        features = self.tower(features)
        sizes = ops.exp(self.boxes(features)[0]).reshape(4, -1).swapaxes(0, 1)
        boxes = ops.concat((self.centres - sizes[:, :2], self.centres + sizes[:, 2:]), 1)
        scores, places = ops.topk(ops.sigmoid(self.scores(features).reshape(-1)), self.best)
        found, _, kept = self.nms(ops.concat((boxes[places], scores.expand_dims(1)), 1))
        return found, kept


def detection(channels: int, grid: int, best: int) -> Step:
    network = Detector(channels, grid, best).set_train(False)
    features = numbers(1, channels, grid, grid)
    return lambda: network(features)[0]


STEPS = (volumes, unet, diffusion, efficientnet, detection)
