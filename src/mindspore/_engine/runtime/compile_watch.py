"""Warn about slow compilations: what is being compiled for which source line, and then how long it took."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from typing import Any

from mindspore._engine.base import user_frames
from mindspore._utils import log

PATIENCE = 3.0  # seconds until the first warning

_running = threading.local()  # re-entrancy: nested compilations belong to the outermost


class watched:  # noqa: N801 - reads as a statement: with watched("Net")
    """Context manager around the compilation of a graph, which may take minutes.

    Args:
        name: of the Cell or function.
        roots: the Cells it belongs to; a wrapper Cell is named together with the user's network inside.
    """

    def __init__(self, name: str, roots: Iterable[Any] = ()):
        self.name = name
        self.roots = tuple(roots)
        self.warned = False

    def __enter__(self) -> None:
        self.outermost = not getattr(_running, "now", False)
        if not self.outermost:
            return
        _running.now = True
        self.began = time.monotonic()
        self.finished = threading.Event()
        self.frame = user_frames.calling_line()
        threading.Thread(target=self._wait, name="compile-watch", daemon=True).start()

    def __exit__(self, kind: type | None, *_: object) -> None:
        if not self.outermost:
            return
        _running.now = False
        self.finished.set()
        if self.warned and kind is None:
            self._tell(f"{self._title()} was compiled in {time.monotonic() - self.began:.1f} s.")

    def _wait(self) -> None:
        if self.finished.wait(PATIENCE):
            return
        self.warned = True
        source = f" for the line `{self.frame[3]}`" if self.frame and self.frame[3] else ""
        self._tell(
            f"{self._title()} is being compiled{source}; this takes longer than {PATIENCE:g} s. It happens once per shape of the "
            "inputs, and the result is kept for the next start."
        )

    def _title(self) -> str:
        return " of ".join(f"'{name}'" for name in dict.fromkeys([self.name, *_user_network_name(self.roots)]))

    def _tell(self, text: str) -> None:
        file, line = (self.frame[0], self.frame[1]) if self.frame else ("mindspore", 0)
        log.warning_at(file, line, text)


def _user_network_name(roots: tuple[Any, ...]) -> list[str]:
    """The class of the user's network inside library wrappers: all training steps share a name otherwise."""
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
