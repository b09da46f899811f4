"""A disk that is full: the training says so, and the last good checkpoint stays."""

import contextlib
import os
import resource

import numpy as np
import pytest

import mindspore as ms
from mindspore import nn
from mindspore.train._checkpoint import background_save
from mindspore.train.callback import BackupAndRestore, CheckpointConfig, LambdaCallback, ModelCheckpoint
from tests.train.small_training import rows, small_model


@contextlib.contextmanager
def files_of_at_most(size):
    """The system refuses to write more bytes to a file, as a full disk does."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def fill_after(step):
    """A callback that lets the disk be full from the end of a step on."""
    limit = contextlib.ExitStack()

    def fill(run_context):
        if run_context.original_args().cur_step_num == step:
            background_save.wait()
            limit.enter_context(files_of_at_most(16))

    return limit, LambdaCallback(on_train_step_end=fill)


def checkpoints(folder):
    return sorted(name for name in os.listdir(folder) if not name.endswith(".meta"))


@pytest.mark.parametrize("how", [False, True, "process"])
@pytest.mark.parametrize("last", [3, 2])
def test_a_training_on_a_full_disk_raises_and_keeps_the_last_good_checkpoint(tmp_path, how, last):
    """``last``: the step after which no other one saves, so that only the end of the training can tell."""
    config = CheckpointConfig(save_checkpoint_steps=1, keep_checkpoint_max=1, async_save=how)
    limit, fill = fill_after(2)
    saver = ModelCheckpoint("net", str(tmp_path), config)
    steps = LambdaCallback(
        on_train_step_end=lambda run: run.request_stop() if run.original_args().cur_step_num == last else None
    )
    with limit, pytest.raises(OSError, match=r"net-1_\d\.ckpt.*(File too large|No space left)|File too large.*net-1_"):
        small_model().train(1, rows(), callbacks=[fill, saver, steps])
    assert checkpoints(tmp_path) == ["net-1_1.ckpt"]
    assert ms.load_checkpoint(str(tmp_path / "net-1_1.ckpt"))


def test_a_callback_that_saves_by_hand_is_waited_for(tmp_path):
    path = str(tmp_path / "own.ckpt")
    model = small_model()
    save = LambdaCallback(on_train_end=lambda run: ms.save_checkpoint(model._network, path, async_save=True))
    with files_of_at_most(16), pytest.raises(OSError, match=r"own\.ckpt.*File too large"):
        model.train(1, rows(), callbacks=[save])
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("kind", ["thread", "process"])
def test_who_saves_or_loads_next_is_told_once(tmp_path, kind):
    path, other = str(tmp_path / "net.ckpt"), str(tmp_path / "other.ckpt")
    net = nn.Dense(2, 3)
    ms.save_checkpoint(net, path)
    for again in (lambda: ms.load_checkpoint(path), lambda: ms.save_checkpoint(net, path, async_save=kind)):
        with files_of_at_most(16):
            ms.save_checkpoint(net, path, async_save=kind)
            background_save.wait()
        with pytest.raises(OSError, match=r"net\.ckpt.*saved before are as they were"):
            again()
        np.testing.assert_array_equal(ms.load_checkpoint(path)["weight"].asnumpy(), net.weight.asnumpy())
    ms.save_checkpoint(net, other, async_save=kind)
    ms.load_checkpoint(other)
    assert sorted(os.listdir(tmp_path)) == ["net.ckpt", "other.ckpt"]


def test_a_backup_on_a_full_disk_leaves_the_one_before(tmp_path):
    limit, fill = fill_after(2)
    with limit, pytest.raises(OSError, match=r"backup\.ckpt"):
        small_model().train(1, rows(), callbacks=[fill, BackupAndRestore(str(tmp_path), save_steps=1)])
    assert os.listdir(tmp_path) == ["backup.ckpt"]
    restored = small_model()
    seen = []
    note = LambdaCallback(on_train_step_end=lambda run: seen.append(run.original_args().cur_step_num))
    restored.train(1, rows(), callbacks=[BackupAndRestore(str(tmp_path)), note])
    assert seen == [2, 3]
