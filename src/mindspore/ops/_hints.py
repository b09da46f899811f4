"""What to write instead of names that ``mindspore.ops`` does not have."""

from __future__ import annotations

HINTS = {
    "_AllSwap": "Write ops.AlltoAllV.",
    "Sum": "Write ops.ReduceSum() or ops.sum.",
    "Mean": "Write ops.ReduceMean() or ops.mean.",
    "Max": "Write ops.ReduceMax() or ops.max.",
    "Min": "Write ops.ReduceMin() or ops.min.",
    "concatcat": "Write ops.concat.",
    "no_grad": "Write ops.stop_gradient around the value instead.",
    "detach": "Write ops.stop_gradient.",
    "linear": "Write ops.dense(x, weight, bias), or the layer nn.Dense.",
    "view": "Write ops.reshape.",
    "to": "Write ops.cast(x, mindspore.float16).",
    "normalize": "Write ops.L2Normalize(axis)(x), or x / ops.norm(x, dim=-1, keepdim=True).",
    "clip_grad_norm_": "Write ops.clip_by_global_norm(gradients, clip_norm), which returns the clipped gradients.",
    "clip_grad_norm": "Write ops.clip_by_global_norm(gradients, clip_norm), which returns the clipped gradients.",
    "softmax_cross_entropy": "Write ops.cross_entropy(logits, labels).",
    "softmax_cross_entropy_with_logits": "Write ops.cross_entropy(logits, labels).",
    "scaled_dot_product_attention": "Write ops.softmax(q @ k.swapaxes(-1, -2) / d ** 0.5, -1) @ v, or nn.MultiheadAttention.",
    "mse": "Write ops.mse_loss(x, y).",
    "sequential": "Write nn.SequentialCell([...]).",
}
