"""Using what a network has learnt for another task: load a checkpoint partly, freeze it, train a new head.

You learn to leave Parameters out when loading, to read the report of what was not found, to freeze Parameters, and to
train only the rest. The network that reads ten digits becomes one that tells even from odd.

    python examples/transfer_learning.py [--smoke] [--checkpoint FILE]
"""

import numpy as np
from digits import create_dataset, options, prepare
from networks.lenet import LeNet5

import mindspore as ms
from mindspore import Model, nn
from mindspore.train import Accuracy


def make_model(network):
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    # An optimizer that is given trainable_params() has no business with frozen Parameters.
    optimizer = nn.Adam(network.trainable_params(), 3e-3)
    return Model(network, loss, optimizer, metrics={"accuracy": Accuracy()})


def pretrain(arguments):
    """A checkpoint of a network that reads digits."""
    network = LeNet5()
    make_model(network).train(arguments.epochs, create_dataset(arguments))
    file = str(arguments.output / "ten_digits.ckpt")
    ms.save_checkpoint(network, file)
    return file


def with_frozen_body(file):
    """LeNet-5 with two classes: everything but its last layer from the file, and fixed."""
    network = LeNet5(num_class=2)
    body = ms.load_checkpoint(file, filter_prefix="fc3")  # the head of ten classes would not fit
    missing, unused = ms.load_param_into_net(network, body)
    print("not in the file, so as initialized:", missing, "not used:", unused)
    for parameter in network.get_parameters():
        parameter.requires_grad = parameter.name.startswith("fc3")
    print("to be trained:", [one.name for one in network.trainable_params()])
    return network


def even_or_odd(arguments, part):
    data = create_dataset(arguments, part)
    return data.map(lambda label: label % 2, input_columns="label")


def main():
    parser = options(__doc__, epochs=3)
    parser.add_argument("--checkpoint", help="of a LeNet-5 with ten classes; trained first where it is not given")
    arguments = parser.parse_args()
    prepare(arguments)
    network = with_frozen_body(arguments.checkpoint or pretrain(arguments))
    before = {one.name: one.asnumpy() for one in network.get_parameters()}
    model = make_model(network)
    test_data = even_or_odd(arguments, "test")
    first = model.eval(test_data)["accuracy"]
    model.train(arguments.epochs, even_or_odd(arguments, "train"))
    changed = [one.name for one in network.get_parameters() if not np.array_equal(before[one.name], one.asnumpy())]
    print("changed:", changed)
    print(f"accuracy of even or odd: {first:.3f} before, {model.eval(test_data)['accuracy']:.3f} after")


if __name__ == "__main__":
    main()
