"""Cells that split a batch into micro batches."""

from mindspore._utils.documented import claim as _claim
from mindspore.nn import GradAccumulationCell, MicroBatchInterleaved, PipelineCell, PipelineGradReducer
from mindspore.nn.transformer import (  # noqa: F401  where MindSpore 1.5 has them
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

GradAccumulation = GradAccumulationCell
Pipeline = PipelineCell

__all__ = ["GradAccumulation", "MicroBatchInterleaved", "Pipeline", "PipelineCell", "PipelineGradReducer"]

_claim(__name__)
