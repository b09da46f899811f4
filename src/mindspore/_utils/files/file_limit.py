"""How much memory a file may ask for: as much as an honest one of its size, so that a small one cannot take all there is."""

from __future__ import annotations

import zlib
from collections.abc import Callable

RATIO = 20  # a packed file may be so many times as large as it is on disk, whatever its size


_limit: list[Callable[[], int]] = [lambda: 512]


def set_limit(megabytes: Callable[[], int]) -> None:
    """Where the limit comes from: configuration, which worker processes are told; 0 is none."""
    _limit[0] = megabytes


def limit() -> int:
    """The limit in force, in megabytes."""
    return _limit[0]()


class TooLarge(ValueError):
    """A file that unfolds to more than is allowed."""


def most_bytes(size: int) -> int:
    """What a file of so many bytes may unfold to.

    >>> most_bytes(100) == 512 * 2**20, most_bytes(10**9) == 20 * 10**9
    (True, True)
    """
    return max(limit() * 2**20, RATIO * size) if limit() else 2**62


def check_unfolded(what: str, unfolded: int, size: int) -> None:
    """Refuse what announces to be larger than its file may be.

    >>> check_unfolded("the image", 10**10, 1000)
    Traceback (most recent call last):
    ...
    mindspore._utils.files.file_limit.TooLarge: the image would take 9537 MB of memory, from 1000 bytes of a file: at most 512 MB are allowed. If the file can be trusted, set MYCELIUM_FILE_LIMIT_MB to more.
    """
    most = most_bytes(size)
    if unfolded > most:
        raise TooLarge(
            f"{what} would take {-(-unfolded // 2**20)} MB of memory, from {size} bytes of a file: at most {most // 2**20} MB "
            "are allowed. If the file can be trusted, set MYCELIUM_FILE_LIMIT_MB to more."
        )


def decompressed(data: bytes | memoryview, wbits: int) -> bytes:
    """What zlib packed, all members of it, read no further than is allowed."""
    most, parts, total, left = most_bytes(len(data)), [], 0, bytes(data)
    while left:
        unpacker = zlib.decompressobj(wbits)
        part = unpacker.decompress(left, most - total + 1)
        parts.append(part)
        total += len(part)
        if total > most:
            check_unfolded("what it unpacks to", total, len(data))
        if not unpacker.eof:
            raise zlib.error("it is cut off")
        left = unpacker.unused_data if wbits > 15 else b""  # gzip files may stand behind each other
    return b"".join(parts)
