"""How the parts of a transformer are to be split."""

from mindspore.nn.transformer.op_parallel_config import (
    EmbeddingOpParallelConfig,
    MoEParallelConfig,
    OpParallelConfig,
    TransformerOpParallelConfig,
    TransformerRecomputeConfig,
    _check_config,
    default_dpmp_config,
    default_moeparallel_config,
)

__all__ = [
    "EmbeddingOpParallelConfig",
    "MoEParallelConfig",
    "OpParallelConfig",
    "TransformerOpParallelConfig",
    "TransformerRecomputeConfig",
    "_check_config",
    "default_dpmp_config",
    "default_moeparallel_config",
]
