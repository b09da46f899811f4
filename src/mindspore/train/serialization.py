"""Checkpoints: Parameters saved to files and loaded back."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore import context  # noqa: F401 - programs take these names from here
from mindspore._checkparam import Validator  # noqa: F401
from mindspore._engine.base import dtype as dtypes
from mindspore._engine.tensor.tensor import Tensor
from mindspore.train._checkpoint.distributed import (
    load_distributed_checkpoint,
    load_segmented_checkpoints,
    transform_checkpoint_by_rank,
    transform_checkpoints,
)
from mindspore.train._checkpoint.distributed_load import get_ckpt_path_with_strategy
from mindspore.train._checkpoint.load_network import ParamDictFuture, load_param_into_net  # noqa: F401
from mindspore.train._checkpoint.parameters import (
    async_ckpt_thread_status,
    check_load_arguments,
    load_checkpoint,
    load_checkpoint_async,
    save_checkpoint,
)
from mindspore.train._checkpoint.sliced import merge_sliced_parameter
from mindspore.train._checkpoint.steps import (  # noqa: F401 - with an underscore in MindSpore too
    _calculation_net_size,
    _check_load_param_into_net,
    _check_prefix,
    _convert_cell_to_param_list,
    _convert_dict_to_param_dict,
    _convert_list_to_param_list,
    _convert_save_obj_to_param_list,
    _exec_save,
    _load_ckpt_into_param_dict,
    _load_dismatch_prefix_params,
    _load_into_param_dict,
    _load_map_parameter,
    _parse_ckpt_proto,
    _save_graph,
    _update_param,
    _whether_load_param,
)
from mindspore.train._checkpoint.transform import rank_list_for_transform
from mindspore.train._formats.ckpt import DTYPES
from mindspore.train._formats.convert import ckpt_to_safetensors, safetensors_to_ckpt
from mindspore.train._formats.earlier import check_checkpoint, convert_model, parse_print
from mindspore.train._formats.export import export, load
from mindspore.train._formats.mindir import export_split_mindir
from mindspore.train._formats.strategy import build_searched_strategy, merge_pipeline_strategys, restore_group_info_list
from mindspore.train.checkpoint_pb2 import Checkpoint  # noqa: F401

__all__ = [
    "async_ckpt_thread_status",
    "build_searched_strategy",
    "check_checkpoint",
    "ckpt_to_safetensors",
    "convert_model",
    "export",
    "export_split_mindir",
    "get_ckpt_path_with_strategy",
    "load",
    "load_checkpoint",
    "load_checkpoint_async",
    "load_distributed_checkpoint",
    "load_param_into_net",
    "load_segmented_checkpoints",
    "merge_pipeline_strategys",
    "merge_sliced_parameter",
    "parse_print",
    "rank_list_for_transform",
    "restore_group_info_list",
    "safetensors_to_ckpt",
    "save_checkpoint",
    "transform_checkpoint_by_rank",
    "transform_checkpoints",
]

tensor_to_ms_type = {name: dtypes.from_numpy(dtype) for name, dtype in DTYPES.items()} | {"str": dtypes.string}
_NUMPY_TYPES = _tensor_to_np_type = {**DTYPES, "str": "U"}
np_type_convert = {"int32": np.int32, "float32": np.float32, "float16": np.float16, "float64": np.float64}
mindir_to_tensor_type = {
    1: dtypes.float32, 2: dtypes.uint8, 3: dtypes.int8, 4: dtypes.uint16, 5: dtypes.int16, 6: dtypes.int32, 7: dtypes.int64,
    10: dtypes.float16, 11: dtypes.float64, 12: dtypes.uint32, 13: dtypes.uint64,
}  # fmt: skip


def tensor_to_np_type(tensor_type_str: str) -> Any:
    """The NumPy type for the name that a dtype has in a checkpoint.

    Examples:
        >>> from mindspore.train.serialization import tensor_to_np_type
        >>> tensor_to_np_type("Float32")
        <class 'numpy.float32'>
    """
    if tensor_type_str not in _NUMPY_TYPES:
        raise KeyError(
            f"For 'tensor_to_np_type', the 'tensor_type_str' must be one of {list(_NUMPY_TYPES)}, but got {tensor_type_str!r}."
        )
    return _NUMPY_TYPES[tensor_type_str]


def _get_merged_param_data(
    net: Any, parameter_layout_dict: Any, param_name: str, param_data: Tensor, integrated_save: bool
) -> Tensor:
    """The whole value of a Parameter: it is never cut here."""
    return param_data


def _check_checkpoint_param(ckpt_file_name: str, filter_prefix: Any = None) -> tuple[str, Any]:
    """The two arguments, checked as ``load_checkpoint`` checks them; loaders of programs for 1.3 to 1.6 call it."""
    return check_load_arguments(ckpt_file_name, filter_prefix), filter_prefix
