"""A training loop of your own, three ways: batch by batch, with sunk data, and with a function that fetches its data.

You learn `DatasetHelper`, `connect_network_with_dataset` and `data_sink`. Sinking hands many steps to the device without
reading anything back in between. It gives the same losses, which this example checks.

    python examples/custom_training_loop.py [--smoke] [--sink-size N]
"""

from digits import create_dataset, options, prepare
from networks.lenet import LeNet5

import mindspore as ms
from mindspore import DatasetHelper, connect_network_with_dataset, nn


def make_step():
    """Always the same network: the seed is set anew."""
    ms.set_seed(1)
    network = LeNet5()
    with_loss = nn.WithLossCell(network, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
    return nn.TrainOneStepCell(with_loss, nn.Momentum(network.trainable_params(), 0.05, 0.9)).set_train()


def batch_by_batch(arguments):
    step = make_step()
    helper = DatasetHelper(create_dataset(arguments), dataset_sink_mode=False, epoch_num=arguments.epochs)
    losses = []
    for _ in range(arguments.epochs):  # every loop over the helper is an epoch
        for inputs in helper:
            loss = step(*inputs)
            losses.append(loss)  # a Tensor: its value is not needed yet, so nobody waits for it
    return [loss.asnumpy().item() for loss in losses]


def with_sinking(arguments):
    step, data = make_step(), create_dataset(arguments)
    calls = arguments.epochs * data.get_dataset_size() // arguments.sink_size
    helper = DatasetHelper(data, dataset_sink_mode=True, sink_size=arguments.sink_size, epoch_num=calls)
    step = connect_network_with_dataset(step, helper)
    losses = []
    for _ in range(calls):
        for inputs in helper:  # one round with nothing in it: the network fetches its batches itself
            losses.append(step(*inputs).asnumpy().item())
    return losses


def with_data_sink(arguments):
    step, data = make_step(), create_dataset(arguments)
    calls = arguments.epochs * data.get_dataset_size() // arguments.sink_size
    sunk = ms.data_sink(lambda image, label: step(image, label), data, sink_size=arguments.sink_size)
    return [sunk().asnumpy().item() for _ in range(calls)]


def main():
    parser = options(__doc__)
    parser.add_argument("--sink-size", type=int, default=4, help="steps of one call when data is sunk")
    arguments = parser.parse_args()
    prepare(arguments)

    single = batch_by_batch(arguments)
    print(f"batch by batch: {len(single)} steps, loss {single[0]:.4f} to {single[-1]:.4f}")
    every = single[arguments.sink_size - 1 :: arguments.sink_size]
    for name, losses in (("sinking", with_sinking(arguments)), ("data_sink", with_data_sink(arguments))):
        alike = "the same losses" if losses == every else f"other losses: {losses} instead of {every}"
        print(f"{name}: {len(losses)} calls of {arguments.sink_size} steps, {alike}")


if __name__ == "__main__":
    main()
