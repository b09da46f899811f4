"""Container format of an exported graph: header, section table, sections.

Checksums are verified before any section is parsed, so that a damaged file gives a readable error.
"""

from __future__ import annotations

import hashlib
import struct

MAGIC = b"\x89MYCELIUMMINDIR\n"  # the first byte is neither text nor a protobuf tag
VERSION = 1
_HEADER = struct.Struct("<16sHH32s")  # magic, version, number of sections, checksum of the table
_ROW = struct.Struct("<16sQQ32s")  # name, offset, length, checksum
_MOST_SECTIONS = 16


class GraphFileError(ValueError):
    """Not an exported graph, or a damaged one."""


def pack(sections: dict[str, bytes]) -> bytes:
    """Serialise sections into the bytes of a file."""
    offset = _HEADER.size + len(sections) * _ROW.size
    table, body = [], []
    for name, data in sections.items():
        offset += -offset % 64  # align sections for zero-copy views
        table.append(_ROW.pack(name.encode(), offset, len(data), hashlib.sha256(data).digest()))
        body.append((offset, data))
        offset += len(data)
    rows = b"".join(table)
    packed = bytearray(_HEADER.pack(MAGIC, VERSION, len(sections), hashlib.sha256(rows).digest()) + rows)
    for start, data in body:
        packed += bytes(start - len(packed)) + data
    return bytes(packed)


def unpack(data: bytes) -> dict[str, memoryview]:
    """The sections of a file, each verified against its checksum."""
    if len(data) < _HEADER.size:
        raise GraphFileError(f"it has {len(data)} bytes, too few for a header")
    magic, version, count, checksum = _HEADER.unpack_from(data)
    if magic != MAGIC:
        raise GraphFileError(_foreign(data))
    if version != VERSION:
        raise GraphFileError(
            f"it is of version {version}, this release reads version {VERSION}. Load it with the release that wrote it"
        )
    end = _HEADER.size + count * _ROW.size
    if count > _MOST_SECTIONS or end > len(data):
        raise GraphFileError(f"its table of {count} sections is cut off")
    rows = data[_HEADER.size : end]
    if hashlib.sha256(rows).digest() != checksum:
        raise GraphFileError("its table of sections does not match its checksum")
    view = memoryview(data)
    return {name: _section(view, name, *entry) for name, *entry in map(_named, _ROW.iter_unpack(rows))}


def _named(row: tuple) -> tuple:
    return (row[0].rstrip(b"\0").decode("ascii", "replace"), *row[1:])


def _section(view: memoryview, name: str, offset: int, length: int, checksum: bytes) -> memoryview:
    if offset + length > len(view):
        raise GraphFileError(f"its section '{name}' is cut off: it ends at {offset + length}, the file at {len(view)}")
    section = view[offset : offset + length]
    if hashlib.sha256(section).digest() != checksum:
        raise GraphFileError(f"its section '{name}' does not match its checksum")
    return section


def _foreign(data: bytes) -> str:
    """Guess the format of a file that is not ours, for the error message."""
    if data[:2] == b"PK":
        return "it is a zip archive, not a graph written by export"
    return "it does not begin like a graph written by export (is it encrypted, then give dec_key?)"
