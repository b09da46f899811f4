"""A function with a gradient of its own, ``_Function``: what its context knows and does. The numbers are MindSpore's."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor
from mindspore.common._grad_function import _Function

pytestmark = pytest.mark.usefixtures("mode")
X, Y = np.array([1.0, 2.0], np.float32), np.array([2.0, 3.0], np.float32)


def values(found):
    return [None if x is None else x.asnumpy().tolist() for x in (found if isinstance(found, tuple) else (found,))]


class Product(_Function):
    seen = []  # noqa: RUF012 - what the last calls saw

    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        assert ctx.saved_tensors == ()  # once forward is over
        Product.seen.append(ctx.needs_input_grad)
        return x * y

    @staticmethod
    def backward(ctx, gradient):
        x, y = ctx.saved_tensors
        return gradient * y * 10, gradient * x * 100 if ctx.needs_input_grad[1] else None


@pytest.mark.parametrize(
    ("positions", "needed", "expected"),
    [(0, (True, False), [[20, 30]]), (1, (False, True), [[100, 200]]), ((0, 1), (True, True), [[20, 30], [100, 200]])],
)
def test_the_context_knows_which_gradients_are_wanted(positions, needed, expected):
    Product.seen.clear()
    assert values(ms.grad(lambda x, y: Product.apply(x, y), positions)(Tensor(X), Tensor(Y))) == expected
    assert needed in Product.seen


def test_nothing_is_wanted_outside_of_a_gradient():
    Product.seen.clear()
    assert values(Product.apply(Tensor(X), Tensor(Y))) == [[2, 6]]
    assert Product.seen[-1] == (False, False)


def test_parameters_are_arguments_like_others():
    w = Parameter(Tensor(Y), name="w")
    by_input, (by_weight,) = ms.grad(lambda x: Product.apply(x, w), 0, [w])(Tensor(X))
    assert values((by_input, by_weight)) == [[20, 30], [100, 200]]


def test_a_context_that_is_set_up_afterwards():
    class Scaled(_Function):
        @staticmethod
        def forward(x, factor=3.0):
            return x * factor

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.factor = inputs[1]
            ctx.save_for_backward(output)

        @staticmethod
        def backward(ctx, gradient):
            (output,) = ctx.saved_tensors
            return gradient * ctx.factor * output, None

    assert values(ms.grad(lambda x: Scaled.apply(x))(Tensor(X))) == [[9, 18]]
    assert values(ms.grad(lambda x: Scaled.apply(x, factor=2.0))(Tensor(X))) == [[4, 8]]


def test_saved_results_are_differentiated_again():
    class Exponential(_Function):
        @staticmethod
        def forward(ctx, x):
            result = x.exp()
            ctx.save_for_backward(result)
            return result

        @staticmethod
        def backward(ctx, gradient):
            (result,) = ctx.saved_tensors
            return gradient * result

    second = ms.grad(ms.grad(lambda x: Exponential.apply(x)))(Tensor(X))
    np.testing.assert_allclose(second.asnumpy(), np.exp(X), rtol=1e-6)


class Two(_Function):
    """Doubles and triples; what backward gets is noted."""

    materialize, constant = True, False
    got = []  # noqa: RUF012

    @staticmethod
    def forward(ctx, x):
        first, second = x * 2, x * 3
        ctx.set_materialize_grads(Two.materialize)
        if Two.constant:
            ctx.mark_non_differentiable(second)
        return first, second

    @staticmethod
    def backward(ctx, first, second):
        Two.got[:] = [first is None, second is None]
        return first * 10 if second is None else first * 10 + second


@pytest.mark.parametrize(("materialize", "missing"), [(True, [False, False]), (False, [False, True])])
def test_gradients_of_unused_results_are_zeros_or_none(monkeypatch, materialize, missing):
    monkeypatch.setattr(Two, "materialize", materialize)
    assert values(ms.grad(lambda x: Two.apply(x)[0])(Tensor(X))) == [[10, 10]]
    assert Two.got == missing


def test_results_without_a_gradient_are_constants(monkeypatch):
    monkeypatch.setattr(Two, "constant", True)

    def total(x):
        first, second = Two.apply(x)
        return first * x + second * second * x

    # first + second^2, and 10 of every x for first
    assert values(ms.grad(total)(Tensor(X))) == [[2 + 9 + 10, 4 + 36 + 20]]


def test_an_argument_that_forward_changed_is_a_result():
    class Raised(_Function):
        @staticmethod
        def forward(ctx, x):
            x[0] = 7.0
            ctx.mark_dirty(x)
            return x

        @staticmethod
        def backward(ctx, gradient):
            return gradient * 10

    def square(x):
        y = x * 2
        return Raised.apply(y) * y

    assert values(ms.grad(square)(Tensor(X))) == [[280, 160]]


def test_gradients_beyond_the_arguments_must_be_none():
    class Same(_Function):
        rest = None

        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, gradient):
            return gradient, Same.rest

    assert values(ms.grad(lambda x: Same.apply(x))(Tensor(X))) == [[1, 1]]
    Same.rest = Tensor(X)
    with pytest.raises(RuntimeError, match="one gradient per argument of forward, which are 1, but got 2"):
        ms.grad(lambda x: Same.apply(x))(Tensor(X))
