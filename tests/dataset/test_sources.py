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


def test_csv_columns_without_a_default_are_text(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("1,2,3\n4,5,6\n")
    data = ds.CSVDataset(str(path), column_defaults=[1], column_names=["a", "b", "c"], shuffle=False)
    assert [[value.item() for value in row] for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)] == [
        [1, "2", "3"],
        [4, "5", "6"],
    ]
