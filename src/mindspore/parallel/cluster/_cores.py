"""Which cores each process may use."""

from __future__ import annotations

import glob
import os
import re
from itertools import pairwise

Cores = frozenset[int]
Binding = bool | dict[str, list[str]]


def cores_by_worker(bind_core: Binding, bind_numa: Binding, count: int) -> list[Cores | None]:
    """The cores of each of so many processes; None for all."""
    if not bind_core and not bind_numa:
        return [None] * count
    allowed = sorted(os.sched_getaffinity(0))
    if bind_core:
        return _as_bound(bind_core, allowed, count) if isinstance(bind_core, dict) else list(_shares(allowed, count))
    if isinstance(bind_numa, dict):
        return _as_bound(bind_numa, allowed, count)
    nodes = [node & set(allowed) for node in _memory_nodes()]
    nodes = [node for node in nodes if node] or [frozenset(allowed)]
    return [nodes[index * len(nodes) // count] for index in range(count)]


def _shares(cores: list[int], count: int) -> list[Cores]:
    """Equal shares of neighbouring cores; with fewer cores than processes, one core each, by turns."""
    if len(cores) < count:
        return [frozenset([cores[index % len(cores)]]) for index in range(count)]
    ends = [index * len(cores) // count for index in range(count + 1)]
    return [frozenset(cores[start:end]) for start, end in pairwise(ends)]


def _as_bound(bindings: dict[str, list[str]], allowed: list[int], count: int) -> list[Cores | None]:
    found: list[Cores | None] = [None] * count
    for name, ranges in bindings.items():
        number = re.fullmatch(r"device(\d+)", str(name))
        if number is None or int(number[1]) >= count:
            raise ValueError(
                f"cores are given for {name!r}, but the processes here are 'device0' to 'device{count - 1}'."
            )
        cores = frozenset().union(*(parse_cores(text) for text in ([ranges] if isinstance(ranges, str) else ranges)))
        if not cores or not cores <= set(allowed):
            raise ValueError(f"{name} is to use the cores {sorted(cores)}, but this machine offers {allowed}.")
        found[int(number[1])] = cores
    return found


def parse_cores(text: str) -> Cores:
    """Core numbers from text.

    >>> sorted(parse_cores("0-2,7"))
    [0, 1, 2, 7]
    """
    cores: set[int] = set()
    for part in filter(None, str(text).replace(" ", "").split(",")):
        ends = re.fullmatch(r"(\d+)(?:-(\d+))?", part)
        if ends is None:
            raise ValueError(f"cores are written as '0-3' or '0,2', but got {text!r}.")
        cores.update(range(int(ends[1]), int(ends[2] or ends[1]) + 1))
    return frozenset(cores)


def _memory_nodes() -> list[Cores]:
    nodes = []
    for path in sorted(
        glob.glob("/sys/devices/system/node/node[0-9]*/cpulist"), key=lambda p: int(p.split("node")[-1][:-8])
    ):
        with open(path, encoding="ascii") as file:
            nodes.append(parse_cores(file.read().strip()))
    return nodes
