"""How the processes of a job find each other: which one this is, and the address they meet at.

A launcher tells every process its number and how many there are: mpirun (OpenMPI, MPICH), msrun or a program that sets
MindSpore's variables, or the shell scripts of MindSpore 1.x. The address comes with them, or the first process picks a
free port and leaves it in a file where the others on the same machine look.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import socket
import tempfile
import time
from typing import NamedTuple

from mindspore._engine import config

_LOOK_EVERY = 0.05  # seconds


class Place(NamedTuple):
    """The place of this process in its job."""

    rank: int
    size: int
    local_rank: int
    local_size: int


def place() -> Place:
    """What the launcher said; alone without one."""
    size = config.rank_size.value
    if size == 1:
        return Place(0, 1, 0, 1)
    if not config.rank_id.is_set and not config.node_id.is_set:
        raise RuntimeError(
            f"This job has {size} processes, but nothing says which one this is. Set RANK_ID or MS_NODE_ID (from 0), or start "
            "the program with mpirun or msrun."
        )
    rank = config.rank_id.value if config.rank_id.is_set else config.node_id.value
    if rank >= size:
        raise RuntimeError(
            f"The launcher gave this process number {rank}, but says there are only {size} (numbers from 0)."
        )
    return Place(
        rank, size, config.local_rank.value if config.local_rank.is_set else rank, config.local_size.value or size
    )


def address(here: Place) -> str:
    """Host and port where all processes meet."""
    if config.scheduler_port.is_set or config.scheduler_host.is_set:
        return f"{config.scheduler_host.value}:{config.scheduler_port.value}"
    table = config.rank_table_file.value
    if table:
        host = _first_server(table)
        if not _is_here(host):
            return f"{host}:{_port_of(_content(table))}"
    elif here.local_size < here.size:
        host = config.launcher_address.value
        if not host:
            raise RuntimeError(
                f"The job has {here.size} processes on several machines, but no address to meet at. Set MS_SCHED_HOST to the "
                "machine of process 0 and MS_SCHED_PORT to a free port there, for all processes."
            )
        return f"{_host_in(host)}:{_port_of(config.job_id.value or host)}"
    return _by_file(here)


def check_free(where: str) -> None:
    """Refuse an address that another program listens at: XLA would not say it in words."""
    host, _, port = where.rpartition(":")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, int(port)))
        except OSError as error:
            raise RuntimeError(
                f"Process 0 cannot listen at {where}, where the processes of the job are to meet: {error.strerror}. Choose "
                "another port (MS_SCHED_PORT, or --master_port of msrun)."
            ) from None


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


def _is_here(host: str) -> bool:
    try:
        with socket.socket() as probe:
            probe.bind((host, 0))
            return True
    except OSError:
        return False


# -- one machine ------------------------------------------------------------------------------------------------------
def _by_file(here: Place) -> str:
    folder = os.path.join(tempfile.gettempdir(), f"mycelium-{os.getuid()}")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    path = os.path.join(folder, f"job-{_job_key()}-{here.size}")
    if here.rank == 0:
        return _leave(path)
    return _look(path, here)


def _job_key() -> str:
    """What only the processes of this job have in common: the launcher's number of it, or the shell they were started in."""
    told = config.job_id.value or config.rank_table_file.value or f"session {os.getsid(0)}"
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def _leave(path: str) -> str:
    with socket.socket() as probe:  # released at once; the coordinator takes it
        probe.bind(("127.0.0.1", 0))
        found = f"127.0.0.1:{probe.getsockname()[1]}"
    temporary = f"{path}.{os.getpid()}"
    with open(temporary, "w", encoding="utf-8") as file:
        json.dump({"address": found, "pid": os.getpid(), "born": _birth(os.getpid())}, file)
    os.replace(temporary, path)
    return found


def forget_meeting(here: Place) -> None:
    """Remove what the first process left, once all have met."""
    if here.rank == 0 and here.size > 1:
        folder = os.path.join(tempfile.gettempdir(), f"mycelium-{os.getuid()}")
        with contextlib.suppress(OSError):
            os.remove(os.path.join(folder, f"job-{_job_key()}-{here.size}"))


def _look(path: str, here: Place) -> str:
    deadline = time.monotonic() + config.meeting_timeout.value
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError, ValueError):
            left = json.loads(_content(path))
            if _birth(left["pid"]) == left["born"]:  # not one of an earlier job
                return left["address"]
        time.sleep(_LOOK_EVERY)
    raise RuntimeError(
        f"Process {here.rank} of {here.size} waited {config.meeting_timeout.value} s for process 0 and did not find it. Has it "
        "failed? Are all processes started by the same launcher?"
    )


def _birth(pid: int) -> str:
    """When a process was started, in ticks of the kernel; with the number it names a process for good."""
    try:
        return _content(f"/proc/{pid}/stat").rsplit(")", 1)[1].split()[19]
    except OSError:
        return ""
