"""Settings of all pipelines."""

import json

import numpy as np
import pytest

import mindspore as ms
import mindspore.dataset as ds
from mindspore.dataset.core.validator_helpers import INT32_MAX


@pytest.fixture(autouse=True)
def restored():
    before = ds.config.get_num_parallel_workers(), ds.config.get_prefetch_size()
    yield
    ds.config.set_num_parallel_workers(before[0])
    ds.config.set_prefetch_size(before[1])
    ds.config.set_seed(5489)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("num_parallel_workers", 3),
        ("prefetch_size", 5),
        ("callback_timeout", 30),
        ("multiprocessing_timeout_interval", 60),
        ("monitor_sampling_interval", 100),
        ("autotune_interval", 10),
        ("multiprocessing_start_method", "fork"),
        ("auto_num_workers", True),
        ("numa_enable", True),
        ("enable_shared_mem", False),
        ("auto_offload", True),
        ("enable_autotune", True),
        ("enable_watchdog", False),
        ("dynamic_shape", True),
        ("fast_recovery", False),
        ("debug_mode", True),
        ("video_backend", "Ascend"),
    ],
)
def test_what_is_set_is_read_back(name, value):
    getter, setter = getattr(ds.config, f"get_{name}"), getattr(ds.config, f"set_{name}")
    before = getter()
    assert before != value
    setter(value)
    assert getter() == value
    setter(before)


def test_the_names_that_programs_call_most():
    ds.config.set_prefetch_size(8)
    ds.config.set_num_parallel_workers(2)
    ds.config.set_enable_shared_mem(False)
    ds.config.set_numa_enable(False)
    assert ds.config.get_prefetch_size() == 8 and ds.config.get_num_parallel_workers() == 2
    ds.config.set_enable_shared_mem(True)


def test_a_seed_of_the_framework_reaches_pipelines():
    ms.set_seed(11)
    assert ds.config.get_seed() == 11


def test_a_seed_reaches_numpy_too():
    ds.config.set_seed(3)
    first = np.random.rand()
    ds.config.set_seed(3)
    assert np.random.rand() == first


def test_settings_can_come_from_a_file(tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps({"seed": 21, "numParallelWorkers": 4, "opConnectorSize": 9, "other": 1}))
    ds.config.load(str(path))
    assert (ds.config.get_seed(), ds.config.get_num_parallel_workers(), ds.config.get_prefetch_size()) == (21, 4, 9)


@pytest.mark.parametrize("wrong", [0, -1, INT32_MAX + 1])
def test_numbers_out_of_range_are_refused(wrong):
    with pytest.raises(ValueError, match="num"):
        ds.config.set_num_parallel_workers(wrong)


@pytest.mark.parametrize("name", ["callback_timeout", "multiprocessing_timeout_interval"])
def test_seconds_have_a_limit(name):
    with pytest.raises(ValueError, match="2147483647"):
        getattr(ds.config, f"set_{name}")(INT32_MAX + 1)


def test_nodes_have_names_of_their_own():
    data = ds.NumpySlicesDataset([1, 2, 3])
    assert isinstance(data.batch(2), ds.BatchDataset) and isinstance(data.repeat(2), ds.RepeatDataset)
    assert ds.Shuffle.FILES == "files" and ds.engine.datasets.Dataset is ds.Dataset


def test_names_by_their_modules():
    assert ds.engine.datasets_vision.ImageFolderDataset is ds.ImageFolderDataset
    assert ds.vision.Border.CONSTANT is ds.vision.utils.Border.CONSTANT
