"""What to write instead of names that ``mindspore.nn.utils`` does not have."""

from __future__ import annotations

HINTS = {
    "clip_grad_norm": "Write mindspore.ops.clip_by_global_norm(gradients, clip_norm), which returns the clipped gradients.",
    "clip_grad_norm_": "Write mindspore.ops.clip_by_global_norm(gradients, clip_norm), which returns the clipped gradients.",
    "clip_grad_value_": "Write mindspore.ops.clip_by_value(gradients, low, high), which returns the clipped gradients.",
}
