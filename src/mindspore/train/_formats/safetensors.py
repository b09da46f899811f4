"""Safetensors files: a table of names, dtypes, shapes and offsets in JSON, then the data."""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, TypeGuard

import ml_dtypes
import numpy as np

from mindspore._utils import log
from mindspore._utils.checks import shown
from mindspore._utils.files.atomic_file import Chunk
from mindspore._utils.refusals import refused
from mindspore.train._formats.ckpt import CorruptFile, Entry, raw, shaped

_METADATA = "__metadata__"
_MOST_TABLE_BYTES = 100_000_000  # what the format allows
_MOST_ZEROS = 2**26
_MOST_AXES = 32
# The order of the data in a file: widest dtypes first.
_DTYPES: dict[str, Any] = {
    "U64": np.uint64,
    "I64": np.int64,
    "F64": np.float64,
    "C64": np.complex64,
    "F32": np.float32,
    "U32": np.uint32,
    "I32": np.int32,
    "BF16": ml_dtypes.bfloat16,
    "F16": np.float16,
    "U16": np.uint16,
    "I16": np.int16,
    "I8": np.int8,
    "U8": np.uint8,
    "BOOL": np.bool_,
}
_NAMES = {np.dtype(dtype): name for name, dtype in _DTYPES.items()}
_ORDER = {name: number for number, name in enumerate(_DTYPES)}


# -- writing ----------------------------------------------------------------------------------------------------------
def encode(
    entries: Iterable[Entry], crc_check: bool = False, metadata: dict[str, str] | None = None
) -> Iterator[Chunk]:
    """The bytes of a file."""
    arrays = sorted((name, _storable(name, value)) for name, value in entries)
    arrays_in_file = sorted(arrays, key=lambda entry: (_ORDER[_NAMES[entry[1].dtype]], entry[0]))
    described = {"format": "ms", **(metadata or {})}
    if crc_check:
        described["crc_num"] = str(checksum(arrays))
    table: dict[str, Any] = {_METADATA: described} if arrays else {}
    offset = 0
    for name, array in arrays_in_file:
        kind, end = _NAMES[array.dtype], offset + array.nbytes
        table[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": [offset, end]}
        offset = end
    text = json.dumps(table, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    return chain([len(text).to_bytes(8, "little") + text], (raw(array) for _, array in arrays_in_file))


def _storable(name: str, value: np.ndarray | str) -> np.ndarray:
    if isinstance(value, str) or value.dtype not in _NAMES:
        raise refused(
            ValueError,
            f"For 'save_checkpoint', a safetensors file cannot hold '{name}', which is "
            f"{'text' if isinstance(value, str) else value.dtype}. Leave it out, or save with format='ckpt'.",
        )
    return value


def checksum(arrays: Iterable[tuple[str, np.ndarray]]) -> int:
    """MindSpore's checksum of all names and data, in the order of the names."""
    crc = 0
    for name, array in arrays:
        crc = zlib.crc32(_counted(array), zlib.crc32(name.encode(), crc))
    return crc


def _counted(array: np.ndarray) -> bytes | memoryview:
    """The bytes that the checksum covers. An integer scalar n counts as n zero bytes, as in MindSpore."""
    if array.shape == () and array.dtype.kind in "iu" and 0 <= array.item() <= _MOST_ZEROS:
        return bytes(array.item())
    return raw(array)


# -- reading ----------------------------------------------------------------------------------------------------------
def decode(data: memoryview, crc_check: bool = False) -> tuple[list[Entry], dict[str, Any]]:
    """The entries of a file, by name, and what it says about itself."""
    table, content = _table(data)
    metadata = table.pop(_METADATA, None)
    metadata = metadata if isinstance(metadata, dict) else {}
    entries = [Entry(name, _value(name, row, content)) for name, row in sorted(table.items())]
    if sum(value.nbytes for _, value in entries if isinstance(value, np.ndarray)) != len(content):
        raise CorruptFile("its data are not those of its table")
    if crc_check:
        _compare(entries, metadata)
    return entries, metadata


def _table(data: memoryview) -> tuple[dict[str, Any], memoryview]:
    size = int.from_bytes(data[:8], "little")
    if len(data) < 8 or size > _MOST_TABLE_BYTES or 8 + size > len(data):
        raise CorruptFile("it is shorter than its table")
    try:
        table = json.loads(bytes(data[8 : 8 + size]).decode())
    except (ValueError, RecursionError):
        raise CorruptFile("its table is not JSON") from None
    if not isinstance(table, dict):
        raise CorruptFile("its table is no table")
    return table, data[8 + size :]


def _value(name: str, row: Any, content: memoryview) -> np.ndarray:
    described: dict[str, Any] = row if isinstance(row, dict) else {}
    kind, shape, offsets = described.get("dtype"), described.get("shape"), described.get("data_offsets")
    if not (isinstance(kind, str) and _whole_numbers(shape) and _whole_numbers(offsets) and len(offsets) == 2):
        raise CorruptFile(f"'{name:.80}' is not described as values are")
    if kind not in _DTYPES:
        raise CorruptFile(f"'{name:.80}' has a dtype that is not known here, {shown(kind)}")
    dtype, (start, end) = np.dtype(_DTYPES[kind]), offsets
    if not start <= end <= len(content) or math.prod(shape) * dtype.itemsize != end - start:
        raise CorruptFile(f"'{name:.80}' has other data than its shape and dtype say")
    return shaped(name, np.frombuffer(content[start:end], dtype), shape)


def _whole_numbers(value: Any) -> TypeGuard[list[int]]:
    return (
        isinstance(value, list)
        and len(value) <= _MOST_AXES
        and all(type(element) is int and 0 <= element < 2**63 for element in value)
    )


def _compare(entries: list[Entry], metadata: dict[str, Any]) -> None:
    if "crc_num" not in metadata:
        log.warning("For 'load_checkpoint', the file has no checksum: 'crc_check' has nothing to compare.")
    elif (
        str(checksum((name, value) for name, value in entries if isinstance(value, np.ndarray))) != metadata["crc_num"]
    ):
        raise CorruptFile("the crc check is failed: its content does not match its checksum")
