"""TensorBoard's event files: records with checksums around protobuf messages, written and read without TensorFlow.

>>> import os, tempfile
>>> path = os.path.join(tempfile.mkdtemp(), "out.tfevents")
>>> with EventFile(path) as file:
...     file.write(event(1, [scalar("loss", 0.5)]))
>>> [(one.step, [(value.tag, value.kind, value.number) for value in one.values]) for one in read_events(path)][1:]
[(1, [('loss', 'scalar', 0.5)])]
"""

from __future__ import annotations

import struct
import time
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any, NamedTuple

import numpy as np

from mindspore._utils.files.crc32c import masked_crc32c
from mindspore._utils.files.wire import WireError, field, fields, number, varint
from mindspore._utils.files.wire import text as wire_text

_HEAD = struct.Struct("<QI")
_TAIL = struct.Struct("<I")
_VERSION = b"brain.Event:2"  # without it TensorBoard assumes the old file format
_FLOAT, _STRING = 1, 7  # dtypes of tensors
_TENSOR_CLASS = 2  # TensorBoard's class of series made of tensors
_BUCKETS = 30

# --- writing ------------------------------------------------------------------------------------------------------


class EventFile:
    """A file that events are appended to."""

    def __init__(self, path: str):
        self.path = path
        self.size = 0
        self._stream = open(path, "xb")  # noqa: SIM115 - closed by close()
        self.write(event(0, version=_VERSION))

    def write(self, data: bytes) -> None:
        """Append an event."""
        length = struct.pack("<Q", len(data))
        record = b"".join((length, _TAIL.pack(masked_crc32c(length)), data, _TAIL.pack(masked_crc32c(data))))
        self._stream.write(record)
        self.size += len(record)

    def flush(self) -> None:
        """Hand everything written so far to the system, where TensorBoard sees it."""
        self._stream.flush()

    def close(self) -> None:
        self._stream.close()

    def __enter__(self) -> EventFile:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def record_size(data: bytes) -> int:
    """The bytes an event takes in a file."""
    return _HEAD.size + len(data) + _TAIL.size


def event(step: int, values: Iterable[bytes] = (), graph: bytes = b"", version: bytes = b"") -> bytes:
    """An event of this moment: values of summaries, a graph, or the version a file starts with."""
    parts = [_double(1, time.time())]
    if step:
        parts.append(number(2, step & 0xFFFFFFFFFFFFFFFF))
    if version:
        parts.append(field(3, version))
    if graph:
        parts.append(field(4, graph))
    summary = b"".join(field(1, value) for value in values)
    if summary:
        parts.append(field(5, summary))
    return b"".join(parts)


def scalar(tag: str, value: float) -> bytes:
    """A number."""
    return _tagged(tag) + varint(2 << 3 | 5) + struct.pack("<f", _in_range(value))


def _in_range(value: float) -> float:
    """A float32 cannot hold more than this; infinity says so."""
    with np.errstate(over="ignore"):
        return float(np.float32(value))


def histogram(tag: str, values: np.ndarray) -> bytes:
    """How the finite values of an array are distributed, in buckets of equal width."""
    values = np.asarray(values, np.float64).reshape(-1)
    values = values[np.isfinite(values)]
    low, high = (float(values.min()), float(values.max())) if values.size else (0.0, 0.0)
    counts, edges = np.histogram(values, 1 if low == high else _BUCKETS, (low, high) if low < high else None)
    limits = edges[1:]
    if low == high:
        limits = np.array([high])
    parts = [_double(1, low), _double(2, high), _double(3, values.size), _double(4, values.sum())]
    parts += [_double(5, np.square(values).sum()), field(6, limits.astype("<f8").tobytes())]
    return _tagged(tag) + field(5, b"".join(parts) + field(7, counts.astype("<f8").tobytes()))


def image(tag: str, png: bytes, height: int, width: int, channels: int) -> bytes:
    """A picture, encoded as PNG."""
    return _tagged(tag) + field(4, number(1, height) + number(2, width) + number(3, channels) + field(4, png))


def tensor(tag: str, values: np.ndarray) -> bytes:
    """An array, as float32."""
    values = np.asarray(values, "<f4")
    shape = b"".join(field(2, number(1, length)) for length in values.shape)
    content = number(1, _FLOAT) + field(2, shape) + field(4, values.tobytes())
    return _tagged(tag) + field(8, content) + field(9, field(1, field(1, b"tensor")) + number(4, _TENSOR_CLASS))


def text(tag: str, words: str) -> bytes:
    """A text in Markdown."""
    content = number(1, _STRING) + field(2, b"") + field(8, words.encode())
    return _tagged(tag) + field(8, content) + field(9, field(1, field(1, b"text")) + number(4, _TENSOR_CLASS))


class GraphNode(NamedTuple):
    """A node of a graph; slashes in its name make boxes inside boxes."""

    name: str
    operation: str
    inputs: tuple[str, ...] = ()
    shapes: tuple[tuple[int, ...], ...] = ()  # of its outputs
    note: str = ""


def graph_definition(nodes: Iterable[GraphNode]) -> bytes:
    """A graph as TensorBoard shows it."""
    parts = []
    for node in nodes:
        data = [field(1, node.name.encode()), field(2, node.operation.encode())]
        data += [field(3, name.encode()) for name in node.inputs]
        if node.shapes:
            shapes = b"".join(field(7, _shape(shape)) for shape in node.shapes)
            data.append(field(5, field(1, b"_output_shapes") + field(2, field(1, shapes))))
        if node.note:
            data.append(field(5, field(1, b"type") + field(2, field(2, node.note.encode()))))
        parts.append(field(1, b"".join(data)))
    return b"".join(parts) + field(4, number(1, 22))


def _shape(lengths: tuple[int, ...]) -> bytes:
    return b"".join(field(2, number(1, length)) for length in lengths)


def _tagged(tag: str) -> bytes:
    return field(1, tag.encode())


def _double(key: int, value: float) -> bytes:
    return varint(key << 3 | 1) + struct.pack("<d", value)


# --- reading ------------------------------------------------------------------------------------------------------


class SummaryValue(NamedTuple):
    """A value of an event: its kind, and for scalars the number."""

    tag: str
    kind: str
    number: float | None


class SummaryEvent(NamedTuple):
    """An event: wall time, step and values."""

    wall_time: float
    step: int
    values: list[SummaryValue]


_KINDS = {2: "scalar", 4: "image", 5: "histogram", 8: "tensor"}


def read_events(path: str) -> Iterator[SummaryEvent]:
    """The events of a file. A last event that is not whole yet ends it: a program may be writing it right now."""
    with open(path, "rb") as stream:
        data = memoryview(stream.read())
    offset = 0
    while offset + _HEAD.size <= len(data):
        length, check = _HEAD.unpack_from(data, offset)
        start = offset + _HEAD.size
        if masked_crc32c(bytes(data[offset : offset + 8])) != check:
            raise _damaged(path, offset, "the checksum of the length of a record is wrong")
        if start + length + _TAIL.size > len(data):
            return
        content = bytes(data[start : start + length])
        if masked_crc32c(content) != _TAIL.unpack_from(data, start + length)[0]:
            raise _damaged(path, offset, "the checksum of a record is wrong")
        try:
            found = _event(content)
        except (WireError, TypeError, ValueError, struct.error) as error:
            raise _damaged(path, offset, f"a record is no event: {error}") from error
        yield found
        offset = start + length + _TAIL.size


def _damaged(path: str, offset: int, why: str) -> ValueError:
    return ValueError(f"The event file {path} is damaged at byte {offset}: {why}.")


def _event(content: bytes) -> SummaryEvent:
    wall_time, step, values = 0.0, 0, []
    for key, value in fields(content):
        if key == 1:
            wall_time = struct.unpack("<d", value)[0]
        elif key == 2:
            if not isinstance(value, int):
                raise WireError("a text stands where the number of the step belongs")
            step = value if value < 1 << 63 else value - (1 << 64)
        elif key == 5:
            values += [_value(message) for field, message in fields(value) if field == 1]
    return SummaryEvent(wall_time, step, values)


def _value(content: Any) -> SummaryValue:
    tag, kind, found = "", "", None
    for key, value in fields(content):
        if key == 1:
            tag = wire_text(value)
        elif key == 9:
            names = [
                wire_text(name)
                for outer, plugin in fields(value)
                if outer == 1
                for inner, name in fields(plugin)
                if inner == 1
            ]
            kind = "text" if names == ["text"] else kind
        elif key in _KINDS:
            kind = _KINDS[key]
            found = struct.unpack("<f", value)[0] if kind == "scalar" else None
    return SummaryValue(tag, kind, found)
