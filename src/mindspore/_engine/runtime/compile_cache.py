"""jax's persistent compilation cache, made robust against truncated entries.

What jax does by itself (0.10): an entry is one file, ``<name>-<key>-cache``, written in place (open, then write) and
never rewritten while it exists. Keys cover program, flags, jaxlib and device. So
- two processes that store the same entry at once write the same bytes: harmless;
- a process that reads an entry another one is still writing gets a decompression error, which jax turns into a
  warning and a compilation: harmless;
- but a writer that is killed, or a full disk, leaves a short file, and as it exists nothing ever replaces it: each
  later process warns and compiles again. jax's locking mode (``jax_compilation_cache_max_size``) does not help: it
  takes another package, it scans the folder at every write, and a killed writer makes every later eviction fail.

So ``enable`` validates the folder first and deletes entries that are not a complete compressed frame. Deleting is safe
at any time: concurrent readers and writers keep their file descriptor, and the entry is recreated. An index has the size
and time of validated entries, so that each is read only once (0.1 ms) and a start with nothing new costs one directory
listing (1 ms per hundred entries). zlib's frames end with a checksum of their content.

An entry is executed. So the folder must be private: entries of a folder that others can write to are neither read nor made.
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
from mindspore._utils.folders import why_not_private

SUFFIX = "-cache"
_INDEX = "whole-entries"
DRAFT = ".index-draft"
_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"

# measured on a small CPU: loading an entry takes 1.4 ms, compiling the smallest operator 7 ms, most 20 to 50 ms
_LEAST_COMPILE_SECONDS = 0.005
_MOST_ENTRIES = 10_000  # listing them costs a start about 0.1 s

_given: str | None = None  # the folder that `enable` configured in jax
hits = 0  # executables that jax has read from the folder


def _count_hit(event: str, **_: Any) -> None:
    global hits
    hits += event == "/jax/compilation_cache/cache_hits"


jax.monitoring.register_event_listener(_count_hit)


def enable(folder: str, limit_bytes: int = 0) -> None:
    """Cache compiled programs below ``folder``. Does not initialise XLA; an unusable folder is logged, not raised.

    One subfolder per platform and Python version: home directories are shared between different machines.
    """
    global _given
    path = os.path.join(os.path.abspath(os.path.expanduser(folder)), _environment_name())
    if _jax_setting("jax_compilation_cache_dir") == path and _jax_setting("jax_enable_compilation_cache"):
        return
    try:
        # mode 0700: an entry is executable code
        os.makedirs(path, mode=0o700, exist_ok=True)
        if not os.access(path, os.W_OK):
            raise PermissionError("it is not writable")
        if reason := why_not_private(path):
            _refuse(path, reason)
            return
        drop_broken_entries(path, limit_bytes)
    except OSError as problem:
        text = f"Compiled programs are not kept: the folder '{path}' cannot be used ({problem})."
        log.once(("compile_cache", path), f"{text} Set MYCELIUM_CACHE_DIR to another one.", log.INFO)
        disable()
        return
    _given = path
    jax.config.update("jax_compilation_cache_dir", path)
    jax.config.update("jax_persistent_cache_min_compile_time_secs", _LEAST_COMPILE_SECONDS)
    jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)  # no minimum size
    jax.config.update("jax_enable_compilation_cache", True)
    jax_cache.reset_cache()  # jax latches the folder at its first compilation


def _refuse(path: str, reason: str) -> None:
    """Say that entries, which are executed, are not taken from a folder that is not private."""
    text = (
        f"Compiled programs are neither kept nor read: {reason}. The folder is '{path}', and what is in it is executed."
    )
    advice = "Make it yours alone (chmod 700), or set MYCELIUM_CACHE_DIR to a folder that is."
    log.once(("compile_cache", path), f"{text} {advice}", log.WARNING)
    disable()


def disable() -> None:
    """Disable the persistent cache."""
    if _jax_setting("jax_enable_compilation_cache"):
        jax.config.update("jax_enable_compilation_cache", False)
        jax_cache.reset_cache()


def folder() -> str | None:
    """The folder of the entries; None if the cache is disabled."""
    return _given if _jax_setting("jax_enable_compilation_cache") else None


def is_set_elsewhere() -> bool:
    """Whether jax's cache folder was configured by somebody else."""
    return _jax_setting("jax_compilation_cache_dir") not in (None, _given)


def _jax_setting(name: str) -> Any:
    return getattr(jax.config, name)  # dynamic attributes, unknown to type checkers


def _environment_name() -> str:
    # jax 0.10 gives zlib and zstd entries the same key, and the Python version decides which one it writes
    return f"{platform.system().lower()}-{platform.machine()}-py{sys.version_info.major}{sys.version_info.minor}"


def drop_broken_entries(path: str, limit_bytes: int = 0) -> list[str]:
    """Delete truncated entries, then the least recently used ones above a limit; return their names.

    >>> import tempfile, zlib, pathlib
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "good-cache").write_bytes(zlib.compress(b"code" * 99))
    >>> _ = (folder / "short-cache").write_bytes(zlib.compress(b"code" * 99)[:9])
    >>> drop_broken_entries(str(folder))
    ['short-cache']
    """
    known = _read_index(path)
    whole: dict[str, tuple[int, int]] = {}
    last_use: dict[str, float] = {}
    dropped: list[str] = []
    for name, status in _entries(path):
        written = (status.st_size, status.st_mtime_ns)
        if known.get(name) == written or _is_whole(os.path.join(path, name)):
            whole[name] = written
            last_use[name] = max(status.st_atime, status.st_mtime)
        else:
            dropped.append(name)
    dropped += _above_limits({name: size for name, (size, _) in whole.items()}, last_use, limit_bytes)
    for name in dropped:
        whole.pop(name, None)
        with contextlib.suppress(FileNotFoundError):  # deleted concurrently by another process
            os.unlink(os.path.join(path, name))
    if whole != known:
        _write_index(path, whole)
    return dropped


def _entries(path: str) -> Iterator[tuple[str, os.stat_result]]:
    with os.scandir(path) as listing:
        for entry in listing:
            with contextlib.suppress(FileNotFoundError):  # deleted concurrently by another process
                if entry.name.endswith(SUFFIX):
                    yield entry.name, entry.stat()
                elif entry.name.endswith(DRAFT) and entry.stat().st_mtime < time.time() - 3600:
                    os.unlink(entry.path)  # orphan of a killed writer


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
        position += 3 + (1 if kind == 1 else size)  # an RLE block stores its byte once
    return position + (4 if descriptor >> 2 & 1 else 0)


def _read_index(path: str) -> dict[str, tuple[int, int]]:
    known = {}
    with contextlib.suppress(FileNotFoundError), open(os.path.join(path, _INDEX), encoding="utf-8") as file:
        for line in file:
            match line.rstrip("\n").split(" ", 2):
                case [size, time_written, name] if size.isdigit() and time_written.isdigit():
                    known[name] = (int(size), int(time_written))
    return known


def _write_index(path: str, whole: dict[str, tuple[int, int]]) -> None:
    # write to a temporary file and rename: readers see the old or the new index, never a torn one
    handle, draft = tempfile.mkstemp(suffix=DRAFT, dir=path)
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.writelines(f"{size} {written} {name}\n" for name, (size, written) in whole.items())
        os.replace(draft, os.path.join(path, _INDEX))
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(draft)
        raise
