"""Trains a small network in both modes, sinking or not; also imported by the test, which trains alone."""

import sys
from pathlib import Path

import numpy as np

import mindspore as ms
from mindspore import dataset as ds
from mindspore import nn
from mindspore.common.initializer import Normal
from mindspore.communication import get_group_size, get_rank, init

ROWS, BATCH, EPOCHS = 32, 8, 2
WAYS = [(mode, sink) for mode in (ms.GRAPH_MODE, ms.PYNATIVE_MODE) for sink in (True, False)]


def final_weights(mode: int, sink: bool, shards: int, shard: int) -> list[np.ndarray]:
    """The weights after training on one of so many parts of the data."""
    ms.set_context(mode=mode)
    ms.set_seed(3)
    random = np.random.default_rng(5)
    x = random.normal(size=(ROWS, 6)).astype(np.float32)
    y = random.integers(0, 3, ROWS).astype(np.int32)
    data = ds.NumpySlicesDataset((x, y), ["x", "y"], shuffle=False, num_shards=shards, shard_id=shard)
    data = data.batch(BATCH // shards, drop_remainder=True)
    network = nn.SequentialCell(
        nn.Dense(6, 8, weight_init=Normal(0.3)), nn.ReLU(), nn.Dense(8, 3, weight_init=Normal(0.3))
    )
    optimizer = nn.Momentum(network.trainable_params(), 0.1, 0.9)
    model = ms.Model(network, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"), optimizer)
    model.train(EPOCHS, data, dataset_sink_mode=sink)
    return [weight.asnumpy() for weight in network.get_parameters()]


if __name__ == "__main__":
    init()
    ms.set_auto_parallel_context(parallel_mode=ms.ParallelMode.DATA_PARALLEL, gradients_mean=True)
    trained = {
        f"{place}_{number}": weight
        for place, way in enumerate(WAYS)
        for number, weight in enumerate(final_weights(*way, get_group_size(), get_rank()))
    }
    np.savez(Path(sys.argv[1]) / f"weights_{get_rank()}.npz", **trained)
