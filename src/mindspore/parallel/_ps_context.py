"""``mindspore.parallel._ps_context``: parameter servers, which there are none of."""

from __future__ import annotations

from typing import Any

from mindspore._engine.runtime.parallel_context import get_ps_context, reset_ps_context, set_ps_context

__all__ = [
    "_get_ps_context", "_is_role_pserver", "_is_role_sched", "_is_role_worker", "_need_reset_device_target_for_ps", "_reset_ps_context",
    "_set_ps_context",
]  # fmt: skip

_get_ps_context, _set_ps_context, _reset_ps_context = get_ps_context, set_ps_context, reset_ps_context


def _is_role_sched() -> bool:
    """Whether this process schedules others: none does, they meet at the first one."""
    return False


def _is_role_pserver() -> bool:
    """Whether this process keeps Parameters for others (MindSpore up to 2.2 asked): none does."""
    return False


def _is_role_worker() -> bool:
    """Whether this process computes."""
    return True


def _is_ps_mode() -> bool:
    return bool(get_ps_context("enable_ps"))


def _need_reset_device_target_for_ps(target: Any) -> bool:
    """Whether a process of this role has to run on a CPU."""
    return False
