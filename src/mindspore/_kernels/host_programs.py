"""Programs of the host, run by one call: the C++ part, where it was built (``native/programs``)."""

from __future__ import annotations

import importlib
from typing import Any

from mindspore._kernels import library


def module() -> Any:
    """The C++ part, or None: NumPy is called step by step then."""
    if not library.wanted():
        return None
    try:
        return importlib.import_module("mindspore._kernels._native_programs")
    except ImportError:
        return None
