"""How the processes of a job find each other: which one this is, and the address they meet at.

A launcher tells every process its number and how many there are: mpirun (OpenMPI, MPICH), msrun or a program that sets
MindSpore's variables, or the shell scripts of MindSpore 1.x. The address comes with them, or the first process picks a
free port and leaves it in a file where the others on the same machine look.
"""

from __future__ import annotations

import contextlib
import glob
import hashlib
import json
import os
import socket
import tempfile
import time
from typing import Any, NamedTuple

from mindspore._engine.config import config

_LOOK_EVERY = 0.05  # seconds
_STRICT = 10.0  # seconds in which only a first process of surely the same job will do


class Membership(NamedTuple):
    """The place of this process in its job."""

    rank: int
    size: int
    local_rank: int
    local_size: int


def told() -> Membership:
    """What the launcher said; alone without one. A rank of -1 is a number that is given when the processes meet."""
    size = config.rank_size.value
    if size == 1:
        return Membership(0, 1, 0, 1)
    local_rank = config.local_rank.value if config.local_rank.is_set else -1
    if not config.rank_id.is_set and not config.node_id.is_set:
        if config.scheduler_port.is_set or config.scheduler_host.is_set:
            return Membership(-1, size, local_rank, config.local_size.value)
        raise RuntimeError(
            f"This job has {size} processes, but nothing says which one this is. Set RANK_ID or MS_NODE_ID (from 0), or start "
            "the program with mpirun or msrun. With MS_SCHED_HOST and MS_SCHED_PORT, numbers are given when they meet."
        )
    rank = config.rank_id.value if config.rank_id.is_set else config.node_id.value
    if rank >= size:
        raise RuntimeError(
            f"The launcher gave this process number {rank}, but says there are only {size} (numbers from 0)."
        )
    return Membership(rank, size, rank if local_rank < 0 else local_rank, config.local_size.value or size)


def name(here: Membership) -> str:
    """How messages call a process."""
    return f"process {here.rank} of {here.size}" if here.rank >= 0 else f"one of {here.size} processes"


def address(here: Membership) -> str | None:
    """Host and port where all processes meet; None where the first one leaves word on their common machine."""
    if config.scheduler_port.is_set or config.scheduler_host.is_set:
        return f"{config.scheduler_host.value}:{config.scheduler_port.value}"
    table = config.rank_table_file.value
    if table:
        host = _first_server(table)
        if not is_here(host):
            return f"{host}:{_port_of(_content(table))}"
    elif here.local_size < here.size:
        host = config.launcher_address.value
        if not host:
            raise RuntimeError(
                f"The job has {here.size} processes on several machines, but no address to meet at. Set MS_SCHED_HOST to the "
                "machine of process 0 and MS_SCHED_PORT to a free port there, for all processes."
            )
        return f"{_host_in(host)}:{_port_of(config.job_id.value or host)}"
    return None


# -- several machines -------------------------------------------------------------------------------------------------
def _host_in(text: str) -> str:
    """The first host in what OpenMPI tells: '123.0;tcp://10.0.0.1,192.168.0.1:4242;tcp6://[fd00::2]:4343'.

    >>> _host_in("123.0;tcp://10.0.0.1,192.168.0.1:4242;tcp6://[fd00::2]:4343")
    '10.0.0.1'
    """
    parts = text.split(";")
    chosen = next((part for part in parts if part.startswith("tcp://")), parts[-1])
    hosts = chosen.rsplit("//", 1)[-1].split(",")[0]
    return hosts[: hosts.index("]") + 1] if hosts.startswith("[") else hosts.split(":")[0]


def _port_of(text: str) -> int:
    """A port that all processes compute alike, out of the range that systems hand out by themselves."""
    return 20000 + int(hashlib.sha256(text.encode()).hexdigest(), 16) % 10000


def _content(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def _first_server(path: str) -> str:
    try:
        table = json.loads(_content(path))
        servers = table["server_list"]
        first = next(one for one in servers if any(device["rank_id"] == "0" for device in one["device"]))
        return first.get("host_ip") or first["server_id"]
    except (OSError, ValueError, KeyError, TypeError, StopIteration) as error:
        raise RuntimeError(
            f"The rank table {path} (RANK_TABLE_FILE) cannot be read: {type(error).__name__}: {error}. It must be JSON with a "
            "'server_list' whose servers have 'server_id' and 'device', and one device has rank_id '0'."
        ) from None


def is_here(host: str) -> bool:
    """Whether that is an address of this machine."""
    try:
        with socket.socket() as probe:
            probe.bind((host, 0))
            return True
    except OSError:
        return False


# -- one machine ------------------------------------------------------------------------------------------------------
def leave(here: Membership, port: int) -> str:
    """Write down, for the other processes of this job, where the first one listens."""
    where = f"127.0.0.1:{port}"
    own = {"address": where, "pid": os.getpid(), "born": _birth(os.getpid()), "since": time.time(), "size": here.size}
    path = _own_record()
    temporary = f"{path}.part"
    with open(temporary, "w", encoding="utf-8") as file:
        json.dump({**own, "job": _job(here), "neighbourhood": _neighbourhood()}, file)
    os.replace(temporary, path)
    return where


def forget(here: Membership) -> None:
    """Remove what the first process left, once all have met."""
    if here.rank == 0:
        with contextlib.suppress(OSError):
            os.remove(_own_record())


def look(here: Membership) -> str:
    """Find where the first process of this job listens."""
    began = time.monotonic()
    job, neighbourhood = _job(here), _neighbourhood()
    while time.monotonic() - began < config.meeting_timeout.value:
        records = [record for record in _records() if record["size"] == here.size]
        mine = [record for record in records if record["job"] == job]
        if not mine and time.monotonic() - began > _STRICT:
            mine = [
                record
                for record in records
                if record["neighbourhood"] == neighbourhood and time.time() - record["since"] > _STRICT
            ]
        if mine:
            return max(mine, key=lambda record: record["since"])["address"]
        time.sleep(_LOOK_EVERY)
    raise RuntimeError(
        f"Process {here.rank} of {here.size} waited {config.meeting_timeout.value} s for process 0 and did not find it. Has it "
        "failed? Are all processes started by the same launcher or script? If not, set MS_SCHED_HOST and MS_SCHED_PORT."
    )


def _job(here: Membership) -> str:
    """What only the processes of this job have in common.

    That is the launcher's name of it, or the launcher itself, or the folder they work in and the script that started them:
    its process group, or, if a shell with job control gave every process a group of its own, that shell.
    """
    if config.job_id.value:
        return f"job {config.job_id.value}"
    hydra = _ancestor("hydra_pmi_proxy")
    if hydra:
        return f"launcher {hydra} {_birth(hydra)}"
    alone = os.getpgrp() == os.getpid()
    starter = os.getppid() if alone else os.getpgrp()
    with contextlib.suppress(OSError):  # the current folder was removed
        folder = os.getcwd().removesuffix(str(here.rank))  # train_parallel0, train_parallel1, ...
        return f"{'shell' if alone else 'group'} {starter} in {folder}"
    return ""


def _neighbourhood() -> str:
    """What the processes of a job have in common even if every one was started in a way of its own."""
    table = config.rank_table_file.value
    return f"table {os.path.abspath(table)}" if table else f"session {os.getsid(0)}"


def _folder() -> str:
    folder = os.path.join(tempfile.gettempdir(), f"mycelium-{os.getuid()}")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    return folder


def _own_record() -> str:
    return os.path.join(_folder(), f"job-{os.getpid()}.json")


def _records() -> list[dict[str, Any]]:
    """What first processes have left that still run; what others left is removed."""
    found = []
    for path in glob.glob(os.path.join(glob.escape(_folder()), "job-*.json")):
        with contextlib.suppress(OSError, ValueError, KeyError):
            record = json.loads(_content(path))
            if _birth(record["pid"]) == record["born"]:
                found.append(record)
            else:
                os.remove(path)
    return found


def _status_of(pid: int) -> list[str]:
    """The fields of /proc/<pid>/stat after the name, which comes first."""
    text = _content(f"/proc/{pid}/stat")
    before, _, after = text.rpartition(")")
    return [before.partition("(")[2], *after.split()]


def _ancestor(program: str) -> int:
    """The process above this one that runs a program, 0 if none does. The kernel keeps 15 characters of names."""
    pid = os.getppid()
    with contextlib.suppress(OSError):
        while pid > 1:
            name, _, parent, *_ = _status_of(pid)
            if name == program[:15]:
                return pid
            pid = int(parent)
    return 0


def _birth(pid: int) -> str:
    """When a process was started, in ticks of the kernel; with the number it names a process for good."""
    try:
        return _status_of(pid)[20]
    except OSError:
        return ""
