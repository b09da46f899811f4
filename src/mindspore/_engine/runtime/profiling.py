"""Recording what the program, XLA and the devices do over time. One recording at a time, as in JAX."""

from __future__ import annotations

import itertools
import os
from typing import Any

import jax

_folder: str | None = None
_recordings = itertools.count(1)
_marks: dict[int, Any] = {}  # open ranges by number


def is_running() -> bool:
    """Whether a recording is under way."""
    return _folder is not None


def start(folder: str, python_calls: bool = False) -> None:
    """Begin a recording that ``stop`` writes below ``folder``."""
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
    """End the recording; returns the folder of its files, which TensorBoard and Perfetto open."""
    global _folder
    if _folder is None:
        raise RuntimeError("No profiler is recording: call start() before stop().")
    folder, _folder = _folder, None
    runs = os.path.join(folder, "plugins", "profile")
    before = set(os.listdir(runs)) if os.path.isdir(runs) else set()
    jax.profiler.stop_trace()
    written = os.path.join(runs, max(set(os.listdir(runs)) - before))
    place = f"{written}_{next(_recordings):03d}"  # jax names it by the second, and the next one may end in the same
    os.rename(written, place)
    if with_memory:
        jax.profiler.save_device_memory_profile(os.path.join(place, "memory.pprof"))
    return place


class StepMark:
    """A step of the program, marked in the recording so that viewers can tell steps apart."""

    def __init__(self, number: int):
        self._mark = jax.profiler.StepTraceAnnotation("step", step_num=number)
        self._mark.__enter__()

    def end(self) -> None:
        self._mark.__exit__(None, None, None)


def begin_range(number: int, text: str) -> None:
    """Mark the beginning of a range under a text."""
    mark = jax.profiler.TraceAnnotation(text)
    mark.__enter__()
    _marks[number] = mark


def end_range(number: int) -> None:
    """Mark the end of a range; unknown numbers are ignored."""
    mark = _marks.pop(number, None)
    if mark is not None:
        mark.__exit__(None, None, None)
