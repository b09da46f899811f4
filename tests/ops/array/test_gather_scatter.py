"""Slices, positions and masks as functions, value-dependent shapes, ranges, and operators that change a Parameter."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, grad, jit, ops


def _data(*shape):
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


@pytest.mark.parametrize(
    ("begin", "end", "strides", "masks", "expected"),
    [
        ((0, 0, 0), (2, 2, 2), (1, 1, 2), {}, np.s_[0:2, 0:2, 0:2:2]),
        ((0, 0), (2, 2), (1, 1), {}, np.s_[0:2, 0:2]),
        ((0, 2, 0), (2, 0, 2), (1, -1, 1), {}, np.s_[0:2, 2:0:-1, 0:2]),
        ((0, 0, 0), (-1, -1, 9), (1, 1, 1), {}, np.s_[:-1, :-1]),
        ((1, 1, 1), (2, 2, 2), (1, 1, 1), {"begin_mask": 7}, np.s_[:2, :2, :2]),
        ((1, 1, 1), (2, 2, 2), (1, 1, 1), {"end_mask": 6}, np.s_[1:2, 1:, 1:]),
        ((0, 0, 1), (2, 0, 2), (1, 1, 1), {"ellipsis_mask": 2}, np.s_[0:2, ..., 1:2]),
        ((0, 0, 1), (2, 0, 2), (1, 1, 1), {"new_axis_mask": 2}, np.s_[0:2, None, 1:2]),
        ((0, 1, 1), (1, 2, 2), (1, 1, 1), {"shrink_axis_mask": 2}, np.s_[0:1, 1, 1:2]),
    ],
)
def test_strided_slice_is_indexing(begin, end, strides, masks, expected):
    x = _data(2, 3, 4)
    np.testing.assert_array_equal(ops.strided_slice(Tensor(x), begin, end, strides, **masks).asnumpy(), x[expected])
    np.testing.assert_array_equal(ops.StridedSlice(**masks)(Tensor(x), begin, end, strides).asnumpy(), x[expected])


def test_slice_has_a_begin_and_lengths():
    x = _data(2, 3, 4)
    for begin in ((0, 1, 0), [0, 1, 0], Tensor([0, 1, 0])):
        np.testing.assert_array_equal(ops.slice(Tensor(x), begin, (2, -1, 2)).asnumpy(), x[:, 1:, :2])
    moving = jit(lambda t, begin: ops.Slice()(t, begin, (1, 2, 2)))
    np.testing.assert_array_equal(moving(Tensor(x), Tensor([1, 0, 2])).asnumpy(), x[1:, :2, 2:])
    with pytest.raises(ValueError, match="inside"):
        ops.slice(Tensor(x), (0, 1, 0), (2, 5, 2))
    with pytest.raises(ValueError, match="3 axes"):
        ops.slice(Tensor(x), (0, 1), (2, 1))


@pytest.mark.parametrize("eager", [True, False])
def test_a_slice_writes_to_where_it_came_from_but_not_in_a_graph(eager):
    def first_after_a_write(x):
        y = ops.strided_slice(x, (0,), (2,), (1,))
        y[0] = 9
        return x[0] * 1

    ms.set_context(mode=ms.PYNATIVE_MODE)
    assert (first_after_a_write if eager else jit(first_after_a_write))(Tensor(_data(3))) == (9 if eager else 0)


def test_results_with_as_many_elements_as_found():
    x = Tensor(np.array([[0, 1, 2], [3, 0, 5]], np.float32))
    np.testing.assert_array_equal(ops.nonzero(x).asnumpy(), [[0, 1], [0, 2], [1, 0], [1, 2]])
    rows, columns = ops.nonzero(x, as_tuple=True)
    np.testing.assert_array_equal(rows.asnumpy(), [0, 0, 1, 1])
    np.testing.assert_array_equal(columns.asnumpy(), [1, 2, 0, 2])
    np.testing.assert_array_equal(ops.masked_select(x, Tensor([True, False, True])).asnumpy(), [0, 2, 3, 5])
    np.testing.assert_array_equal(x.masked_select(x > 1).asnumpy(), [2, 3, 5])
    values, places = ops.unique(Tensor(np.array([[3, 1], [3, 2]], np.int32)))
    np.testing.assert_array_equal(values.asnumpy(), [3, 1, 2])
    np.testing.assert_array_equal(places.asnumpy(), [[0, 1], [0, 2]])
    assert (values.dtype, places.dtype) == (ms.int32, ms.int32)
    runs = ops.unique_consecutive(Tensor([1, 1, 2, 2, 1]), True, True)
    assert [r.tolist() for r in runs] == [[1, 2, 1], [0, 0, 1, 1, 2], [2, 2, 1]]
    np.testing.assert_array_equal(ops.bincount(Tensor([0, 1, 1, 3]), minlength=6).asnumpy(), [1, 2, 0, 1, 0, 0])
    np.testing.assert_array_equal(ops.sequence_mask(Tensor([[1], [2]]), 3).asnumpy()[1], [[True, True, False]])
    assert ops.nonzero(Tensor(np.zeros((2, 2)))).shape == (0, 2)


def test_the_gradient_of_masked_select_goes_to_the_selected():
    x = Tensor([1.0, 2.0, 3.0])
    gradient = grad(lambda t: (ops.masked_select(t, Tensor([True, False, True])) * 2).sum())(x)
    np.testing.assert_array_equal(gradient.asnumpy(), [2, 0, 2])


@pytest.mark.parametrize("function", [ops.nonzero, ops.unique, ops.bincount, lambda x: ops.masked_select(x, x > 0)])
def test_value_dependent_shapes_say_what_to_use_in_a_strict_graph(function):
    x = Tensor([1, 0, 2])
    with pytest.raises(RuntimeError, match=r"What to write instead: .*(ops|fixed shape)"):
        jit(lambda x: function(x), fullgraph=True)(x)
    for expected, found in zip(_listed(function(x)), _listed(jit(lambda x: function(x))(x)), strict=True):
        np.testing.assert_array_equal(expected.asnumpy(), found.asnumpy())


def _listed(found):
    return found if isinstance(found, tuple) else (found,)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [((5,), np.arange(5)), ((1, 5, 2), np.arange(1, 5, 2)), ((5, 0, -2), np.arange(5, 0, -2)),
     ((0, 1, 0.25), np.arange(0, 1, 0.25, np.float32)), ((5.0,), np.arange(5, dtype=np.float32)),
     ((Tensor(3),), np.arange(3)), ((3, 3), np.arange(0))],
)  # fmt: skip
def test_arange_counts_like_numpy(arguments, expected):
    found = ops.arange(*arguments).asnumpy()
    np.testing.assert_array_equal(found, expected)
    assert found.dtype == expected.dtype


def test_ranges_that_lead_nowhere_are_refused():
    with pytest.raises(ValueError, match="step"):
        ops.arange(0, 5, 0)
    with pytest.raises(ValueError, match="step"):
        ops.range(5, 2)
    np.testing.assert_array_equal(ops.Range()(Tensor(0), Tensor(6), Tensor(2)).asnumpy(), [0, 2, 4])


def test_one_compilation_serves_ranges_of_one_length():
    before = len(ops.arange(0, 4).shape), len(_kernels())
    for start in range(1, 6):
        np.testing.assert_array_equal(ops.arange(start, start + 4).asnumpy(), np.arange(start, start + 4))
    assert len(_kernels()) == before[1]


def _kernels():
    from mindspore._ops.array.creation import _steps  # noqa: PLC0415

    return _steps.op.kernels  # type: ignore[attr-defined]


WAYS = {
    "update": lambda old, new: new,
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "max": np.maximum,
    "min": np.minimum,
}


@pytest.mark.parametrize("word", WAYS)
def test_scatter_operators_change_their_parameter(word):
    value, updates = _data(3, 2) + 1, np.array([[5, 0.5], [2, 8]], np.float32)
    expected = value.copy()
    expected[[0, 2]] = WAYS[word](value[[0, 2]], updates)
    names = [f"scatter_{word}", f"scatter_nd_{word}"]
    for name, indices in zip(names, (Tensor([0, 2]), Tensor([[0], [2]])), strict=True):
        title = "".join(part.capitalize() for part in name.split("_"))
        for call in (getattr(ops, name), getattr(ops, title)()):
            parameter = Parameter(Tensor(value), name="p")
            result = call(parameter, indices, Tensor(updates))
            np.testing.assert_allclose(parameter.asnumpy(), expected, rtol=1e-6)
            np.testing.assert_allclose(result.asnumpy(), expected, rtol=1e-6)
            assert type(result) is Tensor and isinstance(parameter, Parameter)


def test_a_refused_scatter_leaves_the_parameter_alone():
    parameter = Parameter(Tensor(_data(3, 2)), name="p")
    with pytest.raises(ValueError, match="For 'scatter_update', the 'updates' must have shape"):
        ops.ScatterUpdate()(parameter, Tensor([0, 2]), Tensor(_data(2, 3)))
    np.testing.assert_array_equal(parameter.asnumpy(), _data(3, 2))


def test_compiled_code_scatters_into_parameters():
    parameter = Parameter(Tensor(np.zeros(3, np.float32)), name="p")

    @jit
    def count(positions):
        ops.ScatterAdd()(parameter, positions, ops.ones_like(positions).astype(ms.float32))
        return parameter * 1

    np.testing.assert_array_equal(count(Tensor([0, 2, 0])).asnumpy(), [2, 0, 1])
    np.testing.assert_array_equal(parameter.asnumpy(), [2, 0, 1])


def test_methods_that_scatter():
    x = Tensor(_data(2, 3))
    np.testing.assert_array_equal(
        x.scatter_add(Tensor([[0, 1]]), Tensor([9.0])).asnumpy(), _data(2, 3) + np.array([[0, 9, 0], [0] * 3])
    )
    np.testing.assert_array_equal(
        x.scatter_add(1, Tensor([[0, 0]]), Tensor([[1.0, 2.0]])).asnumpy(),
        _data(2, 3) + np.array([[3, 0, 0], [0, 0, 0]]),
    )
    np.testing.assert_array_equal(
        x.index_add(0, Tensor([0, 0]), x, alpha=2).asnumpy(), _data(2, 3) + np.outer([1, 0], [6, 10, 14])
    )
    put = x.index_put((Tensor([0, 1]), Tensor([1, 2])), Tensor([7.0, 8.0]))
    np.testing.assert_array_equal(put.asnumpy(), [[0, 7, 2], [3, 4, 8]])
    np.testing.assert_array_equal(x.asnumpy(), _data(2, 3))
    assert x.masked_fill_(x > 3, -1) is x
    np.testing.assert_array_equal(x.asnumpy(), [[0, 1, 2], [3, -1, -1]])


def test_gradients_of_scattered_extremes_are_shared_by_ties():
    x, positions = Tensor([[1.0, 5.0, 3.0]]), Tensor([[0, 0], [0, 1], [0, 0]])
    to_x, to_updates = grad(lambda t, u: ops.tensor_scatter_max(t, positions, u), (0, 1))(x, Tensor([1.0, 1.0, 1.0]))
    np.testing.assert_allclose(to_x.asnumpy(), [[1 / 3, 1, 1]], rtol=1e-6)
    np.testing.assert_allclose(to_updates.asnumpy(), [1 / 3, 0, 1 / 3], rtol=1e-6)


def test_positions_must_be_integers():
    for call in (ops.gather, lambda x, i, axis: ops.gather_d(x, axis, i), lambda x, i, axis: ops.one_hot(i, 3)):
        with pytest.raises(TypeError, match="integers"):
            call(Tensor([[1.0]]), Tensor([[0.5]]), 0)
    with pytest.raises(TypeError, match="Bool"):
        ops.where(Tensor([1.0]), 1, 2)


def test_what_mindspore_leaves_out_silently_is_left_out():
    x = Tensor(np.zeros((1, 3), np.float32))
    put = ops.tensor_scatter_elements(x, Tensor([[1, 5, -9]]), Tensor([[1.0, 2.0, 3.0]]), 1)
    np.testing.assert_array_equal(put.asnumpy(), [[0, 1, 0]])
    np.testing.assert_array_equal(ops.EmbeddingLookup()(Tensor([1.0, 2.0]), Tensor([1, 5, -1]), 0).asnumpy(), [2, 0, 0])
    np.testing.assert_array_equal(ops.one_hot(Tensor([0, 3, -1]), 2).asnumpy(), [[1, 0], [0, 0], [0, 0]])
    np.testing.assert_array_equal(ops.intopk(Tensor([[1.0, 2.0]] * 3), Tensor([1, 2, -1]), 2).asnumpy(), [1, 0, 0])
    np.testing.assert_array_equal(ops.bincount(Tensor([0, -1, 1])).asnumpy(), [1, 1])
    np.testing.assert_array_equal(Tensor([1, 2, 3]).take(Tensor([-1, 7, -9])).asnumpy(), [3, 3, 1])
    total = ops.unsorted_segment_sum(Tensor([1.0, 2.0]), Tensor([-1, 0]), 2)
    np.testing.assert_array_equal(total.asnumpy(), [2, 0])


@pytest.mark.parametrize("shape", [(), (7,), (4, 5), (3, 1, 6), (0, 3)], ids=str)
def test_positions_of_what_is_not_zero_are_those_of_numpy(shape):
    x = np.asarray(np.random.RandomState(0).randint(0, 3, shape))
    np.testing.assert_array_equal(ops.nonzero(Tensor(x)).asnumpy(), np.argwhere(x))
    for found, wanted in zip(ops.nonzero(Tensor(x), as_tuple=True), np.nonzero(np.atleast_1d(x)), strict=True):
        np.testing.assert_array_equal(found.asnumpy(), wanted)
    y = np.asarray(np.random.RandomState(1).randn(*shape), np.float32)
    np.testing.assert_array_equal(Tensor(y)[Tensor(x > 0)].asnumpy(), y[x > 0])


@pytest.mark.parametrize("spread", [3, 1 << 40], ids=["counted", "sorted"])
def test_different_integers_are_those_of_numpy_however_far_apart(spread):
    x = np.random.RandomState(2).randint(-4, 5, (6, 7)) * spread
    wanted = np.unique(x, return_index=True, return_inverse=True, return_counts=True)
    values, inverse, counts = Tensor(x).unique(return_inverse=True, return_counts=True)
    for found, other in zip((values, inverse, counts), (wanted[0], wanted[2].reshape(x.shape), wanted[3]), strict=True):
        np.testing.assert_array_equal(found.asnumpy(), other)
    first, places = ops.unique(Tensor(x))
    order = np.argsort(wanted[1])
    np.testing.assert_array_equal(first.asnumpy(), wanted[0][order])
    np.testing.assert_array_equal(first.asnumpy()[places.asnumpy()], x)
