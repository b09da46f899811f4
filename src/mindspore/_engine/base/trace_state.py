"""What the current thread is doing: tracing a graph, recording a tape, both or neither."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mindspore._engine.execution.autocast import Precision
    from mindspore._engine.execution.tape import Tape
    from mindspore._engine.execution.trace_scope import Scope
    from mindspore._engine.operator.sharding import Plan


class _State(threading.local):
    scope: Scope | None = None  # innermost trace; None when operators execute at once
    tape: Tape | None = None  # gradient recording; None outside grad
    saving: tuple[Callable[[Any], Any], Callable[[Any], Any]] | None = None  # around what the tape keeps of Tensors
    precision: Precision | None = None  # mixed precision by operator; None outside of it
    modes: tuple[Any, ...] = ()  # of the program, which see operators before they run; the innermost last
    delays_initial_values: bool = False  # Parameters are made without data, and filled when first read
    probing: int = 0  # how many pieces of code are being traced only to see what they do
    evaluating: bool = False  # what runs is not differentiated afterwards
    replaying: bool = False  # a backward pass is computing the forward one again
    processes: tuple[int, ...] = ()  # those the graph being traced is for; none: this one alone
    plan: Plan | None = None  # of the graph being traced, when it is for a mesh of devices


state = _State()
