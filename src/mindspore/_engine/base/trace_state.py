"""Thread-local state: the current trace, tape, autocast and modes."""

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
    scope: Scope | None = None  # innermost trace; None in eager execution
    tape: Tape | None = None  # gradient recording; None outside grad
    saving: tuple[Callable[[Any], Any], Callable[[Any], Any]] | None = None  # (pack, unpack) hooks of saved tensors
    precision: Precision | None = None  # autocast; None if disabled
    modes: tuple[Any, ...] = ()  # active MsDispatchModes, innermost last
    delays_initial_values: bool = False  # deferred Parameter initialization
    probing: int = 0  # nesting depth of abstract probes
    evaluating: bool = False  # no gradient will follow
    replaying: bool = False  # rematerialising a forward pass
    processes: tuple[int, ...] = ()  # ranks of the graph being traced; empty: this process alone
    plan: Plan | None = None  # sharding plan of the graph being traced for a mesh


state = _State()
