"""Entries of our own in the private folder of compiled programs: compressed, replaced whole, checked before they are decoded."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import zlib

from mindspore._engine.runtime import compile_cache

_DIGEST = hashlib.sha256().digest_size


def path_of(kind: str, digest: str) -> str | None:
    """Where the entry of a digest lies; None if programs are not kept."""
    folder = compile_cache.folder()
    return None if folder is None else os.path.join(folder, f"{kind}-{digest[:40]}{compile_cache.SUFFIX}")


def read(path: str, most_bytes: int) -> bytes | None:
    """What was written, or None where nothing whole is there."""
    try:
        with open(path, "rb") as file:
            content = file.read(most_bytes)
        if hashlib.sha256(content[:-_DIGEST]).digest() != content[-_DIGEST:]:
            return None
        return zlib.decompress(content[:-_DIGEST])
    except (OSError, zlib.error):
        return None


def write(path: str, content: bytes, most_bytes: int) -> None:
    """Write an entry. I/O errors are ignored: the next process does the work again."""
    packed = zlib.compress(content, 1)
    if len(packed) + _DIGEST > most_bytes:
        return
    with contextlib.suppress(OSError):
        handle, draft = tempfile.mkstemp(suffix=compile_cache.DRAFT, dir=os.path.dirname(path))
        try:
            with open(handle, "wb") as file:
                file.write(packed + hashlib.sha256(packed).digest())  # behind: a compressed frame may be followed
            os.replace(draft, path)
        except BaseException:
            os.unlink(draft)
            raise
