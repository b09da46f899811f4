"""What the converters share."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

import cv2
import numpy as np

from mindspore._utils.files.array_pickle import read_arrays
from mindspore._utils.progress import progress
from mindspore.mindrecord.filewriter import FileWriter

_ROWS_AT_ONCE = 256


def check_partitions(partition_number: Any) -> int:
    """Check the number of files to write."""
    if isinstance(partition_number, bool) or not isinstance(partition_number, int):
        raise ValueError(f"The parameter partition_number must be int, but got {type(partition_number).__name__}.")
    return partition_number


def check_fields(fields: Any) -> list[str] | None:
    """Check the names of index fields."""
    if fields and not isinstance(fields, list):
        raise ValueError(f"The parameter fields should be None or list, but got {type(fields).__name__}.")
    return fields or None


def write(writer: FileWriter, rows: Iterable[dict[str, Any]]) -> None:
    """Write rows as they come, and finish the files."""
    remaining = progress(rows, "converting rows")
    while batch := list(itertools.islice(remaining, _ROWS_AT_ONCE)):
        writer.write_raw_data(batch)
    writer.commit()


def jpeg(image: np.ndarray) -> bytes:
    """An image, in the order blue, green, red if it has colours, as the bytes of a JPEG file."""
    return cv2.imencode(".jpeg", np.ascontiguousarray(image))[1].tobytes()


def _key(name: str | bytes) -> bytes:
    return name.encode() if isinstance(name, str) else name


def load_batch(path: str) -> dict[bytes, Any]:
    """A batch of the CIFAR data sets in their Python version."""
    with open(path, "rb") as stream:
        content = stream.read()
    try:
        batch = {_key(name): value for name, value in read_arrays(content).items()}
        images = np.asarray(batch[b"data"], np.uint8).reshape(-1, 3, 32, 32)
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise RuntimeError(f"Not a valid Cifar Dataset: {path} can not be read ({error}).") from None
    # blue, green, red is how OpenCV encodes
    return batch | {b"images": images.transpose(0, 2, 3, 1)[..., ::-1]}
