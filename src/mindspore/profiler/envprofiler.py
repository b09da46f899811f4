"""A profiler that the environment switches on: ``MS_PROFILER_OPTIONS``."""

from __future__ import annotations

import json
import os
from typing import Any, ClassVar

from mindspore._utils import log
from mindspore.profiler.profiling import Profiler

__all__ = ["EnvProfiler"]

_VARIABLE = "MS_PROFILER_OPTIONS"


class EnvProfiler:
    """Records what ``MS_PROFILER_OPTIONS`` asks for: JSON with the arguments of :class:`Profiler`, and ``"start": true``.

    Examples:
        >>> from mindspore.profiler import EnvProfiler
        >>> EnvProfiler.init_profiler()  # without the variable there is none
        >>> EnvProfiler.profiler is None
        True
    """

    NOT_SUPPORTED_PARAMS: ClassVar[list[str]] = [
        "schedule",
        "on_trace_ready",
    ]  # functions cannot stand in the environment
    profiler: ClassVar[Profiler | None] = None

    @classmethod
    def init_profiler(cls) -> None:
        """Begin to record, if the environment says so."""
        options = _options()
        if not options.pop("start", False):
            return
        for name in cls.NOT_SUPPORTED_PARAMS:
            if options.pop(name, None) is not None:
                log.warning("%s", f"{_VARIABLE} cannot give '{name}', which is a function; it is left out.")
        cls.profiler = Profiler(**options)

    def analyse(self) -> None:
        """End the recording and write the longest operations as text; nothing where nothing is recorded."""
        if EnvProfiler.profiler is not None:
            EnvProfiler.profiler.analyse()
            EnvProfiler.profiler = None


def _options() -> dict[str, Any]:
    text = os.environ.get(_VARIABLE, "")
    if not text:
        return {}
    try:
        options = json.loads(text)
    except ValueError as error:
        raise ValueError(
            f"For 'EnvProfiler', the environment's {_VARIABLE} must be JSON, but got {text!r}: {error}."
        ) from None
    if not isinstance(options, dict):
        raise ValueError(f"For 'EnvProfiler', the environment's {_VARIABLE} must be a JSON object, but got {text!r}.")
    return options
