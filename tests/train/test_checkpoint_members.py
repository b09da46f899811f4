"""Members of ModelCheckpoint and CheckpointConfig that callbacks of libraries build on."""

import os

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore import nn, save_checkpoint
from mindspore.train import CheckpointConfig, Model, ModelCheckpoint


class OwnSave(ModelCheckpoint):
    """Saves in its own way, as callbacks of mindformers do."""

    def _save_ckpt(self, cb_params, force_to_save=False):
        if cb_params.cur_step_num == self._last_triggered_step:
            return
        if self._need_flush_from_cache:
            self._flush_from_cache(cb_params)
        if not self._check_save_ckpt(cb_params, force_to_save):
            return
        self._manager.update_ckpoint_filelist(self._directory, self._prefix)
        if self._manager.ckpoint_num >= self._config.keep_checkpoint_max:
            self._manager.remove_oldest_ckpoint_file()
        self._append_dict["step_num"] = self._append_step_num + cb_params.cur_step_num
        path = os.path.join(self._directory, f"{self._prefix}-1_{cb_params.cur_step_num}.ckpt")
        save_checkpoint(cb_params.train_network, path, append_dict=self._append_dict)
        self._last_triggered_step = cb_params.cur_step_num


def test_a_subclass_saves_in_its_own_way(tmp_path):
    rows = ds.NumpySlicesDataset({"x": np.ones((6, 2), np.float32), "y": np.ones((6, 1), np.float32)}, shuffle=False)
    config = CheckpointConfig(2, keep_checkpoint_max=2, append_info=[{"step_num": 10}])
    callback = OwnSave("own", str(tmp_path), config)
    net = nn.Dense(2, 1)
    Model(net, nn.MSELoss(), nn.SGD(net.trainable_params())).train(1, rows.batch(1), callback, dataset_sink_mode=False)
    assert sorted(name for name in os.listdir(tmp_path) if name.endswith(".ckpt")) == ["own-1_4.ckpt", "own-1_6.ckpt"]
    assert callback._append_dict["step_num"] == 16
    assert (callback._get_last_trigger_step(), callback._get_save_checkpoint_steps()) == (6, 2)


def test_what_a_configuration_was_given_stays():
    config = CheckpointConfig(save_checkpoint_steps=3, integrated_save=False)
    assert (config.save_checkpoint_steps, config.save_checkpoint_seconds, config.integrated_save) == (3, None, False)
    assert isinstance(CheckpointConfig.saved_network, property)
    with pytest.raises(AttributeError):
        config.save_checkpoint_steps = 4
