"""``mindspore.communication._comm_helper``: back ends and groups of processes, as libraries ask for them."""

from __future__ import annotations

from typing import Any

from mindspore._engine.cluster import process_group
from mindspore.communication import management
from mindspore.communication.management import (
    HCCL_WORLD_COMM_GROUP,
    MCCL_WORLD_COMM_GROUP,
    NCCL_WORLD_COMM_GROUP,
    GlobalComm,
)

__all__ = [
    "DEFAULT_BACKEND", "DEVICE_TO_BACKEND", "HCCL_WORLD_COMM_GROUP", "MCCL_WORLD_COMM_GROUP", "NCCL_WORLD_COMM_GROUP", "Backend",
    "GlobalComm", "_get_backend", "_get_group_map", "_is_available", "_is_hccl_available", "_is_initialized", "_is_nccl_available",
    "_remove_group_info",
]  # fmt: skip

DEVICE_TO_BACKEND = {"Ascend": "hccl", "GPU": "nccl", "CPU": "mccl"}


class Backend(str):
    """The name of a library of collectives; all mean what the devices at hand use.

    Examples:
        >>> from mindspore.communication._comm_helper import Backend
        >>> Backend("HCCL") == Backend.HCCL == "hccl"
        True
    """

    UNDEFINED, HCCL, NCCL, MCCL = "undefined", "hccl", "nccl", "mccl"

    def __new__(cls, name: str) -> Any:
        if not isinstance(name, str):
            raise TypeError(f"For 'Backend', the 'name' must be a string, but got {type(name).__name__}.")
        found = getattr(cls, name.upper(), cls.UNDEFINED)
        if found == cls.UNDEFINED:
            raise ValueError(f"For 'Backend', the 'name' must be one of ['hccl', 'nccl', 'mccl'], but got {name!r}.")
        return found


DEFAULT_BACKEND = Backend("hccl")


def _is_initialized() -> bool:
    """Whether the job was joined."""
    return GlobalComm.INITED


def _get_backend() -> str:
    """The back end that was asked for."""
    return GlobalComm.BACKEND


def _is_available() -> bool:
    """Whether processes can talk to each other; they always can."""
    return True


_is_hccl_available = _is_nccl_available = _is_available


def _get_group_map() -> dict[str, tuple[int, ...]]:
    """The ranks of each group that was made."""
    return process_group.groups()


def _get_group_ranks(group: str) -> list[int]:
    """The ranks in a group."""
    return management.get_process_group_ranks(group)


def _is_mpi_available() -> bool:
    """Whether MPI carries the data: it may start processes, but they talk to each other without it."""
    return False


def _remove_group_info(group_name: str) -> None:
    """Forget a group, if there is one of this name."""
    if group_name in process_group.groups():
        process_group.drop_group(group_name)
