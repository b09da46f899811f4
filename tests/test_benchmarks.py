"""The benchmarks run, and judge what they measure correctly."""

from __future__ import annotations

import dataclasses
import json
import mmap
import sys
import time
from pathlib import Path

import pytest

import mindspore as ms
from benchmarks import compiled, dataset, eager, gradient, importing, memory
from benchmarks.__main__ import main
from benchmarks.harness import (
    Function,
    Options,
    Row,
    alternate,
    at_most_added,
    at_most_times,
    table,
    times_faster,
    undisturbed,
)
from benchmarks.peers.process import PeerProcess
from benchmarks.pipeline_files import Sizes

TINY = Options(rounds=2, slice_seconds=1e-6, import_rounds=1, eager_operators=20, gradients=5)


@pytest.mark.parametrize(
    ("theme", "rows"),
    [(eager, 9), (gradient, 3), (compiled, 1), (memory, 2)],
    ids=["eager", "gradient", "compiled", "memory"],
)
def test_a_theme_measures_every_row_that_needs_no_other_environment(theme, rows):
    mode = ms.get_context("mode")
    found = theme.run(TINY)
    assert len(found) == rows
    for row in found:
        assert row.figure or row.note.startswith("not measured: pass --")
    assert sum(bool(row.figure) for row in found) == rows - 2 * (theme in (eager, gradient))
    assert ms.get_context("mode") == mode


def test_every_pipeline_is_read(monkeypatch):
    monkeypatch.setattr("benchmarks.pipelines.GENERATED", 64)
    monkeypatch.setattr(dataset, "_MEASURED", ())
    found = dataset.run(TINY, Sizes(mnist=64, cifar=128, photos=40, records=64))
    assert [row.name for row in found] == [
        "one epoch of mnist, 64 rows", "one epoch of cifar, 128 rows", "one epoch of photos, 32 rows",
        "one epoch of generator, 64 rows", "one epoch of files, 40 rows", "one epoch of records, 64 rows",
        "one epoch of records_as_they_are, 64 rows",
    ]  # fmt: skip
    assert all(row.ours and row.note == "not measured: pass --mindspore-python PATH" for row in found)


def test_pipelines_are_compared_with_a_peer_that_has_the_same_import_name(monkeypatch):
    monkeypatch.setattr(dataset, "_TARGETS", {"cifar": 1e9})
    monkeypatch.setattr(dataset, "_MEASURED", ("cifar",))
    options = dataclasses.replace(TINY, mindspore_python=sys.executable)
    speed, peak = dataset.run(options, Sizes(mnist=2, cifar=64, photos=2, records=4))
    assert (speed.target, speed.verdict) == (">= 1e+09x faster", "MISSED")
    assert peak.figure.endswith("x") and peak.target == "<= 1x"


def test_a_fresh_process_imports_this_package():
    assert importing.FreshProcess(f"import mindspore; assert mindspore.__file__ == {ms.__file__!r}").seconds(1) > 0


def test_competitors_take_turns():
    order = []
    competitors = {"a": Function(lambda: order.append("a")), "b": Function(lambda: order.append("b"))}
    times = alternate(competitors, Options(rounds=3, slice_seconds=0.0))
    assert order[-6:] == ["a", "b"] * 3
    assert [len(times["a"]), len(times["b"])] == [3, 3]


def test_a_slice_holds_as_many_calls_as_fill_it():
    calls = []
    alternate({"slow": Function(lambda: calls.append(time.sleep(0.001)))}, Options(rounds=1, slice_seconds=0.003))
    warming = 3
    assert len(calls) - warming in (1 + 2 + 2, 1 + 2 + 4 + 4)


def test_waiting_for_the_result_belongs_to_the_time():
    assert Function(lambda: 0.02, finish=time.sleep).seconds(1) >= 0.02


def test_a_slice_that_was_disturbed_does_not_count():
    assert undisturbed([5.0, 1.0, 1.1, 90.0, 1.0]) == 1.0


@pytest.mark.parametrize(
    ("row", "figure", "verdict"),
    [
        (at_most_times("", [3.0], [2.0], 1.5), "1.50x", "holds"),
        (at_most_times("", [3.2], [2.0], 1.5), "1.60x", "MISSED"),
        (times_faster("", [1.0], [20.0], 20.0), "20.00x faster", "holds"),
        (times_faster("", [2.0], [20.0], 20.0), "10.00x faster", "MISSED"),
        (times_faster("", [2.0], [20.0], None), "10.00x faster", ""),
        (at_most_added("", [60e-6], [20e-6], 41.0), "40.00 us more", "holds"),
        (at_most_added("", [90e-6], [20e-6], 40.0), "70.00 us more", "MISSED"),
    ],
)
def test_a_target_is_held_against_the_figure(row, figure, verdict):
    assert (row.figure, row.verdict) == (figure, verdict)


def test_a_peer_answers_between_lines_of_its_own(tmp_path: Path):
    worker = tmp_path / "worker.py"
    worker.write_text("import sys\nfor line in sys.stdin:\n    print('noise\\nseconds:', line, flush=True)\n")
    with PeerProcess(sys.executable, str(worker), "add") as peer:
        assert [peer.seconds(7), peer.seconds(8)] == [7.0, 8.0]


def test_a_peer_that_dies_is_an_error(tmp_path: Path):
    worker = tmp_path / "worker.py"
    worker.write_text("raise SystemExit(3)\n")
    with PeerProcess(sys.executable, str(worker), "add") as peer, pytest.raises(RuntimeError, match="status 3"):
        peer.seconds(1)


def test_memory_that_grows_is_missed():
    kept = []

    def leak():
        pages = mmap.mmap(-1, 2**17)  # new ones: the heap may have room left from other tests
        pages.write(bytes(2**17))
        kept.append(pages)

    row = memory._growth("leaks", 200, leak)
    assert row.holds is False


def test_the_command_prints_the_table_and_writes_the_rows(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("benchmarks.__main__.THEMES", {"quick": lambda options: [Row("name", holds=False)]})
    target = tmp_path / "rows.json"
    assert main(["quick", "--json", str(target)]) == 0
    assert "MISSED" in capsys.readouterr().out
    assert json.loads(target.read_text())[0]["verdict"] == "MISSED"
    assert main(["--strict"]) == 1


def test_an_unknown_benchmark_is_refused_with_the_names_there_are(capsys):
    with pytest.raises(SystemExit):
        main(["eagre"])
    assert "eager, gradient, compiled, import, memory" in capsys.readouterr().err


def test_the_table_lines_up():
    lines = table([Row("a", "1 us"), Row("long name", "2 us")]).splitlines()
    assert lines[2].index("1 us") == lines[3].index("2 us")
