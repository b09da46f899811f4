"""Recording outside of ``grad``: while the grad flag is set, what is computed from Tensors that require gradients can be
pulled back by ``run_backward``.

Nodes live as long as the Tensors that were computed: the tape itself keeps none, so that a program may leave the flag set.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

from mindspore._engine.base.kernel import is_inexact
from mindspore._engine.execution.backward import backward
from mindspore._engine.execution.tape import LeafNode, Link, Node, Tape, paused
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing.traced_kernel import ones_like
from mindspore._utils.checks import check_type


class _KeepsNothing(list):
    """The node list of a tape that keeps no nodes: results reference them."""

    def append(self, node: Node) -> None:
        pass


class FreeTape(Tape):
    """The tape while the grad flag is set outside of ``grad``."""

    __slots__ = ("leaves",)
    free = True

    def __init__(self) -> None:
        super().__init__()
        self.depth = 1
        self.nodes = _KeepsNothing()
        self.leaves: dict[int, weakref.ref[Tensor]] = {}  # Tensors by the id of their leaf

    def link_of(self, tensor: Tensor) -> Link | None:
        link = tensor._link
        if link is not None and link[0].tape is self:
            return link
        if not wants_gradient(tensor) or not is_inexact(tensor._read().dtype):
            return None
        leaf = LeafNode(self, None)
        key, leaves = id(leaf), self.leaves
        leaves[key] = weakref.ref(tensor, lambda _: leaves.pop(key, None))
        tensor._link = (leaf, 0)
        return tensor._link


def wants_gradient(tensor: Tensor) -> bool:
    """Whether a Tensor is a leaf of recordings outside of ``grad``: libraries set ``requires_grad`` on weights of their own."""
    settings = tensor.__dict__
    return bool(settings.get("_requires_grad") or settings.get("requires_grad"))


def run_backward(tensors: Any, grad_tensors: Any, keep_graph: bool, create_graph: bool, inputs: Any = (),
                 allow_unreachable: bool = True, *, accumulate_grad: bool = True) -> Any:  # fmt: skip
    """Pull gradients of Tensors back to the Tensors that require them.

    Args:
        tensors: what was computed while the grad flag was set.
        grad_tensors: their gradients; None for ones.
        keep_graph: whether another pass may follow.
        create_graph: whether the gradients can be differentiated themselves.
        inputs: the Tensors whose gradients are wanted; all that require them if empty.
        allow_unreachable: whether ``inputs`` may hold a Tensor that nothing depends on; it has None as gradient then.
        accumulate_grad: whether gradients are added to ``_grad`` of the Tensors instead of being returned.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor
        >>> from mindspore._c_expression import run_backward
        >>> from mindspore.common.api import _pynative_executor
        >>> ms.set_context(mode=ms.PYNATIVE_MODE)
        >>> x = Tensor([3.0]).requires_grad_()
        >>> _pynative_executor.set_grad_flag(True)
        >>> y = x * x
        >>> _pynative_executor.set_grad_flag(False)
        >>> run_backward((y,), (Tensor([1.0]),), False, False)
        >>> print(x._grad)
        [6.]
    """
    outputs, wanted = _tensors("tensors", tensors), _tensors("inputs", inputs)
    seeds = (
        [ones_like(output) for output in outputs] if grad_tensors is None else _tensors("grad_tensors", grad_tensors)
    )
    links = [_live_link(output) for output in outputs]
    tape: Any = links[0][0].tape
    order = _in_order([link[0] for link in links])
    walked = Tape()
    walked.nodes, walked.depth = order, 2 if keep_graph or create_graph else 1
    leaves = [node for node in order if isinstance(node, LeafNode)]
    targets = {id(tensor._link[0]) for tensor in wanted if tensor._link is not None}
    with nullcontext() if create_graph else paused():
        found = backward(walked, 0, list(zip(links, seeds, strict=True)), leaves)
    gradients = {id(leaf): gradient for leaf, gradient in zip(leaves, found, strict=True)}
    if not accumulate_grad:
        return tuple(_gradient_of(tensor, gradients, allow_unreachable) for tensor in wanted)
    for leaf in leaves:
        reference = tape.leaves.get(id(leaf))
        tensor, gradient = None if reference is None else reference(), gradients[id(leaf)]
        if tensor is not None and gradient is not None and (not targets or id(leaf) in targets):
            before = tensor.__dict__.get("_grad")
            tensor.__dict__["_grad"] = gradient if before is None else before + gradient
    return None


def _tensors(name: str, value: Any) -> list[Tensor]:
    values: list[Tensor] = [value] if isinstance(value, Tensor) else list(value or ())
    for one in values:
        check_type("run_backward", name, one, Tensor)
    return values


def is_recorded(output: Tensor) -> bool:
    """Whether ``run_backward`` can begin at this Tensor."""
    return output._link is not None and isinstance(output._link[0].tape, FreeTape)


def _live_link(output: Tensor) -> Link:
    link = output._link
    if link is None or not is_recorded(output):
        raise RuntimeError(
            "For 'run_backward', every one of 'tensors' must have been computed from Tensors that require gradients while the "
            "grad flag was set, and not have been pulled back before without 'keep_graph': the output tensor does not require grad."
        )
    return link


def _in_order(ends: Sequence[Node]) -> list[Node]:
    """All nodes that the ends depend on, each after those it depends on."""
    order: dict[int, Node] = {}
    started: set[int] = set()
    stack = list(ends)
    while stack:
        node = stack[-1]
        if id(node) in started:
            order.setdefault(id(node), stack.pop())
            continue
        started.add(id(node))
        stack += [parent[0] for parent in node.parents if parent is not None and id(parent[0]) not in started]
    return list(order.values())


def _gradient_of(tensor: Tensor, gradients: dict[int, Any], allow_unreachable: bool) -> Tensor | None:
    gradient = None if tensor._link is None else gradients.get(id(tensor._link[0]))
    if gradient is None and not allow_unreachable:
        raise RuntimeError(
            "For 'run_backward', one of 'inputs' was not used to compute 'tensors', or is itself a result; pass "
            "allow_unreachable=True to have None as its gradient."
        )
    return gradient
