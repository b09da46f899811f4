"""Sources of files give what real MindSpore gives for the same files, recorded by tools/oracle/record_sources.py."""

import json
import pathlib

import pytest

import mindspore.dataset as ds
from tools.oracle import source_cases

RECORDED = json.loads((pathlib.Path(__file__).parents[1] / "data" / "dataset_sources.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sources")
    source_cases.make_files(folder)
    yield folder
    ds.config.set_seed(5489)


def test_every_case_was_recorded():
    assert list(source_cases.CASES) == list(RECORDED)


@pytest.mark.parametrize("name", source_cases.CASES)
def test_same_rows_as_real_mindspore(folder, name):
    expected = dict(RECORDED[name])
    if name in source_cases.OWN_SIZES:
        expected["size"] = source_cases.OWN_SIZES[name]
    assert source_cases.outcome(ds, folder, name) == expected


def test_csv_files_read_together_have_the_same_columns(tmp_path):
    (tmp_path / "1.csv").write_text('x,"y"\n1,2\n')
    (tmp_path / "2.csv").write_text("x,z\n3,4\n")
    assert ds.CSVDataset(str(tmp_path / "1.csv")).get_col_names() == ["x", '"y"']  # quotes belong to the names
    data = ds.CSVDataset([str(tmp_path / "1.csv"), str(tmp_path / "2.csv")])
    with pytest.raises(RuntimeError, match=r"failed to obtain column name .*2\.csv has the columns \['x', 'z'\]"):
        list(data.create_tuple_iterator(num_epochs=1))
    with pytest.raises(ValueError, match="field_delim is invalid"):
        ds.CSVDataset(str(tmp_path / "1.csv"), field_delim='"')


@pytest.mark.parametrize(
    "kind", ["MnistDataset", "Cifar10Dataset", "FashionMnistDataset", "SpeechCommandsDataset", "TextFileDataset"]
)
def test_a_source_without_samples_is_told(tmp_path, kind):
    (tmp_path / "empty.txt").write_text("")
    place = str(tmp_path / "empty.txt" if kind == "TextFileDataset" else tmp_path)
    with pytest.raises(RuntimeError, match=f"{kind} API can't read the data file .*no data found.*{place}"):
        list(getattr(ds, kind)(place).create_tuple_iterator(num_epochs=1))


def test_classes_that_have_no_folder_are_passed_over(tmp_path):
    for name in "ab":
        (tmp_path / name).mkdir()
        (tmp_path / name / "1.png").write_bytes(name.encode())
    data = ds.ImageFolderDataset(str(tmp_path), class_indexing={"b": 5, "c": 6})
    assert [row["label"].item() for row in data.create_dict_iterator(num_epochs=1, output_numpy=True)] == [5]


def test_csv_columns_without_a_default_are_text(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("1,2,3\n4,5,6\n")
    data = ds.CSVDataset(str(path), column_defaults=[1], column_names=["a", "b", "c"], shuffle=False)
    assert [[value.item() for value in row] for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)] == [
        [1, "2", "3"],
        [4, "5", "6"],
    ]
