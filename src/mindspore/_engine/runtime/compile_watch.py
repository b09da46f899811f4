"""Tells the user about compilations that take long: meanwhile what is compiled for which line, and afterwards how long it took."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from typing import Any

from mindspore._engine.base import user_frames
from mindspore._utils import log

PATIENCE = 3.0  # seconds without a word

_running = threading.local()  # whether a compilation is watched already: those inside it belong to it


class watched:  # noqa: N801 - reads as a statement: with watched("Net")
    """Watches the compilation of a graph, which may take minutes without a word.

    Args:
        name: of the Cell or function.
        roots: the Cells it belongs to; of one of ours around the user's own, both are named.
    """

    def __init__(self, name: str, roots: Iterable[Any] = ()):
        self.name = name
        self.roots = tuple(roots)
        self.told = False

    def __enter__(self) -> None:
        self.outermost = not getattr(_running, "now", False)
        if not self.outermost:
            return
        _running.now = True
        self.began = time.monotonic()
        self.finished = threading.Event()
        self.place = user_frames.calling_line()
        threading.Thread(target=self._wait, name="compile-watch", daemon=True).start()

    def __exit__(self, kind: type | None, *_: object) -> None:
        if not self.outermost:
            return
        _running.now = False
        self.finished.set()
        if self.told and kind is None:
            self._tell(f"{self._title()} was compiled in {time.monotonic() - self.began:.1f} s.")

    def _wait(self) -> None:
        if self.finished.wait(PATIENCE):
            return
        self.told = True
        source = f" for the line `{self.place[3]}`" if self.place and self.place[3] else ""
        self._tell(
            f"{self._title()} is being compiled{source}; this takes longer than {PATIENCE:g} s. It happens once per shape of the "
            "inputs, and the result is kept for the next start."
        )

    def _title(self) -> str:
        return " of ".join(f"'{one}'" for one in dict.fromkeys([self.name, *_own_name(self.roots)]))

    def _tell(self, text: str) -> None:
        file, line = (self.place[0], self.place[1]) if self.place else ("mindspore", 0)
        log.warning_at(file, line, text)


def _own_name(roots: tuple[Any, ...]) -> list[str]:
    """The class of the user's own network inside a Cell of ours: a training step is named like all others."""
    for root in roots:
        network, depth = root, 0
        while network is not None and depth < 10:
            members = getattr(network, "_cells", None)
            if members is None:
                break
            if not type(network).__module__.startswith("mindspore."):
                return [type(network).__name__]
            network, depth = members.get("network") or members.get("_backbone") or members.get("_network"), depth + 1
    return []
