"""Transformers by the path of MindSpore 1.6 to 2.4; they are those of ``mindspore.nn.transformer``."""

from mindspore.nn.transformer import (
    AttentionMask,
    CrossEntropyLoss,
    EmbeddingOpParallelConfig,
    FeedForward,
    FixedSparseAttention,
    MoEConfig,
    MultiHeadAttention,
    OpParallelConfig,
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
