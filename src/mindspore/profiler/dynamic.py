"""Profiling that is switched on while a training runs, by a file that may be changed at any time."""

from __future__ import annotations

import json
import os
import time
from typing import Any

from mindspore._utils import log
from mindspore._utils.callback import Callback
from mindspore._utils.checks import check_positive_int, check_str
from mindspore.profiler.profiling import Profiler

__all__ = ["DynamicProfilerMonitor"]

_FILE = "profiler_config.json"
_NEVER = -1


class DynamicProfilerMonitor(Callback):
    """Records the steps that a file names: a callback of ``Model.train``, or called with ``step()`` in a loop of your own.

    The file is ``profiler_config.json`` in the folder ``cfg_path``; it is written, with nothing to record, if it is not
    there. Its ``start_step`` and ``stop_step`` are the first and the last step to record, counted from 1. While the
    training runs it may be changed, to record steps after those recorded last.

    Args:
        cfg_path: the folder of the file.
        output_path: the folder of the recordings, unless the file has ``prof_path``.
        poll_interval: after how many seconds the file is looked at again.
        kwargs: kept for programs that give more.

    Examples:
        >>> import json, pathlib, tempfile
        >>> from mindspore.profiler import DynamicProfilerMonitor
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> text = json.dumps({"start_step": 2, "stop_step": 3})
        >>> _ = (folder / "profiler_config.json").write_text(text)
        >>> monitor = DynamicProfilerMonitor(str(folder), output_path=str(folder / "data"))
        >>> for _ in range(4):
        ...     monitor.step()
        >>> len(monitor.runs)
        1
    """

    NPU_MONITOR_START = "NPU_MONITOR_START"  # the key of the switch that Ascend's monitor is started with

    def __init__(
        self,
        cfg_path: str | None = None,
        output_path: str = "./dyn_profile_data",
        poll_interval: int = 2,
        **kwargs: Any,
    ):
        check_str("DynamicProfilerMonitor", "cfg_path", cfg_path, allow_empty=False)
        self.folder = check_str("DynamicProfilerMonitor", "output_path", output_path, allow_empty=False)
        self.interval = check_positive_int("DynamicProfilerMonitor", "poll_interval", poll_interval)
        self.file = os.path.join(str(cfg_path), _FILE)
        self.runs: list[str] = []  # folders of finished recordings
        self.number = 0  # steps so far
        self._profiler: Profiler | None = None
        self._first = self._last = _NEVER
        self._options: dict[str, Any] = {}
        self._analyse = False
        self._looked_at = -float(self.interval)
        if not os.path.exists(self.file):
            os.makedirs(str(cfg_path), exist_ok=True)
            with open(self.file, "w", encoding="utf-8") as stream:
                json.dump({"start_step": _NEVER, "stop_step": _NEVER}, stream, indent=2)
        self._look()

    def step_begin(self, run_context: Any) -> None:
        """A step of the training begins: look whether it is to be recorded."""
        self._enter(self.number + 1)

    def step_end(self, run_context: Any) -> None:
        """A step of the training has ended."""
        self.number += 1
        self._leave(self.number)

    def end(self, run_context: Any) -> None:
        """The training has ended: so does a recording."""
        if self._profiler is not None:
            self._finish()

    def step(self) -> None:
        """A step of a loop of your own has ended, and the next step begins."""
        if self.number:
            self._leave(self.number)
        self.number += 1
        self._enter(self.number)

    def _enter(self, number: int) -> None:
        self._look()
        if self._profiler is None and self._first == number:
            self._profiler = Profiler(**self._options, output_path=self.folder)

    def _leave(self, number: int) -> None:
        if self._profiler is not None and number >= self._last:
            self._finish()

    def _finish(self) -> None:
        profiler, self._profiler = self._profiler, None
        if profiler is not None:
            profiler.stop()
            self.runs += profiler.runs
            if self._analyse:
                profiler.analyse()

    def _look(self) -> None:
        """Read the file again when it is time; an unreadable file changes nothing."""
        if self._profiler is not None or time.monotonic() - self._looked_at < self.interval:
            return
        self._looked_at = time.monotonic()
        try:
            with open(self.file, encoding="utf-8") as stream:
                settings = json.load(stream)
            first, last = int(settings.get("start_step", _NEVER)), int(settings.get("stop_step", _NEVER))
        except (OSError, ValueError, TypeError, AttributeError) as error:
            log.warning("%s", f"For 'DynamicProfilerMonitor', {self.file} cannot be read: {error}.")
            return
        is_new = (first, last) != (self._first, self._last) and _NEVER not in (first, last)
        if is_new and not self.number < first <= last:
            where = f"the steps {first} to {last} of {self.file} are not ahead of step {self.number}"
            log.warning("%s", f"For 'DynamicProfilerMonitor', {where}.")
            return
        self._first, self._last = first, last
        self.folder = settings.get("prof_path", self.folder)
        self._options = {name: bool(settings.get(name, False)) for name in ("with_stack", "profile_memory")}
        self._analyse = bool(settings.get("analyse", False))
