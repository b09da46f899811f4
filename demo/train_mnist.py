"""Trains a small network on handwritten digits with a hand-written loop, then reads a few digits it has never seen.

python demo/train_mnist.py [--epochs N] [--digits N] [--mode graph|pynative]
"""

import argparse
import sys
import time

import numpy as np

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.common.initializer import HeUniform, initializer
from mnist_sample import read_digits

BATCH_SIZE = 50
LEARNING_RATE = 0.1
MOMENTUM = 0.9
SHADES = " .:-=+*#%@"


class Classifier(nn.Cell):
    """Two dense layers: 784 pixels, `hidden` features, 10 classes."""

    def __init__(self, hidden: int = 256) -> None:
        super().__init__()
        self.weight1 = Parameter(initializer(HeUniform(), [hidden, 784], ms.float32), name="weight1")
        self.bias1 = Parameter(initializer("zeros", [hidden], ms.float32), name="bias1")
        self.weight2 = Parameter(initializer(HeUniform(), [10, hidden], ms.float32), name="weight2")
        self.bias2 = Parameter(initializer("zeros", [10], ms.float32), name="bias2")

    def construct(self, pixels):
        features = ops.relu(ops.matmul(pixels, self.weight1.T) + self.bias1)
        return ops.matmul(features, self.weight2.T) + self.bias2


def make_train_step(network):
    """One step of gradient descent with momentum, compiled as a whole: forward, backward and update."""
    weights = network.trainable_params()
    velocities = [Parameter(ops.zeros_like(weight), name="velocity." + weight.name) for weight in weights]

    def forward(pixels, labels):
        return ops.cross_entropy(network(pixels), labels)

    loss_and_gradients = ms.value_and_grad(forward, None, weights)

    @ms.jit
    def train_step(pixels, labels, learning_rate):
        loss, gradients = loss_and_gradients(pixels, labels)
        for weight, velocity, gradient in zip(weights, velocities, gradients):
            ops.assign(velocity, velocity * MOMENTUM + gradient)
            ops.assign(weight, weight - velocity * learning_rate)
        return loss

    return train_step


def train_epoch(train_step, images, labels, learning_rate, report):
    """One pass over the digits in random order; returns the mean loss."""
    order = np.random.permutation(len(images))
    steps = len(images) // BATCH_SIZE
    rate = Tensor(learning_rate, ms.float32)
    losses = []  # kept as Tensors: asking for a value would wait for the step that computes it
    for step in range(steps):
        chosen = order[step * BATCH_SIZE : (step + 1) * BATCH_SIZE]
        losses.append(train_step(as_rows(shift_randomly(images[chosen])), Tensor(labels[chosen]), rate))
        if (step + 1) % 20 == 0:
            report(f"step {step + 1}/{steps}, loss {float(losses[-1].asnumpy()):.4f}")
    return float(np.mean([loss.asnumpy() for loss in losses]))


def shift_randomly(images):
    """Moves a batch by up to a pixel, so that the network sees every digit in several places."""
    return np.roll(images, np.random.randint(-1, 2, size=2), axis=(1, 2))


def as_rows(images):
    """Pixels as rows of float32 between 0 and 1."""
    return Tensor(images.reshape(-1, 784).astype(np.float32) / 255)


def predict(network, images):
    return network(as_rows(images)).asnumpy().argmax(axis=1)


def show_progress(text):
    """Rewrites the line on a terminal; a log file gets the finished lines only."""
    if sys.stdout.isatty():
        print(f"\r{text}\033[K", end="", flush=True)


def draw_digits(images, labels, predictions):
    """The digits side by side in characters, at half the height because characters are tall."""
    halves = images.reshape(-1, 14, 2, 28).mean(axis=2) / 256
    for lines in zip(*halves, strict=True):
        print(" ".join("".join(SHADES[int(value * len(SHADES))] for value in line) for line in lines).rstrip())
    captions = [f"read as {guess}, is {label}" for guess, label in zip(predictions, labels, strict=True)]
    print(" ".join(caption.center(28) for caption in captions).rstrip())


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--digits", type=int, help="train on this many digits only")
    parser.add_argument("--mode", choices=["graph", "pynative"], default="graph")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    ms.set_context(mode=ms.GRAPH_MODE if arguments.mode == "graph" else ms.PYNATIVE_MODE)
    ms.set_seed(1)
    np.random.seed(1)
    train_images, train_labels = (array[: arguments.digits] for array in read_digits("train"))
    test_images, test_labels = read_digits("test")
    network = Classifier()
    train_step = make_train_step(network)
    print(f"Training on {len(train_images):,} digits, {BATCH_SIZE} at a time; testing on {len(test_images):,} others.")

    start = time.perf_counter()
    for epoch in range(1, arguments.epochs + 1):
        headline = f"epoch {epoch}/{arguments.epochs}"
        # The rate falls to a tenth over the epochs: large steps first, fine ones at the end.
        rate = LEARNING_RATE * 0.1 ** (epoch / arguments.epochs)
        loss = train_epoch(
            train_step,
            train_images,
            train_labels.astype(np.int32),
            rate,
            report=lambda text, headline=headline: show_progress(f"{headline}: {text}"),
        )
        accuracy = np.mean(predict(network, test_images) == test_labels)
        show_progress("")
        print(f"{headline}: loss {loss:.4f}, test accuracy {accuracy:.2%}, {time.perf_counter() - start:.1f} s")

    predictions = predict(network, test_images)
    right, wrong = np.flatnonzero(predictions == test_labels), np.flatnonzero(predictions != test_labels)
    print(f"\nTest accuracy: {len(right) / len(test_images):.2%}. Three digits it can read, and one it cannot:\n")
    chosen = [*right[:3], *wrong[:1]]
    draw_digits(test_images[chosen], test_labels[chosen], predictions[chosen])


if __name__ == "__main__":
    main()
