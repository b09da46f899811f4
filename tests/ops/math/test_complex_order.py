"""Complex numbers have no order, and none is stored as a real number: operators that would need it say so."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, mint, ops

REAL = Tensor([1.0, 2.0])
COMPLEX = Tensor(np.array([1 + 1j, 2], np.complex64))


@pytest.mark.parametrize("run", [lambda function: function, ms.jit], ids=["eager", "compiled"])
@pytest.mark.parametrize(
    "call",
    [
        lambda x, z: x >= z,
        lambda x, z: z < 1,
        lambda x, z: x > 1j,
        lambda x, z: ops.maximum(x, z),
        lambda x, z: ops.minimum(z, z),
        lambda x, z: x.clip(0, 1j),
        lambda x, z: z.clamp(min=0),
        lambda x, z: z.max(),
        lambda x, z: z.argmin(),
        lambda x, z: ops.cummax(z, 0),
        lambda x, z: ops.floor(z),
        lambda x, z: x // 1j,
        lambda x, z: ops.fmin(z, x),
        lambda x, z: ops.elu(z),
        lambda x, z: ops.leaky_relu(z),
        lambda x, z: ops.hardtanh(z),
        lambda x, z: mint.nn.functional.hardswish(z),
        lambda x, z: ops.threshold(z, 0.1, 2.0),
        lambda x, z: ops.signbit(z),
        lambda x, z: ops.isneginf(z),
        lambda x, z: z.isposinf(),
        lambda x, z: ops.clip_by_value(z, 0, 1),
    ],
)
def test_an_order_of_complex_numbers_is_refused(run, call) -> None:
    with pytest.raises(TypeError, match=r"must be a Tensor of .*floating-point dtype, but got .*(Complex|1j)"):
        run(call)(REAL, COMPLEX)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: x.fill_(1j),
        lambda x: x.copy_(1j),
        lambda x: x.masked_fill(x > 1, 1j),
        lambda x: x.index_fill(0, Tensor([0]), 1j),
    ],
)
def test_a_complex_number_is_not_stored_as_its_real_part(call) -> None:
    x = Tensor([1.0, 2.0])
    with pytest.raises(TypeError, match="must be a real number"):
        call(x)
    assert x.tolist() == [1.0, 2.0]
    assert COMPLEX.copy().fill_(2j).tolist() == [2j, 2j]


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: ops.ones((2, 2)).fill_diagonal_("1"), TypeError, "'fill_value' must be a real number"),
        (lambda: REAL.new_zeros((2,), dtype=()), TypeError, "the 'dtype' must be"),
        (lambda: mint.ones((2,), dtype=0), TypeError, "the 'dtype' must be"),
        (lambda: mint.clone([1.0]), TypeError, "For 'clone', the 'input' must be a Tensor"),
        (lambda: mint.dot(1.5, REAL), TypeError, "For 'dot', the 'input' must be a Tensor"),
        (lambda: mint.nn.functional.softmax([1.0], dim=0), TypeError, "For 'softmax', the 'input' must be a Tensor"),
        (lambda: mint.squeeze(REAL, 3), ValueError, r"'dim' must be in range \[-1, 1\)"),
        (lambda: mint.arange(0, float("nan")), ValueError, "'end' must be finite"),
        (lambda: ops.unique_consecutive(REAL, dim={}), TypeError, "'dim' must be an int"),
    ],
)
def test_functions_name_the_argument_before_they_use_it(call, kind, words) -> None:
    with pytest.raises(kind, match=words):
        call()


def test_the_logarithm_of_the_sigmoid_is_computed_of_complex_numbers() -> None:
    z = np.array([1 + 2j, -1 - 1j, 0.5j, 2, 0], np.complex64)
    np.testing.assert_allclose(ops.logsigmoid(Tensor(z)).asnumpy(), -np.log(1 + np.exp(-z)), rtol=1e-5, atol=1e-6)


def test_a_float_is_no_index() -> None:
    with pytest.raises(ValueError, match="Only integer tensors"):
        range(Tensor(3.0))
