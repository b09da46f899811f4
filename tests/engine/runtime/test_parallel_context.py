"""The contexts of distributed training: read back, checked as a whole, reset."""

from __future__ import annotations

import pytest

from mindspore._engine.runtime import context


@pytest.fixture(autouse=True)
def _fresh_contexts():
    before = dict(context.state.__dict__)
    context.set_context(mode=context.GRAPH_MODE)
    yield
    context.reset_auto_parallel_context()
    context.reset_ps_context()
    context.state.__dict__.clear()
    context.state.__dict__.update(before)


def test_auto_parallel_context_is_read_back_and_reset():
    values = {"device_num": 8, "global_rank": 3, "gradients_mean": True, "parallel_mode": "data_parallel"}
    context.set_auto_parallel_context(**values, all_reduce_fusion_config=[85, 160], parameter_broadcast=True)
    assert {key: context.get_auto_parallel_context(key) for key in values} == values
    assert context.get_auto_parallel_context("all_reduce_fusion_config") == [85, 160]
    context.reset_auto_parallel_context()
    assert context.get_auto_parallel_context("device_num") == 1
    assert context.get_auto_parallel_context("parallel_mode") == "stand_alone"


def test_old_spellings_of_parallel_keys_are_the_same_keys():
    context.set_auto_parallel_context(mirror_mean=True, cast_before_mirror=False)
    assert context.get_auto_parallel_context("gradients_mean") is True
    assert context.get_auto_parallel_context("gradient_fp32_sync") is False
    context.set_auto_parallel_context(auto_parallel_search_mode="dynamic_programming")
    assert context.get_auto_parallel_context("search_mode") == "dynamic_programming"


def test_parallel_keys_that_belong_together_agree():
    get = context.get_auto_parallel_context
    context.set_auto_parallel_context(full_batch=True)
    assert (get("dataset_strategy"), get("full_batch_is_set")) == ("full_batch", True)
    context.set_auto_parallel_context(dataset_strategy=((1, 8), (1, 8)))
    assert get("full_batch") is False
    context.set_auto_parallel_context(strategy_ckpt_load_file="a.ckpt")
    context.set_auto_parallel_context(strategy_ckpt_config={"save_file": "b.ckpt"})
    files = {"load_file": "a.ckpt", "save_file": "b.ckpt", "only_trainable_params": True}
    assert (get("strategy_ckpt_config"), get("strategy_ckpt_save_file")) == (files, "b.ckpt")
    context.set_auto_parallel_context(comm_fusion={"allreduce": {"mode": "size", "config": 32}})
    assert get("comm_fusion")["allgather"] == {"mode": "auto", "config": None}
    context.set_auto_parallel_context(pipeline_config={"pipeline_scheduler": "gpipe"})
    assert (get("pipeline_scheduler"), get("pipeline_interleave")) == ("gpipe", False)


PARALLEL_BAD = [
    ({"parallel_mode": "foo"}, ValueError, "'parallel_mode' only support 'stand_alone', 'data_parallel'"),
    ({"parallel_mode": 3}, TypeError, "The parameter 'parallel_mode' must be <class 'str'>"),
    ({"device_num": 0}, ValueError, "greater than or equal to 1, but got 0"),
    ({"global_rank": -1}, ValueError, "in range [0, 4095], but got -1"),
    ({"global_rank": 4096}, ValueError, "in range [0, 4095], but got 4096"),
    ({"pipeline_stages": 0}, ValueError, "greater than or equal to 1, but got 0"),
    ({"gradients_mean": 1}, TypeError, "The parameter 'gradients_mean' must be <class 'bool'>, but got <class 'int'>"),
    ({"all_reduce_fusion_config": "a"}, TypeError, "The parameter 'all_reduce_fusion_config' must be <class 'list'>"),
    ({"all_reduce_fusion_config": [160, 85]}, ValueError, "must be sorted in ascending order"),
    ({"all_reduce_fusion_config": [85, 85]}, ValueError, "duplicate"),
    ({"all_reduce_fusion_config": ["a"]}, TypeError, "must be an int, but got 'a'"),
    ({"dataset_strategy": "foo"}, ValueError, "must be one of ['full_batch', 'data_parallel'], but got foo"),
    ({"dataset_strategy": (1, 2)}, TypeError, "must be 'tuple', but got 1"),
    ({"search_mode": "foo"}, ValueError, "'recursive_programming'"),
    (
        {"comm_fusion": {"foo": {}}},
        ValueError,
        "must be one of ['openstate', 'allreduce', 'allgather', 'reducescatter']",
    ),
    (
        {"comm_fusion": {"allreduce": {"mode": "zz"}}},
        ValueError,
        "must be one of ['auto', 'size', 'index'], but got 'zz'",
    ),
    ({"foo": 1}, ValueError, "Set context keyword foo is not recognized!"),
]


@pytest.mark.parametrize(("bad", "error", "text"), PARALLEL_BAD, ids=[str(row[0]) for row in PARALLEL_BAD])
def test_a_bad_parallel_value_is_explained_and_nothing_is_applied(bad, error, text):
    with pytest.raises(error) as caught:
        context.set_auto_parallel_context(**{"parameter_broadcast": True, "loss_repeated_mean": False, **bad})
    assert text in str(caught.value)
    assert context.get_auto_parallel_context("parameter_broadcast") is False
    assert context.get_auto_parallel_context("loss_repeated_mean") is True


@pytest.mark.parametrize("mode", [context.ParallelMode.SEMI_AUTO_PARALLEL, context.ParallelMode.HYBRID_PARALLEL])
def test_pynative_mode_and_a_planned_graph_exclude_each_other(mode):
    context.set_auto_parallel_context(parallel_mode=mode)
    with pytest.raises(ValueError, match=f"the parallel mode is '{mode}'"):
        context.set_context(mode=context.PYNATIVE_MODE, max_call_depth=4)
    assert (context.state.mode, context.state.max_call_depth) == (context.GRAPH_MODE, 1000)
    context.reset_auto_parallel_context()
    context.set_context(mode=context.PYNATIVE_MODE)
    with pytest.raises(ValueError, match="PyNative mode supports the parallel modes"):
        context.set_auto_parallel_context(parallel_mode=mode)
    context.set_auto_parallel_context(parallel_mode="data_parallel")


def test_reading_an_unknown_parallel_key():
    with pytest.raises(ValueError, match="Get context keyword foo is not recognized!"):
        context.get_auto_parallel_context("foo")


def test_positional_arguments_are_refused():
    for setter in (context.set_auto_parallel_context, context.set_ps_context):
        with pytest.raises(TypeError, match="too many positional arguments"):
            setter(0)


def test_parallel_mode_lists_all_five():
    assert context.ParallelMode.MODE_LIST == [
        "stand_alone",
        "data_parallel",
        "hybrid_parallel",
        "semi_auto_parallel",
        "auto_parallel",
    ]


def test_parameter_server_context():
    context.set_ps_context(enable_ps=True, client_password="secret")
    assert context.get_ps_context("enable_ps") is True
    with pytest.raises(ValueError, match="Passwords cannot be read back"):
        context.get_ps_context("client_password")
    with pytest.raises(TypeError, match="The parameter 'enable_ps' must be <class 'bool'>"):
        context.set_ps_context(enable_ps=1)
    with pytest.raises(ValueError, match="Set PS context keyword foo is not recognized!"):
        context.set_ps_context(foo=1)
    with pytest.raises(ValueError, match="Get PS context keyword foo is not recognized!"):
        context.get_ps_context("foo")
    context.reset_ps_context()
    assert context.get_ps_context("enable_ps") is False
