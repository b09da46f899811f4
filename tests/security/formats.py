"""Every format that is read: a small whole file of it, made here, and how a program reads it."""

from __future__ import annotations

import gzip
import io
import json
import pickle
import struct
import wave
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from PIL import Image

import mindspore as ms
import mindspore.dataset as ds
from mindspore import nn
from mindspore._utils.files import event_file, wire
from mindspore._utils.files.crc32c import masked_crc32c
from mindspore.dataset import text, vision
from mindspore.mindrecord import FileReader, FileWriter
from mindspore.mindrecord.tools._convert import load_batch
from mindspore.train._formats import export, strategy

DATA = Path(__file__).resolve().parents[1] / "data"
KEY = b"0123456789abcdef"


class Format(NamedTuple):
    """``file``: what is damaged, within a folder. ``make`` writes it, with others it needs; ``read`` reads the folder."""

    file: str
    make: Callable[[Path], Any]
    read: Callable[[Path], Any]


def _rows(data: Any) -> int:
    return sum(1 for _ in data.create_dict_iterator(num_epochs=1, output_numpy=True))


def _checkpoint(name: str, make: Callable[[Path], Any], **options: Any) -> Format:
    return Format(name, make, lambda folder: ms.load_checkpoint(str(folder / name), **options))


def _saved(name: str, **options: Any) -> Callable[[Path], Any]:
    return lambda folder: ms.save_checkpoint(nn.Dense(3, 4), str(folder / name), append_dict={"n": 3}, **options)


def _copied(name: str, source: str) -> Callable[[Path], Any]:
    return lambda folder: (folder / name).write_bytes((DATA / source).read_bytes())


def _split(folder: Path) -> None:
    for name in ("gate_split_graph.mindir", "gate_split_variables/data_0"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes((DATA / "mindir" / name).read_bytes())


def _written(name: str, content: bytes | str) -> Callable[[Path], Any]:
    def make(folder: Path) -> None:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)

    return make


def _exported(folder: Path) -> None:
    export.export(
        nn.Dense(2, 3),
        ms.Tensor(np.ones((1, 2), np.float32)),
        file_name=str(folder / "net.mindir"),
        file_format="STABLEHLO",
    )


def _mindrecord(folder: Path) -> None:
    writer = FileWriter(str(folder / "a.mindrecord"), overwrite=True)
    writer.set_header_size(1 << 14)  # the smallest: damage hits what is read, and files are written quickly
    writer.set_page_size(1 << 15)
    writer.add_schema({"n": {"type": "int32"}, "s": {"type": "string"}, "b": {"type": "bytes"}}, "rows")
    writer.add_index(["n"])
    writer.write_raw_data([{"n": n, "s": f"text {n}", "b": bytes(n + 1)} for n in range(12)])
    writer.commit()


def _read_mindrecord(folder: Path) -> None:
    path = str(folder / "a.mindrecord")
    _rows(ds.MindDataset(path, shuffle=False))
    reader = FileReader(path)
    list(reader.get_next())
    reader.close()


def _example(n: int) -> bytes:
    def feature(name: str, kind: int, values: bytes) -> bytes:
        return wire.field(1, wire.field(1, name.encode()) + wire.field(2, wire.field(kind, values)))

    numbers, floats = (
        wire.field(1, wire.varint(n) + wire.varint(300)),
        wire.field(1, np.array([n, 2], np.float32).tobytes()),
    )
    return wire.field(1, feature("a", 3, numbers) + feature("b", 2, floats) + feature("c", 1, wire.field(1, b"text")))


def _record(data: bytes) -> bytes:
    length = struct.pack("<Q", len(data))
    return length + struct.pack("<I", masked_crc32c(length)) + data + struct.pack("<I", masked_crc32c(data))


RECORDS = b"".join(_record(_example(n)) for n in range(10))
SCHEMA = {"columns": {"a": {"type": "int64", "shape": [2]}, "b": {"type": "float32", "shape": [2]}}}


def _picture(kind: str) -> bytes:
    pixels = np.random.RandomState(0).randint(0, 255, (9, 13, 3), np.uint8)
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, kind)
    return stream.getvalue()


def _image(kind: str, suffix: str) -> Format:
    name = f"class/picture.{suffix}"
    return Format(
        name,
        _written(name, _picture(kind)),
        lambda folder: _rows(ds.ImageFolderDataset(str(folder), decode=True, extensions=[f".{suffix}"])),
    )


def _sound() -> bytes:
    stream = io.BytesIO()
    with wave.open(stream, "wb") as sound:
        sound.setparams((1, 2, 8000, 0, "NONE", ""))
        sound.writeframes(bytes(range(200)))
    return stream.getvalue()


def _events(folder: Path) -> None:
    scalars = [event_file.event(n, [event_file.scalar("loss", n / 2)]) for n in range(3)]
    tensor = event_file.event(4, [event_file.tensor("x", np.arange(3.0)), event_file.text("note", "words")])
    (folder / "a.events").write_bytes(b"".join(map(_record, [*scalars, tensor])))


def _coco() -> str:
    notes = [{"image_id": 1, "bbox": [1, 2, 3, 4], "category_id": 1, "iscrowd": 0, "id": 7}]
    return json.dumps(
        {"images": [{"id": 1, "file_name": "a.jpg"}], "annotations": notes, "categories": [{"id": 1, "name": "c"}]}
    )


def _made(*parts: Callable[[Path], Any]) -> Callable[[Path], Any]:
    return lambda folder: [part(folder) for part in parts]


VOC = (
    "<annotation><object><name>dog</name><difficult>0</difficult><truncated>1</truncated><bndbox><xmin>1</xmin>"
    "<ymin>2</ymin><xmax>5</xmax><ymax>6</ymax></bndbox></object></annotation>"
)
BATCH = {b"data": np.zeros((2, 3072), np.uint8), b"labels": [1, 2], b"fine_labels": [3, 4]}
IDX_IMAGES = struct.pack(">4I", 2051, 2, 28, 28) + bytes(2 * 784)
IDX_LABELS = struct.pack(">2I", 2049, 2) + bytes([3, 4])


def _matlab() -> bytes:
    def element(kind: int, content: bytes) -> bytes:
        return struct.pack("<II", kind, len(content)) + content + bytes(-len(content) % 8)

    def matrix(name: bytes, shape: tuple[int, ...]) -> bytes:
        content = element(6, struct.pack("<II", 9, 0)) + element(5, struct.pack(f"<{len(shape)}i", *shape))
        content += element(1, name) + element(2, bytes(int(np.prod(shape))))
        packed = zlib.compress(element(14, content))
        return struct.pack("<II", 15, len(packed)) + packed

    return bytes(124) + struct.pack("<H", 0x100) + b"IM" + matrix(b"X", (32, 32, 3, 2)) + matrix(b"y", (2, 1))


FORMATS: dict[str, Format] = {
    "ckpt": _checkpoint("net.ckpt", _copied("net.ckpt", "real_train_step.ckpt")),
    "encrypted ckpt": _checkpoint("net.ckpt", _saved("net.ckpt", enc_key=KEY), dec_key=KEY),
    "checked ckpt": _checkpoint("net.ckpt", _saved("net.ckpt", crc_check=True), crc_check=True),
    "safetensors": _checkpoint("net.safetensors", _saved("net.safetensors", format="safetensors")),
    "pth": _checkpoint("net.pth", _copied("net.pth", "torch_forms.pth")),
    "legacy pth": _checkpoint("net.pth", _copied("net.pth", "torch_forms_legacy.pth")),
    "mindir": Format("net.mindir", _exported, lambda folder: export.load(str(folder / "net.mindir"))),
    "mindir of MindSpore": Format(
        "gate.mindir", _copied("gate.mindir", "mindir/gate.mindir"), lambda folder: export.load(str(folder / "gate.mindir"))
    ),
    "mindir in parts": Format(
        "gate_split_variables/data_0", _split, lambda folder: export.load(str(folder / "gate_split_graph.mindir"))
    ),
    "onnx": Format("net.onnx", _copied("net.onnx", "onnx/yolo_old.onnx"), lambda folder: export.load(str(folder / "net.onnx"))),
    "strategy": Format(
        "strategy.json",
        _written("strategy.json", json.dumps({"parallel_layout_item": {"w": {"dev_matrix": [2], "tensor_map": [0]}}})),
        lambda folder: strategy.build_searched_strategy(str(folder / "strategy.json")),
    ),
    "groups": Format(
        "groups.pb",
        _written("groups.pb", wire.field(2, wire.number(1, 0) + wire.number(1, 3))),
        lambda folder: strategy.restore_group_info_list(str(folder / "groups.pb")),
    ),
    "events": Format("a.events", _events, lambda folder: list(event_file.read_events(str(folder / "a.events")))),
    "mindrecord": Format("a.mindrecord", _mindrecord, _read_mindrecord),
    "mindrecord index": Format("a.mindrecord.db", _mindrecord, _read_mindrecord),
    "tfrecord": Format(
        "a.tfrecord",
        _written("a.tfrecord", RECORDS),
        lambda folder: _rows(ds.TFRecordDataset(str(folder / "a.tfrecord"), shuffle=False)),
    ),
    "packed tfrecord": Format(
        "a.tfrecord",
        _written("a.tfrecord", gzip.compress(RECORDS)),
        lambda folder: _rows(ds.TFRecordDataset(str(folder / "a.tfrecord"), shuffle=False, compression_type="GZIP")),
    ),
    "schema": Format("schema.json", _written("schema.json", json.dumps(SCHEMA)), lambda folder: ds.Schema(str(folder / "schema.json"))),
    "tfrecord with a schema": Format(
        "a.tfrecord",
        _made(_written("a.tfrecord", RECORDS), _written("schema.json", json.dumps(SCHEMA))),
        lambda folder: _rows(ds.TFRecordDataset(str(folder / "a.tfrecord"), str(folder / "schema.json"), shuffle=False)),
    ),
    "csv": Format(
        "a.csv",
        _written("a.csv", 'n,x,s\n1,2.5,one\n2,-1e3,"two, three"\n3,4,äö\n'),
        lambda folder: _rows(ds.CSVDataset(str(folder / "a.csv"), column_defaults=[0, 0.0, ""], shuffle=False)),
    ),
    "text": Format("a.txt", _written("a.txt", "one\ntwo äö\n\nthree\n"), lambda folder: _rows(ds.TextFileDataset(str(folder / "a.txt")))),
    "lines of json": Format(
        "a.json",
        _written("a.json", '{"label": "0", "sentence1": "a", "sentence2": "b"}\n' * 3),
        lambda folder: _rows(ds.CLUEDataset(str(folder / "a.json"), "AFQMC", "train")),
    ),
    "pipeline": Format(
        "pipeline.json",
        lambda folder: ds.serialize(
            ds.RandomDataset(3).map(ds.transforms.TypeCast("int32"), ["c0"]).batch(2), str(folder / "pipeline.json")
        ),
        lambda folder: ds.deserialize(json_filepath=str(folder / "pipeline.json")),
    ),
    "coco": Format(
        "notes.json",
        _made(_written("notes.json", _coco()), _written("a.jpg", _picture("JPEG"))),
        lambda folder: _rows(ds.CocoDataset(str(folder), str(folder / "notes.json"))),
    ),
    "voc": Format(
        "Annotations/a.xml",
        _made(
            _written("Annotations/a.xml", VOC),
            _written("JPEGImages/a.jpg", _picture("JPEG")),
            _written("ImageSets/Main/train.txt", "a\n"),
        ),
        lambda folder: _rows(ds.VOCDataset(str(folder), "Detection", "train")),
    ),
    "manifest": Format(
        "a.manifest",
        _made(
            lambda folder: _written("a.manifest", json.dumps(
                {"source": str(folder / "a.jpg"), "usage": "train", "annotation": [{"name": "dog"}]}) + "\n")(folder),
            _written("a.jpg", _picture("JPEG")),
        ),
        lambda folder: _rows(ds.ManifestDataset(str(folder / "a.manifest"))),
    ),
    "cifar": Format(
        "test_batch.bin",
        _written("test_batch.bin", bytes(2 * 3073)),
        lambda folder: _rows(ds.Cifar10Dataset(str(folder), "test")),
    ),
    "cifar pickle": Format(
        "data_batch_1", _written("data_batch_1", pickle.dumps(BATCH, 2)), lambda folder: load_batch(str(folder / "data_batch_1"))
    ),
    "idx images": Format(
        "t10k-images-idx3-ubyte",
        _made(_written("t10k-images-idx3-ubyte", IDX_IMAGES), _written("t10k-labels-idx1-ubyte", IDX_LABELS)),
        lambda folder: _rows(ds.MnistDataset(str(folder), "test")),
    ),
    "idx labels": Format(
        "t10k-labels-idx1-ubyte",
        _made(_written("t10k-images-idx3-ubyte", IDX_IMAGES), _written("t10k-labels-idx1-ubyte", IDX_LABELS)),
        lambda folder: _rows(ds.MnistDataset(str(folder), "test")),
    ),
    "matlab": Format(
        "train_32x32.mat", _written("train_32x32.mat", _matlab()), lambda folder: _rows(ds.SVHNDataset(str(folder), "train"))
    ),
    "jpeg": _image("JPEG", "jpg"),
    "png": _image("PNG", "png"),
    "bmp": _image("BMP", "bmp"),
    "gif": Format(
        "class/picture.gif",
        _written("class/picture.gif", _picture("GIF")),
        lambda folder: _rows(
            ds.ImageFolderDataset(str(folder), extensions=[".gif"]).map([vision.Decode(to_pil=True), np.array], ["image"])
        ),
    ),
    "webp": _image("WEBP", "webp"),
    "tiff": _image("TIFF", "tiff"),
    "wav": Format(
        "yes/a_nohash_0.wav",
        _written("yes/a_nohash_0.wav", _sound()),
        lambda folder: _rows(ds.SpeechCommandsDataset(str(folder))),
    ),
    "vocabulary": Format(
        "vocab.txt", _written("vocab.txt", "one\ntwo\nthree\n"), lambda folder: text.Vocab.from_file(str(folder / "vocab.txt"))
    ),
    "vectors": Format(
        "glove.6B.3d.txt",
        _written("glove.6B.3d.txt", "one 1 2 3\ntwo 4 5 6\n"),
        lambda folder: text.GloVe.from_file(str(folder / "glove.6B.3d.txt")),
    ),
    "settings of datasets": Format(
        "settings.json",
        _written("settings.json", json.dumps({"numParallelWorkers": 2, "seed": 5489})),
        lambda folder: ds.config.load(str(folder / "settings.json")),
    ),
}  # fmt: skip
