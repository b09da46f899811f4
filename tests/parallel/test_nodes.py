"""Jobs on several machines: network namespaces, each with an address of its own, or two addresses of this one."""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mindspore.parallel.cluster import run
from tests.parallel.launching import PROGRAMS, environment, msrun_command, start_by_hand

_PLACE = re.compile(r"place (\d) (\d) (\d) (\d) sum (\d+)")


def may_make_namespaces() -> bool:
    if os.getuid():
        return False
    with contextlib.suppress(OSError):
        name = f"mycelium-{os.getpid()}-probe"
        made = subprocess.run(["ip", "netns", "add", name], capture_output=True, check=False)
        subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)
        return made.returncode == 0
    return False


@contextlib.contextmanager
def two_machines() -> Iterator[tuple[str, list[list[str]]]]:
    """The address of the first of two machines, and what to put before a command to run it on each."""
    if not may_make_namespaces():
        yield "127.0.0.2", [[], []]
        return
    names = [f"mycelium-{os.getpid()}-{node}" for node in (0, 1)]
    folders = [
        Path("/etc/netns") / name for name in names
    ]  # what is there stands in for /etc; names as Debian has them
    ends = [f"m{os.getpid()}a", f"m{os.getpid()}b"]
    lines = [f"netns add {name}" for name in names]
    lines.append(f"link add {ends[0]} netns {names[0]} type veth peer name {ends[1]} netns {names[1]}")
    for node, (name, end) in enumerate(zip(names, ends)):
        lines += [f"-n {name} addr add 10.77.0.{node + 1}/24 dev {end}", f"-n {name} link set {end} up"]
        lines.append(f"-n {name} link set lo up")
    try:
        for folder in folders:
            folder.mkdir(parents=True)
            (folder / "hosts").write_text(f"127.0.0.1 localhost\n127.0.1.1 {socket.gethostname()}\n")
        for line in lines:
            subprocess.run(["ip", *line.split()], check=True, timeout=20)
        yield "10.77.0.1", [["ip", "netns", "exec", name] for name in names]
    finally:
        for name in names:
            subprocess.run(["ip", "netns", "del", name], check=False, timeout=20)
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)
        with contextlib.suppress(OSError):  # others use it, too
            folders[0].parent.rmdir()


def places(folder: Path, per_node: int, numbered: bool) -> list[tuple[int, ...]]:
    """What the processes of a job on two machines say of themselves."""
    with two_machines() as (address, prefixes):
        flags = [f"--worker_num={2 * per_node}", f"--local_worker_num={per_node}", f"--master_addr={address}"]
        flags += [f"--master_port={run.any_free_port()}", "--join=True", "--cluster_time_out=60"]
        nodes = []
        for node, prefix in enumerate(prefixes):
            own = [f"--log_dir={folder / str(node)}", *([f"--node_rank={node}"] if numbered else [])]
            command = [*prefix, *msrun_command(*flags, *own, PROGRAMS / "places.py")]
            nodes.append(subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))  # fmt: skip
        outputs = [node.communicate(timeout=100)[0] for node in nodes]
    assert [node.returncode for node in nodes] == [0, 0], outputs
    return [tuple(map(int, found)) for output in outputs for found in _PLACE.findall(output)]


@pytest.mark.heavy
def test_machines_with_numbers_meet_at_the_first(tmp_path):
    found = places(tmp_path, per_node=2, numbered=True)
    assert sorted(found) == [(rank, 4, rank % 2, 2, 15) for rank in range(4)]
    assert sorted(found[:2]) == sorted(found)[:2]  # on the first machine


@pytest.mark.heavy
def test_machines_without_numbers_get_them_when_they_meet(tmp_path):
    found = places(tmp_path, per_node=2, numbered=False)
    assert sorted(found) == [(rank, 4, rank % 2, 2, 15) for rank in range(4)]
    assert {rank // 2 for rank, *_ in found[:2]} in ({0}, {1})  # neighbours are numbered together


@pytest.mark.heavy
def test_processes_without_numbers_get_them_when_they_meet(tmp_path):
    told = environment(MS_WORKER_NUM="2", MS_SCHED_HOST="127.0.0.1", MS_SCHED_PORT=str(run.any_free_port()))
    command = [sys.executable, str(PROGRAMS / "places.py")]
    both = [
        subprocess.Popen(command, env=told, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in "ab"
    ]
    outputs = [process.communicate(timeout=60) for process in both]
    found = [tuple(map(int, place)) for output, _ in outputs for place in _PLACE.findall(output)]
    assert sorted(found) == [(0, 2, 0, 2, 3), (1, 2, 1, 2, 3)], outputs


@pytest.mark.heavy
def test_two_jobs_of_one_script_do_not_meet_each_other(tmp_path):
    """Even in one process group and with one TMPDIR: they work in different folders."""
    jobs = [tmp_path / name for name in "ab"]
    processes = []
    for rank in (1, 0):
        for folder in jobs:
            (folder / f"train_parallel{rank}").mkdir(parents=True)
            told = environment(RANK_ID=str(rank), RANK_SIZE="2", TMPDIR=str(tmp_path))
            processes.append(subprocess.Popen(
                [sys.executable, str(PROGRAMS / "places.py")], env=told, cwd=folder / f"train_parallel{rank}",
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            ))  # fmt: skip
    outputs = [process.communicate(timeout=100)[0] for process in processes]
    assert [process.returncode for process in processes] == [0] * 4, outputs
    assert [_PLACE.findall(output) for output in outputs] == [[("1", "2", "1", "2", "3")]] * 2 + [[("0", "2", "0", "2", "3")]] * 2  # fmt: skip
    assert not list(tmp_path.glob("mycelium-*/job-*"))


@pytest.mark.heavy
def test_what_an_ended_job_left_is_not_mistaken_for_this_one(tmp_path):
    left = start_by_hand(PROGRAMS / "places.py", [0], 2, tmp_path)[0]
    folder = tmp_path / f"mycelium-{os.getuid()}"
    while not list(folder.glob("job-*.json")):
        assert left.poll() is None
    left.kill()
    left.wait()
    assert list(folder.glob("job-*.json"))
    processes = start_by_hand(PROGRAMS / "places.py", [1, 0], 2, tmp_path)
    assert [process.wait(60) for process in processes] == [0, 0], (tmp_path / "log_1.txt").read_text()
    assert not list(folder.glob("job-*"))
