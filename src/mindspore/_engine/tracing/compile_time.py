"""Computing with known values while a graph is traced: outside of the trace."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import jax

from mindspore._engine.base.trace_state import state

_OUTSIDE = {"scope": None, "tape": None, "precision": None, "modes": (), "calls": None, "plan": None, "probing": 0}


@contextlib.contextmanager
def evaluated_now() -> Iterator[None]:
    """Operators run eagerly here, whatever is being traced or recorded: their inputs must be known."""
    before = {name: getattr(state, name) for name in _OUTSIDE}
    for name, value in _OUTSIDE.items():
        setattr(state, name, value)
    try:
        with jax.ensure_compile_time_eval():
            yield
    finally:
        for name, value in before.items():
            setattr(state, name, value)
