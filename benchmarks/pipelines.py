"""Input pipelines that run alike under any MindSpore: the competitors of the dataset benchmark.

As a program (with the interpreter of a real MindSpore) it serves one pipeline: ``python pipelines.py NAME FOLDER``.
"""

from __future__ import annotations

import os
import struct
import sys
from pathlib import Path

import numpy as np
from PIL import Image

import mindspore
import mindspore.dataset as ds
from mindspore.dataset import transforms, vision

WORKERS = os.cpu_count() or 1
SIZES = {"mnist": 60_000, "cifar": 20_000, "folder": 600, "generator": 4_000}


def write_data(folder: Path) -> None:
    """Files with random content in the formats of the real datasets."""
    random = np.random.RandomState(0)
    mnist, cifar = folder / "mnist", folder / "cifar"
    for path in (mnist, cifar):
        path.mkdir(parents=True, exist_ok=True)
    images = random.randint(0, 256, (SIZES["mnist"], 28, 28)).astype(np.uint8)
    labels = random.randint(0, 10, SIZES["mnist"]).astype(np.uint8)
    header = struct.pack(">IIII", 2051, len(images), 28, 28)
    (mnist / "train-images-idx3-ubyte").write_bytes(header + images.tobytes())
    (mnist / "train-labels-idx1-ubyte").write_bytes(struct.pack(">II", 2049, len(labels)) + labels.tobytes())
    for number in range(1, 3):
        rows = random.randint(0, 256, (10_000, 3073)).astype(np.uint8)
        rows[:, 0] %= 10
        (cifar / f"data_batch_{number}.bin").write_bytes(rows.tobytes())
    for number in range(SIZES["folder"]):
        path = folder / "photos" / f"class{number % 4}" / f"{number}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        coarse = random.randint(0, 256, (12, 16, 3)).astype(np.uint8)
        Image.fromarray(coarse).resize((500, 375), Image.Resampling.BICUBIC).save(path, quality=90)


def mnist(folder: Path) -> ds.Dataset:
    """The pipeline of MindSpore's own first example."""
    data = ds.MnistDataset(str(folder / "mnist"))
    data = data.map(transforms.TypeCast(mindspore.int32), input_columns="label", num_parallel_workers=WORKERS)
    for operation in (
        vision.Resize((32, 32)),
        vision.Rescale(1 / 0.3081, -1 * 0.1307 / 0.3081),
        vision.Rescale(1.0 / 255.0, 0.0),
        vision.HWC2CHW(),
    ):
        data = data.map(operation, input_columns="image", num_parallel_workers=WORKERS)
    return data.shuffle(10_000).batch(32, drop_remainder=True)


def cifar(folder: Path) -> ds.Dataset:
    """CIFAR-10 with the usual augmentation."""
    operations = [
        vision.RandomCrop((32, 32), (4, 4, 4, 4)),
        vision.RandomHorizontalFlip(prob=0.5),
        vision.Rescale(1.0 / 255.0, 0.0),
        vision.Normalize([0.4914, 0.4822, 0.4465], [0.2023, 0.1994, 0.2010]),
        vision.HWC2CHW(),
    ]
    data = ds.Cifar10Dataset(str(folder / "cifar"), "train")
    return data.map(operations, input_columns="image", num_parallel_workers=WORKERS).batch(32, drop_remainder=True)


def photos(folder: Path) -> ds.Dataset:
    """JPEG files as for ImageNet."""
    operations = [
        vision.RandomCropDecodeResize(224, scale=(0.08, 1.0), ratio=(0.75, 1.333)),
        vision.RandomHorizontalFlip(prob=0.5),
        vision.Normalize([123.675, 116.28, 103.53], [58.395, 57.12, 57.375]),
        vision.HWC2CHW(),
    ]
    data = ds.ImageFolderDataset(str(folder / "photos"), num_parallel_workers=WORKERS)
    return data.map(operations, input_columns="image", num_parallel_workers=WORKERS).batch(32, drop_remainder=True)


class Samples:
    """What a program's own dataset class looks like."""

    def __init__(self) -> None:
        self.rows = np.random.RandomState(0).rand(SIZES["generator"], 64).astype(np.float32)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: int) -> tuple[np.ndarray, np.ndarray]:
        return self.rows[index], np.array(index % 10, np.int32)


def scaled(row: np.ndarray) -> np.ndarray:
    """A transform in Python."""
    return (row - row.mean()) / (row.std() + 1e-6)


def generator(folder: Path) -> ds.Dataset:
    """Python objects and a Python transform."""
    data = ds.GeneratorDataset(Samples(), ["x", "label"])
    return data.map(scaled, input_columns="x", num_parallel_workers=WORKERS).batch(32, drop_remainder=True)


PIPELINES = {"mnist": mnist, "cifar": cifar, "photos": photos, "generator": generator}


def epoch(data: ds.Dataset) -> int:
    """Read one epoch; the number of batches."""
    return sum(1 for _ in data.create_tuple_iterator(output_numpy=True, num_epochs=1))


def serve_pipeline(name: str, folder: str) -> None:
    sys.path.insert(0, str(Path(__file__).parent / "peers"))
    from worker_loop import serve  # noqa: PLC0415 - found through the path set above

    data = PIPELINES[name](Path(folder))
    serve(lambda: epoch(data), lambda result: None)


if __name__ == "__main__":
    serve_pipeline(*sys.argv[1:])
