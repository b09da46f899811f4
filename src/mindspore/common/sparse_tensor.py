"""``mindspore.common.sparse_tensor``: Tensors that store only what is not zero."""

from mindspore._engine.tensor.tensor import Tensor as Tensor
from mindspore._ops.sparse.sparse_tensors import COOTensor, CSRTensor, RowTensor, SparseTensor

__all__ = ["COOTensor", "CSRTensor", "RowTensor", "RowTensorInner", "SparseTensor"]

RowTensorInner = RowTensor  # the name graphs of MindSpore have for it
