"""The public functions for checkpoints of several devices."""

from __future__ import annotations

import functools
import glob
import os
from collections.abc import Callable, Iterable
from typing import Any

from mindspore._utils.checks import check_type
from mindspore._utils.refusals import refused
from mindspore.nn.cell import Cell
from mindspore.train._checkpoint.distributed_load import check_format, load_pieces, load_unified
from mindspore.train._checkpoint.parameters import load_checkpoint, save_checkpoint
from mindspore.train._checkpoint.transform import transform_all, transform_by_rank


def transform_checkpoint_by_rank(
    rank_id: int,
    checkpoint_files_map: dict[int, str],
    save_checkpoint_file_name: str,
    src_strategy_file: str | None = None,
    dst_strategy_file: str | None = None,
) -> None:
    """Make the checkpoint of one rank from those of another arrangement of devices.

    Args:
        rank_id: the rank after the change.
        checkpoint_files_map: the files of the ranks that ``rank_list_for_transform`` gives.
        save_checkpoint_file_name: the file to write, which ends with '.ckpt'.
        src_strategy_file: the strategy that the checkpoints were saved with; None for one device.
        dst_strategy_file: the strategy wanted; None for one device.

    Examples:
        >>> import json, os, tempfile
        >>> import mindspore as ms
        >>> from mindspore.train.serialization import transform_checkpoint_by_rank
        >>> folder = tempfile.mkdtemp()
        >>> strategy, files = os.path.join(folder, "s.json"), {}
        >>> with open(strategy, "w") as stream:
        ...     json.dump({"parallel_layout_item": {"w": {"dev_matrix": [2], "tensor_map": [0]}}}, stream)
        >>> for rank in range(2):
        ...     files[rank] = os.path.join(folder, f"{rank}.ckpt")
        ...     ms.save_checkpoint([{"name": "w", "data": ms.Tensor([rank])}], files[rank])
        >>> transform_checkpoint_by_rank(0, files, os.path.join(folder, "all.ckpt"), strategy)
        >>> print(ms.load_checkpoint(os.path.join(folder, "all.ckpt"))["w"].asnumpy())
        [0 1]
    """
    strategies = (src_strategy_file, dst_strategy_file)
    transform_by_rank(
        rank_id, checkpoint_files_map, save_checkpoint_file_name, strategies, load_checkpoint, save_checkpoint
    )


def transform_checkpoints(
    src_checkpoints_dir: str,
    dst_checkpoints_dir: str,
    ckpt_prefix: str,
    src_strategy_file: str | None = None,
    dst_strategy_file: str | None = None,
    process_num: int = 1,
    output_format: str = "ckpt",
) -> None:
    """Make the checkpoints of all ranks from those of another arrangement of devices.

    Args:
        src_checkpoints_dir: a folder with folders 'rank_0', 'rank_1', ..., of which the last file counts.
        dst_checkpoints_dir: the folder to write to, in the same form.
        ckpt_prefix: what the names of the new files begin with; the rank follows.
        src_strategy_file: the strategy that the checkpoints were saved with; None for one device.
        dst_strategy_file: the strategy wanted; None for one device.
        process_num: accepted; files are written one after the other.
        output_format: 'ckpt' or 'safetensors'.

    Examples:
        >>> import os, tempfile
        >>> import mindspore as ms
        >>> from mindspore import nn
        >>> folder, target = tempfile.mkdtemp(), tempfile.mkdtemp()
        >>> os.mkdir(os.path.join(folder, "rank_0"))
        >>> _ = ms.save_checkpoint(nn.Dense(2, 1), os.path.join(folder, "rank_0", "a.ckpt"))
        >>> ms.transform_checkpoints(folder, target, "net")
        >>> os.listdir(target)
        ['rank_0']
    """
    folders, strategies = (src_checkpoints_dir, dst_checkpoints_dir), (src_strategy_file, dst_strategy_file)
    transform_all(folders, ckpt_prefix, strategies, output_format, load_checkpoint, save_checkpoint)


def load_distributed_checkpoint(
    network: Cell | None,
    checkpoint_filenames: list[str] | None = None,
    predict_strategy: Any = None,
    train_strategy_filename: str | None = None,
    strict_load: bool = False,
    dec_key: bytes | None = None,
    dec_mode: str = "AES-GCM",
    format: str = "ckpt",
    unified_safetensors_dir: str | None = None,
    dst_safetensors_dir: str | None = None,
    rank_id: int | None = None,
    output_format: str = "safetensors",
    name_map: dict[str, str] | None = None,
    max_process_num: int = 64,
    return_param_dict: bool = False,
) -> Any:
    """Load the checkpoints of all devices of a training into a network.

    Args:
        network: the network.
        checkpoint_filenames: the files, in the order of the ranks.
        predict_strategy: how the network's Parameters are cut, as ``infer_predict_layout`` gives it; None for whole Parameters.
        train_strategy_filename: the strategy file of the training.
        strict_load: see ``load_param_into_net``.
        dec_key: the key that the files were encrypted with.
        dec_mode: how they were encrypted.
        format: 'ckpt', or 'safetensors' for a folder of files that were put together before.
        unified_safetensors_dir: that folder.
        dst_safetensors_dir: where to write the Parameters when there is no network.
        rank_id: the rank whose file is written there.
        output_format: 'safetensors' or 'ckpt', for the file that is written.
        name_map: the names in the folder, by the names in the network.
        max_process_num: accepted; files are read one after the other.
        return_param_dict: whether the Parameters are returned, for format 'safetensors'.

    Examples:
        >>> import os, tempfile
        >>> import mindspore as ms
        >>> from mindspore import nn
        >>> path = os.path.join(tempfile.mkdtemp(), "rank_0.ckpt")
        >>> net = nn.Dense(2, 1)
        >>> _ = ms.save_checkpoint(net, path)
        >>> ms.load_distributed_checkpoint(net, [path])
        True
    """
    check_format(format, output_format)
    if format == "ckpt":
        load = functools.partial(load_checkpoint, dec_key=dec_key, dec_mode=dec_mode)
        load_pieces(
            _network(network), checkpoint_filenames, predict_strategy, train_strategy_filename, strict_load, load
        )
        return True
    if unified_safetensors_dir is None or (network is None and dst_safetensors_dir is None):
        raise refused(
            ValueError,
            "For 'load_distributed_checkpoint', format 'safetensors' needs 'unified_safetensors_dir', and 'network' or "
            "'dst_safetensors_dir'.",
        )
    values = load_unified(network, unified_safetensors_dir, predict_strategy, name_map, load_checkpoint)
    if network is None:
        folder = os.path.join(str(dst_safetensors_dir), f"rank_{rank_id or 0}")
        os.makedirs(folder, exist_ok=True)
        save_checkpoint(values, os.path.join(folder, f"net.{output_format}"), format=output_format)
    return values if return_param_dict else True


def _network(network: Any) -> Cell:
    return check_type("load_distributed_checkpoint", "network", network, Cell)


def load_segmented_checkpoints(
    ckpt_file_dir: str,
    net: Cell | None = None,
    strict_load: bool = False,
    filter_prefix: str | Iterable[str] | None = None,
    dec_key: bytes | None = None,
    dec_mode: str = "AES-GCM",
    specify_prefix: str | Iterable[str] | None = None,
    choice_func: Callable[[str], bool] | None = None,
) -> dict[str, Any]:
    """Read all checkpoints in a folder into a single dict; the arguments are those of ``load_checkpoint``.

    Examples:
        >>> import os, tempfile
        >>> import mindspore as ms
        >>> from mindspore.train.serialization import load_segmented_checkpoints
        >>> folder = tempfile.mkdtemp()
        >>> for name in ("a", "b"):
        ...     ms.save_checkpoint([{"name": name, "data": ms.Tensor(1)}], os.path.join(folder, name))
        >>> list(load_segmented_checkpoints(folder))
        ['a', 'b']
    """
    check_type("load_segmented_checkpoints", "ckpt_file_dir", ckpt_file_dir, str)
    if not os.path.isdir(ckpt_file_dir):
        raise refused(
            ValueError, f"For 'load_segmented_checkpoints', {ckpt_file_dir} does not exist or is not a directory."
        )
    loaded: dict[str, Any] = {}
    for path in sorted(glob.glob(os.path.join(glob.escape(ckpt_file_dir), "*.ckpt"))):
        loaded |= load_checkpoint(path, net, strict_load, filter_prefix, dec_key, dec_mode, specify_prefix, choice_func)
    return loaded
