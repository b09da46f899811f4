"""First steps: one operator, one function, then a network that is trained, evaluated, saved, loaded and used.

You learn the three ways to run something, and what `Model` does for you. In graph mode, the default, a network is
compiled as a whole the first time it is called.

    python examples/quick_start.py [--smoke] [--mode graph|pynative]
"""

import numpy as np
from digits import create_dataset, options, prepare

import mindspore as ms
from mindspore import Model, Tensor, nn, ops
from mindspore.train import Accuracy, CheckpointConfig, LossMonitor, ModelCheckpoint, Precision


class LeNet5(nn.Cell):
    """A network is a Cell: its parts are made in `__init__`, and `construct` says how data passes through them."""

    def __init__(self, num_class=10):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, pad_mode="valid")
        self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid")
        self.pool = nn.MaxPool2d(kernel_size=2, stride=2)
        self.flatten = nn.Flatten()
        self.fc1 = nn.Dense(16 * 5 * 5, 120)
        self.fc2 = nn.Dense(120, 84)
        self.fc3 = nn.Dense(84, num_class)

    def construct(self, x):
        x = self.pool(ops.relu(self.conv1(x)))
        x = self.pool(ops.relu(self.conv2(x)))
        x = self.flatten(x)
        x = ops.relu(self.fc1(x))
        x = ops.relu(self.fc2(x))
        return self.fc3(x)


def run_an_operator():
    convolution = nn.Conv2d(3, 4, 3, weight_init="ones")
    output = convolution(Tensor(np.ones((1, 3, 5, 5)), ms.float32))
    print("operator: a convolution gives", output.shape, "with", output[0, 0, 2, 2], "in the middle")


def add_twice(x, y):
    return x + y + x


def run_a_function():
    ones = ops.ones((2, 2), ms.float32)
    print("function:", add_twice(ones, ones).asnumpy().tolist())
    print("its gradient for x:", ms.grad(add_twice)(ones, ones).asnumpy().tolist())


def make_model(network, rate):
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    optimizer = nn.Momentum(network.trainable_params(), rate, momentum=0.9)
    return Model(network, loss, optimizer, metrics={"accuracy": Accuracy(), "precision": Precision()})


def train(arguments):
    data = create_dataset(arguments)
    steps = data.get_dataset_size()
    print(f"training: {arguments.epochs} epochs of {steps} steps")
    config = CheckpointConfig(save_checkpoint_steps=steps, keep_checkpoint_max=1)
    checkpoint = ModelCheckpoint("lenet", str(arguments.output / "checkpoints"), config)
    make_model(LeNet5(), arguments.rate).train(
        arguments.epochs, data, callbacks=[LossMonitor(max(1, steps // 2)), checkpoint]
    )
    return checkpoint.latest_ckpt_file_name


def evaluate(arguments, file):
    network = LeNet5()
    ms.load_param_into_net(network, ms.load_checkpoint(file))
    model = make_model(network, arguments.rate)
    data = create_dataset(arguments, "test")
    results = model.eval(data)
    print(f"evaluation: accuracy {results['accuracy']:.3f}, precision by digit {np.round(results['precision'], 2)}")
    images, labels = next(data.create_tuple_iterator(num_epochs=1))
    print("prediction:", model.predict(images).asnumpy().argmax(1)[:10], "labels:", labels.asnumpy()[:10])


def main():
    parser = options(__doc__)
    parser.add_argument("--mode", choices=["graph", "pynative"], default="graph")
    parser.add_argument("--rate", type=float, default=0.02)
    arguments = parser.parse_args()
    ms.set_context(mode=ms.GRAPH_MODE if arguments.mode == "graph" else ms.PYNATIVE_MODE)
    prepare(arguments)
    run_an_operator()
    run_a_function()
    evaluate(arguments, train(arguments))


if __name__ == "__main__":
    main()
