"""The parallel context through ``mindspore.parallel``: the object, the helpers, the settings of the search."""

import importlib

import pytest

import mindspore as ms
from mindspore.parallel import (
    Layout,
    _cost_model_context,
    _utils,
    get_algo_parameters,
    reset_algo_parameters,
    set_algo_parameters,
)
from mindspore.parallel._auto_parallel_context import auto_parallel_context


@pytest.fixture(autouse=True)
def _clean():
    yield
    auto_parallel_context().reset()
    reset_algo_parameters()
    _cost_model_context.reset_cost_model_context()


def test_the_object_and_the_function_set_the_same_context():
    auto_parallel_context().set_gradients_mean(True)
    auto_parallel_context().set_device_num(4)
    assert ms.get_auto_parallel_context("gradients_mean") is True
    ms.set_auto_parallel_context(parallel_mode="data_parallel")
    assert auto_parallel_context().get_parallel_mode() == "data_parallel"
    assert auto_parallel_context().get_device_num_is_set() and not auto_parallel_context().get_global_rank_is_set()


def test_every_getter_answers_and_reset_restores_it():
    context = auto_parallel_context()
    getters = [name for name in dir(context) if name.startswith("get_")]
    before = {name: getattr(context, name)() for name in getters}
    context.set_parallel_mode("data_parallel")
    context.set_enable_all_reduce_fusion(True)
    context.set_all_reduce_fusion_split_sizes([4])
    assert {name: getattr(context, name)() for name in getters} != before
    context.reset()
    assert {name: getattr(context, name)() for name in getters} == before
    assert len(getters) > 40


def test_split_points_belong_to_a_group():
    context = auto_parallel_context()
    context.set_all_reduce_fusion_split_indices([5, 10])
    context.set_all_reduce_fusion_split_indices([7, 11], "hccl_world_groupsum1")
    assert (
        context.get_all_reduce_fusion_split_indices()
        == [5, 10]
        == ms.get_auto_parallel_context("all_reduce_fusion_config")
    )
    assert context.get_all_reduce_fusion_split_indices("hccl_world_groupsum1") == [7, 11]
    assert context.get_all_reduce_fusion_split_indices("another") == []


@pytest.mark.parametrize(
    ("indices", "error", "text"),
    [
        ([10, 5], ValueError, "sorted in ascending order"),
        ([5, 5], ValueError, "duplicate"),
        ((5, 10), TypeError, "must be a list"),
        (["a"], TypeError, "must be an int"),
    ],
)
def test_wrong_split_points_are_refused(indices, error, text):
    with pytest.raises(error, match=text):
        auto_parallel_context().set_all_reduce_fusion_split_indices(indices)
    assert auto_parallel_context().get_all_reduce_fusion_split_indices() == []


def test_a_network_that_stands_alone_has_one_device():
    ms.set_auto_parallel_context(device_num=8, global_rank=3)
    assert (_utils._get_device_num(), _utils._get_global_rank()) == (1, 0)
    ms.set_auto_parallel_context(parallel_mode="data_parallel")
    assert (_utils._get_device_num(), _utils._get_global_rank()) == (8, 3)
    assert _utils._is_parallel_mode() and _utils._is_in_data_parallel_mode()


def test_without_a_number_the_job_says_how_many_devices_there_are():
    ms.set_auto_parallel_context(parallel_mode="data_parallel")
    assert (_utils._get_device_num(), _utils._get_global_rank()) == (1, 0)


def test_a_pipeline_divides_the_devices_among_its_stages():
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=8, pipeline_stages=2)
    assert _utils._get_stage_device_num() == 4
    assert _utils._need_to_full()
    ms.set_auto_parallel_context(full_batch=True)
    assert not _utils._need_to_full()


def test_whole_batches_are_larger_along_the_first_axis():
    assert _utils._to_full_shapes([[2, 3], [4], []], 2) == [[4, 3], [8], []]


def test_what_does_not_fit_a_mode_is_refused():
    with pytest.raises(ValueError, match="device_number must be 1"):
        _utils._device_number_check("stand_alone", 2)
    with pytest.raises(ValueError, match="do not support parameter broadcast"):
        _utils._parameter_broadcast_check("semi_auto_parallel", True)
    _utils._parameter_broadcast_check("data_parallel", True)


def test_settings_of_the_search_are_kept_and_checked():
    set_algo_parameters(fully_use_devices=True, algo_approxi_epsilon=0.5)
    assert get_algo_parameters("fully_use_devices") is True
    with pytest.raises(ValueError, match="Set context keyword foo is not recognized!"):
        set_algo_parameters(foo=1)
    with pytest.raises(TypeError, match="'fully_use_devices' must be"):
        set_algo_parameters(fully_use_devices="yes")
    with pytest.raises(ValueError, match=r"\(0.0, 1.0\]"):
        set_algo_parameters(algo_approxi_epsilon=2.0)
    with pytest.raises(ValueError, match=r"\[1, 1024\]"):
        set_algo_parameters(tensor_slice_align_size=0)
    reset_algo_parameters()
    assert get_algo_parameters("algo_approxi_epsilon") == 0.1


def test_costs_are_kept_and_checked():
    _cost_model_context.set_cost_model_context(device_memory_capacity=32.0 * 2**30, costmodel_gamma=0.5)
    _cost_model_context._set_multi_subgraphs()
    assert _cost_model_context.get_cost_model_context("costmodel_gamma") == 0.5
    assert _cost_model_context._get_multi_subgraphs() is True
    with pytest.raises(ValueError, match="must be positive"):
        _cost_model_context.set_cost_model_context(costmodel_alpha=-1.0)
    _cost_model_context.reset_cost_model_context()
    assert _cost_model_context.get_cost_model_context("costmodel_beta") == 400.0
    assert _cost_model_context._get_multi_subgraphs() is False


def test_a_layout_numbers_axes_from_the_last():
    grid = Layout((2, 2, 2), ("dp", "sp", "mp"))
    assert grid("dp", "mp").to_dict() == {
        "device_matrix": (2, 2, 2),
        "tensor_map": (2, 0),
        "interleaved_parallel": False,
        "alias_name": ("dp", "sp", "mp"),
        "rank_list": list(range(8)),
    }
    assert grid(("dp", "sp"), "None").to_dict()["tensor_map"] == ((2, 1), -1)


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda: Layout((2, 2), ("a",)), ValueError, "same length"),
        (lambda: Layout([2, 2], ("a", "b")), TypeError, "device_matrix"),
        (lambda: Layout((2, 2), ("a", "a")), ValueError, "must differ"),
        (lambda: Layout((2, 2), ("a", "None")), ValueError, "None"),
        (lambda: Layout((2, 2), ("a", "b"), [0, 1]), ValueError, "4 different processes"),
        (lambda: Layout((2, 2), ("a", "b"))("c"), ValueError, "'c' is not found"),
        (lambda: Layout((2, 2), ("a", "b"))("a", "a"), ValueError, "more than one"),
        (lambda: Layout((2, 2), ("a", "b")).to_dict(), ValueError, "call the grid"),
    ],
)
def test_a_layout_that_cannot_be_is_refused(make, error, text):
    with pytest.raises(error, match=text):
        make()


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("mindspore.parallel", "set_algo_parameters load_distributed_checkpoint merge_sliced_parameter Layout"),
        ("mindspore.parallel._transformer", "TransformerOpParallelConfig Transformer"),
        ("mindspore.parallel._transformer.transformer", "TransformerEncoder AttentionMask"),
        ("mindspore.parallel._transformer.layers", "_LayerNorm _Linear _Dropout"),
        ("mindspore.parallel._transformer.loss", "CrossEntropyLoss"),
        ("mindspore.parallel._transformer.moe", "MoEConfig default_moe_config"),
        ("mindspore.parallel._transformer.op_parallel_config", "OpParallelConfig default_dpmp_config"),
        ("mindspore.parallel.checkpoint_transform", "transform_checkpoints merge_sliced_parameter"),
        ("mindspore.parallel.checkpoint_convert", "convert_checkpoints rank_list_for_convert"),
        ("mindspore.parallel.nn", "Pipeline PipelineCell MicroBatchInterleaved PipelineGradReducer"),
        ("mindspore.parallel.cluster.run", "main"),
    ],
)
def test_old_paths_have_their_names(path, names):
    module = importlib.import_module(path)
    for name in names.split():
        assert hasattr(module, name), f"{path}.{name}"
