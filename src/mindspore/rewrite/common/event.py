"""What happens to a network while it is rewritten."""

from __future__ import annotations

import enum

__all__ = ["Event"]


class Event(enum.Enum):
    """A change: of how nodes are connected, or of code."""

    TopologicalChangeEvent = 0
    CodeChangeEvent = 1
