"""The two switches of gradient recording: whether it is enabled (``no_grad``), and whether it takes place (the grad flag).

Both keep the tape of an enclosing ``grad`` aside, so that switching back goes on with it.
"""

from __future__ import annotations

from mindspore._engine.autodiff.free_tape import FreeTape
from mindspore._engine.base.trace_state import state


def enabled() -> bool:
    """Whether gradients are enabled: everywhere but under ``no_grad``."""
    return state.grad_enabled


def set_enabled(flag: bool) -> None:
    """Enable or disable gradients from here on."""
    state.grad_enabled = flag
    _apply()


def flag() -> bool:
    """Whether a recording takes place, be it disabled for the moment or not."""
    return not state.grad_cleared and (state.tape is not None or state.suspended_tape is not None)


def set_flag(value: bool) -> None:
    """Take an enclosing recording away, or give it back; outside of ``grad``, begin or end a free one."""
    current = state.tape or state.suspended_tape
    if current is None and value:
        state.tape = FreeTape()
    elif current is not None and current.free and not value:
        state.tape = state.suspended_tape = None
    state.grad_cleared = not value and current is not None and not current.free
    _apply()


def _apply() -> None:
    off = state.grad_cleared or not state.grad_enabled
    if off and state.on_grad_switch is not None:
        state.on_grad_switch()
    if off and state.suspended_tape is None:
        state.suspended_tape, state.tape = state.tape, None
    elif not off and state.suspended_tape is not None:
        state.tape, state.suspended_tape = state.suspended_tape, None
