"""Tensors made, converted and moved: the functions of ``mint`` as primitives."""

from __future__ import annotations

from typing import Any

import mindspore.common.dtype as mstype
from mindspore import mint, ops
from mindspore._ops.generated.transforms import bits_as
from mindspore.mint.nn import functional as F
from mindspore.ops import Tensor


def _converted(input: Any, dtype: Any, copy: bool = False) -> Tensor:
    if dtype is None or dtype == input.dtype:
        return mint.clone(input) if copy else input
    return ops.cast(input, dtype)


def _filled(size: Any, fill_value: Any, dtype: Any = None) -> Tensor:
    if isinstance(fill_value, Tensor):
        return mint.broadcast_to(_converted(fill_value, dtype), size)
    return mint.full(size, fill_value, dtype=dtype)


def _one_hot(tensor: Any, num_classes: Any, on_value: Any, off_value: Any, axis: int = -1) -> Tensor:
    if not isinstance(num_classes, Tensor) and num_classes == -1:
        num_classes = int(mint.max(tensor)) + 1
    return ops.OneHot(axis)(tensor, int(num_classes), on_value, off_value)


def _stays(x: Any, sync: bool = False) -> Any:
    """The Tensor: XLA decides where values are kept."""
    return x


FORMS = {
    "Arange": lambda start, end, step, dtype=None: mint.arange(start, end, step, dtype=dtype),
    "CopyToDevice": lambda x, sync=False: _stays(x, sync),
    "CopyToHost": lambda x, sync=False: _stays(x, sync),
    "Detach": lambda x, sync=False: ops.stop_gradient(x),
    "Empty": lambda size, dtype=None, device=None, pin_memory=False: mint.empty(size, dtype=dtype, device=device),
    "EmptyLike": lambda input, dtype=None, device=None, pin_memory=False: mint.empty_like(
        input, dtype=dtype, device=device
    ),
    "FillScalar": lambda size, fill_value, dtype=None: _filled(size, fill_value, dtype),
    "FillTensor": lambda size, fill_value, dtype=None: _filled(size, fill_value, dtype),
    "FormatCast": lambda input, acl_format: input,  # formats of Ascend's memory: the values are the same
    "Free": lambda x, sync=False: _stays(x, sync),
    "FullLike": lambda input, fill_value, dtype=None: mint.full_like(input, fill_value, dtype=dtype),
    "GetData": lambda input: ops.stop_gradient(input),
    "LinSpaceExt": lambda start, end, steps, dtype=None: mint.linspace(start, end, steps, dtype=dtype),
    "NewEmpty": lambda input, size, dtype=None, device=None: mint.empty(
        size, dtype=input.dtype if dtype is None else dtype, device=device
    ),
    "NewFull": lambda input, size, fill_value, dtype=None: mint.full(
        size, fill_value, dtype=input.dtype if dtype is None else dtype
    ),
    "NewOnes": lambda input, size, dtype=None: mint.ones(size, dtype=input.dtype if dtype is None else dtype),
    "NewZeros": lambda input, size, dtype=None: mint.zeros(size, dtype=input.dtype if dtype is None else dtype),
    "OneHotExt": lambda tensor, num_classes, on_value, off_value, *, axis=-1: _one_hot(
        tensor, num_classes, on_value, off_value, axis
    ),
    "OnesLikeExt": lambda input, dtype=None: mint.ones_like(input, dtype=dtype),
    "ToDevice": lambda input, device=None, dtype=None, non_blocking=False, copy=False: _converted(input, dtype, copy),
    "ToDtype": lambda input, dtype=None, non_blocking=False, copy=False: _converted(input, dtype, copy),
    "ToOther": lambda input, other, non_blocking=False, copy=False: _converted(input, other.dtype, copy),
    "TupleToTensor": lambda input_tuple, dtype=None: Tensor(input_tuple, dtype),
    "TypeAs": lambda input, other: _converted(input, other.dtype),
    "UpdateToDevice": lambda x, sync=False: _stays(x, sync),
    "UpdateToRemote": lambda x, sync=False: _stays(x, sync),
    "ViewDtype": lambda input, dtype: bits_as(input, dtype),
    "ZerosLikeExt": lambda input, dtype=None: mint.zeros_like(input, dtype=dtype),
    "Embedding": lambda input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False: (
        F.embedding(input, weight, padding_idx, max_norm, norm_type, scale_grad_by_freq)
    ),
    "AShardIdentity": lambda input: input,
    "FFTFreq": lambda n, d=1.0, dtype=None: ops.fftfreq(n, d, dtype=mstype.float32 if dtype is None else dtype),
    "RFFTFreq": lambda n, d=1.0, dtype=None: ops.rfftfreq(n, d, dtype=mstype.float32 if dtype is None else dtype),
}
