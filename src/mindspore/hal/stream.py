"""Streams: queues of work. XLA orders the work of a program itself, so there is a single stream, which all of these represent."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from mindspore._engine.runtime import device_state
from mindspore._engine.runtime.context import get_context
from mindspore._utils.checks import check_type
from mindspore.hal.event import Event

__all__ = [
    "Stream",
    "StreamCtx",
    "communication_stream",
    "current_stream",
    "default_stream",
    "set_cur_stream",
    "synchronize",
]


class Stream:
    """The queue of work of the device.

    Examples:
        >>> from mindspore import Tensor, hal
        >>> stream = hal.Stream()
        >>> with hal.StreamCtx(stream):
        ...     doubled = Tensor([1.0]) * 2
        >>> stream.synchronize()
    """

    def __init__(self, priority: int = 0, **kwargs: Any):
        self.priority = priority

    @property
    def id(self) -> int:
        """Its number: XLA has a single queue per device."""
        return 0

    def stream_ptr(self) -> int:
        """The address of its handle; 0, since XLA keeps it to itself."""
        return 0

    device_stream = stream_ptr

    def stream_id(self) -> int:
        """Its number."""
        return self.id

    @property
    def device_name(self) -> str:
        """The kind of device."""
        return get_context("device_target")

    @property
    def device_id(self) -> int:
        """The number of the device."""
        return get_context("device_id")

    def synchronize(self) -> None:
        """Wait until its work is done."""
        device_state.wait()

    def query(self) -> bool:
        """Whether its work is done; it is when this returns."""
        device_state.wait()
        return True

    def record_event(self, event: Event | None = None) -> Event:
        """Record the given event, or a new event."""
        event = event if event is not None else Event()
        event.record(self)
        return event

    def wait_event(self, event: Event) -> None:
        """Have later work wait for an event."""
        check_type("Stream.wait_event", "event", event, Event).wait(self)

    def wait_stream(self, stream: Stream) -> None:
        """Have later work wait for the work of another stream; with a single queue it always does."""
        check_type("Stream.wait_stream", "stream", stream, Stream)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream)

    def __hash__(self) -> int:
        return hash(Stream)

    def __repr__(self) -> str:
        return f"Stream(device_name={self.device_name}, device_id:{self.device_id}, stream id:{self.id})"


class StreamCtx:
    """Work within goes to a stream.

    Args:
        ctx_stream: the stream; None for the current stream.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore import runtime
        >>> stream = runtime.Stream()
        >>> with runtime.StreamCtx(stream):
        ...     x = Tensor([1.0]) + 1
        >>> stream.synchronize()
        >>> print(x)
        [2.]
    """

    ctx_attr = True  # that it may stand in a ``with`` of a graph

    def __init__(self, ctx_stream: Stream | None):
        check_type("StreamCtx", "ctx_stream", ctx_stream, (Stream, type(None)))

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        return None


_stream = Stream()


def current_stream() -> Stream:
    """The stream that work goes to.

    Examples:
        >>> from mindspore import runtime
        >>> print(type(runtime.current_stream()).__name__)
        Stream
    """
    return _stream


def default_stream() -> Stream:
    """The stream that work goes to.

    Examples:
        >>> from mindspore import runtime
        >>> print(type(runtime.default_stream()).__name__)
        Stream
    """
    return _stream


def communication_stream() -> Stream:
    """The stream of communication between devices: the same.

    Examples:
        >>> from mindspore import runtime
        >>> print(type(runtime.communication_stream()).__name__)
        Stream
    """
    return _stream


def set_cur_stream(stream: Stream | None) -> None:
    """Send work to a stream from now on.

    Examples:
        >>> from mindspore import runtime
        >>> stream = runtime.Stream()
        >>> runtime.set_cur_stream(stream)
        >>> print(runtime.current_stream() == stream)
        True
        >>> runtime.set_cur_stream(runtime.default_stream())
    """
    check_type("set_cur_stream", "stream", stream, (Stream, type(None)))


def synchronize() -> None:
    """Wait until all work is done.

    Examples:
        >>> from mindspore import Tensor, hal
        >>> doubled = Tensor([1.0]) * 2
        >>> hal.synchronize()
    """
    device_state.wait()
