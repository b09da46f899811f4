"""Cosine transforms are SciPy's orthonormal ones."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.fft

import mindspore as ms
from mindspore import Tensor, jit
from mindspore.scipy import fft

X = np.array([[1, 2, 3, 4], [5, 6, 7, 9]], np.float32)


@pytest.mark.parametrize("name", ["dct", "idct"])
@pytest.mark.parametrize(("n", "axis"), [(None, -1), (3, 0), (6, 1)])
def test_one_axis(name, n, axis):
    found = jit(lambda x: getattr(fft, name)(x, 2, n, axis))(Tensor(X))
    np.testing.assert_allclose(found.asnumpy(), getattr(scipy.fft, name)(X, 2, n, axis, "ortho"), 1e-5, 1e-5)


@pytest.mark.parametrize("name", ["dctn", "idctn"])
@pytest.mark.parametrize(("s", "axes"), [(None, None), ((3,), None), ((3, 5), (1, 0)), (None, (0,))])
def test_several_axes(name, s, axes):
    found = getattr(fft, name)(Tensor(X), s=s, axes=axes)
    np.testing.assert_allclose(found.asnumpy(), getattr(scipy.fft, name)(X, 2, s, axes, "ortho"), 1e-5, 1e-5)


@pytest.mark.parametrize(
    ("given", "wanted"), [(np.int16, ms.float32), (np.float16, ms.float32), (np.float64, ms.float64)]
)
def test_results_are_float32_or_wider(given, wanted):
    assert fft.dct(Tensor(X.astype(given))).dtype == wanted


def test_complex_numbers_are_transformed_part_by_part():
    x = (X + 1j * X[::-1]).astype(np.complex64)
    np.testing.assert_allclose(fft.idct(fft.dct(Tensor(x))).asnumpy(), x, 1e-5, 1e-5)


def test_what_real_mindspore_refuses_is_refused():
    for call in (
        lambda: fft.dct(Tensor(X), 1),
        lambda: fft.dct(Tensor(X), norm="backward"),
        lambda: fft.dct(Tensor(X), n=0),
    ):
        with pytest.raises(ValueError, match="For 'dct', the '"):
            call()
    with pytest.raises(TypeError, match="must have one of the dtypes"):
        fft.dct(Tensor(X > 1))
