"""The C++ part of this tier, if it was built and is wanted."""

from __future__ import annotations

import functools
from typing import Any

from mindspore._engine.config import config
from mindspore._kernels import host_programs


@functools.cache
def module() -> Any:
    """The C++ part; None where Python and NumPy do its work."""
    if not (config.native_kernels.value and config.interpret.value):
        return None
    return host_programs.module()
