"""Gradients through mindspore.numpy are the slopes, in both modes; the differential cases compare more of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import mindspore as ms
import mindspore.numpy as mnp
from mindspore import Tensor

POINT = np.random.default_rng(11).uniform(0.4, 1.6, (3, 4))
WEIGHTS = np.random.default_rng(12).uniform(0.5, 1.5, 400)


@pytest.fixture(params=["graph", "pynative"], autouse=True)
def mode(request: pytest.FixtureRequest) -> Iterator[None]:
    before = ms.get_context("mode")
    ms.set_context(mode=ms.GRAPH_MODE if request.param == "graph" else ms.PYNATIVE_MODE)
    yield
    ms.set_context(mode=before)


def weighted(function: Callable[[Any], Any]) -> Callable[[Any], Tensor]:
    """The results, weighted and summed, so that no part can stand in for another."""

    def total(x: Tensor) -> Tensor:
        results = function(x)
        parts = [mnp.ravel(one) for one in (results if isinstance(results, tuple) else (results,))]
        joined = mnp.concatenate(parts)
        return mnp.sum(joined * Tensor(WEIGHTS[: joined.size]))

    return total


@pytest.mark.parametrize(
    "function",
    [
        lambda x: mnp.select([x > 1, x > 0.7], [x * x, mnp.exp(x)], default=3.0),
        lambda x: mnp.piecewise(x, [x > 1], [lambda v: v * v, lambda v: v]),
        lambda x: (mnp.cov(x), mnp.corrcoef(x)),
        lambda x: mnp.interp(x, [0.0, 1.0, 2.0], [1.0, 3.0, 2.0]),
        lambda x: (mnp.flip(x, 1), mnp.rot90(x), mnp.roll(x, 1, 0), mnp.pad(x, 1, "reflect")),
        lambda x: (mnp.norm(x), mnp.norm(x, 3, axis=1), mnp.cumprod(x, 1), mnp.nanmean(x, 0)),
        lambda x: mnp.gradient(x),
        lambda x: (mnp.convolve(x[0], x[1]), mnp.polyval(x[0], x[1]), mnp.cross(x[:, :3], x[:, 1:])),
        lambda x: (mnp.linspace(x[0], x[1], 3), mnp.geomspace(x[0], x[1], 3), mnp.take_along_axis(x, mnp.argmax(x, 1)[:, None], 1)),
        lambda x: (mnp.trapz(x[0], x[1]), mnp.average(x[:2], 0, weights=x[1:]), mnp.multi_dot([x, x.T, x])),
    ],
)  # fmt: skip
def test_the_gradient_is_the_slope(function: Callable[[Any], Any]) -> None:
    total = weighted(function)
    found = ms.grad(total)(Tensor(POINT)).asnumpy()
    for index in ((0, 0), (1, 2), (2, 3)):
        assert found[index] == pytest.approx(slope_at(total, index), rel=1e-4, abs=1e-4)


def slope_at(total: Callable[[Any], Tensor], index: tuple[int, int], step: float = 1e-6) -> float:
    values = []
    for sign in (1, -1):
        moved = POINT.copy()
        moved[index] += sign * step
        values.append(float(total(Tensor(moved)).asnumpy()))
    return (values[0] - values[1]) / (2 * step)
