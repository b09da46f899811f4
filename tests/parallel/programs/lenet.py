"""Trains LeNet-5 on the shipped digits, alone or as one of several processes; also imported by tests, which train alone.

lenet.py FOLDER compare      in every way; FOLDER/curves_<rank>.json has the losses
lenet.py FOLDER resume       with checkpoints, from the last one if there are any; FOLDER/steps_<rank>.txt has the losses
"""

import json
import os
import sys
import time
from itertools import product
from pathlib import Path

import numpy as np

import mindspore as ms
from examples.networks.lenet import LeNet5
from mindspore import dataset as ds
from mindspore import nn
from mindspore.communication import get_group_size, get_rank, init
from mindspore.dataset import transforms, vision
from mindspore.train import Callback, CheckpointConfig, Model, ModelCheckpoint

BATCH, STEPS, EPOCHS = 32, 4, 3
RESUMED_EPOCHS, RESUMED_STEPS = 10_000, 3  # longer than anybody waits
WAYS = list(product((ms.GRAPH_MODE, ms.PYNATIVE_MODE), (True, False), (False, True)))  # mode, sink, optimizer sharding


class Losses(Callback):
    """Hands every loss to a function, with the number of the step."""

    def __init__(self, note):
        super().__init__()
        self.note = note

    def on_train_step_end(self, run_context):
        told = run_context.original_args()
        done_before = (told.cur_epoch_num - 1) * told.batch_num
        self.note(done_before + (told.cur_step_num - 1) % told.batch_num + 1, float(told.net_outputs.asnumpy()))


def digits(folder: Path, shards: int, shard: int, steps: int):
    """Batches of one of so many parts of the data; those of all parts together are the same for any number of parts."""
    rows = steps * BATCH // shards
    data = ds.MnistDataset(
        str(folder / "mnist" / "train"), "train", rows, shuffle=False, num_shards=shards, shard_id=shard
    )
    data = data.map(transforms.TypeCast(ms.int32), "label")
    data = data.map([vision.Resize((32, 32)), vision.Rescale(1 / 255, 0.0), vision.HWC2CHW()], "image")
    return data.batch(BATCH // shards, drop_remainder=True)


def model_of(network: nn.Cell, rate: float = 0.1) -> Model:
    """LeNet's usual training."""
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    return Model(network, loss, nn.Momentum(network.trainable_params(), rate, 0.9))


def curve(folder: Path, mode: int, sink: bool, shards: int = 1, shard: int = 0) -> tuple[list[float], list[float]]:
    """The losses of a training, and the sums of its final weights."""
    ms.set_context(mode=mode)
    ms.set_seed(7)
    losses: list[float] = []
    network = LeNet5()
    model_of(network).train(
        EPOCHS,
        digits(folder, shards, shard, STEPS),
        Losses(lambda _, loss: losses.append(loss)),
        dataset_sink_mode=sink,
    )
    return losses, [float(np.abs(weight.asnumpy()).sum()) for weight in network.get_parameters()]


def compare(folder: Path) -> None:
    """Train in all ways."""
    found = []
    for mode, sink, sharding in WAYS:
        ms.set_auto_parallel_context(
            parallel_mode=ms.ParallelMode.DATA_PARALLEL, gradients_mean=True, enable_parallel_optimizer=sharding
        )
        found.append(curve(folder, mode, sink, get_group_size(), get_rank()))
    (folder / f"curves_{get_rank()}.json").write_text(json.dumps(found))


def resume(folder: Path) -> None:
    """Train on from the last checkpoint, if there is one."""
    ms.set_auto_parallel_context(parallel_mode=ms.ParallelMode.DATA_PARALLEL, gradients_mean=True)
    ms.set_seed(7)
    network = LeNet5()
    model = model_of(network, rate=0.01)  # what the last digit of a sum differs by must not grow
    done = 0
    saved = max((folder / "saved").glob("*.ckpt"), key=lambda path: path.stat().st_mtime_ns, default=None)
    if saved is not None:
        weights = ms.load_checkpoint(str(saved))
        done = int(weights.pop("epoch_num").asnumpy())
        ms.load_param_into_net(model.train_network, weights, strict_load=True)
    data = digits(folder, get_group_size(), get_rank(), RESUMED_STEPS)
    config = CheckpointConfig(
        RESUMED_STEPS, keep_checkpoint_max=3, saved_network=model.train_network, append_info=["epoch_num"]
    )
    saving = [ModelCheckpoint("lenet", str(folder / "saved"), config)] if get_rank() == 0 else []
    with open(folder / f"steps_{get_rank()}.txt", "a") as log:

        def note(step: int, loss: float) -> None:
            log.write(f"{step} {loss.hex()}\n")
            log.flush()

        (folder / f"started_{get_rank()}").write_text(str(os.getpid()))
        model.train(
            int(os.environ.get("EPOCHS", RESUMED_EPOCHS)),
            data,
            [Losses(note), *saving],
            dataset_sink_mode=False,
            initial_epoch=done,
        )
    print(f"trained to the end at {time.time()}", flush=True)


if __name__ == "__main__":
    init()
    {"compare": compare, "resume": resume}[sys.argv[2]](Path(sys.argv[1]))
