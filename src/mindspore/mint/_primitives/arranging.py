"""Elements moved, chosen and copied: the functions of ``mint`` as primitives. A view here is a Tensor of its own."""

from __future__ import annotations

from typing import Any

from mindspore import mint, ops
from mindspore._ops.generated.transforms import as_strided
from mindspore.ops import Tensor


def _split(input: Any, split_size: Any, dim: int = 0) -> tuple[Tensor, ...]:
    return tuple(mint.split(input, split_size, dim))


def _slice(input: Any, dim: int, start: int, end: int, step: int) -> Tensor:
    key: list[Any] = [slice(None)] * input.ndim
    key[dim] = slice(start, end, step)
    return input[tuple(key)]


def _copied_slices(x: Any, value: Any, begin: Any, end: Any, strides: Any) -> Tensor:
    result = mint.clone(x)
    result[tuple(slice(*one) for one in zip(begin, end, strides, strict=True))] = value
    return result


def _kept_shape(input: Any, shape: Any) -> Tensor:
    """Truncated or filled up with zeros at the end of every axis."""
    cut = input[tuple(slice(0, length) for length in shape)]
    missing = [length - got for length, got in zip(shape, cut.shape, strict=True)]
    return mint.nn.functional.pad(cut, [n for length in reversed(missing) for n in (0, length)])


def _scattered(input: Any, dim: int, index: Any, src: Any, reduce: str = "none") -> Tensor:
    if reduce == "none":
        return mint.scatter(input, dim, index, src)
    values = src if isinstance(src, Tensor) else ops.full_like(index, src, dtype=input.dtype)
    return ops.tensor_scatter_elements(input, index, values, dim, {"multiply": "mul"}.get(reduce, reduce))


FORMS = {
    "AsStrided": lambda input, size, stride, storage_offset=0: as_strided(input, size, stride, storage_offset),
    "BroadcastToView": lambda input, shape: mint.broadcast_to(input, shape),
    "Chunk": lambda input, chunks, dim=0: tuple(mint.chunk(input, chunks, dim)),
    "ChunkView": lambda input, chunks, dim=0: tuple(mint.chunk(input, chunks, dim)),
    "Clone": lambda input: mint.clone(input),
    "Contiguous": lambda input: mint.clone(input),
    "Copy": lambda input: mint.clone(input),
    "DiagExt": lambda input, diagonal=0: mint.diag(input, diagonal),
    "Diagonal": lambda input, *, offset=0, dim1=0, dim2=1: ops.diagonal(input, offset, dim1, dim2),
    "DiagonalView": lambda input, offset=0, dim1=0, dim2=1: ops.diagonal(input, offset, dim1, dim2),
    "ExpandAs": lambda input, other: mint.broadcast_to(input, other.shape),
    "ExpandDimsView": lambda input, dim: mint.unsqueeze(input, dim),
    "FFTShapeCopy": lambda dout, shape: _kept_shape(dout, shape),
    "FlattenExt": lambda input, start_dim=0, end_dim=-1: mint.flatten(input, start_dim, end_dim),
    "GatherNdExt": lambda input, indices: ops.gather_nd(input, indices),
    "ImagView": lambda input: mint.imag(input),
    "Index": lambda input, indices: input[tuple(indices)],
    "IndexAddExt": lambda input, dim, index, source, alpha=1: mint.index_add(input, dim, index, source, alpha=alpha),
    "IndexFillScalar": lambda input, dim, index, value: ops.index_fill(input, dim, index, value),
    "IndexFillTensor": lambda input, dim, index, value: ops.index_fill(input, dim, index, value),
    "IndexSelect": lambda input, dim, index: mint.index_select(input, dim, index),
    "InnerIndex": lambda input, indices: input[tuple(indices)],
    "InnerNonZero": lambda input: mint.nonzero(input),
    "MaskedFillScalar": lambda input, mask, value: ops.masked_fill(input, mask, value),
    "Narrow": lambda input, dim, start, length: mint.narrow(input, dim, start, length),
    "NarrowView": lambda input, dim, start, length: mint.narrow(input, dim, start, length),
    "NonZeroExt": lambda input: mint.nonzero(input, as_tuple=True),
    "PixelShuffle": lambda input, upscale_factor: mint.nn.functional.pixel_shuffle(input, upscale_factor),
    "RealView": lambda input: mint.real(input),
    "Repeat": lambda input, repeats: mint.tile(input, repeats),
    "RepeatInterleaveInt": lambda input, repeats, dim=None, output_size=None: mint.repeat_interleave(
        input, repeats, dim, output_size=output_size
    ),
    "RepeatInterleaveTensor": lambda input, repeats, dim=None, output_size=None: mint.repeat_interleave(
        input, repeats, dim, output_size=output_size
    ),
    "Scatter": _scattered,
    "ScatterAddExt": lambda input, dim, index, src: mint.scatter_add(input, dim, index, src),
    "ScatterValue": lambda input, dim, index, src, reduce="none": _scattered(input, dim, index, src, reduce),
    "SelectExtView": lambda input, dim, index: mint.select(input, dim, index),
    "SelectV2": lambda condition, input, other: mint.where(condition, input, other),
    "SliceExt": _slice,
    "SliceExtView": lambda input, dim, start, end, step: _slice(input, dim, start, end, step),
    "SplitTensor": _split,
    "SplitTensorView": lambda input, split_size, dim=0: _split(input, split_size, dim),
    "SplitWithSize": lambda input, split_size, dim=0: _split(input, split_size, dim),
    "SplitWithSizeView": lambda input, split_size, dim=0: _split(input, split_size, dim),
    "StackExt": lambda tensors, *, dim=0: mint.stack(tensors, dim),
    "TExt": lambda input: mint.t(input),
    "Take": lambda input, index: mint.take(input, index),
    "TensorCopySlices": _copied_slices,
    "TrilExt": lambda input, diagonal=0: mint.tril(input, diagonal),
    "UnstackExtView": lambda input, dim=0: tuple(mint.unbind(input, dim)),
    "View": lambda input, shape: mint.reshape(input, shape),
    "ViewAs": lambda input, other: mint.reshape(input, other.shape),
}
