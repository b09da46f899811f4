"""mindspore.runtime and its neighbours: settings have their effect, and what has none is refused or said."""

from __future__ import annotations

import json
import os

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, device_context, graph, jit, multiprocessing, ops, runtime, utils


@pytest.fixture
def cores():
    before = os.sched_getaffinity(0)
    yield sorted(before)
    os.sched_setaffinity(0, before)


def test_memory_is_counted():
    before = runtime.memory_allocated()
    kept = ops.ones((64, 64)) + 1
    assert runtime.memory_allocated() - before == kept.nbytes
    assert runtime.max_memory_allocated() >= before + kept.nbytes
    assert "Allocated memory" in runtime.memory_summary()


def test_launch_blocking_makes_every_operator_wait():
    try:
        runtime.launch_blocking()
        assert ms.get_context("pynative_synchronize")
    finally:
        ms.set_context(pynative_synchronize=False)


def test_the_process_is_bound_to_cores(cores, tmp_path):
    core = cores[-1]
    runtime.set_cpu_affinity(False, [f"{core}-{core}"])
    assert sorted(os.sched_getaffinity(0)) == cores
    file = tmp_path / "bind.json"
    file.write_text(json.dumps({"bind_cpu": {"device0": {"main": f"{core}-{core}"}}}))
    runtime.set_cpu_affinity(True, bind_file=str(file))
    assert os.sched_getaffinity(0) == {core}


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((1,), TypeError),
        ((True, "0-1"), TypeError),
        ((True, ["3-1"]), ValueError),
        ((True, None, {"main": [-1]}), ValueError),
        ((True, None, {"mian": [0]}), ValueError),
        ((True, ["100000-100001"]), RuntimeError),
    ],
)
def test_cores_that_are_not_there_are_refused(cores, arguments, error):
    with pytest.raises(error, match="For 'set_cpu_affinity'"):
        runtime.set_cpu_affinity(*arguments)
    assert sorted(os.sched_getaffinity(0)) == cores


def test_sizes_of_memory_are_checked_before_anything_is_kept():
    before = ms.get_context("max_device_memory")
    with pytest.raises(ValueError, match="the 'optimize_level' must be one of"):
        runtime.set_memory("1GB", "1GB", "5GB", "O3")
    with pytest.raises(ValueError, match="the 'max_size' must look like '2GB'"):
        runtime.set_memory(max_size="5")
    assert ms.get_context("max_device_memory") == before


def test_an_allocator_finds_its_functions():
    with pytest.raises(ValueError, match="must be a file that exists"):
        runtime.PluggableAllocator("/nowhere/allocator.so", "Alloc", "Free")


def test_settings_of_devices_reach_the_context():
    assert device_context.cpu.is_available() and device_context.cpu.device_count() == ms.hal.device_count("CPU")
    device_context.gpu.op_precision.conv_allow_tf32(False)
    assert ms.get_context("gpu_config")["conv_allow_tf32"] is False
    with pytest.raises(ValueError, match="aoe_tune_mode"):
        device_context.ascend.op_tuning.aoe_tune_mode("sometimes")


def test_memory_is_shared_with_numpy():
    tensor = ops.ones((4,)) * 3
    array = np.from_dlpack(tensor)
    assert array.ctypes.data == tensor.data_ptr()
    np.testing.assert_array_equal(utils.from_dlpack(utils.to_dlpack(tensor)).asnumpy(), array)
    with pytest.raises(TypeError, match="must be a capsule or an array"):
        utils.from_dlpack([1.0])


def test_a_healthy_device_is_found_healthy():
    assert utils.stress_detect("hccs") == 0
    utils.sdc_detect_start()
    utils.sdc_detect_stop()
    assert utils.get_sdc_detect_result() is False


def double(receiver, sender):
    sender.put(receiver.get() * 2)


@pytest.mark.heavy  # starts an interpreter
def test_tensors_travel_between_processes():
    receiver, sender = multiprocessing.Queue(), multiprocessing.Queue()
    process = multiprocessing.Process(target=double, args=(receiver, sender))
    process.start()
    receiver.put(Tensor([1.0, 2.0]))
    found = sender.get(timeout=120)
    process.join(60)
    assert isinstance(found, Tensor) and found.asnumpy().tolist() == [2.0, 4.0]


def test_tensors_are_sent_and_received():
    receiver, sender = multiprocessing.Pipe(duplex=False)
    sender.send({"weight": Tensor([1.0, 2.0], ms.float16)})
    found = receiver.recv()["weight"]
    assert found.dtype == ms.float16 and found.asnumpy().tolist() == [1.0, 2.0]


def test_processes_may_be_started_as_copies():
    assert multiprocessing.get_start_method() == "spawn"
    try:
        multiprocessing.set_start_method("fork")
        assert multiprocessing.get_start_method() == "fork"
        assert multiprocessing.Process is multiprocessing.get_context("fork").Process
        with pytest.raises(RuntimeError, match="already been set to 'fork': write force=True"):
            multiprocessing.set_start_method("spawn")
    finally:
        multiprocessing.set_start_method(None, force=True)
    assert multiprocessing.get_start_method(allow_none=True) is None
    with pytest.raises(ValueError, match=r"must be one of .* but got 'clone'"):
        multiprocessing.get_context("clone")


def test_a_wrapper_takes_the_place_of_an_operator_in_graphs_alone():
    x, y = Tensor([1.0]), Tensor([2.0])

    @graph.register_op_wrapper("Add")
    def wrapper(x, y):
        return lambda x, y: x + 2 * y

    try:
        assert float(jit(lambda x, y: ops.Add()(x, y))(x, y)[0]) == 5
        assert float(ops.Add()(x, y)[0]) == 3
        with pytest.raises(RuntimeError, match="already"):
            graph.register_op_wrapper("Add")
    finally:
        graph.clear_op_wrapper()
    assert float(jit(lambda x, y: ops.Add()(x, y))(x, y)[0]) == 3


def test_plugins_of_another_compiler_are_not_registered(tmp_path):
    plugin = tmp_path / "plugin.so"
    plugin.write_bytes(b"")
    assert graph.register_custom_pass("fuse", str(plugin)) is False
    with pytest.raises(ValueError, match="must be a file that exists"):
        graph.register_custom_backend("mine", str(tmp_path / "missing.so"))
