"""``jet`` and ``linearize``: derivatives along a curve and a function's linear part, in both modes."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops

BOTH = pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE], ids=["graph", "pynative"])


class ExponentialOfSine(nn.Cell):
    def construct(self, x):
        return ops.exp(ops.sin(x))


@BOTH
def test_series_of_a_composition_are_those_of_calculus(mode):
    ms.set_context(mode=mode)
    x = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)
    series = Tensor(np.stack([np.ones_like(x), np.zeros_like(x)]))
    value, derivatives = ops.jet(ExponentialOfSine(), Tensor(x), series)
    s, c, e = np.sin(x), np.cos(x), np.exp(np.sin(x))
    np.testing.assert_allclose(value.asnumpy(), e, 1e-5)
    expected = [c * e, (c**2 - s) * e]
    np.testing.assert_allclose(derivatives.asnumpy(), expected, 1e-4, 1e-4)
    np.testing.assert_allclose(ops.derivative(ExponentialOfSine(), Tensor(x), 2)[1].asnumpy(), expected[1], 1e-4, 1e-4)


@BOTH
def test_curves_have_derivatives_of_their_own_and_integers_become_floats(mode):
    ms.set_context(mode=mode)
    # x(t) = 2 + 3t + t^2 and y(t) = 5 + t, so xy = 10 + 17t + 8t^2 + t^3
    curves = (Tensor([3.0, 2.0]), Tensor([1.0, 0.0]))
    (product, total), (of_product, of_total) = ops.jet(lambda x, y: (x * y, x + y), (Tensor(2), Tensor(5)), curves)
    assert (float(product), float(total)) == (10, 7)
    np.testing.assert_allclose(of_product.asnumpy(), [17, 16], 1e-5)
    np.testing.assert_allclose(of_total.asnumpy(), [4, 2], 1e-5)


@BOTH
def test_linear_part_at_a_point(mode):
    ms.set_context(mode=mode)
    x, y = Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]])
    output, jvp_fn = ops.linearize(ops.MatMul(), (x, y))
    direction = (Tensor([[1.0, 0.0]]), Tensor([[0.0], [10.0]]))
    assert output.asnumpy() == [[11]]
    assert jvp_fn(direction).asnumpy() == [[23]]
    assert jvp_fn(*direction).asnumpy() == [[23]]


def test_wrong_inputs_are_named():
    with pytest.raises(
        ValueError, match=r"'series' must have the shape of the 'primals'.*\(n, \*\(2,\)\).*but got \(2, 1\)"
    ):
        ops.jet(ops.exp, Tensor([1.0, 2.0]), Tensor([[1.0], [0.0]]))
    with pytest.raises(ValueError, match="one Tensor per Tensor of 'primals', 1, but got 2"):
        ops.jet(ops.exp, Tensor(1.0), (Tensor([1.0]), Tensor([1.0])))
    with pytest.raises(TypeError, match=r"the 'primals' must be a Tensor or a tuple of Tensors, but got 3\.0"):
        ops.jet(ops.exp, 3.0, Tensor([1.0]))
    with pytest.raises(TypeError, match="For 'linearize', the 'inputs' must be a Tensor"):
        ops.linearize(ops.exp, (Tensor(1.0), 2))
