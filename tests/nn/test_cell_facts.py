"""What a Cell tells about itself, and the state it adds to its state dict."""

import time

import pytest

import mindspore as ms
from mindspore import Tensor, nn
from mindspore._c_expression import MixedPrecisionType


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = nn.SequentialCell(nn.Dense(2, 2))
        self.second = nn.ReLU()

    def construct(self, x):
        return self.second(self.first(x))


class Counted(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(1, 1)
        self.seen = 0

    def get_extra_state(self):
        return {"seen": self.seen}

    def set_extra_state(self, state):
        self.seen = state["seen"]


def test_cells_are_counted_and_know_their_age():
    before, start = nn.Cell.total_instance_count, time.time_ns()
    net = Net()
    assert nn.Cell.total_instance_count - before == 4
    assert start <= net.create_time <= time.time_ns()
    assert net.cell_init_args == "Net[True, None]" and net.exist_names == set()
    assert net.first[0].exist_names == {"first.0.weight", "first.0.bias"}
    assert net.first[0].exist_objs == set(net.first[0].get_parameters())


def test_a_cell_knows_whether_it_was_compiled():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Net()
    assert not net.compiled and net.compile_cache == set() and net.phase_cache == {} and net not in nn.Cell.global_cells
    net(Tensor([[1.0, 2.0]]))
    assert net.compiled and len(net.compile_cache) == 1 and nn.Cell.global_cells[net] == "Net"
    assert net.phase_cache == {"train": 1} and net.compile_phase == "train"


def test_scopes_are_paths_through_the_network():
    net = Net()
    assert net.first.get_scope() is None
    net.generate_scope()
    assert net.get_scope() is None
    assert net.first[0].get_scope() == "Default/first-SequentialCell/0-Dense"
    assert net.second.get_scope() == "Default/second-ReLU"


def test_attributes_of_the_program_go_before_facts():
    net = Net()
    net.compiled = "yes"
    net.create_time = 3
    assert (net.compiled, net.create_time) == ("yes", 3)


def test_backward_hooks_and_segments_are_told():
    net = Net()
    assert not net.enable_backward_hook and net.pipeline_segment is None and net.bprop_debug is False
    handle = net.register_backward_hook(lambda cell, inputs, outputs: None)
    assert net.enable_backward_hook
    handle.remove()
    net.pipeline_segment = 2
    assert not net.enable_backward_hook and net.second.pipeline_segment == 2
    assert net.jit_config_dict == {} and net.parallel_parameter_name_list == () == tuple(
        net.parallel_parameter_merge_net_dict
    )


def test_precision_is_set_by_kind():
    net = nn.Dense(2, 2)
    assert net.get_mixed_precision_type() == MixedPrecisionType.NOTSET
    net.set_mixed_precision_type(MixedPrecisionType.BF16)
    assert net.get_mixed_precision_type() == MixedPrecisionType.BF16 and net(Tensor([[1.0, 2.0]])).dtype == ms.bfloat16
    assert nn.Dense(2, 2).to_float(ms.float16).get_mixed_precision_type() == MixedPrecisionType.FP16
    with pytest.raises(TypeError, match="'precision' must be"):
        net.set_mixed_precision_type(ms.float16)


def test_an_empty_network_holds_zeros():
    net = Net()
    assert net.to_empty(device="CPU") is net
    assert not any(one.asnumpy().any() for one in net.get_parameters())
    untouched = Net()
    untouched.to_empty(recurse=False)
    assert untouched.first[0].weight.asnumpy().any()


def test_construct_runs_alone():
    relu = nn.ReLU()
    relu.register_forward_hook(lambda cell, inputs, output: output + 100)
    assert relu.run_construct((Tensor([-1.0, 2.0]),), {}).asnumpy().tolist() == [0, 2]
    assert relu.remove_redundant_parameters() is None


def test_extra_state_travels_with_the_state_dict():
    source, target = Counted(), Counted()
    source.seen = 3
    state = source.state_dict()
    assert state["_extra_state"] == {"seen": 3}
    assert target.load_state_dict(state) == ([], []) and target.seen == 3
    outer = nn.SequentialCell(Counted())
    assert "0._extra_state" in outer.state_dict()
    without = {name: value for name, value in state.items() if name != "_extra_state"}
    with pytest.raises(RuntimeError, match=r"Missing key.*'_extra_state'"):
        target.load_state_dict(without)
    with pytest.raises(RuntimeError, match=r"Unexpected key.*'_extra_state'"):
        nn.Dense(1, 1).load_state_dict({**nn.Dense(1, 1).state_dict(), "_extra_state": 3})


def test_a_cell_without_extra_state_says_how_to_have_one():
    with pytest.raises(RuntimeError, match="define 'get_extra_state' in the class"):
        nn.ReLU().get_extra_state()
    with pytest.raises(RuntimeError, match="define 'set_extra_state' in the class"):
        nn.ReLU().set_extra_state(1)
