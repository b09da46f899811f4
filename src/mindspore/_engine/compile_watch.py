"""Tells the user about compilations that take long: afterwards how long, and meanwhile that the program is alive."""

from __future__ import annotations

import threading
import time

from mindspore._utils import log

WORTH_A_LINE = 1.0  # seconds
HEARTBEAT = 30.0  # seconds between signs of life


class watched:  # noqa: N801 - reads as a statement: with watched("Net")
    """Watches the compilation of a graph, which may take minutes without a word."""

    def __init__(self, name: str):
        self.name = name

    def __enter__(self) -> None:
        self.began = time.monotonic()
        self.finished = threading.Event()
        threading.Thread(target=self._beat, name="compile-watch", daemon=True).start()

    def __exit__(self, kind: type | None, *_: object) -> None:
        self.finished.set()
        seconds = time.monotonic() - self.began
        if kind is None and seconds >= WORTH_A_LINE:
            log.info("%s", f"'{self.name}' was compiled in {seconds:.1f} s.")

    def _beat(self) -> None:
        while not self.finished.wait(HEARTBEAT):
            seconds = time.monotonic() - self.began
            log.warning("%s", f"Still compiling '{self.name}' ({seconds:.0f} s). Large graphs take their time once; the "
                        "result is kept for the next start.")  # fmt: skip
