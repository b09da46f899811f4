"""Events: moments in the work of a device."""

from __future__ import annotations

import time
from typing import Any

from mindspore._engine.runtime import device_state
from mindspore._utils.checks import check_bool, check_type

__all__ = ["Event"]


class Event:
    """A moment in the work of the device. Recording it waits until the work before it is done.

    Args:
        enable_timing: whether :meth:`elapsed_time` will be asked for.
        blocking: kept for programs that give it.

    Examples:
        >>> from mindspore import Tensor, hal
        >>> start, end = hal.Event(enable_timing=True), hal.Event(enable_timing=True)
        >>> start.record()
        >>> doubled = Tensor([1.0]) * 2
        >>> end.record()
        >>> start.elapsed_time(end) > 0
        True
    """

    def __init__(self, enable_timing: bool = False, blocking: bool = False):
        self.enable_timing = check_bool("Event", "enable_timing", enable_timing)
        check_bool("Event", "blocking", blocking)
        self._moment: float | None = None

    def record(self, stream: Any = None) -> None:
        """This is the moment."""
        device_state.wait()
        self._moment = time.perf_counter()

    def wait(self, stream: Any = None) -> None:
        """Have later work wait for the event: XLA keeps to the order of the program anyway."""

    def synchronize(self) -> None:
        """Wait for the event; recording it has done so."""

    def query(self) -> bool:
        """Whether the event has happened; an event that was never recorded counts as done."""
        return True

    def elapsed_time(self, end_event: Event) -> float:
        """The milliseconds between this event and a later event."""
        check_type("Event.elapsed_time", "end_event", end_event, Event)
        if not (self.enable_timing and end_event.enable_timing):
            raise RuntimeError("For 'Event.elapsed_time', both events must be made with enable_timing=True.")
        if self._moment is None or end_event._moment is None:
            raise RuntimeError("For 'Event.elapsed_time', both events must have been recorded: call record().")
        return (end_event._moment - self._moment) * 1000

    def __repr__(self) -> str:
        return f"Event(enable_timing={self.enable_timing}, recorded={self._moment is not None})"
