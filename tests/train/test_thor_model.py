"""Model with the second-order optimizer thor."""

import numpy as np

import mindspore.dataset as ds
from mindspore import Model, nn
from mindspore.train import ConvertModelUtils
from mindspore.train.callback import Callback


def test_new_inverses_are_made_every_so_many_steps(mode):
    numbers = np.random.RandomState(0)
    rows = {"x": numbers.rand(56, 4).astype(np.float32), "y": numbers.rand(56, 1).astype(np.float32)}
    data = ds.NumpySlicesDataset(rows, shuffle=False).batch(8)
    net = nn.SequentialCell(nn.Dense(4, 6), nn.ReLU(), nn.Dense(6, 1))
    optimizer = nn.thor(net, 0.01, 0.03, 0.9, batch_size=8, frequency=3)
    model = ConvertModelUtils.convert_to_thor_model(Model(net, nn.MSELoss(), optimizer), net, nn.MSELoss(), optimizer)

    class Inverses(Callback):
        def __init__(self):
            self.seen = []

        def on_train_step_end(self, run_context):
            self.seen.append(
                (int(optimizer.cov_step.asnumpy()[0]), float(run_context.original_args().net_outputs.asnumpy()))
            )

    inverses = Inverses()
    model.train(1, data, callbacks=inverses)
    assert [made for made, _ in inverses.seen] == [1, 1, 1, 2, 2, 2, 3]
    assert np.isfinite([loss for _, loss in inverses.seen]).all()
