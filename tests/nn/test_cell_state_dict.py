"""Buffers, state dicts and conversion of a Cell's Tensors."""

from __future__ import annotations

import copy
from collections import OrderedDict

import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

X = Tensor([2.0], ms.float32)


def numbers(tensor):
    return tensor.asnumpy().tolist()


class Norm(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([3.0], ms.float32), name="given")
        self.register_buffer("mean", Tensor([1.0]))
        self.register_buffer("scratch", Tensor([5.0]), persistent=False)
        self.register_buffer("empty", None)

    def construct(self, x):
        return x * self.w + self.mean


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.norm = Norm()
        self.v = Parameter(Tensor([7.0], ms.float32))

    def construct(self, x):
        return self.norm(x) * self.v


# -- buffers ----------------------------------------------------------------------------------------------------------
def test_buffers_are_listed_by_path_and_are_no_parameters():
    net = Net()
    assert [name for name, _ in net.named_buffers()] == ["norm.mean", "norm.scratch"]
    assert [name for name, _ in net.named_buffers("pre")] == ["pre.norm.mean", "pre.norm.scratch"]
    assert [name for name, _ in net.named_buffers(recurse=False)] == []
    assert [numbers(buffer) for buffer in net.buffers()] == [[1.0], [5.0]]
    assert [name for name, _ in net.parameters_and_names()] == ["v", "norm.w"]
    assert net.get_buffer("norm.mean") is net.norm.mean


def test_a_shared_buffer_is_listed_once():
    net, shared = nn.Cell(), Tensor([1.0])
    net.register_buffer("a", shared)
    net.register_buffer("b", shared)
    assert [name for name, _ in net.named_buffers()] == ["a"]
    assert [name for name, _ in net.named_buffers(remove_duplicate=False)] == ["a", "b"]


def test_buffers_are_read_and_assigned_in_both_modes(mode):
    class Average(nn.Cell):
        def __init__(self):
            super().__init__()
            self.register_buffer("total", Tensor([0.0]))

        def construct(self, x):
            self.total = self.total + x
            return self.total * 1

    net = Average()
    buffer = net.total
    assert [numbers(net(X)), numbers(net(X))] == [[2.0], [4.0]]
    assert net.total is buffer and numbers(buffer) == [4.0]
    net.total = Tensor([100.0])
    assert numbers(net(X)) == [102.0]


def test_buffers_follow_to_float(mode):
    net = Norm().to_float(ms.float16)
    assert net(X).dtype == ms.float16 and net.mean.dtype == ms.float32


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [("a.b", Tensor([1.0]), KeyError), ("", Tensor([1.0]), KeyError), (3, Tensor([1.0]), TypeError), ("w", Tensor([1.0]), KeyError),
     ("construct", Tensor([1.0]), KeyError), ("good", 3, TypeError)],
)  # fmt: skip
def test_register_buffer_errors_change_nothing(name, value, error):
    net = Norm()
    with pytest.raises(error, match="register_buffer"):
        net.register_buffer(name, value)
    assert [name for name, _ in net.named_buffers()] == ["mean", "scratch"]


def test_wrong_values_for_a_buffer():
    net = Norm()
    with pytest.raises(TypeError, match="'mean' holds a buffer"):
        net.mean = 3
    with pytest.raises(AttributeError, match="'w' is no buffer"):
        net.get_buffer("w")
    net.mean = None
    assert net.mean is None
    del net.scratch
    assert not hasattr(net, "scratch") and list(net.named_buffers()) == []


# -- state dicts ------------------------------------------------------------------------------------------------------
def test_state_dict_has_parameters_and_persistent_buffers_by_path():
    net = Net()
    state = net.state_dict()
    assert type(state) is OrderedDict and list(state) == ["v", "norm.w", "norm.mean"]
    assert state["v"] is net.v and state["norm.mean"] is net.norm.mean
    assert list(net.state_dict(prefix="p.")) == ["p.v", "p.norm.w", "p.norm.mean"]


def test_load_state_dict_takes_over_values(mode):
    net, other = Net(), Net()
    before = numbers(net(X))
    other.v.set_data(Tensor([1.0]))
    other.norm.mean = Tensor([44.0])
    v = net.v
    keys = net.load_state_dict(other.state_dict())
    assert (keys.missing_keys, keys.unexpected_keys) == ([], [])
    assert net.v is v and numbers(v) == [1.0] and numbers(net.norm.mean) == [44.0]
    assert numbers(net(X)) == [50.0] != before


def test_load_state_dict_names_what_does_not_fit_and_changes_nothing():
    net = Net()
    for given, message in [
        ({}, "Missing key.*'v', 'norm.w', 'norm.mean'"),
        ({**net.state_dict(), "z": X}, "Unexpected key.*'z'"),
        ({**net.state_dict(), "v": Tensor([1.0, 2.0])}, r"size mismatch for v: .*\(2,\).*\(1,\)"),
        ({**net.state_dict(), "norm.w": Tensor([9.0]), "v": 3}, 'parameter named "v", a Tensor is expected'),
    ]:
        with pytest.raises(RuntimeError, match=message):
            net.load_state_dict(given)
    with pytest.raises(TypeError, match="must be a dict"):
        net.load_state_dict(3)
    assert numbers(net.v) == [7.0] and numbers(net.norm.w) == [3.0]


def test_load_state_dict_without_strict_reports():
    net = Net()
    missing, unexpected = net.load_state_dict({"v": Tensor([2.0]), "z": X}, strict=False)
    assert (missing, unexpected) == (["norm.w", "norm.mean"], ["z"])
    assert numbers(net.v) == [2.0]


def test_state_dict_hooks():
    net, seen = Norm(), []
    handles = [
        net.register_state_dict_pre_hook(lambda *given: seen.append(("save", len(given)))),
        net.register_state_dict_post_hook(lambda *given: seen.append(("saved", len(given)))),
        net.register_load_state_dict_pre_hook(lambda *given: seen.append(("load", len(given)))),
        net.register_load_state_dict_post_hook(lambda *given: seen.append(("loaded", len(given)))),
    ]
    net.load_state_dict(net.state_dict())
    assert seen == [("save", 3), ("saved", 4), ("load", 8), ("loaded", 2)]
    for handle in handles:
        handle.remove()
    net.load_state_dict(net.state_dict())
    assert len(seen) == 4


# -- conversion -------------------------------------------------------------------------------------------------------
def test_to_converts_floating_parameters_and_buffers(mode):
    net = Net()
    net.norm.register_buffer("steps", Tensor([1], ms.int32))
    assert net.to(ms.float16) is net
    assert (net.v.dtype, net.norm.mean.dtype, net.norm.steps.dtype) == (ms.float16, ms.float16, ms.int32)
    assert net(Tensor([2.0], ms.float16)).dtype == ms.float16
    assert net.to("CPU", ms.float32).v.dtype == ms.float32
    assert net.to(Tensor([1.0], ms.float16)).v.dtype == ms.float16


@pytest.mark.parametrize(("wanted", "error"), [(3, TypeError), ("Nowhere", ValueError), (ms.int32, TypeError)])
def test_to_refuses_other_things(wanted, error):
    net = Net()
    with pytest.raises(error, match=r"Cell\.to"):
        net.to(wanted)
    assert net.v.dtype == ms.float32


def test_copies_have_buffers_of_their_own(mode):
    net = Net()
    net(X)
    other = copy.deepcopy(net)
    other.norm.mean = Tensor([9.0])
    assert numbers(net.norm.mean) == [1.0] and list(other.state_dict()) == list(net.state_dict())


def test_gradients_pass_buffers_by(mode):
    net = Net()
    assert numbers(ops.GradOperation()(net)(X)) == [21.0]
