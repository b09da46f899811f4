"""A training step of your own: a Cell that holds the network, the loss, the gradient and the optimizer.

You learn what `Model` puts around a network, and how to change it. Here the gradients are clipped to a length before they
are used, and the step returns that length beside the loss. The whole step is one compiled graph.

    python examples/custom_training_cell.py [--smoke] [--clip LENGTH]
"""

from digits import create_dataset, options, prepare
from networks.lenet import LeNet5

from mindspore import Model, ParameterTuple, nn, ops
from mindspore.train import Callback


class ClippedTrainOneStep(nn.Cell):
    """Loss, gradients for all weights, their common length, and one update."""

    def __init__(self, network, optimizer, clip, sens=1.0):
        super().__init__(auto_prefix=False)  # weights keep the names they have in the network
        self.network = network
        self.weights = ParameterTuple(network.trainable_params())
        self.optimizer = optimizer
        self.grad = ops.GradOperation(get_by_list=True, sens_param=True)
        self.sens = sens
        self.clip = clip

    def construct(self, data, label):
        loss = self.network(data, label)
        sens = ops.fill(loss.dtype, loss.shape, self.sens)
        gradients = self.grad(self.network, self.weights)(data, label, sens)  # the forward pass above is used again
        length = ops.sqrt(sum(ops.reduce_sum(ops.square(one)) for one in gradients))
        scale = ops.minimum(self.clip / length, 1.0)
        loss = ops.depend(loss, self.optimizer(tuple(one * scale for one in gradients)))
        return loss, length


def train_by_hand(step, data, epochs):
    """The shortest loop: a call of the Cell is a step."""
    step.set_train()
    for epoch in range(epochs):
        for image, label in data.create_tuple_iterator(num_epochs=1):
            loss, length = step(image, label)
        print(f"by hand, epoch {epoch + 1}: loss {loss.asnumpy():.4f}, gradient {length.asnumpy():.3f}")


class Report(Callback):
    """What the step returns reaches callbacks as `net_outputs`."""

    def on_train_epoch_end(self, run_context):
        told = run_context.original_args()
        loss, length = told.net_outputs
        print(f"by Model, epoch {told.cur_epoch_num}: loss {loss.asnumpy():.4f}, gradient {length.asnumpy():.3f}")


def main():
    parser = options(__doc__)
    parser.add_argument("--clip", type=float, default=1.0, help="the longest gradient that is used as it is")
    arguments = parser.parse_args()
    prepare(arguments)
    data = create_dataset(arguments)

    network = LeNet5()
    with_loss = nn.WithLossCell(network, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
    step = ClippedTrainOneStep(with_loss, nn.Momentum(network.trainable_params(), 0.05, 0.9), arguments.clip)
    train_by_hand(step, data, arguments.epochs)
    # A network that is a whole step needs neither loss_fn nor optimizer.
    Model(step).train(arguments.epochs, data, callbacks=[Report()])


if __name__ == "__main__":
    main()
