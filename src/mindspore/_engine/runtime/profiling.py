"""Profiler traces of Python, XLA and the devices, through jax.profiler. One trace at a time, as in jax."""

from __future__ import annotations

import itertools
import os
from typing import Any

import jax

_folder: str | None = None
_recordings = itertools.count(1)
_marks: dict[int, Any] = {}  # range id -> open TraceAnnotation


def is_running() -> bool:
    """Whether a trace is being recorded."""
    return _folder is not None


def start(folder: str, python_calls: bool = False) -> None:
    """Start a trace, written below ``folder`` by ``stop``."""
    global _folder
    if _folder is not None:
        raise RuntimeError(
            f"A profiler is recording already, for the folder {_folder}. Stop it first: only one can record at a time."
        )
    options = jax.profiler.ProfileOptions()
    options.python_tracer_level = int(python_calls)
    os.makedirs(folder, exist_ok=True)
    jax.profiler.start_trace(folder, create_perfetto_trace=True, profiler_options=options)
    _folder = folder


def stop(with_memory: bool = False) -> str:
    """Stop the trace; return the folder of its files, for TensorBoard and Perfetto."""
    global _folder
    if _folder is None:
        raise RuntimeError("No profiler is recording: call start() before stop().")
    folder, _folder = _folder, None
    runs = os.path.join(folder, "plugins", "profile")
    before = set(os.listdir(runs)) if os.path.isdir(runs) else set()
    jax.profiler.stop_trace()
    written = os.path.join(runs, max(set(os.listdir(runs)) - before))
    renamed = f"{written}_{next(_recordings):03d}"  # jax names it by the second, which need not be unique
    os.rename(written, renamed)
    if with_memory:
        jax.profiler.save_device_memory_profile(os.path.join(renamed, "memory.pprof"))
    return renamed


class StepMark:
    """A step annotation, by which trace viewers group events."""

    def __init__(self, number: int):
        self._mark = jax.profiler.StepTraceAnnotation("step", step_num=number)
        self._mark.__enter__()

    def end(self) -> None:
        self._mark.__exit__(None, None, None)


def begin_range(number: int, text: str) -> None:
    """Open a trace annotation under this id."""
    mark = jax.profiler.TraceAnnotation(text)
    mark.__enter__()
    _marks[number] = mark


def end_range(number: int) -> None:
    """Close a trace annotation; unknown ids are ignored."""
    mark = _marks.pop(number, None)
    if mark is not None:
        mark.__exit__(None, None, None)
