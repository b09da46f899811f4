"""A callback that is given to ``map`` and to the training: the pipeline waits for the training."""

import numpy as np

import mindspore.dataset as ds
from mindspore import Model, nn


class Follow(ds.WaitedDSCallback):
    def __init__(self, seen):
        super().__init__()
        self.seen = seen

    def sync_epoch_begin(self, train_run_context, ds_run_context):
        self.seen.append((ds_run_context.cur_epoch_num, train_run_context.original_args().mode))


def test_epochs_of_the_pipeline_begin_after_those_of_the_training(mode):
    seen = []
    follow = Follow(seen)
    rows = {"x": np.ones((8, 2), np.float32), "y": np.ones((8, 1), np.float32)}
    data = ds.NumpySlicesDataset(rows, shuffle=False).map(lambda x: x * 1, ["x"], callbacks=follow).batch(4)
    net = nn.Dense(2, 1)
    model = Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
    model.train(3, data, callbacks=follow)
    assert seen == [(2, "train"), (3, "train")]
