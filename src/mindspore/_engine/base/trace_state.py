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
    suspended_tape: Tape | None = None  # what was recording when gradients were switched off
    grad_enabled: bool = True  # False under no_grad
    on_grad_switch: Callable[[], None] | None = None  # called when a program switches gradients off
    grad_cleared: bool = False  # the grad flag was taken away inside a recording
    saving: tuple[Callable[[Any], Any], Callable[[Any], Any]] | None = None  # (pack, unpack) hooks of saved tensors
    precision: Precision | None = None  # autocast; None if disabled
    modes: tuple[Any, ...] = ()  # active MsDispatchModes, innermost last
    delays_initial_values: bool = False  # deferred Parameter initialization
    probing: int = 0  # nesting depth of abstract probes
    evaluating: bool = False  # no gradient will follow
    replaying: bool = False  # rematerialising a forward pass
    piecewise: int = 0  # compiled calls that run as Python: what they call is compiled by itself
    breaking: Any = None  # the way to the break that is being worked around
    collected: list[Any] | None = None  # breaks met while somebody asks for them
    processes: tuple[int, ...] = ()  # ranks of the graph being traced; empty: this process alone
    calls: Callable[[Any, list[Any]], Any] | None = None  # how a trace calls kernels, if not inline: for export
    plan: Plan | None = None  # sharding plan of the graph being traced for a mesh


state = _State()


def intercept_all(mode: Any) -> None:
    """Activate a dispatch mode in this thread and in all that begin later."""
    _State.modes = state.modes = (mode,)
