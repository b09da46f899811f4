"""Dry runs: a program says which values to go on with where it cannot compute them."""

from __future__ import annotations

from typing import Any

from mindspore._utils import log

__all__ = ["mock", "set_simulation"]

_simulating = False


def set_simulation() -> None:
    """From now on :func:`mock` answers with the values given to it.

    MindSpore then also computes nothing on the device. Here operators compute as always.
    """
    global _simulating
    _simulating = True
    log.once("dryrun", "The 'set_simulation' makes mock() answer with its first argument; operators compute as always.")


def mock(mock_val: Any, *args: Any) -> Any:
    """The real value, or ``mock_val`` in a dry run.

    Args:
        mock_val: the value in a dry run.
        args: the value; or a function, which is called, with its arguments.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.utils import dryrun
        >>> x = Tensor([1.0, 2.0])
        >>> print(dryrun.mock(False, x[0] > 0.5), dryrun.mock(0, max, 3, 4))
        True 4
    """
    if _simulating:
        return mock_val
    if not args:
        return mock_val
    first, *rest = args
    return first(*rest) if callable(first) else first
