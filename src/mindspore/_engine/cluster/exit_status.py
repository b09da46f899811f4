"""Exit status of this process: success, or an error that the other processes must be told about."""

from __future__ import annotations

import os
import sys
from typing import Any, NoReturn

_status: Any = None  # last argument of sys.exit


def note_exit_status() -> None:
    """Wrap ``sys.exit`` to record its argument: atexit handlers cannot see it."""
    original = sys.exit

    def recording_exit(status: Any = None, /) -> NoReturn:
        global _status
        _status = status
        original(status)

    sys.exit = recording_exit


def goes_on() -> None:
    """Clear the recorded status: the ``SystemExit`` was caught and the program continues."""
    global _status
    _status = None


def failure() -> tuple[str, int, BaseException] | None:
    """Reason, exit status and exception of a failing program; None on success."""
    error = getattr(sys, "last_value", None)
    if error is not None:
        text = str(error).strip().splitlines() or [""]
        return f"failed: {type(error).__name__}: {text[0]}", 1, error
    if _status is None or _status == 0:
        return None
    status = _status if isinstance(_status, int) else 1  # Python maps any other object to 1
    return f"called sys.exit({_status!r})", status, SystemExit(_status)


def at_once(words: str, status: int) -> NoReturn:
    """``os._exit``: skip atexit handlers, which could block on other processes."""
    if words:
        print(words, file=sys.stderr)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
