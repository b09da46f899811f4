"""Names inside MindSpore's modules that ours lack, and where each is found here: JSON files, read when first asked for.

tools/oracle/record_private_names.py writes them. By module, the names by where they are found here: a module, ``module`` (itself
one), ``primitive`` (an operator made with its defaults), ``value`` (a constant), ``enumeration`` and ``exception``, and ``function``,
``class`` and ``object`` (parts of MindSpore's own implementation, which say so when they are used). ``name=other`` is called
``other`` there. ``listed`` is what ``from module import *`` gives.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path

Names = dict[str, dict[str, str]]


@functools.cache
def private_names() -> Names:
    """Of MindSpore 2.10."""
    return _read("private_names.json")


@functools.cache
def kernel_names() -> Names:
    """Of MindSpore 2.10: its tables of kernels for other back ends."""
    return _read("kernel_names.json")


@functools.cache
def earlier_names() -> Names:
    """Of MindSpore 1.0, 2.0 and 2.7: names that only their modules have."""
    return _read("earlier_names.json")


def _read(file: str) -> Names:
    return json.loads(Path(__file__).with_name(file).read_text(encoding="utf-8"))
