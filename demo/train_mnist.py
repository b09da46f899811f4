"""The life of a network: trains LeNet-5 on handwritten digits, evaluates, saves, reloads, and reads digits it has never seen.

python demo/train_mnist.py [--epochs N] [--digits N] [--mode graph|pynative] [--output FOLDER]
"""

import argparse
from pathlib import Path

import numpy as np

import mindspore as ms
import mindspore.dataset as ds
from mindspore import Model, nn
from mindspore.dataset import transforms, vision
from mindspore.train import Accuracy, CheckpointConfig, History, ModelCheckpoint, ProgressBar
from mnist_sample import read_digits, unpack
from pictures import draw_digits, draw_losses, stack

BATCH_SIZE = 32
SHADES = " .:-=+*#%@"


class LeNet5(nn.Cell):
    """Two convolutions, three dense layers."""

    def __init__(self, num_class=10):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, pad_mode="valid")
        self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid")
        self.relu = nn.ReLU()
        self.max_pool2d = nn.MaxPool2d(kernel_size=2, stride=2)
        self.flatten = nn.Flatten()
        self.fc1 = nn.Dense(16 * 5 * 5, 120)
        self.fc2 = nn.Dense(120, 84)
        self.fc3 = nn.Dense(84, num_class)

    def construct(self, x):
        x = self.max_pool2d(self.relu(self.conv1(x)))
        x = self.max_pool2d(self.relu(self.conv2(x)))
        x = self.flatten(x)
        x = self.relu(self.fc1(x))
        x = self.relu(self.fc2(x))
        return self.fc3(x)


def create_dataset(folder, digits=None, shuffle=False):
    """Digits as batches of 32 x 32 pixels, normalized, with their labels."""
    data = ds.MnistDataset(str(folder), num_samples=digits, shuffle=shuffle)
    data = data.map(transforms.TypeCast(ms.int32), input_columns="label")
    data = data.map(
        [
            vision.Resize((32, 32)),
            vision.Rescale(1 / 255, 0.0),
            vision.Rescale(1 / 0.3081, -0.1307 / 0.3081),
            vision.HWC2CHW(),
        ],
        input_columns="image",
    )
    return data.batch(BATCH_SIZE)


class LossCurve(ms.Callback):
    """Keeps the loss of every step. Tensors are kept: asking for a value would wait for the step that computes it."""

    def __init__(self):
        super().__init__()
        self.losses = []

    def on_train_step_end(self, run_context):
        self.losses.append(run_context.original_args().net_outputs)

    def values(self):
        return np.array([loss.asnumpy() for loss in self.losses])


def make_model(network, learning_rate=0.02):
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    optimizer = nn.Momentum(network.trainable_params(), learning_rate, momentum=0.9)
    return Model(network, loss, optimizer, metrics={"accuracy": Accuracy()})


def print_digits(images, labels, predictions):
    """The digits side by side in characters, at half the height because characters are tall."""
    halves = images.reshape(-1, 14, 2, 28).mean(axis=2) / 256
    for lines in zip(*halves, strict=True):
        print(" ".join("".join(SHADES[int(value * len(SHADES))] for value in line) for line in lines).rstrip())
    captions = [f"read as {guess}, is {label}" for guess, label in zip(predictions, labels, strict=True)]
    print(" ".join(caption.center(28) for caption in captions).rstrip())


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--digits", type=int, help="train on this many digits only")
    parser.add_argument("--mode", choices=["graph", "pynative"], default="graph")
    parser.add_argument("--output", type=Path, default=Path("demo_output"), help="folder for what the demo writes")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    ms.set_context(mode=ms.GRAPH_MODE if arguments.mode == "graph" else ms.PYNATIVE_MODE)
    ms.set_seed(1)
    folder = unpack(arguments.output / "mnist")
    train_data = create_dataset(folder / "train", arguments.digits, shuffle=True)
    test_data = create_dataset(folder / "test")

    print(
        f"Training LeNet-5: {train_data.get_dataset_size()} batches of {BATCH_SIZE} digits, {arguments.epochs} times."
    )
    curve, history = LossCurve(), History()
    config = CheckpointConfig(save_checkpoint_steps=train_data.get_dataset_size(), keep_checkpoint_max=1)
    checkpoint = ModelCheckpoint("lenet", str(arguments.output / "checkpoints"), config)
    # The rate falls along a cosine: large steps first, fine ones at the end.
    steps = train_data.get_dataset_size()
    rates = nn.cosine_decay_lr(0.0, 0.02, arguments.epochs * steps, steps, decay_epoch=arguments.epochs)
    model = make_model(LeNet5(), rates)
    model.fit(arguments.epochs, train_data, test_data, callbacks=[ProgressBar(), curve, history, checkpoint])

    # A new network knows nothing until it has read the file.
    saved = checkpoint.latest_ckpt_file_name
    network = LeNet5()
    ms.load_param_into_net(network, ms.load_checkpoint(saved))
    reloaded = make_model(network)
    accuracy = reloaded.eval(test_data)["accuracy"]
    print(f"\nTest accuracy of the network reloaded from {saved}: {accuracy:.2%}")

    images, labels = read_digits("test")
    predictions = reloaded.predict(test_data).asnumpy().argmax(axis=1)
    right, wrong = np.flatnonzero(predictions == labels), np.flatnonzero(predictions != labels)
    chosen = [*right[:3], *wrong[:1]]
    print("Three digits it can read, and one it cannot:\n")
    print_digits(images[chosen], labels[chosen], predictions[chosen])

    picture = arguments.output / "digits_and_loss.png"
    shown = [*right[:24], *wrong[:8]]
    stack(draw_digits(images[shown], labels[shown], predictions[shown]), draw_losses(curve.values())).save(picture)
    print(f"\nMore digits, and the loss curve: {picture}")


if __name__ == "__main__":
    main()
