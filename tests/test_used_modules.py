"""Names that programs reach through modules one would not look in: each means what it says."""

import json
import logging

import numpy as np
import pytest

import mindspore as ms
import mindspore.nn.functional as F
from mindspore import Parameter, Tensor, _c_expression, communication, log, nn, ops, train
from mindspore import dataset as ds
from mindspore.common import initializer as initializers
from mindspore.communication import management
from mindspore.dataset import vision
from mindspore.dataset.vision import c_transforms
from mindspore.nn.layer import activation
from mindspore.parallel import _utils as parallel
from mindspore.train import serialization
from mindspore.train.train_thor import dataset_helper


def rows_of(data):
    return [{name: value.item() for name, value in row.items()} for row in data.create_dict_iterator(1, True)]


def test_packages_find_themselves():
    assert ms.ms is ms and ms.ms.float32 is ms.float32
    assert ds.ds is ds and ds.ds.GeneratorDataset is ds.GeneratorDataset
    assert vision.Tensor is nn.Parameter.__mro__[1] is Tensor and nn.Parameter is Parameter


def test_functions_are_the_same_by_every_path():
    for name in ("ones", "zeros", "squeeze", "bmm", "cat"):
        assert getattr(ms, name) is getattr(ops, name)
    assert nn.sigmoid is F.sigmoid is ops.sigmoid and F.tanh is ops.tanh and F.interpolate is ops.interpolate
    assert ms.cat((ms.ones((1, 1)), ms.zeros((1, 1)))).asnumpy().tolist() == [[1], [0]]
    with pytest.raises(AttributeError, match="Did you mean 'interpolate'"):
        F.interpolat  # noqa: B018 - asking for it is the test


def test_tensors_come_from_arrays_by_three_names():
    array = np.array([1.5, 2.5], np.float32)
    for make in (ms.tensor.from_numpy, ms.from_numpy, Tensor.from_numpy):
        assert make(array).asnumpy().tolist() == [1.5, 2.5]


def test_datasets_are_iterated_and_saved_by_functions(tmp_path):
    data = ds.NumpySlicesDataset({"x": [1, 2, 3]}, shuffle=False)
    rows = ds.create_dict_iterator(data, num_epochs=1, output_numpy=True)
    assert [row["x"].item() for row in rows] == [1, 2, 3]
    ds.save(data, str(tmp_path / "rows.mindrecord"))
    assert rows_of(ds.MindDataset(str(tmp_path / "rows.mindrecord"), shuffle=False)) == [{"x": 1}, {"x": 2}, {"x": 3}]
    with pytest.raises(TypeError, match="For 'save', the 'dataset' must be 'Dataset', but got"):
        ds.save([1], "rows.mindrecord")
    with pytest.raises(TypeError, match="For 'create_dict_iterator', the 'dataset' must be"):
        ds.create_dict_iterator({"x": 1})


def test_clue_has_the_columns_of_its_task(tmp_path):
    line = {"sentence1": "a", "sentence2": "b", "label": "1"}
    (tmp_path / "afqmc.json").write_text(json.dumps(line) + "\n")
    assert rows_of(ds.CLUEDataset(str(tmp_path / "afqmc.json"), "AFQMC", "train")) == [line]


def test_colours_are_converted_by_a_mode_of_the_old_module():
    image = np.array([[[255, 0, 0]]], np.uint8)
    assert vision.ConvertColor(c_transforms.ConvertMode.COLOR_RGB2BGR)(image).tolist() == [[[0, 0, 255]]]


def test_initializers_are_found_in_nn_and_fill_by_seed():
    weight = nn.init.initializer(nn.init.Constant(3), [2]).init_data()
    assert weight.asnumpy().tolist() == [3, 3]
    first, second, third = (np.zeros((2, 3), np.float32) for _ in range(3))
    initializers.random_normal(7, first, 1.0, 0.5)
    _c_expression.random_normal(7, second, 1.0, 0.5)
    initializers.random_normal(8, third, 1.0, 0.5)
    assert np.array_equal(first, second) and not np.array_equal(first, third)
    ms.set_seed(1)
    drawn = initializers._init_random_normal(0.0, 0.02, (2, 3))
    ms.set_seed(1)
    assert np.array_equal(drawn, initializers.initializer(initializers.Normal(0.02), [2, 3]).init_data().asnumpy())
    ms.set_seed(1)
    spread = initializers._init_random_uniform(-0.07, 0.07, (2, 3))
    ms.set_seed(1)
    assert np.array_equal(spread, initializers.initializer(initializers.Uniform(0.07), [2, 3]).init_data().asnumpy())
    with pytest.raises(ValueError, match="'sigma' must not be negative"):
        initializers._init_random_normal(0.0, -1.0, (2,))


def test_checkpoints_are_saved_by_the_short_name_and_checked_before_loading(tmp_path):
    path = str(tmp_path / "net.ckpt")
    ms.save([{"name": "w", "data": Tensor([1.0, 2.0])}], path)
    assert ms.load_checkpoint(path)["w"].asnumpy().tolist() == [1, 2]
    assert serialization._check_checkpoint_param(path, "w") == (path, "w")
    with pytest.raises(ValueError, match="does not exist"):
        serialization._check_checkpoint_param(str(tmp_path / "other.ckpt"))
    with pytest.raises(TypeError, match="'filter_prefix' must be text"):
        serialization._check_checkpoint_param(path, 3)
    assert serialization.Validator.check_isinstance("dec_mode", "AES-GCM", str) == "AES-GCM"
    value = Tensor([1.0])
    assert serialization._get_merged_param_data(None, {}, "w", value, True) is value


def test_a_callback_joins_a_list_of_callbacks():
    callbacks = [train.LossMonitor()]
    last = train.TimeMonitor()
    assert train.callback.append(callbacks, last) is callbacks and callbacks[1] is last
    with pytest.raises(TypeError, match="'callbacks' must be a list"):
        train.callback.append(last, last)
    with pytest.raises(TypeError, match="'callback' must be a Callback, but got int"):
        train.callback.append(callbacks, 3)
    assert len(callbacks) == 2


def test_schedulers_and_memory_have_short_paths():
    weight = Parameter(Tensor([1.0]), name="w")
    optimizer = ms.optim.SGD([weight], lr=0.5)
    scheduler = ms.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.1)
    scheduler.step()
    assert np.allclose(float(scheduler.get_last_lr()[0]), 0.05)
    ms.cuda.empty_cache()
    with pytest.raises(AttributeError, match=r"mindspore\.hal\.is_available"):
        ms.cuda.is_available()


def test_data_for_second_order_training_comes_from_the_same_helper():
    data = ds.NumpySlicesDataset({"x": [1.0, 2.0]}, shuffle=False)
    helper = dataset_helper.DatasetHelper(data, dataset_sink_mode=False)
    assert [x.asnumpy().item() for (x,) in helper] == [1, 2]
    assert _c_expression.init_exec_dataset("train", 2, 1, [ms.float32], [[1]], [], phase="train")
    with pytest.raises(ValueError, match="got 2 types and 1 shapes"):
        _c_expression.init_exec_dataset("train", 2, 1, [ms.float32, ms.int32], [[1]], [])


def test_one_process_is_a_job_of_its_own():
    assert communication.GlobalComm is management.GlobalComm
    communication.init()
    try:
        assert management.GlobalComm.INITED and management.get_group_size() == 1
    finally:
        management.release()
    assert not management.GlobalComm.INITED
    assert (parallel._get_pipeline_stages(), parallel._get_enable_parallel_optimizer()) == (1, False)


def test_activations_are_listed_by_name():
    assert set(activation._activation.keys()) >= {"relu", "sigmoid", "softmax", "tanh"}
    assert isinstance(activation._activation["relu"](), nn.ReLU)


def test_messages_have_levels(monkeypatch):
    seen = []
    handler = logging.Handler()
    handler.emit = lambda record: seen.append(record.getMessage())
    root = log.logging.getLogger()
    monkeypatch.setattr(root, "handlers", [handler])
    root_level = root.level
    root.setLevel(logging.INFO)
    try:
        log.logging.info("started %d", 1)
        log.logging.warning("late")
    finally:
        root.setLevel(root_level)
    assert seen == ["started 1", "late"]
    log.debug("below the level: not written")
    log.info("below the level: not written")
    assert log.get_level() >= "2"
