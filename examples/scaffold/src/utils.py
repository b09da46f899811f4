"""The environment of a run."""

from pathlib import Path

import mindspore as ms
from mindspore.communication import get_group_size, get_rank, init


def init_env(cfg):
    """Set seed, device and mode as configured, and join the other processes if there are any."""
    ms.set_seed(cfg.seed)
    if cfg.device_target != "None":
        ms.set_context(device_target=cfg.device_target)
    ms.set_context(mode=ms.GRAPH_MODE if cfg.context_mode == "graph" else ms.PYNATIVE_MODE)
    cfg.rank_id = 0
    if cfg.device_num > 1:
        init()
        print("run distribute!", flush=True)
        if cfg.device_num != get_group_size():
            raise ValueError(
                f"the setting device_num: {cfg.device_num} not equal to the real group_size: {get_group_size()}. Start as "
                "many processes with msrun or mpirun."
            )
        cfg.rank_id = get_rank()
        ms.set_auto_parallel_context(parallel_mode=ms.ParallelMode.DATA_PARALLEL, gradients_mean=True)
        if hasattr(cfg, "all_reduce_fusion_config"):
            ms.set_auto_parallel_context(all_reduce_fusion_config=cfg.all_reduce_fusion_config)
    else:
        print("run standalone!", flush=True)
        ms.set_context(device_id=cfg.device_id)
    cfg.device_target = ms.get_context("device_target")


def checkpoint_folder(cfg):
    """Where this process keeps its checkpoints."""
    return Path(cfg.output_path) / "checkpoint" / f"rank_{cfg.rank_id}"


def chosen_checkpoint(cfg):
    """The configured checkpoint, or the newest of process 0."""
    if cfg.checkpoint_path:
        return cfg.checkpoint_path
    found = sorted(
        (Path(cfg.output_path) / "checkpoint" / "rank_0").glob("*.ckpt"), key=lambda path: path.stat().st_mtime
    )
    if not found:
        raise FileNotFoundError(
            f"there is no checkpoint in {cfg.output_path}/checkpoint/rank_0: train first, or set checkpoint_path."
        )
    return str(found[-1])
