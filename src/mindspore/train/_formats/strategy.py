"""Strategy files: how the Parameters of a training on several devices were sharded, as protobuf (.ckpt) or JSON."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from mindspore._utils.checks import check_type
from mindspore._utils.files import atomic_file, wire
from mindspore._utils.refusals import refused


@dataclass
class Dims:
    """A row of numbers."""

    dim: list[int]


@dataclass
class ParallelLayouts:
    """How a Parameter was sharded, with the names of MindSpore's message.

    Attributes:
        dev_matrix: how the devices are arranged.
        tensor_map: for each axis of the Parameter the axis of devices that cuts it, counted from the last; -1 for none.
        param_split_shape: the sizes of pieces that are not equal.
        opt_weight_shard_step: the distance of the devices that share a piece further, along its first axis.
        opt_weight_shard_size: how many they are.
    """

    dev_matrix: list[Dims] = field(default_factory=list)
    tensor_map: list[Dims] = field(default_factory=list)
    param_split_shape: list[Dims] = field(default_factory=list)
    indices_offset: list[Dims] = field(default_factory=list)
    field: int = 0
    opt_weight_shard_step: int = 0
    opt_weight_shard_size: int = 0


_LISTS = {1: "dev_matrix", 2: "tensor_map", 3: "param_split_shape", 4: "indices_offset"}
_NUMBERS = {5: "field", 6: "opt_weight_shard_step", 7: "opt_weight_shard_size"}


def build_searched_strategy(strategy_filename: str | None) -> dict[str, ParallelLayouts] | None:
    """The layout of each Parameter in a strategy file.

    Args:
        strategy_filename: a file that ends with '.json', or any other that is protobuf.

    Examples:
        >>> import json, os, tempfile
        >>> from mindspore.train.serialization import build_searched_strategy
        >>> path = os.path.join(tempfile.mkdtemp(), "strategy.json")
        >>> layout = {"dev_matrix": [2], "tensor_map": [0, -1], "field": 0,
        ...           "opt_weight_shard_step": 0, "opt_weight_shard_size": 0}
        >>> with open(path, "w") as stream:
        ...     json.dump({"parallel_layout_item": {"weight": layout}}, stream)
        >>> build_searched_strategy(path)["weight"].tensor_map[0].dim
        [0, -1]
    """
    if strategy_filename is None:
        return None
    content = _content("build_searched_strategy", "strategy_filename", strategy_filename)
    if strategy_filename.endswith(".json"):
        items = _json(strategy_filename, content).get("parallel_layout_item") or {}
        return {name: _from_json(strategy_filename, name, item) for name, item in items.items()}
    return {name: _from_message(message) for name, message in _layout_items(strategy_filename, content)}


def _content(owner: str, argument: str, path: Any) -> bytes:
    check_type(owner, argument, path, str)
    if not os.path.isfile(path):
        raise refused(
            ValueError, f"For '{owner}', no such strategy file: {path}. Please check whether the '{argument}' exists."
        )
    content = bytes(atomic_file.contents(path))
    if not content:
        raise refused(
            ValueError, f"For '{owner}', the strategy file {path} should not be empty. Check the '{argument}'."
        )
    return content


def _json(path: str, content: bytes) -> dict[str, Any]:
    try:
        read = json.loads(content)
    except (ValueError, RecursionError):
        read = None
    if not isinstance(read, dict):
        raise ValueError(f"The strategy file {path} ends with '.json', but it is not JSON.")
    return read


def _from_json(path: str, name: str, item: Any) -> ParallelLayouts:
    if not isinstance(item, dict) or "dev_matrix" not in item or "tensor_map" not in item:
        raise ValueError(f"The strategy file {path} has no 'dev_matrix' and 'tensor_map' for '{name}'.")
    maps = item["tensor_map"]
    nested = any(isinstance(axis_map, list) for axis_map in maps)
    layout = ParallelLayouts(
        [Dims(list(item["dev_matrix"]))],
        [Dims(axis_map if isinstance(axis_map, list) else [axis_map]) for axis_map in maps]
        if nested
        else [Dims(list(maps))],
        [Dims(list(item.get("param_split_shape") or []))],
        [Dims(list(item.get("indices_offset") or []))],
    )
    for key in _NUMBERS.values():
        setattr(layout, key, int(item.get(key) or 0))
    return layout


def _layout_items(path: str, content: bytes) -> Iterator[tuple[str, memoryview]]:
    try:
        for number, value in wire.fields(memoryview(content)):
            if number == 3 and not isinstance(value, int):
                parts = dict(wire.fields(value))
                yield bytes(parts[1]).decode(), parts[2]
    except (wire.WireError, KeyError, TypeError, UnicodeDecodeError):
        raise TypeError(
            f"The strategy file {path} should be JSON or protobuf. A file whose name does not end with '.json' is read as "
            "protobuf, and it is not."
        ) from None


def _from_message(message: memoryview) -> ParallelLayouts:
    layout = ParallelLayouts()
    for number, value in wire.fields(message):
        if number in _LISTS:
            getattr(layout, _LISTS[number]).append(Dims([_signed(item) for _, item in wire.fields(value)]))
        elif number in _NUMBERS:
            setattr(layout, _NUMBERS[number], _signed(value))
    return layout


def _signed(value: int) -> int:
    return value - 2**64 if value >= 2**63 else value


# -- stages -----------------------------------------------------------------------------------------------------------
def merge_pipeline_strategys(src_strategy_dirs: str, dst_strategy_file: str) -> None:
    """Join the strategy files of all pipeline stages in a folder: each name then begins with its stage and '-'.

    Args:
        src_strategy_dirs: the folder.
        dst_strategy_file: the file to write.

    Raises:
        NotADirectoryError: there is no such folder.

    Examples:
        >>> import mindspore as ms
        >>> import tempfile
        >>> folder, target = tempfile.mkdtemp(), tempfile.mkdtemp()
        >>> try:
        ...     ms.merge_pipeline_strategys(folder, target + "/whole.ckpt")
        ... except ValueError as error:
        ...     print(type(error).__name__)
        ValueError
    """
    check_type("merge_pipeline_strategys", "dst_strategy_file", dst_strategy_file, str)
    if not os.path.isdir(src_strategy_dirs):
        raise NotADirectoryError(f"src_strategy_dirs {src_strategy_dirs} is not a directory.")
    names = sorted(os.listdir(src_strategy_dirs))
    binary = [os.path.join(src_strategy_dirs, name) for name in names if name.endswith(".ckpt")]
    text = [os.path.join(src_strategy_dirs, name) for name in names if name.endswith(".json")]
    if bool(binary) == bool(text):
        raise ValueError(
            f"The strategy files in {src_strategy_dirs} should be all '.ckpt' or all '.json', but got {names[:5]}."
        )
    target = os.path.abspath(dst_strategy_file)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    atomic_file.write(target, [_merged_messages(binary) if binary else _merged_json(text)])


def _merged_messages(paths: list[str]) -> bytes:
    items, layouts, stages = [], [], set()
    for path in paths:
        content = _content("merge_pipeline_strategys", "src_strategy_dirs", path)
        found = [bytes(value) for number, value in wire.fields(memoryview(content)) if number == 2]
        named = list(_layout_items(path, content))
        if not found or not named:
            raise ValueError(f"The strategy file {path} is empty.")
        stage = dict(wire.fields(memoryview(dict(wire.fields(memoryview(found[0])))[2]))).get(1, 0)
        if stage in stages:
            continue
        stages.add(stage)
        items += [wire.field(2, entry) for entry in found]
        for name, layout in named:
            layouts.append(wire.field(3, wire.field(1, f"{stage}-{name}".encode()) + wire.field(2, layout)))
    return wire.number(1, 1) + b"".join(items + layouts)


def _merged_json(paths: list[str]) -> bytes:
    merged: dict[str, Any] = {"current_stage": 1, "parallel_strategy_item": {}, "parallel_layout_item": {}}
    stages = set()
    for path in paths:
        read = _json(path, _content("merge_pipeline_strategys", "src_strategy_dirs", path))
        items, layouts = read.get("parallel_strategy_item"), read.get("parallel_layout_item")
        if not items or not layouts:
            raise ValueError(f"The strategy file {path} is empty.")
        stage = next(iter(items.values())).get("stage")
        if stage in stages:
            continue
        stages.add(stage)
        merged["parallel_strategy_item"] |= items
        merged["parallel_layout_item"] |= {f"{stage}-{name}": layout for name, layout in layouts.items()}
    return json.dumps(merged).encode()


def restore_group_info_list(group_info_file_name: str) -> list[int]:
    """The ranks that have the same Parameters, from a file of group information.

    Raises:
        ValueError: there is no such file, or it has no list of ranks.
    """
    check_type("restore_group_info_list", "group_info_file_name", group_info_file_name, str)
    if not os.path.isfile(group_info_file_name):
        raise refused(
            ValueError, f"For 'restore_group_info_list', no such group information file: {group_info_file_name}."
        )
    try:
        found = [value for number, value in wire.fields(atomic_file.contents(group_info_file_name)) if number == 2]
        ranks = [rank for _, rank in wire.fields(found[0])] if found else []
    except (wire.WireError, TypeError):
        ranks = []
    if not ranks:
        raise refused(
            ValueError,
            "For 'restore_group_info_list', the group information file has no restore rank list: "
            f"{group_info_file_name}.",
        )
    return ranks
