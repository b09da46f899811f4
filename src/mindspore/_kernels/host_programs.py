"""Programs of the host, run by one call, and calls of operators without Python: the C++ part, where it was built (``native/programs``)."""

from __future__ import annotations

import functools
import importlib
from typing import Any


@functools.cache
def module() -> Any:
    """The C++ part, or None: NumPy is called step by step then."""
    try:
        return importlib.import_module("mindspore._kernels._native_programs")
    except ImportError:
        return None
