"""Which hooks are called, in which order, and what they are told."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn
from mindspore.train import callback as package
from mindspore.train.callback import Callback, LambdaCallback, RunContext, _callback
from mindspore.train.callback import _CallbackManager as CallbackManager
from mindspore.train.callback import _InternalCallbackParam as CallbackParam
from tests.train.small_training import rows, small_model

SHORT = ["begin", "epoch_begin", "step_begin", "step_end", "epoch_end", "end"]
STEP = ["step_begin", "step_end"]
TRAIN = {"epoch_num", "batch_num", "mode", "loss_fn", "optimizer", "parallel_mode", "device_number", "train_dataset",
         "list_callback", "train_dataset_element", "cur_step_num", "dataset_sink_mode", "train_network", "network",
         "last_save_ckpt_step", "latest_ckpt_file"}  # fmt: skip


class Recorder(Callback):
    """Notes every hook by its long name."""

    def __init__(self):
        self.calls = []

    def __enter__(self):
        self.calls.append("enter")
        return self

    def __exit__(self, *error):
        self.calls.append("exit" if error[0] is None else f"exit with {error[0].__name__}")


for hook in [f"on_{part}_{short}" for part in ("train", "eval") for short in SHORT]:
    setattr(Recorder, hook, lambda self, run_context, hook=hook: self.calls.append(hook))


def prefixed(part, names):
    return [f"on_{part}_{name}" for name in names]


def test_hooks_of_train_come_in_order(mode):
    recorder = Recorder()
    small_model().train(2, rows(), callbacks=recorder)
    epoch = ["epoch_begin", *STEP * 3, "epoch_end"]
    assert recorder.calls == ["enter", *prefixed("train", ["begin", *epoch * 2, "end"]), "exit"]


def test_hooks_of_fit_come_in_order():
    recorder = Recorder()
    small_model().fit(2, rows(), rows(), valid_frequency=2, callbacks=[recorder])
    steps = prefixed("train", ["epoch_begin", *STEP * 3])
    evaluation = prefixed("eval", ["begin", "epoch_begin", *STEP * 3, "epoch_end", "end"])
    expected = [
        "on_train_begin",
        *steps,
        "on_train_epoch_end",
        *steps,
        *evaluation,
        "on_train_epoch_end",
        "on_train_end",
    ]
    assert recorder.calls == ["enter", *expected, "exit"]


def test_hooks_of_eval_come_in_order():
    recorder = Recorder()
    small_model().eval(rows(), callbacks=recorder)
    assert recorder.calls == [
        "enter", *prefixed("eval", ["begin", "epoch_begin", *STEP * 3, "epoch_end", "end"]), "exit"
    ]  # fmt: skip


def test_callbacks_are_called_in_the_order_given_and_left_in_reverse():
    calls = []

    class Named(Callback):
        def __init__(self, name):
            self.name = name

        def __exit__(self, *error):
            calls.append(f"{self.name} left")

        def on_train_begin(self, run_context):
            calls.append(self.name)

    with CallbackManager([Named("a"), Named("b")]) as manager:
        manager.on_train_begin(RunContext({}))
    assert calls == ["a", "b", "b left", "a left"]


def test_short_names_run_in_training_and_in_evaluation():
    parts = []

    class Short(Callback):
        def step_end(self, run_context):
            parts.append(run_context.original_args().mode)

    model, short = small_model(), Short()
    model.train(1, rows(), callbacks=[short])
    model.eval(rows(), callbacks=short)
    assert parts == ["train"] * 3 + ["eval"] * 3


def test_a_long_name_replaces_the_short_one_in_its_part_only():
    calls = []

    class Both(Callback):
        def epoch_end(self, run_context):
            calls.append("short")

        def on_train_epoch_end(self, run_context):
            calls.append("long")

    small_model().fit(1, rows(), rows(), callbacks=Both())
    assert calls == ["short", "long"]


def test_fit_refuses_own_callbacks_with_short_names_alone():
    class Short(Callback):
        def step_end(self, run_context):
            pass

    class Late(Short):
        pass

    for refused in (Short(), Late()):
        with pytest.raises(ValueError, match=r"callback, \{'step_end'\} methods.*'on_train_step_end'"):
            small_model().fit(1, rows(), rows(), callbacks=[refused])
    small_model().fit(1, rows(), rows(), callbacks=[package.LossMonitor(0), package.TimeMonitor()])


def test_a_callback_may_call_the_base_class():
    calls = []

    class Polite(Callback):
        def step_end(self, run_context):
            calls.append("short")

        def on_train_step_end(self, run_context):
            super().on_train_step_end(run_context)
            calls.append("long")

    small_model().train(1, rows(), callbacks=[Polite()])
    assert calls == ["short", "long"] * 3


def test_hooks_set_on_the_object_are_called():
    calls = []
    callback = Callback()
    callback.step_end = lambda run_context: calls.append(run_context.original_args().cur_step_num)
    small_model().train(1, rows(), callbacks=[callback])
    assert calls == [1, 2, 3]


def test_hooks_nobody_overrides_are_not_called():
    manager = CallbackManager([Callback(), LambdaCallback(on_train_step_end=lambda run_context: None)])
    assert {name: len(found) for name, found in manager._hooks.items() if found} == {"on_train_step_end": 1}


def test_callbacks_are_told_what_mindspore_tells():
    seen = {}

    class Keys(Callback):
        def on_train_begin(self, run_context):
            seen["begin"] = set(run_context.original_args())

        def on_train_step_end(self, run_context):
            told = run_context.original_args()
            seen["step"] = set(told)
            seen.setdefault("numbers", []).append(
                (told.cur_epoch_num, told.cur_step_num, told.batch_num, told.epoch_num)
            )

        def on_train_epoch_end(self, run_context):
            told = run_context.original_args()
            seen["results"] = sorted(told.eval_results), sorted(told.metrics), told.mode

        def on_eval_step_end(self, run_context):
            told = run_context.original_args()
            seen.setdefault("eval", []).append((told.mode, told.cur_step_num, len(told.net_outputs)))

        def on_train_end(self, run_context):
            seen["end"] = set(run_context.original_args())

    small_model().fit(2, rows(), rows(), callbacks=Keys())
    assert seen["begin"] >= TRAIN and "cur_epoch_num" not in seen["begin"] and "net_outputs" not in seen["begin"]
    assert seen["step"] >= TRAIN | {"cur_epoch_num", "net_outputs"}
    assert seen["numbers"] == [(1 + step // 3, 1 + step, 3, 2) for step in range(6)]
    assert seen["results"] == (["eval_loss", "mae"], ["mae"], "train")
    assert seen["eval"] == [("eval", step, 3) for step in (1, 2, 3)] * 2
    assert not {"metrics", "eval_results"} & seen["end"]


def test_a_callback_may_change_parameters_and_training_sees_it(mode):
    class Zero(Callback):
        def on_train_step_begin(self, run_context):
            told = run_context.original_args()
            if told.cur_step_num == 2:
                told.network.weight.set_data(Tensor(np.zeros((1, 3)), ms.float32))
                told.network.bias.set_data(Tensor(np.zeros(1), ms.float32))

    losses = []
    keep = LambdaCallback(on_train_step_end=lambda run: losses.append(float(run.original_args().net_outputs.asnumpy())))
    small_model().train(1, rows(), callbacks=[Zero(), keep])
    second = next(iter(rows().skip(1).create_tuple_iterator(output_numpy=True)))[1]
    np.testing.assert_allclose(losses[1], (second**2).mean(), rtol=1e-6)


def test_a_callback_may_change_the_learning_rate_and_training_sees_it(mode):
    class Stop(Callback):
        def on_train_step_end(self, run_context):
            told = run_context.original_args()
            if told.cur_step_num == 1:
                told.optimizer.learning_rate.set_data(Tensor(0.0, ms.float32))
                self.weight = told.network.weight.asnumpy()

    model, stop = small_model(), Stop()
    model.train(2, rows(), callbacks=stop)
    np.testing.assert_array_equal(model._network.weight.asnumpy(), stop.weight)


@pytest.mark.parametrize("when", ["on_train_step_begin", "on_train_step_end", "on_train_epoch_end"])
def test_a_request_ends_training_in_order(when):
    recorder = Recorder()
    stop = LambdaCallback(**{when: lambda run_context: run_context.request_stop()})
    small_model().train(5, rows(), callbacks=[recorder, stop])
    steps = 3 if when == "on_train_epoch_end" else 1
    assert recorder.calls.count("on_train_step_end") == steps
    assert recorder.calls[-3:] == ["on_train_epoch_end", "on_train_end", "exit"]


def test_an_error_in_a_hook_reaches_every_exit():
    def fail(run_context):
        raise RuntimeError("mine")

    recorder = Recorder()
    with pytest.raises(RuntimeError, match="mine"):
        small_model().train(1, rows(), callbacks=[recorder, LambdaCallback(on_train_step_end=fail)])
    assert recorder.calls[-1] == "exit with RuntimeError" and "on_train_end" not in recorder.calls


def test_an_error_on_entering_leaves_those_entered():
    class Refuses(Callback):
        def __enter__(self):
            raise OSError("no")

    recorder = Recorder()
    with pytest.raises(OSError, match="no"), CallbackManager([recorder, Refuses()]):
        pass
    assert recorder.calls == ["enter", "exit with OSError"]


@pytest.mark.parametrize("wrong", [3, [3], [Callback(), "a"], Callback, [Callback]])
def test_what_is_no_callback_is_refused(wrong):
    with pytest.raises(TypeError, match="Callback"):
        CallbackManager(wrong)


def test_parameters_are_a_dict_with_attributes():
    told = CallbackParam()
    told.step = 3
    assert told["step"] == 3 and told.get("none") is None and copy.copy(told) == told and not hasattr(told, "none")
    for error in (KeyError, AttributeError):
        with pytest.raises(error, match=r"'none'.*\['step'\]"):
            _ = told.none
    with pytest.raises(TypeError, match="should be dict"):
        RunContext(3)


def test_values_are_loaded_into_the_network_that_was_set():
    network = nn.Dense(2, 1)
    package._set_cur_net(network)
    assert package._checkpoint_cb_for_save_op([{"name": "bias", "data": Tensor([5.0])}])
    np.testing.assert_array_equal(network.bias.asnumpy(), [5.0])


def test_old_spellings_are_the_same_classes():
    assert _callback._CallbackManager is CallbackManager and _callback._InternalCallbackParam is CallbackParam
    assert {"LossMonitor", "ModelCheckpoint", "SummaryCollector", "RunContext"} <= set(package.__all__)


def test_a_hook_that_a_test_replaces_in_the_base_class_is_called(monkeypatch):
    called = []
    monkeypatch.setattr(Callback, "begin", lambda self, run_context: called.append(run_context))
    with CallbackManager([Callback(), Callback()]) as manager:
        manager.begin("here")
    assert called == ["here", "here"]
