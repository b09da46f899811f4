"""What to write instead of names that ``mindspore.nn.optim`` and its optimizers do not have."""

from __future__ import annotations

HINTS = {
    "SparseAdam": "Write nn.LazyAdam, which updates the rows that have a gradient.",
    "lr_scheduler": "Schedulers are in mindspore.experimental.optim.lr_scheduler; learning rates as lists in mindspore.nn.",
}

_STEP = (
    "Call the optimizer with the gradients: loss, gradients = mindspore.value_and_grad(forward, None, optimizer.parameters)(x, y); "
    "optimizer(gradients)."
)

# On an optimizer, as PyTorch and Keras call it.
STEP_HINTS = {
    "step": _STEP,
    "zero_grad": "Leave it out: gradients are not stored, mindspore.value_and_grad returns new ones each time.",
    "minimize": _STEP,
    "apply_gradients": "Call the optimizer with the gradients alone, in the order of its parameters: optimizer(gradients).",
}
OPTIMIZER_HINTS = {
    **STEP_HINTS,
    "param_groups": "Its Parameters are in optimizer.parameters; groups are given when it is made: [{'params': [...], 'lr': 0.1}].",
    "add_param_group": "Give all groups when it is made: [{'params': [...], 'lr': 0.1}, {'params': [...]}].",
    "lr": "It is called learning_rate here; change it with mindspore.ops.assign(optimizer.learning_rate, 0.01).",
    "params": "It is called parameters here.",
    "state": "Its state are Parameters like others: optimizer.parameters_dict().",
    "defaults": "What it was made with is in optimizer.init_args.",
}
