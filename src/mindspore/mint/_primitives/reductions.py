"""Reductions, sorting and statistics: the functions of ``mint`` as primitives."""

from __future__ import annotations

from mindspore import mint, ops

FORMS = {
    "Any": lambda input: mint.any(input),
    "AnyExt": lambda input, dim, keepdim=False: mint.any(input, dim, keepdim),
    "ArgMaxExt": lambda input, dim=None, keepdim=False: mint.argmax(input, dim, keepdim),
    "ArgMinExt": lambda input, dim=None, keepdim=False: mint.argmin(input, dim, keepdim),
    "ArgSort": lambda input, dim=-1, descending=False, stable=False: mint.argsort(input, dim, descending, stable),
    "BincountExt": lambda input, weights=None, minlength=0: mint.bincount(input, weights, minlength),
    "CountNonZero": lambda input, dim=None: mint.count_nonzero(input, dim),
    "CumminExt": lambda input, dim: mint.cummin(input, dim),
    "CumsumExt": lambda input, dim, dtype=None: mint.cumsum(input, dim, dtype),
    "HistcExt": lambda input, bins=100, min=0, max=0: mint.histc(input, bins, min, max),
    "Kthvalue": lambda input, k, dim=-1, keepdim=False: mint.kthvalue(input, k, dim, keepdim),
    "LinalgVectorNorm": lambda x, ord=2, dim=None, keepdim=False, dtype=None: mint.linalg.vector_norm(
        x, ord, dim, keepdim, dtype=dtype
    ),
    "LogSumExp": lambda input, dim, keepdim=False: mint.logsumexp(input, dim, keepdim),
    "LpNormV2": lambda input, p=2, dim=None, keepdim=False, epsilon=1e-12: mint.maximum(
        mint.linalg.vector_norm(input, p, dim or None, keepdim), epsilon
    ),
    "Max": lambda input: mint.max(input),
    "MaxDim": lambda input, dim, keepdim=False: tuple(mint.max(input, dim, keepdim)),
    "MeanExt": lambda input, dim=None, keepdim=False, dtype=None: mint.mean(input, dim, keepdim, dtype=dtype),
    "MedianDim": lambda input, dim=-1, keepdim=False: tuple(mint.median(input, dim, keepdim)),
    "MedianExt": lambda input: mint.median(input),
    "Min": lambda input: mint.min(input),
    "MinDim": lambda input, dim, keepdim=False: tuple(mint.min(input, dim, keepdim)),
    "Nansum": lambda input, dim=None, keepdim=False, dtype=None: mint.nansum(input, dim, keepdim, dtype=dtype),
    "Norm": lambda input, p=2.0, dim=None, keepdim=False, dtype=None: mint.linalg.vector_norm(
        input, p, dim, keepdim, dtype=dtype
    ),
    "ProdExt": lambda input, dim=None, keepdim=False, dtype=None: mint.prod(input, dim, keepdim, dtype=dtype),
    "SortExt": lambda input, dim=-1, descending=False, stable=False: tuple(
        mint.sort(input, dim=dim, descending=descending, stable=stable)
    ),
    "Std": lambda input, dim=None, correction=1, keepdim=False: mint.std(
        input, dim, correction=correction, keepdim=keepdim
    ),
    "StdMean": lambda input, dim=None, correction=1, keepdim=False: mint.std_mean(
        input, dim, correction=correction, keepdim=keepdim
    ),
    "SumExt": lambda input, dim=None, keepdim=False, dtype=None: mint.sum(input, dim, keepdim, dtype=dtype),
    "TopkExt": lambda input, k, dim=-1, largest=True, sorted=True: tuple(mint.topk(input, k, dim, largest, sorted)),
    "TraceExt": lambda input: mint.trace(input),
    "TraceV2": lambda input, offset=0, axis1=1, axis2=0, dtype=None: ops.Tensor.trace(
        input, offset, axis1, axis2, dtype
    ),
    "Unique2": lambda input, sorted=True, return_inverse=False, return_counts=False: _three(
        input, sorted, return_inverse, return_counts
    ),
    "UniqueDim": lambda input, sorted, return_inverse, dim: mint.unique(input, sorted, True, True, dim),
    "InnerUnique": lambda input, sorted=True, return_inverse=False: mint.unique(input, sorted, True),
    "Var": lambda input, dim=None, correction=1, keepdim=False: mint.var(
        input, dim, correction=correction, keepdim=keepdim
    ),
    "VarMean": lambda input, dim=None, correction=1, keepdim=False: mint.var_mean(
        input, dim, correction=correction, keepdim=keepdim
    ),
}


def _three(input: ops.Tensor, sorted: bool, return_inverse: bool, return_counts: bool) -> tuple[ops.Tensor, ...]:
    """Distinct elements, where each element went, how often each occurs: what was not asked for has no elements."""
    found, inverse, counts = mint.unique(input, sorted, True, True)
    nothing = mint.zeros((0,), dtype=inverse.dtype)
    return found, inverse if return_inverse else nothing, counts if return_counts else nothing
