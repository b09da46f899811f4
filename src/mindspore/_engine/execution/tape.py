"""The tape behind gradients, in both modes: its nodes, and how a kernel call is recorded.

Inside ``grad`` every kernel call whose inputs lead back to a differentiated value leaves a node. Hooks and custom
``bprop`` are nodes with a Python function for backward. The walk backward over these nodes is in ``backward``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from mindspore._engine.base.kernel import Kernel, is_inexact
from mindspore._engine.base.trace_state import state
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

    def release(self) -> None:
        self.tape = None
        self.parents = ()


class LeafNode(Node):
    """A differentiated value; passes gradients of an enclosing ``grad`` on to the value it stands for."""

    __slots__ = ()

    def __init__(self, tape: Tape, origin: Link | None):
        super().__init__(tape, (origin,), 1)


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

    def release(self) -> None:
        super().release()
        self.kept = self.forms = None


class PackedNode(KernelNode):
    """A kernel call whose inputs are kept in the form that a function of the program's gave them."""

    __slots__ = ("kept", "unpack")

    def __init__(self, tape: Tape, kernel: Kernel, inputs: Sequence[Any], parents: Sequence[Link | None], outputs: int):
        super().__init__(tape, kernel, (), parents, outputs)
        pack, self.unpack = state.saving  # type: ignore[misc]
        self.kept = [(None, v) if isinstance(v, _NUMBERS) else (v.dtype, pack(Tensor.wrap(v))) for v in inputs]

    def restore(self) -> None:
        """Put the inputs back, as the program's ``unpack_hook`` gives them."""
        self.inputs = [value if dtype is None else self._restored(dtype, value) for dtype, value in self.kept]

    def _restored(self, dtype: Any, kept: Any) -> Any:
        restored = self.unpack(kept)
        if not isinstance(restored, Tensor) or restored._read().dtype != dtype:
            got = restored.dtype if isinstance(restored, Tensor) else type(restored).__name__
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

    def release(self) -> None:
        for node in self.nodes:
            node.release()
        self.nodes.clear()


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
    wanted = tuple([isinstance(x, Tensor) and tape.link_of(x) is not None for x in inputs])
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
        link = x._link if isinstance(x, Tensor) else None
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
