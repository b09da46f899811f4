"""Hints for attributes that a Tensor does not have but other frameworks' tensors do."""

from __future__ import annotations

from typing import Any

from mindspore._utils.checks import shown
from mindspore._utils.hints import ON_ONE_DEVICE, MissingName, OperatorHints
from mindspore._utils.refusals import refused, type_or_value

_GRADIENT = (
    "Gradients are taken of functions: loss, gradients = "
    "mindspore.value_and_grad(forward, None, net.trainable_params())(x, y)."
)
_STOP = "Write mindspore.ops.stop_gradient(x); outside of mindspore.grad and value_and_grad nothing is recorded at all."

TENSOR_HINTS = OperatorHints({
    "backward": _GRADIENT,
    "grad": _GRADIENT,
    "grad_fn": _GRADIENT,
    "retain_grad": _GRADIENT,
    "is_leaf": _GRADIENT,
    "zero_grad": "Leave it out: gradients are not stored, mindspore.value_and_grad returns them.",
    "requires_grad": "Only Parameters have it: which gradients are taken is said by mindspore.value_and_grad(forward, "
    "grad_position, weights).",
    "detach": _STOP,
    "detach_": _STOP,
    "cuda": ON_ONE_DEVICE,
    "cpu": f"{ON_ONE_DEVICE} To get a NumPy array, write x.asnumpy().",
    "npu": ON_ONE_DEVICE,
    "xpu": ON_ONE_DEVICE,
    "is_cuda": ON_ONE_DEVICE,
    "get_device": ON_ONE_DEVICE,
    "share_memory_": "Leave it out: processes get their own copy.",
    "char": "Write x.astype(mindspore.int8).",
    "eval": "A Tensor is computed already; x.asnumpy() gives its numbers.",
    "cat": "Write mindspore.ops.cat([x, y], axis).",
    "concat": "Write mindspore.ops.cat([x, y], axis).",
    "stack": "Write mindspore.ops.stack([x, y], axis).",
    "append": "Write mindspore.ops.cat([x, y]), or keep a list and stack it at the end: mindspore.ops.stack(items).",
    "apply_": "Write the function with operators: mindspore.ops.exp(x), or x.asnumpy() and Tensor(...) outside of graphs.",
    "map_": "Write the function with operators: mindspore.ops.exp(x), or x.asnumpy() and Tensor(...) outside of graphs.",
    "plot": "Draw the NumPy array: x.asnumpy().",
})  # fmt: skip


def missing_attribute(tensor: Any, name: str) -> AttributeError:
    """The AttributeError, with a hint what to write instead."""
    owner = f"'{type(tensor).__name__}' object"
    if name.startswith("_"):  # probed by tools and protocols: no hint
        return AttributeError(f"{owner} has no attribute '{name}'")
    return MissingName(owner, name, TENSOR_HINTS, lambda: dir(tensor))


def given_twice(shape: Any, init: Any) -> Exception:
    """The error for a Tensor that is given its data and how to make them."""
    name, value = ("shape", shape) if shape is not None else ("init", init)
    return refused(
        ValueError,
        f"For 'Tensor', the '{name}' must be None if there is 'input_data', but got {shown(value)}. Leave it out, or write "
        "Tensor(input_data).reshape(shape).",
    )


def check_place(device: Any, owner: str = "Tensor") -> None:
    """Validate a device name; placement itself is decided for the whole program."""
    if not isinstance(device, str) or device.lower().split(":")[0] not in ("cpu", "gpu", "ascend", "npu", "meta"):
        raise type_or_value(ValueError)(
            f"For '{owner}', the 'device' must be 'CPU', 'GPU' or 'Ascend', but got {device!r}. {ON_ONE_DEVICE}"
        )
