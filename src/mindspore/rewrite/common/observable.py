"""What can be watched for changes."""

from __future__ import annotations

from mindspore.rewrite.common.event import Event
from mindspore.rewrite.common.observer import Observer


class Observable:
    """Tells its observers what happens."""

    def __init__(self) -> None:
        self._observers: list[Observer] = []

    def reg_observer(self, observer: Observer) -> None:
        """Tell this observer too."""
        self._observers.append(observer)

    def changed(self, event: Event) -> None:
        """Tell all observers."""
        for observer in self._observers:
            observer.on_change(event)
