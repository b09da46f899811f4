"""What LossMonitor, TimeMonitor and History say and keep, and what LearningRateScheduler changes."""

from __future__ import annotations

import re

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn
from mindspore.train.callback import (
    Callback,
    FlopsUtilizationCollector,
    History,
    LambdaCallback,
    LearningRateScheduler,
    LossMonitor,
    TimeMonitor,
)
from tests.train.small_training import LOSSES, rows, small_model, told


class Break(Callback):
    """Makes the loss NaN from a step on."""

    def __init__(self, step):
        self.step = step
        self.seen = 0

    def on_train_step_begin(self, run_context):
        parameters = run_context.original_args()
        self.seen = parameters.cur_step_num
        if parameters.cur_step_num == self.step:
            parameters.network.weight.set_data(Tensor([[np.nan] * 3], ms.float32))


def lines(capsys):
    return capsys.readouterr().out.splitlines()


def test_losses_are_printed_as_real_mindspore_prints_them(capsys, mode):
    small_model().train(2, rows(), callbacks=LossMonitor())
    printed = lines(capsys)
    assert [line.split(" loss is ")[0] for line in printed] == [
        f"epoch: {epoch} step: {step}," for epoch in (1, 2) for step in (1, 2, 3)
    ]
    np.testing.assert_allclose([float(line.split()[-1]) for line in printed], LOSSES[:6], rtol=1e-5)


def test_a_loss_has_all_digits_and_one_of_several_outputs_with_its_own(capsys):
    LossMonitor().step_end(told(net_outputs=Tensor([1.3, 2.3]), cur_step_num=5, cur_epoch_num=2))
    LossMonitor().step_end(told(net_outputs=(Tensor(1.3), Tensor(True))))
    LossMonitor().step_end(told(net_outputs=2.5))
    LossMonitor().step_end(told(net_outputs=Tensor(0.5), batch_num=-1, cur_step_num=7))
    assert lines(capsys) == [
        "epoch: 2 step: 2, loss is 1.7999999523162842",
        "epoch: 1 step: 1, loss is 1.3",
        "epoch: 1 step: 1, loss is 2.5",
        "epoch: 1 step: 7, loss is 0.5",
    ]


@pytest.mark.parametrize(("times", "steps"), [(2, [2, 4, 6]), (4, [4]), (0, [])])
def test_lines_have_their_distance_across_epochs(capsys, times, steps):
    small_model().train(2, rows(), callbacks=LossMonitor(times))
    assert [line.split(",")[0] for line in lines(capsys)] == [
        f"epoch: {(step - 1) // 3 + 1} step: {(step - 1) % 3 + 1}" for step in steps
    ]


def test_a_second_training_is_counted_anew(capsys):
    monitor = LossMonitor(2)
    for _ in range(2):
        small_model().train(1, rows(), callbacks=monitor)
    assert [line.split(",")[0] for line in lines(capsys)] == ["epoch: 1 step: 2"] * 2


def test_fit_prints_the_result_of_the_evaluation_and_no_losses_of_it(capsys):
    small_model().fit(2, rows(), rows(), valid_frequency=2, callbacks=LossMonitor(3))
    printed = lines(capsys)
    assert [line.split(" loss")[0] for line in printed[:2]] == ["epoch: 1 step: 3,", "epoch: 2 step: 3,"]
    assert re.fullmatch(r"Eval result: epoch 2, metrics: \{'mae': 1\.0203\d+\}", printed[2]) and len(printed) == 3


def test_eval_prints_its_losses(capsys):
    small_model().eval(rows(), callbacks=LossMonitor())
    assert [line.split(" is ")[0] for line in lines(capsys)] == [f"epoch: 1 step: {n}, loss" for n in (1, 2, 3)]


@pytest.mark.parametrize("times", [0, 1, 4])
@pytest.mark.parametrize("step", [1, 3, 5, 6])
def test_nan_ends_training_at_most_a_step_late_and_names_its_step(step, times):
    breaker = Break(step)
    place = rf"epoch: {(step - 1) // 3 + 1} step: {(step - 1) % 3 + 1}, loss is NAN or INF"
    with pytest.raises(ValueError, match=place):
        small_model().train(2, rows(), callbacks=[breaker, LossMonitor(times)])
    assert breaker.seen - step <= (0 if times == 1 else 1)


@pytest.mark.parametrize("times", [0, 1])
def test_nan_in_the_last_step_of_an_epoch_ends_fit_before_its_evaluation(times):
    evaluated = []
    note = LambdaCallback(on_eval_step_begin=lambda run: evaluated.append(run))
    with pytest.raises(ValueError, match="epoch: 1 step: 3, loss is NAN or INF"):
        small_model().fit(2, rows(), rows(), callbacks=[Break(3), LossMonitor(times), note])
    assert not evaluated


def test_infinity_among_several_outputs_is_found():
    with pytest.raises(ValueError, match="NAN or INF"):
        LossMonitor().step_end(told(net_outputs=(Tensor(float("inf")), Tensor(True))))


def test_a_loss_that_is_not_printed_is_not_read_at_once(monkeypatch):
    read = []
    original = Tensor.asnumpy
    monkeypatch.setattr(Tensor, "asnumpy", lambda self: (read.append(self), original(self))[1])
    monitor, losses = LossMonitor(10), [Tensor(float(step)) for step in range(3)]
    for step, loss in enumerate(losses, 1):
        monitor.step_end(told(net_outputs=loss, cur_step_num=step))
        assert all(one is not loss for one in read)
    monitor.end(told())
    assert [id(one) for one in read] == [id(one) for one in losses]


@pytest.mark.parametrize(("value", "error"), [(-1, ValueError), (1.5, TypeError), (True, TypeError)])
def test_the_distance_of_lines_is_a_whole_number(value, error):
    with pytest.raises(error, match="per_print_times"):
        LossMonitor(value)


NUMBER = r"\d+\.\d{3}"


def test_times_are_printed_as_real_mindspore_prints_them(capsys):
    small_model().fit(1, rows(), rows(), callbacks=TimeMonitor())
    small_model().train(1, rows(), callbacks=TimeMonitor(data_time=True))
    printed = lines(capsys)
    epoch = rf"epoch time: {NUMBER} ms, per step time: {NUMBER} ms"
    patterns = ["Eval " + epoch, "Train " + epoch, rf"Train {epoch} \(data time: {NUMBER} ms\)"]
    assert len(printed) == 3 and all(map(re.fullmatch, patterns, printed))


def test_time_per_step_is_the_time_over_the_steps_of_an_epoch(capsys, monkeypatch):
    clock = iter([0.0, 0.0, 0.0, 10.0, 16.0])
    monkeypatch.setattr("mindspore.train.callback._time_monitor.time.perf_counter", lambda: next(clock))
    monitor = TimeMonitor()
    monitor.epoch_begin(told())
    monitor.epoch_end(told(net_outputs=Tensor(1.0)))
    assert lines(capsys) == ["Train epoch time: 6000.000 ms, per step time: 2000.000 ms"]


def test_evaluation_is_not_counted_as_training(capsys, monkeypatch):
    now = [0.0]
    monkeypatch.setattr("mindspore.train.callback._time_monitor.time.perf_counter", lambda: now[0])
    monitor = TimeMonitor()
    for part, at in (("train", 0), ("eval", 3)):
        now[0] = at
        monitor.epoch_begin(told(mode=part))
    for part, at in (("eval", 10), ("train", 12)):
        now[0] = at
        monitor.epoch_end(told(mode=part))
    assert [line.split(",")[0] for line in lines(capsys)] == [
        "Eval epoch time: 7000.000 ms",
        "Train epoch time: 5000.000 ms",
    ]


def test_steps_per_epoch_come_from_the_run_or_from_the_argument(capsys):
    for steps, given in ((3, 7), (0, 5), (-1, 5)):
        monitor = TimeMonitor(given)
        monitor.epoch_begin(told(batch_num=steps))
        monitor.epoch_end(told(batch_num=steps))
    assert len(lines(capsys)) == 3
    with pytest.raises(TypeError, match="data_size"):
        TimeMonitor().epoch_end(told(batch_num=0))


def test_a_sunk_epoch_is_one_step_of_many(capsys):
    history = History()
    callbacks = [LossMonitor(), TimeMonitor(data_time=True), history]
    small_model().train(2, rows(), callbacks=callbacks, dataset_sink_mode=True, sink_size=2)
    printed = lines(capsys)
    assert [line.split(" loss")[0] for line in printed[::2]] == ["epoch: 1 step: 2,", "epoch: 2 step: 2,"]
    assert all(
        re.fullmatch(rf"Train epoch time: {NUMBER} ms, per step time: {NUMBER} ms", line) for line in printed[1::2]
    )
    np.testing.assert_allclose(history.history["net_output"], [LOSSES[1], LOSSES[3]], rtol=1e-5)


def test_history_keeps_losses_and_metrics_by_epoch():
    history = History()
    small_model().fit(3, rows(), rows(), valid_frequency=2, callbacks=history)
    assert history.epoch == {"epoch": [1, 2, 3]} and list(history.history) == ["net_output", "mae"]
    np.testing.assert_allclose(history.history["net_output"], LOSSES[2::3], rtol=1e-5)
    np.testing.assert_allclose(history.history["mae"], [1.0203655362129211], rtol=1e-5)
    assert re.fullmatch(r"\[0\.569044\d+, 0\.63028\d+, 0\.4530\d+\]", str(history.history["net_output"]))
    small_model().train(1, rows(), callbacks=history)  # epochs are counted anew, figures go on
    assert history.epoch == {"epoch": [1]} and {k: len(v) for k, v in history.history.items()} == {
        "net_output": 4,
        "mae": 1,
    }


def test_a_function_decides_the_learning_rate_after_each_step(mode):
    asked = []
    model = small_model()
    model.train(1, rows(), callbacks=LearningRateScheduler(lambda rate, step: asked.append((rate, step)) or rate * 0.5))
    assert asked == [(0.05, 1), (0.025, 2), (0.0125, 3)]
    np.testing.assert_allclose(model._optimizer.learning_rate.asnumpy(), 0.00625)


def test_a_learning_rate_that_is_no_number_is_refused_and_nothing_changes():
    model = small_model()
    with pytest.raises(TypeError, match="must return a number, but got 'fast'"):
        model.train(1, rows(), callbacks=LearningRateScheduler(lambda rate, step: "fast"))
    np.testing.assert_allclose(model._optimizer.learning_rate.asnumpy(), 0.05)
    with pytest.raises(TypeError, match="learning_rate_function"):
        LearningRateScheduler(3)


def test_a_rate_that_follows_a_schedule_is_not_set():
    optimizer = nn.SGD(nn.Dense(1, 1).trainable_params(), nn.ExponentialDecayLR(0.1, 0.9, 2))
    scheduler = LearningRateScheduler(lambda rate, step: rate)
    with pytest.raises(ValueError, match="dynamic learning rate"):
        scheduler.step_end(told(optimizer=optimizer))
    with pytest.raises(ValueError, match="no optimizer"):
        scheduler.step_end(told(optimizer=None))


def test_lambda_callbacks_call_their_functions():
    calls = []
    hooks = ["on_train_begin", "on_train_epoch_end", "on_eval_step_end", "on_eval_end", "on_train_end"]
    functions = {name: lambda run_context, name=name: calls.append(name) for name in hooks}
    small_model().fit(1, rows(), rows(), callbacks=LambdaCallback(**functions))
    assert calls == ["on_train_begin", *["on_eval_step_end"] * 3, "on_eval_end", "on_train_epoch_end", "on_train_end"]
    with pytest.raises(TypeError, match="'on_train_end' must be a function"):
        LambdaCallback(on_train_end=3)


def test_the_operations_of_a_step_and_the_share_of_the_peak_are_printed(capsys):
    small_model().train(2, rows(), callbacks=FlopsUtilizationCollector(2, computility=1e9))
    lines = capsys.readouterr().out.splitlines()
    assert re.fullmatch(
        r"Full model flops is (\d+), Full hardware flops is \1, Shard model flops is \1, .* is \1", lines[0]
    )
    assert re.fullmatch(r"Train per step time: [\d.]+ ms, mfu:[\d.]+% hfu:[\d.]+%", lines[1])
    assert len(lines) == 3
