"""mindspore.numpy beside NumPy itself: calls that real MindSpore's CPU refuses or that only make sense as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import mindspore as ms
import mindspore.numpy as mnp
from mindspore import Tensor, nn

X = np.random.default_rng(3).normal(size=(3, 4)).astype(np.float32)


@pytest.fixture(autouse=True)
def pynative_mode() -> Iterator[None]:
    before = ms.get_context("mode")
    ms.set_context(mode=ms.PYNATIVE_MODE)
    yield
    ms.set_context(mode=before)


@pytest.mark.parametrize(
    "call",
    [
        lambda p, x: p.take(x, [0, 2], 1),
        lambda p, x: p.take(x, [-1, 30], mode="wrap"),
        lambda p, x: p.pad(x, 2, mode="reflect"),
        lambda p, x: p.pad(x, ((1, 0), (2, 1)), "symmetric", reflect_type="odd"),
        lambda p, x: p.pad(x, 1, mode="linear_ramp", end_values=5.0),
        lambda p, x: p.exp([1, 2]),
        lambda p, x: p.inner([1, 2], [3, 4]),
        lambda p, x: p.outer([1, 2], [3, 4]),
        lambda p, x: p.dot(x, 2),
        lambda p, x: p.cov(x, aweights=p.array([1.0, 2.0, 1.5, 3.0])),
        lambda p, x: p.cov(x, fweights=p.array([1, 2, 1, 3]), aweights=p.array([1.0, 2.0, 1.5, 3.0]), ddof=0),
        lambda p, x: p.searchsorted(p.array([1.0, -1.0, 0.0]), x, sorter=p.array([1, 2, 0])),
        lambda p, x: p.average(x, axis=1, weights=[1, 2, 3, 4], returned=True),
        lambda p, x: p.append([1, 2], 3),
        lambda p, x: p.hstack([[1, 2], [3]]),
        lambda p, x: p.vstack([[1, 2], [3, 4]]),
        lambda p, x: p.diff(x, prepend=0.0, axis=0),
        lambda p, x: p.repeat(x, [1, 0, 2], 0),
        lambda p, x: p.piecewise(x, [x > 1, x < 0], [1.0, 2.0, 3.0]),
        lambda p, x: p.apply_along_axis(lambda v: v[:2] * 2, 0, x),
        lambda p, x: p.split(x, [1, 3], 1),
        lambda p, x: p.array_split(x, 3, 1),
        lambda p, x: p.rollaxis(x[None], 2, 1),
        lambda p, x: p.moveaxis(x[None], [0, 1], [-1, 0]),
        lambda p, x: p.tile(x, (2, 1, 2)),
        lambda p, x: p.unravel_index(p.array([5, 11]), (3, 4)),
        lambda p, x: p.interp(x, [-1.0, 0.0, 1.0], [3.0, 4.0, 6.0], right=p.float32(9.0) if p is np else 9.0),
        lambda p, x: p.polyint(x[0], 2, [1.0, 2.0]),
        lambda p, x: p.trapz(x, axis=0) if hasattr(p, "trapz") else p.trapezoid(x, axis=0),
        lambda p, x: p.fft.irfft(p.fft.rfft(x, axis=0), 3, axis=0),
        lambda p, x: p.fft.hfft(p.fft.ihfft(x), 4),
        lambda p, x: p.fft.ifftn(p.fft.fftn(x)).real if p is np else mnp.fft.irfftn(mnp.fft.rfftn(x)),
        lambda p, x: p.vander(x[0], 3, increasing=True),
        lambda p, x: p.isclose(p.array([p.inf, -p.inf, p.nan, 1.0]), p.array([p.inf, p.inf, p.nan, 1.0 + 1e-7])),
    ],
)  # fmt: skip
def test_results_are_those_of_numpy(call: Callable[[Any, Any], Any]) -> None:
    found, wanted = call(mnp, Tensor(X)), call(np, X)
    several = isinstance(wanted, (list, tuple))
    for one, other in zip(found if several else [found], wanted if several else [wanted], strict=True):
        assert one.shape == np.shape(other)
        np.testing.assert_allclose(one.asnumpy(), other, 2e-5, 2e-5)


def test_vectors_of_two_numbers_have_one_number_as_their_product() -> None:
    assert mnp.cross([[1.0, 2.0], [0.0, 1.0]], [3.0, 4.0]).tolist() == [-2.0, -3.0]


def test_the_parts_of_an_ihfftn_are_those_of_an_rfftn() -> None:
    found, wanted = mnp.fft.ihfftn(Tensor(X)).asnumpy(), np.conj(np.fft.rfftn(X, norm="forward"))
    np.testing.assert_allclose(found, wanted, 1e-5, 1e-5)


def test_transforms_keep_double_precision() -> None:
    wide = X.astype(np.float64)
    found = mnp.fft.fft2(Tensor(wide))
    assert found.dtype == ms.complex128
    np.testing.assert_allclose(found.asnumpy(), np.fft.fft2(wide), 1e-12, 1e-12)
    np.testing.assert_allclose(mnp.fft.ihfft(Tensor(wide)).asnumpy(), np.fft.ihfft(wide), 1e-12, 1e-12)


def test_a_function_can_pad() -> None:
    def with_nines(vector: Tensor, widths: tuple[int, int], axis: int, options: dict) -> Tensor:
        return mnp.concatenate(
            [mnp.full(widths[0], 9), vector[widths[0] : vector.size - widths[1]], mnp.full(widths[1], options["end"])]
        )

    assert mnp.pad([1, 2], (1, 2), with_nines, end=7).tolist() == [9, 1, 2, 7, 7]


def test_distinct_elements_are_found_eagerly() -> None:
    values, places = mnp.unique([[3, 1], [3, 2]], return_inverse=True)
    assert values.tolist() == [3, 1, 2] and places.tolist() == [0, 1, 0, 2]
    assert mnp.intersect1d([4, 2, 3, 4], [3, 4]).tolist() == [3, 4]
    assert mnp.setdiff1d([4, 2, 3, 4], [3]).tolist() == [2, 4]


@pytest.mark.parametrize("name", ["unique", "argwhere", "bincount"])
def test_what_a_graph_cannot_size_says_what_to_use(name: str) -> None:
    x = Tensor([1, 2, 1])
    function = ms.jit(lambda x: getattr(mnp, name)(x))
    assert function(x).tolist() == getattr(mnp, name)(x).tolist()  # the graph breaks there
    ms.set_context(jit_syntax_level=ms.STRICT)
    function = ms.jit(lambda x: getattr(mnp, name)(x))
    with pytest.raises(Exception, match="as many elements as it finds") as caught:
        function(x)
    assert not type(caught.value).__module__.startswith("jax")


def test_bincount_with_a_length_is_compiled() -> None:
    assert ms.jit(lambda x: mnp.bincount(x, length=4))(Tensor([0, 1, 1, 7])).tolist() == [1.0, 2.0, 0.0, 0.0]


class Attention(nn.Cell):
    """A layer as programs write them, with mindspore.numpy inside."""

    def construct(self, x: Tensor) -> Tensor:
        scores = mnp.matmul(x, mnp.swapaxes(x, -1, -2)) / mnp.sqrt(mnp.array(float(x.shape[-1])))
        mask = mnp.tril(mnp.ones(scores.shape))
        scores = mnp.where(mask > 0, scores, mnp.full_like(scores, -1e9))
        weights = mnp.exp(scores - mnp.max(scores, axis=-1, keepdims=True))
        weights = weights / mnp.sum(weights, axis=-1, keepdims=True)
        return mnp.concatenate((mnp.matmul(weights, x), mnp.tile(mnp.mean(x, 0), (x.shape[0], 1))), axis=1)


def test_a_cell_gives_the_same_in_both_modes() -> None:
    eager = Attention()(Tensor(X))
    eager_gradient = ms.grad(Attention())(Tensor(X))
    ms.set_context(mode=ms.GRAPH_MODE)
    np.testing.assert_allclose(Attention()(Tensor(X)).asnumpy(), eager.asnumpy(), 1e-5, 1e-6)
    np.testing.assert_allclose(ms.grad(Attention())(Tensor(X)).asnumpy(), eager_gradient.asnumpy(), 1e-4, 1e-5)


def test_random_numbers_follow_the_seed_and_their_ranges() -> None:
    ms.set_seed(5)
    first = mnp.rand(50), mnp.randn(50), mnp.randint(3, 9, 50)
    ms.set_seed(5)
    second = mnp.rand(50), mnp.randn(50), mnp.randint(3, 9, 50)
    for one, other in zip(first, second, strict=True):
        np.testing.assert_array_equal(one.asnumpy(), other.asnumpy())
    uniform, normal, whole = (one.asnumpy() for one in first)
    assert uniform.min() >= 0 and uniform.max() < 1 and np.ptp(uniform) > 0.5
    assert normal.min() < -1 and normal.max() > 1
    assert set(whole.tolist()) == {3, 4, 5, 6, 7, 8}
