"""Checkpoints of several devices loaded into the network of a single device, or of a device among others."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from mindspore._engine.cluster import process_group
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils import log
from mindspore._utils.checks import check_one_of, check_type
from mindspore._utils.refusals import refused
from mindspore.nn.cell import Cell
from mindspore.train._checkpoint.load_network import load_param_into_net
from mindspore.train._checkpoint.sliced import SliceLayout, assembled, whole
from mindspore.train._checkpoint.transform import Strategy, read_strategy

_OWNER = "load_distributed_checkpoint"


def load_pieces(
    network: Cell,
    files: Any,
    predict_strategy: Any,
    train_strategy_filename: str | None,
    strict_load: bool,
    load: Callable[[str], dict[str, Any]],
) -> None:
    """Put the pieces in the files of all devices together, and give them to a network."""
    check_type(_OWNER, "network", network, Cell)
    paths = _checked_files(files)
    wanted = _predict_layouts(predict_strategy)
    strategy = read_strategy(_OWNER, "train_strategy_filename", train_strategy_filename)
    if strategy is None:
        return
    if strategy.stage_devices * strategy.stage_count != len(paths):
        raise refused(
            ValueError,
            f"For '{_OWNER}', the length of 'checkpoint_filenames' should be equal to the device count of training process, "
            f"{strategy.stage_devices * strategy.stage_count}, but got {len(paths)}.",
        )
    loaded = {rank: load(path) for rank, path in enumerate(paths)}
    values: dict[str, Any] = {}
    for target in network.get_parameters():
        if target.name not in strategy.layouts:
            log.warning(
                "For '%s', the parameter %s is not in the train strategy; it is left as it is.", _OWNER, target.name
            )
        elif not any(target.name in parameters for parameters in loaded.values()):
            log.warning("For '%s', the parameter %s is in no checkpoint; it is left as it is.", _OWNER, target.name)
        else:
            whole_one = _joined(target.name, loaded, strategy, None)
            cut = target.shape != whole_one.shape and target.name in wanted  # a sharded network gets this rank's shards
            values[target.name] = _joined(target.name, loaded, strategy, wanted[target.name]) if cut else whole_one
    load_param_into_net(network, values, strict_load)


def _checked_files(files: Any) -> list[str]:
    if not isinstance(files, (list, tuple)):
        raise refused(
            TypeError, f"For '{_OWNER}', the 'checkpoint_filenames' must be a list, but got {type(files).__name__}."
        )
    for index, path in enumerate(files):
        usable = isinstance(path, str) and path.endswith(".ckpt") and os.path.isfile(path) and os.path.getsize(path) > 0
        if not usable:
            raise refused(
                ValueError,
                f"For '{_OWNER}', please check 'checkpoint_filenames', and make sure the {path} at index {index} is a valid "
                "checkpoint file: its name ends with '.ckpt', it exists and is not empty.",
            )
    return list(files)


def _predict_layouts(strategy: Any) -> dict[str, SliceLayout]:
    """Layouts as ``infer_predict_layout`` gives them: lists of devices, axes, sizes and fields."""
    layouts: dict[str, SliceLayout] = {}
    for name, row in (strategy or {}).items():
        if not isinstance(row, (list, tuple)) or len(row) < 4:
            raise refused(
                ValueError,
                f"For '{_OWNER}', the 'predict_strategy' must give lists of device matrix, tensor map, split shape and field "
                f"for each name, but got {row!r} for {name}.",
            )
        axes = [axis if isinstance(axis, (list, tuple)) else [axis] for axis in row[1]]
        layouts[name] = SliceLayout(
            tuple(row[0]), tuple(tuple(mesh_axis for mesh_axis in axis if mesh_axis != -1) for axis in axes)
        )
    return layouts


def _joined(name: str, loaded: dict[int, dict[str, Any]], strategy: Strategy, wanted: SliceLayout | None) -> Parameter:
    layout = strategy.layout(name, 0)
    pieces = {rank % layout.device_count: values[name] for rank, values in loaded.items() if name in values}
    arrays = {rank: np.asarray(piece._read()) for rank, piece in pieces.items()}
    try:
        array = assembled(arrays, layout, wanted or whole(len(layout.axes)), process_group.rank())
    except ValueError as error:
        raise refused(ValueError, f"For '{_OWNER}', the Parameter {name} cannot be put together: {error}.") from None
    return Parameter(Tensor(array), name=name)


def load_unified(
    network: Cell | None, folder: str, predict_strategy: Any, name_map: dict[str, str] | None, load: Callable[..., Any]
) -> dict[str, Any]:
    """The Parameters in a folder of safetensors files, cut as the strategy says."""
    check_type(_OWNER, "unified_safetensors_dir", folder, str)
    paths = sorted(glob.glob(os.path.join(glob.escape(folder), "*.safetensors")))
    if not paths:
        raise refused(
            ValueError, f"For '{_OWNER}', there are no safetensors files in 'unified_safetensors_dir', {folder}."
        )
    wanted = _predict_layouts(predict_strategy) if isinstance(predict_strategy, dict) else {}
    names = {old: new for new, old in (name_map or {}).items()}
    values: dict[str, Any] = {}
    for path in paths:
        found: dict[str, Any] = load(path, format="safetensors")
        for name, parameter in found.items():
            layout = wanted.get(names.get(name, name))
            if layout is not None:
                array = assembled(
                    {0: np.asarray(parameter._read())}, whole(len(parameter.shape)), layout, process_group.rank()
                )
                parameter = Parameter(Tensor(array), name=name)
            values[names.get(name, name)] = parameter
    if network is not None:
        load_param_into_net(network, values)
    return values


def get_ckpt_path_with_strategy(cur_ckpt_path: str, cur_strategy_path: str) -> str | None:
    """A checkpoint of this rank, or of another that has the same Parameters; None where there is none.

    Args:
        cur_ckpt_path: the path of this rank's checkpoint; 'rank_' and a number stand for the rank.
        cur_strategy_path: the strategy file.

    Examples:
        >>> import os, tempfile
        >>> import mindspore as ms
        >>> folder = tempfile.mkdtemp()
        >>> try:
        ...     ms.get_ckpt_path_with_strategy(os.path.join(folder, "rank_0.ckpt"), os.path.join(folder, "strategy.ckpt"))
        ... except ValueError as error:
        ...     print(type(error).__name__)
        ValueError
    """
    check_type("get_ckpt_path_with_strategy", "cur_ckpt_path", cur_ckpt_path, str)
    if os.path.isfile(cur_ckpt_path):
        return cur_ckpt_path
    strategy = read_strategy("get_ckpt_path_with_strategy", "cur_strategy_path", cur_strategy_path)
    if strategy is None or not re.search(r"rank_\d+", cur_ckpt_path):
        return None
    for rank in _same_pieces(strategy):
        path = re.sub(r"rank_\d+", f"rank_{rank}", cur_ckpt_path)
        if os.path.isfile(path):
            return path
    return None


def _same_pieces(strategy: Strategy) -> list[int]:
    """The ranks that hold the same shards of all Parameters as this rank."""
    same = set(range(strategy.stage_devices))
    for name in strategy.layouts:
        layout = strategy.layout(name, 0)
        shape = [layout.device_count] * len(layout.axes)
        if layout.shares and shape:
            shape[0] *= layout.shares
        mine = layout.region(process_group.rank() % layout.device_count, shape)
        same &= {rank for rank in range(layout.device_count) if layout.region(rank, shape) == mine}
    return sorted(same)


def check_format(format: str, output_format: str) -> None:
    """Check the formats of ``load_distributed_checkpoint``."""
    check_one_of(_OWNER, "format", format, ("ckpt", "safetensors"))
    check_one_of(_OWNER, "output_format", output_format, ("ckpt", "safetensors"))
