"""Paths inside MindSpore that programs import from, and small functions of ``mindspore.common``."""

import importlib
import pickle
import weakref

import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore._utils.compat import recorded_names
from mindspore.common import api, hook_handle
from mindspore.ops import auto_generate, primitive
from mindspore.ops._primitive_cache import _get_cache_prim
from mindspore.ops.auto_generate import gen_ops_def, gen_ops_prim
from mindspore.ops.composite import multitype_ops as m
from tests.sampling import every


def test_a_primitive_is_made_once_for_the_same_arguments():
    mean = _get_cache_prim(ops.ReduceMean)(True)
    assert mean is _get_cache_prim(ops.ReduceMean)(True) is not _get_cache_prim(ops.ReduceMean)(False)
    assert mean(Tensor([1.0, 3.0])).asnumpy().tolist() == [2]
    with pytest.raises(
        TypeError, match="'keep_dims' must be a bool, but got 1"
    ):  # 1 == True, and still another argument
        _get_cache_prim(ops.ReduceMean)(1)
    assert _get_cache_prim(ops.Transpose)() is _get_cache_prim(ops.Transpose)()
    with pytest.raises(TypeError, match="'cls' must be a Primitive class"):
        _get_cache_prim(print)


def test_operators_are_found_where_mindspore_generates_them():
    assert auto_generate.Add is gen_ops_prim.Add is ops.Add and auto_generate.add is gen_ops_def.add is ops.add
    with pytest.raises(AttributeError, match="has no attribute 'Addd'"):
        auto_generate.Addd  # noqa: B018 - asking for it is the test


def test_operators_of_python_work_on_all_kinds_of_values():
    x = Tensor([1.0, 2.0])
    assert m.add(x, 1).asnumpy().tolist() == [2, 3] and m.add((1,), (2,)) == (1, 2)
    assert (m.sub(3, 1), m.mul(2, 3), m.div(1, 2), m.floordiv(7, 2), m.mod(7, 2), m.pow_(2, 3)) == (2, 6, 0.5, 3, 1, 8)
    assert m.in_(1, (1, 2)) and m.not_in_(3, (1, 2)) and m.logical_and(1, 2) == 2 and m.logical_or(0, 3) == 3
    assert m.logical_not(0) and m.logical_not(Tensor([True])).asnumpy().tolist() == [False]
    assert m.logical_and(Tensor([True]), True).asnumpy().tolist() == [True]
    assert m.setitem([1, 2], 0, 5) == [5, 2] and m.getitem((1, 2), 1) == 2
    zeros, number = m.zeros_like((x, 3))
    assert zeros.asnumpy().tolist() == [0, 0] and number == 0 and m.ones_like(2.5) == 1.0
    path = "mindspore.ops.composite.multitype_ops.zeros_like_impl"
    assert importlib.import_module(path).zeros_like is m.zeros_like


def test_networks_are_compiled_by_the_executor():
    net = nn.ReLU()
    assert api._cell_graph_executor.compile(net, Tensor([-1.0]), phase="train") == ("train", True) and net.compiled
    assert api._executor.run(net, Tensor([-1.0, 2.0])).asnumpy().tolist() == [0, 2]
    assert primitive._run_op(ops.Add(), "Add", (Tensor(1.0), Tensor(2.0))).asnumpy() == 3
    assert primitive._primexpr(lambda shape: shape[0] * 2)((3,)) == 6


def test_handles_of_hooks_have_a_class():
    assert isinstance(Tensor(1.0).register_hook(print), hook_handle._TensorHookHandle)
    assert isinstance(nn.ReLU().register_forward_hook(lambda *_: None), hook_handle.HookHandle)


def test_what_other_back_ends_would_do_is_told():
    assert ms.get_current_device() == (ms.get_context("device_target"), ms.get_context("device_id"))
    assert ms.mindio_preload("net.ckpt") is False
    net = nn.SequentialCell(nn.ReLU())
    ms.set_dump(net)
    assert net[0].get_flags()["dump"] is True
    with pytest.raises(ValueError, match='"target" parameter must be an instance of Cell or Primitive'):
        ms.set_dump(1)
    with pytest.raises(ValueError, match="'data_block_pool_capacity_in_gb' must be"):
        ms.set_mindio_server_info(0)


def test_dropped_memory_is_given_back():
    class Circle:
        pass

    one = Circle()
    one.itself, one.tensor = one, Tensor([1.0])
    seen = weakref.ref(one.tensor)
    del one
    ms.ms_memory_recycle()
    assert seen() is None


def test_a_function_of_two_packages_is_the_one_that_chooses_an_axis():
    softmax = importlib.import_module("mindspore.ops.function.nn_func").softmax_ext
    assert softmax(Tensor([[0.0, 0.0]])).asnumpy().tolist() == [[0.5, 0.5]]


def test_names_that_modules_of_mindspore_also_have_are_found():
    conv = importlib.import_module("mindspore.nn.layer.conv")
    assert conv.Tensor is Tensor and conv.Validator is importlib.import_module("mindspore._checkparam")
    from_path = importlib.import_module("mindspore.mint.optim.adamw").AdamW
    assert from_path is importlib.import_module("mindspore.mint.optim").AdamW
    assert getattr(ms, "FileWriter") is importlib.import_module("mindspore.mindrecord").FileWriter  # noqa: B009
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        conv.nothing_of_the_kind  # noqa: B018 - asking for it is the test
    with pytest.raises(ModuleNotFoundError, match="nothing_of_the_kind"):
        importlib.import_module("mindspore.nn.nothing_of_the_kind")


def test_parts_of_another_implementation_say_so_when_used():
    adam = importlib.import_module("mindspore.nn.optim.adam")
    with pytest.raises(NotImplementedError, match=r"'mindspore.nn.optim.adam._run_opt_with_one_number' is a part of"):
        adam._run_opt_with_one_number(1)

    class Checked(importlib.import_module("mindspore._extends.ast_checker").AstChecker):
        pass

    with pytest.raises(NotImplementedError, match="XLA executes the public API"):
        Checked()
    table = importlib.import_module("mindspore.ops._op_impl.aicpu.abs").abs_op_info
    for use in (lambda: table["a"], lambda: len(table), lambda: list(table), lambda: table.get, lambda: Checked.check):
        with pytest.raises(NotImplementedError, match="is a part of MindSpore's own implementation"):
            use()
    assert not hasattr(table, "get") and repr(table) == "<mindspore.ops._op_impl.aicpu.abs.abs_op_info>"


@pytest.mark.parametrize(
    "path, name",
    [
        ("mindspore.ops._op_impl.aicpu.abs", "abs_op_info"),
        ("mindspore.ops._op_impl.aicpu.abs", "_abs_aicpu"),
        ("mindspore.rewrite.parsers.if_parser", "IfParser"),
        ("mindspore.profiler.common.exceptions.exceptions", "ProfilerPathErrorException"),
        ("mindspore._c_dataengine", "StatusCode"),
    ],
)
def test_what_stands_in_is_pickled_by_its_path(path, name):
    part = getattr(importlib.import_module(path), name)
    assert pickle.loads(pickle.dumps(part)) is part


def test_errors_and_enumerations_work():
    errors = importlib.import_module("mindspore.profiler.common.exceptions.exceptions")
    with pytest.raises(errors.ProfilerPathErrorException, match="here"):
        raise errors.ProfilerPathErrorException("here")
    code = importlib.import_module("mindspore._c_dataengine").StatusCode
    assert [one.name for one in code] == ["MD_PY_FUNC_EXCEPTION"] and code(code.MD_PY_FUNC_EXCEPTION.value)


def test_modules_of_other_back_ends_are_imported_as_any():
    names = {}
    exec("from mindspore.ops._op_impl.aicpu.abs import *", names)
    assert names["AiCPURegOp"] is ops.AiCPURegOp and "abs_op_info" in names and "_abs_aicpu" not in names
    exec("import mindspore.ops._op_impl.akg.ascend.abs as kernel", names)
    assert names["kernel"] is importlib.import_module("mindspore.ops._op_impl.akg").ascend.abs
    assert "op_info" in dir(names["kernel"]) and not hasattr(names["kernel"], "op_infos")
    with pytest.raises(ModuleNotFoundError, match="no_such_operator"):
        importlib.import_module("mindspore.ops._op_impl.aicpu.no_such_operator")


def test_functions_keep_their_places_when_modules_of_their_names_are_imported():
    inner = importlib.import_module("mindspore.tools.stress_detect")
    importlib.import_module("mindspore.run_check._check_version")

    assert inner.stress_detect is ms.tools.stress_detect is ms.utils.stress_detect is not inner
    assert not isinstance(ms.run_check, type(ms)) and ms.run_check.__module__ == "mindspore.run_check"


def test_every_recorded_name_is_found():
    private_paths = importlib.import_module("mindspore._utils.compat.private_paths")
    names, kernels = recorded_names.private_names(), recorded_names.kernel_names()
    missing = []
    for path, sources in every(4, [*names.items(), *kernels.items()]):
        module = importlib.import_module(path)
        if getattr(vars(module).get("__getattr__"), "__module__", "") != private_paths.__name__:
            private_paths.extend(module)  # pytest loads modules whose examples it runs by a loader of its own
        for entry in " ".join(sources.values()).split():
            name, _, meant = entry.partition("=")
            if not hasattr(module, name) and meant not in ("dill", "astunparse"):  # of no use without these libraries
                missing.append(f"{path}.{entry}")
    assert len(names) + len(kernels) > 1300 and missing == []


def test_paths_of_the_first_versions_hold():
    assert importlib.import_module("mindspore.train.parallel_utils").ParallelMode.STAND_ALONE == "stand_alone"
    datasets = importlib.import_module("mindspore.dataset.engine.datasets")
    assert datasets.MindDataset is importlib.import_module("mindspore.dataset").MindDataset
    with pytest.raises(AttributeError, match="NoDataset"):
        datasets.NoDataset  # noqa: B018 - asking for it is the test


def test_recorded_constants_name_no_places_of_a_machine():
    names = recorded_names.private_names()
    values = " ".join(sources.get("value", "") for sources in names.values()).split()
    assert [value for value in values if '="/' in value] == ['LOCK_FILE_DIR="/tmp/mindspore_dataset_locks"']
