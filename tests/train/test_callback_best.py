"""ModelCheckpoint keeps the epoch whose monitored figure was best, and loads it again."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from mindspore import nn
from mindspore._engine.config import config
from mindspore.train import load_best
from mindspore.train.callback import (
    BackupAndRestore,
    Callback,
    CheckpointConfig,
    EarlyStopping,
    History,
    LambdaCallback,
    ModelCheckpoint,
    ReduceLROnPlateau,
    _checkpoint,
)
from tests.train.small_training import rows, small_model, told, weights


class Script(Callback):
    """Puts figures of its own into the results of evaluation, and remembers the Parameters of every epoch."""

    def __init__(self, model, values, name="score"):
        self.model, self.values, self.name, self.kept = model, values, name, {}

    def on_eval_end(self, run_context):
        args = run_context.original_args()
        args.eval_results[self.name] = self.values[args.cur_epoch_num - 1]
        self.kept[args.cur_epoch_num] = weights(self.model)


def fitted(folder, values, *callbacks, config=None, fit=(), name="score", **options):
    """Train as long as there are values; gives the checkpoint callback and the script."""
    model = small_model()
    script = Script(model, values, name)
    checkpoint = ModelCheckpoint("net", str(folder), config, monitor=name, **options)
    model.fit(len(values), rows(), rows(), callbacks=[script, checkpoint, *callbacks], **dict(fit))
    return checkpoint, script


def files(folder, suffix=".ckpt"):
    return sorted(one for one in os.listdir(folder) if one.endswith(suffix))


def assert_same(network, expected):
    for name, one in network.parameters_dict().items():
        np.testing.assert_array_equal(one.asnumpy(), expected[name])


@pytest.mark.parametrize("sink", [False, True])
def test_the_best_epoch_is_kept_and_loaded(tmp_path, mode, sink):
    checkpoint, script = fitted(
        tmp_path, [1, 3, 2, 3], mode="max", save_best_only=True, fit={"dataset_sink_mode": sink}
    )
    assert files(tmp_path) == ["net-best-1_3.ckpt", "net-best-2_3.ckpt"]
    assert checkpoint.best == 3 and checkpoint.best_ckpt_file_name == str(tmp_path / "net-best-2_3.ckpt")
    network = nn.Dense(3, 1)
    assert "moments.weight" in checkpoint.load_best(network)
    assert_same(network, script.kept[2])
    again = small_model()
    checkpoint.load_best(again.train_network, strict_load=True)  # with optimizer
    assert_same(again.train_network, script.kept[2])


@pytest.mark.parametrize(
    ("name", "direction", "options", "best"),
    [("score", "min", {}, 3), ("score", "max", {}, 4), ("score", "auto", {}, 4), ("my_loss", "auto", {}, 3),
     ("top_error", "auto", {}, 3), ("val_RMSE", "auto", {}, 3), ("score", "min", {"min_delta": 1.5}, 1),
     ("score", "max", {"min_delta": -1.5}, 4)],
)  # fmt: skip
def test_the_direction_is_said_or_judged_by_the_name(tmp_path, name, direction, options, best):
    checkpoint, _ = fitted(tmp_path, [2, 3, 1, 4], mode=direction, save_best_only=True, name=name, **options)
    assert checkpoint.best_ckpt_file_name.endswith(f"net-best-{best}_3.ckpt")


@pytest.mark.parametrize("monitor", ["mae", "eval_loss", "loss"])
def test_figures_of_the_model_can_be_monitored(tmp_path, monitor):
    seen = []
    note = LambdaCallback(
        on_train_epoch_end=lambda run: seen.append(
            run.original_args().eval_results.get(monitor, float(run.original_args().net_outputs.asnumpy()))
        )
    )
    checkpoint = ModelCheckpoint("net", str(tmp_path), monitor=monitor, save_best_only=True)
    small_model().fit(4, rows(), rows(), callbacks=[note, checkpoint])
    assert checkpoint.best == pytest.approx(min(seen)) and len(set(seen)) == 4


def test_training_alone_can_be_judged_by_its_loss(tmp_path, mode):
    checkpoint = ModelCheckpoint("net", str(tmp_path), monitor="loss", save_best_only=True)
    small_model().train(3, rows(), callbacks=checkpoint)
    assert checkpoint.best == pytest.approx(0.45309025)  # the smallest among the last losses of the epochs


def test_the_best_stays_beside_the_newest(tmp_path):
    newest = CheckpointConfig(save_checkpoint_steps=1, keep_checkpoint_max=2, monitor="score", mode="max")
    checkpoint, script = fitted(tmp_path, [1, 5, 4, 3], config=newest)
    assert files(tmp_path) == ["net-4_2.ckpt", "net-4_3.ckpt", "net-best-2_3.ckpt"]
    network = nn.Dense(3, 1)
    checkpoint.load_best(network)
    assert_same(network, script.kept[2])


def test_the_best_ones_are_kept_in_the_number_asked_for(tmp_path):
    config = CheckpointConfig(keep_checkpoint_max=2)
    fitted(tmp_path, [1, 2, 0, 3, 4, 1], config=config, save_best_only=True)
    assert files(tmp_path) == ["net-best-4_3.ckpt", "net-best-5_3.ckpt"]


@pytest.mark.parametrize("how", [True, "process"])
def test_files_written_meanwhile_are_recorded_when_they_are_complete(tmp_path, how):
    config = CheckpointConfig(keep_checkpoint_max=1, async_save=how)
    checkpoint, script = fitted(tmp_path, [1, 2, 3, 0], config=config, save_best_only=True)
    assert files(tmp_path) == ["net-best-3_3.ckpt"]
    assert json.loads((tmp_path / "net-best.json").read_text()) == {
        "monitor": "score", "mode": "max", "files": [{"path": "net-best-3_3.ckpt", "value": 3.0, "epoch": 3, "step": 3}]
    }  # fmt: skip
    network = nn.Dense(3, 1)
    checkpoint.load_best(network)
    assert_same(network, script.kept[3])


def test_a_file_that_could_not_be_written_is_not_the_best(tmp_path, monkeypatch):
    write = _checkpoint.save_checkpoint
    monkeypatch.setattr(
        _checkpoint, "save_checkpoint", lambda net, path, *rest, **options: (
            None if "best-2" in path else write(net, path, *rest, **options)
        )
    )  # fmt: skip
    config = CheckpointConfig(async_save=True)
    checkpoint, _ = fitted(tmp_path, [1, 2], config=config, save_best_only=True)
    assert checkpoint.best == 1 and checkpoint.best_ckpt_file_name.endswith("best-1_3.ckpt")


def test_a_folder_is_enough_to_load_the_best(tmp_path):
    _, first = fitted(tmp_path, [1, 5, 2], save_best_only=True)
    _, second = fitted(tmp_path, [1, 2, 4], save_best_only=True)
    network = nn.Dense(3, 1)
    load_best(str(tmp_path), network)
    assert_same(network, first.kept[2])
    load_best(str(tmp_path), network, prefix="net_1")
    assert_same(network, second.kept[3])
    with pytest.raises(FileNotFoundError, match="prefix 'other'"):
        load_best(str(tmp_path), prefix="other")
    with pytest.raises(FileNotFoundError, match="must be a folder"):
        load_best(str(tmp_path / "none"))
    fitted(tmp_path, [1], save_best_only=True, name="another")
    with pytest.raises(ValueError, match=r"different figures.*'net_2-best.json': 'another'.*'prefix'"):
        load_best(str(tmp_path))


def test_the_best_may_be_encrypted_or_safetensors(tmp_path):
    key = b"0123456789abcdef"
    config = CheckpointConfig(enc_key=key, crc_check=True)
    checkpoint, _ = fitted(tmp_path / "a", [1, 2], config=config, save_best_only=True)
    assert "weight" in checkpoint.load_best() and "weight" in load_best(str(tmp_path / "a"), dec_key=key)
    checkpoint, _ = fitted(tmp_path / "b", [1, 2], config=CheckpointConfig(format="safetensors"), save_best_only=True)
    assert checkpoint.best_ckpt_file_name.endswith("net-best-2_3.safetensors")
    assert "weight" in checkpoint.load_best() and "weight" in load_best(str(tmp_path / "b"))


def test_functions_may_give_the_names_of_the_best(tmp_path):
    checkpoint = ModelCheckpoint(
        lambda run: f"e{run.cur_epoch_num}", lambda run: str(tmp_path / "x"), monitor="loss", save_best_only=True
    )
    small_model().train(3, rows(), callbacks=checkpoint)
    assert files(tmp_path / "x") == ["e1.ckpt", "e3.ckpt"] and "weight" in load_best(str(tmp_path / "x"))


def test_the_best_is_that_of_all_trainings_with_the_callback(tmp_path):
    model = small_model()
    checkpoint = ModelCheckpoint("net", str(tmp_path), monitor="loss", save_best_only=True)
    figures = []
    note = LambdaCallback(
        on_train_epoch_end=lambda run: figures.append(run.original_args().net_outputs.asnumpy().item())
    )
    for _ in range(4):
        model.train(1, rows(), callbacks=[note, checkpoint])
    assert checkpoint.best == min(figures) < figures[-1] or figures[-1] == min(figures)
    assert files(tmp_path) == ["net-best-1_3.ckpt"]


@pytest.mark.parametrize("training", ["train", "fit"])
def test_an_unknown_figure_is_an_error_before_the_first_step(tmp_path, training):
    steps, model = [], small_model()
    model.train_network.register_forward_pre_hook(lambda cell, inputs: steps.append(1))
    data = (rows(), rows()) if training == "fit" else (rows(),)
    known = (
        r"\['eval_loss', 'mae', 'loss'\], but got 'acuracy'"
        if training == "fit"
        else r"\['loss'\].*Model.fit with a 'valid_dataset'"
    )
    with pytest.raises(ValueError, match=rf"'monitor' must be one of {known}"):
        getattr(model, training)(2, *data, callbacks=ModelCheckpoint("net", str(tmp_path), monitor="acuracy"))
    assert not steps and files(tmp_path) == []


def test_a_figure_that_no_callback_gave_is_an_error_after_the_first_evaluation(tmp_path):
    with pytest.raises(ValueError, match=r"one of \[.*'score', 'loss'\], but got 'scores'"):
        model = small_model()
        callbacks = [Script(model, [1, 2]), ModelCheckpoint("net", str(tmp_path), monitor="scores")]
        model.fit(2, rows(), rows(), callbacks=callbacks)
    with pytest.raises(ValueError, match=r"one of \['loss'\], but got 'mae'"):
        callbacks = [
            LambdaCallback(on_train_step_end=lambda run: None),
            ModelCheckpoint("net", str(tmp_path), monitor="mae"),
        ]
        small_model().train(2, rows(), callbacks=callbacks)


def test_epochs_without_evaluation_are_not_judged(tmp_path):
    checkpoint = ModelCheckpoint("net", str(tmp_path), monitor="mae", save_best_only=True)
    small_model().fit(4, rows(), rows(), valid_frequency=2, callbacks=checkpoint)
    assert files(tmp_path)[0] == "net-best-2_3.ckpt" and set(files(tmp_path)) <= {
        "net-best-2_3.ckpt",
        "net-best-4_3.ckpt",
    }


def test_what_is_no_number_is_never_the_best(tmp_path, capsys):
    checkpoint, _ = fitted(tmp_path, [float("nan"), 2, float("nan"), 1], save_best_only=True)
    assert checkpoint.best == 2
    checkpoint, _ = fitted(tmp_path / "none", [float("nan")], save_best_only=True)
    assert "ModelCheckpoint kept no best: 'score'" in capsys.readouterr().err
    with pytest.raises(RuntimeError, match="'score' was not computed yet"):
        checkpoint.load_best()


def test_without_a_monitor_there_is_no_best(tmp_path):
    checkpoint = ModelCheckpoint("net", str(tmp_path))
    assert checkpoint.best is None and checkpoint.best_ckpt_file_name == ""
    with pytest.raises(ValueError, match="must be made with 'monitor'"):
        checkpoint.load_best()
    with pytest.raises(FileNotFoundError, match="no best checkpoint in"):
        load_best(str(tmp_path))


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [({"monitor": 3}, TypeError, "monitor"), ({"monitor": ""}, ValueError, "monitor"),
     ({"monitor": "a", "mode": "best"}, ValueError, "'auto', 'min', 'max'"), ({"save_best_only": 1}, TypeError, "save_best_only"),
     ({"monitor": "a", "min_delta": "x"}, TypeError, "min_delta"), ({"mode": "max"}, ValueError, "there is no 'monitor'")],
)  # fmt: skip
@pytest.mark.parametrize("kind", [CheckpointConfig, ModelCheckpoint])
def test_how_the_best_is_chosen_is_checked_at_once(kind, options, error, text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=text):
        kind(**options)


def test_the_callback_overrules_its_config(tmp_path):
    config = CheckpointConfig(monitor="mae", mode="min")
    callback = ModelCheckpoint("net", str(tmp_path), config, save_best_only=True)
    assert callback._best.monitor == "mae" and callback._config.save_best_only and not config.save_best_only
    assert CheckpointConfig(save_best_only=True).monitor == "eval_loss"


class Interrupt(Callback):
    def __init__(self, epoch):
        self.epoch = epoch

    def on_train_epoch_begin(self, run_context):
        if run_context.original_args().cur_epoch_num == self.epoch:
            raise KeyboardInterrupt


@pytest.mark.parametrize("backup_first", [True, False])
@pytest.mark.parametrize("stopped", [3, 4])
def test_the_best_survives_an_interruption(tmp_path, backup_first, stopped):
    values, folder = [1, 5, 2, 3, 4], tmp_path / "files"

    def train(*further):
        model = small_model()
        script = Script(model, values)
        checkpoint = ModelCheckpoint("net", str(folder), monitor="score", save_best_only=True)
        backup = BackupAndRestore(str(tmp_path / "backup"))
        callbacks = [backup, script, checkpoint] if backup_first else [script, checkpoint, backup]
        model.fit(len(values), rows(), rows(), callbacks=[*callbacks, *further])
        return checkpoint, script

    with pytest.raises(KeyboardInterrupt):
        train(Interrupt(stopped))
    checkpoint, _ = train()
    assert files(folder) == ["net-best-1_3.ckpt", "net-best-2_3.ckpt"] and checkpoint.best == 5
    _, whole = fitted(tmp_path / "whole", values, save_best_only=True)
    network = nn.Dense(3, 1)
    checkpoint.load_best(network)
    assert_same(network, whole.kept[2])


def test_callbacks_of_a_resumed_training_remember_what_they_saw(tmp_path):
    values = [5, 4, 6, 6, 6, 6]

    def train(folder, *further):
        model = small_model()
        stopping = EarlyStopping("score", mode="min", patience=3, restore_best_weights=True)
        plateau, history = ReduceLROnPlateau("score", mode="min", patience=2), History()
        callbacks = [BackupAndRestore(str(folder)), Script(model, values), stopping, plateau, history, *further]
        model.fit(6, rows(), rows(), callbacks=callbacks)
        return model, stopping, history

    whole = train(tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        train(tmp_path / "parts", Interrupt(4))
    resumed = train(tmp_path / "parts")
    assert resumed[1].stopped_epoch == whole[1].stopped_epoch == 5 and resumed[1].best == 4
    assert resumed[2].epoch == whole[2].epoch and resumed[2].history == whole[2].history
    assert_same(resumed[0].train_network, weights(whole[0]))


def test_a_training_resumed_with_other_callbacks_says_that_they_begin_anew(tmp_path, capsys):
    with pytest.raises(KeyboardInterrupt):
        small_model().train(3, rows(), callbacks=[BackupAndRestore(str(tmp_path)), History(), Interrupt(2)])
    small_model().train(3, rows(), callbacks=[BackupAndRestore(str(tmp_path)), EarlyStopping("loss", patience=9)])
    assert "Saved were ['History'], there are ['EarlyStopping']" in capsys.readouterr().err


def test_callbacks_of_users_may_be_saved_with_the_training(tmp_path):
    class Counter(Callback):
        def __init__(self):
            self.steps, self.losses = 0, np.zeros(0)

        def on_train_step_end(self, run_context):
            self.steps += 1
            self.losses = np.append(self.losses, run_context.original_args().net_outputs.asnumpy())

        def state_dict(self):
            return {"steps": self.steps, "kept": {"losses": self.losses, "last": np.float32(self.losses[-1])}}

        def load_state_dict(self, state):
            self.steps, self.losses = state["steps"], state["kept"]["losses"]

    with pytest.raises(KeyboardInterrupt):
        small_model().train(3, rows(), callbacks=[BackupAndRestore(str(tmp_path)), Counter(), Interrupt(3)])
    counter, whole = Counter(), Counter()
    small_model().train(3, rows(), callbacks=[BackupAndRestore(str(tmp_path)), counter])
    small_model().train(3, rows(), callbacks=whole)
    assert counter.steps == 9
    np.testing.assert_array_equal(counter.losses, whole.losses)


KILLED = """
import os, sys
from mindspore.train.callback import BackupAndRestore, Callback, ModelCheckpoint
from tests.train.small_training import rows, small_model

class Die(Callback):
    def on_train_epoch_begin(self, run_context):
        if run_context.original_args().cur_epoch_num == int(sys.argv[2]):
            os._exit(9)

checkpoint = ModelCheckpoint("net", sys.argv[1], monitor="loss", save_best_only=True)
small_model().train(5, rows(), callbacks=[BackupAndRestore(sys.argv[1] + "/backup"), checkpoint, Die()])
print(checkpoint.best, os.path.basename(checkpoint.best_ckpt_file_name))
"""


def test_the_best_survives_a_killed_process(tmp_path):
    def run(folder, dies):
        command = [sys.executable, "-c", KILLED, str(tmp_path / folder), str(dies)]
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=os.getcwd())

    whole = ModelCheckpoint("net", str(tmp_path / "whole"), monitor="loss", save_best_only=True)
    small_model().train(5, rows(), callbacks=whole)
    assert run("parts", 4).returncode == 9
    resumed = run("parts", 0)
    assert resumed.stdout.split() == [str(whole.best), os.path.basename(whole.best_ckpt_file_name)], resumed.stderr


def test_processes_that_share_a_folder_do_not_remove_each_others_best(tmp_path, monkeypatch):
    network = nn.Dense(2, 1)
    network.init_parameters_data()

    def judge(rank, values):
        callback = ModelCheckpoint(
            "net", str(tmp_path), CheckpointConfig(keep_checkpoint_max=1), monitor="score", save_best_only=True
        )
        callback._prefix = "net"  # both began when the folder was empty
        monkeypatch.setattr(config.rank_size, "value", 2)
        monkeypatch.setattr(config.rank_id, "value", rank)
        for epoch, value in enumerate(values, 1):
            run = told(train_network=network, cur_epoch_num=epoch, eval_results={"score": value})
            callback.epoch_end(run)

    judge(0, [1, 2])
    judge(1, [1, 2, 3])
    assert files(tmp_path) == ["net-best-2_1.ckpt", "net-best-3_1.ckpt"]
    assert files(tmp_path, ".json") == ["net-best_rank_0.json", "net-best_rank_1.json"]
    assert load_best(str(tmp_path)).keys() == {"weight", "bias"}
