"""``mindspore.cuda``: the one name of it that programs brought along from elsewhere.

The device is chosen with ``mindspore.set_context(device_target="GPU")``; streams, memory and events are in
``mindspore.hal``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mindspore._utils.checks import unknown_attribute as _unknown_attribute
from mindspore.hal.memory import empty_cache

__all__ = ["empty_cache"]

_HINTS = {
    "is_available": "Write mindspore.hal.is_available('GPU').",
    "device_count": "Write mindspore.hal.device_count('GPU').",
    "synchronize": "Write mindspore.hal.synchronize().",
    "set_device": "Write mindspore.set_device('GPU', device_id).",
    "current_device": "Write mindspore.get_context('device_id').",
    "manual_seed": "Write mindspore.set_seed(seed).",
    "manual_seed_all": "Write mindspore.set_seed(seed).",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        raise _unknown_attribute("mindspore.cuda", name, __all__, _HINTS)
