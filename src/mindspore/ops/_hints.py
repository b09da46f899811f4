"""What to write instead of names that ``mindspore.ops`` does not have."""

from __future__ import annotations

HINTS = {
    "Sum": "Write ops.ReduceSum() or ops.sum.",
    "Mean": "Write ops.ReduceMean() or ops.mean.",
    "Max": "Write ops.ReduceMax() or ops.max.",
    "Min": "Write ops.ReduceMin() or ops.min.",
    "concatcat": "Write ops.concat.",
    "no_grad": "Write ops.stop_gradient around the value instead.",
}
