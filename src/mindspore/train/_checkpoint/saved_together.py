"""Saving what several processes hold: who waits for others says for whom, and what to write instead."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence

from mindspore._utils import log

PATIENCE = 5.0  # seconds after which the others probably do not come


@contextlib.contextmanager
def saved_by_all(divided: Sequence[str]) -> Iterator[None]:
    """Around the gathering of Parameters that are divided among processes, which needs all of them.

    >>> with saved_by_all([]):
    ...     pass
    """
    if not divided:
        yield
        return
    timer = threading.Timer(
        PATIENCE, log.warning, ["%s It has waited %d seconds for the others.", _advice(divided), PATIENCE]
    )
    timer.daemon = True
    timer.start()
    try:
        yield
    except RuntimeError as error:
        raise type(error)(f"{error}\n{_advice(divided)}") from error
    finally:
        timer.cancel()


def _advice(divided: Sequence[str]) -> str:
    return (
        f"For 'save_checkpoint', the Parameter '{divided[0]}' (one of {len(divided)}) is divided among processes, so all ranks must "
        "call save_checkpoint: write it without 'if rank == 0', each with a file of its own, or with integrated_save=False for "
        "the own part alone."
    )
