"""Transformers, as MindSpore 1.5 to 1.9 has them."""

from mindspore._utils.documented import claim as _claim
from mindspore.nn.transformer.layers import FixedSparseAttention
from mindspore.nn.transformer.loss import CrossEntropyLoss
from mindspore.nn.transformer.moe import MoEConfig
from mindspore.nn.transformer.op_parallel_config import OpParallelConfig
from mindspore.nn.transformer.transformer import (
    AttentionMask,
    EmbeddingOpParallelConfig,
    FeedForward,
    MultiHeadAttention,
    Transformer,
    TransformerDecoder,
    TransformerDecoderLayer,
    TransformerEncoder,
    TransformerEncoderLayer,
    TransformerOpParallelConfig,
    TransformerRecomputeConfig,
    VocabEmbedding,
)

__all__ = [
    "AttentionMask",
    "CrossEntropyLoss",
    "EmbeddingOpParallelConfig",
    "FeedForward",
    "FixedSparseAttention",
    "MoEConfig",
    "MultiHeadAttention",
    "OpParallelConfig",
    "Transformer",
    "TransformerDecoder",
    "TransformerDecoderLayer",
    "TransformerEncoder",
    "TransformerEncoderLayer",
    "TransformerOpParallelConfig",
    "TransformerRecomputeConfig",
    "VocabEmbedding",
]

_claim(__name__)
