"""Arguments may be given by the names that 1.x and 2.0 have for them."""

import numpy as np
import pytest

import mindspore as ms
import mindspore.numpy as mnp
from mindspore import Tensor, ops

X = Tensor(np.array([[1.0, 0.5], [0.25, 1.0]], np.float32))
I = Tensor([1, 1, 2])  # noqa: E741 - an integer tensor
CASES = {
    "unique": (lambda: ops.unique(x=I), lambda: ops.unique(I)),
    "unique_consecutive": (lambda: ops.unique_consecutive(x=I), lambda: ops.unique_consecutive(I)),
    "nonzero": (lambda: ops.nonzero(x=I), lambda: ops.nonzero(I)),
    "masked_select": (lambda: ops.masked_select(x=X, mask=X > 0.5), lambda: ops.masked_select(X, X > 0.5)),
    "dropout": (lambda: ops.dropout(x=X, p=0.5, seed0=3, seed1=4), lambda: ops.dropout(X, 0.5, seed=3)),
    "dropout2d": (lambda: ops.dropout2d(x=X.reshape(1, 1, 2, 2), p=0.0), lambda: X.reshape(1, 1, 2, 2)),
    "dropout3d": (lambda: ops.dropout3d(x=X.reshape(1, 1, 1, 2, 2), p=0.0), lambda: X.reshape(1, 1, 1, 2, 2)),
    "bernoulli": (lambda: ops.bernoulli(x=X, p=1.0, seed=1), lambda: X * 0 + 1),
    "Tensor.bernoulli": (lambda: X.bernoulli(p=0.5, seed=1), lambda: ops.bernoulli(X, 0.5, 1)),
    "standard_normal": (lambda: ops.standard_normal((2,), seed=1, seed2=3), lambda: ops.standard_normal((2,), 1)),
    "standard_laplace": (lambda: ops.standard_laplace((2,), seed=1, seed2=3), lambda: ops.standard_laplace((2,), 1)),
    "random_gamma": (lambda: ops.random_gamma((2,), X[0], seed=1, seed2=3), lambda: ops.random_gamma((2,), X[0], 1)),
    "cdist": (lambda: ops.cdist(x=X, y=X * 2), lambda: ops.cdist(X, X * 2)),
    "svd": (lambda: ops.svd(a=X, compute_uv=False), lambda: ops.svd(X, compute_uv=False)),
    "narrow": (lambda: ops.narrow(inputs=X, axis=0, start=1, length=1), lambda: X[1:]),
    "ones": (lambda: ops.ones(shape=(2,), type=ms.int32), lambda: ops.ones((2,), ms.int32)),
    "arange": (lambda: ops.arange(start=1, stop=4, rtype=ms.float32), lambda: Tensor([1.0, 2.0, 3.0])),
    "swapaxes": (lambda: X.swapaxes(axis1=0, axis2=1), lambda: X.T),
    "pow": (lambda: X.pow(power=2), lambda: X * X),
    "add": (lambda: X.add(y=X), lambda: X * 2),
    "std": (lambda: ops.std(X, axis=0, unbiased=True), lambda: ops.std(X, 0, 1)),
    "arccos": (lambda: mnp.arccos(x=X), lambda: mnp.arccos(X)),
}


def arrays(call):
    ms.set_seed(1)
    value = call()
    return [one.asnumpy() for one in (value if isinstance(value, tuple) else (value,))]


@pytest.mark.parametrize("name", CASES)
def test_an_argument_is_known_by_its_earlier_name(name):
    earlier, today = (arrays(call) for call in CASES[name])
    for one, other in zip(earlier, today, strict=True):
        np.testing.assert_array_equal(one, other)
        assert one.dtype == other.dtype


def test_an_argument_given_by_both_names_is_refused():
    with pytest.raises(TypeError, match="given twice"):
        ops.dropout(X, input=X, x=X)
