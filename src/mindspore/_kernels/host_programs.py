"""Programs of the host, run by one call, and calls of operators without Python: the C++ part, where it was built (``native/programs``)."""

from __future__ import annotations

import functools
import importlib
from typing import Any

VERSION = 2  # of what Python and the C++ part say to each other (native/programs/module.cc)


@functools.cache
def module() -> Any:
    """The C++ part, or None: NumPy is called step by step then."""
    try:
        found = importlib.import_module("mindspore._kernels._native_programs")
    except ImportError:
        return None
    return found if getattr(found, "VERSION", 0) == VERSION else None  # built from other sources: to be built again
