"""What the examples share: handwritten digits as datasets, and the options every example has."""

import argparse
import sys
from pathlib import Path

import mindspore as ms
import mindspore.dataset as ds
from mindspore.dataset import transforms, vision

sys.path.append(str(Path(__file__).resolve().parents[1] / "demo"))  # the digits ship with the demo

from mnist_sample import unpack


def options(description, epochs=2):
    """A parser with the options of every example; ``description`` is its docstring."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--smoke", action="store_true", help="little data, seconds: to see that it runs")
    parser.add_argument("--epochs", type=int, default=epochs)
    parser.add_argument(
        "--data", type=Path, help="folder with MNIST in 'train' and 'test'; the shipped sample otherwise"
    )
    parser.add_argument("--output", type=Path, default=Path("demo_output"), help="folder for what the example writes")
    return parser


def prepare(arguments):
    """Make the folders, and fix all random numbers."""
    arguments.output.mkdir(parents=True, exist_ok=True)
    if arguments.data is None:
        arguments.data = unpack(arguments.output / "mnist")
    ms.set_seed(1)


def create_dataset(arguments, part="train", batch_size=32, **source):
    """Batches of images, 1 x 32 x 32 and normalized, with their labels. ``source`` goes to MnistDataset."""
    if arguments.smoke:
        source.setdefault("num_samples", 256)
    data = ds.MnistDataset(str(arguments.data / part), shuffle=part == "train", **source)
    data = data.map(transforms.TypeCast(ms.int32), input_columns="label")
    data = data.map(
        [vision.Resize((32, 32)), vision.Rescale(1 / 255, 0.0), vision.Normalize([0.1307], [0.3081]), vision.HWC2CHW()],
        input_columns="image",
    )
    return data.batch(batch_size, drop_remainder=part == "train")
