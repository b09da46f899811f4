"""The tape of reverse-mode differentiation: its nodes, and how a kernel call is recorded.

Inside ``grad`` every kernel call that depends on a differentiated leaf is recorded as a node. Hooks and custom ``bprop``
are nodes with a Python function as their vjp. The backward pass over these nodes is in ``backward.py``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from mindspore._engine.base.kernel import Kernel, is_inexact
from mindspore._engine.base.trace_state import state
from mindspore._engine.tensor.tensor import Tensor

Link = tuple["Node", int]  # a value's producer and its output index

_NUMBERS = (bool, int, float, complex)


class Node:
    """One recorded operation. ``parents`` has a Link or None per input."""

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
    """A differentiated value; passes cotangents of an enclosing ``grad`` on to the value it was created from."""

    __slots__ = ()

    def __init__(self, tape: Tape, origin: Link | None):
        super().__init__(tape, (origin,), 1)


class KernelNode(Node):
    """A recorded kernel call."""

    __slots__ = ("inputs", "kernel")

    def __init__(self, tape: Tape, kernel: Kernel, inputs: Sequence[Any], parents: Sequence[Link | None], outputs: int):
        self.tape = tape  # Node.__init__ inlined: this runs for every operator
        self.parents = parents
        self.outputs = outputs
        self.kernel = kernel
        self.inputs: Sequence[Any] = inputs
        tape.nodes.append(self)

    def release(self) -> None:
        self.tape = None
        self.parents = self.inputs = ()


class KeptNode(KernelNode):
    """A kernel call in a trace that saved the residuals of its vjp."""

    __slots__ = ("forms", "kept")

    def __init__(self, kept: tuple[Any, Any], forms: Any, *described: Any):
        super().__init__(*described)
        self.kept: Any = kept  # (vjp function, residuals)
        self.forms: Any = forms  # ShapeDtypeStructs or arrays of the results

    def release(self) -> None:
        super().release()
        self.kept = self.forms = None


class PackedNode(KernelNode):
    """A kernel call whose saved inputs went through the user's ``pack_hook``."""

    __slots__ = ("kept", "unpack")

    def __init__(self, tape: Tape, kernel: Kernel, inputs: Sequence[Any], parents: Sequence[Link | None], outputs: int):
        super().__init__(tape, kernel, (), parents, outputs)
        pack, self.unpack = state.saving  # type: ignore[misc]
        self.kept = [(None, v) if isinstance(v, _NUMBERS) else (v.dtype, pack(Tensor.wrap(v))) for v in inputs]

    def restore(self) -> None:
        """Restore the saved inputs with the user's ``unpack_hook``."""
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
    """A node whose vjp is a Python function on Tensors: hooks and custom ``bprop``."""

    __slots__ = ("function",)

    def __init__(self, tape: Tape, function: Callable[..., Any], parents: Sequence[Link | None], outputs: int):
        super().__init__(tape, parents, outputs)
        self.function: Any = function

    def release(self) -> None:
        super().release()
        self.function = None


class Tape:
    """Nodes in topological order. Nested ``grad`` calls share one tape, each from its own start index."""

    __slots__ = ("depth", "nodes")
    free = False  # a recording outside of ``grad`` (``free_tape.py``): Tensors that require gradients are its leaves

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.depth = 0

    def link_of(self, tensor: Tensor) -> Link | None:
        """The tensor's producer on this tape, or None."""
        link = tensor._link
        return link if link is not None and link[0].tape is self else None

    def release(self) -> None:
        for node in self.nodes:
            node.release()
        self.nodes.clear()


class recording:  # noqa: N801 - reads as a statement: with recording() as tape
    """Context manager that records; the outermost one releases the tape, so that no node outlives its ``grad`` call."""

    def __enter__(self) -> Tape:
        self.before = state.tape
        self.tape = Tape() if state.tape is None or state.tape.free else state.tape
        state.tape = self.tape
        self.tape.depth += 1
        return self.tape

    def __exit__(self, *_: object) -> None:
        self.tape.depth -= 1
        if self.tape.depth == 0:
            state.tape, state.suspended_tape, state.grad_cleared = self.before, None, False
            self.tape.release()


class paused:  # noqa: N801
    """Context manager that stops recording."""

    def __enter__(self) -> None:
        self.tape = state.tape
        state.tape = None

    def __exit__(self, *_: object) -> None:
        state.tape = self.tape


def run_keeping(tape: Tape, kernel: Kernel, inputs: Sequence[Any], values: Sequence[Any]) -> tuple[Any, Any]:
    """Run a kernel with a loop and save its residuals; returns the result and a factory of its node."""
    wanted = tuple([isinstance(x, Tensor) and tape.link_of(x) is not None for x in inputs])
    if state.saving is not None or not any(wanted) or not all(is_inexact(v.dtype) for v, w in zip(values, wanted) if w):
        return kernel.jitted(*values), None
    forward, backward = kernel.keeping(wanted)
    result, residuals = forward(*values)
    if not all(is_inexact(output.dtype) for output in (result if isinstance(result, tuple) else (result,))):
        return result, None
    return result, functools.partial(KeptNode, (backward, residuals), result)


def record(
    tape: Tape, kernel: Kernel, inputs: Sequence[Any], values: Sequence[Any], result: Any, node_class: Any = None
) -> None:
    """Record a kernel call if one of its inputs is on the tape."""
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
        if link is None and tape.free and isinstance(x, Tensor):
            link = tape.link_of(x)
            on_tape = on_tape or link is not None
        parents.append(link)
    if not on_tape:
        return
    node_class = node_class or (KernelNode if state.saving is None else PackedNode)
    if result.__class__ is not tuple:
        if integer or kernel.passes or is_inexact(result._value.dtype):
            result._link = (node_class(tape, kernel, values, parents, 1), 0)
        return
    tracked = [integer or is_inexact(o._value.dtype) for o in result]
    if any(tracked):
        node = node_class(tape, kernel, values, parents, len(result))
        for index, (output, track) in enumerate(zip(result, tracked, strict=True)):
            if track:
                output._link = (node, index)
