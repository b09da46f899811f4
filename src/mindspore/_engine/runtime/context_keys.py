"""Every key of ``set_context`` from MindSpore 1.0 to 2.10, declared in one table, and the object that holds the values.

The note of a key says why setting it changes nothing here. Keys without a note are honoured.
"""

from __future__ import annotations

import json
import os
import re
import time
from typing import Any

from mindspore._engine.config import config
from mindspore._engine.config.settings import LATER, Key, Settings, at_least, between, one_of, sub_keys
from mindspore._engine.runtime import devices

GRAPH_MODE = 0
PYNATIVE_MODE = 1
STRICT, COMPATIBLE, LAX = 0, 1, 2
RELEASE, DEBUG = 0, 1


class State:
    """The current values as plain attributes: hot paths read ``state.mode`` without a lookup."""

    mode: int
    device_id: int
    pynative_synchronize: bool
    save_graphs: int
    save_graphs_path: str
    max_call_depth: int
    check_bprop: bool
    jit_syntax_level: int
    precompile_only: bool
    deterministic: str
    strict_device_target: bool
    enable_compile_cache: bool | None
    compile_cache_path: str
    device_target: str
    device: Any = None  # the jax device in use; chosen on first use
    runtime_started = False  # whether a device has been handed out

    def __getattr__(self, name: str) -> Any:
        # called only while the attribute is missing: the default target
        if name == "device_target":
            self.device_target = devices.best_available()
            return self.device_target
        raise AttributeError(f"the context has no attribute '{name}'.", name=name)


def _mode(owner: str, name: str, value: Any) -> int:
    if value not in (GRAPH_MODE, PYNATIVE_MODE):
        raise ValueError(
            f"For '{owner}', the argument '{name}' should be context.GRAPH_MODE (0) or context.PYNATIVE_MODE (1), "
            f"but got {value}."
        )
    return int(value)


def _positive(owner: str, name: str, value: Any) -> Any:
    if value is not None and value <= 0:
        raise ValueError(f"For '{owner}', the argument '{name}' must be greater than 0, but got {value}.")
    return value if value is None else int(value)


def _save_graphs(owner: str, name: str, value: Any) -> Any:
    if isinstance(value, bool):  # 1.x wrote True and False
        return 2 if value else 0
    if value is not None and not 0 <= value <= 3:
        raise ValueError(f"For '{owner}', value for {name} should be 0-3 but got '{value}'")
    return value


def _non_empty_path(owner: str, name: str, value: Any) -> str:
    if not value:
        raise ValueError(f"For '{owner}', the '{name}' is invalid, it should be Non-empty string, but got {value!r}.")
    return value


def _make_folder(path: str) -> str:
    full = os.path.realpath(path)
    os.makedirs(full, exist_ok=True)
    return full


def _print_file(owner: str, name: str, value: Any) -> str:
    path = os.path.realpath(_non_empty_path(owner, name, value))
    if os.path.isdir(path):
        raise OSError(f"For '{owner}', the '{name}' must be a file, but got the folder '{path}'.")
    return path


def _unused_file(path: str) -> str:
    _make_folder(os.path.dirname(path))
    return f"{path}.{int(time.time())}" if os.path.exists(path) else path


def _json_file(owner: str, name: str, value: Any) -> Any:
    if value is None:
        return None
    path = os.path.realpath(value)
    if not os.path.isfile(path):
        raise ValueError(f"For '{owner}', the '{name}' file '{path}' does not exist, please check the path.")
    try:
        with open(path, encoding="utf-8") as file:
            json.load(file)
    except (OSError, ValueError) as problem:
        raise ValueError(f"For '{owner}', the '{name}' file '{path}' is no readable JSON file: {problem}") from problem
    return path


def _gigabytes(low: float, high: float) -> Any:
    def check(owner: str, name: str, value: Any) -> Any:
        if value is None:
            return None
        if not re.fullmatch(r"(\d+(\.\d*)?|\.\d+)GB", value):
            raise ValueError(f"For '{owner}', the argument '{name}' must look like '8GB', but got '{value}'.")
        number = float(value[:-2])
        if number == 0 or not low <= number <= high:
            limits = f"at least {low:g}GB" if high == float("inf") else f"at most {high:g}GB"
            raise ValueError(
                f"For '{owner}', the argument '{name}' must be greater than 0GB and {limits}, but got '{value}'."
            )
        return number

    return check


def _memory_text(owner: str, name: str, value: Any) -> Any:
    _gigabytes(0, 31)(owner, name, value)
    return value


def _optimize_level(owner: str, name: str, value: Any) -> int:
    return int(one_of("O0", "O1")(owner, name, value) == "O1")


def _jit_syntax_level(owner: str, name: str, value: Any) -> int:
    if value not in (STRICT, COMPATIBLE, LAX):
        raise ValueError(
            f"For '{owner}', the '{name}' should be context.STRICT (0), context.COMPATIBLE (1) or context.LAX (2), "
            f"but got {value}."
        )
    return int(value)


def _debug_level(owner: str, name: str, value: Any) -> int:
    if value not in (RELEASE, DEBUG):
        raise ValueError(
            f"For '{owner}', the '{name}' should be context.RELEASE (0) or context.DEBUG (1), but got {value}."
        )
    return int(value)


_SWITCHES = (True, False)
_ALGORITHMS = ("normal", "performance", "implicit_gemm", "precomp_gemm", "gemm", "direct", "fft", "fft_tiling")
_ALGORITHMS += ("winograd", "winograd_nonfused", "algo_0", "algo_1", "algo_3")
_GPU_CONFIG = {"conv_fprop_algo": _ALGORITHMS, "conv_dgrad_algo": _ALGORITHMS, "conv_wgrad_algo": _ALGORITHMS}
_GPU_CONFIG |= {"conv_allow_tf32": _SWITCHES, "matmul_allow_tf32": _SWITCHES}
_PRECISION = ("force_fp16", "allow_fp32_to_fp16", "allow_mix_precision", "must_keep_origin_dtype", "force_fp32")
_PRECISION += ("allow_fp32_to_bf16", "allow_mix_precision_fp16", "allow_mix_precision_bf16")
_ASCEND_CONFIG = {
    "precision_mode": _PRECISION,
    "jit_compile": _SWITCHES,
    "atomic_clean_policy": (0, 1),
    "matmul_allow_hf32": _SWITCHES,
    "conv_allow_hf32": _SWITCHES,
    "exception_dump": ("0", "1", "2"),
    "op_precision_mode": str,
    "op_debug_option": str,
    "ge_options": dict,
    "topo_order": dict,
    "parallel_speed_up_json_path": str,
    "host_scheduling_max_threshold": int,
    "hccl_watchdog": bool,
    "cur_step_num": int,
    "save_checkpoint_steps": int,
    "need_ckpt": bool,
    "last_triggered_step": int,
}

_BY_XLA = "XLA decides this by itself"
_TUNES = "XLA chooses its kernels by itself"
_MEMORY = "XLA's allocator manages device memory"
_DUMPS = "use save_graphs for the compiler's files and the Profiler for timing"
_ON_DISK = "compiled programs are kept on disk anyway, see enable_compile_cache"
_ACCELERATORS = ("Ascend", "GPU")

KEYS = (
    # --- execution
    Key("mode", int, lambda: PYNATIVE_MODE if config.default_mode.value == "pynative" else GRAPH_MODE, _mode),
    Key("device_target", str, LATER, one_of(*devices.TARGETS)),
    Key("device_id", int, lambda: config.device_id.value, between(0, 4095)),
    Key("strict_device_target", bool, lambda: config.strict_device.value, since=""),
    Key("pynative_synchronize", bool, False, since="1.4"),
    Key("max_call_depth", int, 1000, _positive),
    Key("check_bprop", bool, False),
    Key("precompile_only", bool, lambda: config.precompile_only.value, until="2.10"),
    Key("grad_for_scalar", bool, False, since="1.2", until="2.10", note="gradients of scalar inputs are always there"),
    Key("jit_syntax_level", int, LAX, _jit_syntax_level, since="2.x"),
    Key("debug_level", int, RELEASE, _debug_level, since="2.x"),
    Key("jit_config", dict, {}, sub_keys({"jit_level": ("O0", "O1", "O2"), "infer_boost": ("on", "off")}), since="2.x"),
    Key("deterministic", str, "OFF", one_of("ON", "OFF"), since="2.x"),
    Key("print_file_path", str, "", _print_file, _unused_file, devices=("Ascend",)),
    # --- what the compiler writes and keeps
    Key("save_graphs", (bool, int), lambda: config.save_graphs.value, _save_graphs),
    Key("save_graphs_path", str, lambda: config.save_graphs_path.value, _non_empty_path, _make_folder),
    Key("enable_compile_cache", bool, None, since="1.6"),
    Key("compile_cache_path", str, "", since="1.6"),
    Key("save_compile_cache", bool, False, since="1.4", until="2.10", note=_ON_DISK),
    Key("load_compile_cache", bool, False, since="1.4", until="2.10", note=_ON_DISK),
    Key("reserve_class_name_in_scope", bool, True, note="XLA's names carry the class of a Cell anyway"),
    Key("support_binary", bool, False, since="1.x", note="sources are read from where Python loaded them"),
    # --- optimizations XLA makes by itself
    Key("enable_graph_kernel", bool, False, note="XLA fuses operators in every mode"),
    Key("graph_kernel_flags", str, "", since="1.x", note="XLA fuses operators in every mode"),
    Key("enable_reduce_precision", bool, True, devices=("Ascend",), note=_BY_XLA),
    Key("enable_auto_mixed_precision", bool, False, until="2.10", note="use amp or Cell.to_float for mixed precision"),
    Key("enable_sparse", bool, False, until="2.10", note="sparse gradients need no switch"),
    Key("disable_format_transform", bool, False, since="1.x", devices=("GPU",), note=_BY_XLA),
    Key("exec_order", str, "bfs", one_of("bfs", "dfs"), since="2.x", note=_BY_XLA),
    Key("topo_order", (str, dict), "", since="2.x", note=_BY_XLA),
    Key("jit_enable_inplace_ops", bool, True, since="2.x", until="2.10", note=_BY_XLA),
    Key("auto_tune_mode", str, "NO_TUNE", until="2.10", note=_TUNES),
    Key("aoe_tune_mode", str, "", one_of("", "online", "offline"), since="2.x", note=_TUNES),
    Key("aoe_config", dict, {}, sub_keys({"job_type": ("1", "2")}), since="2.x", note=_TUNES),
    Key("ascend_config", dict, {}, sub_keys(_ASCEND_CONFIG), devices=("Ascend",), since="2.x", note=_TUNES),
    Key("gpu_config", dict, {}, sub_keys(_GPU_CONFIG), devices=("GPU",), since="2.x", note=_TUNES),
    # --- memory and threads
    Key("max_device_memory", str, 1024.0, _gigabytes(0, float("inf")), devices=_ACCELERATORS, note=_MEMORY),
    Key("mempool_block_size", str, 1.0, _gigabytes(1, float("inf")), devices=_ACCELERATORS, since="1.x", note=_MEMORY),
    Key("variable_memory_max_size", str, "0GB", _memory_text, devices=("Ascend",), note=_MEMORY),
    Key("memory_optimize_level", str, 0, _optimize_level, since="1.x", note=_MEMORY),
    Key("memory_offload", str, "OFF", one_of("ON", "OFF"), since="1.x", until="2.10", note=_MEMORY),
    Key("inter_op_parallel_num", int, 0, at_least(0), since="2.x", note=_BY_XLA),
    Key("runtime_num_threads", int, lambda: os.cpu_count() or 1, at_least(0), since="1.x", note=_BY_XLA),
    Key("op_timeout", int, 900, at_least(0), since="2.x", note="operators have no time limit"),
    # --- dumps and profiles
    Key("env_config_path", str, "", _json_file, note=_DUMPS),
    Key("enable_dump", bool, False, until="2.10", note=_DUMPS),
    Key("save_dump_path", str, ".", until="2.10", note=_DUMPS),
    Key("enable_profiling", bool, False, note=_DUMPS),
    Key("profiling_options", str, "training_trace", note=_DUMPS),
    # --- keys of 0.x, still found in older programs
    Key("save_ms_model", bool, False, since="0.x", until="1.1", note="use export instead"),
    Key("save_ms_model_path", str, ".", since="0.x", until="1.1", note="use export instead"),
    Key("enable_task_sink", bool, True, since="0.x", until="1.1", note=_BY_XLA),
    Key("enable_loop_sink", bool, True, since="0.x", until="1.1", note="use dataset_sink_mode instead"),
    Key("enable_mem_reuse", bool, True, since="0.x", until="1.1", note=_MEMORY),
    Key("enable_ir_fusion", bool, True, since="0.x", until="1.1", note=_BY_XLA),
    Key("enable_hccl", bool, False, since="0.x", until="1.1", note="communication.init joins a job"),
    Key("enable_gpu_summary", bool, True, since="0.x", until="1.1", note="use SummaryCollector instead"),
    Key("enable_dynamic_memory", bool, False, since="0.x", until="1.1", note=_MEMORY),
    Key("graph_memory_max_size", str, "26GB", since="0.x", until="1.1", note=_MEMORY),
)

state = State()
settings = Settings("context.set_context", KEYS, state)
