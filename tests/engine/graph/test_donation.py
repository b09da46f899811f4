"""A graph reuses the memory of the Parameters it writes, and whoever still holds an old value keeps it."""

import gc
import re

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops


class Growing(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = Parameter(Tensor(np.ones((2048, 1024), np.float32)), name="weight")
        self.weight._value = self.weight._value.copy()  # XLA's own memory: what may be NumPy's is not overwritten

    def construct(self, x):
        self.weight = self.weight + x
        return self.weight.sum()


def address(parameter):
    return parameter._value.unsafe_buffer_pointer()


@pytest.fixture
def net():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Growing()
    for _ in range(2):
        net(Tensor(1.0))
    return net


def test_the_new_value_lies_where_the_old_one_was(net):
    before = address(net.weight)
    net(Tensor(1.0))
    assert address(net.weight) == before and net.weight[0, 0] == 4


def test_the_first_call_overwrites_too_though_the_trace_waits_for_the_collector():
    class Assigning(Growing):
        def construct(self, x):
            part = ops.zeros((4,))
            part[0] = 1  # the trace and the Tensor know each other
            self.weight = self.weight + x * part[0]
            return self.weight.sum()

    ms.set_context(mode=ms.GRAPH_MODE)
    net = Assigning()
    before, enabled = address(net.weight), gc.isenabled()
    gc.disable()
    try:
        net(Tensor(1.0))
    finally:
        if enabled:
            gc.enable()
    assert address(net.weight) == before and net.weight[0, 0] == 2


def holders(weight):
    """Ways to hold on to a Parameter's value, each with how to look at it later."""
    tensor, value, view = Tensor(weight), weight.value(), np.asarray(weight._value)
    return {"a Tensor": tensor.asnumpy, "value()": value.asnumpy, "a view": view.copy, "asnumpy": weight.asnumpy().copy}


def test_what_others_hold_stays_as_it_was(net):
    held = holders(net.weight)
    net(Tensor(10.0))
    assert net.weight[0, 0] == 13
    assert {name: look()[0, 0] for name, look in held.items()} == dict.fromkeys(held, 3)
    net(Tensor(1.0))
    assert {name: look()[0, 0] for name, look in held.items()} == dict.fromkeys(held, 3)


def test_a_value_that_two_parameters_share_is_written_once(net):
    twin = Parameter(net.weight, name="twin")
    net(Tensor(1.0))
    assert (net.weight[0, 0], twin[0, 0]) == (4, 3)


def test_the_parameter_itself_as_an_input(net):
    net(net.weight)
    assert net.weight[0, 0] == 6


def test_a_gradient_through_a_graph_that_writes(net):
    ms.set_context(mode=ms.PYNATIVE_MODE)

    def construct(x):
        net.weight = net.weight + x
        return (net.weight * x).sum()

    compiled = ms.jit(construct)
    gradient = ms.grad(lambda x: compiled(x) + compiled(x))
    assert gradient(Tensor(1.0)) == (4 + 5) * 2048 * 1024
    assert net.weight[0, 0] == 5


def test_a_failed_check_on_the_host_loses_nothing(net):
    class Checked(Growing):
        def construct(self, x):
            self.weight = self.weight + x
            ops.Assert()(x < 5, (x,))
            return self.weight.sum()

    net = Checked()
    net(Tensor(1.0))
    with pytest.raises(RuntimeError):
        net(Tensor(7.0))
    assert net.weight[0, 0] == 2


def test_new_values_are_written_over_their_own_old_ones():
    """In another order than that of the inputs, XLA copies every Parameter and state before it overwrites it."""
    net = nn.SequentialCell([nn.Dense(512, 512, has_bias=False) for _ in range(12)])
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params(), 0.01)).set_train()
    x = Tensor(np.ones((2, 512), np.float32))
    step(x, x)
    (graphs,) = step._graphs_of().graphs.values()
    text = graphs[0].executable.as_text()
    copies = re.findall(r"= f32\[512,512\]\S* copy\(", text[text.index("ENTRY") :])
    assert graphs[0].placement.donated and len(copies) < 12  # at most the weights that gradients further on still read
