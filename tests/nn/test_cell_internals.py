"""Private members of Cells that libraries reach for."""

from collections import OrderedDict

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.common.api import _pynative_executor


class Renamed(nn.Dense):
    """Takes its weight under an older name, as libraries with old checkpoints do."""

    def _load_from_state_dict(self, state_dict, prefix, *rest):
        if prefix + "kernel" in state_dict:
            state_dict[prefix + "weight"] = state_dict.pop(prefix + "kernel")
        super()._load_from_state_dict(state_dict, prefix, *rest)

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        super()._save_to_state_dict(destination, prefix, keep_vars)
        destination[prefix + "kernel"] = destination.pop(prefix + "weight")


def test_a_subclass_says_how_its_state_is_saved_and_loaded():
    net = nn.SequentialCell(Renamed(2, 3), nn.ReLU())
    saved = {name: value.copy() for name, value in net.state_dict().items()}
    assert sorted(saved) == ["0.bias", "0.kernel"]
    net[0].weight.set_data(Tensor(np.zeros((3, 2), np.float32)))
    assert str(net.load_state_dict(saved)) == "<All keys matched successfully>"
    assert np.array_equal(net[0].weight.asnumpy(), saved["0.kernel"].asnumpy())


def test_nothing_is_changed_when_a_part_does_not_fit():
    net = nn.SequentialCell(nn.Dense(2, 3), nn.Dense(3, 1))
    before = net[0].weight.asnumpy().copy()
    state = dict(net.state_dict(), **{"0.weight": Tensor(np.ones((3, 2), np.float32)), "1.weight": Tensor([1.0])})
    with pytest.raises(RuntimeError, match=r"size mismatch for 1\.weight"):
        net.load_state_dict(state)
    assert np.array_equal(net[0].weight.asnumpy(), before)


def test_keys_of_one_side_are_told():
    keys = nn.SequentialCell(nn.Dense(2, 3)).load_state_dict({"a": 1, "0.z": 2}, strict=False)
    assert keys.missing_keys == ["0.weight", "0.bias"]
    assert keys.unexpected_keys == ["a", "0.z"]


def test_hooks_are_found_where_libraries_look():
    net = nn.ReLU()
    assert net._forward_hook == OrderedDict()
    handle = net.register_forward_hook(lambda cell, inputs, output: output * 2)
    (hook,) = net._forward_hook.values()
    assert hook(net, (), 3) == 6
    handle.remove()
    assert not net._forward_hook
    net.register_forward_pre_hook(lambda cell, inputs: None)
    net.register_backward_hook(lambda cell, grads_in, grads_out: None)
    assert (len(net._forward_pre_hook), len(net._backward_hook), len(net._backward_pre_hook)) == (1, 1, 0)


def test_members_are_kept_in_ordered_dicts():
    net = nn.SequentialCell(nn.Dense(2, 3))
    assert [type(group) for group in (net._cells, net._params, net[0]._params)] == [OrderedDict] * 3


def test_the_tree_is_walked_with_scopes_and_members():
    net = nn.SequentialCell(nn.Dense(2, 3), nn.SequentialCell(nn.ReLU()))
    assert [scope for scope, _ in net._children_scope_recursive()] == [
        "Default/0-Dense", "Default/1-SequentialCell", "Default/1-SequentialCell/0-ReLU",
    ]  # fmt: skip
    assert [name for name, _ in net._named_members(lambda cell: cell._params.items())] == ["0.weight", "0.bias"]
    net._set_scope("Default/net")
    assert net._scope == net.get_scope() == "Default/net"


def test_apply_replaces_values():
    net = nn.Dense(2, 3)
    assert net._apply(lambda value: value * 0) is net
    assert not net.weight.asnumpy().any()


def test_values_are_given_before_anything_was_set():
    net = nn.Dense(2, 3)
    assert (net.mixed_precision_type, net._in_strategy, net._user_parameters, net._compiled) == (None, None, [], False)
    net.to_float(ms.float16)
    assert net.mixed_precision_type == ms._c_expression.MixedPrecisionType.FP16
    net.w = Parameter(Tensor([1.0]))
    net._update_local_parameters_name("pre.")
    assert net.w.name == "pre.w"
    assert net._run_construct(Tensor(np.ones((1, 2), np.float32))).shape == (1, 3)
    with pytest.raises((TypeError, ValueError)):
        net._check_construct_args()


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_weights_may_be_plain_tensors(mode):
    ms.set_context(mode=mode)
    weight = Tensor([2.0, 3.0])

    def loss(x):
        return (weight * weight * x).sum()

    x = Tensor([1.0, 4.0])
    assert ms.grad(loss, None, [weight])(x)[0].asnumpy().tolist() == [4.0, 24.0]
    by_list = ops.GradOperation(get_by_list=True)
    (found,) = _pynative_executor.grad(loss, by_list, [weight], None, False, x)
    assert found.asnumpy().tolist() == [4.0, 24.0]


def test_a_wrapper_takes_over_how_the_wrapped_cell_is_compiled():
    inner, outer = nn.Dense(2, 2), nn.Dense(2, 2)
    inner.set_jit_config(ms.JitConfig("O1"))
    outer._get_attr_from_cell(inner)
    assert outer.jit_config_dict == inner.jit_config_dict != {}
    with pytest.raises(TypeError, match="'network' must be a Cell"):
        outer._get_attr_from_cell(3)


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_the_step_without_sens_may_be_replaced(mode):
    class Twice(nn.TrainOneStepCell):
        def _no_sens_impl(self, *inputs):
            return super()._no_sens_impl(*inputs) * 2

    ms.set_context(mode=mode)
    net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
    step = Twice(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
    assert step(Tensor([[1.0]]), Tensor([[0.0]])).asnumpy().tolist() == 2.0
    np.testing.assert_allclose(net.weight.asnumpy(), [[0.8]], rtol=1e-6)


def test_group_normalization_is_made_of_parts():
    class Shifted(nn.GroupNorm):
        def _cal_output(self, x):
            self._channel_check(x.shape[1], self.num_channels, self.cls_name)
            self._check_dtype(x.dtype, [ms.float16, ms.float32], self.cls_name)
            return super()._cal_output(x) + 1

    x = Tensor(np.arange(8, dtype=np.float32).reshape(1, 4, 1, 2))
    np.testing.assert_allclose(Shifted(2, 4)(x).asnumpy(), nn.GroupNorm(2, 4)(x).asnumpy() + 1, rtol=1e-6)
    with pytest.raises(ValueError, match="channel: 4, num_channels: 8"):
        Shifted(2, 8)(x)
    with pytest.raises(TypeError, match=r"'Shifted'.*Int32"):
        Shifted(2, 4)(x.astype(ms.int32))


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_a_subclass_of_adam_may_prepare_the_moments_itself(mode):
    class Own(nn.Adam):
        def construct(self, gradients):
            gradients = self.scale_grad(self.decay_weight(self.flatten_gradients(gradients)))
            lr = self.get_lr()
            self.assignadd(self.global_step, self.global_step_increase_tensor)
            self.beta1_power *= self.beta1
            self.beta2_power *= self.beta2
            return self._apply_adam(
                self._parameters, self.beta1_power, self.beta2_power, self.moment1, self.moment2, lr, gradients
            )

    ms.set_context(mode=mode)
    values = []
    for kind in (nn.Adam, Own):
        weight = Parameter(Tensor([1.0, 2.0]), name="w")
        optimizer = kind([weight], 0.5)
        for _ in range(3):
            optimizer((Tensor([1.0, -2.0]),))
        values.append(weight.asnumpy())
    np.testing.assert_allclose(values[0], values[1], rtol=1e-6)
