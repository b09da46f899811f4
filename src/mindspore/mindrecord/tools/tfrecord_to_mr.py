"""TFRecord files into MindRecord files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from mindspore._utils.files import tf_example
from mindspore.mindrecord.filewriter import FileWriter, check_filename
from mindspore.mindrecord.tools import _convert

__all__ = ["TFRecordToMR"]

_FIELD_TYPES = {
    "string": "string",
    **dict.fromkeys(("int8", "int16", "int32", "uint8", "uint16", "bool"), "int32"),
    **dict.fromkeys(("int64", "uint32", "uint64"), "int64"),
    **dict.fromkeys(("float16", "float32"), "float32"),
    **dict.fromkeys(("float64", "double"), "float64"),
}


def _field_name(name: str) -> str:
    """A name that a schema allows."""
    return re.sub(r"\W", "_", name, flags=re.ASCII)


class TFRecordToMR:
    """Write a file of tf.train.Example into a MindRecord file. TensorFlow is not needed.

    Args:
        source: path of the TFRecord file.
        destination: path of the file to write.
        feature_dict: for each feature something with ``shape`` and ``dtype``, such as tf.io.FixedLenFeature; the shape is
            ``[]`` or a list of one length, the dtype a name or something with a ``name``.
        bytes_fields: features of dtype string that are bytes, such as images.

    Examples:
        >>> import os, tempfile
        >>> from mindspore.mindrecord import FileReader, TFRecordToMR
        >>> target = os.path.join(tempfile.mkdtemp(), "a.mindrecord")
        >>> class Feature:
        ...     shape, dtype = [1], "int64"
        >>> _ = TFRecordToMR("data/tfrecord/a.tfrecord", target, {"number": Feature}).transform()
        >>> next(FileReader(target).get_next())
        {'number': array([0])}
    """

    def __init__(
        self, source: str, destination: str, feature_dict: dict[str, Any], bytes_fields: list[str] | None = None
    ):
        self.source = check_filename(source)
        self.destination = check_filename(destination)
        if not isinstance(feature_dict, dict):
            raise ValueError("Parameter feature_dict is None or not dict.")
        self.feature_dict = feature_dict
        self.bytes_fields = bytes_fields or []
        if not isinstance(self.bytes_fields, list):
            raise ValueError(f"Parameter bytes_fields: {bytes_fields} must be list(str).")
        for name in self.bytes_fields:
            if name not in feature_dict:
                raise ValueError(f"Parameter bytes_fields's item: {name} is not in feature_dict: {list(feature_dict)}.")
        self.schema = {_field_name(name): self._field(name, feature) for name, feature in feature_dict.items()}

    def _field(self, name: str, feature: Any) -> dict[str, Any]:
        shape, dtype = getattr(feature, "shape", None), getattr(feature, "dtype", None)
        kind = _FIELD_TYPES.get(getattr(dtype, "name", str(dtype)))
        if shape is None or kind is None:
            raise ValueError(
                f"Parameter feature_dict['{name}'] must have a shape and a dtype, as tf.io.FixedLenFeature has, but got "
                f"{feature!r}."
            )
        if name in self.bytes_fields:
            if kind != "string":
                raise ValueError(f"Parameter bytes_field: {name} should be string in feature_dict, but it is {kind}.")
            return {"type": "bytes"}
        shape = list(shape)
        if not shape:
            return {"type": kind}
        if kind == "string" or len(shape) != 1 or not isinstance(shape[0], int) or shape[0] < 1:
            raise ValueError(
                f"Parameter feature_dict['{name}'] must be a single value or a list of numbers with a known length, but its "
                f"shape is {shape} and its type {kind}."
            )
        return {"type": kind, "shape": shape}

    def transform(self) -> None:
        """Write the file."""
        writer = FileWriter(self.destination)
        writer.add_schema(self.schema, "TFRecord to MindRecord")
        _convert.write(writer, self.tfrecord_iterator())

    run = transform

    def tfrecord_iterator_oldversion(self) -> Iterator[dict[str, Any]]:
        """The rows to write, as with the readers of TensorFlow 1."""
        return self.tfrecord_iterator()

    def tfrecord_iterator(self) -> Iterator[dict[str, Any]]:
        """The rows to write."""
        for number, record in enumerate(tf_example.records(self.source)):
            try:
                features = tf_example.example(record)
            except (ValueError, LookupError, TypeError) as error:
                raise ValueError(f"Record {number} of {self.source} is no tf.train.Example: {error}.") from None
            row = {}
            for name in self.feature_dict:
                if name not in features:
                    raise ValueError(
                        f"Record {number} of {self.source} has no feature '{name}', only {sorted(features)}."
                    )
                row[_field_name(name)] = self._value(name, features[name])
            yield row

    def _value(self, name: str, values: Any) -> Any:
        field = self.schema[_field_name(name)]
        if "shape" in field:
            return np.asarray(values).astype(field["type"])
        if len(values) != 1:
            raise ValueError(f"The feature '{name}' of {self.source} should be a single value, but has {len(values)}.")
        if field["type"] == "bytes":
            return values[0]
        if field["type"] == "string":
            return values[0].decode("utf-8")
        return int(values[0]) if field["type"].startswith("int") else float(values[0])
