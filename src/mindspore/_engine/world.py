"""The processes that train together: who they are, and the groups they form.

A program without a launcher is a world of one.
"""

from __future__ import annotations

from mindspore._engine import config
from mindspore._utils.checks import shown

WORLD_GROUPS = ("hccl_world_group", "nccl_world_group", "mccl_world_group")  # all name the same group: every process

_joined = False
_groups: dict[str, list[int]] = {}


def join() -> None:
    """Become part of the job that a launcher started."""
    global _joined
    size = config.rank_size.value
    if size > 1:
        raise RuntimeError(
            f"For 'init', the launcher started {size} processes, but training with several processes is not available yet. "
            "Start the program once, without mpirun or msrun."
        )
    _joined = True


def leave() -> None:
    """Leave the job, and forget all groups."""
    global _joined
    _joined = False
    _groups.clear()


def is_joined() -> bool:
    """Whether ``join`` was called."""
    return _joined


def rank() -> int:
    """The number of this process."""
    return 0


def size() -> int:
    """How many processes there are."""
    return 1


def ranks_of(owner: str, group: str) -> list[int]:
    """The processes of a group, by their number in the world."""
    if not isinstance(group, str):
        raise TypeError(f"For '{owner}', the 'group' must be a string, but got {shown(group)}.")
    if group in WORLD_GROUPS:
        return list(range(size()))
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
    _groups[group] = list(ranks)


def drop_group(group: str) -> None:
    """Forget a group."""
    if group in WORLD_GROUPS:
        raise ValueError(f"For 'destroy_group', the group of all processes, {group!r}, stays.")
    ranks_of("destroy_group", group)
    del _groups[group]
