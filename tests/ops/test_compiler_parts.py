"""Names of ``mindspore.ops`` that MindSpore's compiler and its generated modules own, and modules built from C++ sources."""

import textwrap

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops
from mindspore.communication.tcp_store import TCPStore
from mindspore.ops import auto_generate, functional, operations
from mindspore.ops._utils import arg_handler


def test_parts_that_mean_something_do_it():
    assert ops.SliceGetItem(slice(1, 2, 3), "step") == 3 and ops.is_tensor_bool_cond(Tensor(True)) is True
    assert ops.UpdateState()(Tensor(1.0), Tensor(2.0)).item() == 1.0
    assert ops.DtypeToEnum()("Cast", "dtype", ms.float32) == 43
    with pytest.raises(ValueError, match="'start', 'stop', 'step'"):
        ops.SliceGetItem((1, 2), "step")
    with pytest.raises(TypeError, match="variable length"):
        ops.is_dynamic_sequence_element_unknown((1, 2))


def test_keys_are_dealt_to_groups(mode):
    keys = Tensor(np.arange(8), ms.int32)
    assert ops.MapUniform()(keys, 4, 2).asnumpy().tolist() == [0, 4, 1, 5, 2, 6, 3, 7]
    with pytest.raises(TypeError, match=r"MapUniform.*'input'.*Float32"):
        ops.MapUniform()(Tensor([1.5]), 4, 2)
    with pytest.raises(RuntimeError, match="'group_num' must be greater than 0, but got 0"):
        ops.MapUniform()(keys, 4, 0)


@pytest.mark.parametrize("name", ["array_reduce", "distribute", "embed", "environ_create", "ref_to_embed", "env_get"])
def test_parts_of_other_compilers_say_so_when_called(name):
    assert isinstance(getattr(ops, name), ops.Primitive)
    with pytest.raises(RuntimeError, match="MindSpore's own compiler"):
        getattr(functional, name)(Tensor(1.0))


def test_branches_of_a_data_flow_are_refused():
    with pytest.raises(NotImplementedError, match=r"GeSwitch.*if statement"):
        ops.geswitch(Tensor(1.0), Tensor(True))
    with pytest.raises(NotImplementedError, match="Merge"):
        operations.Merge()((Tensor(1.0), Tensor(2.0)))
    with pytest.raises(RuntimeError, match="PyExecute"):
        ops.PyExecute()("1 + 1", (), ())
    with pytest.raises(RuntimeError, match=r"Unsupported op \[MapCacheIdx\]"):
        ops.MapCacheIdx()(1, 2, 3, 4, 5)


def test_names_of_other_modules_are_theirs():
    assert ops.TCPStore is TCPStore and ops.arg_handler is arg_handler and functional.P is operations
    assert ops.gen_ops_prim is auto_generate.gen_ops_prim and operations.kernel is ops.kernel
    assert functional.Roll is operations.Roll and functional.array_ops is operations.array_ops
    assert ops.tensor_operator_registry.get("add") is ops.add
    assert ops.moe_distribute_dispatch is auto_generate.moe_distribute_dispatch
    with pytest.raises(AttributeError, match="no_such_name"):
        functional.no_such_name  # noqa: B018 - asking for it is the test


def test_arguments_of_a_primitive_become_attributes():
    class Scale(ops.PrimitiveWithCheck):
        @ops.prim_arg_register
        def __init__(self, factor=2):
            self.init_prim_io_names(inputs=["x"], outputs=["y"])

    assert Scale(3).factor == 3


SOURCE = textwrap.dedent("""
    #include <Python.h>
    #define TEXT_(x) #x
    #define TEXT(x) TEXT_(x)
    static PyObject *twice(PyObject *self, PyObject *x) { return PyNumber_Add(x, x); }
    static PyMethodDef methods[] = {{"twice", twice, METH_O, "x + x"}, {nullptr, nullptr, 0, nullptr}};
    static PyModuleDef module = {PyModuleDef_HEAD_INIT, TEXT(MS_EXTENSION_NAME), nullptr, -1, methods};
    PyMODINIT_FUNC PyInit_doubling() { return PyModule_Create(&module); }
""")


def test_sources_become_a_module_whose_functions_become_operators(mode, tmp_path):
    (tmp_path / "doubling.cpp").write_text(SOURCE)
    builder = ops.CustomOpBuilder("doubling", str(tmp_path / "doubling.cpp"), "CPU", build_dir=str(tmp_path / "built"))
    module = builder.load()
    twice = ops.Custom(module.twice, lambda x: x, lambda x: x, func_type="pyfunc")
    assert module.twice(21) == 42 and twice(Tensor([1.0, 2.0])).asnumpy().tolist() == [2, 4]
    assert (tmp_path / "built").is_dir()


def test_builders_say_what_is_wrong(tmp_path):
    with pytest.raises(TypeError, match="'name' must be of type str"):
        ops.CustomOpBuilder(1, "a.cpp")
    with pytest.raises(ValueError, match="'CPU' or 'Ascend', but got 'GPU'"):
        ops.CustomOpBuilder("a", "a.cpp", backend="GPU")
    with pytest.raises(ValueError, match="there are none"):
        ops.CustomOpBuilder("a", "a.cpp", backend="Ascend")
    with pytest.raises(FileNotFoundError, match=r"nothing\.cpp"):
        ops.CustomOpBuilder("a", "nothing.cpp").load()
    (tmp_path / "wrong.cpp").write_text("int f( {")
    with pytest.raises(RuntimeError, match="do not compile"):
        ops.CustomOpBuilder("a", str(tmp_path / "wrong.cpp"), build_dir=str(tmp_path)).build()
