"""Tensor methods whose arguments may be given one by one, and those that differ from the function of the same name."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, jit, mint, ops


def _data(*shape):
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


FORMS = [
    (lambda x: x.reshape(4, -1), lambda x: x.reshape(4, -1)),
    (lambda x: x.reshape((4, 6)), lambda x: x.reshape(4, 6)),
    (lambda x: x.reshape([-1]), lambda x: x.reshape(-1)),
    (lambda x: x.view(-1, 3), lambda x: x.reshape(-1, 3)),
    (lambda x: x.transpose(), lambda x: x.T),
    (lambda x: x.transpose(0, 2, 1), lambda x: x.transpose(0, 2, 1)),
    (lambda x: x.transpose((2, 0, 1)), lambda x: x.transpose(2, 0, 1)),
    (lambda x: x.transpose(0, 2), lambda x: x.swapaxes(0, 2)),
    (lambda x: x.permute(2, 0, 1), lambda x: x.transpose(2, 0, 1)),
    (lambda x: x.T, lambda x: x.T),
    (lambda x: x.mT, lambda x: x.swapaxes(1, 2)),
    (lambda x: x.flatten(), lambda x: x.ravel()),
    (lambda x: x.flatten("F"), lambda x: x.ravel("F")),
    (lambda x: x.flatten(start_dim=1), lambda x: x.reshape(2, 12)),
    (lambda x: x.tile((2, 1)), lambda x: np.tile(x, (2, 1))),
    (lambda x: x.tile(2, 1, 1), lambda x: np.tile(x, (2, 1, 1))),
    (lambda x: x[:1].expand(3, -1, 4), lambda x: np.broadcast_to(x[:1], (3, 3, 4))),
    (lambda x: x.broadcast_to((2, 2, 3, 4)), lambda x: np.broadcast_to(x, (2, 2, 3, 4))),
    (lambda x: x.flip(0, 2), lambda x: np.flip(x, (0, 2))),
    (lambda x: x.repeat(2, 0), lambda x: np.repeat(x, 2, 0)),
    (lambda x: x.repeat([1, 2], axis=0), lambda x: np.repeat(x, [1, 2], 0)),
    (lambda x: x.repeat(2, 1, 1), lambda x: np.tile(x, (2, 1, 1))),
    (lambda x: x.resize(2, 2), lambda x: x.ravel()[:4].reshape(2, 2)),
    (lambda x: x.swapaxes(0, 1).squeeze(), lambda x: x.swapaxes(0, 1)),
    (lambda x: x.diagonal(offset=1, axis1=1, axis2=2), lambda x: np.diagonal(x, 1, 1, 2)),
    (lambda x: x.take(Tensor([0, 1]), axis=1), lambda x: np.take(x, [0, 1], 1)),
]


@pytest.mark.parametrize(("ours", "reference"), FORMS, ids=range(len(FORMS)))
def test_methods_do_what_numpy_does_in_both_modes(ours, reference):
    x = _data(2, 3, 4)
    np.testing.assert_array_equal(ours(Tensor(x)).asnumpy(), reference(x))
    np.testing.assert_array_equal(jit(lambda t: ours(t))(Tensor(x)).asnumpy(), reference(x))


def test_hermitian_transpose_is_for_matrices():
    x = Tensor(np.array([[1 + 2j, 3j]]))
    np.testing.assert_array_equal(x.H.asnumpy(), [[1 - 2j], [-3j]])
    with pytest.raises(ValueError, match="mH"):
        _ = Tensor(_data(2, 3, 4)).H


def test_shapes_that_do_not_hold_the_elements_are_refused():
    x = Tensor(_data(2, 3))
    with pytest.raises(ValueError, match="is invalid for input of size 6"):
        x.reshape(4, 2)
    with pytest.raises(ValueError, match="only one dimension can be inferred"):
        x.reshape(-1, -1)
    with pytest.raises(TypeError, match="shape"):
        x.reshape(2.0, 3)


@pytest.mark.parametrize(
    ("name", "dtype"),
    [("int", ms.int32), ("long", ms.int64), ("half", ms.float16), ("float", ms.float32), ("double", ms.float64),
     ("bool", ms.bool_), ("byte", ms.uint8), ("short", ms.int16), ("bfloat16", ms.bfloat16)],
)  # fmt: skip
def test_methods_named_after_dtypes_convert(name, dtype):
    assert getattr(Tensor([1.5, 0.0]), name)().dtype == dtype


def test_astype_takes_every_spelling_of_a_dtype():
    x = Tensor([1.7, -1.7])
    for spelling in (ms.int32, "int32", np.int32, np.dtype("int32")):
        np.testing.assert_array_equal(x.astype(spelling).asnumpy(), np.array([1, -1], np.int32))
    assert (x.astype(int).dtype, x.astype(float).dtype, x.astype(bool).dtype) == (ms.int64, ms.float64, ms.bool_)
    with pytest.raises(TypeError, match="abc"):
        x.astype("abc")


def test_small_integers_wrap_around():
    x = Tensor([300.0, -1.0, -2.7, 2.7])
    np.testing.assert_array_equal(x.astype(ms.uint8).asnumpy(), [44, 255, 254, 2])
    np.testing.assert_array_equal(Tensor([70000, -1]).astype(ms.int8).asnumpy(), [112, -1])
    np.testing.assert_array_equal(Tensor([0.5, 0.0, float("nan")]).astype(ms.bool_).asnumpy(), [True, False, True])


def test_to_takes_a_dtype_a_tensor_or_a_device():
    x = Tensor([1.5])
    assert x.to(ms.int32).dtype == ms.int32
    assert x.to(Tensor([1])).dtype == ms.int64
    assert x.to("CPU").dtype == ms.float32


def test_methods_that_make_or_overwrite_tensors():
    x = Tensor([[1, 2], [3, 4]])
    np.testing.assert_array_equal(x.new_zeros((3,)).asnumpy(), np.zeros(3, np.int64))
    np.testing.assert_array_equal(x.new_ones((2,), ms.float32).asnumpy(), np.ones(2, np.float32))
    np.testing.assert_array_equal(x.new_full((2,), 7).asnumpy(), [7, 7])
    np.testing.assert_array_equal(x.fill(5).asnumpy(), np.full((2, 2), 5))
    assert x[0, 0] == 1
    assert x.fill_(9) is x and x[1, 1] == 9


def test_split_and_its_relatives():
    x = Tensor(_data(5))
    lengths = {
        "split": [p.shape[0] for p in ops.split(x, 2)],
        "sections": [p.shape[0] for p in x.split([1, 4])],
        "chunk": [p.shape[0] for p in ops.chunk(x, 2)],
        "even": [p.shape[1] for p in ops.Split(1, 3)(Tensor(_data(2, 6)))],
    }
    assert lengths == {"split": [2, 2, 1], "sections": [1, 4], "chunk": [3, 2], "even": [2, 2, 2]}
    with pytest.raises(ValueError, match="sum"):
        ops.split(x, [1, 3])
    with pytest.raises(ValueError, match="divide"):
        ops.Split(0, 2)(x)


def test_joined_tensors_must_be_alike():
    with pytest.raises(TypeError, match="Float32, Int64"):
        ops.stack((Tensor([1.0]), Tensor([1])))
    with pytest.raises(ValueError, match="except on axis 0"):
        ops.concat((Tensor(_data(1, 2)), Tensor(_data(1, 3))))
    with pytest.raises(ValueError, match="at least one"):
        ops.stack([])


@pytest.mark.parametrize(
    "join", [ops.cat, ops.concat, ops.hstack, ops.vstack, ops.addn, ops.Concat(), ops.AddN(), mint.cat]
)
def test_a_single_tensor_is_no_list_of_tensors(join) -> None:
    with pytest.raises(TypeError, match="must be a tuple or list of Tensors, but got a Tensor"):
        join(Tensor([[1.0, 2.0]]))


def test_what_equals_no_element_is_not_in_a_tensor() -> None:
    x = Tensor([[1.0, 2.0]])
    assert 2 in x
    assert all(other not in x for other in (3, "a", None, [5.0, 6.0, 7.0]))
