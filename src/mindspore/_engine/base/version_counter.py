"""A counter of changes a compiled graph may depend on: Cell attributes, modes, trainable flags.

Compiled graphs compare it before every call: while it stands still nothing needs to be looked at.
"""

from __future__ import annotations

count = 0


def note() -> None:
    """Something changed that a compiled graph may have read."""
    global count
    count += 1
