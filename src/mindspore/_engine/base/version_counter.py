"""A version counter of state that compiled graphs depend on: Cell attributes, modes, trainable flags.

Compiled graphs compare it before every call: if it is unchanged, no further guard is checked.
"""

from __future__ import annotations

count = 0


def note() -> None:
    """Bump the counter: something changed that a compiled graph may have read."""
    global count
    count += 1
