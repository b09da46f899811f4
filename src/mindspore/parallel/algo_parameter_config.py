"""Settings of the search that AUTO_PARALLEL makes. They are checked and kept; XLA's partitioner searches by itself."""

from __future__ import annotations

from typing import Any

from mindspore._engine.config.settings import Key, Settings, between
from mindspore._utils.checks import check_float_range

__all__ = ["get_algo_parameters", "reset_algo_parameters", "set_algo_parameters"]

_NOTE = "XLA's partitioner chooses strategies by itself"


def _epsilon(owner: str, name: str, value: Any) -> Any:
    return value if value is None else check_float_range(owner, name, value, 0.0, 1.0, include_low=False)


_parameters = Settings(
    "set_algo_parameters",
    (
        Key("fully_use_devices", bool, False, note=_NOTE),
        Key("elementwise_op_strategy_follow", bool, False, note=_NOTE),
        Key("enable_algo_approxi", bool, False, note=_NOTE),
        Key("algo_approxi_epsilon", float, 0.1, _epsilon, note=_NOTE),
        Key("tensor_slice_align_enable", bool, False, note=_NOTE),
        Key("tensor_slice_align_size", int, 16, between(1, 1024), note=_NOTE),
    ),
    unknown="Set context keyword {name} is not recognized!",
)


def set_algo_parameters(**kwargs: Any) -> None:
    """Set parameters of the search for a strategy.

    Examples:
        >>> from mindspore.parallel import get_algo_parameters, reset_algo_parameters, set_algo_parameters
        >>> set_algo_parameters(tensor_slice_align_enable=True, tensor_slice_align_size=128)
        >>> get_algo_parameters("tensor_slice_align_size")
        128
        >>> reset_algo_parameters()
    """
    _parameters.update(kwargs)


def get_algo_parameters(attr_key: str) -> Any:
    """A parameter of the strategy search.

    Examples:
        >>> from mindspore.parallel import get_algo_parameters
        >>> get_algo_parameters("fully_use_devices")
        False
    """
    return _parameters.get(_parameters.resolve(attr_key, "Get context keyword {name} is not recognized!").name)


def reset_algo_parameters() -> None:
    """Put all parameters of the search back to their defaults.

    Examples:
        >>> from mindspore.parallel import get_algo_parameters, reset_algo_parameters, set_algo_parameters
        >>> set_algo_parameters(fully_use_devices=True)
        >>> reset_algo_parameters()
        >>> get_algo_parameters("fully_use_devices")
        False
    """
    _parameters.reset()
