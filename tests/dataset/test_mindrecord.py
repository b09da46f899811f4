"""mindspore.mindrecord: files of real MindSpore are read, and written byte by byte as it writes them."""

from __future__ import annotations

import json
import os
import pathlib
import pickle
import sqlite3
import struct
import zipfile

import numpy as np
import pytest

from mindspore import mindrecord
from mindspore._utils.files import encryption
from mindspore.dataset import MindDataset
from mindspore.mindrecord import FileReader, FileWriter, MindPage, _integers, _msgpack
from mindspore.mindrecord._reader import RecordFile
from mindspore.mindrecord.common import exceptions
from tools.oracle import mindrecord_cases

REAL = pathlib.Path(__file__).parents[1] / "data" / "dataset_mindrecord.zip"


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    """The folder with the files of real MindSpore."""
    folder = tmp_path_factory.mktemp("real")
    with zipfile.ZipFile(REAL) as archive:
        archive.extractall(folder)
    return folder


def first_file(folder, name):
    path = folder / f"{name}.mindrecord"
    return str(path if path.exists() else f"{path}0")


def assert_rows(found, name):
    case = mindrecord_cases.CASES[name]
    found = list(found)
    assert len(found) == len(case["rows"])
    for row, expected in zip(found, case["rows"]):
        assert sorted(row) == sorted(case["fields"])
        for field in row:
            if isinstance(expected[field], np.ndarray):
                assert row[field].dtype == expected[field].dtype
                np.testing.assert_array_equal(row[field], expected[field])
            else:
                assert row[field] == expected[field]


@pytest.mark.parametrize("name", mindrecord_cases.CASES)
def test_files_of_real_mindspore_are_read(real, name):
    assert_rows(FileReader(first_file(real, name)).get_next(), name)


@pytest.mark.parametrize("name", mindrecord_cases.CASES)
def test_files_written_here_are_read(tmp_path, name):
    mindrecord_cases.write(FileWriter, str(tmp_path), name)
    assert_rows(FileReader(first_file(tmp_path, name)).get_next(), name)


@pytest.mark.parametrize("name", mindrecord_cases.SAME_BYTES)
def test_files_are_written_as_real_mindspore_writes_them(real, tmp_path, name):
    for path in mindrecord_cases.write(FileWriter, str(tmp_path), name):
        assert pathlib.Path(path).read_bytes() == (real / pathlib.Path(path).name).read_bytes()


@pytest.mark.parametrize("name", mindrecord_cases.SAME_BYTES)
def test_the_index_is_that_of_real_mindspore(real, tmp_path, name):
    def content(path):
        database = sqlite3.connect(path)
        columns = database.execute("PRAGMA table_info(INDEXES)").fetchall()
        rows = database.execute("SELECT * FROM INDEXES ORDER BY ROW_ID").fetchall()
        names = database.execute("SELECT NAME FROM SHARD_NAME").fetchall()
        database.close()
        return columns, rows, names

    for path in mindrecord_cases.write(FileWriter, str(tmp_path), name):
        assert content(f"{path}.db") == content(str(real / f"{pathlib.Path(path).name}.db"))


def simple(tmp_path, rows, name="rows", fields=None, **options):
    writer = FileWriter(str(tmp_path / name), **options)
    writer.add_schema(fields or {"label": {"type": "int32"}, "name": {"type": "string"}})
    writer.write_raw_data(rows)
    writer.commit()
    return str(tmp_path / name)


def labels(count):
    return [{"label": number, "name": f"n{number % 3}"} for number in range(count)]


# ---- random access


def test_rows_are_read_in_any_order_as_arrays(real):
    records = RecordFile(first_file(real, "full"))
    expected = mindrecord_cases.CASES["full"]["rows"]
    assert len(records) == 20
    assert list(records.columns) == sorted(mindrecord_cases.FIELDS)
    assert records.columns["pairs"] == (np.dtype("int64"), (-1, 2))
    assert records.columns["label"] == (np.dtype("int32"), ())
    assert records.columns["data"] == (np.dtype("S"), (1,))
    for row in (19, 0, 7, -1):
        found = records.read(row)
        assert (
            found["label"].dtype == np.int32 and found["label"].shape == () and found["label"] == expected[row]["label"]
        )
        assert found["single"].dtype == np.float32 and found["name"].dtype.kind == "U"
        assert found["data"].shape == (1,) and found["data"].tobytes() == expected[row]["data"]
        assert found["pairs"].flags.writeable
    with pytest.raises(IndexError, match="Row 20 does not exist: there are 20 rows"):
        records.read(20)


def test_many_rows_are_stacked_where_shapes_agree(real):
    records = RecordFile(first_file(real, "full"), ["label", "three", "list", "data", "name"])
    many = records.read_many([3, 1, 5])
    expected = [mindrecord_cases.CASES["full"]["rows"][row] for row in (3, 1, 5)]
    assert many["label"].tolist() == [row["label"] for row in expected] and many["label"].dtype == np.int32
    assert many["name"].tolist() == [row["name"] for row in expected]
    np.testing.assert_array_equal(many["three"], np.stack([row["three"] for row in expected]))
    assert [one.tobytes() for one in many["data"]] == [row["data"] for row in expected]
    assert [one.tolist() for one in many["list"]] == [row["list"].tolist() for row in expected]


def test_empty_bytes_are_a_value(tmp_path):
    path = simple(tmp_path, [{"data": b""}, {"data": b"\0"}], fields={"data": {"type": "bytes"}})
    assert [RecordFile(path).values(row)["data"] for row in range(2)] == [b"", b"\0"]
    assert RecordFile(path).read(0)["data"].tolist() == [b""]


def test_one_shard_stands_for_all_and_a_list_for_itself(real):
    name = "shards.mindrecord"
    everything = [row["label"] for row in FileReader(str(real / f"{name}2")).get_next()]
    assert everything == [row["label"] for row in mindrecord_cases.CASES["shards"]["rows"]]
    some = [row["label"] for row in FileReader([str(real / f"{name}1"), str(real / f"{name}0")]).get_next()]
    assert some == everything[6:12] + everything[:6]


def test_a_reader_can_be_sent_to_another_process(real):
    records = pickle.loads(pickle.dumps(RecordFile(first_file(real, "full"), ["label"])))
    assert records.read(3) == {"label": mindrecord_cases.CASES["full"]["rows"][3]["label"]}


def test_columns_are_chosen(real):
    path = first_file(real, "full")
    reader = FileReader(path, columns=["label", "data"])
    assert all(sorted(row) == ["data", "label"] for row in reader.get_next())
    assert reader.schema()["pairs"] == {"shape": [-1, 2], "type": "int64"} and reader.len() == 20
    reader.close()
    with pytest.raises(RuntimeError, match="The reader is closed"):
        reader.len()
    with pytest.raises(RuntimeError, match="column name: zz can not found"):
        FileReader(path, columns=["zz"])
    with pytest.raises(exceptions.ParamTypeError):
        FileReader(path, columns="label")


def patched(path, old, new):
    path = pathlib.Path(path)
    path.write_bytes(path.read_bytes().replace(old, new, 1))
    return str(path)


def test_files_of_version_2_hold_integers_as_they_are(tmp_path):
    fields = {"list": {"type": "int32", "shape": [-1]}, "label": {"type": "int32"}}
    floats = [{"list": np.array([number, -1.5], np.float32), "label": number} for number in range(3)]
    written = dict(fields, list={"type": "float32", "shape": [-1]})
    path = patched(simple(tmp_path, floats, fields=written), b'"version":"3.0"', b'"version":"2.0"')
    path = patched(path, b'"type":"float32"', b'"type":"int32"  ')
    expected = [row["list"].view(np.int32).tolist() for row in floats]
    assert [row["list"].tolist() for row in FileReader(path).get_next()] == expected
    writer = FileWriter.open_for_append(path)
    writer.write_raw_data([{"list": np.array([7, 8], np.int32), "label": 3}])
    writer.commit()
    assert [row["list"].tolist() for row in FileReader(path).get_next()] == [*expected, [7, 8]]


def test_files_of_an_unknown_version_are_told(tmp_path):
    path = patched(simple(tmp_path, labels(2)), b'"version":"3.0"', b'"version":"9.0"')
    with pytest.raises(RuntimeError, match=r"but it is 9\.0"):
        FileReader(path)


# ---- writing


def test_rows_are_spread_evenly_whatever_the_calls(tmp_path):
    writer = FileWriter(str(tmp_path / "rows"), 3)
    writer.add_schema({"label": {"type": "int32"}})
    for number in range(11):
        writer.write_raw_data([{"label": number}])
    writer.commit()
    sizes = [FileReader([str(tmp_path / f"rows{shard}")]).len() for shard in range(3)]
    assert sizes == [4, 4, 3]
    assert sorted(row["label"] for row in FileReader(str(tmp_path / "rows1")).get_next()) == list(range(11))


def test_parallel_writing_fills_files_that_stand_for_themselves(tmp_path):
    writer = FileWriter(str(tmp_path / "rows"), 2)
    writer.add_schema({"label": {"type": "int32"}})
    for start in (0, 3, 6):
        writer.write_raw_data([{"label": start}, {"label": start + 1}], parallel_writer=True)
    with pytest.raises(RuntimeError, match="must be consistent"):
        writer.write_raw_data([{"label": 1}])
    writer.commit()
    found = [[row["label"] for row in FileReader(str(tmp_path / f"rows{shard}")).get_next()] for shard in range(2)]
    assert found == [[0, 1, 6, 7], [3, 4]]


def test_rows_that_do_not_fit_are_left_out_with_a_warning(tmp_path, capfd):
    rows = [
        {"label": 1.5, "name": "a"},
        {"label": 2, "name": "b"},
        {"name": "c"},
        {"label": np.int64(3), "name": "d"},
        {"label": np.int32(4), "name": "e", "more": 1},
        {"label": 2**40, "name": "f"},
    ]
    given = list(rows)
    path = simple(tmp_path, rows)
    assert list(FileReader(path).get_next()) == [{"label": 2, "name": "b"}, {"label": 4, "name": "e"}]
    assert rows == given
    assert "row 0 is left out: data type: 'float' for field: 'label'" in capfd.readouterr().err


@pytest.mark.parametrize("array", [np.zeros(3, np.int64), np.zeros(4, np.int32), 5, None])
def test_arrays_must_have_the_type_and_shape_of_the_schema(tmp_path, array):
    with pytest.raises(RuntimeError, match="no valid data"):
        simple(tmp_path, [{"x": array}], fields={"x": {"type": "int32", "shape": [3]}})


def test_files_are_replaced_only_when_asked(tmp_path):
    path = simple(tmp_path, labels(2))
    with pytest.raises(RuntimeError, match=r"already exist.*'overwrite' parameter to True"):
        simple(tmp_path, labels(3))
    assert FileReader(path).len() == 2
    simple(tmp_path, labels(3), overwrite=True)
    assert FileReader(path).len() == 3


def test_appending_again_and_again_fills_the_same_pages(tmp_path):
    path = simple(tmp_path, labels(2))
    size = os.path.getsize(path)
    for number in range(2, 30):
        writer = FileWriter.open_for_append(path)
        writer.write_raw_data([{"label": number, "name": f"n{number % 3}"}])
        writer.commit()
    assert list(FileReader(path).get_next()) == labels(30)
    assert os.path.getsize(path) < size + 2000


def test_appending_crosses_pages(tmp_path):
    rows = mindrecord_cases.large_rows(40)
    writer = FileWriter(str(tmp_path / "rows"))
    writer.set_page_size(1 << 15)
    writer.add_schema({name: mindrecord_cases.FIELDS[name] for name in ("label", "data", "name")})
    writer.write_raw_data(rows[:5])
    writer.commit()
    for start in range(5, 40, 7):
        writer = FileWriter.open_for_append(str(tmp_path / "rows"))
        writer.write_raw_data(rows[start : start + 7])
        writer.commit()
    assert list(FileReader(str(tmp_path / "rows")).get_next()) == rows


def test_a_file_without_rows_can_be_read(tmp_path):
    writer = FileWriter(str(tmp_path / "rows"))
    writer.add_schema({"label": {"type": "int32"}})
    assert writer.commit() is None
    assert FileReader(str(tmp_path / "rows")).len() == 0


def test_the_order_of_calls_is_checked(tmp_path):
    writer = FileWriter(str(tmp_path / "rows"))
    with pytest.raises(RuntimeError, match="please use 'add_schema'"):
        writer.write_raw_data([{"label": 1}])
    with pytest.raises(exceptions.MRMGetMetaError, match="call 'add_schema' first"):
        writer.add_index(["label"])
    writer.add_schema({"label": {"type": "int32"}})
    with pytest.raises(exceptions.MRMAddSchemaError):
        writer.add_schema({"other": {"type": "int32"}})
    writer.write_raw_data([{"label": 1}])
    with pytest.raises(RuntimeError, match="before the first 'write_raw_data'"):
        writer.set_page_size(1 << 16)
    writer.commit()
    with pytest.raises(RuntimeError, match="open_for_append"):
        writer.write_raw_data([{"label": 1}])
    assert writer.commit() is None


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ({}, exceptions.MRMInvalidSchemaError),
        ([1], exceptions.MRMInvalidSchemaError),
        ({"a b": {"type": "int32"}}, exceptions.MRMInvalidSchemaError),
        ({"a": {"type": "int8"}}, exceptions.MRMInvalidSchemaError),
        ({"a": {"type": "bytes", "shape": [1]}}, exceptions.MRMInvalidSchemaError),
        ({"a": {"type": "int32", "shape": (1,)}}, exceptions.MRMInvalidSchemaError),
        ({"a": {"x": "int32"}}, exceptions.MRMInvalidSchemaError),
        ({"a": 3}, exceptions.MRMInvalidSchemaError),
        ({"a": {"type": "int32", "shape": [-1, -1]}}, exceptions.MRMBuildSchemaError),
    ],
)
def test_wrong_schemas_are_refused(tmp_path, content, error):
    with pytest.raises(error):
        FileWriter(str(tmp_path / "rows")).add_schema(content)


def test_wrong_index_fields_are_refused(tmp_path):
    writer = FileWriter(str(tmp_path / "rows"))
    writer.add_schema({"label": {"type": "int32"}, "data": {"type": "bytes"}})
    with pytest.raises(exceptions.MRMDefineIndexError):
        writer.add_index(["data"])
    with pytest.raises(RuntimeError, match="q can not found in schema"):
        writer.add_index(["q"])
    with pytest.raises(RuntimeError, match="added repeatedly"):
        writer.add_index(["label", "label"])
    with pytest.raises(exceptions.ParamTypeError):
        writer.add_index("label")


@pytest.mark.parametrize(
    "arguments", [("",), (3,), ("a?b",), ("a/",), (" a",), ("a", 0), ("a", 1001), ("a", "3"), ("a", 1, 3)]
)
def test_wrong_arguments_are_refused(arguments):
    with pytest.raises(exceptions.ParamValueError):
        FileWriter(*arguments)


def test_sizes_have_limits():
    writer = FileWriter("rows")
    for size in ((1 << 14) - 4, (1 << 27) + 4, (1 << 14) + 2):
        with pytest.raises(RuntimeError, match="header size"):
            writer.set_header_size(size)
    for size in ((1 << 15) - 4, (1 << 28) + 4, (1 << 15) + 2):
        with pytest.raises(RuntimeError, match="page size"):
            writer.set_page_size(size)
    with pytest.raises(TypeError):
        writer.set_page_size("a")


def test_a_row_that_fits_no_page_changes_nothing(tmp_path):
    writer = FileWriter(str(tmp_path / "rows"))
    writer.set_page_size(1 << 15)
    writer.add_schema({"data": {"type": "bytes"}})
    with pytest.raises(RuntimeError, match=r"too small.*row 1.*set_page_size"):
        writer.write_raw_data([{"data": b"1"}, {"data": bytes(1 << 15)}])
    writer.write_raw_data([{"data": b"2"}])
    writer.commit()
    assert list(FileReader(str(tmp_path / "rows")).get_next()) == [{"data": b"2"}]


def test_a_header_that_is_too_small_is_told(tmp_path):
    writer = FileWriter(str(tmp_path / "rows"))
    writer.set_page_size(1 << 15)
    writer.set_header_size(1 << 14)
    writer.add_schema({"data": {"type": "bytes"}})
    writer.write_raw_data([{"data": bytes(30000)}] * 120)
    with pytest.raises(RuntimeError, match="set_header_size"):
        writer.commit()


def test_a_missing_folder_is_told(tmp_path):
    with pytest.raises(RuntimeError, match="does not exist"):
        simple(tmp_path / "none", labels(1))


# ---- damaged files


def test_missing_files_are_told(tmp_path):
    with pytest.raises(RuntimeError, match="is not exists"):
        FileReader(str(tmp_path / "rows"))
    with pytest.raises(exceptions.ParamValueError, match="empty list"):
        FileReader([])
    path = simple(tmp_path, labels(3))
    os.remove(f"{path}.db")
    with pytest.raises(RuntimeError, match=r"rows\.db is not exists"):
        FileReader(path)


@pytest.mark.parametrize("content", [b"", b"abc" * 1000, struct.pack("<Q", 5) + b"{abc}", struct.pack("<Q", 2) + b"{}"])
def test_files_of_another_kind_are_told(tmp_path, content):
    (tmp_path / "rows").write_bytes(content)
    with pytest.raises(RuntimeError, match=r"Invalid file.*'FileWriter'"):
        FileReader(str(tmp_path / "rows"))
    with pytest.raises(exceptions.ParamValueError, match="empty list"):
        FileReader([])


def test_files_cut_off_are_told(tmp_path):
    path = simple(tmp_path, labels(3))
    os.truncate(path, os.path.getsize(path) - 5)
    with pytest.raises(RuntimeError, match="is cut off"):
        FileReader(path)


def test_a_damaged_row_is_named(tmp_path):
    path = simple(tmp_path, labels(3))
    with open(path, "rb+") as stream:
        stream.seek(int(RecordFile(path)._offsets[1, 0]) + 8)
        stream.write(b"\xc1")
    reader = RecordFile(path)
    assert reader.values(0)["label"] == 0
    with pytest.raises(RuntimeError, match=r"row 1 of .*rows can not be read"):
        reader.values(1)


def test_an_index_of_another_file_is_told(tmp_path):
    path, other = simple(tmp_path, labels(3)), simple(tmp_path, labels(5), name="other")
    os.replace(f"{other}.db", f"{path}.db")
    with pytest.raises(RuntimeError, match="They do not belong together"):
        FileReader(path)
    pathlib.Path(f"{path}.db").write_bytes(b"no database" * 500)
    with pytest.raises(RuntimeError, match="can not be read"):
        FileReader(path)


def test_files_read_together_must_agree(tmp_path):
    path = simple(tmp_path, labels(3))
    other = simple(tmp_path, [{"x": 1}], name="other", fields={"x": {"type": "int32"}})
    with pytest.raises(RuntimeError, match="same schema"):
        FileReader([path, other])


def test_a_single_file_may_be_renamed(tmp_path):
    path = simple(tmp_path, labels(3))
    os.rename(path, tmp_path / "new")
    os.rename(f"{path}.db", tmp_path / "new.db")
    assert FileReader(str(tmp_path / "new")).len() == 3


# ---- by groups


def test_rows_are_read_by_groups(tmp_path):
    page = MindPage(simple(tmp_path, labels(7)))
    assert page.candidate_fields == ["label", "name"] and page.category_field is None
    with pytest.raises(exceptions.MRMReadCategoryInfoError):
        page.read_category_info()
    assert page.get_category_fields() == page.candidate_fields and page.set_category_field("name")
    info = json.loads(page.read_category_info())
    assert info["key"] == "name_0"
    assert info["categories"] == [{"count": 3 if one == 0 else 2, "id": one, "name": f"n{one}"} for one in range(3)]
    assert [row["label"] for row in page.read_at_page_by_id(0, 0, 2)] == [0, 3]
    assert [row["label"] for row in page.read_at_page_by_id(0, 1, 2)] == [6]
    assert [row["label"] for row in page.read_at_page_by_name("n2", 0, 9)] == [2, 5]
    for wrong in (lambda: page.read_at_page_by_id(3, 0, 1), lambda: page.read_at_page_by_id(0, 2, 2)):
        with pytest.raises(exceptions.MRMFetchDataError) as raised:
            wrong()
        assert isinstance(raised.value, RuntimeError)
    page.category_field = "label"
    assert [group["name"] for group in json.loads(page.read_category_info())["categories"]] == list("0123456")
    with pytest.raises(exceptions.MRMDefineCategoryError):
        page.category_field = "data"
    with pytest.raises(exceptions.ParamValueError):
        page.read_at_page_by_id(0, -1, 1)


# ---- encryption


def turned(source, size, target, key):
    """An encryption for tests: it turns every bit of the content; the trailer stays as it is."""
    content = source.read()
    end = b"\0\0\0\0UDF-ENCENCRYPT"
    target.write(bytes(255 - one for one in content.removesuffix(end)))


@pytest.fixture
def encrypted():
    mindrecord.set_enc_key("0123456789012345")
    mindrecord.set_enc_mode(turned)
    mindrecord.set_dec_mode(turned)
    yield
    mindrecord.set_enc_key(None)
    mindrecord.set_enc_mode()
    mindrecord.set_dec_mode(None)


def test_files_are_encrypted_by_functions_of_the_user(tmp_path, encrypted):
    fields = {"label": {"type": "int32"}}
    writer = FileWriter(str(tmp_path / "rows"))
    writer.set_header_size(1 << 14)
    writer.set_page_size(1 << 15)
    writer.add_schema(fields)
    writer.write_raw_data([{"label": 3}])
    writer.commit()
    assert b'"schema"' not in (tmp_path / "rows").read_bytes()
    assert list(FileReader(str(tmp_path / "rows")).get_next()) == [{"label": 3}]
    mindrecord.set_enc_key(None)
    with pytest.raises(RuntimeError, match=r"is encrypted.*set_enc_key"):
        FileReader(str(tmp_path / "rows"))
    with pytest.raises(exceptions.ParamValueError, match="empty list"):
        FileReader([])


@pytest.fixture
def aes():
    mindrecord.set_enc_key("0123456789abcdef")
    yield
    mindrecord.set_enc_key(None)
    mindrecord.set_enc_mode()
    mindrecord.set_dec_mode(None)


def written_small(path):
    writer = FileWriter(str(path))
    writer.set_header_size(1 << 14)
    writer.set_page_size(1 << 15)
    writer.add_schema({"label": {"type": "int32"}})
    writer.write_raw_data([{"label": 3}])
    writer.commit()


def test_files_are_encrypted_with_aes_in_real_mindspores_form(tmp_path, aes):
    written_small(tmp_path / "rows")
    content = (tmp_path / "rows").read_bytes()
    length = int.from_bytes(content[:4], "big")
    assert content[4:8] == bytes.fromhex("d85e3a7f")  # how real MindSpore's blocks begin
    assert content[4 + length :] == b"\0\0\0\0AES-GCMENCRYPT"
    assert list(FileReader(str(tmp_path / "rows")).get_next()) == [{"label": 3}]
    rows = list(MindDataset(str(tmp_path / "rows")).create_tuple_iterator(num_epochs=1, output_numpy=True))
    assert [int(row[0]) for row in rows] == [3]


def test_a_wrong_key_or_a_changed_file_is_told(tmp_path, aes):
    written_small(tmp_path / "rows")
    mindrecord.set_enc_key("another key 1234")
    with pytest.raises(RuntimeError, match="dec_key"):
        FileReader(str(tmp_path / "rows"))
    with pytest.raises(exceptions.ParamValueError, match="empty list"):
        FileReader([])
    mindrecord.set_enc_key("0123456789abcdef")
    mindrecord.set_dec_mode(turned)
    with pytest.raises(RuntimeError, match=r"is encrypted with 'AES-GCM'.*set_dec_mode"):
        FileReader(str(tmp_path / "rows"))
    with pytest.raises(exceptions.ParamValueError, match="empty list"):
        FileReader([])
    mindrecord.set_dec_mode("AES-GCM")
    content = bytearray((tmp_path / "rows").read_bytes())
    (tmp_path / "rows").write_bytes(content[:100] + content[-18:])
    with pytest.raises(RuntimeError, match="cut off"):
        FileReader(str(tmp_path / "rows"))
    with pytest.raises(exceptions.ParamValueError, match="empty list"):
        FileReader([])


def test_without_cryptography_the_error_says_what_to_install(tmp_path, aes, monkeypatch):
    monkeypatch.setattr(encryption, "_ciphers", lambda: None)
    with pytest.raises(ImportError, match="needs the package 'cryptography'"):
        written_small(tmp_path / "rows")


def test_encryption_settings_are_checked(encrypted):
    with pytest.raises(ValueError):
        mindrecord.set_enc_key("short")
    with pytest.raises(ValueError):
        mindrecord.set_enc_mode("ROT13")
    with pytest.raises(RuntimeError, match="'shard_num' must be 1"):
        FileWriter("rows", 2)


# ---- parts


@pytest.mark.parametrize(
    "value", [0, 127, 128, 255, 256, 65535, 65536, 2**32, 2**63, -1, -32, -33, -129, -40000, -(2**40)]
)
def test_integers_survive_packing(value):
    assert _msgpack.unpack(_msgpack.pack({"x": value})) == {"x": value}


@pytest.mark.parametrize("value", [0.1, 0.5, 1e300, float("inf"), "", "a" * 31, "é" * 16, "a" * 300, "a" * 70000])
def test_floats_and_strings_survive_packing(value):
    assert _msgpack.unpack(_msgpack.pack({"x": value})) == {"x": value}


def test_many_fields_survive_packing():
    row = {f"field{number}": number for number in range(40)}
    assert _msgpack.unpack(_msgpack.pack(row)) == row


@pytest.mark.parametrize("dtype", ["int32", "int64"])
@pytest.mark.parametrize("count", [0, 1, 3, 4, 5, 1000])
def test_integers_survive_shrinking(dtype, count):
    limits = np.iinfo(dtype)
    random = np.random.RandomState(count)
    values = random.randint(limits.min, limits.max, count, dtype=dtype) >> random.randint(0, limits.bits, count).astype(
        dtype
    )
    values[:1] = limits.min
    found = _integers.expand(_integers.shrink(values), np.dtype(dtype))
    assert found.dtype == values.dtype
    np.testing.assert_array_equal(found, values)


def test_exceptions_have_the_codes_of_real_mindspore():
    assert exceptions.ParamValueError("x").error_code == 1347686402
    assert exceptions.MRMOpenError().error_code == 1347690596
    assert str(exceptions.MRMOpenError()) == "[MRMOpenError]: MindRecord File could not open successfully."


def test_programs_of_the_first_versions_open_before_they_write(tmp_path):
    writer = FileWriter(str(tmp_path / "rows.mindrecord"))
    with pytest.raises(RuntimeError, match="schema is not found"):
        writer.open_and_set_header()
    writer.add_schema({"label": {"type": "int32"}})
    assert writer.open_and_set_header() == 0
    writer.write_raw_data([{"label": 3}])
    writer.commit()
    assert list(FileReader(str(tmp_path / "rows.mindrecord")).get_next()) == [{"label": 3}]


def test_a_closed_reader_has_no_rows_left(tmp_path):
    path = str(tmp_path / "rows.mindrecord")
    writer = FileWriter(path)
    with pytest.raises(exceptions.MRMGetMetaError, match="Failed to get meta info"):
        writer.add_index(["label"])
    writer.add_schema({"label": {"type": "int32"}})
    writer.write_raw_data([{"label": 4}, {"label": 5}])
    writer.commit()
    reader = FileReader(path)
    assert [row["label"] for row in reader.get_next()] == [4, 5]
    reader.close()
    assert list(reader.get_next()) == []
