"""ProgressBar: what it shows at a terminal and elsewhere, and that it does not make the device wait."""

from __future__ import annotations

import io
import re
import time
from types import SimpleNamespace

import pytest

from mindspore import Tensor
from mindspore._engine.config import config
from mindspore.train.callback import LambdaCallback, ProgressBar, _progress_bar
from tests.train.small_training import rows, small_model, told


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def terminal(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(_progress_bar, "sys", SimpleNamespace(stderr=stream))
    monkeypatch.setenv("COLUMNS", "120")
    return stream


def drawn(stream):
    """The states of the line, one list per line."""
    return [line.split("\r")[1:] for line in stream.getvalue().replace("\x1b[K", "").split("\n")[:-1]]


def test_elsewhere_there_is_one_line_per_epoch(capsys):
    small_model().fit(2, rows(), rows(), valid_frequency=2, callbacks=ProgressBar())
    lines = capsys.readouterr().err.splitlines()
    start = r"epoch {}/2: 3 of 3 \(100%\), [\d.]+/s, took \d+ s, loss 0\.\d+"
    assert re.fullmatch(start.format(1), lines[0]) and len(lines) == 2
    assert re.fullmatch(start.format(2) + r"(, eval_loss \d\.\d+|, mae 1\.02){2}", lines[1])


def test_elsewhere_a_long_epoch_says_something_now_and_then(capsys, monkeypatch):
    monkeypatch.setattr(_progress_bar, "_LINE", 0.0)
    small_model().train(1, rows(), callbacks=ProgressBar())
    lines = capsys.readouterr().err.splitlines()
    assert [re.match(r"epoch 1/1: (\d) of 3", line)[1] for line in lines] == ["1", "2", "3"]


def test_a_terminal_has_a_bar_that_grows_and_ends_with_a_new_line(terminal, monkeypatch):
    monkeypatch.setattr(_progress_bar, "_REDRAW", 0.0)
    small_model().train(2, rows(), callbacks=ProgressBar())
    lines = drawn(terminal)
    assert len(lines) == 2 and terminal.getvalue().endswith("\n")
    assert [state[:22] for state in lines[0]] == [f"[{'=' * full:20}]" for full in (6, 13, 20, 20)]
    assert "epoch 1/2: 2 of 3 (66%)" in lines[0][1] and "loss 4.352" in lines[0][1]
    assert re.search(r"took \d+ s, loss 0\.569", lines[0][-1])


def test_a_terminal_is_not_redrawn_at_every_step(terminal, monkeypatch):
    monkeypatch.setattr(_progress_bar, "_REDRAW", 1e9)
    small_model().train(1, rows(), callbacks=ProgressBar())
    assert len(drawn(terminal)[0]) == 1


def test_what_is_drawn_over_fits_into_the_terminal_and_what_stays_is_whole(terminal, monkeypatch):
    monkeypatch.setattr(_progress_bar, "_REDRAW", 0.0)
    monkeypatch.setenv("COLUMNS", "30")
    small_model().fit(1, rows(), rows(), callbacks=ProgressBar())
    (line,) = drawn(terminal)
    assert {len(state) for state in line[:-1]} == {29} and "mae 0.4427" in line[-1]


def test_the_steps_of_an_evaluation_are_shown_in_the_line_of_the_epoch(terminal, monkeypatch):
    monkeypatch.setattr(_progress_bar, "_REDRAW", 0.0)
    small_model().fit(1, rows(), rows(), callbacks=ProgressBar())
    (line,) = drawn(terminal)
    assert [state.split("] ")[1].split(" (")[0] for state in line] == [
        *(f"epoch 1/1: {n} of 3" for n in (1, 2, 3)),
        *(f"evaluation: {n} of 3" for n in (1, 2, 3)),
        "epoch 1/1: 3 of 3",
    ]
    assert "mae 0.4427" in line[-1]


def test_an_evaluation_shows_its_metrics(capsys):
    small_model().eval(rows(), callbacks=ProgressBar())
    assert re.fullmatch(r"evaluation: 3 of 3 \(100%\), [\d.]+/s, took \d+ s, mae 1\.509\n", capsys.readouterr().err)


def test_an_error_comes_on_a_line_of_its_own(terminal, monkeypatch):
    monkeypatch.setattr(_progress_bar, "_REDRAW", 0.0)

    def fail(run_context):
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        small_model().train(1, rows(), callbacks=[ProgressBar(), LambdaCallback(on_train_step_end=fail)])
    assert terminal.getvalue().endswith("\n")


def test_only_the_first_process_shows_it(capsys, monkeypatch):
    monkeypatch.setattr(type(config.rank_id), "value", property(lambda self: 1))
    bar = ProgressBar()
    monkeypatch.undo()
    small_model().fit(1, rows(), rows(), callbacks=bar)
    assert capsys.readouterr().err == ""


def test_the_loss_is_read_only_when_it_is_shown(monkeypatch):
    reads = []
    original = Tensor.asnumpy
    monkeypatch.setattr(Tensor, "asnumpy", lambda self: (reads.append(self), original(self))[1])
    bar = ProgressBar()
    bar.on_train_epoch_begin(told())
    for step in range(1, 1001):
        bar.on_train_step_end(told(cur_step_num=step, batch_num=1000, net_outputs=Tensor(1.0)))
    assert not reads


def test_a_step_costs_little():
    bar, run = ProgressBar(), told(net_outputs=Tensor(1.0), batch_num=10**6)
    bar.on_train_epoch_begin(run)
    start = time.process_time()
    for _ in range(20_000):
        bar.on_train_step_end(run)
    assert time.process_time() - start < 0.5  # 25 microseconds a step, many times what it takes
