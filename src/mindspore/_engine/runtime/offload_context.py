"""The context of ``set_offload_context``, which MindSpore had up to 2.9: where states go that do not fit the device.

>>> from mindspore._engine.runtime import offload_context as offload
>>> offload.set_offload_context({"offload_param": "cpu"})
>>> offload.get_offload_context()["offload_param"]
'cpu'
"""

from __future__ import annotations

from typing import Any

from mindspore._engine.config.settings import Key, Settings, at_least, one_of
from mindspore._utils import checks

_NOTE = "XLA places what a program keeps"
_PLACES = one_of("", "cpu", "disk")

offload = Settings(
    "set_offload_context",
    (
        Key("enable_offload", bool, False, note=_NOTE, until="2.1"),
        Key("offload_param", str, "", _PLACES, note=_NOTE),
        Key("offload_path", str, "./offload/", note=_NOTE),
        Key("offload_checkpoint", str, "", _PLACES, note=_NOTE),
        Key("offload_ddr_size", int, 0, at_least(1), note=_NOTE, until="2.1"),
        Key("offload_cpu_size", (int, str), 0, note=_NOTE),
        Key("offload_disk_size", (int, str), 0, note=_NOTE),
        Key("enable_aio", bool, True, note=_NOTE),
        Key("aio_block_size", (int, str), 1048576, note=_NOTE),
        Key("aio_queue_depth", int, 1024, at_least(1), note=_NOTE),
        Key("enable_pinned_mem", bool, True, note=_NOTE),
        Key("auto_offload", bool, False, note=_NOTE),
        Key("host_mem_block_size", (int, str), 1 << 30, note=_NOTE),
        Key("cpu_ratio", (int, float), 1.0, note=_NOTE),
        Key("hbm_ratio", (int, float), 1.0, note=_NOTE),
    ),
    unknown="Unknown config: ['{name}']",
)


def set_offload_context(offload_config: dict[str, Any]) -> None:
    """Say what of a program's state may be kept outside the device. Here XLA decides; the values are only kept.

    Args:
        offload_config: keys and values, such as ``{"offload_param": "cpu"}``.

    Examples:
        >>> import mindspore as ms
        >>> ms.set_offload_context({"offload_path": "./offload/"})
        >>> ms.get_offload_context()["offload_path"]
        './offload/'
    """
    checks.check_type("set_offload_context", "offload_config", offload_config, dict)
    offload.update(offload_config)


def get_offload_context() -> dict[str, Any]:
    """All keys of the offload context with their values.

    Examples:
        >>> import mindspore as ms
        >>> ms.get_offload_context()["enable_aio"]
        True
    """
    return {name: offload.get(name) for name in offload.keys}
