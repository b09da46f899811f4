"""Where programs of every version find names, and what they are told when a name does not exist."""

import importlib
import subprocess
import sys

import pytest

import mindspore as ms
from mindspore import ops
from mindspore._engine.operator.registry import FUNCTIONS, PRIMITIVES


def test_every_operator_is_public_under_all_of_its_names():
    operations, functional = ms.ops.operations, ms.ops.functional
    for name, function in FUNCTIONS.items():
        assert getattr(ops, name) is getattr(functional, name) is getattr(ms.ops.function, name) is function
    for name, primitive in PRIMITIVES.items():
        assert getattr(operations, name) is primitive
        assert getattr(ops, name) is FUNCTIONS.get(name, primitive)  # of one name, ops has the function


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("mindspore.common.tensor", "Tensor"),
        ("mindspore.common.parameter", "Parameter ParameterTuple"),
        ("mindspore.common.dtype", "float32 bool_ number_type dtype_to_nptype pytype_to_dtype tensor_type"),
        ("mindspore.common.seed", "set_seed get_seed _get_graph_seed"),
        ("mindspore.common.api", "ms_function jit jit_class"),
        ("mindspore.common.initializer", "initializer Normal"),
        (
            "mindspore.common",
            "Tensor Parameter ParameterTuple set_seed dtype initializer ms_function float32 int32 JitConfig",
        ),
        ("mindspore.ops", "operations functional composite P F C Primitive constexpr GradOperation HyperMap grad"),
        ("mindspore.ops.primitive", "Primitive PrimitiveWithInfer prim_attr_register constexpr"),
        ("mindspore.ops.operations", "Add TensorAdd Primitive Assign Shape HookBackward InsertGradientOf"),
        ("mindspore.ops.operations.nn_ops", "Print"),
        ("mindspore.ops.functional", "add tensor_add depend partial shape stop_gradient grad"),
        ("mindspore.ops.composite", "GradOperation HyperMap Map MultitypeFuncGraph add_flags clip_by_global_norm"),
        ("mindspore.ops.function.array_func", "shape"),
        ("mindspore.context", "set_context GRAPH_MODE PYNATIVE_MODE ParallelMode"),
        (
            "mindspore",
            "Tensor Parameter dtype context ops set_seed GRAPH_MODE float32 float bool ms_function jit grad vjp",
        ),
    ],
)
def test_old_and_new_paths_have_their_names(path, names):
    module = importlib.import_module(path)
    for name in names.split():
        assert hasattr(module, name), f"{path}.{name}"


def test_dtype_is_a_module_and_tensor_a_function():
    from mindspore import dtype as mstype  # noqa: PLC0415 - the statement is what is tested
    from mindspore.common import dtype as common_dtype  # noqa: PLC0415

    assert mstype is common_dtype and mstype.float32 is ms.float32 is ms.common.float32
    assert ms.tensor([1], ms.int8).dtype == ms.int8
    assert mstype.type_size_in_bytes(ms.float64) == 8


def test_version_survives_what_programs_do_with_it():
    assert [int(part) for part in ms.__version__.split(".")[:3]] >= [2, 0, 0]
    assert ms.__version__ >= "2.0"
    assert ms.mycelium_version.count(".") == 2


@pytest.mark.parametrize(
    ("module", "name", "hint"),
    [
        (ops, "TensorAddd", "Did you mean 'TensorAdd'?"),
        (ops, "redcue_mean", "Did you mean 'reduce_mean'?"),
        (ops, "Sum", "ops.ReduceSum"),
        (ops.operations, "ReduceMeen", "Did you mean 'ReduceMean'?"),
        (ops.functional, "sqaure", "Did you mean 'square'?"),
        (ops.composite, "HyperMapp", "Did you mean 'HyperMap'?"),
        (ms, "Tensorr", "Did you mean 'Tensor'?"),
        (ms, "no_grad", "ops.stop_gradient"),
        (ms, "LongTensor", "mindspore.int64"),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest_one(module, name, hint):
    with pytest.raises(AttributeError) as caught:
        getattr(module, name)
    assert str(caught.value).startswith(f"module '{module.__name__}' has no attribute '{name}'.")
    assert hint in str(caught.value)


def test_an_unknown_name_in_an_import_is_an_import_error():
    with pytest.raises(ImportError, match="cannot import name 'Addd'"):
        exec("from mindspore.ops import Addd")
    with pytest.raises(ImportError, match="Addd"):
        exec("from mindspore.ops.operations.math_ops import Addd")


def test_a_primitive_of_ones_own_keeps_its_attributes():
    class Scale(ops.PrimitiveWithInfer):
        @ops.prim_attr_register
        def __init__(self, factor, bias=1):
            self.doubled = factor * 2

    scale = Scale(3)
    assert (scale.factor, scale.bias, scale.doubled, scale.name) == (3, 1, 6, "Scale")
    assert repr(scale) == "Prim[Scale]<factor=3, bias=1>"
    with pytest.raises(RuntimeError, match=r"Unsupported op \[Scale\]"):
        scale(ms.Tensor(1.0))


# Spellings in public programs that no MindSpore ever had, and what the program is told to write.
MISSPELLED = {
    "mindspore.nn.Sequential": "nn.SequentialCell",
    "mindspore.ops.Sum": "ops.ReduceSum",
    "mindspore.nn.init.constant_": "Constant(value)",
    "mindspore.nn.init.kaiming_normal_": "HeNormal()",
    "mindspore.nn.init.normal_": "mindspore.common.initializer",
    "mindspore.nn.init.xavier_uniform_": "XavierUniform()",
    "mindspore.nn.Relu": "nn.ReLU",
    "mindspore.nn.BCEloss": "nn.BCELoss",
    "mindspore.nn.UpsamplingBilinear2d": "nn.Upsample(",
    "mindspore.nn.ConvTranspose2d": "nn.Conv2dTranspose",
    "mindspore.nn.ConvTranspose3d": "nn.Conv3dTranspose",
    "mindspore.nn.DataParallel": "set_auto_parallel_context",
    "mindspore.nn.Module": "nn.Cell",
    "mindspore.nn.utils.clip_grad_norm": "ops.clip_by_global_norm",
    "mindspore.nn.optim.SparseAdam": "nn.LazyAdam",
    "mindspore.no_grad": "ops.stop_gradient",
    "mindspore.LongTensor": "mindspore.Tensor(data, mindspore.int64)",
    "mindspore.FloatTensor": "mindspore.Tensor(data, mindspore.float32)",
    "mindspore.autograd": "mindspore.grad",
    "mindspore.dataset.vision.ComposeOp": "mindspore.dataset.transforms.Compose",
    "mindspore.dataset.transforms.vision.py_transforms.ComposeOp": "transforms.py_transforms.Compose",
    "mindspore.ops.concatcat": "ops.concat",
}


@pytest.mark.parametrize("path", MISSPELLED)
def test_a_misspelled_name_is_answered_with_the_right_one(path):
    module, _, name = path.rpartition(".")
    with pytest.raises(AttributeError, match=f"has no attribute '{name}'") as caught:
        getattr(importlib.import_module(module), name)
    assert MISSPELLED[path] in str(caught.value)


def test_names_that_only_newer_versions_have_mean_what_programs_expect():
    dataset, vision = importlib.import_module("mindspore.dataset"), importlib.import_module("mindspore.dataset.vision")
    assert dataset.Shuffle.FILES == "files" and vision.utils.Border.CONSTANT == "constant"
    assert callable(dataset.text.BertTokenizer) and callable(ms.nn.Optimizer.target.setter)
    assert ms.cuda.__name__ == "mindspore.cuda"


def test_importing_loads_nothing_that_few_programs_need():
    program = "import sys, mindspore; print(sorted({'scipy.fft', 'scipy.optimize', 'cryptography', 'cv2'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.parametrize(("made_before", "frozen"), [(0, True), (100_000, False)])
def test_importing_leaves_the_garbage_collector_as_it_was(made_before, frozen):
    program = f"import gc; kept = [[] for _ in range({made_before})]; import mindspore; print(gc.isenabled(), gc.get_freeze_count() > 0)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == f"True {frozen}\n"
