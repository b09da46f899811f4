"""Devices: what there is, their memory, and waiting for them."""

import numpy as np
import pytest

from mindspore import Tensor, hal


def test_the_cpu_is_there():
    assert hal.device_count() >= 1 and hal.device_count("CPU") >= 1
    (Tensor([1.0]) + 1).asnumpy()  # before anything has computed, no device is initialized
    assert hal.is_available("CPU") and hal.is_initialized("CPU")
    assert hal.get_device_name(0, "CPU") == "CPU"
    assert hal.get_device_properties(0, "CPU") is None
    assert hal.get_device_capability(0, "CPU") is None and hal.get_arch_list() is None


def test_memory_is_what_arrays_take():
    hal.empty_cache()
    hal.reset_peak_memory_stats()
    before = hal.memory_allocated()
    x = Tensor(np.zeros(250_000, np.float32))
    assert hal.memory_allocated() - before == 1_000_000
    del x
    assert hal.memory_allocated() == before
    assert hal.max_memory_allocated() >= before + 1_000_000
    hal.reset_max_memory_allocated()
    assert hal.max_memory_allocated() == before
    stats = hal.memory_stats()
    assert stats["total_allocated_memory"] <= stats["total_reserved_memory"] == hal.memory_reserved()
    assert "Allocated memory" in hal.memory_summary("CPU")


def test_events_measure_time_and_streams_are_one():
    start, end = hal.Event(enable_timing=True), hal.Event(enable_timing=True)
    start.record()
    stream = hal.Stream()
    with hal.StreamCtx(stream):
        (Tensor(np.ones((50, 50), np.float32)) @ Tensor(np.ones((50, 50), np.float32))).asnumpy()
    end = stream.record_event(end)
    stream.wait_event(start)
    hal.synchronize()
    assert start.elapsed_time(end) > 0 and end.query()
    assert hal.current_stream() == hal.default_stream() == hal.communication_stream() == stream
    assert repr(stream) == "Stream(device_name=CPU, device_id:0, stream id:0)"


def test_mistakes_are_named():
    with pytest.raises(ValueError, match=r"For 'hal\.is_available', the 'device_target' must be one of"):
        hal.is_available("TPU")
    with pytest.raises(ValueError, match="the 'device_id'"):
        hal.get_device_name(99, "CPU")
    with pytest.raises(ValueError, match="no device of the kind 'GPU'"):
        hal.get_device_name(0, "GPU")
    with pytest.raises(TypeError, match="For 'set_cur_stream', the 'stream'"):
        hal.set_cur_stream(3)
    with pytest.raises(TypeError, match="For 'StreamCtx', the 'ctx_stream'"):
        hal.StreamCtx(3)
    with pytest.raises(RuntimeError, match="enable_timing=True"):
        hal.Event().elapsed_time(hal.Event())
    with pytest.raises(RuntimeError, match="must have been recorded"):
        hal.Event(enable_timing=True).elapsed_time(hal.Event(enable_timing=True))
