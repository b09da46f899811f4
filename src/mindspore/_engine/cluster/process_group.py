"""The world of processes of a distributed job, and its process groups.

Without a launcher the world has one process. With one, every process drives one device, and XLA's collectives connect them
(Gloo between CPUs, NCCL between GPUs).
"""

from __future__ import annotations

import atexit
import functools
from collections.abc import Sequence
from typing import Any

import jax
from jaxlib import _jax  # pyright: ignore[reportAttributeAccessIssue]

from mindspore._engine.base import jax_errors
from mindspore._engine.cluster import exit_status, heartbeat, rendezvous
from mindspore._engine.config import config
from mindspore._utils import log
from mindspore._utils.checks import shown

WORLD_GROUPS = ("hccl_world_group", "nccl_world_group", "mccl_world_group")  # aliases of the world group

_ALONE = rendezvous.Membership(0, 1, 0, 1)
_here = _ALONE
_joined = False
_line: heartbeat.Heartbeat | None = None
_groups: dict[str, tuple[int, ...]] = {}


def connect() -> None:
    """Initialise ``jax.distributed``. Must precede the initialisation of XLA's backends; no-op without a launcher."""
    global _line
    if config.role.value == "MS_SCHED":
        print("MS_ROLE=MS_SCHED: the processes meet at process 0, no scheduler is needed. This one ends.", flush=True)
        raise SystemExit(0)
    membership = rendezvous.from_environment()
    if membership.size == 1 or jax.distributed.is_initialized():
        return
    jax.config.update("jax_enable_preemption_service", False)  # its handler would swallow SIGTERM
    _line = heartbeat.join_job(membership)
    assigned = _line.assigned
    if membership.rank < 0:
        config.rank_id.settle(assigned.rank)
    _advertise_address(_line)
    on_gpu: dict[str, Any] = {"local_device_ids": [assigned.local_rank]} if config.visible_gpus.value != "" else {}
    try:
        jax.distributed.initialize(
            _line.coordinator,
            assigned.size,
            assigned.rank,
            coordinator_bind_address=_line.coordinator_bind_address(),
            initialization_timeout=config.meeting_timeout.value,
            heartbeat_timeout_seconds=2
            * config.silence_timeout.value,  # our own heartbeat detects it first, with a readable message
            **on_gpu,
        )
    except RuntimeError as error:
        raise RuntimeError(
            _initialised_too_late(assigned)
            if jax_errors.is_started_already(error)
            else _rendezvous_failed(assigned, error)
        ) from None
    exit_status.note_exit_status()
    atexit.register(_disconnect, _line)


def _advertise_address(line: heartbeat.Heartbeat) -> None:
    """Make Gloo listen at the address of this host that the others reach, and at no other interface.

    By default it listens at what the hostname resolves to, which is 127.0.1.1 on many systems. jax has no option for it.
    """
    address = line.own_address()
    if address.startswith("127.") and line.machines > 1:
        log.warning(
            "%s",
            f"The job runs on {line.machines} machines, but this one knows itself as {address}, where the others cannot reach "
            "it. Set MS_SCHED_HOST to an address of the first machine that is not 127.x.",
        )
    _jax.make_gloo_tcp_collectives = functools.partial(_jax.make_gloo_tcp_collectives, hostname=address)


def _initialised_too_late(membership: rendezvous.Membership) -> str:
    return f"For 'init', {rendezvous.name(membership)} has computed something before. Call init() first of all, right after set_context."


def _rendezvous_failed(membership: rendezvous.Membership, error: Exception) -> str:
    return f"For 'init', {rendezvous.name(membership)} could not meet the others: {error}"


def _disconnect(line: heartbeat.Heartbeat) -> None:
    """atexit: barrier with the other processes, unless this process fails or one was lost."""
    if not line.is_own():  # a forked child exits
        return
    failure = exit_status.failure()
    if failure is not None:
        reason, status, error = failure
        is_secondary = line.was_raised or jax_errors.is_of_collectives(error)
        words = line.who_is_lost() if is_secondary else line.in_words()
        line.fail(reason, is_secondary or bool(words))
        exit_status.at_once(words, status)
    if line.part():
        jax.distributed.shutdown()
    else:
        exit_status.at_once(line.in_words(), 1)


def begins(ranks: Sequence[int]) -> None:
    """Record that a computation with these ranks (all if empty) is being dispatched: it hangs if one of them dies."""
    if _line is not None:
        exit_status.goes_on()
        _line.note(object(), ranks)


def began(result: Any, ranks: Sequence[int]) -> None:
    """Record the result of the dispatched computation, by which its completion is observed."""
    if _line is not None:
        _line.note(result, ranks)


def who_is_lost() -> str:
    """A message that names the lost process; empty if none is known."""
    return "" if _line is None else _line.who_is_lost()


def join() -> None:
    """Join the job that a launcher started."""
    global _joined, _here
    connect()
    _here = rendezvous.from_environment() if _line is None else _line.assigned
    _joined = True


def leave() -> None:
    """Leave the job and drop all groups. The connection stays open until exit: the others may need it."""
    global _joined, _here
    _joined, _here = False, _ALONE
    _groups.clear()


def here() -> rendezvous.Membership:
    """Rank and size of this process, in the world and on its host."""
    return _here


def rank() -> int:
    """The rank of this process in the world."""
    return _here.rank


def size() -> int:
    """The world size."""
    return _here.size


def devices_of(ranks: tuple[int, ...]) -> list[Any]:
    """The first device of each of these ranks."""
    first: dict[int, Any] = {}
    for device in jax.devices():
        first.setdefault(device.process_index, device)
    return [first[rank] for rank in ranks]


def ranks_of(owner: str, group: str) -> tuple[int, ...]:
    """The world ranks of a group."""
    if not isinstance(group, str):
        raise TypeError(f"For '{owner}', the 'group' must be a string, but got {shown(group)}.")
    if group in WORLD_GROUPS:
        return tuple(range(size()))
    if group not in _groups:
        raise ValueError(
            f"For '{owner}', there is no group named {group!r}, only {[*WORLD_GROUPS, *_groups]}. Make it with create_group."
        )
    return _groups[group]


def groups() -> dict[str, tuple[int, ...]]:
    """The ranks of each group that was made."""
    return dict(_groups)


def add_group(group: str, ranks: list[int]) -> None:
    """Create a process group; this process must be a member."""
    if group in WORLD_GROUPS:
        raise ValueError(f"For 'create_group', {group!r} is the group of all processes, which exists already.")
    if not isinstance(ranks, list) or not ranks or not all(type(member) is int for member in ranks):
        raise TypeError(f"For 'create_group', the 'rank_ids' must be a list of ints, but got {shown(ranks)}.")
    if len(set(ranks)) != len(ranks):
        raise ValueError(f"For 'create_group', the 'rank_ids' must not repeat, but got {ranks}.")
    if not all(0 <= member < size() for member in ranks) or rank() not in ranks:
        raise ValueError(
            f"For 'create_group', the 'rank_ids' must be between 0 and {size() - 1} and hold this process, {rank()}, but got "
            f"{ranks}."
        )
    _groups[group] = tuple(ranks)


def drop_group(group: str) -> None:
    """Delete a process group."""
    if group in WORLD_GROUPS:
        raise ValueError(f"For 'destroy_group', the group of all processes, {group!r}, stays.")
    ranks_of("destroy_group", group)
    del _groups[group]
