"""Files with random content in the formats of real datasets, for the input pipelines."""

from __future__ import annotations

import dataclasses
import struct
from pathlib import Path

import numpy as np
from PIL import Image

from mindspore._utils.files.crc32c import masked_crc32c as checksum
from mindspore._utils.files.wire import field, varint


@dataclasses.dataclass(frozen=True)
class Sizes:
    """How many rows each dataset has."""

    mnist: int = 60_000
    cifar: int = 20_000
    photos: int = 600
    records: int = 12_000


def write_data(folder: Path, sizes: Sizes) -> None:
    """All datasets, each in a folder of its own."""
    random = np.random.RandomState(0)
    for name, write in (("mnist", _mnist), ("cifar", _cifar), ("photos", _photos), ("records", _records)):
        path = folder / name
        path.mkdir(parents=True, exist_ok=True)
        write(path, random, getattr(sizes, name))


def _mnist(folder: Path, random: np.random.RandomState, count: int) -> None:
    images = random.randint(0, 256, (count, 28, 28)).astype(np.uint8)
    labels = random.randint(0, 10, count).astype(np.uint8)
    header = struct.pack(">IIII", 2051, count, 28, 28)
    (folder / "train-images-idx3-ubyte").write_bytes(header + images.tobytes())
    (folder / "train-labels-idx1-ubyte").write_bytes(struct.pack(">II", 2049, count) + labels.tobytes())


def _cifar(folder: Path, random: np.random.RandomState, count: int) -> None:
    for number in (1, 2):
        rows = random.randint(0, 256, (count // 2, 3073)).astype(np.uint8)
        rows[:, 0] %= 10
        (folder / f"data_batch_{number}.bin").write_bytes(rows.tobytes())


def _photos(folder: Path, random: np.random.RandomState, count: int) -> None:
    for number in range(count):
        path = folder / f"class{number % 4}" / f"{number}.jpg"
        path.parent.mkdir(exist_ok=True)
        coarse = random.randint(0, 256, (12, 16, 3)).astype(np.uint8)
        Image.fromarray(coarse).resize((500, 375), Image.Resampling.BICUBIC).save(path, quality=90)


def _records(folder: Path, random: np.random.RandomState, count: int) -> None:
    """Examples as for language models: numbers of words, a mask, a label and a few floats."""
    integers, floats = 3, 2  # the numbers of the fields
    for file in range(4):
        with open(folder / f"{file}.tfrecord", "wb") as stream:
            for row in range(file, count, 4):
                words = b"".join(map(varint, random.randint(0, 30_000, 128).tolist()))
                mask = (np.arange(128) < random.randint(1, 129)).astype(np.uint8).tobytes()
                features = [
                    _feature("words", integers, words),
                    _feature("mask", integers, mask),
                    _feature("label", integers, varint(row % 10)),
                    _feature("floats", floats, random.rand(16).astype("<f4").tobytes()),
                ]
                data = field(1, b"".join(features))
                length = struct.pack("<Q", len(data))
                stream.write(length + struct.pack("<I", checksum(length)) + data + struct.pack("<I", checksum(data)))


def _feature(name: str, kind: int, content: bytes) -> bytes:
    return field(1, field(1, name.encode()) + field(2, field(kind, field(1, content))))
