"""The tape behind gradients, in both modes.

Inside ``grad`` every kernel call whose inputs lead back to a differentiated value leaves a node. Backward walks the
nodes in reverse and runs each kernel's vjp, itself a kernel call: eagerly that is a cached compiled function, inside a
graph it is traced in place, and inside another ``grad`` it is recorded again. Hooks and custom ``bprop`` are nodes with
a Python function for backward.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import jax.numpy as jnp

from mindspore._engine.base.kernel import Kernel, gradient_sum, is_inexact
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution import backward_program

if TYPE_CHECKING:
    from mindspore._engine.tensor.tensor import Tensor

Link = tuple["Node", int]  # a value's producer and which of its outputs it is

_NUMBERS = (bool, int, float, complex)


class Node:
    """One recorded step. ``parents`` has a Link or None per input."""

    __slots__ = ("outputs", "parents", "tape")

    def __init__(self, tape: Tape, parents: Sequence[Link | None], outputs: int):
        self.tape: Tape | None = tape
        self.parents: Sequence[Link | None] = parents
        self.outputs = outputs
        tape.nodes.append(self)

    def pull(self, cotangents: list[Tensor | None]) -> Sequence[Tensor | None]:
        """Cotangents of the inputs, given those of the outputs."""
        raise NotImplementedError("subclasses must implement pull")

    def release(self) -> None:
        self.tape = None
        self.parents = ()


class LeafNode(Node):
    """A differentiated value; passes gradients of an enclosing ``grad`` on to the value it stands for."""

    __slots__ = ()

    def __init__(self, tape: Tape, origin: Link | None):
        super().__init__(tape, (origin,), 1)

    def pull(self, cotangents: list[Tensor | None]) -> Sequence[Tensor | None]:
        return cotangents


class KernelNode(Node):
    """A kernel call."""

    __slots__ = ("inputs", "kernel")

    def __init__(self, tape: Tape, kernel: Kernel, inputs: Sequence[Any], parents: Sequence[Link | None], outputs: int):
        self.tape = tape  # what Node does, written out: this runs for every operator
        self.parents = parents
        self.outputs = outputs
        self.kernel = kernel
        self.inputs: Sequence[Any] = inputs
        tape.nodes.append(self)

    def pull(self, cotangents: list[Tensor | None]) -> Sequence[Tensor | None]:
        wanted = tuple([p is not None for p in self.parents])
        given = tuple([c is not None for c in cotangents])
        backward = self.kernel.vjp(wanted, given)
        if state.tape is None:  # nobody records this backward, so nothing need be linked
            values = run_on_values(backward, [*self.inputs, *[c._value for c in cotangents if c is not None]])
            supply = iter(values)
            return values if len(values) == len(wanted) else [next(supply) if want else None for want in wanted]
        arguments = [tensor_class.linked(v, p) for v, p in zip(self.inputs, self.parents, strict=True)]
        gradients = iter(run(backward, [*arguments, *[c for c in cotangents if c is not None]]))
        return [next(gradients) if want else None for want in wanted]

    def release(self) -> None:
        self.tape = None
        self.parents = self.inputs = ()


class KeptNode(KernelNode):
    """A kernel call inside a graph that kept what its backward needs."""

    __slots__ = ("forms", "kept")

    def __init__(self, kept: tuple[Any, Any], forms: Any, *described: Any):
        super().__init__(*described)
        self.kept: Any = kept  # a function of it and of cotangents, and what it keeps
        self.forms: Any = forms  # of the results

    def pull(self, cotangents: list[Tensor | None]) -> Sequence[Tensor | None]:
        if state.tape is not None:
            return super().pull(cotangents)
        results = self.forms if isinstance(self.forms, tuple) else (self.forms,)
        seeds = tuple([jnp.zeros_like(r) if c is None else c._value for c, r in zip(cotangents, results, strict=True)])
        backward, kept = self.kept
        supply = iter(backward(kept, seeds if isinstance(self.forms, tuple) else seeds[0]))
        return [None if p is None else tensor_class.wrap(next(supply)) for p in self.parents]

    def release(self) -> None:
        super().release()
        self.kept = self.forms = None


class PackedNode(KernelNode):
    """A kernel call whose inputs are kept in the form that a function of the program's gave them."""

    __slots__ = ("kept", "unpack")

    def __init__(self, tape: Tape, kernel: Kernel, inputs: Sequence[Any], parents: Sequence[Link | None], outputs: int):
        super().__init__(tape, kernel, (), parents, outputs)
        pack, self.unpack = state.saving  # type: ignore[misc]
        self.kept = [(None, v) if isinstance(v, _NUMBERS) else (v.dtype, pack(tensor_class.wrap(v))) for v in inputs]

    def pull(self, cotangents: list[Tensor | None]) -> Sequence[Tensor | None]:
        self.inputs = [value if dtype is None else self._restored(dtype, value) for dtype, value in self.kept]
        return super().pull(cotangents)

    def _restored(self, dtype: Any, kept: Any) -> Any:
        restored = self.unpack(kept)
        if not isinstance(restored, tensor_class) or restored._read().dtype != dtype:
            got = restored.dtype if isinstance(restored, tensor_class) else type(restored).__name__
            raise TypeError(
                f"For 'saved_tensors_hooks', the 'unpack_hook' must return a Tensor of the dtype that 'pack_hook' was given, {dtype}, "
                f"but got {got}."
            )
        return restored._value

    def release(self) -> None:
        super().release()
        self.kept = []


class PythonNode(Node):
    """A step whose backward is a Python function of Tensors: hooks and custom ``bprop``."""

    __slots__ = ("function",)

    def __init__(self, tape: Tape, function: Callable[..., Any], parents: Sequence[Link | None], outputs: int):
        super().__init__(tape, parents, outputs)
        self.function: Any = function

    def pull(self, cotangents: list[Tensor | None]) -> Sequence[Tensor | None]:
        return self.function(cotangents)

    def release(self) -> None:
        super().release()
        self.function = None


class Tape:
    """Nodes in the order they were recorded. Nested ``grad`` calls share one tape, each from its own start."""

    __slots__ = ("depth", "nodes")

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.depth = 0

    def link_of(self, tensor: Tensor) -> Link | None:
        """The tensor's producer on this tape, if it has one."""
        link = tensor._link
        return link if link is not None and link[0].tape is self else None

    def backward(
        self, start: int, seeds: Sequence[tuple[Link, Tensor]], leaves: Sequence[LeafNode], often: bool = False
    ) -> list:
        """The cotangent of each leaf (None where nothing leads to it).

        ``often``: the same tape will be recorded many times, as in training.
        """
        nodes = self.nodes[start:]
        keep = self.depth > 1  # an enclosing grad still needs the nodes
        if not keep:
            del self.nodes[start:]
            compiled = backward_program.backward(nodes, seeds, leaves, often)
            if compiled is not None:
                for node in nodes:
                    node.release()
                return [None if value is None else tensor_class.wrap(value) for value in compiled]
        pending: dict[Node, list[Tensor | None]] = {}
        for link, seed in seeds:
            _add(pending, link, seed)
        stops = set(leaves)
        reached = _reached_from(nodes, stops) if keep else None
        found: dict[Node, Tensor | None] = {}
        with nullcontext() if keep else paused():
            self._walk(nodes, pending, stops, reached, found, keep)
        return [found.get(leaf) for leaf in leaves]

    @staticmethod
    def _walk(nodes: list[Node], pending: dict, stops: set, reached: set | None, found: dict, keep: bool) -> None:
        for node in reversed(nodes):
            cotangents = pending.pop(node, None)
            if cotangents is not None:
                if node in stops:
                    found[node] = cotangents[0]
                elif reached is None or node in reached:
                    for link, gradient in zip(node.parents, node.pull(cotangents), strict=True):
                        if link is not None and gradient is not None:
                            _add(pending, link, gradient)
            if not keep:
                node.release()

    def release(self) -> None:
        for node in self.nodes:
            node.release()
        self.nodes.clear()


def _reached_from(nodes: Sequence[Node], leaves: set) -> set:
    """The nodes that depend on one of the leaves."""
    reached = set(leaves)
    for node in nodes:
        if any(parent is not None and parent[0] in reached for parent in node.parents):
            reached.add(node)
    return reached


def _add(pending: dict[Node, list[Tensor | None]], link: Link, gradient: Tensor) -> None:
    node, index = link
    slots = pending.get(node)
    if slots is None:
        slots = pending[node] = [None] * node.outputs
    present = slots[index]
    slots[index] = gradient if present is None else run(gradient_sum, [present, gradient])


class recording:  # noqa: N801 - reads as a statement: with recording() as tape
    """Turn recording on; the outermost one drops the tape at the end, so no gradient outlives its call."""

    def __enter__(self) -> Tape:
        self.tape = state.tape if state.tape is not None else Tape()
        state.tape = self.tape
        self.tape.depth += 1
        return self.tape

    def __exit__(self, *_: object) -> None:
        self.tape.depth -= 1
        if self.tape.depth == 0:
            state.tape = None
            self.tape.release()


class paused:  # noqa: N801
    """Turn recording off."""

    def __enter__(self) -> None:
        self.tape = state.tape
        state.tape = None

    def __exit__(self, *_: object) -> None:
        state.tape = self.tape


def run_keeping(tape: Tape, kernel: Kernel, inputs: Sequence[Any], values: Sequence[Any]) -> tuple[Any, Any]:
    """The result of a kernel with a loop in it, and what makes its node."""
    wanted = tuple([isinstance(x, tensor_class) and tape.link_of(x) is not None for x in inputs])
    if state.saving is not None or not any(wanted) or not all(is_inexact(v.dtype) for v, w in zip(values, wanted) if w):
        return kernel.jitted(*values), None
    forward, backward = kernel.keeping(wanted)
    result, kept = forward(*values)
    if not all(is_inexact(one.dtype) for one in (result if isinstance(result, tuple) else (result,))):
        return result, None
    return result, functools.partial(KeptNode, (backward, kept), result)


def record(
    tape: Tape, kernel: Kernel, inputs: Sequence[Any], values: Sequence[Any], answer: Any, node_class: Any = None
) -> None:
    """Leave a node for a kernel call when one of its inputs is on the tape."""
    parents: list[Link | None] = []
    on_tape = integer = False
    for x, value in zip(inputs, values):
        link = x._link if isinstance(x, tensor_class) else None
        if link is not None:
            if link[0].tape is tape:
                on_tape = True
                integer = integer or not is_inexact(value.dtype)
            else:
                link = None
        parents.append(link)
    if not on_tape:
        return
    node_class = node_class or (KernelNode if state.saving is None else PackedNode)
    if answer.__class__ is not tuple:
        if integer or is_inexact(answer._value.dtype):
            answer._link = (node_class(tape, kernel, values, parents, 1), 0)
        return
    tracked = [integer or is_inexact(o._value.dtype) for o in answer]
    if any(tracked):
        node = node_class(tape, kernel, values, parents, len(answer))
        for index, (output, track) in enumerate(zip(answer, tracked, strict=True)):
            if track:
                output._link = (node, index)


backward_program.leaf_class, backward_program.kernel_class = LeafNode, KernelNode

# Set by tensor.py and dispatch.py, which need this module first.
tensor_class: Any = None
run: Callable[..., Any] = None  # type: ignore[assignment]
run_on_values: Callable[..., Any] = None  # type: ignore[assignment]
