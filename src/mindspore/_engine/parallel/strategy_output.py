"""Strategy files: the shardings of a graph's Parameters, read by tools that merge or split its checkpoints."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable
from typing import Any

from jax.sharding import NamedSharding

from mindspore._engine.cluster import process_group
from mindspore._engine.runtime import mesh
from mindspore._engine.runtime.parallel_context import parallel
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.files import atomic_file, wire

_written: dict[str, dict[str, dict[str, Any]]] = {}  # file -> layouts; later graphs add their Parameters


def layout(parameter: Parameter) -> tuple[list[int], list[Any], list[int]]:
    """Device matrix, tensor map (per axis the mesh axes that shard it, counted from the last; -1: none), shard shape."""
    sharding = parameter.__dict__.get("_sharding")
    if not isinstance(sharding, NamedSharding):
        return [1], [-1] * parameter.ndim, list(parameter.shape)
    cutting = mesh.axes_of(sharding, parameter.ndim)
    groups = _groups(list(sharding.mesh.shape), cutting)
    sizes = [math.prod(sharding.mesh.shape[name] for name in group) for group in groups]
    rows: list[Any] = []
    for axes in cutting:
        numbers = [len(groups) - 1 - index for index, group in enumerate(groups) if group[0] in axes]
        rows.append(numbers[0] if len(numbers) == 1 else numbers or -1)
    return sizes, rows, list(sharding.shard_shape(parameter.shape))


def _groups(names: list[str], cutting: list[mesh.Axes]) -> list[list[str]]:
    """Merge neighbouring mesh axes that shard the same dimension: the tensor map needs one number for them."""
    does = {name: number for number, axes in enumerate(cutting) for name in axes}
    groups: list[list[str]] = []
    for name in names:
        if groups and does.get(groups[-1][0]) == does.get(name):
            groups[-1].append(name)
        else:
            groups.append([name])
    return groups


def save(captured: Iterable[Tensor]) -> None:
    """Write the file that ``strategy_ckpt_save_file`` names, if it names one."""
    path = parallel.values.strategy_ckpt_save_file
    if not path:
        return
    only_trainable = parallel.values.strategy_ckpt_config["only_trainable_params"]
    items = _written.setdefault(path, {})
    for tensor in captured:
        if isinstance(tensor, Parameter) and (tensor.requires_grad or not only_trainable):
            items[tensor.name] = _item(tensor)
    target = os.path.abspath(path)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    atomic_file.write(target, [_json(items) if path.endswith(".json") else _message(items)])


def _item(parameter: Parameter) -> dict[str, Any]:
    # A process that has all devices saves whole Parameters.
    sizes, rows, _ = layout(parameter) if process_group.size() > 1 else ([1], [-1] * parameter.ndim, None)
    if any(isinstance(row, list) for row in rows):
        # The empty row tells an axis sharded by two mesh axes from two axes.
        rows = [*(row if isinstance(row, list) else [row] for row in rows), []]
    return {
        "dev_matrix": sizes,
        "tensor_map": rows,
        "param_split_shape": [],
        "indices_offset": [],
        "field": 0,
        "opt_weight_shard_step": 0,
        "opt_weight_shard_size": 0,
    }


def _json(items: dict[str, dict[str, Any]]) -> bytes:
    stage = {"graph": {"stage": 0, "parallel_strategy": {}}}
    text = {"current_stage": 0, "parallel_strategy_item": stage, "parallel_layout_item": items}
    return json.dumps(text).encode()


def _message(items: dict[str, dict[str, Any]]) -> bytes:
    stage = wire.field(1, b"graph") + wire.field(2, wire.number(1, 0))
    layouts = [
        wire.field(3, wire.field(1, name.encode()) + wire.field(2, _fields(item))) for name, item in items.items()
    ]
    return wire.number(1, 0) + wire.field(2, stage) + b"".join(layouts)


def _fields(item: dict[str, Any]) -> bytes:
    rows = item["tensor_map"]
    rows = rows if any(isinstance(row, list) for row in rows) else [rows]
    return wire.field(1, _row(item["dev_matrix"])) + b"".join(wire.field(2, _row(row)) for row in rows)


def _row(numbers: Iterable[int]) -> bytes:
    return b"".join(wire.number(1, number % 2**64) for number in numbers)
