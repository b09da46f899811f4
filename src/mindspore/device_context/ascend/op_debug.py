"""What helps to find errors on an Ascend device; the settings are kept in the context."""

from typing import Any

from mindspore._engine.runtime.context import set_context
from mindspore._utils import log
from mindspore._utils.checks import check_non_negative_int, check_one_of, check_type

__all__ = ["aclinit_config", "debug_option", "execute_timeout"]


def execute_timeout(op_timeout: int) -> None:
    """The seconds an operator may take; there is no such limit here."""
    set_context(op_timeout=check_non_negative_int("execute_timeout", "op_timeout", op_timeout))


def debug_option(option_value: str) -> None:
    """What is looked for: 'oom', accesses outside an array's memory. XLA's kernels make none."""
    set_context(ascend_config={"op_debug_option": check_one_of("debug_option", "option_value", option_value, ("oom",))})


def aclinit_config(config: dict[Any, Any]) -> None:
    """Settings of Ascend's own library, which is not used here."""
    check_type("aclinit_config", "config", config, dict)
    log.once("aclinit_config", "The 'aclinit_config' changes nothing: AscendCL is not used here.", log.INFO)
