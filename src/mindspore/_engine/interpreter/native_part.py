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


def is_program(call: Any) -> bool:
    """Whether a function is a program of the C++ part."""
    part = module()
    return part is not None and call.__class__ is part.Program
