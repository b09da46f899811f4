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


TENSORS = textwrap.dedent("""
    #include "ms_extension/api.h"
    using ms::Tensor;
    struct Add3 : ms::pynative::PyboostRunner {
      using PyboostRunner::PyboostRunner;
      size_t CalcWorkspace() override { return inputs()[0].numel() * sizeof(int32_t); }
      void LaunchKernel() override {
        auto *spare = static_cast<int32_t *>(workspace_ptr());
        for (size_t i = 0; i < inputs()[0].numel(); i++) spare[i] = inputs()[0].data_ptr<int32_t>()[i];
        for (size_t i = 0; i < inputs()[0].numel(); i++) {
          outputs()[0].data_ptr<int32_t>()[i] = spare[i] + inputs()[1].data_ptr<int32_t>()[i] + inputs()[2].data_ptr<int32_t>()[i];
        }
      }
      static Tensor Eval(const Tensor &x, const Tensor &y, const Tensor &z) {
        Tensor out(x.data_type(), x.shape());
        std::make_shared<Add3>("Add3")->Run({x, y, z}, {out});
        return out;
      }
    };
    auto add3(const Tensor &x, const Tensor &y, const Tensor &z) {
      return ms::pynative::PyboostRunner::Call<1>(Add3::Eval, x, y, z);
    }
    std::vector<Tensor> parts(const Tensor &x, std::optional<Tensor> y, int64_t k, double f, const std::vector<int64_t> &shape) {
      auto last = y ? y->cast(ms::TypeId::kNumberTypeFloat16) : ms::ones({2});
      return {x.reshape(shape), last, ms::tensor(k), ms::tensor(std::vector<double>{f}), x.repeat_interleave(2, 0)};
    }
    PYBIND11_MODULE(MS_EXTENSION_NAME, m) {
      m.def("add3", &add3, "x + y + z", pybind11::arg("x"), pybind11::arg("y"), pybind11::arg("z"));
      m.def("parts", &parts, "", py::arg("x"), py::arg("y") = std::nullopt, py::arg("k") = 3, py::arg("f") = 0.5,
            py::arg("shape") = std::vector<int64_t>{-1});
      m.def("halves", [](const Tensor &x) { return ms::pynative::PyboostRunner::Call<2>([](const Tensor &t) { return t.chunk(2, 0); }, x); });
      m.def("nothing", []() { return Tensor(); });
    }
""")


def test_functions_of_tensors_are_called_from_python(tmp_path):
    (tmp_path / "tensors.cpp").write_text(TENSORS)
    module = ops.CustomOpBuilder("tensors", [str(tmp_path / "tensors.cpp")], "CPU", build_dir=str(tmp_path)).load()
    x, y = Tensor([1, 2], ms.int32), Tensor([5, 6], ms.int32)
    assert module.add3(x, z=y, y=x).asnumpy().tolist() == [7, 10]
    assert ms.jit(lambda a: module.add3(a, a, a) + 1)(x).asnumpy().tolist() == [4, 7]  # as Python, beside the graph
    found = module.parts(x.astype(ms.bfloat16), shape=[2, 1])
    assert [part.dtype for part in found] == [ms.bfloat16, ms.float32, ms.int64, ms.float64, ms.bfloat16]
    assert [part.shape for part in found] == [(2, 1), (2,), (), (1,), (4,)]
    assert module.parts(x, Tensor(True), 7)[1].dtype == ms.float16 and module.nothing() is None
    assert [half.item() for half in module.halves(x)] == [1, 2]
    for wrong in (
        lambda: module.add3(1, 2, 3),
        lambda: module.add3(x),
        lambda: module.parts(x, k="a"),
        lambda: module.halves(x, b=1),
    ):
        with pytest.raises(TypeError, match="incompatible function arguments"):
            wrong()
    with pytest.raises(ValueError, match="'shape' must hold"):  # an error of Python keeps its type
        module.parts(x, shape=[7])


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
