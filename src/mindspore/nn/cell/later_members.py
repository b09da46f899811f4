"""Methods of Cell that came after 1.0: older programs give their Cells and Parameters these names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

LATER = (
    "apply", "buffers", "get_buffer", "get_extra_state", "get_inputs", "get_sub_cell", "load_state_dict", "named_buffers",
    "offload", "recompute", "register_backward_pre_hook", "register_buffer", "register_load_state_dict_post_hook",
    "register_load_state_dict_pre_hook", "register_saved_tensors_hooks", "register_state_dict_post_hook",
    "register_state_dict_pre_hook", "set_boost", "set_comm_fusion", "set_data_parallel", "set_extra_state", "set_inputs",
    "set_jit_config", "shard", "state_dict", "to", "to_empty",
)  # fmt: skip


class Yielding:
    """A method that gives way to a Cell, Parameter or buffer that a program assigned under its name."""

    def __init__(self, function: Callable[..., Any]):
        self.function = function
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.__wrapped__ = function

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        if owner is None:
            return self.function
        members = owner.__dict__
        name = self.__name__
        if any(name in members.get(group, ()) for group in ("_cells", "_params", "_buffers")):
            return owner.__getattr__(name)
        return self.function.__get__(owner, kind)


def yields(kind: type, name: str) -> bool:
    """Whether the class has a method of this name that gives way."""
    return isinstance(next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None), Yielding)


def let_yield(kind: type) -> None:
    """Have the later methods of Cell give way."""
    for name in LATER:
        setattr(kind, name, Yielding(getattr(kind, name)))
