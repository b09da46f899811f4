"""The programs of ``workloads/vision.py`` in PyTorch, layer by layer the same shapes."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn, optim
from torch.nn import functional as F

from benchmarks.peers.torch_building import Step, classifier_step, descent, momentum, training


class Volumes(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first, self.second = nn.Conv3d(3, channels, 3, padding=1), nn.Conv3d(channels, 2 * channels, 3, padding=1)
        self.head = nn.Linear(2 * channels, 10)

    def forward(self, x: Tensor) -> Tensor:
        x = F.max_pool3d(F.relu(self.first(x)), 2)
        return self.head(F.relu(self.second(x)).mean((2, 3, 4)))


def volumes(batch: int, depth: int, size: int, channels: int) -> Step:
    network = Volumes(channels)
    step = training(network, momentum(network))
    x, y = torch.randn(batch, 3, depth, size, size), torch.randint(10, (batch,))
    return lambda: step((x,), y)


def twice(inputs: int, outputs: int) -> nn.Sequential:
    layers: list[nn.Module] = []
    for channels in (inputs, outputs):
        layers += [
            nn.Conv2d(channels, outputs, 3, padding=1, bias=False),
            nn.BatchNorm2d(outputs),
            nn.ReLU(inplace=True),
        ]
    return nn.Sequential(*layers)


class UNet(nn.Module):
    def __init__(self, width: int, count: int) -> None:
        super().__init__()
        self.down = nn.ModuleList([twice(3, width), twice(width, 2 * width), twice(2 * width, 4 * width)])
        pairs = ((width * 4, width * 2), (width * 2, width))
        self.up = nn.ModuleList(nn.ConvTranspose2d(*pair, 2, 2, bias=False) for pair in pairs)
        self.join = nn.ModuleList(twice(*pair) for pair in pairs)
        self.head = nn.Conv2d(width, count, 1)

    def forward(self, x: Tensor) -> Tensor:
        first = self.down[0](x)
        second = self.down[1](F.max_pool2d(first, 2))
        x = self.up[0](self.down[2](F.max_pool2d(second, 2)))
        x = self.join[0](torch.cat((x, second), 1))
        return self.head(self.join[1](torch.cat((self.up[1](x), first), 1)))


def unet(batch: int, size: int, width: int) -> Step:
    network = UNet(width, 4)
    step = descent(lambda x, y: F.cross_entropy(network(x), y), optim.Adam(network.parameters(), 1e-3))
    x, y = torch.rand(batch, 3, size, size), torch.randint(4, (batch, size, size))
    return lambda: step(x, y)


class Residual(nn.Module):
    def __init__(self, inputs: int, outputs: int, time: int) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.GroupNorm(8, inputs), nn.GroupNorm(8, outputs)
        self.conv1, self.conv2 = nn.Conv2d(inputs, outputs, 3, padding=1), nn.Conv2d(outputs, outputs, 3, padding=1)
        self.time, self.shortcut = nn.Linear(time, outputs), nn.Conv2d(inputs, outputs, 1)

    def forward(self, x: Tensor, time: Tensor) -> Tensor:
        y = self.conv1(F.silu(self.norm1(x))) + self.time(time)[:, :, None, None]
        return self.conv2(F.silu(self.norm2(y))) + self.shortcut(x)


class PixelAttention(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm, self.qkv = nn.GroupNorm(8, width), nn.Conv2d(width, 3 * width, 1)
        self.projection = nn.Conv2d(width, width, 1)

    def forward(self, x: Tensor) -> Tensor:
        query, key, value = self.qkv(self.norm(x)).flatten(2).chunk(3, 1)
        y = F.scaled_dot_product_attention(query.transpose(1, 2), key.transpose(1, 2), value.transpose(1, 2))
        return x + self.projection(y.transpose(1, 2).reshape(x.shape))


class Denoiser(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        time = 4 * width
        self.embedding = nn.Sequential(nn.Linear(width, time), nn.SiLU(), nn.Linear(time, time))
        self.stem = nn.Conv2d(3, width, 3, padding=1)
        self.down1, self.down2 = Residual(width, width, time), Residual(width, 2 * width, time)
        self.smaller = nn.Conv2d(width, width, 3, 2, 1)
        self.attention, self.middle = PixelAttention(2 * width), Residual(2 * width, 2 * width, time)
        self.larger = nn.ConvTranspose2d(2 * width, width, 2, 2)
        self.up, self.head = Residual(2 * width, width, time), nn.Conv2d(width, 3, 3, padding=1)
        self.register_buffer("rates", torch.exp(-math.log(10_000) * torch.arange(width // 2) / (width // 2)))

    def forward(self, x: Tensor, time: Tensor, noise: Tensor) -> Tensor:
        angles = time[:, None] * self.rates
        time = self.embedding(torch.cat((angles.sin(), angles.cos()), 1))
        first = self.down1(self.stem(x), time)
        y = self.middle(self.attention(self.down2(self.smaller(first), time)), time)
        y = self.up(torch.cat((self.larger(y), first), 1), time)
        return F.mse_loss(self.head(F.silu(y)), noise)


def diffusion(batch: int, size: int, width: int) -> Step:
    network = Denoiser(width)
    step = descent(network, optim.AdamW(network.parameters(), 1e-4))
    x, noise = torch.rand(batch, 3, size, size), torch.randn(batch, 3, size, size)
    time = torch.randint(1000, (batch,)).float()
    return lambda: step(x, time, noise)


class Squeeze(nn.Module):
    def __init__(self, channels: int, hidden: int) -> None:
        super().__init__()
        self.reduce, self.expand = nn.Conv2d(channels, hidden, 1), nn.Conv2d(hidden, channels, 1)

    def forward(self, x: Tensor) -> Tensor:
        return x * torch.sigmoid(self.expand(F.silu(self.reduce(x.mean((2, 3), keepdim=True)))))


class MobileBlock(nn.Module):
    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int, expansion: int) -> None:
        super().__init__()
        hidden = inputs * expansion
        self.residual = stride == 1 and inputs == outputs
        widen: list[nn.Module] = []
        if expansion > 1:
            widen = [nn.Conv2d(inputs, hidden, 1, bias=False), nn.BatchNorm2d(hidden), nn.SiLU(inplace=True)]
        self.layers = nn.Sequential(
            *widen, nn.Conv2d(hidden, hidden, kernel, stride, kernel // 2, groups=hidden, bias=False),
            nn.BatchNorm2d(hidden), nn.SiLU(inplace=True), Squeeze(hidden, max(1, inputs // 4)),
            nn.Conv2d(hidden, outputs, 1, bias=False), nn.BatchNorm2d(outputs),
        )  # fmt: skip

    def forward(self, x: Tensor) -> Tensor:
        return x + self.layers(x) if self.residual else self.layers(x)


MOBILE_BLOCKS = (
    (16, 16, 3, 1, 1), (16, 24, 3, 2, 6), (24, 24, 3, 1, 6), (24, 40, 5, 2, 6), (40, 40, 5, 1, 6),
    (40, 80, 3, 2, 6), (80, 80, 3, 1, 6), (80, 112, 5, 1, 6), (112, 112, 5, 1, 6),
)  # fmt: skip


class EfficientNet(nn.Module):
    def __init__(self, count: int) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 16, 3, 2, 1, bias=False), nn.BatchNorm2d(16), nn.SiLU(inplace=True),
            *[MobileBlock(*each) for each in MOBILE_BLOCKS],
            nn.Conv2d(112, 448, 1, bias=False), nn.BatchNorm2d(448), nn.SiLU(inplace=True),
        )  # fmt: skip
        self.head = nn.Linear(448, count)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.features(x).mean((2, 3)))


def efficientnet(batch: int, size: int) -> Step:
    return classifier_step(EfficientNet(100), batch, 3, size, 100)


class Detector(nn.Module):
    def __init__(self, channels: int, grid: int, best: int) -> None:
        super().__init__()
        self.best = best
        self.tower = nn.Sequential(
            nn.Conv2d(channels, channels, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(channels, channels, 3, padding=1),
            nn.ReLU(),
        )
        self.boxes, self.scores = nn.Conv2d(channels, 4, 1), nn.Conv2d(channels, 1, 1)
        y, x = torch.meshgrid(torch.arange(grid), torch.arange(grid), indexing="ij")
        self.register_buffer("centres", torch.stack((x, y), -1).reshape(-1, 2).float())

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor]:
        features = self.tower(features)
        sizes = torch.exp(self.boxes(features)[0]).reshape(4, -1).T
        boxes = torch.cat((self.centres - sizes[:, :2], self.centres + sizes[:, 2:]), 1)
        scores, places = torch.topk(torch.sigmoid(self.scores(features).flatten()), self.best)
        boxes = boxes[places]
        return torch.cat((boxes, scores[:, None]), 1), suppress(boxes, 0.5)


def suppress(boxes: Tensor, limit: float) -> Tensor:
    """Which boxes, best first, overlap none that is kept before them (torchvision, which has it, is not among the peers)."""
    area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    low, high = (
        torch.maximum(boxes[:, None, :2], boxes[None, :, :2]),
        torch.minimum(boxes[:, None, 2:], boxes[None, :, 2:]),
    )
    common = (high - low).clamp(min=0).prod(2)
    overlap = (common > limit * (area[:, None] + area[None] - common)).numpy()
    kept = torch.ones(len(boxes), dtype=torch.bool)
    alive = kept.numpy()
    for place in range(len(boxes)):
        if alive[place]:
            alive[place + 1 :] &= ~overlap[place, place + 1 :]
    return kept


def detection(channels: int, grid: int, best: int) -> Step:
    network, features = Detector(channels, grid, best).eval(), torch.randn(1, channels, grid, grid)
    return torch.inference_mode()(lambda: network(features)[0])


STEPS = (volumes, unet, diffusion, efficientnet, detection)
