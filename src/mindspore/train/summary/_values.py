"""How values given to a SummaryRecord become values in an event file."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import shown
from mindspore._utils.files import event_file
from mindspore._utils.refusals import WrongObject, refused

_MOST_IMAGES = 64  # of a batch, in one picture
_MOST_PIXELS = 2**20  # of them together, unless one alone has more: compressing takes 0.2 s then
_TEXTS = ("train_lineage", "eval_lineage", "custom_lineage_data", "dataset_graph", "landscape")


def checked(plugin: str, name: str, value: Any) -> Any:
    """A value as it waits to be written: an array for numbers, bytes for a graph, text for everything else."""
    if plugin == "graph":
        if not isinstance(value, bytes):
            raise refused(
                TypeError,
                f"For 'SummaryRecord.add_value', the 'value' of a graph must be the bytes of a GraphDef, but got {shown(value)}. "
                "The graph of a network is written by itself: SummaryRecord(..., network=net).",
            )
        return value
    if plugin in _TEXTS:
        return as_text(value)
    if not isinstance(value, Tensor):
        raise refused(
            WrongObject, f"For 'SummaryRecord.add_value', the 'value' must be a Tensor, but got {shown(value)}."
        )
    return checked_array(plugin, name, value.asnumpy())


def checked_array(plugin: str, name: str, array: np.ndarray) -> np.ndarray:
    """The array, if it can be shown in this way."""
    if plugin == "scalar" and array.size != 1:
        raise _wrong("scalar", name, "hold one number", array)
    if plugin == "image" and (array.ndim != 4 or array.shape[1] not in (1, 3) or array.size == 0):
        raise _wrong("image", name, "be a batch of images (N, C, H, W) with 1 or 3 channels", array)
    if plugin in ("histogram", "tensor") and (array.ndim == 0 or array.size == 0):
        raise _wrong(plugin, name, "have at least one dimension and one element", array)
    return array


def _wrong(plugin: str, name: str, what: str, array: np.ndarray) -> ValueError:
    return ValueError(
        f"For 'SummaryRecord', the value of the {plugin} {name!r} must {what}, but got the shape {array.shape}."
    )


def encoded(plugin: str, name: str, value: Any) -> bytes:
    """The value in the form of an event file."""
    if plugin == "scalar":
        return event_file.scalar(name, float(np.asarray(value).reshape(-1)[0]))
    if plugin == "image":
        picture = tiled(value)
        return event_file.image(name, png(picture), *picture.shape)
    if plugin == "histogram":
        return event_file.histogram(name, value)
    return event_file.tensor(name, value) if plugin == "tensor" else event_file.text(name, value)


def as_text(value: Any) -> str:
    """A text as it is, a table for a mapping, and JSON for anything else."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        rows = "".join(f"| {key} | {_cell(item)} |\n" for key, item in value.items())
        return f"| name | value |\n|---|---|\n{rows}"
    return json.dumps(value, default=str)


def _cell(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    return text.replace("|", "\\|").replace("\n", " ")


def tiled(images: np.ndarray) -> np.ndarray:
    """The images of a batch side by side in one picture (H, W, C) of bytes.

    >>> tiled(np.zeros((5, 1, 4, 6), np.float32)).shape
    (8, 18, 1)
    """
    fitting = max(_MOST_PIXELS // (images.shape[2] * images.shape[3]), 1)
    images = _as_bytes(images[: min(_MOST_IMAGES, fitting)])
    count, channels, height, width = images.shape
    columns = int(np.ceil(np.sqrt(count)))
    rows = -(-count // columns)
    grid = np.zeros((rows * columns, channels, height, width), np.uint8)
    grid[:count] = images
    grid = grid.reshape(rows, columns, channels, height, width).transpose(0, 3, 1, 4, 2)
    return np.ascontiguousarray(grid.reshape(rows * height, columns * width, channels))


def _as_bytes(images: np.ndarray) -> np.ndarray:
    """Values from 0 to 255; from 0 to 1 stretched to that; others stretched from their lowest to their highest."""
    if images.dtype == np.uint8:
        return images
    values = np.nan_to_num(np.asarray(images, np.float32), nan=0.0, posinf=0.0, neginf=0.0)
    low, high = float(values.min()), float(values.max())
    if np.issubdtype(images.dtype, np.integer) or (low >= 0 and 1 < high <= 255):
        return np.clip(values, 0, 255).astype(np.uint8)
    if low < 0 or high > 1:
        values = (values - low) / max(high - low, 1e-12)
    return np.rint(values * 255).astype(np.uint8)


def png(picture: np.ndarray) -> bytes:
    """A picture (H, W, 1 or 3) of bytes as a PNG file."""
    height, width, channels = picture.shape
    header = struct.pack(">IIBBBBB", width, height, 8, {1: 0, 3: 2}[channels], 0, 0, 0)
    lines = np.zeros((height, width * channels + 1), np.uint8)  # each line starts with the number of its filter
    lines[:, 1:] = picture.reshape(height, -1)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(lines.tobytes(), 3)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
