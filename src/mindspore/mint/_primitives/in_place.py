"""Operators that store their result in their first input and return it."""

from __future__ import annotations

from typing import Any

from mindspore import mint, ops
from mindspore._ops.methods.in_place import keep
from mindspore.mint._primitives.arranging import _scattered
from mindspore.mint.nn import functional as F
from mindspore.ops import Tensor


def _added_products(out: Any, x: Any, weight: Any, group_list: Any = None) -> Tensor:
    """``x`` transposed times ``weight``, added to ``out``: of every group of rows where there are groups."""
    if group_list is None:
        product = mint.matmul(x.swapaxes(-1, -2), weight)
        return keep("InplaceMatmulAdd", out, out + ops.cast(product, out.dtype))
    rows = mint.arange(0, x.shape[0])
    ends = mint.unsqueeze(group_list, 1)
    starts = mint.concat((mint.zeros((1, 1), dtype=ends.dtype), ends[:-1]))
    inside = ops.cast(mint.logical_and(rows >= starts, rows < ends), x.dtype)
    product = mint.matmul((mint.unsqueeze(inside, 2) * x).swapaxes(-1, -2), weight)
    return keep("InplaceGroupedMatmulAdd", out, out + ops.cast(mint.reshape(product, out.shape), out.dtype))


def _clamped(input: Any, min: Any = None, max: Any = None) -> Tensor:
    return keep("InplaceClamp", input, mint.clamp(input, min, max))


def _divided(input: Any, other: Any, rounding_mode: str | None = None) -> Tensor:
    return keep("InplaceDivMod", input, mint.div(input, other, rounding_mode=rounding_mode))


def _filled(input: Any, value: Any) -> Tensor:
    return Tensor.fill_(input, value)


def _masked(input: Any, mask: Any, value: Any) -> Tensor:
    return keep("InplaceMaskedFill", input, ops.masked_fill(input, mask, value))


def _indexed(input: Any, dim: int, index: Any, value: Any) -> Tensor:
    return keep("InplaceIndexFill", input, ops.index_fill(input, dim, index, value))


def _placed(input: Any, indices: Any, values: Any, accumulate: bool = False) -> Tensor:
    return Tensor.index_put_(input, tuple(indices), values, accumulate)


def _spread(input: Any, dim: int, index: Any, src: Any, reduce: str = "none") -> Tensor:
    return keep("InplaceScatter", input, _scattered(input, dim, index, src, reduce))


FORMS = {
    "InplaceAddExt": lambda input, other, alpha=1: Tensor.add_(input, other, alpha=alpha),
    "InplaceAddmm": lambda input, mat1, mat2, beta=1, alpha=1: Tensor.addmm_(input, mat1, mat2, beta=beta, alpha=alpha),
    "InplaceAddr": lambda input, vec1, vec2, beta=1, alpha=1: mint.addr_(input, vec1, vec2, beta=beta, alpha=alpha),
    "InplaceAddsExt": lambda input, other, alpha=1: Tensor.add_(input, other, alpha=alpha),
    "InplaceClampScalar": lambda input, min=None, max=None: _clamped(input, min, max),
    "InplaceClampTensor": lambda input, min=None, max=None: _clamped(input, min, max),
    "InplaceCopy": lambda input, src, non_blocking=False: Tensor.copy_(input, src),
    "InplaceDiv": lambda input, other: _divided(input, other),
    "InplaceDivMod": lambda input, other, rounding_mode=None: _divided(input, other, rounding_mode),
    "InplaceDivMods": lambda input, other, rounding_mode=None: _divided(input, other, rounding_mode),
    "InplaceDivs": lambda input, other: _divided(input, other),
    "InplaceElu": lambda input, alpha=1.0: F.elu_(input, alpha),
    "InplaceErfinv": lambda input: Tensor.erfinv_(input),
    "InplaceExp": lambda input: Tensor.exp_(input),
    "InplaceFillDiagonal": lambda input, fill_value, wrap=False: Tensor.fill_diagonal_(input, fill_value, wrap),
    "InplaceFillScalar": lambda input, value: _filled(input, value),
    "InplaceFillTensor": lambda input, value: _filled(input, value),
    "InplaceFloor": lambda input: Tensor.floor_(input),
    "InplaceFloorDivide": lambda input, other: Tensor.floor_divide_(input, other),
    "InplaceFloorDivides": lambda input, other: Tensor.floor_divide_(input, other),
    "InplaceGroupedMatmulAdd": lambda x, weight, group_list, out: _added_products(out, x, weight, group_list),
    "InplaceHardtanh": lambda input, min_val=-1, max_val=1: F.hardtanh_(input, min_val, max_val),
    "InplaceIndexAddExt": lambda input, dim, index, source, alpha=1: keep(
        "InplaceIndexAddExt", input, mint.index_add(input, dim, index, source, alpha=alpha)
    ),
    "InplaceIndexCopy": lambda input, dim, index, tensor: Tensor.index_copy_(input, dim, index, tensor),
    "InplaceIndexFillScalar": lambda input, dim, index, value: _indexed(input, dim, index, value),
    "InplaceIndexFillTensor": lambda input, dim, index, value: _indexed(input, dim, index, value),
    "InplaceIndexPut": lambda input, indices, values, accumulate=False: _placed(input, indices, values, accumulate),
    "InnerInplaceIndexPut": lambda input, indices, values, accumulate=False: _placed(
        input, indices, values, accumulate
    ),
    "InplaceLog": lambda input: Tensor.log_(input),
    "InplaceMaskedFillScalar": lambda input, mask, value: _masked(input, mask, value),
    "InplaceMaskedFillTensor": lambda input, mask, value: _masked(input, mask, value),
    "InplaceMaskedScatter": lambda input, mask, source: Tensor.masked_scatter_(input, mask, source),
    "InplaceMatmulAdd": lambda x, weight, C: _added_products(C, x, weight),
    "InplaceMul": lambda input, other: Tensor.mul_(input, other),
    "InplaceMuls": lambda input, other: Tensor.mul_(input, other),
    "InplacePut": lambda input, index, source, accumulate=False: Tensor.put_(input, index, source, accumulate),
    "InplaceReLU": lambda input: F.relu_(input),
    "InplaceRemainderTensorScalar": lambda input, other: keep("InplaceRemainder", input, mint.remainder(input, other)),
    "InplaceRemainderTensorTensor": lambda input, other: keep("InplaceRemainder", input, mint.remainder(input, other)),
    "InplaceScatterAdd": lambda input, dim, index, src: keep(
        "InplaceScatterAdd", input, mint.scatter_add(input, dim, index, src)
    ),
    "InplaceScatterSrc": lambda input, dim, index, src: _spread(input, dim, index, src),
    "InplaceScatterSrcReduce": lambda input, dim, index, src, reduce: _spread(input, dim, index, src, reduce),
    "InplaceScatterValue": lambda input, dim, index, value: _spread(input, dim, index, value),
    "InplaceScatterValueReduce": lambda input, dim, index, value, reduce: _spread(input, dim, index, value, reduce),
    "InplaceSiLU": lambda input: keep("InplaceSiLU", input, F.silu(input)),
    "InplaceSigmoid": lambda input: F.sigmoid_(input),
    "InplaceSign": lambda input: Tensor.sign_(input),
    "InplaceSubExt": lambda input, other, alpha=1: Tensor.sub_(input, other, alpha=alpha),
    "InplaceSubScalar": lambda input, other, alpha=1: Tensor.sub_(input, other, alpha=alpha),
    "InplaceTanh": lambda input: Tensor.tanh_(input),
    "InplaceThreshold": lambda input, threshold, value: F.threshold_(input, threshold, value),
    "InplaceToDevice": lambda input, device=None, non_blocking=False: input,  # one device computes
    "InplaceZero": lambda input: Tensor.zero_(input),
    "SetData": lambda input, value: keep("SetData", input, value),
}
