"""ModelCheckpoint: which files it writes, what is in them, which it removes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time

import numpy as np
import pytest

import mindspore as ms
from mindspore import nn
from mindspore.train.callback import Callback, CheckpointConfig, LambdaCallback, ModelCheckpoint, _CheckpointManager
from tests.train.small_training import rows, small_model, told, weights


def trained(folder, epochs=2, prefix="net", callbacks=(), **options):
    """Train with a checkpoint callback; gives it and the model."""
    callback, model = ModelCheckpoint(prefix, str(folder), CheckpointConfig(**options)), small_model()
    model.train(epochs, rows(), callbacks=[callback, *callbacks])
    return callback, model


def files(folder):
    return sorted(os.listdir(folder))


@pytest.mark.parametrize(
    ("steps", "expected"),
    [(1, ["1_2", "1_3", "2_1", "2_2", "2_3"]), (2, ["1_2", "2_1", "2_3"]), (4, ["2_1", "2_3"]), (9, ["2_3"])],
)
def test_files_are_named_by_epoch_and_step(tmp_path, steps, expected):
    callback, _ = trained(tmp_path, save_checkpoint_steps=steps)
    assert [name for name in files(tmp_path) if name.endswith(".ckpt")] == [f"net-{one}.ckpt" for one in expected]
    assert callback.latest_ckpt_file_name == str(tmp_path / "net-2_3.ckpt")


def test_graph_mode_writes_what_the_network_is(tmp_path, mode):
    trained(tmp_path, epochs=1, save_checkpoint_steps=3)
    graph = ["net-graph.meta"] if mode == ms.GRAPH_MODE else []
    assert files(tmp_path) == ["net-1_3.ckpt", *graph]
    assert all("Dense" in (tmp_path / name).read_text() for name in graph)


def test_a_file_holds_all_parameters_of_the_training_network(tmp_path):
    callback, model = trained(tmp_path, save_checkpoint_steps=3)
    found = ms.load_checkpoint(callback.latest_ckpt_file_name)
    assert list(found) == [
        "weight",
        "bias",
        "global_step",
        "learning_rate",
        "momentum",
        "moments.weight",
        "moments.bias",
    ]
    for name, value in weights(model).items():
        np.testing.assert_array_equal(found[name].asnumpy(), value)
    assert oct(os.stat(callback.latest_ckpt_file_name).st_mode & 0o777) == "0o400"


def test_the_folder_is_made_at_once(tmp_path):
    ModelCheckpoint("net", str(tmp_path / "a" / "b"))
    assert (tmp_path / "a" / "b").is_dir() and os.stat(tmp_path / "a" / "b").st_mode & 0o777 == 0o700


def test_only_the_newest_files_of_the_own_prefix_stay(tmp_path):
    others = ["other-1_1.ckpt", "network-1_1.ckpt", "net-graph.txt", "net-1_1.txt"]
    for name in others:
        (tmp_path / name).write_text("")
    trained(tmp_path, epochs=4, save_checkpoint_steps=1, keep_checkpoint_max=2)
    assert [name for name in files(tmp_path) if not name.endswith(".meta")] == sorted(
        [*others, "net-4_2.ckpt", "net-4_3.ckpt"]
    )


def test_a_prefix_in_use_gets_the_next_number(tmp_path):
    for _ in range(3):
        trained(tmp_path, epochs=1, save_checkpoint_steps=3)
    assert [name for name in files(tmp_path) if name.endswith(".ckpt")] == [
        "net-1_3.ckpt", "net_1-1_3.ckpt", "net_2-1_3.ckpt"
    ]  # fmt: skip
    (tmp_path / "net_7-1_3.safetensors").write_text("")
    assert ModelCheckpoint("net", str(tmp_path))._prefix == "net_8"
    assert ModelCheckpoint("ne", str(tmp_path))._prefix == "ne"


def test_an_old_file_goes_only_after_the_new_one_is_there(tmp_path, monkeypatch):
    present = []
    remove = os.remove
    monkeypatch.setattr(os, "remove", lambda path: (present.append(files(tmp_path)), remove(path))[1])
    ms.set_context(mode=ms.PYNATIVE_MODE)
    trained(tmp_path, epochs=1, save_checkpoint_steps=1, keep_checkpoint_max=1)
    assert present == [["net-1_1.ckpt", "net-1_2.ckpt"], ["net-1_2.ckpt", "net-1_3.ckpt"]]


def test_seconds_decide_where_steps_do_not(tmp_path, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr("mindspore.train.callback._checkpoint.time.time", lambda: now[0])
    later = LambdaCallback(on_train_step_end=lambda run: now.__setitem__(0, now[0] + 4))
    trained(tmp_path, callbacks=[later], save_checkpoint_steps=0, save_checkpoint_seconds=7)
    assert [name for name in files(tmp_path) if name.endswith(".ckpt")] == [
        "net-1_3.ckpt",
        "net-2_2.ckpt",
        "net-2_3.ckpt",
    ]


def test_one_file_per_period_stays(tmp_path, monkeypatch):
    now = [0.0]
    monkeypatch.setattr("mindspore.train.callback._checkpoint.time.time", lambda: now[0])
    later = LambdaCallback(on_train_step_end=lambda run: now.__setitem__(0, now[0] + 25))
    trained(tmp_path, epochs=3, callbacks=[later], keep_checkpoint_max=0, keep_checkpoint_per_n_minutes=1)
    # saved at 0, 25, 50 | 75, 100, 125 | 150, 175, 200 seconds: the last of each period stays
    assert [name for name in files(tmp_path) if name.endswith(".ckpt")] == [
        "net-1_3.ckpt",
        "net-2_3.ckpt",
        "net-3_3.ckpt",
    ]


def test_epoch_step_and_own_numbers_are_saved_beside_the_parameters(tmp_path):
    callback, _ = trained(
        tmp_path, save_checkpoint_steps=4, append_info=["epoch_num", "step_num", {"seed": 7, "rate": 0.5}]
    )
    found = ms.load_checkpoint(callback.latest_ckpt_file_name)
    assert {name: found[name].asnumpy().item() for name in list(found)[-4:]} == {
        "epoch_num": 2, "step_num": 6, "seed": 7, "rate": 0.5
    }  # fmt: skip


def test_words_and_tensors_are_saved_beside_the_parameters(tmp_path):
    callback, _ = trained(tmp_path, append_info=[{"name": "x", "flag": True, "mean": ms.Tensor([1.5])}])
    found = ms.load_checkpoint(callback.latest_ckpt_file_name)
    assert (found["name"], found["flag"].asnumpy(), found["mean"].asnumpy().tolist()) == ("x", True, [1.5])


@pytest.mark.parametrize("how", [True, "thread", "process"])
def test_files_written_meanwhile_are_complete_at_the_end(tmp_path, how):
    callback, model = trained(tmp_path, save_checkpoint_steps=1, keep_checkpoint_max=2, async_save=how)
    assert [name for name in files(tmp_path) if name.endswith(".ckpt")] == ["net-2_2.ckpt", "net-2_3.ckpt"]
    np.testing.assert_array_equal(
        ms.load_checkpoint(callback.latest_ckpt_file_name)["weight"].asnumpy(), model._network.weight.asnumpy()
    )


def test_files_may_be_safetensors_encrypted_or_checked(tmp_path):
    callback, _ = trained(tmp_path, epochs=1, prefix="safe", format="safetensors", save_checkpoint_steps=3)
    assert callback.latest_ckpt_file_name.endswith("safe-1_3.safetensors")
    assert "weight" in ms.load_checkpoint(callback.latest_ckpt_file_name, format="safetensors")
    key = b"0123456789abcdef"
    callback, _ = trained(tmp_path, epochs=1, prefix="secret", enc_key=key, save_checkpoint_steps=3)
    assert "weight" in ms.load_checkpoint(callback.latest_ckpt_file_name, dec_key=key)
    callback, _ = trained(tmp_path, epochs=1, prefix="summed", crc_check=True, save_checkpoint_steps=3)
    assert "weight" in ms.load_checkpoint(callback.latest_ckpt_file_name, crc_check=True)


def test_another_network_may_be_saved(tmp_path):
    callback, _ = trained(tmp_path, save_checkpoint_steps=6, saved_network=nn.Dense(5, 2, has_bias=False))
    assert [(name, one.shape) for name, one in ms.load_checkpoint(callback.latest_ckpt_file_name).items()] == [
        ("weight", (2, 5))
    ]


def test_functions_may_give_name_and_folder(tmp_path):
    callback = ModelCheckpoint(
        lambda run: f"at{run.cur_step_num}",
        lambda run: str(tmp_path / f"epoch{run.cur_epoch_num}"),
        CheckpointConfig(save_checkpoint_steps=3, keep_checkpoint_max=1),
    )
    small_model().train(2, rows(), callbacks=callback)
    assert files(tmp_path / "epoch1") == ["at3.ckpt"] and files(tmp_path / "epoch2") == ["at6.ckpt"]


def test_evaluation_saves_nothing(tmp_path):
    callback = ModelCheckpoint("net", str(tmp_path), CheckpointConfig(save_checkpoint_steps=3))
    small_model().fit(2, rows(), rows(), callbacks=callback)
    assert [name for name in files(tmp_path) if name.endswith(".ckpt")] == ["net-1_3.ckpt", "net-2_3.ckpt"]


def test_the_same_callback_serves_a_second_training(tmp_path):
    callback = ModelCheckpoint("net", str(tmp_path), CheckpointConfig(save_checkpoint_steps=2))
    for _ in range(2):
        small_model().train(1, rows(), callbacks=callback)
        for name in ("net-1_2.ckpt", "net-1_3.ckpt"):
            os.remove(tmp_path / name)


def test_a_failed_training_is_saved_where_it_failed(tmp_path):
    class Fail(Callback):
        def on_train_step_end(self, run_context):
            if run_context.original_args().cur_step_num == 5:
                raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        trained(tmp_path, callbacks=[Fail()], save_checkpoint_steps=3, exception_save=True)
    assert [name for name in files(tmp_path) if name.endswith(".ckpt")] == ["net-1_3.ckpt", "net-2_2_breakpoint.ckpt"]
    assert ms.load_checkpoint(str(tmp_path / "net-2_2_breakpoint.ckpt"))["global_step"].asnumpy() == 5
    with pytest.raises(RuntimeError, match="mine"):
        trained(tmp_path, prefix="bare", callbacks=[Fail()], save_checkpoint_steps=9)
    assert not [name for name in files(tmp_path) if name.startswith("bare-") and name.endswith(".ckpt")]


KILLED = """
import sys
from mindspore.train.callback import CheckpointConfig, LambdaCallback, ModelCheckpoint
from tests.train.small_training import rows, small_model
config = CheckpointConfig(save_checkpoint_steps=1, keep_checkpoint_max=2)
say = LambdaCallback(on_train_epoch_end=lambda run: print("epoch", flush=True))
small_model().train(100000, rows(), callbacks=[ModelCheckpoint("net", sys.argv[1], config), say])
"""


def test_a_kill_leaves_files_that_load(tmp_path):
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path)], stdout=subprocess.PIPE)
    for _ in range(5):
        process.stdout.readline()
    time.sleep(0.013)
    process.kill()
    process.communicate()
    complete = [name for name in files(tmp_path) if re.fullmatch(r"net-\d+_\d+\.ckpt", name)]
    assert 2 <= len(complete) <= 3
    for name in complete:
        assert len(ms.load_checkpoint(str(tmp_path / name))) == 7


def test_the_manager_lists_the_oldest_file_first(tmp_path):
    for number, name in enumerate(["net-2_1.ckpt", "net-1_1.ckpt", "net-10_1.ckpt", "net_1-1_1.ckpt"]):
        (tmp_path / name).write_text("")
        os.utime(tmp_path / name, (1000 + number // 2, 1000 + number // 2))
    manager = _CheckpointManager()
    manager.update_ckpoint_filelist(str(tmp_path), "net")
    assert [os.path.basename(path) for path in manager.ckpoint_filelist] == [
        "net-1_1.ckpt",
        "net-2_1.ckpt",
        "net-10_1.ckpt",
    ]
    manager.remove_oldest_ckpoint_file()
    assert manager.ckpoint_num == 2 and not (tmp_path / "net-1_1.ckpt").exists()


def test_intervals_exclude_each_other_as_in_mindspore():
    policy = CheckpointConfig(5, 60, 3, 10).get_checkpoint_policy()
    assert list(policy.values()) == [5, None, 3, None, None]
    assert CheckpointConfig(5, keep_checkpoint_max=0).keep_checkpoint_max == 1
    assert CheckpointConfig(None, 60, None, 10).get_checkpoint_policy()["keep_checkpoint_per_n_minutes"] == 10


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [({"save_checkpoint_steps": 0, "keep_checkpoint_max": 0}, ValueError, "can't be all None or 0"),
     ({"save_checkpoint_steps": -1}, ValueError, "save_checkpoint_steps"),
     ({"save_checkpoint_steps": 1.5}, TypeError, "save_checkpoint_steps"),
     ({"append_info": ["foo"]}, ValueError, "epoch_num"), ({"append_info": "epoch_num"}, TypeError, "must be list"),
     ({"append_info": [{"a": 1}, {"b": 2}]}, TypeError, "only one dict"),
     ({"append_info": [{"a": [1]}]}, TypeError, "value type"), ({"append_info": [3]}, TypeError, "strings or a dict"),
     ({"async_save": "foo"}, ValueError, "'process', 'thread'"), ({"format": "x"}, ValueError, "safetensors"),
     ({"saved_network": 3}, TypeError, "None or Cell"), ({"enc_key": "a"}, ValueError, "enc_key"),
     ({"enc_mode": "x"}, ValueError, "AES-GCM"), ({"exception_save": 1}, TypeError, "exception_save"),
     ({"integrated_save": 1}, TypeError, "integrated_save"),
     ({"crc_check": True, "format": "safetensors"}, ValueError, "defaults"),
     ({"keep_checkpoints_max": 1}, TypeError, "Did you mean 'keep_checkpoint_max'")],
)  # fmt: skip
def test_a_config_is_checked_before_training(options, error, text):
    with pytest.raises(error, match=text):
        CheckpointConfig(**options)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [((3,), ValueError), (("a/b",), ValueError), (("net", 3), TypeError), (("net", " "), ValueError),
     (("net", None, 3), TypeError)],
)  # fmt: skip
def test_a_checkpoint_callback_is_checked_before_training(arguments, error):
    with pytest.raises(error, match="'ModelCheckpoint'"):
        ModelCheckpoint(*arguments)


def test_a_loop_written_by_hand_can_use_the_callback(tmp_path):
    network = nn.Dense(2, 1)
    callback = ModelCheckpoint("net", str(tmp_path), CheckpointConfig(save_checkpoint_steps=2))
    for step in range(1, 4):
        run = told(train_network=network, cur_step_num=step, batch_num=10)
        del run.original_args()["mode"]
        callback.step_end(run)
    callback.end(run)
    assert [name for name in files(tmp_path) if name.endswith(".ckpt")] == ["net-1_2.ckpt", "net-1_3.ckpt"]
    assert run.original_args().last_save_ckpt_step == 3
