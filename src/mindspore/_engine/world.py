"""The processes that train together: who they are, and the groups they form.

A program without a launcher is a world of one. With one, every process has one device, and XLA's own collectives connect
them (Gloo between CPUs, NCCL between GPUs).
"""

from __future__ import annotations

import atexit
import os
import sys
from typing import Any

import jax

from mindspore._engine import config, meeting
from mindspore._utils.checks import shown

WORLD_GROUPS = ("hccl_world_group", "nccl_world_group", "mccl_world_group")  # all name the same group: every process
_HEARTBEAT = 10  # seconds after which a silent process counts as dead

_ALONE = meeting.Place(0, 1, 0, 1)
_here = _ALONE
_joined = False
_groups: dict[str, tuple[int, ...]] = {}


def connect() -> None:
    """Let XLA meet the other processes. Must come before XLA starts, whoever starts it; does nothing without a launcher."""
    if config.role.value == "MS_SCHED":
        print("MS_ROLE=MS_SCHED: the processes meet at process 0, no scheduler is needed. This one ends.", flush=True)
        raise SystemExit(0)
    place = meeting.place()
    if place.size == 1 or jax.distributed.is_initialized():
        return
    jax.config.update("jax_enable_preemption_service", False)  # it would swallow SIGTERM
    where = meeting.address(place)
    if place.rank == 0:
        meeting.check_free(where)
    on_gpu: dict[str, Any] = {"local_device_ids": [place.local_rank]} if config.visible_gpus.value != "" else {}
    try:
        jax.distributed.initialize(
            where,
            place.size,
            place.rank,
            initialization_timeout=config.meeting_timeout.value,
            heartbeat_timeout_seconds=_HEARTBEAT,
            **on_gpu,
        )
    except RuntimeError as error:
        raise RuntimeError(_too_late(place) if "before any JAX" in str(error) else _no_meeting(place, error)) from None
    meeting.forget_meeting(place)
    atexit.register(_disconnect)


def _too_late(place: meeting.Place) -> str:
    return (
        f"For 'init', process {place.rank} of {place.size} has computed something before. Call init() first of all, right "
        "after set_context."
    )


def _no_meeting(place: meeting.Place, error: Exception) -> str:
    return f"For 'init', process {place.rank} of {place.size} could not meet the others: {error}"


def _disconnect() -> None:
    if getattr(sys, "last_value", None) is not None:  # this process failed: the others must not be waited for
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(1)
    if jax.distributed.is_initialized():
        jax.distributed.shutdown()


def join() -> None:
    """Become part of the job that a launcher started."""
    global _joined, _here
    connect()
    _here = meeting.place()
    _joined = True


def leave() -> None:
    """Leave the job, and forget all groups. The connection stays until the program ends: the others may need it."""
    global _joined, _here
    _joined, _here = False, _ALONE
    _groups.clear()


def is_joined() -> bool:
    """Whether ``join`` was called."""
    return _joined


def here() -> meeting.Place:
    """The place of this process."""
    return _here


def rank() -> int:
    """The number of this process."""
    return _here.rank


def size() -> int:
    """How many processes there are."""
    return _here.size


def devices_of(ranks: tuple[int, ...]) -> list[Any]:
    """One device of each of these processes."""
    first: dict[int, Any] = {}
    for device in jax.devices():
        first.setdefault(device.process_index, device)
    return [first[one] for one in ranks]


def ranks_of(owner: str, group: str) -> tuple[int, ...]:
    """The processes of a group, by their number in the world."""
    if not isinstance(group, str):
        raise TypeError(f"For '{owner}', the 'group' must be a string, but got {shown(group)}.")
    if group in WORLD_GROUPS:
        return tuple(range(size()))
    if group not in _groups:
        raise ValueError(
            f"For '{owner}', there is no group named {group!r}, only {[*WORLD_GROUPS, *_groups]}. Make it with create_group."
        )
    return _groups[group]


def add_group(group: str, ranks: list[int]) -> None:
    """Name a group of processes; this one must be among them."""
    if group in WORLD_GROUPS:
        raise ValueError(f"For 'create_group', {group!r} is the group of all processes, which exists already.")
    if not isinstance(ranks, list) or not ranks or not all(type(one) is int for one in ranks):
        raise TypeError(f"For 'create_group', the 'rank_ids' must be a list of ints, but got {shown(ranks)}.")
    if len(set(ranks)) != len(ranks):
        raise ValueError(f"For 'create_group', the 'rank_ids' must not repeat, but got {ranks}.")
    if not all(0 <= one < size() for one in ranks) or rank() not in ranks:
        raise ValueError(
            f"For 'create_group', the 'rank_ids' must be between 0 and {size() - 1} and hold this process, {rank()}, but got "
            f"{ranks}."
        )
    _groups[group] = tuple(ranks)


def drop_group(group: str) -> None:
    """Forget a group."""
    if group in WORLD_GROUPS:
        raise ValueError(f"For 'destroy_group', the group of all processes, {group!r}, stays.")
    ranks_of("destroy_group", group)
    del _groups[group]
