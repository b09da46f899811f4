"""What notebooks show of our objects, and that nothing is read or computed for it."""

import numpy as np
import pytest

import mindspore as ms
import mindspore.dataset as ds
from mindspore import Parameter, Tensor, nn
from mindspore._utils import notebook
from mindspore.dataset._pipeline.display import known_columns, known_size


def test_names_cannot_be_tags():
    assert "<i>" not in Parameter(Tensor([1.0]), name="<i>")._repr_html_()
    assert "<i>" not in notebook.table(["<i>"], [["<i>"]]) + notebook.pre("<i>") + notebook.faint("<i>")


def test_a_tensor_of_a_graph_is_shown_as_text(mode):
    @ms.jit
    def looked_at(x):
        return x if x._repr_html_() is None else -x

    assert looked_at(Tensor([1.0])).asnumpy().tolist() == [1.0]
    assert "<table>" in Tensor([1.0])._repr_html_()


class Counting:
    """A source that notes what is asked of it."""

    def __init__(self):
        self.reads = 0

    def __len__(self):
        return 6

    def __getitem__(self, place):
        self.reads += 1
        return np.zeros(2, np.float32), np.int32(place)


def pipelines():
    def source():
        return ds.GeneratorDataset(Counting(), ["x", "y"])

    yield source()
    yield source().batch(4)
    yield source().batch(4, drop_remainder=True).repeat(3)
    yield source().map(lambda x: (x, x), "x", ["a", "b"])
    yield source().map(lambda x, y: x, ["x", "y"], ["z"]).rename("z", "w")
    yield source().map(lambda y: y + 1, "y", "t")
    yield source().project(["y"]).shuffle(4).skip(1).take(3)
    yield ds.zip((source(), source().rename(["x", "y"], ["u", "v"])))
    yield source() + source()
    yield source().batch(3, per_batch_map=lambda x, y, info: (x, y, y), output_columns=["x", "y", "z"])


@pytest.mark.parametrize("data", list(pipelines()))
def test_columns_and_sizes_are_what_reading_gives(data):
    columns, size = known_columns(data), known_size(data)
    assert data._repr_html_().count("<li>") >= 1
    assert data._source().source.reads == 0
    assert columns == data.get_col_names()
    assert size == data.get_dataset_size()


def test_what_only_reading_tells_is_said_so():
    def rows():
        raise AssertionError("the pipeline ran")
        yield

    data = ds.GeneratorDataset(rows, ["x"]).filter(lambda x: x > 0).batch(2)
    shown = data._repr_html_()
    assert "columns: x" in shown
    assert "not known without reading" in shown
    assert "batch size: 2" in shown
    assert "filter" not in shown.lower().split("<ol")[0]
    assert known_size(ds.MnistDataset(".", shuffle=False)) is None


def test_a_large_network_is_shortened():
    net = nn.SequentialCell([nn.SequentialCell([nn.Dense(1, 1) for _ in range(50)]) for _ in range(20)])
    shown = net._repr_html_()
    assert shown.count("Dense(") < 210
    assert "more</span>" in shown
    assert "2,000 parameters" in shown
    assert shown.count("<details") == shown.count("</details>")


def test_parameters_that_are_shared_or_fixed_are_told():
    shared = nn.Dense(2, 2)
    shared.bias.requires_grad = False
    net = nn.SequentialCell(shared, shared)
    assert "6 parameters, 2 of them not trainable" in net._repr_html_()


def test_a_summary_has_a_short_form():
    found = ms.summary(nn.Dense(8, 4), show=False)
    assert repr(found) == "<summary of Dense: 1 layer, 36 parameters; print() shows the table>"
    assert "<table>" in found._repr_html_()
    assert "Parameters: 36" in str(found)
