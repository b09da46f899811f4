"""What the current thread is doing: tracing a graph, recording a tape, both or neither."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mindspore._engine.scope import Scope
    from mindspore._engine.tape import Tape


class _State(threading.local):
    scope: Scope | None = None  # innermost trace; None when operators execute at once
    tape: Tape | None = None  # gradient recording; None outside grad


state = _State()
