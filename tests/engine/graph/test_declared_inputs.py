"""What a program declares of its inputs: axes left open, and calls that do not fit."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Symbol, Tensor, enable_dynamic, nn, ops


def example(*shape):
    return Tensor(shape=shape, dtype=ms.float32)


def ones(*shape, dtype=np.float32):
    return Tensor(np.ones(shape, dtype))


class Net(nn.Cell):
    def construct(self, x, y=None):
        return ops.relu(x[0] if isinstance(x, list) else x) * 2


SAME = Symbol(unique=True)
FITTING = [
    (((None, 3),), (ones(5, 3),)), (((Symbol(max=8), 3),), (ones(8, 3),)), (((Symbol(divisor=4), 3),), (ones(8, 3),)),
    (((Symbol(divisor=4, remainder=1), 3),), (ones(9, 3),)), (((SAME, SAME),), (ones(4, 4),)),
    (((Symbol(min=2), Symbol()),), (ones(2, 3),)),
]  # fmt: skip
WRONG = {
    "fixed axis": (((None, 3),), (ones(5, 4),), ValueError, "axis 1 of input 1 must be 3, but got 4"),
    "rank": (((None, 3),), (ones(5, 3, 1),), ValueError, "must have 2 axes"),
    "dtype": (((None, 3),), (ones(5, 3, dtype=np.int32),), TypeError, "Tensor of Float32"),
    "above": (((Symbol(max=8), 3),), (ones(9, 3),), ValueError, "at most 8, but got 9"),
    "below": (((Symbol(min=4), 3),), (ones(3, 3),), ValueError, "at least 4, but got 3"),
    "divisor": (((Symbol(divisor=4), 3),), (ones(6, 3),), ValueError, r"be 4 \* n with n > 0, but got 6"),
    "remainder": (((Symbol(divisor=4, remainder=1), 3),), (ones(1, 3),), ValueError, r"be 4 \* n \+ 1 with n > 0"),
    "unique": (((SAME, SAME),), (ones(4, 5),), ValueError, "must be 4, as other axes"),
    "unique in two": (((SAME,), (SAME,)), (ones(4), ones(5)), ValueError, "axis 0 of input 2 must be 4"),
    "number": (((None, 3),), (5,), TypeError, "must be a Tensor, as declared, but got 5"),
    "more": (((None,),), (ones(5), ones(5)), ValueError, "the call passes 2"),
    "too many": (((None,),) * 3, (ones(5),), TypeError, "but 3 were declared"),
}


@pytest.mark.parametrize("place", range(len(FITTING)))
def test_declared_inputs_that_fit(place, mode):
    shapes, arguments = FITTING[place]
    net = Net()
    net.set_inputs(*[example(*shape) for shape in shapes])
    assert net(*arguments).shape == arguments[0].shape


@pytest.mark.parametrize("name", WRONG)
def test_a_graph_refuses_inputs_that_were_declared_otherwise(name):
    shapes, arguments, kind, text = WRONG[name]
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Net()
    net.set_inputs(*[example(*shape) for shape in shapes])
    with pytest.raises(kind, match=f"For 'set_inputs'.*{text}"):
        net(*arguments)


def test_a_length_outside_is_refused_after_others_were_compiled():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Net()
    net.set_inputs(x=example(Symbol(max=8), 3))
    for length in (5, 6, 7, 8):
        assert net(ones(length, 3)).shape == (length, 3)
    with pytest.raises(ValueError, match="at most 8"):
        net(ones(9, 3))


@pytest.mark.parametrize("mode_", [None, ms.PYNATIVE_MODE])
def test_where_no_graph_was_asked_for_nothing_is_refused(mode_):
    if mode_ is not None:
        ms.set_context(mode=mode_)
    net = Net()
    net.set_inputs(example(Symbol(max=4), 3))
    assert net(ones(5, 2)).shape == (5, 2)


def test_elements_of_lists_and_numbers_are_compared():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Net()
    net.set_inputs([example(None, 3)], 4)
    assert net([ones(5, 3)], 4).shape == (5, 3)
    for arguments, text in (
        (([ones(5, 4)], 4), "element 0"),
        (([ones(5, 3)] * 2, 4), "1 elements"),
        (([ones(5, 3)], 5), "be 4"),
    ):
        with pytest.raises(ValueError, match=text):
            net(*arguments)
    with pytest.raises(ValueError, match="but got z"):
        net.set_inputs(z=example(None))


def test_enable_dynamic_refuses_and_an_input_signature_does_not():
    def double(x):
        return x * 2

    dynamic = ms.jit(enable_dynamic(x=example(Symbol(max=6), 3))(double))
    declared = enable_dynamic(x=example(Symbol(max=6), 3))(ms.jit(double))
    for function in (dynamic, declared):
        assert function(ones(5, 3)).shape == (5, 3)
        for wrong, kind in (
            (ones(7, 3), ValueError),
            (ones(5, 4), ValueError),
            (ones(5, 3, dtype=np.int32), TypeError),
        ):
            with pytest.raises(kind, match="For 'enable_dynamic'"):
                function(wrong)
    for signature in (example(None, 3), (example(None, 3),)):
        assert ms.jit(double, input_signature=signature)(ones(5, 4)).shape == (5, 4)
