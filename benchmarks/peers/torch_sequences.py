"""The programs of ``workloads/sequences.py`` in PyTorch, layer by layer the same shapes."""

from __future__ import annotations

import torch
from torch import Tensor, nn, optim
from torch.nn import functional as F

from benchmarks.peers.torch_building import Step, descent, training


class CachedAttention(nn.Module):
    def __init__(self, width: int, heads: int, length: int) -> None:
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.qkv, self.projection = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.register_buffer("keys", torch.zeros(1, heads, length, self.size))
        self.register_buffer("values", torch.zeros(1, heads, length, self.size))

    def forward(self, x: Tensor, position: Tensor, admitted: Tensor) -> Tensor:
        query, key, value = self.qkv(x).view(1, 3 * self.heads, 1, self.size).chunk(3, 1)
        self.keys.index_copy_(2, position, key)
        self.values.index_copy_(2, position, value)
        context = F.scaled_dot_product_attention(query, self.keys, self.values, admitted)
        return self.projection(context.reshape(1, -1))


class DecoderBlock(nn.Module):
    def __init__(self, width: int, heads: int, length: int) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = CachedAttention(width, heads, length)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(approximate="tanh"), nn.Linear(4 * width, width))

    def forward(self, x: Tensor, position: Tensor, admitted: Tensor) -> Tensor:
        x = x + self.attention(self.norm1(x), position, admitted)
        return x + self.mlp(self.norm2(x))


class Decoder(nn.Module):
    def __init__(self, vocabulary: int, width: int, layers: int, heads: int, length: int) -> None:
        super().__init__()
        self.tokens, self.positions = nn.Embedding(vocabulary, width), nn.Embedding(length, width)
        self.blocks = nn.ModuleList(DecoderBlock(width, heads, length) for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, vocabulary, bias=False)
        self.register_buffer("places", torch.arange(length))

    def forward(self, token: Tensor, position: Tensor) -> Tensor:
        x = self.tokens(token) + self.positions(position)
        admitted = (self.places <= position)[None, None, None]
        for block in self.blocks:
            x = block(x, position, admitted)
        return self.head(self.norm(x))


def decode(layers: int, width: int, heads: int, length: int, vocabulary: int) -> Step:
    network = Decoder(vocabulary, width, layers, heads, length).eval()
    token, positions = torch.tensor([7]), [torch.tensor([place]) for place in range(length)]
    count = 0

    @torch.inference_mode()
    def step() -> Tensor:
        nonlocal count
        count += 1
        return network(token, positions[count % length])

    return step


class SelfAttention(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.qkv, self.projection = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape
        query, key, value = self.qkv(x).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        context = F.scaled_dot_product_attention(query, key, value)
        return self.projection(context.transpose(1, 2).reshape(batch, length, width))


class EncoderBlock(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = SelfAttention(width, heads)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class VisionTransformer(nn.Module):
    def __init__(self, width: int, layers: int, heads: int, size: int, patch: int, count: int) -> None:
        super().__init__()
        self.patches = nn.Conv2d(3, width, patch, patch)
        self.positions = nn.Parameter(torch.zeros(1, (size // patch) ** 2, width))
        self.blocks = nn.Sequential(*[EncoderBlock(width, heads) for _ in range(layers)])
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, count)

    def forward(self, x: Tensor) -> Tensor:
        x = self.patches(x).flatten(2).transpose(1, 2) + self.positions
        return self.head(self.norm(self.blocks(x)).mean(1))


def vit(batch: int, size: int, patch: int, width: int, layers: int, heads: int) -> Step:
    network = VisionTransformer(width, layers, heads, size, patch, 100)
    step = training(network, optim.AdamW(network.parameters(), 1e-4, weight_decay=0.01))
    x, y = torch.rand(batch, 3, size, size), torch.randint(100, (batch,))
    return lambda: step((x,), y)


class Translator(nn.Module):
    def __init__(self, vocabulary: int, width: int, hidden: int) -> None:
        super().__init__()
        self.read, self.written = nn.Embedding(vocabulary, width), nn.Embedding(vocabulary, width)
        self.encoder, self.decoder = nn.GRU(width, hidden, batch_first=True), nn.GRU(width, hidden, batch_first=True)
        self.head = nn.Linear(2 * hidden, vocabulary)

    def forward(self, source: Tensor, target: Tensor, following: Tensor) -> Tensor:
        states, last = self.encoder(self.read(source))
        outputs, _ = self.decoder(self.written(target), last)
        scores = F.softmax(torch.bmm(outputs, states.transpose(1, 2)), -1)
        logits = self.head(torch.cat((outputs, torch.bmm(scores, states)), 2))
        return F.cross_entropy(logits.flatten(0, 1), following.flatten())


def seq2seq(batch: int, length: int, width: int, hidden: int, vocabulary: int) -> Step:
    network = Translator(vocabulary, width, hidden)
    step = descent(network, optim.Adam(network.parameters(), 1e-3))
    sentences = torch.randint(vocabulary, (3, batch, length))
    return lambda: step(*sentences)


class AudioNet(nn.Module):
    def __init__(self, width: int, layers: int, count: int) -> None:
        super().__init__()
        self.stem = nn.Conv1d(1, width, 16, 4, 6)
        self.layers = nn.ModuleList(
            nn.Conv1d(width, width, 3, padding=2**each, dilation=2**each) for each in range(layers)
        )
        self.norms = nn.ModuleList(nn.BatchNorm1d(width) for _ in range(layers))
        self.head = nn.Linear(width, count)

    def forward(self, x: Tensor) -> Tensor:
        x = F.relu(self.stem(x))
        for layer, norm in zip(self.layers, self.norms, strict=True):
            x = x + F.relu(norm(layer(x)))
        return self.head(x.mean(2))


def audio(batch: int, length: int, width: int, layers: int) -> Step:
    network = AudioNet(width, layers, 35)
    step = training(network, optim.Adam(network.parameters(), 1e-3))
    x, y = torch.randn(batch, 1, length), torch.randint(35, (batch,))
    return lambda: step((x,), y)


STEPS = (decode, vit, seq2seq, audio)
