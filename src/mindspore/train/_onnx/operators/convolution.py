"""Convolutions of one to three axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore import mint, ops
from mindspore._engine.base import dtype as dtypes
from mindspore._engine.tensor.tensor import Tensor
from mindspore.train._onnx.operators.shaping import cut, padded
from mindspore.train._onnx.table import OnnxNode, operator

_CONVOLUTIONS = {1: ops.conv1d, 2: ops.conv2d, 3: ops.conv3d}


def pads_of(
    node: OnnxNode, sizes: Sequence[int], kernel: Sequence[int], steps: Sequence[int], gaps: Sequence[int]
) -> list[tuple[int, int]]:
    """Padding in front and behind of each axis."""
    rank, mode = len(sizes), node.get("auto_pad", "NOTSET")
    if mode in ("NOTSET", "VALID"):
        given = node.get("pads") if mode == "NOTSET" else None
        given = given or [0] * 2 * rank
        return [(given[i], given[i + rank]) for i in range(rank)]
    pairs = []
    for size, length, step, gap in zip(sizes, kernel, steps, gaps):
        count = -(-size // step)
        total = max((count - 1) * step + (length - 1) * gap + 1 - size, 0)
        small = total // 2
        pairs.append((total - small, small) if mode == "SAME_LOWER" else (small, total - small))
    return pairs


@operator("Conv")
def conv(node: OnnxNode, x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    return convolved(node, x, weight, bias)


def convolved(node: OnnxNode, x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    rank = x.ndim - 2
    if rank not in _CONVOLUTIONS:
        raise node.refuse(f"is a convolution of {rank} axes; those of 1 to 3 are read")
    steps, gaps = node.get("strides") or [1] * rank, node.get("dilations") or [1] * rank
    pairs = pads_of(node, x.shape[2:], weight.shape[2:], steps, gaps)
    even = all(before == after for before, after in pairs)
    if not even:
        x = padded(x, [(0, 0), (0, 0), *pairs], "constant", Tensor(0, x.dtype))
    amounts = tuple(before for before, _ in pairs) if even else (0,) * rank
    options: dict[str, Any] = {"stride": _plain(steps), "dilation": _plain(gaps), "groups": node.get("group", 1)}
    if any(amounts):
        options |= {"pad_mode": "pad", "padding": _plain(amounts)}
    return _CONVOLUTIONS[rank](x, weight, bias, **options)


def _plain(values: Sequence[int]) -> Any:
    return int(values[0]) if len(values) == 1 else tuple(int(value) for value in values)


@operator("ConvTranspose")
def conv_transpose(node: OnnxNode, x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """The whole result without padding; then it is made longer at its end, and cut."""
    rank, group = x.ndim - 2, node.get("group", 1)
    steps, gaps = node.get("strides") or [1] * rank, node.get("dilations") or [1] * rank
    extra = node.get("output_padding") or [0] * rank
    kernel, sizes = weight.shape[2:], x.shape[2:]
    full = [(n - 1) * s + (k - 1) * d + 1 for n, s, k, d in zip(sizes, steps, kernel, gaps)]
    result = _full_transposed(x, weight, steps, gaps, group)
    pairs, wanted = _transposed_pads(node, sizes, full, steps, extra)
    for axis, ((before, _), size) in enumerate(zip(pairs, wanted), 2):
        more = before + size - result.shape[axis]
        if more > 0:
            ends = [(0, 0)] * x.ndim
            ends[axis] = (0, more)
            result = padded(result, ends, "constant", Tensor(0, x.dtype))
        result = cut(result, axis, before, before + size)
    return result if bias is None else result + bias.reshape((-1,) + (1,) * rank)


def _full_transposed(x: Tensor, weight: Tensor, steps: Sequence[int], gaps: Sequence[int], group: int) -> Tensor:
    rank = x.ndim - 2
    if rank == 3:
        return ops.conv3d_transpose(x, weight, "valid", 0, tuple(steps), tuple(gaps), group)
    if rank == 1:  # an axis of size 1 in front
        x, weight = ops.expand_dims(x, 2), ops.expand_dims(weight, 2)
        steps, gaps = [1, *steps], [1, *gaps]
    result = mint.nn.functional.conv_transpose2d(x, weight, None, tuple(steps), 0, 0, group, tuple(gaps))
    return ops.squeeze(result, 2) if rank == 1 else result


def _transposed_pads(node: OnnxNode, sizes: Sequence[int], full: Sequence[int], steps: Sequence[int],
                     extra: Sequence[int]) -> tuple[list[tuple[int, int]], list[int]]:  # fmt: skip
    """What is cut off in front and behind, and the sizes of the result."""
    rank, mode, wanted = len(sizes), node.get("auto_pad", "NOTSET"), node.get("output_shape")
    if wanted:
        wanted = list(wanted)[-rank:]
    elif mode in ("SAME_UPPER", "SAME_LOWER"):
        wanted = [n * s for n, s in zip(sizes, steps)]
    else:
        given = (node.get("pads") if mode == "NOTSET" else None) or [0] * 2 * rank
        pairs = [(given[i], given[i + rank]) for i in range(rank)]
        return pairs, [full[i] + extra[i] - sum(pairs[i]) for i in range(rank)]
    totals = [max(full[i] + extra[i] - wanted[i], 0) for i in range(rank)]
    if mode == "SAME_UPPER":
        return [(total // 2, total - total // 2) for total in totals], wanted
    return [(total - total // 2, total // 2) for total in totals], wanted


@operator("ConvInteger")
def conv_integer(
    node: OnnxNode, x: Tensor, weight: Tensor, x_zero: Tensor | None = None, weight_zero: Tensor | None = None
) -> Tensor:
    """In float64, which holds all sums of products of bytes exactly."""
    x, weight = x.astype(dtypes.float64), weight.astype(dtypes.float64)
    if x_zero is not None:
        x = x - x_zero.astype(dtypes.float64)
    if weight_zero is not None:
        zero = weight_zero.astype(dtypes.float64)
        weight = weight - (zero.reshape((-1,) + (1,) * (weight.ndim - 1)) if zero.ndim else zero)
    return ops.round(convolved(node, x, weight)).astype(dtypes.int32)


@operator("DeformConv")
def deform_conv(
    node: OnnxNode, x: Tensor, weight: Tensor, offset: Tensor, bias: Tensor | None = None, mask: Tensor | None = None
) -> Tensor:
    """Sampled position by position of the kernel, then one matrix product."""
    if x.ndim != 4:
        raise node.refuse("is a deformable convolution of other than 2 axes")
    (kh, kw), groups, parts = weight.shape[2:], node.get("group", 1), node.get("offset_group", 1)
    steps, gaps = node.get("strides") or [1, 1], node.get("dilations") or [1, 1]
    pads = node.get("pads") or [0, 0, 0, 0]
    batch, channels, height, width = x.shape
    out_h, out_w = offset.shape[2:]
    moves = offset.reshape((batch, parts, kh * kw, 2, out_h, out_w))
    rows = ops.arange(out_h).reshape((out_h, 1)) * steps[0] - pads[0]
    columns = ops.arange(out_w).reshape((1, out_w)) * steps[1] - pads[1]
    pieces = []
    for part in range(parts):
        image = cut(x, 1, part * channels // parts, (part + 1) * channels // parts)
        taken = []
        for tap in range(kh * kw):
            at_h = (rows + tap // kw * gaps[0]).astype(x.dtype) + moves[:, part, tap, 0]
            at_w = (columns + tap % kw * gaps[1]).astype(x.dtype) + moves[:, part, tap, 1]
            grid = ops.stack([at_w * 2 / max(width - 1, 1) - 1, at_h * 2 / max(height - 1, 1) - 1], -1)
            value = ops.grid_sample(image, grid, "bilinear", "zeros", True)
            if mask is not None:
                value = value * mask.reshape((batch, parts, kh * kw, out_h, out_w))[:, part, tap][:, None]
            taken.append(value)
        pieces.append(ops.stack(taken, 2))
    columns_of = ops.concat(pieces, 1).reshape((batch, groups, channels // groups, kh * kw, out_h, out_w))
    kernels = weight.reshape((groups, weight.shape[0] // groups, channels // groups, kh * kw))
    result = ops.einsum("bgckhw,gock->bgohw", columns_of, kernels).reshape((batch, weight.shape[0], out_h, out_w))
    return result if bias is None else result + bias.reshape((-1, 1, 1))
