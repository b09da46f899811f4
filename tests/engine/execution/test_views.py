"""Views share their elements eagerly: writes reach the base and the other views, as in MindSpore."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, mint, ops

# A view of a 3 x 4 matrix, and the same in NumPy, whose views share their elements, too.
VIEWS = {
    "T": (lambda x: x.T, lambda a: a.T),
    "transpose": (lambda x: x.transpose(1, 0), lambda a: a.T),
    "permute": (lambda x: ops.permute(x, (1, 0)), lambda a: a.T),
    "swapaxes": (lambda x: x.swapaxes(0, 1), lambda a: a.T),
    "moveaxis": (lambda x: ops.movedim(x, 0, 1), lambda a: a.T),
    "mint transpose": (lambda x: mint.transpose(x, 0, 1), lambda a: a.T),
    "reshape": (lambda x: x.reshape(2, 6), lambda a: a.reshape(2, 6)),
    "view": (lambda x: x.view(-1), lambda a: a.reshape(-1)),
    "flatten": (lambda x: x.flatten(), lambda a: a.reshape(-1)),
    "mint flatten": (lambda x: mint.flatten(x, 0), lambda a: a.reshape(-1)),
    "Split": (lambda x: ops.Split(1, 2)(x)[1], lambda a: a[:, 2:]),
    "slice": (lambda x: ops.slice(x, (1, 0), (2, 3)), lambda a: a[1:, :3]),
    "strided slice": (lambda x: ops.strided_slice(x, (0, 1), (3, 4), (2, 1)), lambda a: a[::2, 1:]),
    "unsqueeze": (lambda x: x.unsqueeze(1), lambda a: a[:, None]),
    "squeeze": (lambda x: x[None].squeeze(0), lambda a: a),
    "narrow": (lambda x: x.narrow(1, -3, 2), lambda a: a[:, 1:3]),
    "select": (lambda x: x.select(1, 2), lambda a: a[:, 2]),
    "chunk": (lambda x: x.chunk(2, 1)[1], lambda a: a[:, 2:]),
    "split": (lambda x: x.split([1, 2])[1], lambda a: a[1:]),
    "unbind": (lambda x: x.unbind(1)[3], lambda a: a[:, 3]),
    "hsplit": (lambda x: ops.hsplit(x, 2)[1], lambda a: a[:, 2:]),
    "diagonal": (lambda x: x.diagonal(1), lambda a: a[np.arange(3), np.arange(1, 4)]),
    "row": (lambda x: x[1], lambda a: a[1]),
    "slices": (lambda x: x[::2, 1:3], lambda a: a[::2, 1:3]),
    "chain": (lambda x: x[1:].T[2:].unsqueeze(0), lambda a: a[1:].T[2:][None]),
    "flat part": (lambda x: x.view(-1)[2:9].narrow(0, 1, 3), lambda a: a.reshape(-1)[3:6]),
}


@pytest.fixture(autouse=True)
def pynative_mode():
    before = ms.get_context("mode")
    ms.set_context(mode=ms.PYNATIVE_MODE)
    yield
    ms.set_context(mode=before)


def base() -> Tensor:
    return Tensor(np.arange(12, dtype=np.float32).reshape(3, 4))


def places(name: str) -> np.ndarray:
    """Where the elements of the view lie in its base."""
    return VIEWS[name][1](np.arange(12).reshape(3, 4))


@pytest.mark.parametrize("name", VIEWS)
def test_what_is_written_to_a_view_reaches_the_base_and_the_other_views(name: str) -> None:
    x = base()
    rows, view = x[:], VIEWS[name][0](x)
    gc.collect()  # whatever stood between them is gone
    view.mul_(-1)
    view[0] = 50.0
    expected, part = np.arange(12, dtype=np.float32), places(name)
    expected[part] *= -1
    expected[part[0]] = 50
    np.testing.assert_array_equal(view.asnumpy(), expected[part])
    np.testing.assert_array_equal(x.asnumpy().reshape(-1), expected)
    np.testing.assert_array_equal(rows.asnumpy().reshape(-1), expected)


@pytest.mark.parametrize("name", VIEWS)
def test_views_show_what_is_written_to_the_base(name: str) -> None:
    x = base()
    view = VIEWS[name][0](x)
    x[:, 1:] = 7.0
    np.testing.assert_array_equal(view.asnumpy(), x.asnumpy().reshape(-1)[places(name)])
    x.fill_(3.0)
    assert (view == 3.0).all()


@pytest.mark.parametrize("name", sorted(set(VIEWS) - {"diagonal"}))
def test_memory_is_described_as_numpy_does(name: str) -> None:
    view, array = VIEWS[name][0](base()), np.arange(12, dtype=np.float32).reshape(3, 4)
    twin = VIEWS[name][1](array)
    assert view.is_contiguous() == twin.flags.c_contiguous
    own = [step // 4 for step in twin.strides]
    assert [a for a, n in zip(view.stride(), view.shape) if n > 1] == [a for a, n in zip(own, twin.shape) if n > 1]
    assert view.storage_offset() == places(name).flat[0]
    assert view.contiguous().is_contiguous()
    assert (view.contiguous() is view) == view.is_contiguous()


@pytest.mark.parametrize(
    "copy",
    [lambda x: x.T.reshape(12), lambda x: x.copy(), lambda x: x.T.contiguous(), lambda x: ops.flatten(x), lambda x: x + 0,
     lambda x: x.clone(), lambda x: Parameter(x, name="w"), lambda x: x.T.flatten()],
)  # fmt: skip
def test_copies_share_nothing(copy) -> None:
    x = base()
    copied = copy(x)
    copied[0] = -1.0
    assert (x == base()).all()
    x[1] = -2.0
    assert not (copied == -2.0).any()


def test_what_a_list_or_mask_selects_is_written_by_assignment_alone() -> None:
    x = base()
    x[[0, 2]][0] = 5.0
    assert (x[0] == 5.0).all()
    x[[0, 2]].fill_(9.0)
    assert not (x == 9.0).any() or x.asnumpy().tolist()[2] == [8.0, 9.0, 10.0, 11.0]


def test_an_expanded_tensor_writes_the_one_element_it_shows() -> None:
    x = base()
    wide = x.expand(2, 3, 4)
    wide[0, 1] = 6.0
    assert (x[1] == 6.0).all() and (wide[1, 1] == 6.0).all() and (x[0] == base()[0]).all()


def test_views_outlive_what_stood_between() -> None:
    x = base()
    corner = x.T[1:].unsqueeze(0)[0, :, :2]
    gc.collect()
    corner.zero_()
    assert x.asnumpy().sum() == np.arange(12).sum() - (1 + 2 + 3 + 5 + 6 + 7)


def test_gradients_pass_through_writes_to_views() -> None:
    def function(x: Tensor) -> Tensor:
        y = x * 1
        y.view(-1)[0] = x[1, 1] * 5
        y.T[1] = y[0, :3] * 2
        return (y * y).sum()

    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    expected = 2 * x
    expected[:, 1] = 0  # written over by twice the first row, as the first element was by 5 x[1, 1]
    expected[0, 0], expected[1, 1] = 0, 250 * x[1, 1]
    expected[0, 2] += 8 * x[0, 2]
    expected[0, 1] += 8 * x[0, 1]
    np.testing.assert_allclose(ms.grad(function)(Tensor(x)).asnumpy(), expected, rtol=1e-6)


def test_many_short_lived_views_leave_nothing_behind() -> None:
    x = base()
    for _ in range(100):
        x.reshape(-1)
    assert len(x._views) <= 16


def test_a_view_keeps_its_elements_when_the_base_takes_another_shape() -> None:
    x = base()
    row = x[1]
    x.assign_value(Tensor([1.0, 2.0]))
    assert row.asnumpy().tolist() == [4, 5, 6, 7]
    row[0] = 0.0
    assert x.asnumpy().tolist() == [1, 2]


def _parts_of_parts(x: Tensor) -> tuple[Tensor, Tensor]:
    y = x * 1
    table = {"z": x * 2}
    y[0][1] = 7.0
    y[1][1:][0] += 5.0
    y[[2]][0] = y[0]
    table["z"][0][2] = -1.0
    if x.sum() > 0:
        y[0][0] = 11.0
    for row in range(2):
        y[row][3] = y[row][3] * row
    return y, table["z"]


def test_items_of_items_are_assigned_in_both_modes() -> None:
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    y, z = x.copy(), x * 2
    y[0, 1], z[0, 2] = 7, -1
    y[1, 1] += 5
    y[2] = y[0]
    y[0, 0], y[0, 3] = 11, 0
    for function in (_parts_of_parts, ms.jit(_parts_of_parts)):
        found = function(Tensor(x))
        np.testing.assert_array_equal(found[0].asnumpy(), y)
        np.testing.assert_array_equal(found[1].asnumpy(), z)


def test_a_view_keeps_nothing_alive() -> None:
    x, other = base(), Tensor(np.zeros(12, np.float32))
    view, gone = x.view_as(other), weakref.ref(other)
    del other
    gc.collect()
    assert gone() is None
    gone = weakref.ref(x)
    del x
    gc.collect()
    assert gone() is None and view.shape == (12,)


@pytest.mark.parametrize("copied", [copy.deepcopy, copy.copy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies_of_views_and_of_their_bases_stand_alone(copied) -> None:
    x = Parameter(base(), name="w")
    row = x[1]
    twin, other = copied(x), copied(row)
    twin[1, 0] = -1.0
    other[0] = -2.0
    assert row[0] == 4.0 and x[1, 0] == 4.0
    row[1] = -3.0
    assert x[1, 1] == -3.0 and twin[1, 1] == 5.0 and other[1] == 5.0
