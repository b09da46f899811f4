"""Trains on a mesh of processes, or goes on from the checkpoints of another number of them; writes down what it found."""

import json
import sys
from pathlib import Path

import divided
import numpy as np

import mindspore as ms
from mindspore import Tensor, nn
from mindspore.communication import get_group_size, get_rank, init


def main(folder: Path, task: str, data: int, model: int) -> None:
    init()
    rank, size = get_rank(), get_group_size()
    ms.set_auto_parallel_context(
        parallel_mode="semi_auto_parallel",
        enable_parallel_optimizer=True,
        parallel_optimizer_config={"parallel_optimizer_threshold": 0},
        strategy_ckpt_save_file=str(folder / f"strategy_{size}.json"),
    )
    kind = "language" if task == "language" else "lenet"
    step = divided.training(kind, data, model)
    if task == "train" and rank:  # what process 0 begins with counts
        step.network.hidden.set_data(np.zeros((32, 16), np.float32))
    if task == "resume":
        files = [str(folder / f"rank_{one}" / "net.ckpt") for one in range(4)]
        assert ms.load_distributed_checkpoint(step, files, train_strategy_filename=str(folder / "strategy_4.json"))
    found = []
    rows = divided.batches(kind)
    for place, batch in enumerate(rows[2:] if task == "resume" else rows):
        own = [Tensor(np.split(column, size)[rank]) for column in batch]
        found.append(float(step(*own).asnumpy().mean()))
        if task == "train" and place == 1:
            (folder / f"rank_{rank}").mkdir()
            ms.save_checkpoint(step, str(folder / f"rank_{rank}" / "net.ckpt"), integrated_save=False)
            ms.save_checkpoint(step, str(folder / f"whole_{rank}.ckpt"))
    cut = sum(not one._sharding.is_fully_replicated for one in step.get_parameters())
    (folder / f"{task}_{rank}.json").write_text(json.dumps({"losses": found, "cut": cut}))
    if task == "resume":
        ms.reset_auto_parallel_context()
        ways = [data_parallel(rank, size, divides) for divides in (False, True)]
        (folder / f"states_{rank}.json").write_text(json.dumps(ways))


def data_parallel(rank: int, size: int, divides_states: bool) -> dict[str, list]:
    """Every process on its own part of the data, with whole or divided states of the optimizer."""
    ms.set_auto_parallel_context(
        parallel_mode="data_parallel",
        gradients_mean=True,
        enable_parallel_optimizer=divides_states,
        parallel_optimizer_config={"parallel_optimizer_threshold": 0},
    )
    ms.set_seed(1)
    net = nn.SequentialCell(nn.Dense(6, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dense(8, 3))
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params(), 0.01)).set_train()
    random = np.random.default_rng(0)
    for _ in range(3):
        rows = [np.split(random.normal(size=(8, width)).astype(np.float32), size)[rank] for width in (6, 3)]
        step(*map(Tensor, rows))
    held = [one._value.addressable_data(0).shape[0] for one in step.get_parameters() if one.name == "moment1.0.weight"]
    weights = np.concatenate([one.asnumpy().ravel() for one in step.get_parameters()])
    return {"weights": weights.tolist(), "held": held}


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
