"""Queues between datasets and networks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore._engine.base.dtype import DType
from mindspore._utils.checks import check_int, check_str

__all__ = ["init_exec_dataset"]


def init_exec_dataset(
    queue_name: str, size: int, batch_size: int, types: Sequence[DType], shapes: Sequence[Sequence[int]],
    input_indexs: Any = (), phase: str = "dataset", need_run: bool = True,
) -> bool:  # fmt: skip
    """Announce the queue a network will fetch its data from; True when it may.

    Queues need no preparation here: one exists as soon as ``dataset.device_que(queue_name=...).send()`` fills it. What can
    be wrong with the description is still said now rather than when the network asks for its first row.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore._c_expression import init_exec_dataset
        >>> init_exec_dataset("train", 10, 32, [ms.float32], [[32, 4]], [])
        True
    """
    check_str("init_exec_dataset", "queue_name", queue_name, allow_empty=False)
    check_int("init_exec_dataset", "size", size)
    check_int("init_exec_dataset", "batch_size", batch_size)
    if len(types) != len(shapes):
        raise ValueError(
            f"For 'init_exec_dataset', the 'types' and 'shapes' must have one entry per column each, but got {len(types)} "
            f"types and {len(shapes)} shapes."
        )
    return True
