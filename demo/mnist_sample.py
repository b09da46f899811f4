"""Reads the MNIST sample that ships with the project."""

import gzip
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).resolve().parents[1] / "data" / "mnist-sample"


def read_idx(path: Path) -> np.ndarray:
    """The array in a gzip-compressed idx file of bytes: two zero bytes, type 8, rank, one big-endian count per axis."""
    content = gzip.decompress(path.read_bytes())
    if content[:3] != b"\x00\x00\x08":
        raise ValueError(f"{path} is not an idx file of bytes: it begins with {content[:4].hex(' ')}, not 00 00 08.")
    data_start = 4 + 4 * content[3]
    shape = np.frombuffer(content, ">u4", count=content[3], offset=4).tolist()
    return np.frombuffer(content, np.uint8, offset=data_start).reshape(shape)


def read_digits(part: str) -> tuple[np.ndarray, np.ndarray]:
    """Images (count, 28, 28) and labels (count,), both uint8, of part "train" or "test"."""
    stem = {"train": "train", "test": "t10k"}[part]
    images = read_idx(FOLDER / f"{stem}-images-idx3-ubyte.gz")
    labels = read_idx(FOLDER / f"{stem}-labels-idx1-ubyte.gz")
    return images, labels


def unpack(folder: Path) -> Path:
    """The sample as `mindspore.dataset.MnistDataset` reads it: plain idx files in the folders train and test."""
    for part, stem in (("train", "train"), ("test", "t10k")):
        (folder / part).mkdir(parents=True, exist_ok=True)
        for name in (f"{stem}-images-idx3-ubyte", f"{stem}-labels-idx1-ubyte"):
            (folder / part / name).write_bytes(gzip.decompress((FOLDER / f"{name}.gz").read_bytes()))
    return folder
