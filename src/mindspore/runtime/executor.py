"""Threads and cores of the host, and whether it waits for the device."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Sequence
from typing import Any

from mindspore._engine.runtime.context import get_context, set_context
from mindspore._utils import log
from mindspore._utils.checks import check_bool, check_positive_int, check_str, check_type

__all__ = [
    "dispatch_threads_num",
    "launch_blocking",
    "set_cpu_affinity",
    "set_kernel_launch_capture",
    "set_kernel_launch_group",
]

_MODULES = ("main", "runtime", "pynative", "minddata")
_BY_XLA = "is accepted and changes nothing: XLA starts kernels by itself."


def launch_blocking() -> None:
    """Wait for every operator before the next line, so that an error names the line that caused it.

    Examples:
        >>> import mindspore as ms
        >>> ms.runtime.launch_blocking()
        >>> ms.get_context("pynative_synchronize")
        True
        >>> ms.set_context(pynative_synchronize=False)
    """
    set_context(pynative_synchronize=True)


def dispatch_threads_num(threads_num: int) -> None:
    """How many threads hand out work; XLA decides it by itself, the number is kept in the context.

    Examples:
        >>> from mindspore import runtime
        >>> runtime.dispatch_threads_num(2)
    """
    set_context(runtime_num_threads=check_positive_int("dispatch_threads_num", "threads_num", threads_num))


def set_kernel_launch_group(thread_num: int = 2, kernel_group_num: int = 8) -> None:
    """How operators are handed out in groups; XLA hands out whole graphs.

    Examples:
        >>> from mindspore import runtime
        >>> runtime.set_kernel_launch_group(thread_num=2, kernel_group_num=8)
    """
    check_positive_int("set_kernel_launch_group", "thread_num", thread_num)
    check_positive_int("set_kernel_launch_group", "kernel_group_num", kernel_group_num)
    log.once("set_kernel_launch_group", f"The 'set_kernel_launch_group' {_BY_XLA}", log.INFO)


def set_kernel_launch_capture(enable_capture_graph: bool, op_capture_skip: Sequence[str] | None = None) -> None:
    """Whether the handing out is recorded; compiled graphs are launched as a single program anyway.

    Examples:
        >>> from mindspore import runtime
        >>> runtime.set_kernel_launch_capture(True)
    """
    check_bool("set_kernel_launch_capture", "enable_capture_graph", enable_capture_graph)
    check_type("set_kernel_launch_capture", "op_capture_skip", op_capture_skip, (list, tuple, type(None)))
    for name in op_capture_skip or ():
        check_str("set_kernel_launch_capture", "op_capture_skip", name)
    log.once("set_kernel_launch_capture", f"The 'set_kernel_launch_capture' {_BY_XLA}", log.INFO)


# -- cores -------------------------------------------------------------------------------------------------------------
def _range(owner: str, text: Any) -> set[int]:
    """The cores in a text such as '0-3'."""
    check_str(owner, "affinity_cpu_list", text)
    found = re.fullmatch(r"(\d+)-(\d+)", text)
    if found is None or int(found[1]) > int(found[2]):
        raise ValueError(f"For '{owner}', the 'affinity_cpu_list' must hold ranges like '0-3', but got {text!r}.")
    return set(range(int(found[1]), int(found[2]) + 1))


def _module_cores(owner: str, given: Any) -> set[int]:
    """The cores that the modules of a table are given."""
    cores: set[int] = set()
    for name, listed in check_type(owner, "module_to_cpu_dict", given, dict).items():
        check_str(owner, "module_to_cpu_dict", name)
        if name not in _MODULES:
            raise ValueError(f"For '{owner}', the 'module_to_cpu_dict' takes {list(_MODULES)}, but got {name!r}.")
        for core in check_type(owner, "module_to_cpu_dict", listed, list):
            if isinstance(core, bool) or not isinstance(core, int) or core < 0:
                raise ValueError(
                    f"For '{owner}', the 'module_to_cpu_dict' must hold numbers of cores, but got {core!r}."
                )
        cores |= set(listed)
    return cores


def _from_file(owner: str, path: str) -> set[int]:
    """The cores that a file of bindings gives to the modules of this process's device."""
    with open(check_str(owner, "bind_file", path, allow_empty=False), encoding="utf-8") as file:
        table = json.load(file)["bind_cpu"]
    device = f"device{get_context('device_id')}"
    if device not in table:
        raise ValueError(
            f"For '{owner}', the 'bind_file' {path!r} has no cores for {device!r}, only for {list(table)}."
        )
    return set().union(*(_range(owner, text) for text in table[device].values()))


def _union(ranges: Iterable[set[int]]) -> set[int]:
    return set().union(*ranges)


def set_cpu_affinity(enable_affinity: bool, affinity_cpu_list: list[str] | None = None,
                     module_to_cpu_dict: dict[str, list[int]] | None = None, bind_file: str | None = None) -> None:  # fmt: skip
    """Bind this process, with all threads it starts from now on, to cores of the CPU (on Linux).

    XLA's threads serve all modules, so the process is bound to the cores of all modules together.

    Args:
        enable_affinity: False leaves everything as it is.
        affinity_cpu_list: ranges such as ``["0-3", "8-11"]``; all cores the process may use unless given.
        module_to_cpu_dict: cores by module: 'main', 'runtime', 'pynative' and 'minddata'.
        bind_file: a JSON file with the cores of every device, as msrun takes it; it comes before the others.

    Examples:
        >>> import os
        >>> import mindspore as ms
        >>> before = os.sched_getaffinity(0)
        >>> first = min(before)
        >>> ms.runtime.set_cpu_affinity(True, [f"{first}-{first}"])
        >>> os.sched_getaffinity(0) == {first}
        True
        >>> os.sched_setaffinity(0, before)
    """
    owner = "set_cpu_affinity"
    check_bool(owner, "enable_affinity", enable_affinity)
    check_type(owner, "affinity_cpu_list", affinity_cpu_list, (list, type(None)))
    cores = _union(_range(owner, text) for text in affinity_cpu_list or ())
    if module_to_cpu_dict:
        cores = _module_cores(owner, module_to_cpu_dict)
    if not enable_affinity:
        return
    if not hasattr(os, "sched_setaffinity"):
        log.warning("The 'set_cpu_affinity' changes nothing: this system cannot bind processes to cores.")
        return
    if bind_file is not None:
        cores = _from_file(owner, bind_file)
    available = os.sched_getaffinity(0)
    if not cores <= available:
        raise RuntimeError(
            f"For '{owner}', the cores {sorted(cores - available)} are not available here, only {sorted(available)}."
        )
    os.sched_setaffinity(0, cores or available)
