"""Watching a training: a callback of your own, early stopping, and files that TensorBoard shows.

You learn what a callback is told and can do, how `EarlyStopping` brings back the best weights, and what `SummaryCollector`
and the summary operators inside a network record. Afterwards: `tensorboard --logdir demo_output/summary`, or, without
TensorBoard, `python -m mindspore events demo_output/summary`.

    python examples/callbacks_and_summaries.py [--smoke]
"""

from digits import create_dataset, options, prepare
from networks.lenet import LeNet5

from mindspore import Model, nn, ops
from mindspore.train import Accuracy, Callback, EarlyStopping, History, ProgressBar, SummaryCollector


class Watched(nn.Cell):
    """A network that reports numbers from inside. Steps that are not collected do not pay for it."""

    def __init__(self):
        super().__init__()
        self.network = LeNet5()
        self.scalar = ops.ScalarSummary()
        self.histogram = ops.HistogramSummary()

    def construct(self, x):
        logits = self.network(x)
        self.scalar("largest output", logits.max())
        self.histogram("outputs", logits)
        return logits


class FallingRate(Callback):
    """Halves the learning rate after every epoch, and keeps the losses."""

    def __init__(self):
        super().__init__()
        self.losses = []

    def on_train_step_end(self, run_context):
        self.losses.append(run_context.original_args().net_outputs)  # a Tensor: the device is not waited for

    def on_train_epoch_end(self, run_context):
        told = run_context.original_args()
        rate = told.optimizer.learning_rate
        rate.set_data(rate / 2)  # training sees it from the next step on
        loss = sum(one.asnumpy().item() for one in self.losses) / len(self.losses)
        self.losses.clear()
        print(
            f"epoch {told.cur_epoch_num}: mean loss {loss:.4f}, {told.eval_results}, rate is now {rate.asnumpy():.4g}"
        )


def main():
    parser = options(__doc__, epochs=4)
    parser.add_argument("--patience", type=int, default=1, help="epochs without improvement that are accepted")
    arguments = parser.parse_args()
    prepare(arguments)
    network = Watched()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    optimizer = nn.Adam(network.trainable_params(), 0.004)
    model = Model(network, loss, optimizer, metrics={"accuracy": Accuracy()})

    folder = str(arguments.output / "summary")
    history = History()
    callbacks = [
        ProgressBar(),
        FallingRate(),
        EarlyStopping("accuracy", patience=arguments.patience, mode="max", verbose=True, restore_best_weights=True),
        history,
        SummaryCollector(folder, collect_freq=4),
    ]
    test_data = create_dataset(arguments, "test")
    model.fit(arguments.epochs, create_dataset(arguments), test_data, callbacks=callbacks)
    print("history:", {name: len(values) for name, values in history.history.items()})
    print("accuracy of the best weights:", model.eval(test_data)["accuracy"])
    print(f"Look at it: tensorboard --logdir {folder}, or python -m mindspore events {folder}")


if __name__ == "__main__":
    main()
