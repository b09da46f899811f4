"""Converters of well-known data sets into MindRecord files."""

from __future__ import annotations

import gzip
import os
import pickle
import struct
import types

import cv2
import numpy as np
import pytest

from mindspore import mindrecord
from mindspore._utils.files.crc32c import masked_crc32c as checksum
from mindspore.mindrecord import FileReader
from mindspore.mindrecord.common import exceptions


def decoded(row):
    return cv2.imdecode(np.frombuffer(row["data"], np.uint8), cv2.IMREAD_COLOR)


def cifar_batch(path, count, protocol=2, **labels):
    images = np.repeat(np.arange(3 * count, dtype=np.uint8).reshape(count, 3) * 10, 1024, axis=1)
    path.write_bytes(
        pickle.dumps({b"data": images, **{name.encode(): values for name, values in labels.items()}}, protocol=protocol)
    )


def test_cifar10_is_converted(tmp_path):
    for number in (1, 2):
        cifar_batch(tmp_path / f"data_batch_{number}", 2, labels=[number, 5])
    cifar_batch(tmp_path / "test_batch", 1, protocol=5, labels=[7])
    target = str(tmp_path / "cifar")
    assert mindrecord.Cifar10ToMR(str(tmp_path), target).transform(["label"]) is None
    rows = list(FileReader(target).get_next())
    assert [(row["id"], row["label"]) for row in rows] == [(0, 1), (1, 5), (2, 2), (3, 5)]
    assert np.abs(decoded(rows[1])[0, 0].astype(int) - [50, 40, 30]).max() <= 3  # blue, green, red
    assert [row["label"] for row in FileReader(f"{target}_test").get_next()] == [7]


def test_cifar100_is_converted(tmp_path):
    cifar_batch(tmp_path / "train", 2, fine_labels=[3, 4], coarse_labels=[1, 2])
    cifar_batch(tmp_path / "test", 1, fine_labels=[9], coarse_labels=[8])
    target = str(tmp_path / "cifar")
    mindrecord.Cifar100ToMR(str(tmp_path), target).transform()
    rows = [(row["fine_label"], row["coarse_label"]) for row in FileReader(target).get_next()]
    assert rows == [(3, 1), (4, 2)] and FileReader(f"{target}_test").len() == 1


def test_a_batch_that_asks_for_code_is_refused(tmp_path):
    (tmp_path / "train").write_bytes(pickle.dumps(os.getcwd))
    cifar_batch(tmp_path / "test", 1, fine_labels=[9], coarse_labels=[8])
    with pytest.raises(RuntimeError, match="Not a valid Cifar Dataset"):
        mindrecord.Cifar100ToMR(str(tmp_path), str(tmp_path / "cifar")).transform()
    with pytest.raises(exceptions.PathNotExistsError, match="data_batch"):
        mindrecord.Cifar10ToMR(str(tmp_path), str(tmp_path / "cifar"))


def test_mnist_is_converted(tmp_path):
    for name, count in (("train", 5), ("t10k", 2)):
        images = np.full((count, 28, 28), 100, np.uint8)
        (tmp_path / f"{name}-images-idx3-ubyte.gz").write_bytes(gzip.compress(bytes(16) + images.tobytes()))
        (tmp_path / f"{name}-labels-idx1-ubyte.gz").write_bytes(gzip.compress(bytes(8) + bytes(range(count))))
    mindrecord.MnistToMR(str(tmp_path), str(tmp_path / "mnist"), 2).transform()
    rows = list(FileReader(str(tmp_path / "mnist_train.mindrecord0")).get_next())
    assert sorted(row["label"] for row in rows) == list(range(5))
    assert decoded(rows[0]).shape == (28, 28, 3) and abs(int(decoded(rows[0])[3, 3, 0]) - 100) <= 2
    assert FileReader(str(tmp_path / "mnist_test.mindrecord1")).len() == 2


def test_folders_of_images_are_converted(tmp_path):
    for folder, names in (("n01", "ab"), ("n02", "c")):
        (tmp_path / "images" / folder).mkdir(parents=True)
        for name in names:
            (tmp_path / "images" / folder / f"{name}.jpg").write_bytes(name.encode())
    (tmp_path / "map.txt").write_text("n01 4\nn02 7\n", encoding="utf-8")
    target = str(tmp_path / "imagenet")
    mindrecord.ImageNetToMR(str(tmp_path / "map.txt"), str(tmp_path / "images"), target).transform()
    rows = [(row["file_name"], row["label"], row["data"]) for row in FileReader(target).get_next()]
    assert rows == [("a.jpg", 4, b"a"), ("b.jpg", 4, b"b"), ("c.jpg", 7, b"c")]
    (tmp_path / "map.txt").write_text("n01\n", encoding="utf-8")
    with pytest.raises(ValueError, match="Line 1"):
        mindrecord.ImageNetToMR(str(tmp_path / "map.txt"), str(tmp_path / "images"), f"{target}2").transform()


def test_csv_is_converted_with_the_types_of_its_columns(tmp_path):
    (tmp_path / "a.csv").write_text("age,size,name,good\n3,1.5,x,True\n4,,y,False\n", encoding="utf-8")
    target = str(tmp_path / "csv")
    mindrecord.CsvToMR(str(tmp_path / "a.csv"), target).transform()
    reader = FileReader(target)
    types = {name: field["type"] for name, field in reader.schema().items()}
    assert types == {"age": "int64", "size": "float64", "name": "string", "good": "int32"}
    rows = list(reader.get_next())
    assert rows[0] == {"age": 3, "size": 1.5, "name": "x", "good": 1} and np.isnan(rows[1]["size"])
    with pytest.raises(RuntimeError, match="column zz does not exist"):
        mindrecord.CsvToMR(str(tmp_path / "a.csv"), f"{target}2", ["zz"]).transform()
    with pytest.raises(OSError, match="do not exist"):
        mindrecord.CsvToMR(str(tmp_path / "b.csv"), f"{target}3").transform()


def varint(value):
    value &= 2**64 - 1
    out = b""
    while value > 0x7F:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def message(number, content):
    return varint(number << 3 | 2) + varint(len(content)) + content


def tf_record(features):
    content = b""
    for name, (kind, values) in features.items():
        content += message(1, message(1, name.encode()) + message(2, message(kind, values)))
    data = message(1, content)
    length = struct.pack("<Q", len(data))
    return length + struct.pack("<I", checksum(length)) + data + struct.pack("<I", checksum(data))


def test_tfrecord_is_converted_without_tensorflow(tmp_path):
    records = b"".join(
        tf_record({
            "name": (1, message(1, f"n{number}".encode())),
            "image": (1, message(1, bytes([number, 0]))),
            "the label": (3, message(1, varint(-number))),
            "ids": (3, varint(1 << 3) + varint(number) + varint(1 << 3) + varint(300)),
            "boxes": (2, message(1, struct.pack("<2f", number, 0.5))),
        })
        for number in range(3)
    )  # fmt: skip
    (tmp_path / "a.tfrecord").write_bytes(records)

    def feature(shape, dtype):
        return types.SimpleNamespace(shape=shape, dtype=dtype)

    features = {
        "name": feature([], "string"),
        "image": feature([], "string"),
        "the label": feature([], "int64"),
        "ids": feature([2], types.SimpleNamespace(name="int64")),
        "boxes": feature([2], "float32"),
    }
    target = str(tmp_path / "tf")
    mindrecord.TFRecordToMR(str(tmp_path / "a.tfrecord"), target, features, ["image"]).transform()
    rows = list(FileReader(target).get_next())
    assert [(row["name"], row["image"], row["the_label"]) for row in rows] == [
        (f"n{number}", bytes([number, 0]), -number) for number in range(3)
    ]
    assert rows[2]["ids"].tolist() == [2, 300] and rows[2]["boxes"].tolist() == [2.0, 0.5]
    (tmp_path / "a.tfrecord").write_bytes(records[:-9])
    with pytest.raises(ValueError, match="cut off"):
        mindrecord.TFRecordToMR(str(tmp_path / "a.tfrecord"), f"{target}2", features, ["image"]).transform()
    with pytest.raises(ValueError, match="is not in feature_dict"):
        mindrecord.TFRecordToMR(str(tmp_path / "a.tfrecord"), f"{target}3", features, ["other"])
