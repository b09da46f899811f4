"""Compiled programs on disk survive killed writers, company and full folders."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import mindspore as ms
from mindspore._engine.runtime import compile_cache

SOURCES = os.path.dirname(os.path.dirname(os.path.abspath(ms.__file__)))

# prints a result, then what the cache did
PROGRAM = """
import sys
import jax, jax.numpy as jnp, numpy as np
from mindspore._engine.runtime import context
events = []
jax.monitoring.register_event_listener(lambda name, **_: events.append(name.rsplit("/", 1)[-1]))
context.current_device()
function = jax.jit(lambda x: jnp.sort(jnp.tanh(x @ x) + 1, axis=0))
print(float(np.asarray(function(np.eye(3, dtype=np.float32))).sum()))
print("hits", events.count("cache_hits"), "misses", events.count("cache_misses"))
"""


def run(folder: Path, before: str = "", **variables: str) -> subprocess.CompletedProcess:
    foreign = ("MYCELIUM_", "MS_", "GLOG_", "JAX_", "XLA_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    environment |= {"PYTHONPATH": SOURCES, "MYCELIUM_CACHE_DIR": str(folder), "JAX_PLATFORMS": "cpu"}
    script = textwrap.dedent(before) + PROGRAM
    return subprocess.run(
        [sys.executable, "-c", script], env={**environment, **variables}, capture_output=True, text=True, check=False
    )


def entries(folder: Path) -> list[Path]:
    return sorted(folder.glob("*/*-cache"))


def whole(path: Path) -> bytes:
    return zlib.decompress(path.read_bytes())


@pytest.mark.heavy
def test_a_writer_killed_in_the_middle_is_repaired_and_then_served(tmp_path):
    killed = run(
        tmp_path,
        """
        import resource, signal
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # the kernel kills the process in the middle of the write
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        """,
    )
    assert killed.returncode == -signal.SIGXFSZ
    (broken,) = entries(tmp_path)
    assert broken.stat().st_size == 1000
    with pytest.raises(zlib.error):
        whole(broken)

    after = run(tmp_path)
    assert (after.stderr, after.returncode) == ("", 0)
    assert after.stdout.splitlines()[1] == "hits 0 misses 1"
    assert entries(tmp_path) == [broken]
    assert whole(broken)

    served = run(tmp_path)
    assert (served.stderr, served.stdout.splitlines()[1]) == ("", "hits 1 misses 0")
    assert served.stdout.splitlines()[0] == after.stdout.splitlines()[0]


@pytest.mark.heavy
def test_processes_that_start_together_share_the_folder(tmp_path):
    with ThreadPoolExecutor() as pool:
        done = list(pool.map(lambda _: run(tmp_path), range(2)))
    assert [one.returncode for one in done] == [0, 0]
    assert len({one.stdout.splitlines()[0] for one in done}) == 1
    assert len(entries(tmp_path)) == 1
    assert whole(entries(tmp_path)[0])


@pytest.mark.heavy
def test_the_cache_can_be_switched_off_and_a_folder_of_jax_is_left_alone(tmp_path):
    off = run(tmp_path / "unused", MYCELIUM_CACHE_DIR="off")
    assert off.stdout.splitlines()[1] == "hits 0 misses 0"
    assert not (tmp_path / "unused").exists()
    own = run(
        tmp_path,
        MYCELIUM_CACHE_DIR="",
        XDG_CACHE_HOME=str(tmp_path / "x"),
        JAX_COMPILATION_CACHE_DIR=str(tmp_path / "j"),
    )
    assert own.returncode == 0, own.stderr
    assert not (tmp_path / "x").exists()


# --- looking a folder over ---------------------------------------------------------------------------------------

COMPRESSED = zlib.compress(os.urandom(2000))
# one raw block of three bytes and the end of the frame, as RFC 8878 lays it out; then the same with a checksum
ZSTD = b"\x28\xb5\x2f\xfd\x20\x03\x19\x00\x00abc"
ZSTD_SUMMED = b"\x28\xb5\x2f\xfd\x24\x03\x19\x00\x00abcSUM4"
ZSTD_TWO_BLOCKS = b"\x28\xb5\x2f\xfd\x20\x06\x18\x00\x00abc\x1b\x00\x00z"


@pytest.mark.parametrize(
    "content", [COMPRESSED, ZSTD, ZSTD_SUMMED, ZSTD_TWO_BLOCKS], ids=["zlib", "zstd", "sum", "two"]
)
def test_an_entry_is_kept_whole_and_dropped_at_any_shorter_length(tmp_path, content):
    entry = tmp_path / "jit_f-0a-cache"
    entry.write_bytes(content)
    assert compile_cache.drop_broken_entries(str(tmp_path)) == []
    assert entry.exists()
    for length in {0, 1, 3, 4, 5, 6, len(content) // 2, len(content) - 1}:
        entry.write_bytes(content[:length])
        assert compile_cache.drop_broken_entries(str(tmp_path)) == [entry.name], length
        assert not entry.exists()


def test_a_flipped_byte_is_found(tmp_path):
    damaged = bytearray(COMPRESSED)
    damaged[500] ^= 1
    (tmp_path / "jit_f-0a-cache").write_bytes(damaged)
    assert compile_cache.drop_broken_entries(str(tmp_path)) == ["jit_f-0a-cache"]


def test_an_entry_is_read_through_only_once_unless_its_size_changes(tmp_path, monkeypatch):
    entry = tmp_path / "jit_f-0a-cache"
    entry.write_bytes(COMPRESSED)
    compile_cache.drop_broken_entries(str(tmp_path))
    looked = []
    real = compile_cache._is_whole
    monkeypatch.setattr(compile_cache, "_is_whole", lambda path: looked.append(path) or real(path))
    compile_cache.drop_broken_entries(str(tmp_path))
    assert looked == []
    entry.write_bytes(COMPRESSED[:-1])
    assert compile_cache.drop_broken_entries(str(tmp_path)) == [entry.name]


def test_a_damaged_index_costs_a_second_look_and_no_entry(tmp_path):
    (tmp_path / "jit_f-0a-cache").write_bytes(COMPRESSED)
    (tmp_path / compile_cache._INDEX).write_text("nonsense\n12x jit_f-0a-cache\n\n")
    assert compile_cache.drop_broken_entries(str(tmp_path)) == []
    size, _, name = (tmp_path / compile_cache._INDEX).read_text().split()
    assert (size, name) == (str(len(COMPRESSED)), "jit_f-0a-cache")


def test_the_longest_unused_entries_go_when_the_folder_is_full(tmp_path, monkeypatch):
    for age in range(5):
        entry = tmp_path / f"jit_f-{age}-cache"
        entry.write_bytes(COMPRESSED)
        os.utime(entry, (1_000_000 - age, 1_000_000 - age))
    limit = 3 * len(COMPRESSED)
    # reading an entry is a use: once the entries are known, their times are those set above
    compile_cache.drop_broken_entries(str(tmp_path))
    for age in range(5):
        os.utime(tmp_path / f"jit_f-{age}-cache", (1_000_000 - age, 1_000_000 - age))
    assert sorted(compile_cache.drop_broken_entries(str(tmp_path), limit)) == ["jit_f-3-cache", "jit_f-4-cache"]
    monkeypatch.setattr(compile_cache, "_MOST_ENTRIES", 1)
    assert sorted(compile_cache.drop_broken_entries(str(tmp_path))) == ["jit_f-1-cache", "jit_f-2-cache"]


def test_drafts_of_an_index_go_when_their_writer_must_be_dead(tmp_path):
    old, new = tmp_path / f"a{compile_cache.DRAFT}", tmp_path / f"b{compile_cache.DRAFT}"
    for draft in (old, new):
        draft.write_text("")
    os.utime(old, (1, 1))
    assert compile_cache.drop_broken_entries(str(tmp_path)) == []
    assert (old.exists(), new.exists()) == (False, True)


def test_other_files_are_left_alone(tmp_path):
    (tmp_path / "xla_gpu_autotune").mkdir()
    (tmp_path / "notes.txt").write_text("mine")
    assert compile_cache.drop_broken_entries(str(tmp_path)) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes.txt", "xla_gpu_autotune"]


def test_a_folder_that_cannot_be_used_is_no_error(tmp_path):
    (tmp_path / "file").write_text("")
    done = run(tmp_path / "file", GLOG_v="1")
    assert done.returncode == 0
    assert done.stdout.splitlines()[1] == "hits 0 misses 0"
    assert "Compiled programs are not kept" in done.stderr
