"""Slopes where a formula divides by 0: at poles, at the origin and outside of the domain."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops

inf, nan = np.inf, np.nan


@pytest.mark.parametrize(
    ("function", "points", "values", "slopes"),
    [
        (ops.lgamma, [0.0, 1.0, -inf], [inf, 0.0, inf], [-inf, -0.5772157, nan]),
        (ops.digamma, [0.0, -0.0, 1.0], [-inf, inf, -0.5772157], [inf, inf, 1.6449341]),
        (ops.sinc, [0.0, 1e-20, 0.5, 1.0], [1.0, 1.0, 0.6366198, 0.0], [0.0, 0.0, -1.2732396, -1.0]),
        (ops.logit, [-1.0, 0.5, 2.0, 0.25], [nan, 0.0, nan, -1.0986123], [nan, 4.0, nan, 5.3333335]),
        (lambda x: ops.hypot(x, x), [0.0, 3.0, -3.0], [0.0, 4.2426405, 4.2426405], [0.0, 1.4142135, -1.4142135]),
        (lambda x: ops.copysign(x, -x), [0.0, 1.0, -2.0], [0.0, -1.0, 2.0], [0.0, -1.0, -1.0]),
    ],
    ids=["lgamma", "digamma", "sinc", "logit", "hypot", "copysign"],
)
def test_values_and_slopes_at_special_points(function, points, values, slopes) -> None:
    x = Tensor(points, ms.float32)
    np.testing.assert_allclose(function(x).asnumpy(), values, rtol=1e-5, atol=1e-6)
    found = ms.grad(lambda t: function(t).sum())(x).asnumpy()
    known = ~np.isnan(slopes) | np.isnan(found)
    np.testing.assert_allclose(found[known], np.array(slopes)[known], rtol=1e-5, atol=1e-6)
