"""Resharding of checkpoints for another number of devices, by their strategy files."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils import log
from mindspore._utils.checks import check_int, check_one_of, check_type
from mindspore._utils.refusals import refused
from mindspore.train._checkpoint.sliced import SliceLayout, assembled, layout_of, needed_ranks, whole
from mindspore.train._formats.strategy import ParallelLayouts, build_searched_strategy


class Strategy(NamedTuple):
    """The layouts of all Parameters, by name and pipeline stage."""

    layouts: dict[str, dict[int, SliceLayout]]
    stage_devices: int
    stage_count: int

    def stages(self, name: str) -> list[int]:
        return sorted(self.layouts.get(name, ()))

    def layout(self, name: str, stage: int) -> SliceLayout:
        """The layout in a stage, or in the first stage that has the Parameter."""
        by_stage = self.layouts[name]
        return by_stage.get(stage, by_stage[min(by_stage)])


def read_strategy(owner: str, argument: str, source: str | dict[str, ParallelLayouts] | None) -> Strategy | None:
    """A strategy from a file; names that begin with a number and '-' belong to that stage."""
    if source is None:
        return None
    messages = source if isinstance(source, dict) else build_searched_strategy(source)
    if not messages:
        raise refused(ValueError, f"For '{owner}', the '{argument}' is empty: {source}.")
    layouts: dict[str, dict[int, SliceLayout]] = {}
    for key, message in messages.items():
        found = re.fullmatch(r"(\d+)-(.*)", key)
        stage, name = (int(found[1]), found[2]) if found else (0, key)
        try:
            layouts.setdefault(name, {})[stage] = layout_of(message)
        except ValueError as error:
            raise refused(ValueError, f"For '{owner}', '{argument}' cannot be used for {name}: {error}.") from None
    stages = {stage for by_stage in layouts.values() for stage in by_stage}
    if stages != set(range(len(stages))):
        raise refused(
            ValueError, f"For '{owner}', the '{argument}' does not contain all stages, only {sorted(stages)}."
        )
    devices = next(iter(next(iter(layouts.values())).values())).device_count
    return Strategy(layouts, devices, len(stages))


# -- which files are needed -------------------------------------------------------------------------------------------
def rank_list_for_transform(
    rank_id: int, src_strategy_file: str | None = None, dst_strategy_file: str | None = None
) -> list[int]:
    """The ranks whose checkpoints are needed to make the one of ``rank_id``.

    Args:
        rank_id: the rank after the change.
        src_strategy_file: the strategy that the checkpoints were saved with; None for one device.
        dst_strategy_file: the strategy wanted; None for one device.

    Examples:
        >>> import json, os, tempfile
        >>> from mindspore.train.serialization import rank_list_for_transform
        >>> path = os.path.join(tempfile.mkdtemp(), "strategy.json")
        >>> with open(path, "w") as stream:
        ...     json.dump({"parallel_layout_item": {"w": {"dev_matrix": [4], "tensor_map": [0, -1]}}}, stream)
        >>> rank_list_for_transform(0, path)
        [3, 2, 1, 0]
    """
    check_int("rank_list_for_transform", "rank_id", rank_id, low=0)
    source = read_strategy("rank_list_for_transform", "src_strategy_file", src_strategy_file)
    target = read_strategy("rank_list_for_transform", "dst_strategy_file", dst_strategy_file)
    return _needed(rank_id, source, target)


def _needed(rank: int, source: Strategy | None, target: Strategy | None) -> list[int]:
    if source is None:
        return [0]
    local, stage = _rank_in_stage(rank, target)
    ranks: set[int] = set()
    for name in source.layouts:
        if target is not None and stage not in target.stages(name):
            continue
        for source_stage in source.stages(name):
            layout = source.layout(name, source_stage)
            wanted = whole(len(layout.axes)) if target is None else target.layout(name, stage)
            size = layout.device_count * wanted.device_count  # an axis that both can shard
            found = needed_ranks(layout, wanted, local, [size] * len(layout.axes))
            ranks.update(source_stage * source.stage_devices + source_rank for source_rank in found)
    return sorted(ranks, reverse=True)


def _rank_in_stage(rank: int, target: Strategy | None) -> tuple[int, int]:
    """The number of a rank in its stage, and the stage."""
    if target is None:
        return 0, 0
    return rank % target.stage_devices, rank // target.stage_devices


# -- one rank ---------------------------------------------------------------------------------------------------------
def transformed(
    rank: int, loaded: dict[int, dict[str, Any]], source: Strategy | None, target: Strategy | None
) -> list[dict[str, Any]]:
    """What the checkpoint of a rank holds, from the Parameters of other ranks."""
    local, stage = _rank_in_stage(rank, target)
    devices = source.stage_devices if source else 1
    made: dict[str, Any] = {}
    for name in dict.fromkeys(name for values in loaded.values() for name in values):
        in_source, in_target = source is None or name in source.layouts, target is None or name in target.layouts
        if target is not None and in_target and stage not in target.stages(name):
            continue
        pieces = {number % devices: values[name] for number, values in loaded.items() if name in values}
        nearest = pieces.get(local % devices, next(iter(pieces.values())))
        if not (in_source and in_target) or (source is None and target is None) or isinstance(nearest, str):
            made[name] = nearest  # such as a step counter, which no strategy shards
            continue
        dimensions = len(nearest.shape)
        given = whole(dimensions) if source is None else source.layout(name, source.stages(name)[0])
        wanted = whole(dimensions) if target is None else target.layout(name, stage)
        arrays = {number: np.asarray(piece._read()) for number, piece in pieces.items()}
        try:
            array = assembled(arrays, given, wanted, local)
        except ValueError as error:
            raise ValueError(f"The Parameter {name} of rank {rank} cannot be made: {error}.") from None
        made[name] = Parameter(Tensor(array), name, nearest.requires_grad, nearest.layerwise_parallel)
    return [{"name": name, "data": array} for name, array in made.items() if not isinstance(array, str)]


def transform_by_rank(
    rank_id: int,
    files: dict[int, str],
    target_file: str,
    strategies: tuple[str | None, str | None],
    load: Callable[..., dict[str, Any]],
    save: Callable[..., None],
) -> None:
    """Write the checkpoint of one rank; ``files`` are those of the ranks that it needs."""
    owner = "transform_checkpoint_by_rank"
    check_int(owner, "rank_id", rank_id, low=0)
    check_type(owner, "checkpoint_files_map", files, dict)
    check_type(owner, "save_checkpoint_file_name", target_file, str)
    if not target_file.endswith(".ckpt"):
        raise refused(
            ValueError,
            f"For '{owner}', the 'save_checkpoint_file_name' should end with .ckpt, but got {target_file!r}.",
        )
    for rank, path in files.items():
        if not os.path.exists(path):
            raise refused(ValueError, f"For '{owner}', the checkpoint file {path} of rank {rank} does not exist.")
    source = read_strategy(owner, "src_strategy_file", strategies[0])
    target = read_strategy(owner, "dst_strategy_file", strategies[1])
    loaded = {rank: load(path) for rank, path in files.items()}
    save(transformed(rank_id, loaded, source, target), target_file)


# -- all ranks --------------------------------------------------------------------------------------------------------
def transform_all(
    folders: tuple[str, str],
    prefix: str,
    strategies: tuple[str | None, str | None],
    output_format: str,
    load: Callable[..., dict[str, Any]],
    save: Callable[..., None],
) -> None:
    """Write the checkpoints of all ranks of a strategy."""
    owner = "transform_checkpoints"
    for name, value in (
        ("src_checkpoints_dir", folders[0]),
        ("dst_checkpoints_dir", folders[1]),
        ("ckpt_prefix", prefix),
    ):
        check_type(owner, name, value, str)
    check_one_of(owner, "output_format", output_format, ("ckpt", "safetensors"))
    if not os.path.isdir(folders[0]):
        raise NotADirectoryError(f"For '{owner}', src_checkpoints_dir {folders[0]} is not a directory.")
    source = read_strategy(owner, "src_strategy_file", strategies[0])
    target = read_strategy(owner, "dst_strategy_file", strategies[1])
    files = checkpoints_of_ranks(folders[0])
    ranks = range(target.stage_devices * target.stage_count if target else 1)
    needed = {rank: _needed(rank, source, target) for rank in ranks}
    for rank, wanted in needed.items():
        for number in wanted:
            if number not in files:
                raise ValueError(
                    f"The checkpoint file of rank{number} is needed for converting rank{rank}'s checkpoint, but it is missing in "
                    f"{folders[0]}."
                )
    cached: dict[int, dict[str, Any]] = {}
    for rank, wanted in needed.items():
        for number in set(cached) - set(wanted):
            del cached[number]
        cached.update({number: load(files[number]) for number in wanted if number not in cached})
        folder = os.path.join(folders[1], f"rank_{rank}")
        os.makedirs(folder, exist_ok=True)
        values = transformed(rank, cached, source, target)
        save(values, os.path.join(folder, f"{prefix}{rank}.{output_format}"), format=output_format)


def checkpoints_of_ranks(folder: str, suffix: str | None = None) -> dict[int, str]:
    """The last checkpoint in each of the folders 'rank_0', 'rank_1', ..., of those whose names end so, if this is said."""
    found: dict[int, str] = {}
    for rank_folder in glob.glob(os.path.join(glob.escape(folder), "rank_[0-9]*")):
        number = os.path.basename(rank_folder).partition("_")[2]
        files = sorted(_checkpoints_in(rank_folder)) if os.path.isdir(rank_folder) and number.isdigit() else []
        files = [path for path in files if suffix is None or os.path.splitext(path)[0].endswith(suffix)]
        if files:
            found[int(number)] = files[-1]
        else:
            log.warning("For 'transform_checkpoints', %s is not a folder of checkpoints; it is left out.", rank_folder)
    return found


def _checkpoints_in(folder: str) -> Iterable[str]:
    names = sorted(os.listdir(folder))
    suffix = ".ckpt" if any(name.endswith(".ckpt") for name in names) else ".safetensors"
    return (os.path.join(folder, name) for name in names if name.endswith(suffix))
