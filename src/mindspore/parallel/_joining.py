"""Parameters that are sharded over ranks or replicated on them: broadcast, synchronised, merged into whole files."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

from mindspore._engine.cluster import process_group
from mindspore._ops.distributed.collective import Broadcast
from mindspore._utils.checks import check_callable, check_int, check_type
from mindspore._utils.files import atomic_file
from mindspore.nn.cell import Cell
from mindspore.train._checkpoint.parameters import load_checkpoint, save_checkpoint
from mindspore.train._checkpoint.transform import checkpoints_of_ranks, read_strategy, transformed


def parameter_broadcast(net: Cell, layout: dict[str, Any], cur_rank: int = 0, initial_rank: int = 0) -> None:
    """Broadcast the Parameters of one rank. Sharded Parameters, of which each rank holds its own shard, stay.

    Args:
        net: the network; all processes call this with the same network.
        layout: how its Parameters are cut, as ``Model.infer_train_layout`` gives it. Known here without.
        cur_rank: this process. Known here without.
        initial_rank: whose Parameters are taken.

    Examples:
        >>> from mindspore import nn
        >>> from mindspore.parallel import parameter_broadcast
        >>> parameter_broadcast(nn.Dense(2, 3), {})
    """
    owner = "parameter_broadcast"
    check_type(owner, "net", net, Cell)
    check_type(owner, "layout", layout, dict)
    check_int(owner, "cur_rank", cur_rank, 0)
    check_int(owner, "initial_rank", initial_rank, 0, process_group.size() - 1)
    copies = [
        param for param in net.get_parameters() if not param.has_init and param._value.sharding.is_fully_replicated
    ]
    if copies:
        for parameter, value in zip(copies, Broadcast(initial_rank)(tuple(copies)), strict=True):
            parameter.set_data(value)


def sync_pipeline_shared_parameters(net: Cell) -> None:
    """Make Parameters that several pipeline stages share equal. They are: stages begin with the same, and one updates it.

    Examples:
        >>> from mindspore import nn
        >>> from mindspore.parallel import sync_pipeline_shared_parameters
        >>> sync_pipeline_shared_parameters(nn.Dense(2, 3))
    """
    check_type("sync_pipeline_shared_parameters", "net", net, Cell)


def unified_safetensors(
    src_dir: str,
    src_strategy_file: str,
    dst_dir: str,
    merge_with_redundancy: bool = True,
    file_suffix: str | None = None,
    max_process_num: int = 64,
    choice_func: Callable[[str], Any] | None = None,
    split_dst_file: tuple[Any, ...] = (),
) -> None:
    """Merge the shards in the checkpoints of all ranks into one safetensors file of whole Parameters.

    Args:
        src_dir: a folder with folders 'rank_0', 'rank_1', ..., of which the last file counts.
        src_strategy_file: the strategy that the checkpoints were saved with.
        dst_dir: where 'part0.safetensors' and 'param_name_map.json' are written.
        merge_with_redundancy, max_process_num, split_dst_file: accepted; one process reads each part once.
        file_suffix: what the names of the files to be read end with, before '.ckpt' or '.safetensors'; None for any.
        choice_func: says by name whether a Parameter is kept, or returns its new name.
    """
    owner = "unified_safetensors"
    for name, value in (("src_dir", src_dir), ("src_strategy_file", src_strategy_file), ("dst_dir", dst_dir)):
        check_type(owner, name, value, str)
    if choice_func is not None:
        check_callable(owner, "choice_func", choice_func)
    strategy = read_strategy(owner, "src_strategy_file", src_strategy_file)
    files = checkpoints_of_ranks(src_dir, file_suffix)
    if not files:
        raise ValueError(f"For '{owner}', there are no folders 'rank_0', 'rank_1', ... with checkpoints in {src_dir}.")
    entries = transformed(0, {rank: load_checkpoint(path, format=path.rpartition(".")[2]) for rank, path in files.items()}, strategy, None)  # fmt: skip
    kept = []
    for entry in entries:
        choice = True if choice_func is None else choice_func(entry["name"])
        if choice:
            kept.append({**entry, "name": choice if isinstance(choice, str) else entry["name"]})
    os.makedirs(dst_dir, exist_ok=True)
    save_checkpoint(kept, os.path.join(dst_dir, "part0.safetensors"), format="safetensors")
    names = {entry["name"]: "part0.safetensors" for entry in kept}
    atomic_file.write(os.path.join(os.path.abspath(dst_dir), "param_name_map.json"), [json.dumps(names).encode()])
