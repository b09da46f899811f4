"""Python objects between processes: pickled, and sent as bytes."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np

from mindspore._engine.base.dtype import int64, uint8
from mindspore._engine.tensor.tensor import Tensor
from mindspore.communication import comm_func, management
from mindspore.communication.management import GlobalComm


def _group(group: str | None) -> str:
    return group or GlobalComm.WORLD_COMM_GROUP


def _gathered(obj: Any, group: str | None) -> list[Any]:
    """The objects of all processes."""
    data = np.frombuffer(pickle.dumps(obj), np.uint8)
    sizes = comm_func.all_gather_into_tensor(Tensor([data.size], int64), _group(group))[0].asnumpy()
    wide = np.zeros(int(sizes.max()), np.uint8)
    wide[: data.size] = data
    every = comm_func.all_gather_into_tensor(Tensor(wide[None]), _group(group))[0].asnumpy()
    return [pickle.loads(row[:size].tobytes()) for row, size in zip(every, sizes, strict=True)]


def all_gather_object(object_list: list[Any], obj: Any, group: str | None = None) -> None:
    """The objects of all processes, stored in a list.

    >>> found = [None]
    >>> all_gather_object(found, {"loss": 1})
    >>> found
    [{'loss': 1}]
    """
    object_list[:] = _gathered(obj, group)


def gather_object(
    obj: Any, object_gather_list: list[Any] | None = None, dst: int = 0, group: str | None = None
) -> None:
    """The objects of all processes, stored in a list of process ``dst``.

    >>> found = [None]
    >>> gather_object(3, found)
    >>> found
    [3]
    """
    every = _gathered(obj, group)
    if management.get_rank() == dst and object_gather_list is not None:
        object_gather_list[:] = every


def broadcast_object_list(object_list: list[Any], src: int = 0, group: str | None = None, device: Any = None) -> None:
    """The objects of process ``src``, stored in the lists of all.

    >>> found = [3]
    >>> broadcast_object_list(found)
    >>> found
    [3]
    """
    source = management.get_group_rank_from_world_rank(src, _group(group))
    object_list[:] = _gathered(list(object_list), group)[source]


def scatter_object_list(scatter_object_output_list: list[Any], scatter_object_input_list: list[Any] | None, src: int = 0,
                        group: str | None = None) -> None:  # fmt: skip
    """The object that process ``src`` has for this process, stored at the start of a list.

    >>> found = [None]
    >>> scatter_object_list(found, [7])
    >>> found
    [7]
    """
    source = management.get_group_rank_from_world_rank(src, _group(group))
    every = _gathered(scatter_object_input_list, group)[source]
    scatter_object_output_list[:1] = [every[management.get_rank(_group(group))]]


def send_object_list(object_list: list[Any], dst: int, group: str | None = None, device: Any = None) -> None:
    """Send objects to process ``dst``, which calls :func:`recv_object_list`.

    Examples:
        >>> from mindspore.mint import distributed
        >>> if distributed.get_rank() == 1:  # the second of two processes; the first calls recv_object_list
        ...     distributed.send_object_list(["a", {"b": 1}], dst=0)
    """
    data = np.frombuffer(pickle.dumps(list(object_list)), np.uint8)
    comm_func.send(Tensor([data.size], int64), dst, _group(group))
    comm_func.send(Tensor(data), dst, _group(group))


def recv_object_list(object_list: list[Any], src: int = 0, group: str | None = None, device: Any = None) -> int:
    """The objects that process ``src`` sends, stored in a list.

    Examples:
        >>> from mindspore.mint import distributed
        >>> found = [None, None]
        >>> if distributed.get_rank() == 1:  # the second of two processes; the first calls send_object_list
        ...     _ = distributed.recv_object_list(found, src=0)
    """
    size = int(comm_func.recv(Tensor([0], int64), src, _group(group)))
    received = comm_func.recv(Tensor(shape=(size,), dtype=uint8, init="zeros"), src, _group(group))
    object_list[:] = pickle.loads(received.asnumpy().tobytes())
    return src
