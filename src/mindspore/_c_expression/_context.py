"""The context as MindSpore's compiled part has it: ``MSContext`` and the keys ``ms_ctx_param``."""

from __future__ import annotations

import enum
from typing import Any

from mindspore._engine.runtime import devices
from mindspore._engine.runtime.context import get_context, set_context
from mindspore._engine.runtime.context_keys import KEYS
from mindspore._utils.checks import check_callable, check_one_of, check_str, check_type

__all__ = ["MSContext", "ms_ctx_param"]

_KEYS = [
    "_graph_memory_max_size",
    "aoe_job_type",
    "aoe_tune_mode",
    "atomic_clean_policy",
    "bias_add_comm_swap",
    "check_bprop",
    "compile_cache_path",
    "compute_communicate_fusion_level",
    "conv_allow_hf32",
    "conv_allow_tf32",
    "conv_dgrad_algo",
    "conv_fprop_algo",
    "conv_wgrad_algo",
    "cur_step_num",
    "dataset_broadcast_opt_level",
    "debug_level",
    "deterministic",
    "device_id",
    "device_target",
    "disable_format_transform",
    "enable_allreduce_slice_to_reducescatter",
    "enable_begin_end_inline_opt",
    "enable_compile_cache",
    "enable_concat_eliminate_opt",
    "enable_flash_attention_load_balance",
    "enable_fused_cast_add_opt",
    "enable_grad_comm_opt",
    "enable_graph_kernel",
    "enable_interleave_parallel_branch",
    "enable_interleave_split_concat_branch",
    "enable_offloading_packed_experts",
    "enable_opt_shard_comm_opt",
    "enable_parallel_split",
    "enable_profiling",
    "enable_reduce_precision",
    "enable_task_opt",
    "env_config_path",
    "exec_order",
    "ge_options",
    "graph_kernel_flags",
    "hccl_watchdog",
    "host_scheduling_max_threshold",
    "infer_boost",
    "inter_op_parallel_num",
    "interleaved_layernorm_comm",
    "interleaved_matmul_comm",
    "jit_compile",
    "jit_level",
    "jit_syntax_level",
    "last_triggered_step",
    "matmul_allow_hf32",
    "matmul_allow_tf32",
    "matmul_grad_comm_overlap",
    "max_call_depth",
    "max_device_memory",
    "memory_optimize_level",
    "mempool_block_size",
    "mode",
    "need_ckpt",
    "op_debug_option",
    "op_precision_mode",
    "op_timeout",
    "pp_1f1b_overlap",
    "precision_mode",
    "print_file_path",
    "profiling_options",
    "pynative_synchronize",
    "recompute_allgather_overlap_fagrad",
    "recompute_comm_overlap",
    "runtime_num_threads",
    "save_checkpoint_steps",
    "save_graphs",
    "save_graphs_path",
    "topo_order",
    "variable_memory_max_size",
]

_SHARED = frozenset(key.name for key in KEYS)
ms_ctx_param: Any = enum.Enum("ms_ctx_param", [(key, number) for number, key in enumerate(_KEYS)], module=__name__)


class MSContext:
    """What ``set_context`` sets, by ``get_param`` and ``set_param``; there is one instance.

    Examples:
        >>> from mindspore._c_expression import MSContext, ms_ctx_param
        >>> MSContext.get_instance().get_param(ms_ctx_param.device_target)
        'CPU'
    """

    _instance: MSContext | None = None

    def __init__(self) -> None:
        self._policy = "ms"
        self._other: dict[str, Any] = {}  # keys of other back ends: kept for whoever reads them again

    @classmethod
    def get_instance(cls) -> MSContext:
        if cls._instance is None:
            cls._instance = cls()
        return cls._instance

    def get_param(self, key: Any) -> Any:
        """The value of a key."""
        name = check_type("MSContext.get_param", "key", key, ms_ctx_param).name
        return get_context(name) if name in _SHARED else self._other.get(name)

    def set_param(self, key: Any, value: Any) -> None:
        """Set a key; it is checked as ``set_context`` does."""
        name = check_type("MSContext.set_param", "key", key, ms_ctx_param).name
        if name in _SHARED:
            set_context(**{name: value})
        else:
            self._other[name] = value

    def get_ascend_soc_version(self) -> str:
        """The name of the Ascend chip; there is none."""
        return ""

    def ascend_soc_supports_feature(self, feature: str) -> bool:
        """Whether the Ascend chip can do something; there is none."""
        check_str("MSContext.ascend_soc_supports_feature", "feature", feature)
        return False

    def is_ascend_plugin_loaded(self) -> bool:
        return False

    def is_pkg_support_device(self, device: str) -> bool:
        """Whether programs can ask for this kind of device: those JAX finds here."""
        return check_str("MSContext.is_pkg_support_device", "device", device) in devices.available()

    def load_plugin_error(self) -> str:
        return ""

    def enable_dump_ir(self) -> bool:
        """Whether graphs can be written to files (``save_graphs``)."""
        return True

    def get_backend_policy(self) -> str:
        return self._policy

    def set_backend_policy(self, policy: str) -> bool:
        """Choose a back end: it is XLA under any name."""
        self._policy = check_one_of("MSContext.set_backend_policy", "policy", policy, ("ms", "ge", "vm", "bisheng"))
        return True

    def set_device_target_inner(self, target: str) -> None:
        set_context(device_target=target)

    def register_set_env_callback(self, callback: Any) -> None:
        """Be called when an Ascend environment is prepared, which does not happen."""
        check_callable("MSContext.register_set_env_callback", "callback", callback)

    register_check_env_callback = register_set_env_callback

    def _set_not_convert_jit(self, flag: bool) -> None:
        self._other["not_convert_jit"] = flag
