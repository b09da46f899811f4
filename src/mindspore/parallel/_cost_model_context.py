"""What AUTO_PARALLEL's search takes computing and communicating to cost. Checked and kept: XLA has a model of its own."""

from __future__ import annotations

from typing import Any

from mindspore._engine.config.settings import Key, Settings, between
from mindspore._utils.checks import check_bool, check_float_range

__all__ = ["get_cost_model_context", "reset_cost_model_context", "set_cost_model_context"]

_NOTE = "XLA's partitioner has a cost model of its own"
_FUSION = "costmodel_allreduce_fusion_"


def _positive(owner: str, name: str, value: Any) -> Any:
    if value is not None and value <= 0:
        raise ValueError(f"For '{owner}', the '{name}' must be positive, but got {value}.")
    return value


def _number(name: str, default: float) -> Key:
    return Key(name, float, default, _positive, note=_NOTE)


def _defaults() -> tuple[Key, ...]:
    return (
        _number("device_memory_capacity", 16.0 * 2**30),
        _number("costmodel_alpha", 1.0),
        _number("costmodel_beta", 400.0),
        _number("costmodel_gamma", 0.001),
        _number("costmodel_communi_threshold", 2048.0),
        _number("costmodel_communi_const", 3072.0),
        _number("costmodel_communi_bias", 1024.0),
        Key("run_phase", int, 0, between(0, 1), note=_NOTE),
        Key(f"{_FUSION}algorithm", int, 0, between(0, 2), note=_NOTE),
        Key(f"{_FUSION}times", int, 0, between(0, 2**31 - 1), note=_NOTE),
        _number(f"{_FUSION}tail_percent", 0.1),
        _number(f"{_FUSION}tail_time", 0.1),
        _number(f"{_FUSION}allreduce_inherent_time", 0.1),
        _number(f"{_FUSION}allreduce_bandwidth", 0.1),
        _number(f"{_FUSION}computation_time_parameter", 0.1),
    )


_costs = Settings("set_cost_model_context", _defaults(), unknown="Set context keyword {name} is not recognized!")
_search: dict[str, Any] = {}
_SEARCH_DEFAULTS = {"multi_subgraphs": False, "single_loop": False, "rp_matmul_mem_coef": 0.1}


def set_cost_model_context(**kwargs: Any) -> None:
    """Set costs.

    Examples:
        >>> from mindspore.parallel._cost_model_context import get_cost_model_context, set_cost_model_context
        >>> set_cost_model_context(costmodel_gamma=0.5)
        >>> get_cost_model_context("costmodel_gamma")
        0.5
    """
    _costs.update(kwargs)


def get_cost_model_context(attr_key: str) -> Any:
    """A cost."""
    return _costs.get(_costs.resolve(attr_key, "Get context keyword {name} is not recognized!").name)


def reset_cost_model_context() -> None:
    """Put all costs back to their defaults."""
    _costs.reset()
    _search.clear()


def _set_multi_subgraphs(multi_subgraph: bool = True) -> None:
    _search["multi_subgraphs"] = check_bool("_set_multi_subgraphs", "multi_subgraph", multi_subgraph)


def _get_multi_subgraphs() -> bool:
    return _searched("multi_subgraphs")


def _set_algo_single_loop(single_loop: bool = True) -> None:
    _search["single_loop"] = check_bool("_set_algo_single_loop", "single_loop", single_loop)


def _get_algo_single_loop() -> bool:
    return _searched("single_loop")


def _set_rp_matmul_mem_coef(coef: float) -> None:
    _search["rp_matmul_mem_coef"] = check_float_range("_set_rp_matmul_mem_coef", "coef", coef, 0.0, float("inf"))


def _get_rp_matmul_mem_coef() -> float:
    return _searched("rp_matmul_mem_coef")


def _searched(name: str) -> Any:
    return _search.get(name, _SEARCH_DEFAULTS[name])
