"""How many cores of an accelerator work may use: programs set it, XLA uses them all."""

from __future__ import annotations

from types import TracebackType

from mindspore._utils import log
from mindspore._utils.checks import check_int, check_type
from mindspore.hal.stream import Stream

__all__ = [
    "StreamLimitCtx",
    "get_device_limit",
    "get_stream_limit",
    "reset_stream_limit",
    "set_device_limit",
    "set_stream_limit",
]

_NONE = {"cube_core_num": -1, "vector_core_num": -1}  # -1: no limit
_devices: dict[int, dict[str, int]] = {}
_stream = dict(_NONE)


def _limit(owner: str, cube_num: int, vector_num: int) -> dict[str, int]:
    found = {
        "cube_core_num": check_int(owner, "cube_num", cube_num, -1),
        "vector_core_num": check_int(owner, "vector_num", vector_num, -1),
    }
    log.once(owner, f"The '{owner}' is kept and changes nothing: XLA uses all cores of the device.", log.INFO)
    return found


def set_device_limit(device: int, cube_num: int = -1, vector_num: int = -1) -> None:
    """Say how many cores of a device work may use.

    Examples:
        >>> import mindspore as ms
        >>> ms.runtime.set_device_limit(0, 8, 16)
        >>> ms.runtime.get_device_limit(0)
        {'cube_core_num': 8, 'vector_core_num': 16}
        >>> ms.runtime.set_device_limit(0)
    """
    _devices[check_int("set_device_limit", "device", device, 0)] = _limit("set_device_limit", cube_num, vector_num)


def get_device_limit(device: int) -> dict[str, int]:
    """What :func:`set_device_limit` said; -1 is no limit.

    Examples:
        >>> from mindspore import runtime
        >>> runtime.get_device_limit(0)
        {'cube_core_num': -1, 'vector_core_num': -1}
    """
    return dict(_devices.get(check_int("get_device_limit", "device", device, 0), _NONE))


def set_stream_limit(stream: Stream, cube_num: int = -1, vector_num: int = -1) -> None:
    """Say how many cores the work of a stream may use; there is one stream.

    Examples:
        >>> from mindspore import runtime
        >>> stream = runtime.current_stream()
        >>> runtime.set_stream_limit(stream, 4, 8)
        >>> runtime.get_stream_limit(stream)
        {'cube_core_num': 4, 'vector_core_num': 8}
        >>> runtime.reset_stream_limit(stream)
    """
    check_type("set_stream_limit", "stream", stream, Stream)
    _stream.update(_limit("set_stream_limit", cube_num, vector_num))


def get_stream_limit(stream: Stream) -> dict[str, int]:
    """What :func:`set_stream_limit` said; -1 is no limit.

    Examples:
        >>> from mindspore import runtime
        >>> stream = runtime.current_stream()
        >>> runtime.set_stream_limit(stream, cube_num=4)
        >>> runtime.get_stream_limit(stream)
        {'cube_core_num': 4, 'vector_core_num': -1}
        >>> runtime.reset_stream_limit(stream)
    """
    check_type("get_stream_limit", "stream", stream, Stream)
    return dict(_stream)


def reset_stream_limit(stream: Stream) -> None:
    """Take back what :func:`set_stream_limit` said.

    Examples:
        >>> from mindspore import runtime
        >>> stream = runtime.current_stream()
        >>> runtime.reset_stream_limit(stream)
        >>> runtime.get_stream_limit(stream)
        {'cube_core_num': -1, 'vector_core_num': -1}
    """
    check_type("reset_stream_limit", "stream", stream, Stream)
    _stream.update(_NONE)


class StreamLimitCtx:
    """A limit of a stream for the time of a ``with`` block.

    Examples:
        >>> import mindspore as ms
        >>> stream = ms.runtime.Stream()
        >>> with ms.runtime.StreamLimitCtx(stream, 8, 8):
        ...     print(ms.runtime.get_stream_limit(stream)["cube_core_num"])
        8
        >>> print(ms.runtime.get_stream_limit(stream)["cube_core_num"])
        -1
    """

    def __init__(self, stream: Stream, cube_num: int = -1, vector_num: int = -1):
        self.stream = check_type("StreamLimitCtx", "stream", stream, Stream)
        self.limit = _limit("StreamLimitCtx", cube_num, vector_num)
        self._before: dict[str, int] = dict(_NONE)

    def __enter__(self) -> None:
        self._before = dict(_stream)
        _stream.update(self.limit)

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        _stream.update(self._before)
