"""float64 becomes a half by one rounding, as in NumPy, infinities and numbers that are none included."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor


@pytest.mark.parametrize("dtype", [ms.float16, ms.bfloat16])
def test_rounding(dtype):
    random = np.random.default_rng(0)
    middle = 1 + 2.0**-11 if dtype == ms.float16 else 1 + 2.0**-8  # between 1 and the next half
    edges = [
        0,
        -0.0,
        np.inf,
        -np.inf,
        np.nan,
        1e300,
        -1e300,
        1e-300,
        65519.99,
        65520,
        2.0**-25,
        middle,
        middle + 2.0**-50,
    ]
    x = np.concatenate([random.standard_normal(5000) * 10.0 ** random.integers(-12, 8, 5000), edges])
    found = ms.jit(lambda x: x.astype(dtype).astype(ms.float32))(Tensor(x)).asnumpy()
    step = 2.0**-10 if dtype == ms.float16 else 2.0**-7
    assert found[-2] == 1 and found[-1] == 1 + step
    if dtype == ms.float16:
        with np.errstate(over="ignore"):
            np.testing.assert_array_equal(found, x.astype(np.float16).astype(np.float32))
