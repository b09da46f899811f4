"""Long trainings need no more memory than short ones."""

import os
import resource

import numpy as np
import pytest

import mindspore as ms
import mindspore.dataset as ds
from mindspore import Model, nn
from mindspore.train.callback import (
    Callback,
    CheckpointConfig,
    History,
    LossMonitor,
    ModelCheckpoint,
    ProgressBar,
    SummaryCollector,
    TimeMonitor,
)

PAGE = resource.getpagesize()


def resident_megabytes() -> float:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * PAGE / 2**20


class Memory(Callback):
    """Notes the memory in use every so many steps."""

    def __init__(self, every: int):
        self.every = every
        self.seen: list[float] = []

    def on_train_step_end(self, run_context):
        told = run_context.original_args()
        if told.cur_step_num % self.every == 0:
            told.net_outputs.asnumpy()
            self.seen.append(resident_megabytes())


@pytest.mark.heavy
def test_ten_thousand_steps_with_callbacks_leave_memory_flat(mode, tmp_path, capsys):
    steps, every = (10_000, 1_000) if mode == ms.GRAPH_MODE else (4_000, 400)
    numbers = np.random.RandomState(0)
    rows = {"x": numbers.rand(2_000, 64).astype(np.float32), "y": numbers.randint(0, 10, 2_000).astype(np.int32)}
    data = ds.NumpySlicesDataset(rows, shuffle=True).batch(20)
    net = nn.SequentialCell(nn.Dense(64, 128), nn.ReLU(), nn.Dropout(p=0.1), nn.Dense(128, 10))
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    model = Model(net, loss, nn.Adam(net.trainable_params(), 1e-3), metrics={"accuracy"})
    memory = Memory(every)
    config = CheckpointConfig(save_checkpoint_steps=500, keep_checkpoint_max=2)
    callbacks = [
        LossMonitor(1_000),
        TimeMonitor(),
        ModelCheckpoint("net", str(tmp_path), config),
        SummaryCollector(str(tmp_path / "summary"), collect_freq=200),
        History(),
        ProgressBar(),
        memory,
    ]
    model.fit(steps // 100, data, data, valid_frequency=20, callbacks=callbacks)
    settled = memory.seen[len(memory.seen) // 3 :]
    assert max(settled) - settled[0] < 12, memory.seen  # megabytes
    assert len([name for name in os.listdir(tmp_path) if name.endswith(".ckpt")]) == 2
