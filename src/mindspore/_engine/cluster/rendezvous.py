"""Rendezvous: the rank and size of this process, and the address of process 0.

Rank and size come from the launcher's environment: mpirun (OpenMPI, MPICH), msrun, MindSpore's variables, or the shell scripts
of MindSpore 1.x. So does the address; on a single host process 0 otherwise binds a free port and publishes it in a file.
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
from mindspore._utils.folders import why_not_private

_POLL_INTERVAL = 0.05  # seconds
_STRICT = 10.0  # seconds before records that match only loosely are accepted


class Membership(NamedTuple):
    """Rank and size, in the world and on this host."""

    rank: int
    size: int
    local_rank: int
    local_size: int


def from_environment() -> Membership:
    """Rank and size from the launcher's environment; a world of one otherwise. Rank -1: assigned at the rendezvous."""
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
    """How error messages name a process."""
    return f"process {here.rank} of {here.size}" if here.rank >= 0 else f"one of {here.size} processes"


def address(here: Membership) -> str | None:
    """Host and port of the rendezvous; None on a single host, where process 0 publishes its port in a file."""
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


# -- several hosts ----------------------------------------------------------------------------------------------------
def _host_in(text: str) -> str:
    """The first host of OpenMPI's contact URI: '123.0;tcp://10.0.0.1,192.168.0.1:4242;tcp6://[fd00::2]:4343'.

    >>> _host_in("123.0;tcp://10.0.0.1,192.168.0.1:4242;tcp6://[fd00::2]:4343")
    '10.0.0.1'
    """
    parts = text.split(";")
    chosen = next((part for part in parts if part.startswith("tcp://")), parts[-1])
    hosts = chosen.rsplit("//", 1)[-1].split(",")[0]
    return hosts[: hosts.index("]") + 1] if hosts.startswith("[") else hosts.split(":")[0]


def _port_of(text: str) -> int:
    """A port derived from a string all processes share, below the ephemeral range."""
    return 20000 + int(hashlib.sha256(text.encode()).hexdigest(), 16) % 10000


def _content(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def _first_server(path: str) -> str:
    try:
        table = json.loads(_content(path))
        servers = table["server_list"]
        first = next(server for server in servers if any(device["rank_id"] == "0" for device in server["device"]))
        return first.get("host_ip") or first["server_id"]
    except (OSError, ValueError, KeyError, TypeError, StopIteration) as error:
        raise RuntimeError(
            f"The rank table {path} (RANK_TABLE_FILE) cannot be read: {type(error).__name__}: {error}. It must be JSON with a "
            "'server_list' whose servers have 'server_id' and 'device', and one device has rank_id '0'."
        ) from None


def is_here(host: str) -> bool:
    """Whether an address belongs to this host."""
    try:
        with socket.socket() as probe:
            probe.bind((host, 0))
            return True
    except OSError:
        return False


# -- a single host ----------------------------------------------------------------------------------------------------
def publish(here: Membership, port: int, job_secret: str) -> str:
    """Publish the address of process 0 in a file that only this user reads, with the secret of the job."""
    address_ = f"127.0.0.1:{port}"
    record = {
        "address": address_,
        "pid": os.getpid(),
        "born": _birth(os.getpid()),
        "since": time.time(),
        "size": here.size,
        "secret": job_secret,
    }
    path = _own_record()
    temporary = f"{path}.part"
    with contextlib.suppress(FileNotFoundError):
        os.remove(temporary)
    with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        json.dump({**record, "job": _job(here), "neighbourhood": _neighbourhood()}, file)
    os.replace(temporary, path)
    return address_


def unpublish(here: Membership) -> None:
    """Remove the published record after the rendezvous."""
    if here.rank == 0:
        with contextlib.suppress(OSError):
            os.remove(_own_record())


def find(here: Membership) -> tuple[str, str]:
    """Poll for the record of process 0 of this job: its address, and the secret."""
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
            found = max(mine, key=lambda record: record["since"])
            return found["address"], found["secret"]
        time.sleep(_POLL_INTERVAL)
    raise RuntimeError(
        f"Process {here.rank} of {here.size} waited {config.meeting_timeout.value} s for process 0 and did not find it. Has it "
        "failed? Are all processes started by the same launcher or script? If not, set MS_SCHED_HOST and MS_SCHED_PORT."
    )


def _job(here: Membership) -> str:
    """A key that exactly the processes of this job share.

    The launcher's job id, else the launcher's pid, else the working directory with the pgid of the script that started them
    (its shell's pid, if job control gave every process its own group).
    """
    if config.job_id.value:
        return f"job {config.job_id.value}"
    hydra = _ancestor("hydra_pmi_proxy")
    if hydra:
        return f"launcher {hydra} {_birth(hydra)}"
    alone = os.getpgrp() == os.getpid()
    starter = os.getppid() if alone else os.getpgrp()
    with contextlib.suppress(OSError):  # the working directory was removed
        folder = os.getcwd().removesuffix(str(here.rank))  # train_parallel0, train_parallel1, ...
        return f"{'shell' if alone else 'group'} {starter} in {folder}"
    return ""


def _neighbourhood() -> str:
    """A looser key, which processes of a job share even if each was started separately."""
    table = config.rank_table_file.value
    return f"table {os.path.abspath(table)}" if table else f"session {os.getsid(0)}"


def _folder() -> str:
    """A folder of this user alone, the same for all processes: whoever can write to it can lead them to another job."""
    reasons = []
    for parent, name in ((tempfile.gettempdir(), f"mycelium-{os.getuid()}"), ("~/.cache/mycelium", "processes")):
        folder = os.path.join(os.path.expanduser(parent), name)
        os.makedirs(folder, mode=0o700, exist_ok=True)
        reason = why_not_private(folder)
        if reason is None:
            return folder
        reasons.append(f"{folder}: {reason}")
    raise RuntimeError(
        "Processes of a job find each other through a folder that is this user's alone, and there is none: "
        f"{'; '.join(reasons)}. Set TMPDIR to a private folder, or name the meeting point: MS_SCHED_HOST, MS_SCHED_PORT."
    )


def _own_record() -> str:
    return os.path.join(_folder(), f"job-{os.getpid()}.json")


def _records() -> list[dict[str, Any]]:
    """Records of live processes; stale ones are deleted."""
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
    """The fields of /proc/<pid>/stat after the pid, the command name first."""
    text = _content(f"/proc/{pid}/stat")
    before, _, after = text.rpartition(")")
    return [before.partition("(")[2], *after.split()]


def _ancestor(program: str) -> int:
    """The pid of the ancestor that runs a program, or 0. The kernel truncates names to 15 characters."""
    pid = os.getppid()
    with contextlib.suppress(OSError):
        while pid > 1:
            name, _, parent, *_ = _status_of(pid)
            if name == program[:15]:
                return pid
            pid = int(parent)
    return 0


def _birth(pid: int) -> str:
    """The start time of a process in clock ticks: with the pid it identifies a process despite pid reuse."""
    try:
        return _status_of(pid)[20]
    except OSError:
        return ""
