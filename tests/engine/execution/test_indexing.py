"""Tensor indexing: NumPy is the reference for what an index selects, MindSpore for what is allowed."""

import itertools

import numpy as np
import pytest

import mindspore
from mindspore import Parameter, Tensor, grad, jit
from tests.sampling import every

SHAPE = (4, 3, 5)
ROWS = np.array([True, False, True, True])
CELLS = np.arange(12).reshape(4, 3) % 3 == 1
EVERYWHERE = np.arange(60).reshape(SHAPE) % 7 < 3

BASIC = [
    0,
    -1,
    slice(None),
    slice(1, 3),
    slice(-2, None),
    slice(None, None, 2),
    slice(None, None, -1),
    slice(3, 0, -2),
    slice(2, 2),
    None,
    ...,
]
ADVANCED = [[0, 2], [-1, 0, 1], np.array([2, 0]), np.array([[0, 1], [2, -2]]), np.array(1)]


def _pairs():
    single = [(e,) for e in BASIC + ADVANCED]
    double = list(itertools.product([0, slice(1, None, 2), ..., None], BASIC + ADVANCED))
    turned = [(b, a) for a, b in itertools.product([1, slice(0, 2), None], ADVANCED)]
    triple = [
        (a, slice(None), b)
        for a, b in itertools.product([*ADVANCED[:1], 1, slice(0, 3)], [[0, 1], np.array([2, 0]), 3])
    ]
    mixed = [
        ([0, 1], [1, 2]),
        (np.array([[0], [1]]), np.array([1, 2])),
        (slice(None, None, -2), [0, 1], slice(1, 4)),
        (1, ..., -1),
        (..., [0, 1]),
        (0, None, slice(None), [1, 1]),
        ([0, 1], None, [0, 1]),
        (),
        (2, 1, 3),
        (slice(1, 3), slice(0, 3, 2), slice(4, None, -3)),
        (None, None, 0),
        (True, 0),
        (0, True),
        (slice(None), True),
        (True, [0, 1]),
        (np.array([0, 0, 3]), 1),
    ]
    masks = [
        (ROWS,),
        (CELLS,),
        (EVERYWHERE,),
        (ROWS, 1),
        (slice(None), np.array([True, False, True])),
        (ROWS.tolist(),),
        (np.array([False] * 4),),
        (..., np.arange(5) > 2),
        (slice(1, 2), np.array([False, True, True]), [0, 1]),
        (ROWS, np.array([0, 1, 2])),
    ]
    found = [i for i in single + double + turned + triple + mixed if sum(e is ... for e in i) < 2]
    return found, masks


FORMS, MASKS = _pairs()


def _ours(index):
    return tuple(Tensor(e) if isinstance(e, np.ndarray) else e for e in index)


def _data(dtype=np.float32):
    return np.arange(60, dtype=dtype).reshape(SHAPE)


@pytest.mark.parametrize("index", FORMS + MASKS, ids=str)
def test_reading_selects_what_numpy_selects(index):
    x = _data()
    result = Tensor(x)[_ours(index)]
    np.testing.assert_array_equal(result.asnumpy(), x[index])
    assert result.dtype == mindspore.float32


@pytest.mark.parametrize("index", FORMS + MASKS, ids=str)
def test_assignment_changes_what_numpy_changes(index):
    expected, x = _data(), Tensor(_data())
    value = -1.0 - np.arange(expected[index].size, dtype=np.float32).reshape(expected[index].shape)
    expected[index] = value
    x[_ours(index)] = Tensor(value)
    np.testing.assert_array_equal(x.asnumpy(), expected)
    expected[index] = 7
    x[_ours(index)] = 7
    np.testing.assert_array_equal(x.asnumpy(), expected)


@pytest.mark.parametrize("index", every(4, FORMS), ids=str)
def test_compiled_code_indexes_alike(index):
    x = _data()
    ours = _ours(index)

    @jit
    def read_and_write(t):
        u = t * 1.0
        u[ours] = -3.5
        return t[ours], u

    part, changed = read_and_write(Tensor(x))
    np.testing.assert_array_equal(part.asnumpy(), x[index])
    x[index] = -3.5
    np.testing.assert_array_equal(changed.asnumpy(), x)


@pytest.mark.parametrize("index", every(8, FORMS) + MASKS[:4], ids=str)
def test_gradient_of_reading_is_the_seed_put_back(index):
    x = np.linspace(-1, 1, 60, dtype=np.float32).reshape(SHAPE)
    expected = np.zeros_like(x)
    np.add.at(expected, index, 2 * x[index])
    gradient = grad(lambda t: (t[_ours(index)] ** 2).sum())(Tensor(x))
    np.testing.assert_allclose(gradient.asnumpy(), expected, rtol=1e-6)


@pytest.mark.parametrize("index", every(8, FORMS) + MASKS[:4], ids=str)
def test_gradient_of_assignment_goes_to_the_value_and_to_what_was_kept(index):
    x = np.linspace(-1, 1, 60, dtype=np.float32).reshape(SHAPE)
    kept = np.ones_like(x)
    kept[index] = 0

    def function(t, v):
        u = t * 1.0
        u[_ours(index)] = v
        return (u * 3.0).sum()

    to_tensor, to_value = grad(function, (0, 1))(Tensor(x), Tensor(np.float32(0.5)))
    np.testing.assert_allclose(to_tensor.asnumpy(), 3 * kept)
    np.testing.assert_allclose(to_value.asnumpy(), 3 * (60 - kept.sum()))


def test_a_list_of_lists_is_a_tuple_of_index_lists():
    x = _data()
    np.testing.assert_array_equal(Tensor(x)[[[0, 1], [1, 2]]].asnumpy(), x[[0, 1], [1, 2]])
    np.testing.assert_array_equal(Tensor(x)[[0, None]].asnumpy(), x[0, None])
    np.testing.assert_array_equal(Tensor(x)[[True, False, True, True]].asnumpy(), x[ROWS])


def test_slice_bounds_may_be_tensors():
    x = _data()
    np.testing.assert_array_equal(Tensor(x)[Tensor(1) : Tensor(3)].asnumpy(), x[1:3])


def test_bool_index_adds_an_axis():
    assert Tensor(_data())[True].shape == (1, *SHAPE)
    assert Tensor(_data())[0, :, True].shape == (1, 3, 5)


@pytest.mark.parametrize(
    "index",
    [
        1.0,
        "a",
        range(2),
        np.array([0, 1]),
        {},
        (0, 1.5),
        [0.5],
        ["a"],
        [],
        False,
        (0, False),
        4,
        -5,
        (0, 3),
        [0, 4],
        (0, 0, 0, 0),
        (..., ...),
        slice(1.5, None),
        ([[0, 1], [1]],),
        [True, False],
    ],
    ids=str,
)
def test_what_cannot_be_an_index_is_an_index_error(index):
    x = Tensor(_data())
    with pytest.raises(IndexError):
        x[index]
    if index is not False and not (isinstance(index, list) and not index):  # nothing is written through those
        with pytest.raises(IndexError):
            x[index] = 1
    np.testing.assert_array_equal(x.asnumpy(), _data())


def test_index_tensors_of_other_dtypes_are_refused():
    for index in (Tensor([0.5]), Tensor([0, 1], mindspore.uint8)):
        with pytest.raises(IndexError, match="int or bool"):
            Tensor(_data())[index]


def test_positions_in_a_tensor_are_checked():
    x = Tensor(_data())
    with pytest.raises(RuntimeError, match=r"axis 0. must be in \[-4, 4\), but got 4"):
        x[Tensor([0, 4])]
    with pytest.raises(RuntimeError, match=r"axis 1. must be in \[-3, 3\), but got -4"):
        x[0, Tensor(-4)] = 1
    with pytest.raises(ValueError, match=r"axis 1. must be in \[-3, 3\), but got 3"):
        x[0, Tensor(3)] = 1
    with pytest.raises(ValueError, match="bool index"):
        x[Tensor([True, False])]


def test_a_step_of_zero_is_refused():
    with pytest.raises(ValueError, match="step"):
        Tensor(_data())[::0]


@pytest.mark.parametrize("value", [None, np.ones(5), "a", {}, 1j], ids=repr)
def test_values_that_cannot_be_assigned(value):
    x = Tensor(_data())
    with pytest.raises(TypeError):
        x[0, 0] = value
    np.testing.assert_array_equal(x.asnumpy(), _data())


@pytest.mark.parametrize(
    "index", [0, slice(1, 3), [0, 1], (0, 0), Tensor(ROWS), (Tensor(ROWS), 0), Tensor(EVERYWHERE)], ids=str
)
def test_a_value_that_does_not_broadcast_is_a_value_error(index):
    x = Tensor(_data())
    with pytest.raises(ValueError, match="value"):
        x[index] = [1.0, 2.0]
    np.testing.assert_array_equal(x.asnumpy(), _data())


@pytest.mark.parametrize(
    "value",
    [
        [1, 2, 3, 4, 5],
        (1.5, 2, 3, 4, 5),
        [Tensor(1), Tensor(2), Tensor(3), Tensor(4), Tensor(5)],
        2.7,
        True,
        np.float64(1.5),
    ],
    ids=repr,
)
def test_assigned_values_take_the_dtype_of_the_tensor(value):
    plain = [v.asnumpy() for v in value] if isinstance(value, list) and isinstance(value[0], Tensor) else value
    for dtype in (np.float32, np.int32, np.float16):
        expected, x = _data(dtype), Tensor(_data(dtype))
        expected[1, 2] = np.asarray(plain).astype(dtype)
        x[1, 2] = value
        np.testing.assert_array_equal(x.asnumpy(), expected)
        assert x.asnumpy().dtype == dtype


def test_false_assigns_nothing():
    x = Tensor(_data())
    x[False] = 5
    np.testing.assert_array_equal(x.asnumpy(), _data())


def test_writing_to_a_part_writes_to_the_whole():
    x = Tensor(_data())
    y = x[1:]
    y[0][2][-1] = 100.0
    assert x[1, 2, 4] == 100 and y[0, 2, 4] == 100
    y += 1
    assert x[1, 2, 4] == 100


def test_writing_to_a_part_of_a_part_reaches_the_whole_when_the_middle_is_gone():
    x = Tensor(_data())
    z = x[1:][::2][:, 0]
    z[:] = -1
    expected = _data()
    expected[1::2, 0] = -1
    np.testing.assert_array_equal(x.asnumpy(), expected)


def test_a_part_does_not_keep_the_whole_alive():
    x = Tensor(_data())
    part = x[0]
    reference = part._base[0]
    del x
    assert reference() is None
    part[0] = 3
    assert part[0, 0] == 3


def test_a_parameter_stays_a_parameter():
    p = Parameter(Tensor(_data()), name="p")
    p[0] = 5
    part = p[1]
    part[0] = 6
    assert isinstance(p, Parameter) and p.name == "p" and type(part) is Tensor
    expected = _data()
    expected[0], expected[1, 0] = 5, 6
    np.testing.assert_array_equal(p.asnumpy(), expected)


def test_compiled_code_changes_parameters_by_slice():
    p = Parameter(Tensor(np.zeros((3, 2), np.float32)), name="p")

    @jit
    def fill(value):
        p[1] = value
        return p.sum()

    assert fill(Tensor(2.0)) == 4
    np.testing.assert_array_equal(p.asnumpy(), [[0, 0], [2, 2], [0, 0]])


def test_compiled_code_assigns_through_masks():
    @jit
    def function(t, mask):
        u = t * 1.0
        u[u > 50] = 0
        u[mask] = Tensor([1.0, 2.0, 3.0, 4.0, 5.0])
        u[..., u[0, 0] > 2] = -1
        return u

    expected = _data()
    expected[expected > 50] = 0
    expected[CELLS] = [1, 2, 3, 4, 5]
    expected[..., expected[0, 0] > 2] = -1
    np.testing.assert_array_equal(function(Tensor(_data()), Tensor(CELLS)).asnumpy(), expected)


def test_a_strict_graph_cannot_read_through_a_mask_and_says_what_to_write():
    @jit(fullgraph=True)
    def function(t):
        return t[t > 3]

    with pytest.raises(RuntimeError, match=r"ops\.select"):
        function(Tensor(_data()))


def test_compiled_code_takes_positions_from_tensors():
    @jit
    def function(t, i, many):
        return t[i], t[many, 1], t[0, i, many[1]]

    x = _data()
    first, second, third = function(Tensor(x), Tensor(-2), Tensor([3, 0]))
    np.testing.assert_array_equal(first.asnumpy(), x[-2])
    np.testing.assert_array_equal(second.asnumpy(), x[[3, 0], 1])
    assert third == x[0, -2, 0]


def test_a_loop_over_positions_uses_one_kernel():
    from mindspore._engine.execution.index_kernels import reader  # noqa: PLC0415

    x = Tensor(np.arange(50, dtype=np.float32))
    before = reader.cache_info().currsize
    assert [int(x[i]) for i in range(50)] == list(range(50))
    assert [float(x[i : i + 3].sum()) for i in range(40)] == [3 * i + 3.0 for i in range(40)]
    assert reader.cache_info().currsize <= before + 2


def test_parts_of_lazy_and_integer_tensors():
    lazy = Tensor(shape=(2, 3), dtype=mindspore.int32)
    lazy[1, 1:] = 4
    np.testing.assert_array_equal(lazy.asnumpy(), [[0, 0, 0], [0, 4, 4]])
    gradient = grad(lambda t: t[1] * 2)(Tensor([1, 2, 3]))
    np.testing.assert_array_equal(gradient.asnumpy(), [0, 2, 0])


def test_writing_through_an_empty_list_changes_nothing_and_reading_is_an_error(mode):
    def assigned(x):
        x = x.copy()
        x[[]] = 1
        x[0, []] = 1
        x[:, []] = Tensor(np.ones((2, 0), np.float32))
        x[((),)] = 1
        return x

    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    np.testing.assert_array_equal(assigned(x).asnumpy(), x.asnumpy())
    np.testing.assert_array_equal(mindspore.jit(assigned)(x).asnumpy(), x.asnumpy())
    for index in ([], (0, []), ((),)):
        with pytest.raises(IndexError, match="cannot be empty"):
            x[index]


def test_columns_are_picked_by_a_vector(mode):
    x = np.arange(600, dtype=np.float32).reshape(20, 30)
    for columns in ([3, -1, -30, 0], [29, 29, 2]):
        np.testing.assert_array_equal(Tensor(x)[:, Tensor(columns)].asnumpy(), x[:, columns])
        found = grad(lambda x: (x[:, Tensor(columns)] ** 2).sum())(Tensor(x)).asnumpy()  # noqa: B023
        wanted = np.zeros_like(x)
        np.add.at(wanted, (slice(None), columns), 2 * x[:, columns])
        np.testing.assert_array_equal(found, wanted)
