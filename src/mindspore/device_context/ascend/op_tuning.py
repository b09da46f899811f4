"""How operators are compiled for an Ascend device; XLA decides it by itself, the settings are kept in the context."""

from mindspore._engine.runtime.context import set_context
from mindspore._utils import log
from mindspore._utils.checks import check_bool, check_one_of, check_positive_int

__all__ = ["aclnn_cache", "aoe_job_type", "aoe_tune_mode", "op_compile"]


def op_compile(value: bool) -> None:
    """Whether operators are compiled when they are first used."""
    set_context(ascend_config={"jit_compile": check_bool("op_compile", "value", value)})


def aoe_tune_mode(tune_mode: str) -> None:
    """When kernels are tuned: 'online' or 'offline'."""
    set_context(aoe_tune_mode=check_one_of("aoe_tune_mode", "tune_mode", tune_mode, ("online", "offline")))


def aoe_job_type(config: str) -> None:
    """What is tuned: '1' graphs, '2' operators."""
    set_context(aoe_config={"job_type": check_one_of("aoe_job_type", "config", config, ("1", "2"))})


def aclnn_cache(enable_global_cache: bool = False, cache_queue_length: int = 10000) -> None:
    """How kernels are kept for the next call; kernels are kept here anyway."""
    check_bool("aclnn_cache", "enable_global_cache", enable_global_cache)
    check_positive_int("aclnn_cache", "cache_queue_length", cache_queue_length)
    log.once("aclnn_cache", "The 'aclnn_cache' changes nothing: compiled kernels are always kept.", log.INFO)
