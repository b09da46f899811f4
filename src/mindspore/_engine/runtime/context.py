"""The process-wide context: execution mode, device and every other key of ``set_context``.

>>> from mindspore._engine.runtime import context
>>> context.set_context(mode=context.PYNATIVE_MODE)
>>> context.get_context("mode"), context.state.mode
(1, 1)
>>> context.set_context(max_call_depth=5, device_id=-1)
Traceback (most recent call last):
...
ValueError: For 'context.set_context', the argument 'device_id' must be in range [0, 4095], but got -1.
>>> context.get_context("max_call_depth")  # a call that fails changes nothing
1000
>>> context.reset_context()
"""

from __future__ import annotations

from typing import Any

from mindspore._engine.base import version_counter
from mindspore._engine.config import config
from mindspore._engine.runtime import compile_cache, devices, forked
from mindspore._engine.runtime.context_keys import (
    COMPATIBLE,
    DEBUG,
    GRAPH_MODE,
    LAX,
    PYNATIVE_MODE,
    RELEASE,
    STRICT,
    settings,
    state,
)
from mindspore._engine.runtime.parallel_context import (
    ParallelMode,
    check_mode_allows,
    get_auto_parallel_context,
    get_ps_context,
    parallel,
    reset_auto_parallel_context,
    reset_ps_context,
    set_auto_parallel_context,
    set_ps_context,
)
from mindspore._kernels import library
from mindspore._utils import checks, log

__all__ = [
    "COMPATIBLE",
    "DEBUG",
    "GRAPH_MODE",
    "LAX",
    "PYNATIVE_MODE",
    "RELEASE",
    "STRICT",
    "ParallelMode",
    "current_device",
    "describe",
    "get_auto_parallel_context",
    "get_context",
    "get_ps_context",
    "reset_auto_parallel_context",
    "reset_context",
    "reset_ps_context",
    "set_auto_parallel_context",
    "set_context",
    "set_device",
    "set_ps_context",
    "state",
]

_CACHE_KEYS = {"enable_compile_cache", "compile_cache_path"}
# sub-keys of set_context(jit_config=...) and the like that get_context reads directly
_SUB_KEYS: dict[str, tuple[str, str]] = dict.fromkeys(("jit_level", "infer_boost"), ("jit_config", ""))
_SUB_KEYS |= dict.fromkeys(("conv_fprop_algo", "conv_dgrad_algo", "conv_wgrad_algo"), ("gpu_config", "normal"))
_SUB_KEYS |= {"precision_mode": ("ascend_config", "")}


# What MindSpore keeps beside the keys of `set_context`: settings of its compiler for Ascend, as they are without one.
_ONLY_READ: dict[str, Any] = dict.fromkeys(
    [
        "bias_add_comm_swap",
        "enable_allreduce_slice_to_reducescatter",
        "enable_begin_end_inline_opt",
        "enable_concat_eliminate_opt",
        "enable_flash_attention_load_balance",
        "enable_fused_cast_add_opt",
        "enable_ge",
        "enable_grad_comm_opt",
        "enable_interleave_parallel_branch",
        "enable_interleave_split_concat_branch",
        "enable_opt_shard_comm_opt",
        "enable_parallel_split",
        "enable_task_opt",
        "interleaved_layernorm_comm",
        "interleaved_matmul_comm",
        "matmul_allow_tf32",
        "need_ckpt",
        "recompute_allgather_overlap_fagrad",
    ],
    False,
)
_ONLY_READ |= dict.fromkeys(
    [
        "atomic_clean_policy",
        "conv_allow_hf32",
        "ge_options",
        "host_scheduling_max_threshold",
        "jit_compile",
        "matmul_allow_hf32",
        "matmul_grad_comm_overlap",
        "op_debug_option",
        "op_precision_mode",
        "pp_1f1b_overlap",
        "recompute_comm_overlap",
    ],
    "",
)
_ONLY_READ |= dict.fromkeys(
    [
        "compute_communicate_fusion_level",
        "cur_step_num",
        "dataset_broadcast_opt_level",
        "last_triggered_step",
        "save_checkpoint_steps",
    ],
    0,
)
_ONLY_READ |= {
    "aoe_job_type": "2",
    "conv_allow_tf32": True,
    "enable_offloading_packed_experts": True,
    "hccl_watchdog": True,
}


def set_context(*arguments: Any, **keywords: Any) -> None:
    """Set one or more keys; ``describe()`` lists them all. A call with one bad value changes nothing.

    >>> set_context(mode=GRAPH_MODE, device_target="CPU")
    >>> set_context(modee=0)
    Traceback (most recent call last):
    ...
    ValueError: For 'context.set_context', the keyword argument modee is not recognized! Did you mean 'mode'? ...
    """
    if arguments:
        raise TypeError(
            f"For 'context.set_context', too many positional arguments: {checks.shown(arguments[0])}. "
            "Name them, as in set_context(mode=GRAPH_MODE)."
        )
    # 1. names and types of everything
    keywords = _with_sub_keys(keywords)
    settings.check_types(keywords)
    # 2. the device target: some keys are valid for one target only
    planned: dict[str, Any] = {}
    rest = dict(keywords)
    device = state.__dict__.get("device_target")  # not state.device_target, which would initialise XLA
    if "device_target" in rest:
        asked = settings.check_values({"device_target": rest.pop("device_target")})["device_target"]
        device = planned["device_target"] = _resolve_target(asked, rest.get("strict_device_target"))
    # 3. the other values
    planned |= settings.check_values(rest, device)
    if "mode" in planned:
        check_mode_allows(planned["mode"], parallel.values.parallel_mode)
    # 4. commit
    settings.store(planned)
    version_counter.note()  # how graphs are made may depend on it
    if "device_target" in planned or "device_id" in planned:
        state.device = None
    if state.runtime_started and not _CACHE_KEYS.isdisjoint(planned):
        _start_compile_cache()


def _with_sub_keys(keywords: dict[str, Any]) -> dict[str, Any]:
    """``jit_level`` and ``infer_boost``, where they are given directly, as parts of ``jit_config``."""
    direct = {name: keywords[name] for name in ("jit_level", "infer_boost") if name in keywords}
    if not direct:
        return keywords
    for name, value in direct.items():
        checks.check_type("context.set_context", name, value, str)
    rest = {name: value for name, value in keywords.items() if name not in direct}
    return {**rest, "jit_config": {**state.jit_config, **rest.get("jit_config", {}), **direct}}


def _resolve_target(asked: str, strict: bool | None) -> str:
    """The requested target if it has a device, else the best available one."""
    strict = state.strict_device_target if strict is None else strict
    target = "Ascend" if asked == "Davinci" else asked
    if target == "CPU" or devices.found(target):  # CPU always exists: no need to initialise XLA
        return target
    present = devices.available()
    if strict:
        raise RuntimeError(
            f"Unsupported device target {asked}. This process only supports one of the {present}. Please check whether "
            f"the {asked} environment is installed and configured correctly (XLA reaches it through the matching jax "
            "install), or turn the strict switch off (MYCELIUM_STRICT_DEVICE, strict_device_target) to run on what is "
            "there."
        )
    fallback = devices.best_available()
    text = (
        f"device_target '{asked}' is not available here ({', '.join(present)} is), running on {fallback}. "
        "Set MYCELIUM_STRICT_DEVICE=1 to make this an error."
    )
    log.advise(("device_target", asked), text)
    return fallback


def get_context(attr_key: str) -> Any:
    """Read one key.

    >>> get_context("max_call_depth")
    1000
    """
    if attr_key == "device_target":
        return state.device_target
    if attr_key in _SUB_KEYS:
        key, default = _SUB_KEYS[attr_key]
        return settings.get(key).get(attr_key, default)
    if attr_key in _ONLY_READ:
        return _ONLY_READ[attr_key]
    key = settings.resolve(attr_key, "For 'context.get_context', the argument {name} is not recognized!")
    device = state.__dict__.get("device_target")
    if key.devices and device is not None and device not in key.devices:
        where = " and ".join(key.devices)
        text = f"For 'context.get_context', '{attr_key}' has a meaning on {where} only, not on {device}."
        log.once(("get_context", attr_key, device), text, log.WARNING)
    return settings.get(key.name)


def reset_context() -> None:
    """Put every key back to its default, the device included.

    Examples:
        >>> import mindspore as ms
        >>> ms.set_context(max_call_depth=20)
        >>> ms.context.reset_context()
        >>> ms.get_context("max_call_depth")
        1000
    """
    started = state.runtime_started
    settings.reset()
    version_counter.note()
    state.runtime_started = started
    if started:
        _start_compile_cache()


def describe() -> str:
    """A table of every key: its value, its default, the MindSpore versions that know it, and what it does here."""
    return settings.describe()


def set_device(device_target: str, device_id: int | None = None) -> None:
    """Choose the device, before anything has run on another one.

    >>> set_device("CPU")
    """
    settings.check_types({"device_target": device_target, "device_id": device_id})
    if device_target not in ("CPU", "GPU", "Ascend"):
        raise ValueError(
            f"For 'set_device', the argument 'device_target' must be one of ['CPU', 'GPU', 'Ascend'], "
            f"but got {device_target}.{checks.suggestion(device_target, devices.TARGETS[:3])}"
        )
    if state.runtime_started:
        before = (state.device_target, state.device_id)
        # another device would leave existing tensors on the old one
        after = (_resolve_target(device_target, None), state.device_id if device_id is None else device_id)
        if after != before:
            raise RuntimeError(
                "The runtime has been initialized, please set it before the kernel is executed: call set_device before "
                f"the first Tensor, Cell or operator. It is {before[0]}:{before[1]}, but got {after[0]}:{after[1]}."
            )
    set_context(device_target=device_target, device_id=device_id)


def current_device() -> Any:
    """The jax device that computes; the first call chooses it and initialises XLA."""
    return state.device if state.device is not None else _choose_device()


def _choose_device() -> Any:
    present = devices.found(state.device_target)
    if not present:
        raise RuntimeError(
            f"device_target '{state.device_target}' has no device in this process. It has {devices.available()}; "
            "check JAX_PLATFORMS."
        )
    index = state.device_id
    if index >= len(present):
        # a CPU process has one device, whatever device_id its launcher assigned
        if state.device_target != "CPU":
            text = f"device_id {index} does not exist: there are {len(present)} devices of type {state.device_target}."
            if state.strict_device_target:
                raise RuntimeError(f"{text} Use a device_id in range [0, {len(present) - 1}].")
            log.once(("device_id", index), f"{text} Device {index % len(present)} is used.", log.WARNING)
        index %= len(present)
    state.device = present[index]
    if not state.runtime_started:
        # every compilation asks for the device first: the import stays free of disk access
        _start_compile_cache()
        library.configure(config.native_kernels.value, config.keep_memory.value, config.kernel_form.value)
        if state.device_target == "CPU":
            library.status()  # loads it
        forked.guard()
        state.runtime_started = True
    return state.device


def _start_compile_cache() -> None:
    """Enable jax's compilation cache in the configured folder, or disable it."""
    wanted = state.enable_compile_cache is not False
    named = state.compile_cache_path or (config.cache_dir.is_set and config.cache_folder())
    if wanted and not named and compile_cache.is_set_elsewhere():
        return  # JAX_COMPILATION_CACHE_DIR or the program's own jax.config.update wins
    folder = (state.compile_cache_path or config.cache_folder()) if wanted else ""
    if folder:
        compile_cache.enable(folder, limit_bytes=config.cache_limit.value * 1_000_000)
    else:
        compile_cache.disable()
