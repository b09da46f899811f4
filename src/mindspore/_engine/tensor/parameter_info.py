"""``ParamInfo``: what is known of a Parameter beside its value, as an object of its own."""

from __future__ import annotations

import weakref
from typing import Any

_FROM_PARAMETER = (
    "name",
    "requires_grad",
    "layerwise_parallel",
    "parallel_optimizer",
    "comm_fusion",
    "key",
    "storage_format",
)
_DEFAULTS: dict[str, Any] = {
    "name": "Parameter", "requires_grad": True, "layerwise_parallel": False, "parallel_optimizer": True, "comm_fusion": 1,
    "key": -1, "storage_format": "", "cache_enable": False, "interleaved_parallel": False, "is_in_pynative_shard": False,
    "is_param_init": False, "is_pipeline_shared_param": False, "is_quant_int4": False,
    "parallel_optimizer_comm_recompute": False, "requires_aggr": True, "use_persistent_storage": False,
}  # fmt: skip
_LISTS = ("alias_name", "cache_shape", "device_matrix", "origin_shape", "param_strategy", "quant_shape", "tensor_map")


class ParamInfo:
    """Name, flags and marks of a Parameter. That of a Parameter is a view: what is set here is set there.

    Examples:
        >>> from mindspore import Parameter, Tensor
        >>> weight = Parameter(Tensor([1.0]), name="weight")
        >>> weight.param_info.requires_grad = False
        >>> weight
        Parameter (name=weight, shape=(1,), dtype=Float32, requires_grad=False)
    """

    def __init__(self, obj: Any = None):
        members = dict(_DEFAULTS) | {name: [] for name in _LISTS}
        if obj is not None:
            members = {name: value for name, value in members.items() if name not in _FROM_PARAMETER}
            members["_parameter"] = weakref.ref(obj)
        self.__dict__.update(members)

    def _owner(self) -> Any:
        reference = self.__dict__.get("_parameter")
        return None if reference is None else reference()

    def __getattr__(self, name: str) -> Any:
        parameter = self._owner()
        if name == "obj" and parameter is not None:
            return parameter
        if name == "parameter_shape":
            return [] if parameter is None else list(parameter.shape)
        if parameter is not None and name in _FROM_PARAMETER:
            return getattr(parameter, name)
        raise AttributeError(f"'ParamInfo' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        parameter = self._owner()
        if parameter is not None and name in _FROM_PARAMETER:
            setattr(parameter, name, value)
        else:
            self.__dict__[name] = value

    def clone(self) -> ParamInfo:
        """A copy that belongs to no Parameter."""
        copied = ParamInfo()
        for name in (*_DEFAULTS, *_LISTS):
            setattr(copied, name, getattr(self, name))
        return copied
