"""Gradients and computations registered for Primitive classes are used."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.ops import PrimitiveWithInfer, prim_attr_register
from mindspore.ops._grad_experimental import get_bprop_fn, grad_comm_ops
from mindspore.ops._grad_experimental.grad_base import bprop_getters, bprops
from mindspore.ops.vm_impl_registry import get_vm_impl_fn, vm_impl_registry


class Cubed(PrimitiveWithInfer):
    @prim_attr_register
    def __init__(self, factor: float = 30.0):
        self.init_prim_io_names(inputs=["x"], outputs=["y"])

    def __call__(self, x: Tensor) -> Tensor:
        return x * x * x


@bprop_getters.register(Cubed)
def get_bprop_cubed(self: Cubed) -> Any:
    def bprop(x: Tensor, out: Tensor, dout: Tensor) -> tuple:
        return (dout * self.factor + out,)

    return bprop


class Doubled(PrimitiveWithInfer):
    pass


@vm_impl_registry.register(Doubled)
def vm_impl_doubled(self: Doubled) -> Any:
    return lambda x: Tensor(x.asnumpy() * 2)


def test_a_registered_gradient_is_used(mode: int):
    x = Tensor([1.0, 2.0])
    np.testing.assert_allclose(Cubed()(x).asnumpy(), [1, 8])
    np.testing.assert_allclose(ms.grad(Cubed(5.0))(x).asnumpy(), [6, 13])
    net = nn.SequentialCell([nn.Dense(2, 2, has_bias=False)])
    gradients = ms.grad(lambda inputs: Cubed()(net(inputs)).sum(), None, net.trainable_params())(x[None])
    inner = net(x[None]).asnumpy()
    np.testing.assert_allclose(gradients[0].asnumpy(), ((30 + inner**3).T) @ x[None].asnumpy(), 1e-4)


def test_registries_find_primitives_by_instance_and_name():
    assert bprop_getters.get(Cubed(), None) is get_bprop_cubed is bprop_getters.get("Cubed", None)
    assert get_bprop_fn(Cubed(), True) is get_bprop_cubed and callable(get_bprop_fn(Cubed()))
    assert get_bprop_fn(ops.ReLU()) is None and bprops.get("ReLU", 3) == 3
    with pytest.raises(TypeError, match=r"For .Registry.register., the 'prim' must be a Primitive class or its name"):
        bprop_getters.register(3)


def test_a_plain_gradient_is_used_too():
    class Plain(PrimitiveWithInfer):
        def __call__(self, x: Tensor, y: Tensor) -> Tensor:
            return x * y

    @bprops.register(Plain)
    def bprop(x: Tensor, y: Tensor, out: Tensor, dout: Tensor) -> tuple:
        return x * 7, y * 9

    found = ms.grad(Plain(), (0, 1))(Tensor([1.0]), Tensor([2.0]))
    assert [float(one) for one in found] == [7.0, 18.0]


def test_a_registered_computation_is_run():
    assert Doubled()(Tensor([3.0])).asnumpy().tolist() == [6.0]
    assert get_vm_impl_fn(Doubled()) is not None and get_vm_impl_fn(Cubed()) is None


def test_squares_of_gradients_are_summed_up_where_asked_for(mode: int):
    with pytest.raises(ValueError, match="dump_device_local_norm"):
        grad_comm_ops.get_squared_device_local_norm_param()
    ms.set_auto_parallel_context(dump_device_local_norm=True)
    try:
        total = grad_comm_ops.get_squared_device_local_norm_param()
        total.set_data(Tensor(0.0))
        weight = Parameter(Tensor([1.0, 2.0]), name="weight")
        step = ms.grad(lambda x: (weight * x).sum(), None, weight)
        step(Tensor([3.0, 4.0]))
        step(Tensor([1.0, 1.0]))
        assert float(total) == 27.0
    finally:
        ms.reset_auto_parallel_context()
