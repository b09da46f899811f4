"""``mindspore._c_expression``: in MindSpore its compiled part; here the names of it that programs import.

Names that stand elsewhere too are looked up there when they are asked for (``_elsewhere``).
"""

from typing import TYPE_CHECKING

from mindspore._c_expression import amp, security, typing
from mindspore._c_expression._cell import Cell_, MixedPrecisionType
from mindspore._c_expression._context import MSContext, ms_ctx_param
from mindspore._c_expression._elsewhere import find as _find
from mindspore._c_expression._process import (
    _framework_profiler_step_end,
    _framework_profiler_step_start,
    _ms_memory_recycle,
    _random_normal,
    _random_uniform,
    _truncated_normal,
    check_is_arf,
    disable_multi_thread,
    get_clock_time,
    get_reboot_type,
    is_reboot_node,
    jit_mode_pi_disable,
    jit_mode_pi_enable,
    random_normal,
    reset_op_id,
    reset_op_id_with_offset,
    set_is_arf,
    set_is_reboot_node,
    set_reboot_type,
    swap_cache,
    update_pijit_default_config,
)
from mindspore._c_expression._queues import init_exec_dataset
from mindspore._engine.tensor.parameter_info import ParamInfo
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tensor.tensor import Tensor as TensorPy

__all__ = [
    "Cell_",
    "MSContext",
    "MixedPrecisionType",
    "ParamInfo",
    "Tensor",
    "TensorPy",
    "_framework_profiler_step_end",
    "_framework_profiler_step_start",
    "_ms_memory_recycle",
    "_random_normal",
    "_random_uniform",
    "_truncated_normal",
    "amp",
    "check_is_arf",
    "disable_multi_thread",
    "get_clock_time",
    "get_reboot_type",
    "init_exec_dataset",
    "is_reboot_node",
    "jit_mode_pi_disable",
    "jit_mode_pi_enable",
    "ms_ctx_param",
    "random_normal",
    "reset_op_id",
    "reset_op_id_with_offset",
    "security",
    "set_is_arf",
    "set_is_reboot_node",
    "set_reboot_type",
    "swap_cache",
    "typing",
    "update_pijit_default_config",
]

if not TYPE_CHECKING:  # to a type checker an unknown name stays an error

    def __getattr__(name: str) -> object:
        return _find(name)
