"""Files made to take all memory or time, and files that are wrong: errors that name the file, the place and what was expected."""

import contextlib
import gzip
import io
import pickle
import sqlite3
import struct
import wave
import zipfile
import zlib

import numpy as np
import pytest

import mindspore as ms
import mindspore.dataset as ds
from mindspore import nn
from mindspore._engine.config import config
from mindspore._utils.files import wire
from mindspore._utils.files.array_pickle import read_arrays
from mindspore._utils.files.crc32c import masked_crc32c
from mindspore._utils.files.file_limit import most_bytes
from mindspore._utils.files.pickle_reader import RefusedPickle
from mindspore.dataset import vision
from mindspore.mindrecord import FileReader, MindPage
from tests.security.formats import FORMATS


def rows(data):
    return list(data.create_dict_iterator(num_epochs=1, output_numpy=True))


# -- bombs ------------------------------------------------------------------------------------------------------------


def torch_file(path, tensors):
    """A file of PyTorch whose pickle is written by hand: so many tensors, each of 64 MB, from four bytes."""
    storage = b"(X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x000X\x03\x00\x00\x00cpuK\x01tQ"
    shape = b"(J\x00\x00\x00\x01t"  # 2**24
    content = b"\x80\x02}("
    for number in range(tensors):
        name = b"%05d" % number
        content += (
            b"X\x05\x00\x00\x00"
            + name
            + b"ctorch._utils\n_rebuild_tensor\n("
            + storage
            + b"K\x00"
            + shape
            + b"(K\x00ttR"
        )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a/data.pkl", content + b"u.")
        archive.writestr("a/data/0", b"\0\0\x80\x3f")


def test_all_tensors_of_a_file_count_together(tmp_path):
    path = str(tmp_path / "bomb.pth")
    torch_file(path, 1)
    assert ms.load_checkpoint(path)["00000"].shape == (1 << 24,)
    torch_file(path, 200)
    with pytest.raises(ValueError, match=r"bomb\.pth.*12800 MB.*MYCELIUM_FILE_LIMIT_MB"):
        ms.load_checkpoint(path)


def test_files_of_an_archive_do_not_overlap(tmp_path):
    path = tmp_path / "bomb.pth"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a/data.pkl", b"\x80\x02}.")
        archive.writestr("a/data/0", bytes(10_000))
        for number in range(1, 50):  # entries of the table that point to the same bytes
            again = zipfile.ZipInfo(f"a/data/{number}")
            first = archive.getinfo("a/data/0")
            for name in zipfile.ZipInfo.__slots__:
                if hasattr(first, name):
                    setattr(again, name, getattr(first, name))
            again.filename = f"a/data/{number}"
            archive.filelist.append(again)
    with pytest.raises(ValueError, match=r"bomb\.pth.*overlap"):
        ms.load_checkpoint(str(path), crc_check=True)


def test_a_shape_of_a_million_axes_takes_no_time(tmp_path):
    path = tmp_path / "bomb.pth"
    storage = b"(X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x000X\x03\x00\x00\x00cpuK\x01tQ"
    many = b"(" + b"J\xff\xff\xff\x7f" * 300_000 + b"t"
    with zipfile.ZipFile(path, "w") as archive:
        tensor = b"ctorch._utils\n_rebuild_tensor\n(" + storage + b"K\x00" + many + many + b"tR"
        archive.writestr("a/data.pkl", b"\x80\x02}X\x01\x00\x00\x00a" + tensor + b"s.")
        archive.writestr("a/data/0", bytes(4))
    with pytest.raises(ValueError, match=r"bomb\.pth.*shape that cannot be"):
        ms.load_checkpoint(str(path))


def test_lists_that_hold_each_other_twice_do_not_unfold():
    value = [1]
    for _ in range(40):
        value = [value, value]
    with pytest.raises(RefusedPickle, match="values"):
        read_arrays(pickle.dumps(value))


def png(width, height):
    """The beginning of a PNG file, with one row of many."""

    def part(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", header) + part(b"IDAT", zlib.compress(bytes(1000))) + part(b"IEND", b"")


@pytest.mark.parametrize(("width", "height"), [(30_000, 30_000), (2**31 - 1, 2**31 - 1), (60_000, 60_000)])
def test_an_image_is_not_larger_than_its_file_can_be(tmp_path, width, height):
    path = tmp_path / "a" / "bomb.png"
    path.parent.mkdir()
    path.write_bytes(png(width, height))
    for read in (
        lambda: rows(ds.ImageFolderDataset(str(tmp_path), decode=True)),
        lambda: rows(ds.ImageFolderDataset(str(tmp_path)).map(vision.Decode(), ["image"])),
        lambda: rows(ds.ImageFolderDataset(str(tmp_path)).map(vision.Decode(to_pil=True), ["image"])),
        lambda: vision.read_image(str(path)),
    ):
        with pytest.raises(RuntimeError, match=rf"(?s)bomb\.png.*|{width} x {height}") as raised:
            read()
        assert "MYCELIUM_FILE_LIMIT_MB" in str(raised.value) and "bomb.png" in str(raised.value)


def record(data):
    length = struct.pack("<Q", len(data))
    return length + struct.pack("<I", masked_crc32c(length)) + data + struct.pack("<I", masked_crc32c(data))


@pytest.fixture
def limit_of_8():
    before = config.file_limit.value
    config.file_limit.settle(8)
    yield
    config.file_limit.settle(before)


def test_a_packed_file_of_records_unpacks_to_a_limit(tmp_path, limit_of_8):
    path = tmp_path / "bomb.tfrecord"
    chunk = bytes(1 << 18)
    with gzip.open(path, "wb", 1) as stream:
        for _ in range(40):
            stream.write(chunk)
    with pytest.raises(RuntimeError, match=r"(?s)bomb\.tfrecord.*at most 8 MB.*MYCELIUM_FILE_LIMIT_MB"):
        rows(ds.TFRecordDataset(str(path), compression_type="GZIP"))


def test_texts_of_a_record_are_not_filled_up_without_end(tmp_path):
    path = tmp_path / "bomb.tfrecord"
    values = wire.field(1, b"a" * 1_000_000) + wire.field(1, b"") * 100_000
    feature = wire.field(1, b"x") + wire.field(2, wire.field(1, values))
    path.write_bytes(record(wire.field(1, wire.field(1, feature))))
    with pytest.raises(RuntimeError, match=r"(?s)bomb\.tfrecord.*95369 MB"):
        rows(ds.TFRecordDataset(str(path)))


def test_texts_of_a_batch_are_not_filled_up_without_end(tmp_path):
    path = tmp_path / "bomb.txt"
    path.write_bytes(b"a" * 3_000_000 + b"\n" + b"b\n" * 999)
    with pytest.raises(RuntimeError, match=r"column 'text'.*11445 MB"):
        rows(ds.TextFileDataset(str(path), shuffle=False).batch(1000))


def test_no_limit_is_a_limit_of_zero(limit_of_8):
    assert most_bytes(1) == 8 * 2**20 and most_bytes(2**30) == 20 * 2**30
    config.file_limit.settle(0)
    assert most_bytes(1) == 2**62


# -- wrong content ----------------------------------------------------------------------------------------------------
def test_text_that_is_not_utf8_is_found_by_file_and_line(tmp_path):
    path = tmp_path / "bad.csv"
    path.write_bytes("a,b\n1,ä\n2,".encode() + b"\xff\n")
    with pytest.raises(RuntimeError, match=r"row 2 of .*bad\.csv could not be read: 'utf-8'.*Expected"):
        rows(ds.CSVDataset(str(path), shuffle=False))
    path.write_bytes(b"a,\xff\n1,2\n")
    with pytest.raises(RuntimeError, match=r"bad\.csv"):
        ds.CSVDataset(str(path))
    text = tmp_path / "bad.txt"
    text.write_bytes(b"one\ntwo \xfe\n")
    with pytest.raises(RuntimeError, match=r"row 2 of .*bad\.txt.*'utf-8'"):
        rows(ds.TextFileDataset(str(text), shuffle=False))


@pytest.mark.parametrize(
    "content", ["[]", '{"columns": 3}', '{"columns": [3]}', '{"columns": {"a": 3}}', '{"columns": {"a": {"type": "int9"}}}',
                '{"columns": {"a": {"type": "int8", "shape": ["x"]}}}', '{"columns": {}, "numRows": "x"}', "[" * 100_000]
)  # fmt: skip
def test_a_wrong_schema_is_named(tmp_path, content):
    path = tmp_path / "schema.json"
    path.write_text(content)
    with pytest.raises((RuntimeError, ValueError, TypeError), match=r"schema\.json"):
        ds.Schema(str(path))


@pytest.mark.parametrize(
    "content", ["[]", "3", '{"images": 3, "annotations": []}', '{"annotations": [3], "images": []}', "[" * 100_000,
                '{"annotations": [{"image_id": 1, "bbox": [1, 2], "category_id": 1}], "images": [{"id": 1, "file_name": "a"}]}',
                '{"annotations": [{"image_id": 1, "bbox": [1, 2, 3, 4], "category_id": -1}], "images": [{"id": 1, "file_name": 3}]}',
                '{"annotations": [{"image_id": [], "bbox": [1, 2, 3, 4], "category_id": 1}], "images": [{"id": 1, "file_name": "a"}]}']
)  # fmt: skip
def test_wrong_annotations_are_named(tmp_path, content):
    path = tmp_path / "notes.json"
    path.write_text(content)
    with pytest.raises(RuntimeError, match=r"notes\.json"):
        rows(ds.CocoDataset(str(tmp_path), str(path)))


def test_a_sound_without_content_says_why(tmp_path):
    folder = tmp_path / "speaker"
    folder.mkdir()
    stream = io.BytesIO()
    with wave.open(stream, "wb") as sound:
        sound.setparams((1, 2, 8000, 0, "NONE", ""))
        sound.writeframes(bytes(100))
    for content in (b"", b"RIFF", stream.getvalue()[:20], stream.getvalue()[:30]):
        (folder / "yes_nohash_0.wav").write_bytes(content)
        with pytest.raises(RuntimeError, match=r"yes_nohash_0\.wav: \w.*Expected a WAV file"):
            rows(ds.SpeechCommandsDataset(str(tmp_path)))


def test_fields_of_a_newer_version_are_skipped(tmp_path):
    path = tmp_path / "net.ckpt"
    net = nn.Dense(2, 3)
    ms.save_checkpoint(net, str(path))
    newer = path.read_bytes() + wire.field(7, b"new") + wire.number(9, 3)
    target = tmp_path / "newer.ckpt"
    target.write_bytes(newer)
    np.testing.assert_array_equal(ms.load_checkpoint(str(target))["weight"].asnumpy(), net.weight.asnumpy())
    tensor = wire.number(1, 1) + wire.field(2, b"Float32") + wire.field(3, b"\0\0\x80\x3f") + wire.number(5, 1)
    target.write_bytes(wire.field(1, wire.field(1, b"x") + wire.field(2, tensor) + wire.field(4, b"new")))
    assert ms.load_checkpoint(str(target))["x"].asnumpy().tolist() == [1]
    target.write_bytes(wire.field(7, b"new"))
    with pytest.raises(ValueError, match=r"newer\.ckpt"):
        ms.load_checkpoint(str(target))


@pytest.mark.parametrize("value", [np.array([object()]), np.array(["a", None]), np.array([1, 2], object)])
def test_arrays_of_objects_are_no_data(value):
    with pytest.raises(RuntimeError, match=r"Invalid data type.*'x'"):
        rows(ds.GeneratorDataset(lambda: iter([(value,)]), ["x"]))


def test_a_pipeline_that_is_none_is_named(tmp_path):
    path = tmp_path / "pipeline.json"
    for content in ("{", "[]", '{"op_type": 3}', "[" * 100_000, "\udcff"):
        path.write_bytes(content.encode("utf-8", "surrogateescape"))
        with pytest.raises(RuntimeError, match=r"pipeline\.json"):
            ds.deserialize(json_filepath=str(path))


@pytest.mark.parametrize(
    "change", ["UPDATE INDEXES SET PAGE_OFFSET_RAW = 'text'", "UPDATE INDEXES SET PAGE_OFFSET_BLOB = -9999999",
               "UPDATE INDEXES SET PAGE_ID_BLOB = 9000", "DROP TABLE INDEXES", None],
)  # fmt: skip
def test_an_index_of_records_that_is_wrong_is_named(tmp_path, change):
    FORMATS["mindrecord"].make(tmp_path)
    path = tmp_path / "a.mindrecord"
    if change is None:  # SQLite says so in words that are not UTF-8
        data = (tmp_path / "a.mindrecord.db").read_bytes()
        (tmp_path / "a.mindrecord.db").write_bytes(data.replace(b"CREATE TABLE INDEXES", b"CREATE \xff\xffBLE INDEXES"))
    else:
        with contextlib.closing(sqlite3.connect(f"{path}.db")) as database:
            database.execute(change)
            database.commit()
    with pytest.raises(RuntimeError, match=r"a\.mindrecord\.db"):
        FileReader(str(path))
    with pytest.raises(RuntimeError, match=r"a\.mindrecord\.db"):
        MindPage(str(path))
