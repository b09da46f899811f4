"""Checkpoints written while the program goes on: by a thread, or by a process of its own."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterable

from mindspore._utils import log
from mindspore._utils.files import atomic_file
from mindspore._utils.files.atomic_file import Chunk

_running: list[threading.Thread] = []
_failed: dict[str, str] = {}  # why files could not be written, until the error was raised


def start(path: str, chunks: Iterable[Chunk], kind: str) -> None:
    """Begin to write a file. Files are written one at a time: the call waits for the previous file.

    Args:
        kind: "thread" or "process".
    """
    wait()
    _failed.pop(path, None)
    write = _write_in_process if kind == "process" and sys.executable else atomic_file.write
    thread = threading.Thread(target=_attempt, args=(write, path, chunks), name="mindspore-checkpoint")
    _running.append(thread)
    thread.start()


def wait() -> None:
    """Wait until what is being written is there."""
    for thread in list(_running):
        thread.join()
        if thread in _running:
            _running.remove(thread)


def finish(path: str | None = None) -> None:
    """Wait as well, and raise what went wrong since the last call: with any file, or with one."""
    wait()
    lost = [path] if path in _failed else list(_failed) if path is None else []
    if lost:
        reasons = [_failed.pop(name) for name in lost]
        listed = "; ".join(f"{name}: {reason}" for name, reason in zip(lost, reasons, strict=True))
        raise OSError(
            f"For 'save_checkpoint' with 'async_save', what was written in the background is not there: {listed}. Files saved "
            "before are as they were. Make room or choose another folder, and save again."
        )


def is_running() -> bool:
    """Whether a file is being written."""
    return any(thread.is_alive() for thread in _running)


def _attempt(write: Callable[[str, Iterable[Chunk]], None], path: str, chunks: Iterable[Chunk]) -> None:
    try:
        write(path, chunks)
    except Exception as error:  # a thread has nobody to raise it to; 'finish' does
        _failed[path] = f"{type(error).__name__}: {error}"
        log.error("The checkpoint file %s could not be written: %s: %s", path, type(error).__name__, error)


def _write_in_process(path: str, chunks: Iterable[Chunk]) -> None:
    """A small process, which does not import this package, receives the bytes and writes them."""
    command = [sys.executable, "-I", "-S", atomic_file.__file__, path]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    refused = False
    with process:
        if process.stdin is None or process.stderr is None:
            raise OSError("the process that writes has no pipes")
        try:
            for chunk in atomic_file.framed(chunks):
                process.stdin.write(chunk)
            process.stdin.close()
        except BrokenPipeError:
            refused = True
        said = process.stderr.read().decode(errors="replace").strip()
    if refused or process.returncode:
        raise OSError(said.rpartition("\n")[2] or f"the process that writes ended with {process.returncode}")
