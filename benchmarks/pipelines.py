"""Input pipelines that run alike under any MindSpore: the competitors of the dataset benchmark.

As a program (also with the interpreter of a real MindSpore) it serves one pipeline: ``python pipelines.py NAME FOLDER``.
With ``--peak EPOCHS`` it reads that many epochs instead and prints the most memory it needed.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np

import mindspore
import mindspore.dataset as ds
from benchmarks.peers.worker_loop import PEAK, peak_megabytes, serve
from mindspore.dataset import transforms, vision

WORKERS = os.cpu_count() or 1
GENERATED = 4_000  # rows


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
        self.rows = np.random.RandomState(0).rand(GENERATED, 64).astype(np.float32)

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


def files(folder: Path) -> ds.Dataset:
    """Image files as they are."""
    return ds.ImageFolderDataset(str(folder / "photos"), num_parallel_workers=WORKERS)


def records(folder: Path) -> ds.Dataset:
    """TFRecord files with a schema, as for language models."""
    schema = ds.Schema()
    for name, dtype, length in (("words", "int64", 128), ("mask", "int64", 128), ("label", "int64", 1)):
        schema.add_column(name, dtype, [length])
    schema.add_column("floats", "float32", [16])
    paths = [str(path) for path in sorted((folder / "records").iterdir())]
    return ds.TFRecordDataset(paths, schema, shuffle=False, num_parallel_workers=WORKERS).batch(32, True)


def records_as_they_are(folder: Path) -> ds.Dataset:
    """TFRecord files without a schema, row by row."""
    paths = [str(path) for path in sorted((folder / "records").iterdir())]
    return ds.TFRecordDataset(paths, num_parallel_workers=WORKERS)


PIPELINES = {
    "mnist": mnist,
    "cifar": cifar,
    "photos": photos,
    "generator": generator,
    "files": files,
    "records": records,
    "records_as_they_are": records_as_they_are,
}


def epoch(data: ds.Dataset) -> int:
    """Read one epoch; the number of batches."""
    return sum(1 for _ in data.create_tuple_iterator(output_numpy=True, num_epochs=1))


def serve_pipeline(name: str, folder: str) -> None:
    data = PIPELINES[name](Path(folder))
    serve(lambda: epoch(data), lambda result: None)


def print_peak(name: str, folder: str, epochs: str) -> None:
    """Read some epochs and print the most memory that this process ever had, in megabytes."""
    data = PIPELINES[name](Path(folder))
    for _ in range(int(epochs)):
        epoch(data)
    print(f"{PEAK}{peak_megabytes():.1f}")


if __name__ == "__main__":
    if sys.argv[3:4] == ["--peak"]:
        print_peak(sys.argv[1], sys.argv[2], sys.argv[4])
    else:
        serve_pipeline(*sys.argv[1:])
