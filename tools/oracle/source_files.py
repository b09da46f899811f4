"""Small files of the formats that datasets read, made the same for real MindSpore and for the tests."""

from __future__ import annotations

import json
import pathlib
import struct
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from PIL import Image

Folder = pathlib.Path


def pixels(seed: int, height: int = 5, width: int = 4, channels: int = 3) -> np.ndarray:
    """An image that no other seed gives."""
    shape = (height, width, channels) if channels > 1 else (height, width)
    return np.random.RandomState(seed).randint(0, 256, shape).astype(np.uint8)


def picture(path: Folder, seed: int, height: int = 5, width: int = 4, form: str = "BMP") -> None:
    """A file with an image; BMP, so that every library writes and decodes the same bytes, whatever the file is called."""
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(pixels(seed, height, width)).save(path, form)


def text(path: Folder, content: str) -> None:
    """A text file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")


def idx(path: Folder, array: np.ndarray) -> None:
    """A file of the MNIST family."""
    kind = {1: 0x08, 4: 0x0C}[array.itemsize]
    path.parent.mkdir(parents=True, exist_ok=True)
    head = struct.pack(f">HBB{array.ndim}I", 0, kind, array.ndim, *array.shape)
    path.write_bytes(head + array.astype(array.dtype.newbyteorder(">")).tobytes())


def _labels(count: int, classes: int, seed: int = 0) -> np.ndarray:
    return np.random.RandomState(seed).randint(0, classes, count).astype(np.uint8)


def mnist(folder: Folder) -> None:
    """MNIST, as FashionMNIST and KMNIST."""
    for prefix, count in (("train", 7), ("t10k", 3)):
        idx(folder / f"{prefix}-images-idx3-ubyte", pixels(count, 28, 28, count).transpose(2, 0, 1))
        idx(folder / f"{prefix}-labels-idx1-ubyte", _labels(count, 10, count))


def emnist(folder: Folder) -> None:
    """EMNIST with two of its parts."""
    for name, classes in (("letters", 26), ("digits", 10)):
        for part, count in (("train", 6), ("test", 2)):
            images = pixels(count + classes, 28, 28, count).transpose(2, 0, 1)
            idx(folder / f"emnist-{name}-{part}-images-idx3-ubyte", images)
            idx(folder / f"emnist-{name}-{part}-labels-idx1-ubyte", _labels(count, classes, count))


def qmnist(folder: Folder) -> None:
    """QMNIST: labels have eight numbers."""
    for part, count in (("train", 5), ("test", 4)):
        idx(folder / f"qmnist-{part}-images-idx3-ubyte", pixels(count, 28, 28, count).transpose(2, 0, 1))
        labels = np.random.RandomState(count).randint(0, 10, (count, 8)).astype(np.int32)
        idx(folder / f"qmnist-{part}-labels-idx2-int", labels)
    idx(folder / "xnist-images-idx3-ubyte", pixels(9, 28, 28, 3).transpose(2, 0, 1))
    idx(folder / "xnist-labels-idx2-int", np.arange(24, dtype=np.int32).reshape(3, 8))


def cifar10(folder: Folder) -> None:
    """CIFAR-10 in its binary form."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(1, 7):
        name = "test_batch.bin" if number == 6 else f"data_batch_{number}.bin"
        rows = [bytes([label]) + pixels(number * 10 + label, 3, 32, 32).tobytes() for label in _labels(2, 10, number)]
        (folder / name).write_bytes(b"".join(rows))
    text(folder / "batches.meta.txt", "\n".join("abcdefghij") + "\n")


def cifar100(folder: Folder) -> None:
    """CIFAR-100 in its binary form."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, count in (("train.bin", 4), ("test.bin", 3)):
        rows = [bytes([one, one + 50]) + pixels(one, 3, 32, 32).tobytes() for one in range(count)]
        (folder / name).write_bytes(b"".join(rows))
    text(folder / "coarse_label_names.txt", "x\ny\n")
    text(folder / "fine_label_names.txt", "x\ny\nz\n")


def image_folder(folder: Folder) -> None:
    """Folders of classes, one of them empty, and a file beside them."""
    for kind, names in {"dog": ["b.jpg", "a.png", "c.JPEG"], "cat": ["z.bmp", "y.jpeg"], "ant": ["1.jpg"]}.items():
        for position, name in enumerate(names):
            picture(folder / kind / name, len(kind) * 10 + position + ord(kind[0]), 4 + position)
    (folder / "empty").mkdir()
    text(folder / "readme.txt", "no class")


def manifest(folder: Folder) -> None:
    """A manifest file and its images."""
    entries = [("train", ["cat"]), ("train", ["dog"]), ("eval", ["cat"]), ("train", ["cat", "dog"]), ("train", ["ant"])]
    lines = []
    for number, (usage, names) in enumerate(entries):
        path = folder / f"{number}.jpg"
        picture(path, number)
        notes = [{"name": name, "type": "modelarts/image_classification"} for name in names]
        lines.append(json.dumps({"source": str(path), "usage": usage, "annotation": notes}))
    text(folder / "cats.manifest", "\n".join(lines) + "\n")


def celeba(folder: Folder) -> None:
    """CelebA: images, attributes, partition."""
    names = [f"{number}.jpg" for number in (3, 1, 2, 4, 5)]
    for name in names:
        picture(folder / name, int(name[0]))
    rows = [
        name + "  " + " ".join("1" if value > 127 else "-1" for value in pixels(7, 1, 40)[0, :, 0]) for name in names
    ]
    text(
        folder / "list_attr_celeba.txt",
        f"{len(names)}\n" + " ".join(f"a{one}" for one in range(40)) + "\n" + "\n".join(rows) + "\n",
    )
    text(folder / "list_eval_partition.txt", "".join(f"{name} {number % 3}\n" for number, name in enumerate(names)))


def voc(folder: Folder) -> None:
    """PASCAL VOC for both of its tasks."""
    names = ["121", "7", "123"]
    for number, name in enumerate(names):
        picture(folder / "JPEGImages" / f"{name}.jpg", number)
        picture(folder / "SegmentationClass" / f"{name}.png", number + 50)
        boxes = [("cat", 1, 2, 3, 4), ("dog", 2, 2, 4, 5)][: number + 1] if number < 2 else [("ant", 1, 1, 2, 2)]
        objects = "".join(
            f"<object><name>{kind}</name><pose>Left</pose><truncated>{number % 2}</truncated><difficult>{number // 2}"
            f"</difficult><bndbox><xmin>{a}</xmin><ymin>{b}</ymin><xmax>{c}</xmax><ymax>{d}</ymax></bndbox></object>"
            for kind, a, b, c, d in boxes
        )
        text(folder / "Annotations" / f"{name}.xml", f"<annotation><folder>x</folder>{objects}</annotation>")
    for task in ("Segmentation", "Main"):
        text(folder / "ImageSets" / task / "train.txt", "\n".join(names) + "\n")
        text(folder / "ImageSets" / task / "val.txt", "7\n")


def coco(folder: Folder) -> None:
    """COCO annotations of all four tasks."""
    for number in range(1, 5):
        picture(folder / "images" / f"{number}.jpg", number)
    images = [{"id": number, "file_name": f"{number}.jpg", "height": 5, "width": 4} for number in (2, 1, 3, 4)]
    kinds = [
        {"id": one, "name": name, "supercategory": name} for one, name in ((1, "person"), (7, "bicycle"), (3, "car"))
    ]
    boxes = [
        {"id": 10 + n, "image_id": image, "category_id": kind, "bbox": [n, n + 1, 2.5, 3], "iscrowd": n % 2, "area": 3.5 * n,
         "segmentation": [[n, 1.5, 2, 3, 4, 5], [1, 2, n]][: 1 + n % 2]}
        for n, (image, kind) in enumerate([(1, 1), (1, 7), (2, 3), (3, 3), (2, 1)])
    ]  # fmt: skip
    write = lambda name, notes, categories=kinds: text(  # noqa: E731
        folder / f"{name}.json", json.dumps({"images": images, "annotations": notes, "categories": categories})
    )
    write("detection", boxes)
    points = [{**one, "keypoints": [1, 2, 2, 3 + one["id"], 4, 1], "num_keypoints": 2} for one in boxes]
    write("keypoints", points)
    segments = [
        {"image_id": image, "file_name": f"{image}.png", "segments_info": [
            {"id": 5, "category_id": 1, "bbox": [1, 2, 3, 4], "iscrowd": 0, "area": 12},
            {"id": 6, "category_id": 7, "bbox": [0, 2, 3, image], "iscrowd": 1, "area": 7}]}
        for image in (1, 2, 3)
    ]  # fmt: skip
    write("panoptic", segments, [{**kind, "isthing": kind["id"] % 2} for kind in kinds])
    counts = [{**one, "segmentation": {"counts": [1, 2, one["id"]], "size": [5, 4]}} for one in boxes if one["iscrowd"]]
    outlines = [{**one, "segmentation": [[1, 2.5, one["id"]], [4, 5]]} for one in boxes if not one["iscrowd"]]
    write("stuff", outlines + counts)
    captions = [{"id": n, "image_id": image, "caption": f"caption {n}"} for n, image in enumerate((1, 1, 2, 4))]
    write("captions", captions)


# -- rows in files ----------------------------------------------------------------------------------------------------
def _varint(value: int) -> bytes:
    value &= 2**64 - 1
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def _field(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def tf_example(features: Mapping[str, Any], packed: bool = True) -> bytes:
    """A serialized tf.train.Example."""
    entries = b""
    for name, values in features.items():
        if isinstance(values[0], bytes):
            kind, content = 1, b"".join(_field(1, one) for one in values)
        elif isinstance(values[0], float):
            parts = [struct.pack("<f", one) for one in values]
            kind, content = 2, _field(1, b"".join(parts)) if packed else b"".join(b"\x0d" + one for one in parts)
        else:
            parts = [_varint(one) for one in values]
            kind, content = 3, _field(1, b"".join(parts)) if packed else b"".join(b"\x08" + one for one in parts)
        entries += _field(1, _field(1, name.encode()) + _field(2, _field(kind, content)))
    return _field(1, entries)


_CRC_TABLE: list[int] = []
for _byte in range(256):
    for _ in range(8):
        _byte = _byte >> 1 ^ (0x82F63B78 if _byte & 1 else 0)
    _CRC_TABLE.append(_byte)


def _checksum(data: bytes) -> bytes:
    value = 0xFFFFFFFF
    for byte in data:
        value = _CRC_TABLE[(value ^ byte) & 0xFF] ^ value >> 8
    value ^= 0xFFFFFFFF
    return struct.pack("<I", ((value >> 15 | value << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def tf_records(path: Folder, examples: list[bytes], compression: str = "") -> None:
    """A file of records."""
    data = b""
    for one in examples:
        length = struct.pack("<Q", len(one))
        data += length + _checksum(length) + one + _checksum(one)
    if compression:
        maker = zlib.compressobj(wbits=31 if compression == "GZIP" else 15)
        data = maker.compress(data) + maker.flush()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def tfrecord(folder: Folder) -> None:
    """Files of tf.train.Example, plain and compressed."""
    number = 0
    for name, count in (("a", 5), ("b", 3), ("c", 4)):
        examples = []
        for _ in range(count):
            features = {
                "number": [number],
                "image": [b"bytes %d" % number],
                "floats": [number + 0.5, -1.25, 3.0],
                "many": [number, -number, 2**40 + number, 300],
                "words": [b"one", b"three%d" % number],
            }
            examples.append(tf_example(features, packed=number % 2 == 0))
            number += 1
        tf_records(folder / f"{name}.tfrecord", examples)
    tf_records(folder / "z.gz", [tf_example({"number": [7]}), tf_example({"number": [8]})], "GZIP")
    tf_records(folder / "z.zlib", [tf_example({"number": [7]}), tf_example({"number": [9]})], "ZLIB")
    columns = {"number": {"type": "int32", "rank": 0}, "floats": {"type": "float32", "rank": 1, "shape": [3]}}
    text(folder / "schema.json", json.dumps({"datasetType": "TF", "numRows": 10, "columns": columns}))


def csv(folder: Folder) -> None:
    """Files of comma-separated values."""
    text(folder / "a.csv", 'i,f,s\n1,1.5,one\n2,2.5,"two, ""quoted"""\n3,-3,three\n4,4,\n5,5e2,five\n')
    text(folder / "b.csv", "i,f,s\n11,1.5,x\n12,2.5,y\n13,3.5,z\n")
    text(folder / "bare.csv", "1,2,3,4\n5,6,7,8\n")
    text(folder / "semicolon.csv", "1;a\n2;b\n")


def lines(folder: Folder) -> None:
    """Text files."""
    text(folder / "a.txt", "first line\n\n  second line \nthird\nfourth\nfifth")
    text(folder / "b.txt", "b1\nb2\nb3\n")
    text(folder / "c.txt", "ñ1\nc2\r\nc3\nc4\n")


def clue(folder: Folder) -> None:
    """CLUE: a line of JSON for each row."""
    rows = [{"id": n, "sentence1": f"蚂蚁{n}", "sentence2": f"b{n}", "label": str(n % 2), "sentence": f"s{n}", "label_des": "d",
             "label_desc": "news", "keywords": "k1,k2", "abst": f"abstract {n}", "keyword": ["x", f"y{n}"], "text": f"text {n}",
             "idx": n, "target": {"span1_index": n, "span2_index": n + 1, "span1_text": "p", "span2_text": "q"}}
            for n in range(3)]  # fmt: skip
    text(folder / "rows.json", "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    text(folder / "wsc.json", "".join(json.dumps({**row, "label": "true"}) + "\n" for row in rows))
    text(folder / "csl.json", "".join(json.dumps({**row, "id": n + 3}) + "\n" for n, row in enumerate(rows)))
