"""``python -m mindspore``: information, check, cache and events."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.__main__ import main
from mindspore._engine.config import config
from mindspore._engine.runtime import cache_report, compile_watch
from mindspore._utils import log
from mindspore._utils.files import event_file
from mindspore.run_check import run_check


@pytest.fixture
def cache(tmp_path):
    config.reload({"MYCELIUM_CACHE_DIR": str(tmp_path / "cache"), "MYCELIUM_MODE": "pynative"})
    yield tmp_path / "cache"
    config.reload()


def test_the_module_runs_as_a_command():
    command = [sys.executable, "-m", "mindspore", "info", "--json"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert found["versions"]["MindSpore API"] == ms.__version__
    assert found["devices"]["CPU (default)"]
    assert found["threads"]["dataset workers"] >= 1


def test_information_for_people(capsys, cache):
    assert main(["info"]) == 0
    out = capsys.readouterr().out
    for words in ("versions", "jaxlib", "devices", "CPU", "compile cache", str(cache), "MYCELIUM_MODE"):
        assert words in out


def test_the_cache_is_shown_and_cleared(capsys, cache):
    place = cache / "linux-x86_64-py311"
    os.makedirs(place)
    (place / "jit_Net-123-cache").write_bytes(bytes(1_500_000))
    (place / "whole-entries").write_text("1500000 jit_Net-123-cache\n")
    (place / "mine.txt").write_text("not an entry")
    assert main(["cache"]) == 0
    assert capsys.readouterr().out == f"{cache}: 1 compiled programs, 1.5 MB.\n"
    assert main(["cache", "clear"]) == 0
    assert capsys.readouterr().out == f"Deleted 1 compiled programs, 1.5 MB from {cache}.\n"
    assert os.listdir(place) == ["mine.txt"]
    assert cache_report.size(str(cache)) == (0, 0)


def test_a_cache_that_is_off_or_does_not_exist(capsys, tmp_path):
    config.reload({"MYCELIUM_CACHE_DIR": "off"})
    assert main(["cache", "clear"]) == 0
    assert capsys.readouterr().out == "The compile cache is off.\n"
    config.reload()
    assert cache_report.clear(str(tmp_path / "nothing")) == (0, 0)


def test_events_are_shown_as_a_table_and_by_tag(capsys, tmp_path):
    with event_file.EventFile(str(tmp_path / "a.tfevents.1")) as file:
        for step, loss in ((1, 3.0), (2, 1.0), (3, 2.0)):
            file.write(event_file.event(step, [event_file.scalar("loss", loss)]))
        file.write(event_file.event(3, [event_file.histogram("weights", np.ones(3))]))
    assert main(["events", str(tmp_path)]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows[1:] == [["loss", "scalar", "3", "3", "2", "1", "3"], ["weights", "histogram", "1", "3"]]
    assert main(["events", str(tmp_path), "--tag", "loss"]) == 0
    assert capsys.readouterr().out == "1 3\n2 1\n3 2\n"


def test_mistakes_are_one_line_and_a_status(capsys, tmp_path):
    assert main(["events", str(tmp_path)]) == 1
    assert "There are no event files" in capsys.readouterr().err
    (tmp_path / "b.tfevents").write_bytes(bytes(100))
    assert main(["events", str(tmp_path)]) == 1
    assert "b.tfevents is damaged at byte 0" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["nonsense"])


def test_run_check_prints_what_real_mindspore_prints(capsys):
    assert run_check() is None
    assert capsys.readouterr().out.splitlines() == [
        f"MindSpore version:  {ms.__version__}",
        "The result of multiplication calculation is correct, MindSpore has been installed on platform [CPU] successfully!",
    ]
    assert main(["check"]) == 0


# -- compilations that take long -----------------------------------------------------------------------------------------
@pytest.fixture
def said(monkeypatch):
    lines = []
    monkeypatch.setattr(log, "warning_at", lambda file, line, text: lines.append((Path(file).name, line, text)))
    return lines


class Slow(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = Parameter(Tensor(np.eye(3, dtype=np.float32)))

    def construct(self, x):
        for _ in range(60):
            x = x @ self.weight + x.sin()
        return x


def line_of(function) -> int:
    return function.__code__.co_firstlineno


def test_a_short_compilation_is_not_mentioned(said):
    nn.ReLU()(Tensor([1.0, 2.0]))
    assert said == []


def test_a_compilation_that_lasts_is_told_once_with_the_users_line_and_once_with_the_total(monkeypatch, said):
    monkeypatch.setattr(compile_watch, "PATIENCE", 0.005)
    Slow()(Tensor(np.eye(3, dtype=np.float32)))
    here = line_of(test_a_compilation_that_lasts_is_told_once_with_the_users_line_and_once_with_the_total) + 2
    assert [(file, line) for file, line, _ in said] == [("test_command_line.py", here)] * 2
    assert "'Slow' is being compiled for the line `Slow()(Tensor(np.eye" in said[0][2]
    assert said[1][2].startswith("'Slow' was compiled in ")


def test_a_training_step_that_is_compiled_long_names_the_users_network(monkeypatch, said):
    monkeypatch.setattr(compile_watch, "PATIENCE", 0.005)
    net = Slow()
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
    step(Tensor(np.eye(3, dtype=np.float32)), Tensor(np.eye(3, dtype=np.float32)))
    assert [text.split(" is ")[0].split(" was ")[0] for _, _, text in said] == ["'TrainOneStepCell' of 'Slow'"] * 2


def test_a_compilation_that_fails_is_not_told_as_done(monkeypatch, said):
    monkeypatch.setattr(compile_watch, "PATIENCE", 0.0)

    class Fails(Slow):
        def construct(self, x):
            return super().construct(x) + ops.zeros((7, 7))

    with pytest.raises(ValueError, match="broadcast"):
        Fails()(Tensor(np.eye(3, dtype=np.float32)))
    assert not any("was compiled" in text for _, _, text in said)


def test_what_is_told_of_a_compilation_names_the_users_line_on_stderr(capsys):
    log.warning_at("train.py", 12, "'Net' is being compiled.")
    assert "[train.py:12] 'Net' is being compiled." in capsys.readouterr().err
