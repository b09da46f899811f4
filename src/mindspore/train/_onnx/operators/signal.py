"""Windows and Fourier transforms of signals."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore import ops
from mindspore._engine.tensor.tensor import Tensor
from mindspore.train._onnx.table import OnnxNode, number, operator, positive
from mindspore.train._onnx.tensors import dtype_of

_COSINES = {
    "HannWindow": (0.5, 0.5, 0.0),
    "HammingWindow": (25 / 46, 21 / 46, 0.0),
    "BlackmanWindow": (0.42, 0.5, 0.08),
}


@operator(*_COSINES, known=(0,))
def window(node: OnnxNode, size: Any) -> Tensor:
    count = int(number(size))
    turns = 2 * np.pi * np.arange(count) / (count if node.flag("periodic", 1) else max(count - 1, 1))
    a, b, c = _COSINES[node.kind]
    return Tensor(
        (a - b * np.cos(turns) + c * np.cos(2 * turns)).astype(dtype_of(node.get("output_datatype", 1), node.name))
    )


@operator("DFT", known=(1, 2))
def dft(node: OnnxNode, x: Tensor, length: Any = None, axis: Any = None) -> Tensor:
    """The last axis holds real and imaginary parts, or the real ones alone; computed as a product with a matrix."""
    where = int(number(axis)) if axis is not None else node.get("axis", -2 if node.version >= 20 else 1)
    where = positive(where, x.ndim)
    inverse, half = node.flag("inverse"), node.flag("onesided")
    size = x.shape[where] if length is None else int(number(length))
    if half and inverse:
        return _real_inverse(x, where, 2 * (x.shape[where] - 1) if length is None else size)
    used = min(size, x.shape[where])
    x = ops.narrow(x, where, 0, used)
    real = x[..., 0]
    imaginary = x[..., 1] if x.shape[-1] == 2 else None
    count = size // 2 + 1 if half else size
    turns = 2 * np.pi * np.outer(np.arange(used), np.arange(count)) / size
    sign = 1 if inverse else -1
    cosines, sines = (Tensor(t.astype(x.dtype.np_dtype)) for t in (np.cos(turns), sign * np.sin(turns)))
    out_real, out_imaginary = _times(real, cosines, where), _times(real, sines, where)
    if imaginary is not None:
        out_real = out_real - _times(imaginary, sines, where)
        out_imaginary = out_imaginary + _times(imaginary, cosines, where)
    found = ops.stack([out_real, out_imaginary], -1)
    return found / size if inverse else found


def _real_inverse(x: Tensor, axis: int, size: int) -> Tensor:
    """Half of a spectrum stands for all of it."""
    bins = size // 2 + 1
    x = ops.narrow(x, axis, 0, min(bins, x.shape[axis]))
    turns = 2 * np.pi * np.outer(np.arange(x.shape[axis]), np.arange(size)) / size
    twice = np.array([1 if k == 0 or 2 * k == size else 2 for k in range(x.shape[axis])])[:, None]
    cosines, sines = (Tensor((t * twice / size).astype(x.dtype.np_dtype)) for t in (np.cos(turns), np.sin(turns)))
    return ops.expand_dims(_times(x[..., 0], cosines, axis) - _times(x[..., 1], sines, axis), -1)


def _times(x: Tensor, matrix: Tensor, axis: int) -> Tensor:
    return ops.moveaxis(ops.matmul(ops.moveaxis(x, axis, -1), matrix), -1, axis)


@operator("STFT", known=(1, 3))
def stft(node: OnnxNode, x: Tensor, step: Any, shape: Tensor | None = None, length: Any = None) -> Tensor:
    hop = int(number(step))
    size = int(number(length)) if length is not None else shape.shape[0] if shape is not None else x.shape[1]
    count = (x.shape[1] - size) // hop + 1
    samples = np.arange(count)[:, None] * hop + np.arange(size)[None, :]
    frames = ops.gather(x, Tensor(samples), 1)  # (batch, frames, size, parts)
    if shape is not None:
        frames = frames * shape.reshape((-1, 1))
    inner = OnnxNode("DFT", node.name, 17, 1, {"axis": 2, "onesided": node.get("onesided", 1)})
    return dft(inner, frames)


@operator("MelWeightMatrix", known=(0, 1, 2, 3, 4))
def mel_weight_matrix(node: OnnxNode, bins: Any, length: Any, rate: Any, low: Any, high: Any) -> Tensor:
    count, size, per_second = (int(number(one)) for one in (bins, length, rate))
    first, last = (2595 * np.log10(1 + float(number(one)) / 700) for one in (low, high))
    spectrum = size // 2 + 1
    mels = first + np.arange(count + 2) * (last - first) / (count + 2)
    edges = ((size + 1) * (700 * (10 ** (mels / 2595) - 1)) // per_second).astype(int)
    table = np.zeros((spectrum, count))
    for i in range(count):
        left, middle, right = edges[i : i + 3]
        if middle == left:
            table[middle, i] = 1
        else:
            table[left : middle + 1, i] = (np.arange(left, middle + 1) - left) / (middle - left)
        if right > middle:
            table[middle:right, i] = (right - np.arange(middle, right)) / (right - middle)
    return Tensor(table.astype(dtype_of(node.get("output_datatype", 1), node.name)))
