"""``mindspore.train._utils``: small functions that libraries of training code import."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.python_dtypes import pytype_to_dtype
from mindspore._engine.runtime.context import get_auto_parallel_context
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import check_type
from mindspore._utils.progress import progress
from mindspore._utils.refusals import refused
from mindspore.train._formats.strategy import build_searched_strategy
from mindspore.train.checkpoint_pb2 import Checkpoint
from mindspore.train.mind_ir_pb2 import ModelProto
from mindspore.train.summary._values import checked

__all__ = [
    "_construct_tensor_list", "_convert_type", "_get_types_and_shapes", "_make_directory", "_progress_bar", "_to_tensor",
    "check_summary_param", "check_value_type", "enable_data_broadcast", "get_parameter_redundancy", "parse_hccl_file",
    "parse_strategy_ckpt", "read_proto", "remove_param_redundancy",
]  # fmt: skip


def _make_directory(path: str, arg_name: str = "path") -> str:
    """Make a folder if it is not there; returns its whole path."""
    if not isinstance(path, str):
        raise TypeError(f"The {arg_name} is invalid, the type should be string, but got {type(path).__name__}.")
    if not path.strip():
        raise ValueError(f"The {arg_name} is invalid, it should be non-blank.")
    folder = os.path.realpath(path)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    return folder


def check_value_type(arg_name: str, arg_value: Any, valid_types: Any) -> None:
    """An error if a value is of none of these types; a bool is no int."""
    kinds = tuple(valid_types) if isinstance(valid_types, Iterable) else (valid_types,)
    if not isinstance(arg_value, kinds) or (isinstance(arg_value, bool) and bool not in kinds):
        names = [kind.__name__ for kind in kinds]
        raise TypeError(
            f"For `{arg_name}` the type should be a valid type of {names}, but got {type(arg_value).__name__}."
        )


def _to_tensor(elem: Any, scaling_sens: Any = None) -> tuple:
    """A batch as a tuple of Tensors, with the scale of the loss after it if one is given."""
    values = elem if isinstance(elem, (list, tuple)) else [elem]
    tensors = tuple(Tensor(value) if isinstance(value, np.ndarray) else value for value in values)
    return tensors if scaling_sens is None else (*tensors, Tensor(scaling_sens, dtypes.float32))


def _convert_type(types: Sequence[Any]) -> list[dtypes.DType]:
    """NumPy types as dtypes."""
    return [pytype_to_dtype(kind) for kind in types]


def _construct_tensor_list(
    types: Sequence[Any], shapes: Sequence[Sequence[int]], batch_expand_num: int = 1
) -> list[Tensor]:
    """Tensors of these dtypes and shapes, filled with zeros; the first axis is multiplied."""
    if len(types) != len(shapes):
        raise refused(
            ValueError,
            f"For '_construct_tensor_list', the 'types' and 'shapes' must have the same length, but got {len(types)} and {len(shapes)}.",
        )
    sizes = [[size * (batch_expand_num if axis == 0 else 1) for axis, size in enumerate(shape)] for shape in shapes]
    return [Tensor(np.zeros(shape, dtypes.dtype_to_nptype(kind))) for kind, shape in zip(types, sizes, strict=True)]


def _get_types_and_shapes(dataset: Any) -> tuple[list[dtypes.DType], list[list[int]]]:
    """The dtypes and shapes of a dataset's columns."""
    return _convert_type(dataset.output_types()), dataset.output_shapes()


def check_summary_param(summary_name: str, tag: str, tensor: Any) -> None:
    """An error if a summary cannot take this value."""
    checked(summary_name.removesuffix("Summary").lower(), tag, tensor)


def enable_data_broadcast() -> bool:
    """Whether one process of a group reads the data for the others."""
    return get_auto_parallel_context("dataset_strategy") == "data_broadcast"


def _progress_bar(iterable: Iterable[Any], total: int | None = None) -> Iterator[Any]:
    """The values of something, with a bar that shows how many of them are done."""
    return progress(iterable, "progress", total)


# -- how Parameters are spread over devices -------------------------------------------------------------------------------
def parse_strategy_ckpt(file_name: str) -> dict[str, list[Any]]:
    """The arrangement of devices and the cut axes of each Parameter in a strategy file."""
    found = build_searched_strategy(file_name) or {}
    return {
        name: [list(layout.dev_matrix[0].dim), list(layout.tensor_map[0].dim), [], layout.field, layout.opt_weight_shard_step,
               layout.opt_weight_shard_size]
        for name, layout in found.items()
    }  # fmt: skip


def get_parameter_redundancy(
    layout_obj: Any, initial_rank: int | None = None
) -> dict[str, tuple[tuple[int, ...], ...]]:
    """The ranks that hold the same piece of each Parameter.

    Args:
        layout_obj: the path of a strategy file, a network that was compiled, or ``{name: (devices, cut axes, ...)}``.
        initial_rank: the first rank of the stage. Default: 0.

    Examples:
        >>> from mindspore.train._utils import get_parameter_redundancy
        >>> get_parameter_redundancy({"w": ([2, 2], [0, -1])})
        {'w': ((0, 2), (1, 3))}
    """
    if isinstance(layout_obj, str):
        layouts: Any = parse_strategy_ckpt(layout_obj)
    else:
        layouts = layout_obj if isinstance(layout_obj, dict) else layout_obj.parameter_layout_dict
    found = {name: _same_pieces(layout[0], layout[1], initial_rank or 0) for name, layout in layouts.items()}
    return dict(sorted(found.items()))


def _same_pieces(devices: Sequence[int], axes: Sequence[Any], first: int) -> tuple[tuple[int, ...], ...]:
    cutting = [
        axis for given in axes for axis in (given if isinstance(given, (list, tuple)) else [given]) if axis != -1
    ]
    groups: dict[tuple[int, ...], list[int]] = {}
    for rank, position in enumerate(itertools.product(*map(range, devices))):
        # axes of devices are counted from the last
        groups.setdefault(tuple(position[len(devices) - 1 - axis] for axis in cutting), []).append(first + rank)
    return tuple(tuple(groups[piece]) for piece in sorted(groups, key=lambda piece: piece[::-1]))


def remove_param_redundancy(param_redundancy_dict: dict[str, Any], keep_redundancy: int = 1) -> dict[int, set[str]]:
    """The Parameters that each rank saves, so that the first ``keep_redundancy`` of the ranks that hold a piece save it.

    Examples:
        >>> from mindspore.train._utils import remove_param_redundancy
        >>> {rank: sorted(names) for rank, names in remove_param_redundancy({"a": ((0, 1),), "b": ((0,), (1,))}).items()}
        {0: ['a', 'b'], 1: ['b']}
    """
    check_type("remove_param_redundancy", "param_redundancy_dict", param_redundancy_dict, dict)
    saved: dict[int, set[str]] = {}
    for name, groups in param_redundancy_dict.items():
        for copy in range(keep_redundancy):
            for group in groups:
                if copy < len(group):
                    saved.setdefault(group[copy], set()).add(name)
    return saved


def parse_hccl_file(hccl_file_path: str) -> dict[str, str]:
    """The address of each rank's device in a rank table file."""
    with open(hccl_file_path, encoding="utf-8") as stream:
        table = json.load(stream)
    return {device["rank_id"]: device["device_ip"] for server in table["server_list"] for device in server["device"]}


def read_proto(file_name: str, proto_format: str = "MINDIR", display_data: bool = False) -> Any:
    """The message in a file of MindSpore's graphs ('MINDIR') or in a checkpoint ('CKPT'), as an object with its fields.

    Args:
        file_name: the file.
        proto_format: what is in it.
        display_data: whether the content of Tensors is kept; one zero byte stands for each of them otherwise.

    Examples:
        >>> import os, tempfile
        >>> import mindspore as ms
        >>> from mindspore import nn
        >>> from mindspore.train._utils import read_proto
        >>> path = os.path.join(tempfile.mkdtemp(), "net.ckpt")
        >>> ms.save_checkpoint(nn.Dense(2, 3), path)
        >>> [value.tag for value in read_proto(path, "CKPT").value]
        ['weight', 'bias']
    """
    if proto_format not in ("MINDIR", "CKPT"):
        raise refused(
            ValueError,
            f"For 'read_proto', the 'proto_format' must be 'MINDIR' or 'CKPT', but got {proto_format!r}: it is unsupported.",
        )
    try:
        with open(file_name, "rb") as stream:
            model = (ModelProto if proto_format == "MINDIR" else Checkpoint).FromString(stream.read())
    except (OSError, ValueError) as error:
        raise refused(
            ValueError,
            f"For 'read_proto', the file {file_name!r} must be one of format {proto_format!r}, but reading it failed: {error}",
        ) from None
    if not display_data:
        for parameter in model.graph.parameter if proto_format == "MINDIR" else ():
            parameter.raw_data = b"\0"
        for value in model.value if proto_format == "CKPT" else ():
            value.tensor.tensor_content = b"\0"
    return model
