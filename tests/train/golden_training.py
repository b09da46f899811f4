"""The training of the seed documents on the shipped digits, as a program that both MindSpores run."""

import sys

import mindspore as ms
import mindspore.dataset as ds
from mindspore import Model, nn
from mindspore.common.initializer import Normal
from mindspore.dataset import transforms, vision
from mindspore.train import Callback


class LeNet5(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, pad_mode="valid")
        self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid")
        self.fc1 = nn.Dense(16 * 5 * 5, 120, Normal(0.02), Normal(0.02))
        self.fc2 = nn.Dense(120, 84, Normal(0.02), Normal(0.02))
        self.fc3 = nn.Dense(84, 10, Normal(0.02), Normal(0.02))
        self.relu = nn.ReLU()
        self.max_pool2d = nn.MaxPool2d(kernel_size=2, stride=2)
        self.flatten = nn.Flatten()

    def construct(self, x):
        x = self.max_pool2d(self.relu(self.conv1(x)))
        x = self.max_pool2d(self.relu(self.conv2(x)))
        x = self.relu(self.fc1(self.flatten(x)))
        return self.fc3(self.relu(self.fc2(x)))


def create_dataset(folder):
    data = ds.MnistDataset(folder)
    data = data.map(transforms.TypeCast(ms.int32), input_columns="label")
    scales = [vision.Rescale(1 / 255.0, 0.0), vision.Rescale(1 / 0.3081, -0.1307 / 0.3081)]
    data = data.map([vision.Resize((32, 32)), *scales, vision.HWC2CHW()], input_columns="image")
    return data.shuffle(buffer_size=10000).batch(32, drop_remainder=True)


class Losses(Callback):
    def __init__(self, steps):
        super().__init__()
        self.steps = steps
        self.seen = []

    def on_train_step_end(self, run_context):
        told = run_context.original_args()
        self.seen.append(float(told.net_outputs.asnumpy()))
        if told.cur_step_num == self.steps:
            run_context.request_stop()


def first_losses(folder, steps, mode):
    """The losses of the first steps, with all random numbers from seed 1."""
    ms.set_context(mode=mode)
    ms.set_seed(1)
    data = create_dataset(folder)
    network = LeNet5()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    losses = Losses(steps)
    model = Model(network, loss, nn.Momentum(network.trainable_params(), 0.01, 0.9))
    model.train(1, data, callbacks=losses, dataset_sink_mode=False)
    return losses.seen


if __name__ == "__main__":
    print(first_losses(sys.argv[1], 10, ms.GRAPH_MODE))
