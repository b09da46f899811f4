"""The contexts of distributed training: ``set_auto_parallel_context`` and ``set_ps_context``.

>>> from mindspore._engine.runtime import parallel_context as parallel
>>> parallel.set_auto_parallel_context(device_num=2, gradients_mean=True)
>>> parallel.get_auto_parallel_context("gradients_mean")
True
>>> parallel.reset_auto_parallel_context()
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from mindspore._engine.base import version_counter
from mindspore._engine.cluster import process_group
from mindspore._engine.config.settings import Key, Settings, at_least, between, one_of, sub_keys
from mindspore._engine.runtime.context_keys import PYNATIVE_MODE, state
from mindspore._utils import checks


class ParallelMode:
    """The distributed execution modes.

    Examples:
        >>> import mindspore as ms
        >>> ms.ParallelMode.DATA_PARALLEL
        'data_parallel'
    """

    STAND_ALONE = "stand_alone"
    DATA_PARALLEL = "data_parallel"
    HYBRID_PARALLEL = "hybrid_parallel"
    SEMI_AUTO_PARALLEL = "semi_auto_parallel"
    AUTO_PARALLEL = "auto_parallel"
    MODE_LIST = [STAND_ALONE, DATA_PARALLEL, HYBRID_PARALLEL, SEMI_AUTO_PARALLEL, AUTO_PARALLEL]  # noqa: RUF012


_PLANNED = (ParallelMode.SEMI_AUTO_PARALLEL, ParallelMode.AUTO_PARALLEL)
_GRAPH_ONLY = (ParallelMode.HYBRID_PARALLEL, ParallelMode.SEMI_AUTO_PARALLEL)


def check_mode_allows(mode: int, parallel_mode: str) -> None:
    """Reject PyNative mode together with a parallel mode that partitions whole graphs."""
    if mode == PYNATIVE_MODE and parallel_mode in _GRAPH_ONLY:
        raise ValueError(
            f"PyNative mode supports the parallel modes 'stand_alone', 'data_parallel' and 'auto_parallel', but the "
            f"parallel mode is '{parallel_mode}'. Call set_context(mode=GRAPH_MODE), or reset_auto_parallel_context()."
        )


def _parallel_mode(owner: str, name: str, value: Any) -> str:
    if value not in ParallelMode.MODE_LIST:
        listed = ", ".join(f"'{mode}'" for mode in ParallelMode.MODE_LIST)
        hint = checks.suggestion(value, ParallelMode.MODE_LIST)
        raise ValueError(
            f"The context configuration parameter '{name}' only support {listed}, but got the value : {value}.{hint}"
        )
    check_mode_allows(state.mode, value)
    return value


def _split_points(owner: str, name: str, value: Any) -> Any:
    for index in value or []:
        checks.check_int(owner, f"{name} (its elements)", index, low=0)
    if len(set(value or [])) != len(value or []):
        raise ValueError(f"For '{owner}', the '{name}' must have no duplicate elements, but got {value}.")
    if value != sorted(value or []):
        raise ValueError(f"For '{owner}', the elements of '{name}' must be sorted in ascending order, but got {value}.")
    return value


def _dataset_strategy(owner: str, name: str, value: Any) -> Any:
    if isinstance(value, str):
        return one_of("full_batch", "data_parallel")(owner, name, value)
    for layout in value or ():
        checks.check_type(owner, f"{name} (its elements)", layout, tuple)
        for part in layout:
            checks.check_int(owner, f"{name} (the elements of its elements)", part)
    return value


_FUSION = ("allreduce", "allgather", "reducescatter")
_FUSION_DEFAULT = {"openstate": True, **{kind: {"mode": "auto", "config": None} for kind in _FUSION}}
_STRATEGY_DEFAULT = {"load_file": "", "save_file": "", "only_trainable_params": True}
_STRATEGY_TYPES = {"load_file": str, "save_file": str, "only_trainable_params": bool}
_SCHEDULERS = ("1f1b", "gpipe", "seqpipe", "seqvpp", "seqsmartvpp", "zero_bubble_v")


def _fusion(owner: str, name: str, value: Any) -> Any:
    sub_keys({"openstate": bool, **dict.fromkeys(_FUSION, dict)})(owner, name, value)
    for kind in _FUSION:
        method = (value or {}).get(kind, {"mode": "auto"})
        checks.check_one_of(owner, f"{name}['{kind}']['mode']", method.get("mode"), ("auto", "size", "index"))
    return value


def _merge(key: str) -> Callable[[dict], dict]:
    """Setter of a dict key: sub-keys that are not given keep their value."""
    return lambda value: {**getattr(parallel.values, key), **value}


_ADVICE = "XLA's partitioner plans communication by itself"
_GROUPS = ("all_group_parallel", "same_server_group_parallel", "no_group_parallel")
_SEARCH = one_of("recursive_programming", "dynamic_programming", "sharding_propagation")

parallel = Settings(
    "set_auto_parallel_context",
    (
        Key("device_num", int, 1, at_least(1)),
        Key("global_rank", int, 0, between(0, 4095)),
        Key("parallel_mode", str, "stand_alone", _parallel_mode),
        Key("gradients_mean", bool, False),
        Key("mirror_mean", bool, alias="gradients_mean", since="0.x", until="1.1"),
        Key("gradient_fp32_sync", bool, True),
        Key("cast_before_mirror", bool, alias="gradient_fp32_sync", since="0.x", until="1.1"),
        Key("parameter_broadcast", bool, False),
        Key("loss_repeated_mean", bool, True),
        Key("all_reduce_fusion_config", list, [], _split_points),
        Key("full_batch", bool, False),
        Key("dataset_strategy", (str, tuple), "data_parallel", _dataset_strategy, since="1.5"),
        Key("enable_parallel_optimizer", bool, False),
        Key(
            "parallel_optimizer_config",
            dict,
            {},
            sub_keys(
                {
                    "gradient_accumulation_shard": bool,
                    "parallel_optimizer_threshold": int,
                    "optimizer_weight_shard_size": int,
                }
            ),
            _merge("parallel_optimizer_config"),
            since="1.x",
        ),
        Key("optimizer_weight_shard_size", int, -1, at_least(-1), since="1.x"),
        Key("optimizer_weight_shard_aggregated_save", bool, False, since="1.x"),
        Key("pipeline_stages", int, 1, at_least(1), since="1.1"),
        Key("pipeline_segments", int, 1, at_least(1), since="2.x"),
        Key("pipeline_result_broadcast", bool, False, since="2.x"),
        Key(
            "pipeline_config",
            dict,
            {"pipeline_interleave": False, "pipeline_scheduler": "1f1b"},
            sub_keys({"pipeline_interleave": bool, "pipeline_scheduler": _SCHEDULERS}),
            _merge("pipeline_config"),
            since="2.x",
        ),
        Key("auto_pipeline", bool, False, since="2.x"),
        Key("grad_accumulation_step", int, 1, at_least(1), since="1.1"),
        Key("search_mode", str, "recursive_programming", _SEARCH, since="1.x"),
        Key("auto_parallel_search_mode", str, alias="search_mode"),
        Key("sharding_propagation", bool, False, since="1.x"),
        Key("strategy_ckpt_load_file", str, ""),
        Key("strategy_ckpt_save_file", str, ""),
        Key("strategy_ckpt_config", dict, _STRATEGY_DEFAULT, sub_keys(_STRATEGY_TYPES), _merge("strategy_ckpt_config")),
        Key("group_ckpt_save_file", str, "", since="1.1"),
        Key("comm_fusion", dict, _FUSION_DEFAULT, _fusion, _merge("comm_fusion"), since="1.6", note=_ADVICE),
        Key("enable_alltoall", bool, False, since="1.x", note=_ADVICE),
        Key("force_fp32_communication", bool, False, since="2.x", note=_ADVICE),
        Key("communi_parallel_mode", str, "all_group_parallel", one_of(*_GROUPS), since="1.1", note=_ADVICE),
        Key("init_param_in_compile", bool, True, since="2.x", note=_ADVICE),
        Key("dump_local_norm", bool, False, since="2.x", note="norms are not dumped"),
        Key("dump_local_norm_path", str, "", since="2.x", note="norms are not dumped"),
        Key("dump_device_local_norm", bool, False, since="2.x"),
    ),
    unknown="Set context keyword {name} is not recognized!",
)

parameter_server = Settings(
    "set_ps_context",
    (
        Key("enable_ps", bool, False, note="parameters live in the workers, there are no server processes"),
        Key("ms_role", str, "MS_NOT_PS", one_of("MS_NOT_PS", "MS_WORKER", "MS_PSERVER", "MS_SCHED")),
        Key("worker_num", int, 0, at_least(0)),
        Key("server_num", int, 0, at_least(0)),
        Key("scheduler_ip", str, "127.0.0.1"),
        Key("scheduler_port", int, 6667, between(1, 65535)),
        Key("scheduler_manage_port", int, 11202, between(1, 65535), since="1.x", until="2.10"),
        Key("server_mode", str, "", since="1.x"),
        Key("config_file_path", str, "", since="1.x"),
        Key("enable_ssl", bool, False, since="1.x"),
        Key("client_password", str, "", since="1.x"),
        Key("server_password", str, "", since="1.x"),
    ),
    unknown="Set PS context keyword {name} is not recognized!",
)

_SUB_KEYS = {name: ("pipeline_config", name) for name in ("pipeline_interleave", "pipeline_scheduler")}
_LINKED_FILES = {"strategy_ckpt_load_file": "load_file", "strategy_ckpt_save_file": "save_file"}


def set_auto_parallel_context(*arguments: Any, **keywords: Any) -> None:
    """Set keys of distributed execution; ``parallel.describe()`` lists them.

    Examples:
        >>> import mindspore
        >>> mindspore.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
        >>> print(mindspore.get_auto_parallel_context("gradients_mean"))
        True
        >>> mindspore.reset_auto_parallel_context()
    """
    _refuse_positional("set_auto_parallel_context", arguments, "device_num=8")
    parallel.check_types(keywords)
    planned = parallel.check_values(keywords)
    _link(planned)
    parallel.store(planned)
    version_counter.note()


@contextmanager
def temporarily(keywords: dict[str, Any]) -> Iterator[None]:
    """Context manager: override keys of the auto parallel context. Graphs have ``planning_key`` in their cache key."""
    with parallel.kept():
        parallel.check_types(keywords)
        planned = parallel.check_values(keywords)
        _link(planned)
        parallel.store(planned)
        yield


def _link(planned: dict[str, Any]) -> None:
    """Keep pairs of keys with the same meaning consistent."""
    if "dataset_strategy" in planned:
        planned["full_batch"] = planned["dataset_strategy"] == "full_batch"
    elif "full_batch" in planned:
        planned["dataset_strategy"] = "full_batch" if planned["full_batch"] else "data_parallel"
    files = planned.setdefault("strategy_ckpt_config", {})
    for name, sub in _LINKED_FILES.items():
        if name in planned:
            files[sub] = planned[name]
        elif sub in files:
            planned[name] = files[sub]
    if not files:
        del planned["strategy_ckpt_config"]


def get_auto_parallel_context(attr_key: str) -> Any:
    """Read one key of the auto parallel context.

    Examples:
        >>> import mindspore
        >>> print(mindspore.get_auto_parallel_context("parallel_mode"))
        stand_alone
    """
    if attr_key == "full_batch_is_set":
        return parallel.was_set("full_batch")
    if attr_key in _SUB_KEYS:
        key, sub = _SUB_KEYS[attr_key]
        return parallel.get(key)[sub]
    key = parallel.resolve(attr_key, "Get context keyword {name} is not recognized!")
    return parallel.get(key.name)


def reset_auto_parallel_context() -> None:
    """Put every key of the auto parallel context back to its default.

    Examples:
        >>> import mindspore
        >>> mindspore.set_auto_parallel_context(gradients_mean=True)
        >>> mindspore.reset_auto_parallel_context()
        >>> print(mindspore.get_auto_parallel_context("gradients_mean"))
        False
    """
    parallel.reset()
    version_counter.note()


def set_ps_context(*arguments: Any, **keywords: Any) -> None:
    """Set the parameter server context.

    Examples:
        >>> import mindspore as ms
        >>> ms.set_ps_context(enable_ssl=False)
        >>> ms.get_ps_context("enable_ssl")
        False
    """
    _refuse_positional("set_ps_context", arguments, "enable_ps=True")
    parameter_server.update(keywords)


def get_ps_context(attr_key: str) -> Any:
    """Read one key of the parameter server context; passwords cannot be read back.

    Examples:
        >>> import mindspore as ms
        >>> ms.get_ps_context("enable_ps")
        False
    """
    key = parameter_server.resolve(attr_key, "Get PS context keyword {name} is not recognized!")
    if key.name.endswith("_password"):
        raise ValueError(f"Get PS context keyword {attr_key} is not recognized! Passwords cannot be read back.")
    return copy.deepcopy(getattr(parameter_server.values, key.name))


def reset_ps_context() -> None:
    """Put every key of the parameter server context back to its default.

    Examples:
        >>> import mindspore as ms
        >>> ms.reset_ps_context()
        >>> ms.get_ps_context("enable_ps")
        False
    """
    parameter_server.reset()


def _refuse_positional(function: str, arguments: tuple, example: str) -> None:
    if arguments:
        raise TypeError(
            f"For '{function}', too many positional arguments: {checks.shown(arguments[0])}. "
            f"Name them, as in {function}({example})."
        )


def device_count() -> int:
    """The number of devices that share the work: ``device_num`` or the world size; one in stand-alone mode."""
    values = parallel.values
    if values.parallel_mode == ParallelMode.STAND_ALONE:
        return 1
    return values.device_num if parallel.was_set("device_num") else process_group.size()


def own_rank() -> int:
    """The rank of this process among them."""
    values = parallel.values
    if values.parallel_mode == ParallelMode.STAND_ALONE:
        return 0
    return values.global_rank if parallel.was_set("global_rank") else process_group.rank()


def plans_graphs() -> bool:
    """Whether graphs are compiled as one program over all devices."""
    return parallel.values.parallel_mode in _PLANNED and state.mode != PYNATIVE_MODE


def planning_key() -> tuple | None:
    """The parallel settings that are part of a graph's cache key; None where every process compiles for itself."""
    if not plans_graphs():
        return None
    values = parallel.values
    shards = (values.enable_parallel_optimizer, values.optimizer_weight_shard_size, values.parallel_optimizer_config)
    stages = (values.pipeline_stages, values.pipeline_config["pipeline_scheduler"])
    return (device_count(), values.parallel_mode, values.dataset_strategy, repr(shards), stages)


def refuse_planned_training() -> None:
    """Reject PyNative training in a graph-partitioning mode: each process would silently train alone."""
    mode = parallel.values.parallel_mode
    if mode in _PLANNED and not plans_graphs() and process_group.size() > 1:
        raise RuntimeError(
            f"The parallel mode '{mode}' divides the work of {process_group.size()} processes in graphs only. Call "
            "set_context(mode=GRAPH_MODE), or use set_auto_parallel_context(parallel_mode='data_parallel', "
            "gradients_mean=True): every process trains on its part of the data."
        )
