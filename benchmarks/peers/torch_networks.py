"""The networks of ``examples/networks`` in PyTorch, layer by layer the same shapes."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class LeNet5(nn.Module):
    """Two convolutions, three dense layers."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, bias=False)
        self.conv2 = nn.Conv2d(6, 16, 5, bias=False)
        self.fc1, self.fc2, self.fc3 = nn.Linear(400, 120), nn.Linear(120, 84), nn.Linear(84, 10)

    def forward(self, x: Tensor) -> Tensor:
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = F.relu(self.fc1(x.flatten(1)))
        return self.fc3(F.relu(self.fc2(x)))


def convolution(inputs: int, outputs: int, kernel: int, stride: int = 1, groups: int = 1) -> nn.Sequential:
    """A convolution that keeps the size (but for the stride), and batch normalization."""
    layer = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False)
    return nn.Sequential(layer, nn.BatchNorm2d(outputs))


class Bottleneck(nn.Module):
    """1x1, 3x3 and 1x1 convolutions around a shortcut."""

    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        middle = outputs // 4
        self.layers = nn.Sequential(
            convolution(inputs, middle, 1), nn.ReLU(inplace=True),
            convolution(middle, middle, 3, stride), nn.ReLU(inplace=True),
            convolution(middle, outputs, 1),
        )  # fmt: skip
        same = stride == 1 and inputs == outputs
        self.shortcut = nn.Identity() if same else convolution(inputs, outputs, 1, stride)

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(self.layers(x) + self.shortcut(x), inplace=True)


class ResNet(nn.Module):
    """A stem, four stages of blocks, and a classifier."""

    def __init__(self, blocks: tuple[int, ...], classes: int, width: int) -> None:
        super().__init__()
        layers: list[nn.Module] = [convolution(3, width, 7, 2), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1)]
        inputs = width
        for stage, count in enumerate(blocks):
            outputs = width * 4 * 2**stage
            for number in range(count):
                layers.append(Bottleneck(inputs, outputs, 2 if stage and not number else 1))
                inputs = outputs
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Linear(inputs, classes)

    def forward(self, x: Tensor) -> Tensor:
        return self.classifier(self.features(x).mean((2, 3)))


def divisible(value: float, divisor: int = 8) -> int:
    rounded = max(divisor, int(value + divisor / 2) // divisor * divisor)
    return rounded + divisor if rounded < 0.9 * value else rounded


class InvertedResidual(nn.Module):
    """Widen, convolve depthwise, narrow."""

    def __init__(self, inputs: int, outputs: int, stride: int, expansion: int) -> None:
        super().__init__()
        hidden = inputs * expansion
        widen = [convolution(inputs, hidden, 1), nn.ReLU6(inplace=True)] if expansion != 1 else []
        self.layers = nn.Sequential(
            *widen, convolution(hidden, hidden, 3, stride, hidden), nn.ReLU6(inplace=True),
            convolution(hidden, outputs, 1),
        )  # fmt: skip
        self.residual = stride == 1 and inputs == outputs

    def forward(self, x: Tensor) -> Tensor:
        return x + self.layers(x) if self.residual else self.layers(x)


class MobileNetV2(nn.Module):
    """The whole network with its classifier."""

    SETTINGS = (
        (1, 16, 1, 1),
        (6, 24, 2, 2),
        (6, 32, 3, 2),
        (6, 64, 4, 2),
        (6, 96, 3, 1),
        (6, 160, 3, 2),
        (6, 320, 1, 1),
    )

    def __init__(self, classes: int, width: float) -> None:
        super().__init__()
        inputs = divisible(32 * width)
        last = divisible(1280 * max(1.0, width))
        layers: list[nn.Module] = [convolution(3, inputs, 3, 2), nn.ReLU6(inplace=True)]
        for expansion, channels, count, stride in self.SETTINGS:
            outputs = divisible(channels * width)
            for number in range(count):
                layers.append(InvertedResidual(inputs, outputs, 1 if number else stride, expansion))
                inputs = outputs
        self.features = nn.Sequential(*layers, convolution(inputs, last, 1), nn.ReLU6(inplace=True))
        self.head = nn.Sequential(nn.Dropout(0.2), nn.Linear(last, classes))

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.features(x).mean((2, 3)))


class Attention(nn.Module):
    """Multi-head attention to what came before, or to what a mask admits."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.qkv, self.projection = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        batch, length, width = x.shape
        query, key, value = self.qkv(x).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        context = F.scaled_dot_product_attention(query, key, value, mask, is_causal=mask is None)
        return self.projection(context.transpose(1, 2).reshape(batch, length, width))


class Layer(nn.Module):
    """Attention and a feed-forward network; normalized before each (GPT) or after (BERT)."""

    def __init__(self, width: int, heads: int, before: bool) -> None:
        super().__init__()
        self.before = before
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = Attention(width, heads)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(approximate="tanh"), nn.Linear(4 * width, width))

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        if self.before:
            x = x + self.attention(self.norm1(x), mask)
            return x + self.mlp(self.norm2(x))
        x = self.norm1(x + self.attention(x, mask))
        return self.norm2(x + self.mlp(x))


class GPT(nn.Module):
    """Logits of the next token at every position."""

    def __init__(self, vocabulary: int, width: int, layers: int, heads: int, length: int) -> None:
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, width)
        self.positions = nn.Parameter(torch.randn(length, width) * 0.01)
        self.layers = nn.Sequential(*[Layer(width, heads, before=True) for _ in range(layers)])
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, vocabulary, bias=False)

    def forward(self, tokens: Tensor) -> Tensor:
        return self.head(self.norm(self.layers(self.tokens(tokens) + self.positions[: tokens.shape[1]])))


class Bert(nn.Module):
    """Logits of the masked words; the table of words is used at both ends."""

    def __init__(self, vocabulary: int, width: int, layers: int, heads: int, length: int) -> None:
        super().__init__()
        self.words, self.kinds = nn.Embedding(vocabulary, width), nn.Embedding(2, width)
        self.positions = nn.Embedding(length, width)
        self.norm = nn.LayerNorm(width)
        self.layers = nn.ModuleList(Layer(width, heads, before=False) for _ in range(layers))
        self.transform = nn.Sequential(nn.Linear(width, width), nn.GELU(approximate="tanh"), nn.LayerNorm(width))
        self.bias = nn.Parameter(torch.zeros(vocabulary))

    def forward(self, tokens: Tensor, kinds: Tensor, mask: Tensor) -> Tensor:
        places = torch.arange(tokens.shape[1])
        x = self.norm(self.words(tokens) + self.kinds(kinds) + self.positions(places))
        admitted = mask[:, None, None, :].bool()
        for layer in self.layers:
            x = layer(x, admitted)
        return F.linear(self.transform(x), self.words.weight, self.bias)


class SentimentNet(nn.Module):
    """Embedding, two bidirectional LSTM layers, and a classifier on the first and last output."""

    def __init__(self, vocabulary: int, width: int, hidden: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.encoder = nn.LSTM(width, hidden, num_layers=2, bidirectional=True)
        self.decoder = nn.Linear(4 * hidden, 2)

    def forward(self, words: Tensor) -> Tensor:
        output, _ = self.encoder(self.embedding(words).transpose(0, 1))
        return self.decoder(torch.cat((output[0], output[-1]), 1))
