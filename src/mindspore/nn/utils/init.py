"""How the Parameters of a network come to their first values."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from mindspore._engine.base.trace_state import state

__all__ = ["no_init_parameters"]


@contextmanager
def no_init_parameters() -> Iterator[None]:
    """Networks built inside get no initial values: a checkpoint is going to replace them anyway.

    Parameters still without data are initialised when they are first read, or by ``init_parameters_data()``.

    Examples:
        >>> from mindspore import nn
        >>> from mindspore.nn.utils import no_init_parameters
        >>> with no_init_parameters():
        ...     net = nn.Dense(3, 4)
        >>> net.weight.has_init
        True
        >>> _ = net.init_parameters_data()
        >>> net.weight.has_init
        False
    """
    before = state.delays_initial_values
    state.delays_initial_values = True
    try:
        yield
    finally:
        state.delays_initial_values = before
