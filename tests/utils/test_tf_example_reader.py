"""The C++ reader of TFRecord files gives what the Python one gives, and leaves what is unusual to it."""

import struct
from pathlib import Path

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore._utils.files import tf_example, tf_example_reader
from mindspore._utils.files.wire import field, number, varint

pytestmark = pytest.mark.skipif(tf_example_reader.library() is None, reason="it is not built")
INTEGERS, FLOATS, BYTES = tf_example.INTEGERS, tf_example.FLOATS, tf_example.BYTES


def feature(name, kind, content):
    return field(1, field(1, name.encode()) + field(2, field(kind, content)))


def packed(values):
    return field(1, b"".join(varint(int(value) & 2**64 - 1) for value in values))


def message(row, count=4):
    return field(1, b"".join([
        feature("ids", INTEGERS, packed([-row, row, 2**40 + row, 127][:count] + [5] * max(count - 4, 0))),
        feature("part", FLOATS, field(1, np.arange(3, dtype="<f4").tobytes())),
        feature("text", BYTES, field(1, f"{row:03}".encode())),
    ]))  # fmt: skip


def unpacked(row):
    return field(1, feature("ids", INTEGERS, number(1, row) + number(1, 7)) + feature("part", FLOATS, field(1, bytes(4)))
                 + feature("text", BYTES, field(1, b"a") + field(1, b"bc")))  # fmt: skip


def written(folder, messages):
    with open(folder / "a.tfrecord", "wb") as stream:
        for data in messages:
            length = struct.pack("<Q", len(data))
            stream.write(length + struct.pack("<I", tf_example.masked_crc32c(length)) + data + bytes(4))
    return str(folder / "a.tfrecord")


def rows(path, **options):
    data = ds.TFRecordDataset(path, shuffle=False, **options)
    try:
        return [{name: np.array(value) for name, value in row.items()} for row in data.create_dict_iterator(1, True)]
    except RuntimeError as error:
        return str(error)


def both(monkeypatch, path, **options):
    """What is read with it and without it."""
    fast = rows(path, **options)
    with monkeypatch.context() as patch:
        patch.setattr(tf_example_reader, "library", lambda: None)
        return fast, rows(path, **options)


def assert_same(fast, plain):
    assert type(fast) is type(plain)
    if isinstance(fast, str):
        assert fast == plain
        return
    assert len(fast) == len(plain)
    for one, other in zip(fast, plain, strict=True):
        assert list(one) == list(other)
        for name in one:
            assert one[name].dtype == other[name].dtype
            np.testing.assert_array_equal(one[name], other[name])


MESSAGES = {
    "alike": [message(row) for row in range(40)],
    "other lengths": [message(row, 1 + row % 6) for row in range(40)],
    "unpacked among them": [unpacked(row) if row % 7 == 3 else message(row) for row in range(40)],
    "one": [message(1)],
    "cut off": [message(row)[:-1] for row in range(10)],
    "a number without its end": [field(1, feature("ids", INTEGERS, field(1, b"\x80"))) for _ in range(10)],
    "a number of eleven bytes": [field(1, feature("ids", INTEGERS, field(1, b"\x80" * 10 + b"\x01"))) for _ in range(10)],
    "a feature is missing": [message(row) if row else field(1, feature("ids", INTEGERS, packed([1]))) for row in range(9)],
    "a name twice": [field(1, feature("ids", INTEGERS, packed([1])) + feature("ids", INTEGERS, packed([2]))) for _ in range(9)],
    "umlauts": [field(1, feature("größe", INTEGERS, packed([row]))) for row in range(9)],
    "empty lists": [field(1, feature("ids", INTEGERS, b"")) for _ in range(9)],
    "an empty message": [b"" for _ in range(9)],
}  # fmt: skip


@pytest.mark.parametrize("name", MESSAGES)
def test_columns_as_they_are(name, monkeypatch, tmp_path):
    assert_same(*both(monkeypatch, written(tmp_path, MESSAGES[name])))


@pytest.mark.parametrize("name", MESSAGES)
def test_columns_by_a_schema(name, monkeypatch, tmp_path):
    schema = ds.Schema()
    schema.add_column("ids", "int32", [2, 2])
    schema.add_column("part", "float32", [3])
    schema.add_column("text", "uint8", [3])
    assert_same(*both(monkeypatch, written(tmp_path, MESSAGES[name]), schema=schema))


def test_it_reads_the_usual_form_itself(tmp_path):
    data = ds.TFRecordDataset(written(tmp_path, MESSAGES["other lengths"]), shuffle=False)
    assert data._parse_together(np.arange(40), np.zeros(40, np.int64)) is not None


def test_damaged_messages(monkeypatch, tmp_path):
    random = np.random.RandomState(5)
    for attempt in range(60):
        messages = [bytearray(message(row)) for row in range(9)]
        damaged = messages[random.randint(9)]
        damaged[random.randint(len(damaged))] = random.randint(256)
        folder = tmp_path / str(attempt)  # files that are read are not written again
        folder.mkdir()
        assert_same(*both(monkeypatch, written(folder, messages)))


def test_files_that_are_cut_off(tmp_path):
    path = written(tmp_path, MESSAGES["alike"])
    data = memoryview(Path(path).read_bytes())
    assert len(tf_example.record_positions(data)) == 40
    for size in (1, 11, 12, 100, len(data) - 1):
        with pytest.raises(ValueError, match="cut off"):
            tf_example.record_positions(data[:size])
