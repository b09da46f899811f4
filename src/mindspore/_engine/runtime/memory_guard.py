"""A check for enough memory before a program starts: one that fails half-way has lost its donated inputs."""

from __future__ import annotations

import gc
import mmap
from collections.abc import Sequence
from typing import Any

import jax

from mindspore._engine.base.errors import describe, out_of_memory
from mindspore._kernels import library

_SMALL = 1 << 26  # bytes below which nothing is asked: asking takes 10 us
_MARGIN = 1 << 24  # bytes for what XLA does not count, such as stacks of threads


def needs(executable: Any) -> int:
    """The bytes that a call of an executable allocates, temporaries and results that do not overwrite an input; 0 for few."""
    try:
        found = executable.memory_analysis()
    except (AttributeError, NotImplementedError, RuntimeError):
        return 0
    if found is None:
        return 0
    needed = found.temp_size_in_bytes + found.output_size_in_bytes - found.alias_size_in_bytes
    return needed if needed >= _SMALL else 0


def reserve(name: str, needed: int, inputs: Sequence[Any]) -> None:
    """Raise OutOfMemory unless a program can get its memory; what our kernels keep for reuse is given back first."""
    if _fits(needed):
        return
    gc.collect()
    library.release_memory()
    if not _fits(needed):
        raise out_of_memory(name, needed, describe([getattr(x, "_value", x) for x in inputs]))


def _fits(size: int) -> bool:
    """Whether the system would give us this much, under its limits of addresses and of overcommitted memory."""
    if jax.default_backend() != "cpu":
        return True
    try:
        mmap.mmap(-1, size + _MARGIN, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()
    except (OSError, ValueError, OverflowError):
        return False
    return True
