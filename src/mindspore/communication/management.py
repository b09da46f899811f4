"""Joining a job, and who is who in it."""

from __future__ import annotations

from typing import Any

from mindspore._engine.cluster import process_group
from mindspore._utils.checks import check_int

__all__ = [
    "HCCL_WORLD_COMM_GROUP",
    "MCCL_WORLD_COMM_GROUP",
    "NCCL_WORLD_COMM_GROUP",
    "GlobalComm",
    "create_group",
    "destroy_group",
    "get_comm_name",
    "get_group_rank_from_world_rank",
    "get_group_size",
    "get_local_rank",
    "get_local_rank_size",
    "get_process_group_ranks",
    "get_rank",
    "get_world_rank_from_group_rank",
    "init",
    "release",
]

HCCL_WORLD_COMM_GROUP, NCCL_WORLD_COMM_GROUP, MCCL_WORLD_COMM_GROUP = process_group.WORLD_GROUPS
_BACKENDS = ("hccl", "nccl", "mccl")


class GlobalComm:
    """What the job is, for programs that look.

    Examples:
        >>> from mindspore.communication import GlobalComm
        >>> GlobalComm.WORLD_COMM_GROUP
        'hccl_world_group'
    """

    BACKEND: str = "hccl"
    WORLD_COMM_GROUP: str = HCCL_WORLD_COMM_GROUP
    INITED: bool = False
    CHECK_ENVS: bool = True  # whether what the launcher exported is checked


def init(backend_name: str | None = None) -> None:
    """Join the job that the launcher started. Without a launcher the job is this process alone.

    Args:
        backend_name: 'hccl', 'nccl' or 'mccl'. All mean what the devices at hand use.

    Examples:
        >>> from mindspore.communication import get_group_size, get_rank, init
        >>> init()
        >>> get_rank(), get_group_size()
        (0, 1)
    """
    if backend_name is not None and not isinstance(backend_name, str):
        raise TypeError(
            f"For 'init', the argument 'backend_name' must be a string, but got the type : {type(backend_name)}."
        )
    if backend_name not in (None, *_BACKENDS):
        raise RuntimeError(
            f"For 'init', the argument 'backend_name' must be one of 'hccl', 'nccl' and 'mccl', but got {backend_name}."
        )
    process_group.join()
    GlobalComm.BACKEND = backend_name or "hccl"
    GlobalComm.WORLD_COMM_GROUP = f"{GlobalComm.BACKEND}_world_group"
    GlobalComm.INITED = True


def release() -> None:
    """Leave the job.

    Examples:
        >>> from mindspore.communication import init, release
        >>> init()
        >>> release()
    """
    process_group.leave()
    GlobalComm.INITED = False


def get_rank(group: str = HCCL_WORLD_COMM_GROUP) -> int:
    """The number of this process within a group.

    Examples:
        >>> from mindspore.communication import get_rank, init
        >>> init()
        >>> print(get_rank())
        0
    """
    return process_group.ranks_of("get_rank", group).index(process_group.rank())


def get_group_size(group: str = HCCL_WORLD_COMM_GROUP) -> int:
    """How many processes a group has.

    Examples:
        >>> from mindspore.communication import get_group_size, init
        >>> init()
        >>> print(get_group_size())
        1
    """
    return len(process_group.ranks_of("get_group_size", group))


def get_local_rank(group: str = HCCL_WORLD_COMM_GROUP) -> int:
    """The number of this process within its machine.

    Examples:
        >>> from mindspore.communication import get_local_rank, init
        >>> init()
        >>> print(get_local_rank())
        0
    """
    process_group.ranks_of("get_local_rank", group)
    return process_group.here().local_rank


def get_local_rank_size(group: str = HCCL_WORLD_COMM_GROUP) -> int:
    """How many processes run on this machine.

    Examples:
        >>> from mindspore.communication import get_local_rank_size, init
        >>> init()
        >>> print(get_local_rank_size())
        1
    """
    process_group.ranks_of("get_local_rank_size", group)
    return process_group.here().local_size


def get_world_rank_from_group_rank(group: str, group_rank_id: int) -> int:
    """The number in the world of a process, from its number in a group.

    Examples:
        >>> from mindspore.communication import create_group, get_world_rank_from_group_rank, init
        >>> init()
        >>> create_group("alone", [0])
        >>> print(get_world_rank_from_group_rank("alone", 0))
        0
    """
    ranks = process_group.ranks_of("get_world_rank_from_group_rank", group)
    return ranks[check_int("get_world_rank_from_group_rank", "group_rank_id", group_rank_id, 0, len(ranks) - 1)]


def get_group_rank_from_world_rank(world_rank_id: int, group: str) -> int:
    """The number in a group of a process, from its number in the world.

    Examples:
        >>> from mindspore.communication import create_group, get_group_rank_from_world_rank, init
        >>> init()
        >>> create_group("zero", [0])
        >>> print(get_group_rank_from_world_rank(0, "zero"))
        0
    """
    ranks = process_group.ranks_of("get_group_rank_from_world_rank", group)
    if world_rank_id not in ranks:
        raise ValueError(
            f"For 'get_group_rank_from_world_rank', the process {world_rank_id} is not in group {group!r}, which has {ranks}."
        )
    return ranks.index(world_rank_id)


def create_group(group: str, rank_ids: list[int], options: Any = None) -> None:
    """Name a group of processes. All its members call this.

    Examples:
        >>> from mindspore.communication import create_group, get_group_size, init
        >>> init()
        >>> create_group("first", [0])
        >>> print(get_group_size("first"))
        1
    """
    process_group.add_group(group, rank_ids)


def destroy_group(group: str) -> None:
    """Forget a group.

    Examples:
        >>> from mindspore.communication import create_group, destroy_group, init
        >>> init()
        >>> create_group("for a moment", [0])
        >>> destroy_group("for a moment")
    """
    process_group.drop_group(group)


def get_comm_name(group: str = HCCL_WORLD_COMM_GROUP) -> str:
    """The name under which the group communicates.

    Examples:
        >>> from mindspore.communication import get_comm_name, init
        >>> init()
        >>> print(type(get_comm_name()).__name__)
        str
    """
    process_group.ranks_of("get_comm_name", group)
    return group


def get_process_group_ranks(group: str = HCCL_WORLD_COMM_GROUP) -> list[int]:
    """The numbers in the world of a group's processes.

    Examples:
        >>> from mindspore.communication import get_process_group_ranks, init
        >>> init()
        >>> print(get_process_group_ranks())
        [0]
    """
    return list(process_group.ranks_of("get_process_group_ranks", group))
