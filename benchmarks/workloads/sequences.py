"""Steps of networks for sequences: one token of a decoder, a vision transformer, GRUs, 1-D convolutions."""

from __future__ import annotations

import numpy as np

import mindspore as ms
from benchmarks.workloads.building import Step, classes, numbers, one_step, pictures, with_cross_entropy, words
from mindspore import Parameter, Tensor, nn, ops


class CachedAttention(nn.Cell):
    """Attention of one token to those before it, whose keys and values are kept."""

    def __init__(self, width: int, heads: int, length: int):
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.qkv, self.projection = nn.Dense(width, 3 * width), nn.Dense(width, width)
        empty = np.zeros((1, heads, length, self.size), np.float32)
        self.keys = Parameter(Tensor(empty), name="keys", requires_grad=False)
        self.values = Parameter(Tensor(empty), name="values", requires_grad=False)

    def construct(self, x: Tensor, position: Tensor, masked: Tensor) -> Tensor:
        query, key, value = ops.split(self.qkv(x).reshape(1, 3 * self.heads, 1, self.size), self.heads, 1)
        self.keys[:, :, position] = key[:, :, 0]
        self.values[:, :, position] = value[:, :, 0]
        scores = ops.matmul(query, self.keys.swapaxes(2, 3)) * self.size**-0.5
        scores = ops.masked_fill(scores, masked, -1e9)
        return self.projection(ops.matmul(ops.softmax(scores, -1), self.values).reshape(1, -1))


class DecoderBlock(nn.Cell):
    """Normalize, attend, transform."""

    def __init__(self, width: int, heads: int, length: int):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm([width], epsilon=1e-5), nn.LayerNorm([width], epsilon=1e-5)
        self.attention = CachedAttention(width, heads, length)
        self.mlp = nn.SequentialCell(nn.Dense(width, 4 * width), nn.GELU(), nn.Dense(4 * width, width))

    def construct(self, x: Tensor, position: Tensor, masked: Tensor) -> Tensor:
        x = x + self.attention(self.norm1(x), position, masked)
        return x + self.mlp(self.norm2(x))


class Decoder(nn.Cell):
    """The logits of the token that follows."""

    def __init__(self, vocabulary: int, width: int, layers: int, heads: int, length: int):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(vocabulary, width), nn.Embedding(length, width)
        self.blocks = nn.CellList([DecoderBlock(width, heads, length) for _ in range(layers)])
        self.norm, self.head = nn.LayerNorm([width], epsilon=1e-5), nn.Dense(width, vocabulary, has_bias=False)
        self.places = Tensor(np.arange(length).astype(np.int32))

    def construct(self, token: Tensor, position: Tensor) -> Tensor:
        x = (self.tokens(token) + self.positions(position)).reshape(1, -1)
        masked = self.places > position
        for block in self.blocks:
            x = block(x, position, masked)
        return self.head(self.norm(x))


def decode(layers: int, width: int, heads: int, length: int, vocabulary: int) -> Step:
    """One token after the other, until the cache is full; then from the beginning."""
    network = Decoder(vocabulary, width, layers, heads, length).set_train(False)
    token, positions = Tensor([7], ms.int32), [Tensor(place, ms.int32) for place in range(length)]
    count = 0

    def step() -> Tensor:
        nonlocal count
        count += 1
        return network(token, positions[count % length])

    return step


class SelfAttention(nn.Cell):
    """Multi-head attention without a mask."""

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.qkv, self.projection = nn.Dense(width, 3 * width), nn.Dense(width, width)

    def construct(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape
        qkv = self.qkv(x).reshape(batch, length, 3, self.heads, width // self.heads).transpose(2, 0, 3, 1, 4)
        scores = ops.matmul(qkv[0], qkv[1].swapaxes(-2, -1)) * (width // self.heads) ** -0.5
        context = ops.matmul(ops.softmax(scores, -1), qkv[2])
        return self.projection(context.transpose(0, 2, 1, 3).reshape(batch, length, width))


class EncoderBlock(nn.Cell):
    """Normalize, attend, transform."""

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm([width], epsilon=1e-5), nn.LayerNorm([width], epsilon=1e-5)
        self.attention = SelfAttention(width, heads)
        self.mlp = nn.SequentialCell(nn.Dense(width, 4 * width), nn.GELU(False), nn.Dense(4 * width, width))

    def construct(self, x: Tensor) -> Tensor:
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class VisionTransformer(nn.Cell):
    """Patches of an image as tokens; their mean is classified."""

    def __init__(self, width: int, layers: int, heads: int, size: int, patch: int, count: int):
        super().__init__()
        self.patches = nn.Conv2d(3, width, patch, patch, "valid", has_bias=True)
        tokens = (size // patch) ** 2
        self.positions = Parameter(Tensor(np.zeros((1, tokens, width), np.float32)), name="positions")
        self.blocks = nn.SequentialCell(*[EncoderBlock(width, heads) for _ in range(layers)])
        self.norm, self.head = nn.LayerNorm([width], epsilon=1e-5), nn.Dense(width, count)

    def construct(self, x: Tensor) -> Tensor:
        x = self.patches(x)
        x = x.reshape(x.shape[0], x.shape[1], -1).swapaxes(1, 2) + self.positions
        return self.head(self.norm(self.blocks(x)).mean(1))


def vit(batch: int, size: int, patch: int, width: int, layers: int, heads: int) -> Step:
    network = VisionTransformer(width, layers, heads, size, patch, 100)
    optimizer = nn.AdamWeightDecay(network.trainable_params(), 1e-4, weight_decay=0.01)
    return one_step(with_cross_entropy(network), optimizer, pictures(batch, 3, size), classes(batch, 100))


class Translator(nn.Cell):
    """A GRU reads a sentence, another writes one, looking back at what was read; the loss of the words written."""

    def __init__(self, vocabulary: int, width: int, hidden: int):
        super().__init__()
        self.read, self.written = nn.Embedding(vocabulary, width), nn.Embedding(vocabulary, width)
        self.encoder, self.decoder = nn.GRU(width, hidden, batch_first=True), nn.GRU(width, hidden, batch_first=True)
        self.head = nn.Dense(2 * hidden, vocabulary)

    def construct(self, source: Tensor, target: Tensor, following: Tensor) -> Tensor:
        states, last = self.encoder(self.read(source))
        outputs, _ = self.decoder(self.written(target), last)
        scores = ops.softmax(ops.bmm(outputs, states.swapaxes(1, 2)), -1)
        logits = self.head(ops.concat((outputs, ops.bmm(scores, states)), 2))
        return ops.cross_entropy(logits.reshape(-1, logits.shape[-1]), following.reshape(-1))


def seq2seq(batch: int, length: int, width: int, hidden: int, vocabulary: int) -> Step:
    network = Translator(vocabulary, width, hidden)
    sentences = [words(batch, length, vocabulary) for _ in range(3)]
    return one_step(network, nn.Adam(network.trainable_params(), 1e-3), *sentences)


class AudioNet(nn.Cell):
    """1-D convolutions over a wave: a strided one, then some that double their reach."""

    def __init__(self, width: int, layers: int, count: int):
        super().__init__()
        self.stem = nn.Conv1d(1, width, 16, 4, "pad", 6, has_bias=True)
        self.layers = nn.CellList(
            [
                nn.Conv1d(width, width, 3, pad_mode="pad", padding=2**each, dilation=2**each, has_bias=True)
                for each in range(layers)
            ]
        )
        self.norms = nn.CellList([nn.BatchNorm1d(width) for _ in range(layers)])
        self.head = nn.Dense(width, count)

    def construct(self, x: Tensor) -> Tensor:
        x = ops.relu(self.stem(x))
        for layer, norm in zip(self.layers, self.norms):
            batch, channels, length = x.shape
            y = norm(layer(x).swapaxes(1, 2).reshape(-1, channels)).reshape(batch, length, channels).swapaxes(1, 2)
            x = x + ops.relu(y)
        return self.head(x.mean(2))


def audio(batch: int, length: int, width: int, layers: int) -> Step:
    network = AudioNet(width, layers, 35)
    optimizer = nn.Adam(network.trainable_params(), 1e-3)
    return one_step(with_cross_entropy(network), optimizer, numbers(batch, 1, length), classes(batch, 35))


STEPS = (decode, vit, seq2seq, audio)
