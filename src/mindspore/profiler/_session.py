"""A profiler at work: recordings that begin and end with the steps of a program."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from typing import Any

from mindspore._engine.interpreter import choice
from mindspore._engine.runtime import profiling
from mindspore._utils import log
from mindspore._utils.checks import check_callable, check_str
from mindspore.profiler._trace import Totals, read_totals
from mindspore.profiler.schedule import ProfilerAction

SUMMARY = "summary.txt"
METADATA = "profiler_metadata.json"


class Session:
    """What ``Profiler`` and ``profile`` have in common.

    Args:
        folder: where recordings go.
        schedule: called with the number of a step, says what happens in it; None: everything is recorded.
        on_trace_ready: called with the profiler after each recording.
        with_stack: whether Python's calls are recorded too.
        profile_memory: whether the memory of the devices is saved at the end of a recording.
    """

    def __init__(
        self,
        owner: str,
        folder: str,
        schedule: Callable[[int], ProfilerAction] | None = None,
        on_trace_ready: Callable[[Any], Any] | None = None,
        with_stack: bool = False,
        profile_memory: bool = False,
    ):
        self.owner = owner
        self.folder = os.path.abspath(folder)
        self.schedule = None if schedule is None else check_callable(owner, "schedule", schedule)
        self.on_trace_ready = on_trace_ready
        if on_trace_ready is not None:
            check_callable(owner, "on_trace_ready", on_trace_ready)
            self.folder = getattr(on_trace_ready, "folder", self.folder)
        self.with_stack = with_stack
        self.profile_memory = profile_memory
        self.runs: list[str] = []  # folders of finished recordings
        self.number = 0  # of the step
        self._began = False
        self._recording = False
        self._step: profiling.StepMark | None = None
        self._metadata: dict[str, Any] = {}

    def _action(self) -> ProfilerAction:
        return ProfilerAction.RECORD if self.schedule is None else self.schedule(self.number)

    def start(self) -> None:
        """Begin; with a schedule the first step decides whether it is recorded."""
        if self._began:
            raise RuntimeError(f"For '{self.owner}', it has been started already: call stop() before start().")
        self._enter_step()
        self._began = True

    def step(self) -> None:
        """The program has finished a step; the next step begins."""
        if not self._began:
            raise RuntimeError(f"For '{self.owner}', step() needs a profiler that is started: call start() first.")
        self._leave_step()
        if self._recording and self._action() is ProfilerAction.RECORD_AND_SAVE:
            self._save()
        self.number += 1
        self._enter_step()

    def stop(self) -> None:
        """End; what was recorded is written."""
        if not self._began:
            raise RuntimeError(f"For '{self.owner}', stop() needs a profiler that is started: call start() first.")
        self._began = False
        self._leave_step()
        if self._recording:
            self._save()

    def _enter_step(self) -> None:
        if self._action().records:
            if not self._recording:
                profiling.start(self.folder, self.with_stack)
                choice.settle(1)
                self._recording = True
            self._step = profiling.StepMark(self.number)

    def _leave_step(self) -> None:
        step, self._step = self._step, None
        if step is not None:
            step.end()

    def _save(self) -> None:
        self._recording = False
        choice.settle(-1)
        run = profiling.stop(self.profile_memory)
        self.runs.append(run)
        if self._metadata:
            with open(os.path.join(run, METADATA), "w", encoding="utf-8") as stream:
                json.dump(self._metadata, stream, indent=2)
        if self.on_trace_ready is not None:
            self.on_trace_ready(self)

    def add_metadata(self, key: str, value: str) -> None:
        """Keep a remark with the recording."""
        check_str("add_metadata", "key", key, allow_empty=False)
        self._metadata[key] = check_str("add_metadata", "value", value)

    def add_metadata_json(self, key: str, value: str) -> None:
        """Keep a remark that is JSON with the recording."""
        check_str("add_metadata_json", "key", key, allow_empty=False)
        try:
            self._metadata[key] = json.loads(check_str("add_metadata_json", "value", value))
        except ValueError as error:
            raise ValueError(
                f"For 'add_metadata_json', the 'value' must be JSON, but got {value!r}: {error}."
            ) from None

    def __enter__(self) -> Any:
        if not self._began:
            self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._began:
            self.stop()


def write_summaries(runs: Iterable[str], steps: Iterable[int] | None = None) -> list[Totals]:
    """Write the longest operations of recordings into their folders, as text."""
    steps = None if steps is None else list(steps)
    found = []
    for run in runs:
        totals = read_totals(run, steps)
        path = os.path.join(run, SUMMARY)
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(f"{totals}\n")
        log.info("%s", f"The profiler wrote {path}")
        found.append(totals)
    return found
