"""How this program ends: well, or by an error that the other processes of the job must hear of."""

from __future__ import annotations

import os
import sys
from typing import Any, NoReturn

_status: Any = None  # what sys.exit was last called with


def note_exit_status() -> None:
    """Remember what ``sys.exit`` is called with: Python tells nobody else on its way out."""
    original = sys.exit

    def noting(status: Any = None, /) -> NoReturn:
        global _status
        _status = status
        original(status)

    sys.exit = noting


def goes_on() -> None:
    """The program computes on: a ``SystemExit`` on the way was caught."""
    global _status
    _status = None


def failure() -> tuple[str, int, BaseException] | None:
    """Why this program fails, its exit status, and the error; None when it ends well."""
    error = getattr(sys, "last_value", None)
    if error is not None:
        text = str(error).strip().splitlines() or [""]
        return f"failed: {type(error).__name__}: {text[0]}", 1, error
    if _status is None or _status == 0:
        return None
    status = _status if isinstance(_status, int) else 1  # Python prints anything else and exits with 1
    return f"called sys.exit({_status!r})", status, SystemExit(_status)


def at_once(words: str, status: int) -> NoReturn:
    """End now: nothing may wait for the other processes any more."""
    if words:
        print(words, file=sys.stderr)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
