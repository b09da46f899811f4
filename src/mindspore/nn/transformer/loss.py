"""Loss of transformers: cross entropy of the positions that count."""

from __future__ import annotations

import math

from mindspore import ops
from mindspore._utils.refusals import refused
from mindspore.common import dtype as mstype
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.transformer._checks import FLOATS, _check_input_dtype, check_config
from mindspore.nn.transformer.op_parallel_config import OpParallelConfig, default_dpmp_config

__all__ = ["CrossEntropyLoss"]

_GREATEST = -math.log(1e-24)  # no position counts more, however unlikely its label


class CrossEntropyLoss(Cell):
    """The mean cross entropy of logits and labels over the positions that a mask selects.

    Args:
        parallel_config: how it is to be spread over devices.

    Inputs:
        logits: Tensor (N, C) of Float32 or Float16.
        label: Tensor (N,) of Int32.
        input_mask: Tensor (N,) of Float32: how much each position counts, 0 for padding.

    Outputs:
        Tensor of shape (1,), Float32.

    Examples:
        >>> from mindspore import Tensor, int32
        >>> from mindspore.nn.transformer import CrossEntropyLoss
        >>> loss = CrossEntropyLoss()(Tensor([[0.0, 0.0], [0.0, 9.0]]), Tensor([1, 0], int32), Tensor([1.0, 0.0]))
        >>> print(loss.shape, round(float(loss), 3))
        (1,) 0.693
    """

    def __init__(self, parallel_config: OpParallelConfig = default_dpmp_config):
        super().__init__()
        check_config(self.cls_name, parallel_config, OpParallelConfig)

    def construct(self, logits: Tensor, label: Tensor, input_mask: Tensor) -> Tensor:
        """The loss."""
        self._check_inputs(logits, label, input_mask)
        losses = ops.cross_entropy(logits.astype(mstype.float32), label, reduction="none")
        losses = losses - ops.stop_gradient(ops.relu(losses - _GREATEST))
        return (losses * input_mask).sum(0, keepdims=True) / (input_mask.sum() + 1e-5)

    def _check_inputs(self, logits: Tensor, label: Tensor, input_mask: Tensor) -> None:
        for name, x, dtypes, rank in (
            ("logits", logits, FLOATS, 2),
            ("label", label, (mstype.int32,), 1),
            ("input_mask", input_mask, (mstype.float32,), 1),
        ):
            _check_input_dtype(x.dtype, name, dtypes, self.cls_name)
            if x.ndim != rank:
                raise refused(
                    ValueError,
                    f"For '{self.cls_name}', the '{name}' must have {rank} dimensions, but got shape {x.shape}.",
                )
