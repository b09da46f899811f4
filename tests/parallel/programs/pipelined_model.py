"""A Model trained in two stages whose processes divide weights and states, with checkpoints."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pipelined

import mindspore as ms
from mindspore.communication import get_rank, init
from mindspore.train import CheckpointConfig, ModelCheckpoint


def main(folder: Path) -> None:
    init()
    rank = get_rank()
    ms.set_context(mode=ms.GRAPH_MODE)
    ms.set_auto_parallel_context(
        parallel_mode="semi_auto_parallel",
        pipeline_stages=2,
        full_batch=True,
        enable_parallel_optimizer=True,
        parallel_optimizer_config={"parallel_optimizer_threshold": 0},
    )
    saving = ModelCheckpoint("own", str(folder / f"rank_{rank}"), CheckpointConfig(save_checkpoint_steps=3))
    model, said = pipelined.trained_by_model(2, (saving,))
    held = {one.name: one for one in model.train_network.get_parameters()}
    weight = held[f"blocks.{rank // 2}.first.weight"]
    assert weight._value.addressable_data(0).shape == (pipelined.WIDTH, pipelined.WIDTH)  # half of its rows
    assert held[f"moment1.blocks.{rank // 2}.second.weight"]._value.addressable_data(0).shape[0] == pipelined.WIDTH // 2
    np.save(folder / f"said_{rank}.npy", said)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
