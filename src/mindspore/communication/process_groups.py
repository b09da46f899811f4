"""The job and its groups by PyTorch's names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore.communication import management
from mindspore.communication.management import GlobalComm

__all__ = [
    "destroy_process_group",
    "get_backend",
    "get_global_rank",
    "get_group_rank",
    "get_process_group_ranks",
    "get_rank",
    "get_world_size",
    "group_name",
    "init_process_group",
    "is_available",
    "is_initialized",
    "new_group",
]

_made_groups: list[str] = []


def group_name(group: str | None) -> str:
    """The name of a group; None is all processes."""
    return group or GlobalComm.WORLD_COMM_GROUP


def init_process_group(backend: str = "hccl", init_method: Any = None, timeout: Any = None, world_size: int = -1,
                       rank: int = -1, store: Any = None, group_name: str = "", pg_options: Any = None,
                       device_id: Any = None) -> None:  # fmt: skip
    """Join the job that the launcher started; the launcher says how many processes there are.

    >>> init_process_group()
    >>> is_initialized()
    True
    """
    if not GlobalComm.INITED:
        management.init(backend)


def destroy_process_group(group: str | None = None) -> None:
    """Leave a group, or the job.

    Examples:
        >>> from mindspore.mint import distributed
        >>> distributed.init_process_group()
        >>> distributed.destroy_process_group()
        >>> distributed.is_initialized()
        False
    """
    if group is None or group == GlobalComm.WORLD_COMM_GROUP:
        management.release()
    else:
        management.destroy_group(group)


def is_available() -> bool:
    """Whether processes can communicate: always.

    Examples:
        >>> from mindspore.mint import distributed
        >>> distributed.is_available()
        True
    """
    return True


def is_initialized() -> bool:
    """Whether this process has joined the job.

    Examples:
        >>> from mindspore.mint import distributed
        >>> distributed.is_initialized()
        False
    """
    return GlobalComm.INITED


def get_rank(group: str | None = None) -> int:
    """The number of this process in a group.

    >>> get_rank()
    0
    """
    return management.get_rank(group_name(group)) if GlobalComm.INITED else 0


def get_world_size(group: str | None = None) -> int:
    """The number of processes in a group.

    >>> get_world_size()
    1
    """
    return management.get_group_size(group_name(group)) if GlobalComm.INITED else 1


def get_backend(group: str | None = None) -> str:
    """The backend that was passed to ``init_process_group``.

    Examples:
        >>> from mindspore.mint import distributed
        >>> distributed.init_process_group()
        >>> distributed.get_backend()
        'hccl'
        >>> distributed.destroy_process_group()
    """
    return GlobalComm.BACKEND


def get_global_rank(group: str | None, group_rank: int) -> int:
    """The number in the job of a process of a group.

    Examples:
        >>> from mindspore.mint import distributed
        >>> distributed.init_process_group()
        >>> distributed.get_global_rank(distributed.new_group([0]), 0)
        0
        >>> distributed.destroy_process_group()
    """
    return management.get_world_rank_from_group_rank(group_name(group), group_rank)


def get_group_rank(group: str | None, global_rank: int) -> int:
    """The number in a group of a process of the job.

    Examples:
        >>> from mindspore.mint import distributed
        >>> distributed.init_process_group()
        >>> distributed.get_group_rank(distributed.new_group([0]), 0)
        0
        >>> distributed.destroy_process_group()
    """
    return management.get_group_rank_from_world_rank(global_rank, group_name(group))


def get_process_group_ranks(group: str | None = None) -> list[int]:
    """The processes of a group.

    Examples:
        >>> from mindspore.mint import distributed
        >>> distributed.init_process_group()
        >>> distributed.get_process_group_ranks()
        [0]
        >>> distributed.destroy_process_group()
    """
    return management.get_process_group_ranks(group_name(group))


def new_group(ranks: Sequence[int] | None = None, timeout: Any = None, backend: str | None = None, pg_options: Any = None,
              use_local_synchronization: bool = False, group_desc: str | None = None) -> str:  # fmt: skip
    """A group of some processes, of all without ``ranks``; returns its name.

    Examples:
        >>> from mindspore.mint import distributed
        >>> distributed.init_process_group()
        >>> group = distributed.new_group([0])
        >>> distributed.get_world_size(group)
        1
        >>> distributed.destroy_process_group()
    """
    chosen = list(range(get_world_size())) if ranks is None else list(ranks)
    name = group_desc or f"mint_group_{len(_made_groups)}_{'_'.join(map(str, chosen))}"
    _made_groups.append(name)
    management.create_group(name, chosen)
    return name
