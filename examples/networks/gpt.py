"""A GPT-like decoder in the style of MindSpore 2."""

import numpy as np

import mindspore as ms
from mindspore import Tensor, nn, ops


class CausalSelfAttention(nn.Cell):
    """Attention to what came before."""

    def __init__(self, width, num_heads, seq_length, dropout=0.0):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = width // num_heads
        self.qkv = nn.Dense(width, 3 * width)
        self.projection = nn.Dense(width, width)
        self.dropout = nn.Dropout(p=dropout)
        self.mask = Tensor(np.triu(np.ones((seq_length, seq_length)), 1), ms.bool_)

    def construct(self, x):
        batch, length, width = x.shape
        qkv = self.qkv(x).reshape(batch, length, 3, self.num_heads, self.head_dim).transpose(2, 0, 3, 1, 4)
        query, key, value = qkv[0], qkv[1], qkv[2]
        scores = ops.matmul(query, key.swapaxes(-2, -1)) / self.head_dim**0.5
        scores = ops.masked_fill(scores, self.mask[:length, :length], -1e9)
        context = ops.matmul(self.dropout(ops.softmax(scores, axis=-1)), value)
        return self.projection(context.transpose(0, 2, 1, 3).reshape(batch, length, width))


class Block(nn.Cell):
    """Normalize first, then attend, then transform."""

    def __init__(self, width, num_heads, seq_length):
        super().__init__()
        self.norm1 = nn.LayerNorm([width], epsilon=1e-5)
        self.attention = CausalSelfAttention(width, num_heads, seq_length)
        self.norm2 = nn.LayerNorm([width], epsilon=1e-5)
        self.mlp = nn.SequentialCell(nn.Dense(width, 4 * width), nn.GELU(), nn.Dense(4 * width, width))

    def construct(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class GPT(nn.Cell):
    """Logits of the next token at every position."""

    def __init__(self, vocab_size=64, width=32, num_layers=2, num_heads=4, seq_length=16):
        super().__init__()
        self.token_embedding = nn.Embedding(vocab_size, width, embedding_table="normal")
        self.position_embedding = ms.Parameter(ms.common.initializer.initializer("normal", (seq_length, width)))
        self.blocks = nn.SequentialCell(*[Block(width, num_heads, seq_length) for _ in range(num_layers)])
        self.norm = nn.LayerNorm([width], epsilon=1e-5)
        self.head = nn.Dense(width, vocab_size, has_bias=False)

    def construct(self, tokens):
        x = self.token_embedding(tokens) + self.position_embedding[: tokens.shape[1]]
        return self.head(self.norm(self.blocks(x)))
