"""Arguments keep the names that earlier versions gave them: MindSpore 1.0 and 2.0 list these in their signatures."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, RowTensor, SparseTensor, Tensor, nn, ops
from mindspore.dataset import MindDataset
from mindspore.mindrecord import FileWriter

VALUES, ROWS = Tensor([1.0, 2.0]), Tensor([0, 2])
X = Tensor([1, 1, 2], ms.int32)

CALLS = {
    "RowTensor(dense_shape)": lambda: RowTensor(ROWS, Tensor([[1.0], [2.0]]), dense_shape=(3, 1)).dense_shape,
    "SparseTensor(dense_shape)": lambda: SparseTensor(Tensor([[0, 0], [1, 0]]), VALUES, dense_shape=(3, 1)).dense_shape,
    "tuple_to_array(x)": lambda: ops.tuple_to_array(x=(1, 2)).tolist(),
    "multinomial(inputs, num_sample)": lambda: ops.multinomial(inputs=Tensor([0.0, 1.0]), num_sample=2).tolist(),
    "unique_consecutive(return_idx, axis)": lambda: [
        one.tolist() for one in ops.unique_consecutive(X, return_idx=True, axis=0)
    ],
    "Tensor.unique_consecutive(axis)": lambda: X.unique_consecutive(axis=0).tolist(),
    "UniqueConsecutive(return_idx)": lambda: ops.UniqueConsecutive(return_idx=True)(X)[1].tolist(),
    "kron(x, y)": lambda: ops.kron(x=VALUES, y=VALUES).tolist(),
    "dstack(inputs)": lambda: ops.dstack(inputs=(VALUES, VALUES)).shape,
    "Tensor.div(value)": lambda: VALUES.div(value=2.0).tolist(),
    "Tensor.divide(value)": lambda: VALUES.divide(value=2.0, rounding_mode="floor").tolist(),
    "Tensor.true_divide(value)": lambda: VALUES.true_divide(value=2.0).tolist(),
    "Tensor.masked_scatter(tensor)": lambda: VALUES.masked_scatter(Tensor([True, False]), tensor=VALUES + 4).tolist(),
    "Primitive.shard(strategy)": lambda: ops.Add().shard(strategy=((1,), (1,))).in_strategy,
}
ANSWERS = [
    (3, 1), (3, 1), [1, 2], [1, 1], [[1, 2], [0, 0, 1]], [1, 2], [0, 0, 1], [1.0, 2.0, 2.0, 4.0], (1, 2, 2), [0.5, 1.0],
    [0.0, 1.0], [0.5, 1.0], [5.0, 2.0], ((1,), (1,)),
]  # fmt: skip


@pytest.mark.parametrize(("call", "answer"), [*zip(CALLS.values(), ANSWERS, strict=True)], ids=CALLS)
def test_an_older_name_of_an_argument_is_understood(call, answer):
    assert call() == answer


def test_cells_take_the_older_names():
    net = nn.Cell()
    net.insert_child_to_cell("inner", child=nn.ReLU())
    net.insert_param_to_cell("a.b", Parameter(Tensor([1.0])), check_name=False)
    assert net.register_backward_hook(fn=lambda cell, inputs, outputs: None) is not None
    assert list(net.name_cells()) == ["inner"] and [one.name for one in net.get_parameters()] == ["a.b"]


def test_mindrecord_files_are_given_by_the_older_name(tmp_path):
    path = str(tmp_path / "rows.mindrecord")
    writer = FileWriter(path)
    writer.add_schema({"label": {"type": "int32"}})
    writer.write_raw_data([{"label": 5}])
    writer.commit()
    rows = MindDataset(dataset_file=path, shuffle=False).create_dict_iterator(output_numpy=True, num_epochs=1)
    assert [int(row["label"]) for row in rows] == [5]


def test_both_names_of_an_argument_at_once_are_refused():
    with pytest.raises(TypeError, match="given twice"):
        ops.unique_consecutive(Tensor(np.array([1, 1])), axis=0, dim=0)
