"""Who wants to know about changes."""

from __future__ import annotations

import abc

from mindspore.rewrite.common.event import Event


class Observer(abc.ABC):
    """Hears of the events it was given."""

    def __init__(self) -> None:
        self._events: set[Event] = set()

    def add_event(self, event: Event) -> None:
        """Hear of an event from now on."""
        self._events.add(event)

    def remove_event(self, event: Event) -> None:
        """Hear of it no more."""
        self._events.discard(event)

    def on_change(self, event: Event) -> None:
        """An event has happened."""
        if event in self._events:
            self._on_change(event)

    @abc.abstractmethod
    def _on_change(self, event: Event) -> None:
        """What is done about it."""
