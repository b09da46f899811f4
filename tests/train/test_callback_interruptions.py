"""Trainings that are interrupted: BackupAndRestore, OnRequestExit, TrainFaultTolerance."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import mindspore as ms
import mindspore.dataset as ds
from mindspore import nn
from mindspore.train._formats.export import load
from mindspore.train.callback import (
    BackupAndRestore,
    Callback,
    FederatedLearningManager,
    LambdaCallback,
    ModelCheckpoint,
    OnRequestExit,
    TrainFaultTolerance,
)
from mindspore.train.callback._checkpoint import CheckpointConfig
from tests.train.small_training import INPUTS, rows, small_model, weights


class Interrupt(Callback):
    """Raises after a step."""

    def __init__(self, step):
        self.step = step

    def on_train_step_end(self, run_context):
        if run_context.original_args().cur_step_num == self.step:
            raise KeyboardInterrupt


def send(step, sig=signal.SIGTERM):
    """A callback that sends this process a signal before a step."""

    def kill(run_context):
        if run_context.original_args().cur_step_num == step:
            os.kill(os.getpid(), sig)

    return LambdaCallback(on_train_step_begin=kill, on_eval_step_begin=kill)


def steps_of(model, epochs, *callbacks, **options):
    """The numbers of the steps a training takes."""
    seen = []
    note = LambdaCallback(on_train_step_end=lambda run: seen.append(run.original_args().cur_step_num))
    model.train(epochs, rows(), callbacks=[note, *callbacks], **options)
    return seen


def test_an_interrupted_training_goes_on_and_ends_the_same(tmp_path, mode):
    whole = small_model()
    whole.train(4, rows(), callbacks=[])
    with pytest.raises(KeyboardInterrupt):
        small_model().train(4, rows(), callbacks=[BackupAndRestore(str(tmp_path)), Interrupt(8)])
    assert os.listdir(tmp_path) == ["backup.ckpt"]
    resumed = small_model()
    assert steps_of(resumed, 4, BackupAndRestore(str(tmp_path))) == list(range(7, 13))
    for name, value in weights(whole).items():
        np.testing.assert_array_equal(weights(resumed)[name], value)
    assert os.listdir(tmp_path) == []


TRAINING = """
import sys
import numpy as np
import mindspore as ms
from mindspore.train.callback import BackupAndRestore, LambdaCallback
from tests.train.small_training import rows, small_model, weights
ms.set_seed(3)
model = small_model(0.01)
say = LambdaCallback(on_train_step_end=lambda run: print("step", flush=True))
model.train(12, rows(shuffle=True), callbacks=[BackupAndRestore(sys.argv[1], save_steps=2), say])
np.savez(sys.argv[2], **weights(model))
"""


def finished(folder, result, how, kill_after=None):
    """Run the training above; kill it after (steps, seconds) if told. Gives its Parameters if it came to its end."""
    command = [sys.executable, "-c", TRAINING, str(folder), str(result)]
    environment = os.environ | {"MYCELIUM_MODE": how}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        if kill_after is not None:
            for _ in range(kill_after[0]):
                process.stdout.readline()
            time.sleep(kill_after[1])
            process.kill()
        process.communicate()
        killed = process.returncode == -signal.SIGKILL
        assert process.returncode == 0 or (killed and kill_after is not None)
    return None if killed else dict(np.load(result))


@pytest.mark.heavy
@pytest.mark.parametrize("how", ["graph", "pynative"])
def test_a_training_killed_at_any_moment_ends_like_one_that_was_not(tmp_path, how):
    whole = finished(tmp_path / "whole", tmp_path / "whole.npz", how)
    random = np.random.RandomState(1)
    for number in range(50):
        folder, result = tmp_path / str(number), tmp_path / f"{number}.npz"
        moment = (random.randint(1, 35), random.rand() * 0.02)
        ended = finished(folder, result, how, moment) or finished(folder, result, how)
        for name, value in whole.items():
            np.testing.assert_array_equal(ended[name], value)


def test_a_training_interrupted_within_an_epoch_goes_on_there(tmp_path, mode):
    whole = small_model()
    whole.train(4, rows(), callbacks=[])
    with pytest.raises(KeyboardInterrupt):
        small_model().train(4, rows(), callbacks=[BackupAndRestore(str(tmp_path), save_steps=5), Interrupt(6)])
    resumed = small_model()
    assert steps_of(resumed, 4, BackupAndRestore(str(tmp_path), save_steps=5)) == list(range(6, 13))
    for name, value in weights(whole).items():
        np.testing.assert_array_equal(weights(resumed)[name], value)


def test_a_training_without_a_seed_keeps_its_order_over_several_interruptions(tmp_path):
    seen = []

    class Note(Callback):
        def on_train_step_end(self, run_context):
            seen.append(run_context.original_args().train_dataset_element[0].asnumpy()[:, 0].tolist())

    samples = np.arange(12, dtype=np.float32)

    def train(*callbacks):
        data = ds.NumpySlicesDataset({"x": np.stack([samples] * 2, 1), "y": samples[:, None]}, shuffle=True).batch(2)
        net = nn.Dense(2, 1)
        model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 1e-4))
        model.train(2, data, callbacks=[Note(), BackupAndRestore(str(tmp_path), save_steps=1), *callbacks])

    before = ds.config.get_seed()
    ds.config.set_seed(5489)  # that is: none
    try:
        for step in (2, 4, 8):
            with pytest.raises(KeyboardInterrupt):
                train(Interrupt(step))
        train()
    finally:
        ds.config.set_seed(before)
    first, second = (sorted(one for batch in seen[at : at + 6] for one in batch) for at in (0, 6))
    assert len(seen) == 12
    assert first == second == samples.tolist()


def test_a_backup_is_made_every_so_many_epochs_and_may_stay(tmp_path):
    made = []
    note = LambdaCallback(on_train_epoch_begin=lambda run: made.append(os.path.exists(tmp_path / "backup.ckpt")))
    callback = BackupAndRestore(str(tmp_path), save_freq=2, delete_checkpoint=False)
    small_model().train(4, rows(), callbacks=[callback, note])
    assert made == [False, False, True, True] and os.listdir(tmp_path) == ["backup.ckpt"]


def test_a_resumed_training_saves_checkpoints_at_the_steps_of_the_whole_one(tmp_path):
    config = CheckpointConfig(save_checkpoint_steps=4, keep_checkpoint_max=9)
    with pytest.raises(KeyboardInterrupt):
        small_model().train(4, rows(), callbacks=[BackupAndRestore(str(tmp_path)), Interrupt(8)])
    checkpoint = ModelCheckpoint("net", str(tmp_path / "files"), config)
    small_model().train(4, rows(), callbacks=[BackupAndRestore(str(tmp_path)), checkpoint])
    names = [name for name in sorted(os.listdir(tmp_path / "files")) if name.endswith(".ckpt")]
    assert names == ["net-3_2.ckpt", "net-4_3.ckpt"]  # steps 8 and 12


@pytest.mark.parametrize(
    ("arguments", "error"),
    [((3,), TypeError), (("a", "x"), TypeError), (("a", 0), ValueError), (("a", 1, 1), TypeError)],
)
def test_arguments_of_a_backup_are_checked(arguments, error, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match="'BackupAndRestore'"):
        BackupAndRestore(*arguments)
    assert os.listdir(tmp_path) == []


def test_a_signal_ends_training_after_the_step_and_saves_it(tmp_path, mode):
    before = signal.getsignal(signal.SIGTERM)
    model = small_model()
    steps = steps_of(model, 4, OnRequestExit(file_name="lenet", directory=str(tmp_path)), send(5))
    assert steps == [1, 2, 3, 4, 5] and signal.getsignal(signal.SIGTERM) is before
    assert sorted(os.listdir(tmp_path / "rank_0")) == ["lenet_train.ckpt", "lenet_train.mindir"]
    saved = ms.load_checkpoint(str(tmp_path / "rank_0" / "lenet_train.ckpt"))
    assert saved["global_step"].asnumpy() == 5 and "moments.weight" in saved
    graph = nn.GraphCell(load(str(tmp_path / "rank_0" / "lenet_train.mindir")))
    batch = ms.Tensor(INPUTS[:4])
    np.testing.assert_allclose(graph(batch).asnumpy(), model.predict(batch).asnumpy(), rtol=1e-6)


def test_a_signal_ends_an_evaluation(tmp_path):
    seen = []
    note = LambdaCallback(on_eval_step_end=lambda run: seen.append(run.original_args().cur_step_num))
    small_model().eval(rows(), callbacks=[note, OnRequestExit(save_mindir=False, directory=str(tmp_path)), send(2)])
    assert seen == [1, 2] and os.listdir(tmp_path / "rank_0") == ["Net_eval.ckpt"]


def test_a_signal_during_the_evaluation_of_fit_ends_training(tmp_path):
    seen = []
    note = LambdaCallback(
        on_train_step_end=lambda run: seen.append(run.original_args().cur_step_num),
        on_eval_step_begin=lambda run: os.kill(os.getpid(), signal.SIGINT),
    )
    exit_asked = OnRequestExit(save_mindir=False, directory=str(tmp_path), sig=signal.SIGINT)
    small_model().fit(3, rows(), rows(), callbacks=[exit_asked, note])
    assert seen == [1, 2, 3] and os.listdir(tmp_path / "rank_0") == ["Net_train.ckpt"]


def test_a_file_can_ask_for_the_same(tmp_path):
    asks = tmp_path / "config.json"
    asks.write_text("{}")
    write = LambdaCallback(
        on_train_step_begin=lambda run: (
            run.original_args().cur_step_num == 4 and asks.write_text(json.dumps({"GracefulExit": 1}))
        )
    )
    callback = OnRequestExit(False, False, directory=str(tmp_path), config_file=str(asks))
    assert steps_of(small_model(), 4, write, callback) == [1, 2, 3, 4]


def test_without_the_main_thread_there_is_a_warning(tmp_path, capsys):
    callback = OnRequestExit(directory=str(tmp_path))
    thread = threading.Thread(target=lambda: small_model().train(1, rows(), callbacks=callback))
    thread.start()
    thread.join()
    assert "not run in the main thread" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "error"),
    [({"save_ckpt": 1}, TypeError), ({"file_name": 3}, TypeError), ({"directory": 3}, TypeError), ({"sig": 3.5}, TypeError),
     ({"sig": signal.SIGKILL}, ValueError), ({"config_file": 3}, TypeError)],
)  # fmt: skip
def test_arguments_of_an_exit_request_are_checked(options, error):
    with pytest.raises(error):
        OnRequestExit(**{"directory": os.devnull, **options})


def test_a_training_that_fails_is_saved(tmp_path):
    callback = TrainFaultTolerance(str(tmp_path / "faults"))
    with pytest.raises(KeyboardInterrupt):
        small_model().train(4, rows(), callbacks=[callback, Interrupt(5)])
    assert os.listdir(tmp_path / "faults") == ["ttp_rank_0-2_2.ckpt"]
    assert ms.load_checkpoint(str(tmp_path / "faults" / "ttp_rank_0-2_2.ckpt"))["global_step"].asnumpy() == 5
    small_model().train(1, rows(), callbacks=TrainFaultTolerance(str(tmp_path / "none")))
    assert not (tmp_path / "none").exists()


def test_a_function_may_save_a_training_that_fails():
    saved = []
    callback = TrainFaultTolerance(ckpt_save_fn=lambda run, numbers: saved.append((run.mode, numbers)))
    with pytest.raises(KeyboardInterrupt):
        small_model().train(2, rows(), callbacks=[callback, Interrupt(4)])
    assert saved == [("train", {"epoch_num": 2, "step_num": 4})]
    assert TrainFaultTolerance.get_optimizer_wrapper(nn.Adam) is nn.Adam
    with pytest.raises(TypeError, match="ckpt_save_fn"):
        TrainFaultTolerance(foo=1)


def test_federated_programs_train_alone():
    model = small_model()
    assert steps_of(model, 1, FederatedLearningManager(model.train_network, 10)) == [1, 2, 3]
    with pytest.raises(TypeError, match="'model' must be 'Cell'"):
        FederatedLearningManager(model, 10)
