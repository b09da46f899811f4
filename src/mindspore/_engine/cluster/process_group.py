"""The processes that train together: who they are, and the groups they form.

A program without a launcher is a world of one. With one, every process has one device, and XLA's own collectives connect
them (Gloo between CPUs, NCCL between GPUs).
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

WORLD_GROUPS = ("hccl_world_group", "nccl_world_group", "mccl_world_group")  # all name the same group: every process

_ALONE = rendezvous.Membership(0, 1, 0, 1)
_here = _ALONE
_joined = False
_line: heartbeat.Lifeline | None = None
_groups: dict[str, tuple[int, ...]] = {}


def connect() -> None:
    """Let XLA meet the other processes. Must come before XLA starts, whoever starts it; does nothing without a launcher."""
    global _line
    if config.role.value == "MS_SCHED":
        print("MS_ROLE=MS_SCHED: the processes meet at process 0, no scheduler is needed. This one ends.", flush=True)
        raise SystemExit(0)
    told = rendezvous.told()
    if told.size == 1 or jax.distributed.is_initialized():
        return
    jax.config.update("jax_enable_preemption_service", False)  # it would swallow SIGTERM
    _line = heartbeat.meet(told)
    place = _line.place
    if told.rank < 0:
        config.rank_id.settle(place.rank)
    _offer_address(_line)
    on_gpu: dict[str, Any] = {"local_device_ids": [place.local_rank]} if config.visible_gpus.value != "" else {}
    try:
        jax.distributed.initialize(
            _line.coordinator,
            place.size,
            place.rank,
            initialization_timeout=config.meeting_timeout.value,
            heartbeat_timeout_seconds=2 * config.silence_timeout.value,  # ours comes first, and says it in words
            **on_gpu,
        )
    except RuntimeError as error:
        raise RuntimeError(
            _too_late(place) if jax_errors.is_started_already(error) else _no_meeting(place, error)
        ) from None
    exit_status.note_exit_status()
    atexit.register(_disconnect, _line)


def _offer_address(line: heartbeat.Lifeline) -> None:
    """Make Gloo tell other machines an address of this one that they can reach.

    By itself it tells what this machine's name means here, which is 127.0.1.1 on many. JAX has no setting for it.
    """
    if line.machines == 1:
        return
    address = line.own_address()
    if address.startswith("127."):
        log.warning(
            "%s",
            f"The job runs on {line.machines} machines, but this one knows itself as {address}, where the others cannot reach "
            "it. Set MS_SCHED_HOST to an address of the first machine that is not 127.x.",
        )
    _jax.make_gloo_tcp_collectives = functools.partial(_jax.make_gloo_tcp_collectives, hostname=address)


def _too_late(place: rendezvous.Membership) -> str:
    return f"For 'init', {rendezvous.name(place)} has computed something before. Call init() first of all, right after set_context."


def _no_meeting(place: rendezvous.Membership, error: Exception) -> str:
    return f"For 'init', {rendezvous.name(place)} could not meet the others: {error}"


def _disconnect(line: heartbeat.Lifeline) -> None:
    """At the end of the program: wait for the others, unless this process fails or one of them was lost."""
    if not line.is_own():  # a child of this process ends
        return
    failure = exit_status.failure()
    if failure is not None:
        reason, status, error = failure
        is_hearsay = line.was_raised or jax_errors.is_of_collectives(error)
        words = line.who_is_lost() if is_hearsay else line.in_words()
        line.fail(reason, is_hearsay or bool(words))
        exit_status.at_once(words, status)
    if line.part():
        jax.distributed.shutdown()
    else:
        exit_status.at_once(line.in_words(), 1)


def begins(ranks: Sequence[int]) -> None:
    """Note that a computation with other processes, all if none are named, begins; it may never end when one is lost."""
    if _line is not None:
        exit_status.goes_on()
        _line.note(object(), ranks)


def began(result: Any, ranks: Sequence[int]) -> None:
    """Note what the computation that was begun will give, unless it has ended already."""
    if _line is not None:
        _line.note(result, ranks)


def who_is_lost() -> str:
    """Which process is lost, in words; empty when none is known to be."""
    return "" if _line is None else _line.who_is_lost()


def join() -> None:
    """Become part of the job that a launcher started."""
    global _joined, _here
    connect()
    _here = rendezvous.told() if _line is None else _line.place
    _joined = True


def leave() -> None:
    """Leave the job, and forget all groups. The connection stays until the program ends: the others may need it."""
    global _joined, _here
    _joined, _here = False, _ALONE
    _groups.clear()


def is_joined() -> bool:
    """Whether ``join`` was called."""
    return _joined


def here() -> rendezvous.Membership:
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
