"""A network with the settings it is made parallel with."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from mindspore._engine.base.trace_state import state
from mindspore._engine.runtime.context import GRAPH_MODE, get_context
from mindspore._engine.runtime.parallel_context import temporarily
from mindspore._utils.checks import check_one_of, check_type, shown
from mindspore.nn.cell import Cell
from mindspore.parallel._strategy_config import set_op_strategy_config
from mindspore.parallel.shard import Layout

__all__ = ["AutoParallel"]

_MODES = {
    "semi_auto": {"parallel_mode": "semi_auto_parallel"},
    "sharding_propagation": {"parallel_mode": "auto_parallel", "search_mode": "sharding_propagation"},
    "recursive_programming": {"parallel_mode": "auto_parallel", "search_mode": "recursive_programming"},
}
_SCHEDULERS = ("1f1b", "gpipe", "seqpipe", "seqvpp", "seqsmartvpp", "zero_bubble_v")
_LEVELS = ("level1", "level2", "level3")


class AutoParallel(Cell):
    """A network whose graphs are programs of all devices, with settings of its own instead of those of the process.

    The settings are those of :func:`mindspore.set_auto_parallel_context`, and hold while the network runs: when it is called
    in graph mode, and in every method of a :class:`mindspore.train.Model` that has it. In PyNative mode the network runs as
    it is.

    Args:
        network: the outermost Cell or function.
        parallel_mode: ``"semi_auto"`` (cut as ``shard`` says), ``"sharding_propagation"`` or ``"recursive_programming"``
            (found for what has no strategy).

    Examples:
        >>> from mindspore import nn, ops
        >>> from mindspore.parallel.auto_parallel import AutoParallel
        >>> network = AutoParallel(nn.Dense(2, 3), parallel_mode="semi_auto")
        >>> network.hsdp(optimizer_level="level1")
        >>> network.dataset_strategy("full_batch")
        >>> print(network(ops.ones((4, 2))).shape)
        (4, 3)
    """

    def __init__(self, network: Cell | Callable[..., Any], parallel_mode: str = "semi_auto"):
        super().__init__(auto_prefix=False)
        check_one_of("AutoParallel", "parallel_mode", parallel_mode, tuple(_MODES))
        self.network = network
        self._parallel_mode = parallel_mode
        self._settings: dict[str, Any] = dict(_MODES[parallel_mode])
        self.set_train(network.training if isinstance(network, Cell) else False)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        with self._settled():
            return super().__call__(*args, **kwargs)

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        """The network's result."""
        return self.network(*args, **kwargs)

    def _settled(self) -> AbstractContextManager[None]:
        """Context manager: these settings are in force."""
        if state.scope is not None or get_context("mode") != GRAPH_MODE:
            return nullcontext()
        return temporarily(self._settings)

    # -- how data and weights are divided -------------------------------------------------------------------------------------
    def dataset_strategy(self, config: Any) -> None:
        """How batches arrive: ``"data_parallel"``, ``"full_batch"``, or a tuple with the cuts (or Layout) of every input."""
        who = "AutoParallel.dataset_strategy"
        if config is None:
            raise ValueError(
                f"For '{who}', the 'config' must be str or tuple type: dataset_strategy is none in config!"
            )
        check_type(who, "config", config, (str, tuple))
        if isinstance(config, str):
            if config not in ("full_batch", "data_parallel"):
                raise ValueError(
                    f"For '{who}', the argument 'config' must be 'full_batch' or 'data_parallel', but got the value : "
                    f"{config}."
                )
        else:
            config = tuple(_cuts(who, entry) for entry in config)
        self._settings["dataset_strategy"] = config

    def hsdp(self, shard_size: int = -1, threshold: int = 64, optimizer_level: str = "level1") -> None:
        """Divide the optimizer's state among the devices: parts for at most `shard_size` of them (-1: all), of Parameters
        with at least `threshold` KB; from ``"level2"`` on gradients too."""
        who = "AutoParallel.hsdp"
        if not _is_int(shard_size) or (shard_size <= 0 and shard_size != -1):
            raise ValueError(f"For '{who}', the shard_size must be a positive integer or -1, but got {shard_size}.")
        if not _is_int(threshold) or threshold < 0:
            raise ValueError(f"For '{who}', the threshold must be a positive integer or 0, but got {threshold}.")
        if optimizer_level not in _LEVELS:
            raise ValueError(
                f"For '{who}', the optimizer_level should be in {list(_LEVELS)}, but got {optimizer_level}."
            )
        self._settings["enable_parallel_optimizer"] = True
        self._settings["optimizer_weight_shard_size"] = shard_size
        self._settings["parallel_optimizer_config"] = {
            "parallel_optimizer_threshold": threshold,
            "optimizer_weight_shard_size": shard_size,
            "gradient_accumulation_shard": optimizer_level != "level1",
        }

    def pipeline(self, stages: int = 1, output_broadcast: bool = False, interleave: bool = False,
                 scheduler: str = "1f1b") -> None:  # fmt: skip
        """Divide the network into stages, each on its share of the devices."""
        who = "AutoParallel.pipeline"
        if not _is_int(stages):
            raise TypeError(f"For '{who}', the argument 'stages' must be int type, but got {shown(stages)}.")
        if stages <= 0:
            raise ValueError(f"For '{who}', the argument 'stages' must be larger than zero, but got value: {stages}.")
        check_type(who, "output_broadcast", output_broadcast, bool)
        check_type(who, "interleave", interleave, bool)
        check_type(who, "scheduler", scheduler, str)
        check_one_of(who, "scheduler", scheduler, _SCHEDULERS)
        self._settings["pipeline_stages"] = stages
        self._settings["pipeline_result_broadcast"] = output_broadcast
        self._settings["pipeline_config"] = {"pipeline_interleave": interleave, "pipeline_scheduler": scheduler}

    def get_pipeline_stages(self) -> int:
        """How many stages there are."""
        return self._settings.get("pipeline_stages", 1)

    # -- files ------------------------------------------------------------------------------------------------------------------
    def load_param_strategy_file(self, file_path: str) -> None:
        """Shard Parameters as this strategy file says."""
        self._strategy_file("load_file", file_path)

    def save_param_strategy_file(self, file_path: str) -> None:
        """Write the sharding of Parameters to this strategy file."""
        self._strategy_file("save_file", file_path)

    def disable_strategy_file_only_for_trainable_params(self) -> None:
        """Parameters that are not trained are in the strategy files too."""
        self._strategy_file("only_trainable_params", False)

    def _strategy_file(self, key: str, value: Any) -> None:
        if key != "only_trainable_params":
            _check_path(value)
        self._settings["strategy_ckpt_config"] = {**self._settings.get("strategy_ckpt_config", {}), key: value}

    def save_operator_strategy_file(self, file_path: str) -> None:
        """Write what sharding propagation chooses into this file, an absolute path that ends with '.json'."""
        set_op_strategy_config("SAVE", _check_path(file_path))

    def load_operator_strategy_file(self, file_path: str) -> None:
        """Use what sharding propagation chose before, from this file, an absolute path that ends with '.json'."""
        set_op_strategy_config("LOAD", _check_path(file_path))

    def set_group_ckpt_save_file(self, file_path: str) -> None:
        """Write the groups of devices into this file."""
        self._settings["group_ckpt_save_file"] = _check_path(file_path)

    def dump_local_norm(self, file_path: str) -> None:
        """Accepted: norms are not written."""
        self._settings |= {"dump_local_norm": True, "dump_local_norm_path": _check_path(file_path)}

    def transformer_opt(self, file_path: str | None) -> None:
        """Accepted, if the file exists: XLA's partitioner overlaps communication by itself."""
        if file_path and not os.path.isfile(file_path):
            raise ValueError(
                f"For 'AutoParallel.transformer_opt', the path to parallel_speed_up_json: {os.path.realpath(file_path)} does "
                "not exist, please check whether it is correct."
            )

    # -- communication and numbers ----------------------------------------------------------------------------------------------
    def comm_fusion(self, config: dict[str, Any]) -> None:
        """The fusion of collectives; XLA's partitioner does that by itself."""
        self._settings["comm_fusion"] = check_type("AutoParallel.comm_fusion", "config", config, dict)

    def enable_fp32_communication(self) -> None:
        """Sums over devices are computed in float32."""
        self._settings["force_fp32_communication"] = True

    def enable_gradients_mean(self) -> None:
        """Gradients are averaged over the devices instead of summed."""
        self._settings["gradients_mean"] = True

    def disable_gradient_fp32_sync(self) -> None:
        """Gradients are summed in the dtype they have."""
        self._settings["gradient_fp32_sync"] = False

    def disable_loss_repeated_mean(self) -> None:
        """A loss that several devices compute is not averaged."""
        self._settings["loss_repeated_mean"] = False

    def no_init_parameters_in_compile(self) -> None:
        """Parameters get their values after compilation."""
        self._settings["init_param_in_compile"] = False

    def print_local_norm(self) -> None:
        """Accepted: norms are not printed."""
        self._settings["dump_local_norm"] = True

    def enable_device_local_norm(self) -> None:
        """Sum up the squares of this device's gradients in a Parameter (``get_squared_device_local_norm_param``)."""
        self._settings["dump_device_local_norm"] = True


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _check_path(file_path: Any) -> str:
    return check_type("AutoParallel", "file_path", file_path, str)


def _cuts(who: str, entry: Any) -> tuple[int, ...]:
    """The number of shards along each axis of an input."""
    if isinstance(entry, Layout):
        sizes = entry._device_shape
        named = entry._tensor_map or ()
        axes = [axis if isinstance(axis, tuple) else (axis,) for axis in named]
        return tuple(math.prod(sizes[len(sizes) - 1 - number] for number in axis if number >= 0) for axis in axes)
    if not isinstance(entry, tuple):
        raise TypeError(
            f"For '{who}', the element of argument 'config' must be tuple or Layout, but got the type : {type(entry)}."
        )
    for part in entry:
        if not _is_int(part):
            raise TypeError(
                f"For '{who}', the elements of the elements of argument 'config' must be int type, but got {shown(part)}."
            )
    return entry
