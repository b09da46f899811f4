"""Atomic writes: a kill at any moment leaves the old file or the new file, never a part."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import mmap
import os
import platform
import re
import stat
import sys
import threading
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

Chunk = bytes | memoryview
_PIECE_BYTES = 4 * 2**20
_WRITEBACK_BYTES = 2 * 2**20  # what is handed to the disk at a time
_SYNC_FILE_RANGE_WRITE = 2
_LARGE_BYTES = 16 * 2**20  # a file of this size takes milliseconds to delete
_deleting: list[threading.Thread] = []


def write(path: str, chunks: Iterable[Chunk]) -> None:
    """Write to a temporary file, sync it, then rename it to ``path``. It is read-only, as MindSpore's are.

    >>> import tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "file")
    >>> write(path, [b"one", b"two"])
    >>> open(path, "rb").read(), oct(os.stat(path).st_mode & 0o777)
    (b'onetwo', '0o400')
    """
    while _deleting:
        _deleting.pop().join()  # the disk has room for one old file, not for several
    _remove_abandoned(path)
    temporary = f"{path}.{_writer()}-{threading.get_ident()}.tmp"
    try:
        with open(temporary, "wb") as stream:
            _write_through(stream, chunks)
            os.fsync(stream.fileno())
        os.chmod(temporary, 0o400)
        _replace(temporary, path)
    except BaseException as error:
        if os.path.exists(temporary):
            os.remove(temporary)
        if isinstance(error, OSError) and error.errno and error.filename in (None, temporary):
            raise OSError(error.errno, error.strerror, path) from None  # name the file, whatever failed
        raise
    _sync_folder(os.path.dirname(path))


def _write_through(stream: BinaryIO, chunks: Iterable[Chunk]) -> None:
    """Write everything; the disk begins while the next chunks are made, so that little is left to the sync."""
    written = begun = 0
    begin = _begin_writeback()
    for chunk in chunks:
        stream.write(chunk)
        written += len(chunk)
        if begin is not None and written - begun >= _WRITEBACK_BYTES:
            stream.flush()
            if begin(stream.fileno(), begun, written - begun, _SYNC_FILE_RANGE_WRITE):
                begin = None  # whatever it is, the sync will say it
            begun = written
    stream.flush()


@functools.cache
def _begin_writeback() -> Any:
    """Linux's ``sync_file_range``, which starts writing a part of a file and does not wait; None elsewhere."""
    try:
        call = ctypes.CDLL(None).sync_file_range
    except (OSError, AttributeError, TypeError):
        return None
    call.argtypes = [ctypes.c_int, ctypes.c_int64, ctypes.c_int64, ctypes.c_uint]
    return call


def _replace(temporary: str, path: str) -> None:
    """Rename at once; a large old file, kept open until then, is deleted by a thread."""
    old = None
    if os.name == "posix" and _regular_size(path) >= _LARGE_BYTES:
        with contextlib.suppress(OSError):  # a file that cannot be opened is deleted by the renaming
            old = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        os.replace(temporary, path)
    finally:
        if old is not None:
            thread = threading.Thread(target=os.close, args=(old,), name="delete replaced file")
            thread.start()
            _deleting.append(thread)


def _regular_size(path: str) -> int:
    try:
        found = os.lstat(path)
    except OSError:
        return 0
    return found.st_size if stat.S_ISREG(found.st_mode) else 0


def _writer() -> str:
    """Host and process id: unique among all writers that can reach the folder."""
    return f"{re.sub('[^A-Za-z0-9]', '_', platform.node())}-{os.getpid()}"


def _remove_abandoned(path: str) -> None:
    """Remove temporary files of the same path whose writers, on this host, are dead."""
    if os.name != "posix":  # elsewhere signal 0 would end the process
        return
    folder, name = os.path.split(path)
    host = _writer().rpartition("-")[0]
    pattern = re.compile(rf"{re.escape(name)}\.{re.escape(host)}-(\d+)-\d+\.tmp")
    for found in filter(None, map(pattern.fullmatch, os.listdir(folder or "."))):
        try:
            os.kill(int(found[1]), 0)
        except ProcessLookupError:
            os.remove(os.path.join(folder, found[0]))
        except (PermissionError, OverflowError):
            continue


def _sync_folder(folder: str) -> None:
    """Sync the directory, so that the rename is durable, where the file system can."""
    if os.name != "posix":
        return
    descriptor = os.open(folder or ".", os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError:
        return  # some network folders cannot; the file itself is written
    finally:
        os.close(descriptor)


def contents(path: str) -> memoryview:
    """The bytes of a file, mapped into memory.

    >>> import tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "file")
    >>> write(path, [b"text"])
    >>> bytes(contents(path))
    b'text'
    """
    with open(path, "rb") as stream:
        if os.fstat(stream.fileno()).st_size == 0:
            return memoryview(b"")
        return memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))


# -- a process that writes --------------------------------------------------------------------------------------------
def framed(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    """Length-prefixed chunks, ended by a length of zero, so that a truncated stream is noticed."""
    for chunk in chunks:
        if len(chunk):
            yield len(chunk).to_bytes(8, "little")
            yield chunk
    yield bytes(8)


def received(stream: BinaryIO) -> Iterator[bytes]:
    """The chunks of a framed stream, in pieces of limited size."""
    while True:
        head = stream.read(8)
        if len(head) < 8:
            raise EOFError("the program that saves a checkpoint ended before it was written")
        left = int.from_bytes(head, "little")
        if left == 0:
            return
        while left:
            piece = stream.read(min(left, _PIECE_BYTES))
            if not piece:
                raise EOFError("the program that saves a checkpoint ended before it was written")
            left -= len(piece)
            yield piece


if __name__ == "__main__":  # started by save_checkpoint(async_save="process")
    write(sys.argv[1], received(sys.stdin.buffer))
