"""The layers transformers are made of."""

from mindspore.nn.transformer.layers import FixedSparseAttention, _Dropout, _LayerNorm, _Linear

__all__ = ["FixedSparseAttention", "_Dropout", "_LayerNorm", "_Linear"]
