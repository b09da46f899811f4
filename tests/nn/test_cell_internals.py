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
