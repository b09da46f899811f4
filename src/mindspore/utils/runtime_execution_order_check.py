"""Checks of the order in which processes call collectives."""

from __future__ import annotations

import json
import os
from typing import Any

from mindspore._utils.checks import check_one_of, check_str

__all__ = ["comm_exec_order_check", "runtime_execution_order_check"]


def comm_exec_order_check(action: str) -> None:
    """Begin or end a check: collectives that do not meet stop the job with the names of the ranks that are missing.

    Args:
        action: 'start' or 'end'.

    Examples:
        >>> from mindspore.utils import comm_exec_order_check
        >>> comm_exec_order_check("start")
        >>> comm_exec_order_check("end")
    """
    check_one_of("comm_exec_order_check", "action", action, ("start", "end"))


def runtime_execution_order_check(folders_: str, all_rank: Any = None) -> dict[str, list[str]]:
    """Compare the orders of collectives that ranks have written, ``<folder>/rank_<number>/execute_order/*.json``.

    Returns:
        The collectives of each rank from the first in which it differs from the first rank; empty if none does.

    Examples:
        >>> import json, os, tempfile
        >>> from mindspore.utils import runtime_execution_order_check
        >>> folder = tempfile.mkdtemp()
        >>> runtime_execution_order_check(folder)
        {}
    """
    check_str("runtime_execution_order_check", "folders_", folders_, allow_empty=False)
    orders: dict[str, list[str]] = {}
    for rank in sorted(os.listdir(folders_)):
        folder = os.path.join(folders_, rank, "execute_order")
        files = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
        for name in (one for one in files if one.endswith(".json")):
            with open(os.path.join(folder, name), encoding="utf-8") as stream:
                orders.setdefault(rank, []).extend(map(str, json.load(stream)))
    first = next(iter(orders.values()), [])
    found = {}
    for rank, order in orders.items():
        start = next(
            (i for i, (one, other) in enumerate(zip(first, order)) if one != other), min(len(first), len(order))
        )
        if order != first:
            found[rank] = order[start:]
    return found
