"""What the converters share."""

from __future__ import annotations

import codecs
import io
import itertools
import pickle
from collections.abc import Iterable
from typing import Any

import cv2
import numpy as np

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


def _empty_array(kind: type, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    return np.ndarray.__new__(kind, shape, dtype)


def _array_of_buffer(buffer: Any, dtype: np.dtype, shape: tuple[int, ...], order: Any) -> np.ndarray:
    return np.frombuffer(buffer, dtype).reshape(shape, order=order)


# What pickled arrays ask for, by the name at the end of its path; NumPy has moved its modules around.
_NUMPY_PARTS = {"_reconstruct": _empty_array, "_frombuffer": _array_of_buffer, "ndarray": np.ndarray, "dtype": np.dtype}


class _ArrayUnpickler(pickle.Unpickler):
    """Reads arrays and plain values; whatever else a file asks for is refused."""

    def find_class(self, module: str, name: str) -> Any:
        if module.split(".")[0] == "numpy" and name in _NUMPY_PARTS:
            return _NUMPY_PARTS[name]
        if (module, name) == ("_codecs", "encode"):
            return codecs.encode  # how Python 3 writes bytes for Python 2
        raise pickle.UnpicklingError(f"{module}.{name} has no place in such a file")


def load_batch(path: str) -> dict[bytes, Any]:
    """A batch of the CIFAR data sets in their Python version."""
    with open(path, "rb") as stream:
        content = stream.read()
    try:
        batch = _ArrayUnpickler(io.BytesIO(content), encoding="bytes").load()
        images = np.asarray(batch[b"data"], np.uint8).reshape(-1, 3, 32, 32)
    except (pickle.UnpicklingError, ValueError, LookupError, EOFError, TypeError, AttributeError) as error:
        raise RuntimeError(f"Not a valid Cifar Dataset: {path} can not be read ({error}).") from None
    # blue, green, red is how OpenCV encodes
    return batch | {b"images": images.transpose(0, 2, 3, 1)[..., ::-1]}
