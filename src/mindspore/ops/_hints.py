"""What to write instead of names that ``mindspore.ops`` does not have."""

from __future__ import annotations

_OTHER_BACK_END = "Kernels for other back ends cannot run here: compose the function from operators of mindspore.ops."

HINTS = {
    "Sum": "Write ops.ReduceSum() or ops.sum.",
    "Mean": "Write ops.ReduceMean() or ops.mean.",
    "Max": "Write ops.ReduceMax() or ops.max.",
    "Min": "Write ops.ReduceMin() or ops.min.",
    "concatcat": "Write ops.concat.",
    "no_grad": "Write ops.stop_gradient around the value instead.",
    "Custom": _OTHER_BACK_END,
    "CustomRegOp": _OTHER_BACK_END,
    "DataType": _OTHER_BACK_END,
    "custom_info_register": _OTHER_BACK_END,
    "op_info_register": _OTHER_BACK_END,
    "TBERegOp": _OTHER_BACK_END,
}
