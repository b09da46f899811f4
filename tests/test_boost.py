"""Accumulated gradients, and the switch that programs set."""

import numpy as np
import pytest

from mindspore import Parameter, Tensor, nn, ops
from mindspore.boost import AutoBoost, GradientAccumulation
from mindspore.boost.grad_accumulation import gradient_accumulation_op, gradient_clear_op


def test_the_optimizer_gets_the_mean_of_several_gradients(mode):
    weight = Parameter(Tensor([1.0, 2.0]), name="weight")
    accumulate = GradientAccumulation(2, nn.SGD([weight], 0.1))
    seen = []
    for _ in range(4):
        loss = accumulate(Tensor(1.0), (Tensor([1.0, 1.0]),))
        seen.append(weight.asnumpy().copy())
    assert float(loss.asnumpy()) == 1.0
    np.testing.assert_allclose(seen, [[1, 2], [0.9, 1.9], [0.9, 1.9], [0.8, 1.8]], rtol=1e-6)


def test_the_two_operations_add_and_clear(mode):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.sums = Parameter(Tensor([1.0, 2.0]), name="sums")
            self.hyper_map = ops.HyperMap()

        def construct(self, gradient, clear):
            if clear:
                self.hyper_map(ops.partial(gradient_clear_op), (self.sums,))
            else:
                self.hyper_map(ops.partial(gradient_accumulation_op, 4), (self.sums,), (gradient,))
            return self.sums

    net = Net()
    np.testing.assert_array_equal(net(Tensor([4.0, 8.0]), False).asnumpy(), [2, 4])
    np.testing.assert_array_equal(net.sums.asnumpy(), [2, 4])
    net(Tensor([4.0, 8.0]), True)
    np.testing.assert_array_equal(net.sums.asnumpy(), [0, 0])


def test_wrong_arguments_are_refused():
    weight = Parameter(Tensor([1.0]), name="weight")
    with pytest.raises(ValueError, match="max_accumulation_step"):
        GradientAccumulation(0, nn.SGD([weight], 0.1))
    with pytest.raises(TypeError, match="optimizer"):
        GradientAccumulation(2, nn.ReLU())
    with pytest.raises(ValueError, match="level"):
        AutoBoost("O3")


def test_networks_pass_the_switch_unchanged():
    network = nn.Dense(2, 1)
    optimizer = nn.SGD(network.trainable_params(), 0.1)
    assert AutoBoost("O1", {"boost": {}}).network_auto_process_train(network, optimizer) == (network, optimizer)
