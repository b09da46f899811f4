"""Different values, their counts, first places and indices are those of np.unique, in every dtype; so are coordinates."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from mindspore._ops.array.dynamic_shape import _coordinates, _distinct

DTYPES = [np.float32, np.float64, np.float16, ml_dtypes.bfloat16, np.int32, np.int64, np.uint8, np.bool_]


def values(dtype, count):
    x = (np.random.default_rng(count).standard_normal(count) * 20).astype(dtype)
    if count > 10 and dtype in (np.float32, np.float64):
        x[3:7] = np.nan
    return x * 10**9 if dtype == np.int64 else x


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: np.dtype(dtype).name)
@pytest.mark.parametrize("count", [0, 1, 50, 3000])
def test_as_in_numpy(dtype, count):
    x = values(dtype, count)
    wide = x.astype(np.float32) if dtype == ml_dtypes.bfloat16 else x
    expected, first, inverse, counts = np.unique(wide, return_index=True, return_inverse=True, return_counts=True)
    for places in (False, True):
        for indices in (False, True):
            found = _distinct(x, places, indices)
            np.testing.assert_array_equal(found.values.astype(wide.dtype), expected)
            np.testing.assert_array_equal(found.counts, counts)
            if places:
                np.testing.assert_array_equal(found.first, first)
            if indices:
                np.testing.assert_array_equal(found.inverse, inverse)


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: np.dtype(dtype).name)
def test_coordinates(dtype):
    for shape in ((3000,), (50, 60), (5, 20, 30), (0, 4)):
        x = values(dtype, int(np.prod(shape))).reshape(shape)
        np.testing.assert_array_equal(_coordinates(x), np.argwhere(x))
