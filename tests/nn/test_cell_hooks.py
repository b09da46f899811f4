"""Hooks of Cells, in both modes, with the signatures of MindSpore 1.x and 2.x."""

from __future__ import annotations

import gc

import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops


class Scale(nn.Cell):
    def __init__(self, factor=3.0):
        super().__init__()
        self.w = Parameter(Tensor([factor], ms.float32), name="w")

    def construct(self, x):
        return x * self.w


class Two(nn.Cell):
    def construct(self, x, y):
        return x * y, x + y


class Outer(nn.Cell):
    """Calls another Cell, as hooks inside a network are used."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def construct(self, *inputs):
        return self.inner(*inputs)


X, Y = Tensor([2.0], ms.float32), Tensor([5.0], ms.float32)


def numbers(value):
    return [numbers(v) for v in value] if isinstance(value, (tuple, list)) else value.asnumpy().tolist()


def gradients(net, *inputs):
    return numbers(ops.GradOperation(get_all=True)(net)(*inputs))


# -- forward ----------------------------------------------------------------------------------------------------------
def test_forward_pre_hook_replaces_inputs(mode):
    net = Scale()
    net.register_forward_pre_hook(lambda cell, inputs: inputs[0] + 1)
    assert numbers(net(X)) == [9.0]
    assert gradients(net, X) == [[3.0]]


def test_forward_pre_hook_returns_a_tuple_for_several_inputs(mode):
    net = Two()
    net.register_forward_pre_hook(lambda cell, inputs: (inputs[1], inputs[0] * 2))
    assert numbers(net(X, Y)) == [[20.0], [9.0]]
    assert gradients(Outer(net), X, Y) == [[12.0], [5.0]]


def test_forward_hook_replaces_the_output(mode):
    net = Scale()
    net.register_forward_hook(lambda cell, inputs, output: output + inputs[0])
    assert numbers(net(X)) == [8.0]
    assert gradients(Outer(net), X) == [[4.0]]


def test_forward_hook_may_change_the_number_of_outputs(mode):
    net = Two()
    net.register_forward_hook(lambda cell, inputs, output: output[0])
    assert numbers(net(X, Y)) == [10.0]


def test_hooks_run_in_order_of_registration_unless_prepended(mode):
    plain, first = Scale(), Scale()
    for net in (plain, first):
        net.register_forward_hook(lambda cell, inputs, output: output + 1)
        net.register_forward_pre_hook(lambda cell, inputs: inputs[0] + 1)
    plain.register_forward_hook(lambda cell, inputs, output: output * 10)
    plain.register_forward_pre_hook(lambda cell, inputs: inputs[0] * 10)
    first.register_forward_hook(lambda cell, inputs, output: output * 10, prepend=True)
    first.register_forward_pre_hook(lambda cell, inputs: inputs[0] * 10, prepend=True)
    assert numbers(plain(X)) == [910.0]  # ((2 + 1) * 10 * 3 + 1) * 10
    assert numbers(first(X)) == [631.0]  # (2 * 10 + 1) * 3 * 10 + 1


class Keyword(nn.Cell):
    def construct(self, x, y=None):
        return x if y is None else x * y


class CallsByKeyword(nn.Cell):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def construct(self, x, y):
        return self.inner(x, y=y)


def test_hooks_with_kwargs(mode):
    net = Keyword()
    net.register_forward_pre_hook(lambda cell, args, kwargs: ((args[0] + 1,), {"y": kwargs["y"] * 2}), with_kwargs=True)
    net.register_forward_hook(lambda cell, args, kwargs, output: output + kwargs["y"], with_kwargs=True)
    assert numbers(CallsByKeyword(net)(X, Y)) == [40.0]  # (2 + 1) * 10 + 10
    assert gradients(CallsByKeyword(net), X, Y) == [[10.0], [8.0]]


def test_hooks_without_kwargs_leave_keyword_inputs_alone(mode):
    net = Keyword()
    net.register_forward_pre_hook(lambda cell, inputs: inputs[0] * len(inputs))
    net.register_forward_hook(lambda cell, inputs, output: output * len(inputs))
    assert numbers(CallsByKeyword(net)(X, Y)) == [10.0]


def test_a_hook_with_kwargs_must_return_a_pair(mode):
    net = Keyword()
    net.register_forward_pre_hook(lambda cell, args, kwargs: args[0], with_kwargs=True)
    with pytest.raises(RuntimeError, match="must return None or"):
        CallsByKeyword(net)(X, Y)


def test_always_call_sees_a_failed_construct():
    class Fails(nn.Cell):
        def construct(self, x):
            raise ValueError("on purpose")

    ms.set_context(mode=ms.PYNATIVE_MODE)
    net, seen = Fails(), []
    net.register_forward_hook(lambda cell, inputs, output: seen.append("never"))
    net.register_forward_hook(lambda cell, inputs, output: seen.append(output), always_call=True)
    with pytest.raises(ValueError, match="on purpose"):
        net(X)
    assert seen == [None]


def test_a_hook_that_leaves_too_few_inputs(mode):
    net = Two()
    net.register_forward_pre_hook(lambda cell, inputs: inputs[0])
    with pytest.raises(TypeError, match="y"):
        net(X, Y)


# -- backward ---------------------------------------------------------------------------------------------------------
def test_backward_hook_of_2x_gets_cell_gradients_of_inputs_then_of_outputs():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    net, seen = Scale(), []

    def hook(cell, grad_input, grad_output):
        seen.append((cell, numbers(grad_input), numbers(grad_output)))

    net.register_backward_hook(hook)
    assert gradients(Outer(net), X) == [[3.0]]
    assert seen == [(net, [[3.0]], [[1.0]])]


def test_backward_hook_of_1x_gets_a_text_the_arriving_gradient_then_the_leaving_one():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    net, seen = Scale(), []

    def hook(cell_id, grad_input, grad_output):
        seen.append((cell_id, numbers(grad_input), numbers(grad_output)))

    net.register_backward_hook(hook)
    gradients(Outer(net), X)
    assert seen == [(f"Scale({id(net)})", [[1.0]], [[3.0]])]


@pytest.mark.parametrize("shape", ["tensor", "tuple", "list"])
def test_backward_hook_replaces_the_gradient(mode, shape):
    def hook(cell, grad_input, grad_output):
        gradient = grad_input[0] * 10 + grad_output[0]
        return {"tensor": gradient, "tuple": (gradient,), "list": [gradient]}[shape]

    net = Scale()
    net.register_backward_hook(hook)
    assert gradients(Outer(net), X) == [[31.0]]
    assert gradients(net, X) == [[31.0]]


def test_old_style_hooks_replace_the_gradient_too(mode):
    def hook(cell_id, grad_input, grad_output):
        return grad_output[0] * 10 + grad_input[0]

    net = Scale()
    net.register_backward_hook(hook)
    assert gradients(Outer(net), X) == [[31.0]]


def test_several_backward_hooks_see_what_the_one_before_returned(mode):
    net = Scale()
    net.register_backward_hook(lambda cell, grad_input, grad_output: grad_input[0] * 2)
    net.register_backward_hook(lambda cell, grad_input, grad_output: grad_input[0] + 1)
    assert gradients(Outer(net), X) == [[7.0]]


def test_backward_hook_with_several_inputs(mode):
    net = Two()
    net.register_backward_hook(lambda cell, grad_input, grad_output: (grad_input[0] * 2, grad_input[1] * 3))
    assert gradients(Outer(net), X, Y) == [[12.0], [9.0]]


def test_an_output_nobody_uses_has_a_zero_gradient(mode):
    class First(nn.Cell):
        def __init__(self):
            super().__init__()
            self.two = Two()

        def construct(self, x, y):
            return self.two(x, y)[0]

    net = First()
    net.two.register_backward_hook(
        lambda cell, grad_input, grad_output: (grad_input[0] + grad_output[1], grad_input[1])
    )
    assert gradients(net, X, Y) == [[5.0], [2.0]]


def test_backward_pre_hook_replaces_what_arrives(mode):
    net = Scale()
    net.register_backward_pre_hook(lambda cell, grad_output: grad_output[0] * 10)
    assert gradients(Outer(net), X) == [[30.0]]
    two = Two()
    two.register_backward_pre_hook(lambda cell, grad_output: (grad_output[0] * 10, grad_output[1] * 100))
    assert gradients(Outer(two), X, Y) == [[150.0], [120.0]]


def test_backward_hook_sees_what_the_pre_hook_returned(mode):
    net = Scale()
    net.register_backward_pre_hook(lambda cell, grad_output: grad_output[0] * 10)
    net.register_backward_hook(lambda cell, grad_input, grad_output: grad_input[0] + grad_output[0])
    assert gradients(Outer(net), X) == [[40.0]]


def test_weights_get_the_gradient_before_the_hook(mode):
    net = Scale()
    net.register_backward_hook(lambda cell, grad_input, grad_output: grad_input[0] * 10)
    inputs, weights = ops.GradOperation(get_all=True, get_by_list=True)(net, net.trainable_params())(X)
    assert (numbers(inputs), numbers(weights)) == ([[30.0]], [[2.0]])


def test_keyword_and_nested_inputs_pass_by_the_hook(mode):
    class Mixed(nn.Cell):
        def construct(self, x, pair, y=None):
            return x * pair[0] * y

    class Calls(nn.Cell):
        def __init__(self):
            super().__init__()
            self.mixed = Mixed()

        def construct(self, x, y):
            return self.mixed(x, (y, 2), y=y)

    net = Calls()
    net.mixed.register_backward_hook(lambda cell, grad_input, grad_output: grad_input[0] * len(grad_input) * 10)
    assert gradients(net, X, Y) == [[250.0], [20.0]]


def test_tensors_inside_a_tuple_are_seen_when_there_are_no_others(mode):
    class Pair(nn.Cell):
        def construct(self, pair):
            return pair[0] * pair[1]

    class Calls(nn.Cell):
        def __init__(self):
            super().__init__()
            self.pair = Pair()

        def construct(self, x, y):
            return self.pair((x, y))

    net = Calls()
    net.pair.register_backward_hook(lambda cell, grad_input, grad_output: (grad_input[0] * 2, grad_input[1]))
    assert gradients(net, X, Y) == [[10.0], [2.0]]


def test_the_order_of_all_hooks_in_a_network():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    net, seen = nn.SequentialCell(Scale(3.0), Scale(5.0)), []

    def watch(name, cell):
        cell.register_forward_pre_hook(lambda c, inputs: seen.append(f"{name} forward pre"))
        cell.register_forward_hook(lambda c, inputs, output: seen.append(f"{name} forward"))
        cell.register_backward_pre_hook(
            lambda c, grad_output: seen.append(f"{name} backward pre {numbers(grad_output)}")
        )
        cell.register_backward_hook(
            lambda c, grad_input, grad_output: seen.append(f"{name} backward {numbers(grad_input)}")
        )

    for name, cell in (("net", net), ("a", net[0]), ("b", net[1])):
        watch(name, cell)
    assert gradients(net, X) == [[15.0]]
    assert seen == [
        "net forward pre", "a forward pre", "a forward", "b forward pre", "b forward", "net forward",
        "net backward pre [[1.0]]", "b backward pre [[1.0]]", "b backward [[5.0]]", "a backward pre [[5.0]]",
        "a backward [[15.0]]", "net backward [[15.0]]",
    ]  # fmt: skip


def test_methods_as_hooks(mode):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.scale = Scale()
            self.factor = 7
            self.handle = self.scale.register_backward_hook(self.enlarge)

        def enlarge(self, cell, grad_input, grad_output):
            return grad_input[0] * self.factor

        def construct(self, x):
            return self.scale(x)

    assert gradients(Net(), X) == [[21.0]]


# -- handles ----------------------------------------------------------------------------------------------------------
def test_removed_hooks_no_longer_run(mode):
    net = Scale()
    handles = [
        net.register_forward_pre_hook(lambda cell, inputs: inputs[0] + 1),
        net.register_forward_hook(lambda cell, inputs, output: output * 10),
        net.register_backward_pre_hook(lambda cell, grad_output: grad_output[0] * 10),
        net.register_backward_hook(lambda cell, grad_input, grad_output: grad_input[0] + 1),
    ]
    assert numbers(net(X)) == [90.0] and gradients(net, X) == [[301.0]]
    for handle in handles:
        handle.remove()
        handle.remove()
    assert numbers(net(X)) == [6.0] and gradients(net, X) == [[3.0]]


def test_hooks_stay_when_their_handles_are_dropped(mode):
    net = Scale()
    for _ in range(5):
        net.register_forward_hook(lambda cell, inputs, output: output + 1)
        gc.collect()
    assert numbers(net(X)) == [11.0]


def test_a_hook_registered_after_a_call_takes_effect(mode):
    net = Outer(Scale())
    assert numbers(net(X)) == [6.0] and gradients(net, X) == [[3.0]]
    net.inner.register_forward_hook(lambda cell, inputs, output: output + 1)
    net.inner.register_backward_hook(lambda cell, grad_input, grad_output: grad_input[0] * 2)
    assert numbers(net(X)) == [7.0] and gradients(net, X) == [[6.0]]


# -- errors -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("returned", "error", "message"),
    [
        (lambda g: 3, TypeError, "should be a tensor, but got 3 of type int"),
        (lambda g: (g, g), TypeError, r"None or 1 gradient\(s\), one for each it was given, but it returned 2"),
        (lambda g: ops.concat((g, g)), ValueError, r"Float32 of shape \(1,\), but got Float32 of shape \(2,\)"),
        (lambda g: g.astype(ms.float16), ValueError, r"Float32 of shape \(1,\), but got Float16"),
    ],
)
def test_wrong_returns_are_refused(mode, returned, error, message):
    backward, before = Scale(), Scale()
    backward.register_backward_hook(lambda cell, grad_input, grad_output: returned(grad_input[0]))
    before.register_backward_pre_hook(lambda cell, grad_output: returned(grad_output[0]))
    with pytest.raises(error, match=f"register_backward_hook.*{message}"):
        gradients(Outer(backward), X)
    with pytest.raises(error, match=f"register_backward_pre_hook.*{message}"):
        gradients(Outer(before), X)


@pytest.mark.parametrize(
    "register",
    ["register_forward_pre_hook", "register_forward_hook", "register_backward_hook", "register_backward_pre_hook"],
)
@pytest.mark.parametrize("wrong", [3, None, "name"])
def test_only_functions_can_be_registered(register, wrong):
    net = Scale()
    with pytest.raises(TypeError, match=f"For '{register}', the 'hook_fn' must be a function"):
        getattr(net, register)(wrong)
    assert numbers(net(X)) == [6.0]


def test_options_are_keywords():
    with pytest.raises(TypeError):
        Scale().register_forward_hook(lambda cell, inputs, output: None, True)
    with pytest.raises(TypeError, match="'prepend' must be 'bool'"):
        Scale().register_forward_hook(lambda cell, inputs, output: None, prepend=1)


def test_an_error_in_a_hook_arrives(mode):
    def hook(cell, grad_input, grad_output):
        raise KeyError("mine")

    net = Scale()
    net.register_backward_hook(hook)
    with pytest.raises(KeyError, match="mine"):
        gradients(net, X)


def test_libraries_run_the_hooks_and_set_members_by_hand(mode):
    net = nn.ReLU()
    net.register_forward_pre_hook(lambda cell, inputs: (inputs[0] + 1,))
    net.register_forward_hook(lambda cell, inputs, output: output * 2)
    x = Tensor([1.0])
    assert net._run_forward_pre_hook((x,), {})[0][0].asnumpy().tolist() == [2.0]
    assert net._run_forward_hook((x,), {}, x).asnumpy().tolist() == [2.0]
    weights = [Parameter(Tensor([1.0]), name="a"), Parameter(Tensor([2.0]), name="b")]
    net._set_attr_for_parameter_in_list_or_tuple("weights", weights)
    net._set_attr_for_cell("inner", nn.Tanh())
    assert [parameter.name for parameter in net.get_parameters()] == ["a", "b"]
    assert isinstance(net.inner, nn.Tanh)


def test_backward_hooks_watch_what_forward_hooks_make_of_the_outputs():
    class Triple(nn.Cell):
        def construct(self, x):
            return x * 3

    net, seen = Triple(), []
    net.register_forward_hook(lambda cell, inputs, output: output * 10)
    net.register_forward_pre_hook(lambda cell, inputs: inputs[0] * 100)
    net.register_backward_hook(lambda cell, into, out: seen.append(("inputs", float(into[0]), float(out[0]))))
    net.register_backward_pre_hook(lambda cell, out: seen.append(("outputs", float(out[0]))))
    ms.set_context(mode=ms.PYNATIVE_MODE)
    assert float(ms.grad(net)(Tensor(1.0))) == 3000
    assert seen == [("outputs", 1.0), ("inputs", 30.0, 1.0)]
