"""The text of tensors, against texts recorded from MindSpore 2.10."""

import base64
import json
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from mindspore._utils.tensor_text import tensor_graph_print, tensor_html, tensor_repr, tensor_str

RECORDED = json.loads((Path(__file__).parents[1] / "data" / "tensor_repr.json").read_text())
NAMES = {"bfloat16": "BFloat16", "uint8": "UInt8", "uint16": "UInt16", "uint32": "UInt32", "uint64": "UInt64"}


def load(case: dict) -> tuple[np.ndarray, str]:
    dtype = np.dtype(ml_dtypes.bfloat16 if case["dtype"] == "bfloat16" else case["dtype"])
    array = np.frombuffer(base64.b64decode(case["data"]), dtype).reshape(case["shape"])
    return array, NAMES.get(case["dtype"], case["dtype"].capitalize())


def case_name(case: dict) -> str:
    return f"{case['dtype']}-{'x'.join(map(str, case['shape'])) or 'scalar'}"


@pytest.mark.parametrize("case", RECORDED, ids=case_name)
def test_repr_is_the_recorded_text(case):
    assert tensor_repr(*load(case)) == case["repr"]


@pytest.mark.parametrize("case", [case for case in RECORDED if "graph" in case], ids=case_name)
def test_graph_print_is_the_recorded_text(case):
    assert tensor_graph_print(*load(case)) == case["graph"]


@pytest.mark.parametrize("case", [case for case in RECORDED if "str" in case], ids=case_name)
def test_str_of_bfloat16_is_the_recorded_text(case):
    assert tensor_str(load(case)[0]) == case["str"]


def test_records_cover_every_dtype_and_rank():
    assert len({case["dtype"] for case in RECORDED}) == 15
    assert {len(case["shape"]) for case in RECORDED} >= {0, 1, 2, 3, 4}


def test_str_of_other_dtypes_is_numpys_text():
    assert tensor_str(np.array([[1.0, 2.5]], np.float32)) == "[[1.  2.5]]"
    assert tensor_str(np.array(True)) == "True"


@pytest.mark.parametrize(("dtype", "value", "text"), [("bool", True, "True"), ("int8", 65, "65"), ("uint8", 9, "9")])
def test_graph_print_of_a_scalar_is_readable_also_where_a_stream_would_print_a_character(dtype, value, text):
    assert tensor_graph_print(np.array(value, dtype), dtype.capitalize()) == text


def test_sign_of_nan_is_not_shown():
    array = np.array([np.copysign(np.nan, -1.0)], np.float32)
    assert tensor_repr(array, "Float32") == "Tensor(shape=[1], dtype=Float32, value= [            nan])"


@pytest.mark.parametrize(("value", "text"), [(["a", "bcd"], "shape=[2], dtype=String, value= ['a', 'bcd']"),
                                             ("abc", "shape=[], dtype=String, value= 'abc'"),
                                             (b"abc", "shape=[], dtype=String, value= b'abc'")])  # fmt: skip
def test_strings_are_quoted(value, text):
    assert tensor_repr(np.array(value), "String") == f"Tensor({text})"


def test_empty_tensors_print_in_graphs_without_data():
    assert tensor_graph_print(np.zeros(0, np.int32), "Int32") == "Tensor(shape=[0], dtype=Int32, value=)"
    assert tensor_graph_print(np.zeros((2, 0), np.int32), "Int32") == "Tensor(shape=[2, 0], dtype=Int32, value=\n)"


def test_html_of_a_matrix_is_a_numbered_table():
    text = tensor_html(np.array([[1, 2], [3, 4]], np.int32), "Int32")
    assert text == (
        "<div><b>Tensor(shape=[2, 2], dtype=Int32)</b><table>"
        "<tr><th>0</th><td>1</td><td>2</td></tr><tr><th>1</th><td>3</td><td>4</td></tr></table></div>"
    )


def test_html_of_a_vector_is_one_row():
    text = tensor_html(np.array([0.5, np.nan], np.float32), "Float32")
    assert "<table><tr><td>0.5</td><td>nan</td></tr></table>" in text


def test_html_leaves_out_the_middle_of_long_axes():
    text = tensor_html(np.arange(12 * 20).reshape(12, 20), "Int64")
    assert text.count("<tr>") == 11
    assert text.count("<td>&#8230;</td>") == 10
    assert '<td colspan="12">&#8942;</td>' in text
    assert "<th>11</th>" in text and "<td>239</td>" in text and "<td>5</td>" not in text


def test_html_of_ten_by_ten_is_complete():
    assert tensor_html(np.arange(100).reshape(10, 10), "Int64").count("<td>") == 100


@pytest.mark.parametrize("shape", [(), (0,), (2, 2, 2)])
def test_html_of_other_ranks_holds_the_repr(shape):
    array = np.ones(shape, np.int32)
    assert f"<pre>{tensor_repr(array, 'Int32')}</pre>" in tensor_html(array, "Int32")


def test_html_is_escaped():
    assert "<script>" not in tensor_html(np.ones((1, 1, 1)), "<script>")
