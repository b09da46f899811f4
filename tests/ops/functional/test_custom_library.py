"""``ops.Custom(func_type="aot")``: functions of compiled libraries, with MindSpore's entry point, as operators."""

import shutil
import subprocess

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops

SOURCE = """
#include <stdint.h>
#include <string.h>
#define ENTRY int nparam, void **params, int *ndims, int64_t **shapes, const char **dtypes, void *stream, void *extra

static int64_t count(int ndim, int64_t *shape) { int64_t n = 1; for (int i = 0; i < ndim; ++i) n *= shape[i]; return n; }

int CustomAdd(ENTRY) {
  if (nparam != 3 || strcmp(dtypes[0], "float32")) return 1;
  float *a = params[0], *b = params[1], *out = params[2];
  for (int64_t i = 0; i < count(ndims[2], shapes[2]); ++i) out[i] = a[i] + b[i];
  return 0;
}
int Parts(ENTRY) { /* a value doubled, and its whole part */
  float *a = params[0], *twice = params[1]; int32_t *whole = params[2];
  for (int64_t i = 0; i < count(ndims[0], shapes[0]); ++i) { twice[i] = 2 * a[i]; whole[i] = (int32_t)a[i]; }
  return strcmp(dtypes[2], "int32") != 0;
}
int Described(ENTRY) { /* of each input: its number of axes, their product and the length of its dtype's name */
  int64_t *out = params[nparam - 1];
  for (int i = 0; i < nparam - 1; ++i) {
    *out++ = ndims[i]; *out++ = count(ndims[i], shapes[i]); *out++ = strlen(dtypes[i]);
  }
  return 0;
}
int Fails(ENTRY) { return 7; }
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("there is no C compiler to build a library with")
    folder = tmp_path_factory.mktemp("library")
    (folder / "own.c").write_text(SOURCE)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", "own.so", "own.c"], cwd=folder, check=True)
    return folder / "own.so"


class Net(nn.Cell):
    def __init__(self, operator):
        super().__init__()
        self.operator = operator

    def construct(self, *inputs):
        return self.operator(*inputs)


def same(*forms):
    return forms[0]


def made(library, name, out_shape=same, out_dtype=same, **options):
    return Net(ops.Custom(f"{library}:{name}", out_shape, out_dtype, func_type="aot", **options))


X = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3) + 0.5)
Y = Tensor(np.ones((2, 3), np.float32))


@pytest.mark.parametrize(
    "form", [(same, same), ((2, 3), ms.float32), ([2, 3], ms.float32)], ids=["functions", "tuple", "list"]
)
def test_a_compiled_function_runs(library, mode, form):
    np.testing.assert_array_equal(made(library, "CustomAdd", *form)(X, Y).asnumpy(), X.asnumpy() + 1)


def test_it_takes_part_in_larger_computations(library, mode):
    add = made(library, "CustomAdd")

    class Larger(nn.Cell):
        def __init__(self):
            super().__init__()
            self.add = add

        def construct(self, x, y):
            return ops.relu(self.add(x.T * 1, y.T)) * 2

    np.testing.assert_array_equal(Larger()(X, Y).asnumpy(), (X.asnumpy().T + 1) * 2)


def test_several_outputs_of_different_dtypes(library, mode):
    twice, whole = made(library, "Parts", lambda shape: (shape, shape), lambda kind: (kind, ms.int32))(X)
    np.testing.assert_array_equal(twice.asnumpy(), X.asnumpy() * 2)
    assert whole.dtype == ms.int32 and whole.asnumpy().tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize(
    "kind", ["float16", "float64", "int8", "int16", "int64", "uint8", "uint32", "bool_", "bfloat16"]
)
def test_dtypes_and_shapes_are_described(library, kind):
    operator = made(library, "Described", lambda *shapes: (len(shapes) * 3,), lambda *kinds: ms.int64)
    one = Tensor(np.ones((2, 1, 4), np.float32)).astype(getattr(ms, kind))
    assert operator(one, 2).asnumpy().tolist() == [3, 8, len(kind.rstrip("_")), 0, 1, len("int64")]


def test_the_gradient_is_the_given_one(library, mode):
    operator = made(library, "CustomAdd", bprop=lambda a, b, out, dout: (dout * 2, dout * out))
    by_x, by_y = ms.grad(operator, (0, 1))(X, Y)
    np.testing.assert_array_equal(by_x.asnumpy(), np.full((2, 3), 2.0))
    np.testing.assert_array_equal(by_y.asnumpy(), X.asnumpy() + 1)
    with pytest.raises(RuntimeError, match="give bprop="):
        ms.grad(made(library, "CustomAdd"))(X, Y)


def test_a_library_may_come_after_the_operator(library, tmp_path, monkeypatch, mode):
    monkeypatch.chdir(tmp_path)
    operator = made("./later.so", "CustomAdd")
    with pytest.raises(RuntimeError, match=r"couldn't find the AOT binary file: \./later.so"):
        operator(X, Y)
    shutil.copy(library, tmp_path / "later.so")
    np.testing.assert_array_equal(operator(X, Y).asnumpy(), X.asnumpy() + 1)


def test_an_error_code_and_a_missing_function_are_told(library, mode):
    with pytest.raises(RuntimeError, match=r"function\(Fails\) is 7"):
        made(library, "Fails")(X, Y).asnumpy()
    with pytest.raises(RuntimeError, match="fetching function 'Missing'"):
        made(library, "Missing")(X, Y).asnumpy()


def test_what_is_no_place_in_a_library_is_told():
    named = ops.Custom("aclnnCast", same, same, func_type="aot")  # an operator of another device can be made
    with pytest.raises(RuntimeError, match="dir_path/file_name:func_name"):
        named(X)
    with pytest.raises(TypeError, match="must be of type str"):
        ops.Custom(lambda x: x, same, same, func_type="aot")
    with pytest.raises(ValueError, match="'out_shape' and 'out_dtype'"):
        ops.Custom("./own.so:CustomAdd", func_type="aot")(X, Y)


ATTRIBUTES = """
#include <cstdint>
#include <stdexcept>
#include "custom_aot_extra.h"
struct Kept : AotKernelData { float factor; };
extern "C" int ScaledInit(int *ndims, int64_t **shapes, const char **, AotExtra *extra) {
  extra->SetWorkSpace({shapes[0][0] * sizeof(float)});
  if (!extra->HasAttr("factor")) return 5;
  auto *kept = new Kept();
  kept->factor = extra->Attr<float>("factor") + extra->Attr<std::vector<int64_t>>("more").at(1) +
                 extra->Attr<std::vector<std::vector<float>>>("rows").at(1).at(0) + extra->Attr<std::string>("text").size();
  extra->SetKernelData(kept);
  return 0;
}
extern "C" std::vector<int64_t> ScaledInferShape(int *, int64_t **shapes, AotExtra *extra) {
  if (extra->Attr<bool>("whole")) return {shapes[0][0]};
  return {extra->Attr<int64_t>("missing")};
}
extern "C" std::vector<TypeId> PairInferType(std::vector<TypeId> given, AotExtra *extra) {
  return {given[0], extra->HasAttr("half") ? TypeId::kNumberTypeFloat16 : TypeId::kNumberTypeInt32};
}
extern "C" int Pair(int, void **params, int *, int64_t **shapes, const char **dtypes, void *, void *) {
  for (int64_t i = 0; i < shapes[0][0]; i++) {
    static_cast<float *>(params[1])[i] = 2 * static_cast<float *>(params[0])[i];
    static_cast<int32_t *>(params[2])[i] = static_cast<int32_t>(i);
  }
  return dtypes[2][0] == 'i' ? 0 : 9;
}
extern "C" TypeId SingleInferType(std::vector<TypeId> given, AotExtra *) { return given.at(1); }
extern "C" int Single(int, void **, int *, int64_t **, const char **dtypes, void *, void *) {
  return dtypes[2][0] == 'i' ? 0 : 9;
}
extern "C" int Scaled(int nparam, void **params, int *ndims, int64_t **shapes, const char **, void *, void *given) {
  auto *kept = static_cast<Kept *>(static_cast<AotExtra *>(given)->KernelData());
  auto *x = static_cast<float *>(params[0]), *out = static_cast<float *>(params[1]), *spare = static_cast<float *>(params[2]);
  for (int64_t i = 0; i < shapes[0][0]; i++) spare[i] = x[i] * kept->factor;
  for (int64_t i = 0; i < shapes[0][0]; i++) out[i] = spare[i];
  return nparam == 3 ? 0 : 1;
}
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    if shutil.which("g++") is None:
        pytest.skip("there is no C++ compiler")
    folder = tmp_path_factory.mktemp("source")
    (folder / "scaled.cc").write_text(ATTRIBUTES)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MS_COMPILER_CACHE_PATH", str(folder / "compiled"))
        yield folder / "scaled.cc"


def scaled(source, whole, **options):
    info = (
        ops.CustomRegOp("scaled")
        .input(0, "x")
        .output(0, "y")
        .dtype_format(ops.DataType.F32_Default, ops.DataType.F32_Default)
    )
    for name, value in {"more": [1, 2], "rows": [[1.0], [0.25]], "text": "abc", "whole": whole, **options}.items():
        info = info.attr(name, "required", "all", value=value)
    return made(source, "Scaled", None, ms.float32, reg_info=info.target("CPU").get_op_info())


def test_a_source_is_compiled_and_gets_attributes_and_workspaces(source, mode):
    net = scaled(source, True, factor=0.5)
    for size in (3, 2):
        np.testing.assert_array_equal(net(Tensor(np.arange(size), ms.float32)).asnumpy(), np.arange(size) * 5.75)
    assert any(file.suffix == ".so" for file in (source.parent / "compiled").iterdir())


def test_a_library_says_the_dtypes_of_its_outputs(source, mode):
    doubled, numbers = made(source, "Pair", ([3], [3]), None)(Tensor([1.0, 2.0, 3.0]))
    assert doubled.asnumpy().tolist() == [2, 4, 6] and numbers.asnumpy().tolist() == [0, 1, 2]
    assert (doubled.dtype, numbers.dtype) == (ms.float32, ms.int32)
    assert made(source, "Single", [2], None)(Tensor([1.0]), Tensor([1], ms.int16)).dtype == ms.int16
    with pytest.raises(RuntimeError, match="InferType failed"):
        made(source, "Single", [2], None)(Tensor([1.0]))


def test_what_a_library_says_of_its_attributes_is_told(source):
    with pytest.raises(RuntimeError, match=r"Init must return 0, but it returned 5\."):
        scaled(source, True)(Tensor([1.0])).asnumpy()
    with pytest.raises(RuntimeError, match="InferShape failed: there is no attribute 'missing'"):
        scaled(source, False, factor=0.5)(Tensor([1.0]))
    (source.parent / "wrong.cc").write_text("int f( {")
    with pytest.raises(RuntimeError, match=r"wrong\.cc' does not compile"):
        made(source.parent / "wrong.cc", "f")(Tensor([1.0]))
