"""kill -9 at every event of a save: the file is the old one or the new one, and the next save leaves nothing else."""

import os
import signal
import subprocess
import sys

import pytest

from mindspore._utils.files import atomic_file

# Counts what the module that writes calls in the system or in C, before and after each, and ends itself at one of them.
WRITER = """
import importlib.util, os, signal, sys
module, path, last = sys.argv[1], sys.argv[2], int(sys.argv[3])
spec = importlib.util.spec_from_file_location("writing", module)
writing = importlib.util.module_from_spec(spec)
spec.loader.exec_module(writing)
seen = 0
def count(frame, event, argument):
    global seen
    if event in ("c_call", "c_return") and frame.f_code.co_filename == module:
        if seen == last:
            os.kill(os.getpid(), signal.SIGKILL)
        seen += 1
sys.setprofile(count)
writing.write(path, [b"new " * 3000, b"end"])
sys.setprofile(None)
print(seen)
"""
OLD, NEW = b"old " * 3000, b"new " * 3000 + b"end"


def killed_at(path, event):
    """Write a file in a process that is killed at an event; whether it was, before the end."""
    command = [sys.executable, "-I", "-S", "-c", WRITER, atomic_file.__file__, str(path), str(event)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    return done.returncode != 0


def check_events(folder, events):
    """Kill at these events, until the file is written before."""
    path = folder / "net.ckpt"
    kept = set()
    for event in events:
        path.unlink(missing_ok=True)
        path.write_bytes(OLD)
        killed = killed_at(path, event)
        content = path.read_bytes()
        assert content in (OLD, NEW), event
        kept.add(content)
        if not killed:
            assert content == NEW and os.listdir(folder) == ["net.ckpt"]
            return kept
    atomic_file.write(str(path), [b"next"])
    assert os.listdir(folder) == ["net.ckpt"]
    return kept


def test_a_kill_at_some_events_leaves_a_whole_file(tmp_path):
    assert OLD in check_events(tmp_path, range(0, 400, 9))


@pytest.mark.heavy
def test_a_kill_at_any_event_leaves_a_whole_file(tmp_path):
    assert check_events(tmp_path, range(10_000)) == {OLD, NEW}


def test_a_large_file_is_replaced_and_deleted(tmp_path):
    path = tmp_path / "net.ckpt"
    pieces = [bytes([value]) * 2**20 for value in range(20)]
    for _ in range(3):
        atomic_file.write(str(path), pieces)
        assert path.read_bytes() == b"".join(pieces)
    atomic_file.write(str(path), [b"small"])
    atomic_file.write(str(path), [b"next"])
    opened = [
        os.readlink(f"/proc/self/fd/{name}")
        for name in os.listdir("/proc/self/fd")
        if os.path.exists(f"/proc/self/fd/{name}")
    ]
    assert not any("net.ckpt" in target for target in opened)
