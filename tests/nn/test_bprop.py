"""Cells with a gradient of their own, in both modes. Values as observed on MindSpore 2.10."""

from __future__ import annotations

import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops


def numbers(value):
    return [numbers(v) for v in value] if isinstance(value, (tuple, list)) else value.asnumpy().tolist()


def gradients(net, *inputs):
    return numbers(ops.GradOperation(get_all=True)(net)(*inputs))


X, Y = Tensor([2.0], ms.float32), Tensor([5.0], ms.float32)


class Product(nn.Cell):
    """The example of MindSpore's documentation."""

    def construct(self, x, y):
        return x * y * y

    def bprop(self, x, y, out, dout):
        return x + y, x * y


class Square(nn.Cell):
    def construct(self, x):
        return x * x

    def bprop(self, x, out, dout):
        return (dout * 100,)


class Outputs(nn.Cell):
    def construct(self, x, y):
        return x * y, x + y

    def bprop(self, x, y, out, dout):
        return dout[0] * 10 + out[1], dout[1] * 100 + out[0]


def returning(value):
    """A Cell whose bprop returns ``value(dout)``."""

    class Returns(nn.Cell):
        def construct(self, x, y):
            return x * y

        def bprop(self, x, y, out, dout):
            return value(dout)

    return Returns()


# -- what arrives and what is taken -------------------------------------------------------------------------------------
def test_bprop_is_the_gradient_and_construct_the_value(mode):
    assert numbers(Product()(X, Y)) == [50.0]
    assert gradients(Product(), X, Y) == [[7.0], [10.0]]


def test_one_input_needs_no_tuple(mode):
    class Bare(nn.Cell):
        def construct(self, x):
            return x * x

        def bprop(self, x, out, dout):
            return dout * 100

    assert gradients(Square(), X) == gradients(Bare(), X) == [[100.0]]


def test_several_outputs_have_tuples_for_out_and_dout(mode):
    assert gradients(Outputs(), X, Y) == [[17.0], [110.0]]


def test_an_output_nobody_uses_has_a_zero_gradient(mode):
    class First(nn.Cell):
        def __init__(self):
            super().__init__()
            self.outputs = Outputs()

        def construct(self, x, y):
            return self.outputs(x, y)[0] * 3

    assert gradients(First(), X, Y) == [[37.0], [10.0]]


def test_nested_cells_with_bprop(mode):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.square = Square()
            self.product = Product()

        def construct(self, x, y):
            return self.product(self.square(x), y) * 2

    assert gradients(Net(), X, Y) == [[900.0], [20.0]]
    value, found = ms.value_and_grad(Net(), (0, 1))(X, Y)
    assert (numbers(value), numbers(found)) == ([200.0], [[900.0], [20.0]])


def test_the_outer_bprop_hides_the_inner_one(mode):
    class Outer(nn.Cell):
        def __init__(self):
            super().__init__()
            self.square = Square()

        def construct(self, x, y):
            return self.square(x) * y

        def bprop(self, x, y, out, dout):
            return self.square(x) + dout, out

    assert gradients(Outer(), X, Y) == [[5.0], [20.0]]


def test_gradients_inside_a_bprop(mode):
    class Uses(nn.Cell):
        def __init__(self):
            super().__init__()
            self.square = Square()
            self.grad = ops.GradOperation()

        def construct(self, x):
            return self.square(x)

        def bprop(self, x, out, dout):
            return (self.grad(self.square)(x) + 1,)

    assert gradients(Uses(), X) == [[101.0]]


def test_second_derivative_differentiates_the_bprop(mode):
    class Cube(nn.Cell):
        def construct(self, x):
            return x * x * x

        def bprop(self, x, out, dout):
            return (3 * x * x * dout,)

    class Exp(nn.Cell):
        def construct(self, x):
            return ops.exp(x)

        def bprop(self, x, out, dout):
            return (out * dout,)

    assert numbers(ms.grad(ms.grad(Cube()))(X)) == [12.0]
    assert numbers(ms.grad(ms.grad(Exp()))(Tensor([0.0]))) == [1.0]
    assert numbers(ms.grad(ms.grad(Square()))(X)) == [0.0]


def test_control_flow_on_tensors_in_a_bprop(mode):
    class Choose(nn.Cell):
        def construct(self, x):
            return x * x

        def bprop(self, x, out, dout):
            if out > 3:
                return (dout * 5,)
            return (dout * 6,)

    assert gradients(Choose(), X) == [[5.0]]
    assert gradients(Choose(), Tensor([1.0])) == [[6.0]]


def test_hooks_around_a_bprop(mode):
    net = Square()
    net.register_backward_hook(lambda cell, grad_input, grad_output: grad_input[0] + 1)
    assert gradients(net, X) == [[101.0]]


# -- arguments --------------------------------------------------------------------------------------------------------
class Keyword(nn.Cell):
    def construct(self, x, y=3.0):
        return x * y

    def bprop(self, x, y, out, dout):
        return dout * y, dout * 20


def test_keyword_arguments_arrive_in_the_order_of_construct(mode):
    class Calls(nn.Cell):
        def __init__(self):
            super().__init__()
            self.keyword = Keyword()

        def construct(self, x, y):
            return self.keyword(y=y, x=x)

    assert gradients(Calls(), X, Y) == [[5.0], [20.0]]


def test_defaults_arrive_too_unless_bprop_is_written_without_them(mode):
    class Short(nn.Cell):
        def construct(self, x, y=3.0):
            return x * y

        def bprop(self, x, out, dout):
            return (dout * 7,)

    class Zero(nn.Cell):
        def construct(self, x, y=3.0):
            return x * y

        def bprop(self, x, y, out, dout):
            return dout * y, 0.0

    assert gradients(Zero(), X) == [[3.0]]
    assert gradients(Short(), X) == [[7.0]]


def test_numbers_and_nested_tensors_among_the_inputs(mode):
    class Mixed(nn.Cell):
        def construct(self, x, k, pair):
            return x * k * pair[0]

        def bprop(self, x, k, pair, out, dout):
            return dout * k, None, (dout * 7, dout * 8)

    class Calls(nn.Cell):
        def __init__(self):
            super().__init__()
            self.mixed = Mixed()

        def construct(self, x, y):
            return self.mixed(x, 3, (x, y))

    assert gradients(Calls(), X, Y) == [[10.0], [8.0]]


def test_any_number_of_inputs(mode):
    class Star(nn.Cell):
        def construct(self, *inputs):
            return inputs[0] * inputs[1]

        def bprop(self, *inputs):
            return inputs[0], inputs[1] * inputs[-1]

    assert gradients(Star(), X, Y) == [[2.0], [5.0]]


def test_a_list_of_outputs(mode):
    class Listed(nn.Cell):
        def construct(self, x):
            return [x * 2, x * 3]

        def bprop(self, x, out, dout):
            return (dout[0] * 10 + dout[1],)

    class Sum(nn.Cell):
        def __init__(self):
            super().__init__()
            self.listed = Listed()

        def construct(self, x):
            first, second = self.listed(x)
            return first + second

    assert gradients(Sum(), X) == [[11.0]]


# -- Parameters -------------------------------------------------------------------------------------------------------
class Weighted(nn.Cell):
    def __init__(self, form):
        super().__init__()
        self.w = Parameter(Tensor([3.0], ms.float32), name="w")
        self.v = Parameter(Tensor([4.0], ms.float32), name="v")
        self.form = form

    def construct(self, x):
        return x * self.w * self.v

    def bprop(self, x, out, dout):
        own = (dout * self.w * 10,)
        if self.form == "object":
            return own, {self.v: dout * x}
        if self.form == "name":
            return own, {"v": dout * x}
        if self.form == "order":
            return own, (dout * 5, dout * x)
        return own


@pytest.mark.parametrize(("form", "expected"), [("none", [[0.0], [0.0]]), ("object", [[0.0], [2.0]]), ("name", [[0.0], [2.0]]),
                                                ("order", [[5.0], [2.0]])])  # fmt: skip
def test_weights_have_zero_gradients_unless_bprop_returns_them(mode, form, expected):
    net = Weighted(form)
    inputs, weights = ops.GradOperation(get_all=True, get_by_list=True)(net, net.trainable_params())(X)
    assert (numbers(inputs), numbers(weights)) == ([[30.0]], expected)


def test_weight_gradients_flow_through_what_follows(mode):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.weighted = Weighted("order")

        def construct(self, x):
            return self.weighted(x) * 2

    net = Net()
    found = ops.GradOperation(get_by_list=True)(net, net.trainable_params())(X)
    assert numbers(found) == [[10.0], [4.0]]


def test_parameters_assigned_in_construct_and_bprop_keep_their_values(mode):
    class Counts(nn.Cell):
        def __init__(self):
            super().__init__()
            self.forward = Parameter(Tensor([0.0], ms.float32), name="forward", requires_grad=False)
            self.backward = Parameter(Tensor([0.0], ms.float32), name="backward", requires_grad=False)

        def construct(self, x):
            self.forward = self.forward + 1
            return x * x

        def bprop(self, x, out, dout):
            ops.assign(self.backward, dout * 3)
            return (dout * 5,)

    net = Counts()
    assert gradients(net, X) == [[5.0]]
    assert (numbers(net.forward), numbers(net.backward)) == ([1.0], [3.0])


# -- wrong returns ----------------------------------------------------------------------------------------------------
def test_none_and_zero_mean_no_gradient(mode):
    assert gradients(returning(lambda dout: (dout, None)), X, Y) == [[1.0], [0.0]]
    assert gradients(returning(lambda dout: (dout, 0)), X, Y) == [[1.0], [0.0]]


def test_another_dtype_is_converted(mode):
    net = returning(lambda dout: (dout, dout.astype(ms.int32) * 7))
    found = ops.GradOperation(get_all=True)(net)(X, Y)
    assert found[1].dtype == ms.float32 and numbers(found) == [[1.0], [7.0]]


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (lambda dout: (dout,), RuntimeError, "one gradient per input of construct, which are 2, but got 1"),
        (lambda dout: dout, RuntimeError, "which are 2, but got 1"),
        (lambda dout: (dout, ops.concat((dout, dout))), RuntimeError, r"expected shape \(1,\), but got \(2,\)"),
        (lambda dout: (dout, 3.0), RuntimeError, r"expected shape \(1,\), but got the number 3.0"),
        (lambda dout: (dout, "a"), TypeError, "should be a tensor, but got 'a' of type str"),
    ],
)
def test_wrong_gradients_are_refused(mode, value, error, message):
    with pytest.raises(error, match=f"For 'Returns'.*{message}"):
        gradients(returning(value), X, Y)


def test_more_gradients_than_inputs_are_ignored(mode):
    assert gradients(returning(lambda dout: (dout, dout, dout)), X, Y) == [[1.0], [1.0]]


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (lambda dout: (dout,), TypeError, "which are 2, but got 1"),
        (lambda dout: (dout, dout, dout), TypeError, "which are 2, but got 3"),
        (
            lambda dout: (dout, ops.concat((dout, dout))),
            ValueError,
            r"gradient 1 .*shape of input 1, \(1,\), but got \(2,\)",
        ),
        (
            lambda dout: (dout, dout.astype(ms.int32)),
            TypeError,
            "gradient 1 .*dtype of input 1, Float32, but got Int32",
        ),
    ],
)
def test_check_bprop_is_strict(mode, value, error, message):
    ms.set_context(check_bprop=True)
    with pytest.raises(error, match=message):
        gradients(returning(value), X, Y)
    assert gradients(Product(), X, Y) == [[7.0], [10.0]]


def test_a_bprop_with_the_wrong_arguments_is_shown_how_to_be_written(mode):
    class Wrong(nn.Cell):
        def construct(self, x, y):
            return x * y

        def bprop(self, x, dout):
            return dout, dout

    with pytest.raises(TypeError, match=r"bprop\(self, x, y, out, dout\), but it is written as bprop\(self, x, dout\)"):
        gradients(Wrong(), X, Y)
    assert numbers(Wrong()(X, Y)) == [10.0]


def test_a_bprop_without_return_is_refused(mode):
    with pytest.raises(TypeError, match=r"the bprop returned None.*end with 'return'"):
        gradients(returning(lambda dout: None), X, Y)


@pytest.mark.parametrize(("returned", "kinds"), [(lambda x, d: [d * 2], TypeError), (lambda x, d: (None,), TypeError),
                                                 (lambda x, d: (3.0,), TypeError), (lambda x, d: (d, d), ValueError),
                                                 (lambda x, d: (d, d), TypeError), (lambda x, d: (), ValueError)])  # fmt: skip
def test_check_bprop_wants_a_tuple_with_a_tensor_per_input(mode, returned, kinds):
    class Doubled(nn.Cell):
        def construct(self, x):
            return x * 2

        def bprop(self, x, out, dout):
            return returned(x, dout)

    ms.set_context(check_bprop=True)
    try:
        with pytest.raises(kinds, match="'Doubled'"):
            ms.grad(Doubled())(Tensor([1.0, 2.0]))
    finally:
        ms.set_context(check_bprop=False)
