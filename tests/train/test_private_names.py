"""Private helpers of training that libraries import do what their names say."""

import os
from pathlib import Path

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.common.api import _cell_graph_executor
from mindspore.train import SummaryRecord, _utils, amp
from mindspore.train.callback import _CheckpointManager
from mindspore.train.callback._callback import _handle_loss
from mindspore.train.callback._checkpoint import _chg_ckpt_file_name_if_same_exist
from mindspore.train.model import _StepSync, _transfer_tensor_to_tuple
from mindspore.train.serialization import _save_graph
from mindspore.train.summary import summary_record

X = Tensor([[1.0, 2.0]])
LAYOUTS = {"w": ([2, 2], [1, 0]), "b": ([2, 2], [-1]), "c": ([2, 2], [0])}


def test_folders_are_made(tmp_path):
    assert _utils._make_directory(str(tmp_path / "a" / "b")) == str(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()
    with pytest.raises(ValueError, match="non-blank"):
        _utils._make_directory(" ")
    with pytest.raises(TypeError, match="string"):
        _utils._make_directory(3)


def test_devices_that_hold_the_same_piece_save_it_once():
    found = _utils.get_parameter_redundancy(LAYOUTS)  # the answers are those of MindSpore 2.10
    assert found == {"b": ((0, 1, 2, 3),), "c": ((0, 2), (1, 3)), "w": ((0,), (2,), (1,), (3,))}
    assert _utils.remove_param_redundancy(found) == {0: {"b", "c", "w"}, 1: {"c", "w"}, 2: {"w"}, 3: {"w"}}
    twice = {0: {"b", "c", "w"}, 1: {"b", "c", "w"}, 2: {"c", "w"}, 3: {"c", "w"}}
    assert _utils.remove_param_redundancy(found, 2) == twice


def test_batches_become_tensors():
    first, scale = _utils._to_tensor(np.ones(2, np.float32), 5.0)
    assert first.dtype == ms.float32 and float(scale) == 5 and _utils._to_tensor(3) == (3,)
    assert [one.shape for one in _utils._construct_tensor_list((ms.int8,), ((2, 3),), 3)] == [(6, 3)]
    with pytest.raises(TypeError, match=r"For `a` the type should be a valid type of \['int', 'str'\], but got float"):
        _utils.check_value_type("a", 3.0, [int, str])


def test_losses_become_numbers():
    assert _handle_loss(Tensor([1.0, 3.0])) == 2.0 and _handle_loss(3) == 3
    assert float(_handle_loss((Tensor(2.0), 3))) == 2.0
    assert _transfer_tensor_to_tuple(X) == (X,) and _transfer_tensor_to_tuple([1]) == [1]
    _StepSync().step_end(None)


def test_what_summary_operators_report_can_be_read(tmp_path, mode):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.summary = ops.ScalarSummary()

        def construct(self, x):
            self.summary("total", x.sum())
            return x

    net = Net()
    net(X)
    get = summary_record._get_summary_tensor_data  # who has it listens
    with SummaryRecord(str(tmp_path)) as record:
        net(X)
        record.record(1)
        assert get()["total[:Scalar]"].asnumpy() == 3
    assert get() == {}
    net(X + X)  # without a record too
    assert get()["total[:Scalar]"].asnumpy() == 6
    assert summary_record._cache_summary_tensor_data([{"name": "own", "data": 1}])
    assert get() == {"own": 1}


# -- mixed precision ------------------------------------------------------------------------------------------------------
def test_lists_of_mixed_precision_decide_what_runs_in_half_precision():
    assert amp.get_white_list() == amp.AMP_WHITE_LIST and amp.get_black_list() == amp.AMP_BLACK_LIST
    amp.AMP_BLACK_LIST.append(nn.Dense)
    try:
        net = amp.auto_mixed_precision(nn.SequentialCell(nn.Dense(2, 2)), "O2")
        inner = []
        net[0].register_forward_hook(lambda cell, inputs, output: inner.append(cell._cell_dtype))
        net(X)
        assert set(inner) == {ms.float32}
    finally:
        amp.AMP_BLACK_LIST.remove(nn.Dense)


def test_lists_of_level_auto_decide_what_runs_in_half_precision():
    class Net(nn.Cell):
        def construct(self, x):
            return ops.matmul(x, x.T), ops.exp(x), ops.sin(x)

    def dtypes():
        net = amp.auto_mixed_precision(Net(), "auto")
        seen = []
        net.set_grad(False)
        original = net.construct
        net.construct = lambda x: seen.extend(one.dtype for one in original(x)) or x
        ms.set_context(mode=ms.PYNATIVE_MODE)
        net(X)
        return seen

    assert dtypes() == [ms.float16, ms.float32, ms.float32]
    before = list(amp.AMP_AUTO_WHITE_LIST)
    amp.AMP_AUTO_WHITE_LIST.append(ops.Sin)
    amp.AMP_AUTO_WHITE_LIST.remove(ops.MatMul)
    amp.AMP_AUTO_WHITE_LIST.remove(ops.BatchMatMul)
    try:
        assert dtypes() == [ms.float32, ms.float32, ms.float16]
    finally:
        amp.AMP_AUTO_WHITE_LIST[:] = before
    assert dtypes() == [ms.float16, ms.float32, ms.float32]


def test_single_steps_of_mixed_precision():
    net = amp._auto_black_list(nn.SequentialCell(nn.Dense(2, 2), nn.LayerNorm((2,))), amp.AMP_BLACK_LIST, ms.float16)
    assert net(X).dtype == ms.float16
    net = amp._auto_mixed_precision_rewrite(nn.SequentialCell(nn.Dense(2, 2)), ms.float16, white_list=[nn.Dense])
    assert net(X).dtype == ms.float32 and net[0]._cell_dtype == ms.float16
    assert amp._OutputTo16(nn.ReLU())(X).dtype == ms.float16
    assert amp._OutputTo32(amp._OutputTo16(nn.ReLU()))(X).dtype == ms.float32
    half = nn.Dense(2, 2).to_float(ms.float16)
    assert amp._add_loss_network(half, nn.MSELoss(), ms.float16)(X, X).dtype == ms.float32
    assert amp.amp_cast(X, ms.float16).dtype == ms.float16 and amp.amp_cast(3, ms.float16) == 3
    net = nn.SequentialCell(nn.Dense(2, 2), nn.BatchNorm1d(2)).to_float(ms.float16)
    amp._do_keep_batchnorm_fp32(net)
    assert net[1]._cell_dtype == ms.float32 and net(X).dtype == ms.float16


def test_a_decorator_switches_autocast_on():
    multiply = amp.AmpDecorator("auto", ms.float16, [("MatMul", [])], [])(lambda x: ops.matmul(x, x.T).dtype)
    assert multiply(X) == ms.float16 and ops.matmul(X, X.T).dtype == ms.float32
    net = amp._set_amp_decorator(nn.Dense(2, 2), "O3", ms.bfloat16, [], [])
    ms.set_context(mode=ms.PYNATIVE_MODE)
    assert net(X).dtype == ms.bfloat16


def test_levels_configure_training_networks():
    assert {level: str(options["cast_model_type"]) for level, options in amp._config_level.items()} == {
        "O0": "Float32", "O1": "Float32", "O2": "Float16", "O3": "Float16", "auto": "Float32",
    }  # fmt: skip
    net = nn.Dense(2, 2)
    amp.build_train_network(net, nn.SGD(net.trainable_params(), 0.1), nn.MSELoss(), level="O3")
    assert net._cell_dtype == ms.float16


def test_messages_of_graphs_and_checkpoints_are_read(tmp_path):
    path = str(tmp_path / "net.ckpt")
    ms.save_checkpoint(nn.Dense(3, 2), path)
    for display, length in ((False, 1), (True, 24)):
        found = _utils.read_proto(path, "CKPT", display)
        assert [value.tag for value in found.value] == ["weight", "bias"]
        assert len(found.value[0].tensor.tensor_content) == length
    graph = str(Path(__file__).parents[1] / "data" / "mindir" / "training.mindir")
    assert all(one.raw_data == b"\0" for one in _utils.read_proto(graph).graph.parameter)
    assert any(len(one.raw_data) > 1 for one in _utils.read_proto(graph, display_data=True).graph.parameter)
    for arguments in ((path + "x",), (__file__,), (path, "AIR")):
        with pytest.raises(ValueError, match="For 'read_proto'"):
            _utils.read_proto(*arguments)


def test_checkpoint_helpers_of_callbacks(tmp_path):
    for name in ("net-1_4.ckpt", "net-2_4.ckpt", "net-3_4.ckpt"):
        (tmp_path / name).touch()
    times = {"net-1_4.ckpt": 500, "net-2_4.ckpt": 100, "net-3_4.ckpt": 20}
    for name, age in times.items():
        os.utime(tmp_path / name, (1e9 - age, 1e9 - age))
    assert _chg_ckpt_file_name_if_same_exist(directory=str(tmp_path), prefix="net") == "net_1"
    manager = _CheckpointManager()
    manager.update_ckpoint_filelist(str(tmp_path), "net")
    manager.keep_one_ckpoint_per_minutes(2, 1e9)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["net-1_4.ckpt", "net-2_4.ckpt"]
    _save_graph(network=nn.Dense(1, 1), file_name=str(tmp_path / "net.meta"))
    assert "Dense" in (tmp_path / "net.meta").read_text()


def test_a_network_runs_through_the_executor_of_graphs():
    assert _cell_graph_executor(nn.ReLU(), Tensor([-1.0, 2.0])).asnumpy().tolist() == [0.0, 2.0]
