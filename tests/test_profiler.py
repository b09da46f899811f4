"""The profiler: recordings that other tools open, and what they say in words."""

import glob
import gzip
import importlib
import json
import os

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn
from mindspore._engine.runtime import profiling
from mindspore.profiler import (
    AicoreMetrics,
    DynamicProfilerMonitor,
    ExperimentalConfig,
    Profiler,
    ProfilerActivity,
    ProfilerLevel,
    mstx,
    profile,
    schedule,
    tensorboard_trace_handler,
)
from mindspore.profiler._trace import read_totals

X = np.ones((8, 16), np.float32)


@pytest.fixture
def net():
    made = nn.SequentialCell(nn.Dense(16, 32), nn.ReLU(), nn.Dense(32, 4))
    made(Tensor(X)).asnumpy()
    return made


@pytest.fixture(autouse=True)
def _nothing_is_left_running():
    yield
    assert not profiling.is_running()


def test_a_recording_opens_in_perfetto_and_tensorboard(tmp_path, net):
    profiler = Profiler(output_path=str(tmp_path))
    net(Tensor(X)).asnumpy()
    profiler.analyse()
    (run,) = glob.glob(str(tmp_path / "plugins" / "profile" / "*"))
    names = os.listdir(run)
    assert "perfetto_trace.json.gz" in names and any(name.endswith(".xplane.pb") for name in names)
    with gzip.open(os.path.join(run, "perfetto_trace.json.gz")) as stream:
        assert json.load(stream)["traceEvents"]
    with open(os.path.join(run, "summary.txt"), encoding="utf-8") as stream:
        text = stream.read()
    assert text.rstrip() == profiler.summary()
    assert "dot_general" in text and "SequentialCell" in text


def test_operators_are_found_by_name_in_both_modes(tmp_path, net):
    ms.set_context(mode=ms.PYNATIVE_MODE)
    net(Tensor(X)).asnumpy()
    with Profiler(output_path=str(tmp_path / "eager")) as profiler:
        for _ in range(3):
            net(Tensor(X)).asnumpy()
    found = json.loads(profiler.op_analyse(["Dense", "ReLU", "Conv2D"]))
    assert found["Dense"] and all(one["program"] == "Dense" for one in found["Dense"])
    assert found["ReLU"][0]["calls"] == 3 and found["Conv2D"] == []
    ms.set_context(mode=ms.GRAPH_MODE)
    net(Tensor(X)).asnumpy()
    with Profiler(output_path=str(tmp_path / "graph")) as profiler:
        net(Tensor(X)).asnumpy()
    (first, *_) = json.loads(profiler.op_analyse("Dense"))["Dense"]
    assert first["source"] == "dot_general" and first["program"] == "SequentialCell"


def test_start_and_stop_choose_what_is_recorded(tmp_path, net):
    profiler = Profiler(output_path=str(tmp_path), start_profile=False)
    for _ in range(2):
        profiler.start()
        net(Tensor(X)).asnumpy()
        profiler.stop()
    profiler.analyse()
    assert len(profiler.runs) == len(set(profiler.runs)) == 2
    for run in profiler.runs:
        assert os.path.exists(os.path.join(run, "summary.txt"))


def test_steps_can_be_looked_at_alone(tmp_path, net):
    with Profiler(output_path=str(tmp_path)) as profiler:
        for _ in range(3):
            net(Tensor(X)).asnumpy()
            profiler.step()
    profiler.analyse(step_list=[1])
    whole, alone = read_totals(profiler.runs[0]), read_totals(profiler.runs[0], [1])
    assert [number for number, _ in alone.steps] == [1]
    assert sum(one.calls for one in alone.operations) < sum(one.calls for one in whole.operations)


def test_a_schedule_decides_by_step(tmp_path, net):
    ready = []
    plan = schedule(skip_first=1, wait=1, warmup=1, active=2, repeat=2)

    def handle(finished):
        ready.append((finished.number, len(finished.runs)))

    with Profiler(output_path=str(tmp_path), schedule=plan, on_trace_ready=handle) as profiler:
        recorded = []
        for _ in range(12):
            recorded.append(profiling.is_running())
            net(Tensor(X)).asnumpy()
            profiler.step()
    assert [number for number, records in enumerate(recorded) if records] == [3, 4, 7, 8]
    assert ready == [(4, 1), (8, 2)]
    assert [number for number, _ in read_totals(profiler.runs[1]).steps] == [7, 8]


def test_the_handler_puts_recordings_where_it_was_told(tmp_path, net):
    handler = tensorboard_trace_handler(str(tmp_path / "board"))
    config = ExperimentalConfig(profiler_level=ProfilerLevel.Level1, aic_metrics=AicoreMetrics.AiCoreNone)
    with profile(
        activities=[ProfilerActivity.CPU, ProfilerActivity.NPU],
        schedule=schedule(wait=0, active=1, repeat=1),
        on_trace_ready=handler,
        experimental_config=config,
    ) as profiler:
        for _ in range(2):
            net(Tensor(X)).asnumpy()
            profiler.step()
    assert glob.glob(str(tmp_path / "board" / "plugins" / "profile" / "*" / "summary.txt"))


def test_offline_analysis_reads_earlier_recordings(tmp_path, net):
    with Profiler(output_path=str(tmp_path)) as profiler:
        net(Tensor(X)).asnumpy()
    assert not os.path.exists(os.path.join(profiler.runs[0], "summary.txt"))
    Profiler.offline_analyse(str(tmp_path))
    assert os.path.exists(os.path.join(profiler.runs[0], "summary.txt"))


def test_marks_and_remarks_and_memory(tmp_path, net):
    with Profiler(output_path=str(tmp_path), profile_memory=True) as profiler:
        number = mstx.range_start("my own range")
        mstx.mark("a moment")
        net(Tensor(X)).asnumpy()
        mstx.range_end(number)
        profiler.add_metadata("note", "first try")
        profiler.add_metadata_json("numbers", "[1, 2]")
    run = profiler.runs[0]
    assert os.path.getsize(os.path.join(run, "memory.pprof")) > 0
    with open(os.path.join(run, "profiler_metadata.json"), encoding="utf-8") as stream:
        assert json.load(stream) == {"note": "first try", "numbers": [1, 2]}
    (trace,) = glob.glob(os.path.join(run, "*.trace.json.gz"))
    with gzip.open(trace) as stream:
        names = {event.get("name") for event in json.load(stream)["traceEvents"]}
    assert {"my own range", "a moment"} <= names


def test_mistakes_are_named(tmp_path):
    profiler = Profiler(output_path=str(tmp_path), start_profile=False)
    for call, message in (
        (profiler.stop, r"stop\(\) needs a profiler that is started"),
        (profiler.step, r"step\(\) needs a profiler that is started"),
        (profiler.analyse, "nothing was recorded"),
    ):
        with pytest.raises(RuntimeError, match=message):
            call()
    with profiler, pytest.raises(RuntimeError, match="recording already"):
        Profiler(output_path=str(tmp_path))
    with pytest.raises(TypeError, match="the 'op_name' must be a str or a list of str"):
        profiler.op_analyse(3)
    with pytest.raises(TypeError, match="the 'start_profile'"):
        Profiler(start_profile=1)
    with pytest.raises(ValueError, match="the 'active'"):
        schedule(wait=0, active=0)
    with pytest.raises(ValueError, match="must be JSON"):
        profiler.add_metadata_json("a", "{")


def test_options_of_other_devices_are_accepted_and_unknown_ones_mentioned(tmp_path, capfd):
    Profiler(output_path=str(tmp_path), start_profile=False, profiler_level=ProfilerLevel.Level1, l2_cache=False)
    assert capfd.readouterr().err == ""
    Profiler(output_path=str(tmp_path), start_profile=False, l2_cach=True)
    assert "the option 'l2_cach' is not known. Did you mean 'l2_cache'?" in capfd.readouterr().err


@pytest.mark.parametrize(
    "damage",
    [b"", b"\x1f\x8b not gzip", gzip.compress(b"[]"), gzip.compress(b'{"traceEvents": 3}')],
    ids=["empty", "not compressed", "a list", "no events"],
)
def test_damaged_recordings_are_refused_by_name(tmp_path, damage):
    (tmp_path / "host.trace.json.gz").write_bytes(damage)
    with pytest.raises(RuntimeError, match=r"host\.trace\.json\.gz is damaged"):
        read_totals(str(tmp_path))


def test_a_file_says_which_steps_of_a_training_are_recorded(tmp_path):
    monitor = DynamicProfilerMonitor(str(tmp_path / "told"), output_path=str(tmp_path / "data"), poll_interval=1)
    file = tmp_path / "told" / "profiler_config.json"
    assert json.loads(file.read_text()) == {"start_step": -1, "stop_step": -1}
    monitor.step()
    file.write_text('{"start_step": 3, "stop_step": 4, "analyse": true}')
    monitor._looked_at -= 1  # a second later
    monitor.step()
    for _ in range(2):  # steps 3 and 4, as a training calls it
        assert monitor.runs == []
        monitor.step_begin(None)
        assert (Tensor(X) * 2).asnumpy()[0, 0] == 2
        monitor.step_end(None)
    assert len(monitor.runs) == 1 and os.path.exists(os.path.join(monitor.runs[0], "summary.txt"))
    monitor.step_begin(None)
    monitor.end(None)
    assert len(monitor.runs) == 1


def test_a_file_that_cannot_be_read_leaves_the_training_alone(tmp_path):
    (tmp_path / "profiler_config.json").write_text("{")
    monitor = DynamicProfilerMonitor(str(tmp_path), output_path=str(tmp_path / "data"))
    monitor.step()
    (tmp_path / "profiler_config.json").write_text('{"start_step": 1, "stop_step": 1}')  # too late
    monitor._looked_at -= 2
    monitor.step()
    assert monitor.runs == [] and monitor.number == 2
    with pytest.raises(TypeError, match="'cfg_path'"):
        DynamicProfilerMonitor()


def test_recordings_of_an_earlier_run_are_analysed(net, tmp_path):
    recording = Profiler(output_path=str(tmp_path))
    net(Tensor(X)).asnumpy()
    recording.stop()
    importlib.import_module("mindspore.profiler.profiler").analyse(profiler_path=str(tmp_path), max_process_number=2)
    (written,) = glob.glob(str(tmp_path / "**" / "*.txt"), recursive=True)
    assert os.path.getsize(written) > 0


def test_a_folder_without_recordings_is_no_error(tmp_path):
    Profiler.offline_analyse(str(tmp_path / "nothing"))
    assert not list(tmp_path.iterdir())
