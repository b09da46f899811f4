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


def test_autotune_writes_a_file_that_deserialize_reads(tmp_path):
    (tmp_path / "lines.txt").write_text("a\nb\nc\n")
    ds.config.set_enable_autotune(True, str(tmp_path / "tuned"))
    try:
        data = ds.TextFileDataset(str(tmp_path / "lines.txt"), shuffle=False).batch(2)
        assert len(list(data.create_tuple_iterator(num_epochs=1, output_numpy=True))) == 2
    finally:
        ds.config.set_enable_autotune(False)
    written = json.loads((tmp_path / "tuned_0.json").read_text())
    assert written["tree"] == ds.serialize(data) and len(written["summary"]) == 2
    assert ds.compare(ds.deserialize(json_filepath=str(tmp_path / "tuned_0.json")), data)


@pytest.mark.parametrize(
    ("prefix", "error", "words"),
    [
        (1, TypeError, "must be a str"),
        ("", RuntimeError, "empty string"),
        ("no/folder", RuntimeError, "does not exist"),
    ],
)
def test_a_prefix_that_names_no_file_is_refused(prefix, error, words):
    with pytest.raises(error, match=words):
        ds.config.set_enable_autotune(True, prefix)
    assert not ds.config.get_enable_autotune()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: ds.config.set_num_parallel_workers("a"), "num isn't of type int."),
        (lambda: ds.config.set_prefetch_size(0), "within the required range (0, INT32_MAX(2147483647)]."),
        (
            lambda: ds.config.set_num_parallel_workers(100_000),
            "num_parallel_workers exceeds the boundary between 1 and",
        ),
        (lambda: ds.NumpySlicesDataset([1], num_parallel_workers=0), "num_parallel_workers exceeds the boundary"),
        (lambda: ds.NumpySlicesDataset([1], num_samples=1.5), "Argument num_samples with value 1.5 is not of type"),
        (lambda: ds.NumpySlicesDataset([1], num_shards=0, shard_id=0), "Input num_shards is not within the required"),
        (lambda: ds.NumpySlicesDataset([1]).project(["a", "a"]), "should not be same with others in column_names."),
        (lambda: ds.vision.Resize(0), "Input is not within the required interval of [1, 16777216]."),
        (lambda: ds.vision.Resize((1, 2, 3)), "Size should be a single integer or a list/tuple (h, w) of length 2."),
        (lambda: ds.vision.Pad(1, 1.5), "fill_value should be a single integer or a 3-tuple."),
        (lambda: ds.vision.Resize(3, 2), "Argument interpolation with value 2 is not of type [<enum 'Inter'>]"),
        (lambda: ds.audio.Contrast(200), "Input enhancement_amount is not within the required interval of [0, 100]."),
    ],
)
def test_refusals_hold_the_words_that_programs_search_for(call, words):
    with pytest.raises((TypeError, ValueError, RuntimeError)) as refused:
        call()
    assert words in str(refused.value)
