"""XLA's compilation cache on disk: a program compiled once is loaded, not compiled, in the next process.

What jax does by itself (0.10): an entry is one file, ``<name>-<key>-cache``, written in place (open, then write) and
never rewritten while it exists. Keys cover program, flags, jaxlib and device. So
- two processes that store the same entry at once write the same bytes: harmless;
- a process that reads an entry another one is still writing gets a decompression error, which jax turns into a
  warning and a compilation: harmless;
- but a writer that is killed, or a full disk, leaves a short file, and as it exists nothing ever replaces it: each
  later process warns and compiles again. jax's locking mode (``jax_compilation_cache_max_size``) does not help: it
  takes another package, it scans the folder at every write, and a killed writer makes every later eviction fail.

So ``enable`` looks the folder over first and deletes what is not a whole compressed frame. Deleting is safe at any
time: whoever is reading or writing the file keeps it open, and the entry is made anew. An index remembers the size of
entries found whole, so that each is read through only once (0.1 ms), and a start with nothing new costs one folder
listing (1 ms per hundred entries).
"""

from __future__ import annotations

import contextlib
import os
import platform
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from typing import Any

import jax
from jax.experimental.compilation_cache import compilation_cache as jax_cache

from mindspore._utils import log

SUFFIX = "-cache"
_INDEX = "whole-entries"
DRAFT = ".index-draft"
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"

# measured on a small CPU: loading an entry takes 1.4 ms, compiling the smallest operator 7 ms, most 20 to 50 ms
_LEAST_COMPILE_SECONDS = 0.005
_MOST_ENTRIES = 10_000  # listing them costs a start about 0.1 s

_given: str | None = None  # the folder enable has given jax


def enable(folder: str, limit_bytes: int = 0) -> None:
    """Keep compiled programs below ``folder``. Does not start XLA; a folder that cannot be used is a quiet note.

    Entries go to a subfolder per kind of machine and Python, as a home directory may be shared by unlike machines.
    """
    global _given
    place = os.path.join(os.path.abspath(os.path.expanduser(folder)), _environment_name())
    if _jax_setting("jax_compilation_cache_dir") == place and _jax_setting("jax_enable_compilation_cache"):
        return
    try:
        # only its owner may write: an entry is code that will be run
        os.makedirs(place, mode=0o700, exist_ok=True)
        if not os.access(place, os.W_OK):
            raise PermissionError("it is not writable")
        drop_broken_entries(place, limit_bytes)
    except OSError as problem:
        text = f"Compiled programs are not kept: the folder '{place}' cannot be used ({problem})."
        log.once(("compile_cache", place), f"{text} Set MYCELIUM_CACHE_DIR to another one.", log.INFO)
        disable()
        return
    _given = place
    jax.config.update("jax_compilation_cache_dir", place)
    jax.config.update("jax_persistent_cache_min_compile_time_secs", _LEAST_COMPILE_SECONDS)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)  # no least size
    jax.config.update("jax_enable_compilation_cache", True)
    jax_cache.reset_cache()  # jax settles on a folder at its first compilation; this lets it look again


def disable() -> None:
    """Keep nothing on disk."""
    if _jax_setting("jax_enable_compilation_cache"):
        jax.config.update("jax_enable_compilation_cache", False)
        jax_cache.reset_cache()


def folder() -> str | None:
    """Where entries are kept, if they are."""
    return _given if _jax_setting("jax_enable_compilation_cache") else None


def is_set_elsewhere() -> bool:
    """Whether jax has a cache folder that ``enable`` did not give it."""
    return _jax_setting("jax_compilation_cache_dir") not in (None, _given)


def _jax_setting(name: str) -> Any:
    return getattr(jax.config, name)  # jax adds these attributes at run time, so type checkers do not know them


def _environment_name() -> str:
    # jax 0.10 gives zlib and zstd entries of different Pythons the same key, hence the Python version
    return f"{platform.system().lower()}-{platform.machine()}-py{sys.version_info.major}{sys.version_info.minor}"


def drop_broken_entries(place: str, limit_bytes: int = 0) -> list[str]:
    """Delete entries that were not written to their end, and the longest unused above a limit; return their names.

    >>> import tempfile, zlib, pathlib
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "good-cache").write_bytes(zlib.compress(b"code" * 99))
    >>> _ = (folder / "short-cache").write_bytes(zlib.compress(b"code" * 99)[:9])
    >>> drop_broken_entries(str(folder))
    ['short-cache']
    """
    known = _read_index(place)
    whole: dict[str, int] = {}
    last_use: dict[str, float] = {}
    dropped: list[str] = []
    for name, status in _entries(place):
        if known.get(name) == status.st_size or _is_whole(os.path.join(place, name)):
            whole[name] = status.st_size
            last_use[name] = max(status.st_atime, status.st_mtime)
        else:
            dropped.append(name)
    dropped += _above_limits(whole, last_use, limit_bytes)
    for name in dropped:
        whole.pop(name, None)
        with contextlib.suppress(FileNotFoundError):  # another process was faster
            os.unlink(os.path.join(place, name))
    if whole != known:
        _write_index(place, whole)
    return dropped


def _entries(place: str) -> Iterator[tuple[str, os.stat_result]]:
    with os.scandir(place) as listing:
        for entry in listing:
            with contextlib.suppress(FileNotFoundError):  # another process may delete what is listed here
                if entry.name.endswith(SUFFIX):
                    yield entry.name, entry.stat()
                elif entry.name.endswith(DRAFT) and entry.stat().st_mtime < time.time() - 3600:
                    os.unlink(entry.path)  # an index whose writer was killed


def _above_limits(sizes: dict[str, int], last_use: dict[str, float], limit_bytes: int) -> list[str]:
    bytes_over = sum(sizes.values()) - limit_bytes if limit_bytes else 0
    entries_over = len(sizes) - _MOST_ENTRIES
    chosen = []
    for name in sorted(sizes, key=last_use.__getitem__):
        if bytes_over <= 0 and entries_over <= 0:
            break
        bytes_over -= sizes[name]
        entries_over -= 1
        chosen.append(name)
    return chosen


def _is_whole(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            content = file.read()
    except FileNotFoundError:
        return False
    if content.startswith(_ZSTD_MAGIC):
        return _zstd_frame_length(content) == len(content)
    reader = zlib.decompressobj()
    try:
        reader.decompress(content)
    except zlib.error:
        return False
    return reader.eof


def _zstd_frame_length(content: bytes) -> int:
    """The length a zstd frame must have according to its block headers (RFC 8878), without decompressing it."""
    if len(content) < 6:
        return -1
    descriptor = content[4]
    single_segment = descriptor >> 5 & 1
    size_field = (single_segment, 2, 4, 8)[descriptor >> 6]
    dictionary_field = (0, 1, 2, 4)[descriptor & 3]
    position = 5 + (1 - single_segment) + dictionary_field + size_field
    last = False
    while not last:
        if position + 3 > len(content):
            return -1
        header = int.from_bytes(content[position : position + 3], "little")
        last, kind, size = bool(header & 1), header >> 1 & 3, header >> 3
        position += 3 + (1 if kind == 1 else size)  # a repeated byte is stored once
    return position + (4 if descriptor >> 2 & 1 else 0)


def _read_index(place: str) -> dict[str, int]:
    known = {}
    with contextlib.suppress(FileNotFoundError), open(os.path.join(place, _INDEX), encoding="utf-8") as file:
        for line in file:
            size, _, name = line.rstrip("\n").partition(" ")
            if size.isdigit():
                known[name] = int(size)
    return known


def _write_index(place: str, whole: dict[str, int]) -> None:
    # to a new file and then renamed: a reader sees the old index or the new one, never half of it
    handle, draft = tempfile.mkstemp(suffix=DRAFT, dir=place)
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.writelines(f"{size} {name}\n" for name, size in whole.items())
        os.replace(draft, os.path.join(place, _INDEX))
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(draft)
        raise
