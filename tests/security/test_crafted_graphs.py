"""A graph from a file calls only what is on a list, whoever wrote it."""

import contextlib
import dataclasses
import importlib

import jax
import jax.export
import jax.numpy as jnp
import numpy as np
import pytest
from jax.extend import mlir

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore._engine.export import allowed_calls, export_file, lapack_calls
from mindspore.ops.auto_generate import _names
from mindspore.train._formats.export import export, load
from mindspore.train._mindir.primitives import kind_of
from mindspore.train.mind_ir_pb2 import ModelProto
from tests.security.formats import DATA

INPUT = np.ones((2, 3), np.float32)
CODE = {"tpu_custom_call", "mosaic_gpu_v2", "tf.call_tf_function"}  # carry programs of their own


def crafted(folder, function, changed=lambda exported: exported, **options):
    """A file that export might have written, with another graph in it."""
    path = folder / "net.mindir"
    export(nn.ReLU(), Tensor(INPUT), file_name=str(path), file_format="STABLEHLO")
    sections = {name: bytes(data) for name, data in export_file.unpack(path.read_bytes()).items()}
    exported = jax.export.export(
        jax.jit(lambda x: (function(x),)), platforms=["cpu"], disabled_checks=[jax.export.DisabledSafetyCheck.custom_call("ALL")]
    )(jax.ShapeDtypeStruct(INPUT.shape, INPUT.dtype))  # fmt: skip
    sections["graph"] = bytes(changed(exported).serialize(**options))
    path.write_bytes(export_file.pack(sections))
    return str(path)


def calling(target, **given):
    return lambda x: jax.ffi.ffi_call(target, jax.ShapeDtypeStruct(x.shape, x.dtype), **given)(x)


@pytest.mark.parametrize(
    "target", ["memcpy", "xla_ffi_python_cpu_callback", "free", "__xla_cpu_runtime_Memcpy", "no such"]
)
def test_a_target_that_is_not_on_the_list_is_refused(tmp_path, target):
    path = crafted(tmp_path, calling(target))
    with pytest.raises(ValueError, match=f"the native function '{target}'") as found:
        load(path)
    assert path in str(found.value)


def test_targets_are_found_in_functions_and_branches(tmp_path):
    hidden = jax.jit(lambda x: jax.lax.cond(x.sum() > 0, calling("memcpy"), lambda x: x, x))
    with pytest.raises(ValueError, match="memcpy"):
        load(crafted(tmp_path, lambda x: jax.lax.fori_loop(0, 3, lambda _, x: hidden(x), x)))


def test_targets_are_found_in_the_gradient(tmp_path):
    @jax.custom_vjp
    def innocent(x):
        return x

    innocent.defvjp(lambda x: (x, ()), lambda _, ct: (calling("memcpy")(ct),))
    path = crafted(tmp_path, innocent)
    assert load(path)  # without its gradient
    path = crafted(tmp_path, innocent, vjp_order=1)
    with pytest.raises(ValueError, match="memcpy"):
        load(path)


def test_a_graph_that_waits_for_other_programs_is_refused(tmp_path):
    waiting = """
      %token = stablehlo.create_token : !stablehlo.token
      %got:2 = "stablehlo.infeed"(%token) {infeed_config = ""} : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
      return"""

    def changed(exported):
        text = exported.mlir_module().replace("return", waiting, 1)
        return dataclasses.replace(exported, mlir_module_serialized=mlir.serialize_portable_artifact(text, "1.0.0"))

    with pytest.raises(ValueError, match="waits for other programs"):
        load(crafted(tmp_path, lambda x: x + 1, changed))


def test_a_kernel_of_our_own_refuses_operands_that_do_not_fit(tmp_path, mode):
    def crashing(x):
        call = jax.ffi.ffi_call("mycelium_product", jax.ShapeDtypeStruct((2, 2), x.dtype))
        return call(x, jnp.ones((3, 1 << 16), x.dtype), form=np.array([0, 0, 0], np.int64)).sum() + x

    net = nn.GraphCell(load(crafted(tmp_path, crashing)))
    with pytest.raises(Exception, match="For 'mycelium_product', the shapes of x, y and z must be those of a product"):
        net(Tensor(INPUT)).asnumpy()


def test_the_list_holds_what_export_may_write():
    stable = importlib.import_module(
        "jax._src.export._export"
    )._CUSTOM_CALL_TARGETS_GUARANTEED_STABLE  # has no public name
    assert stable - CODE <= allowed_calls.ALLOWED
    assert not allowed_calls.ALLOWED & CODE


def test_graphs_with_linear_algebra_and_random_numbers_load(tmp_path):
    class Net(nn.Cell):
        def construct(self, x):
            return (
                ms.ops.inverse(x @ x.T + ms.ops.eye(3))
                + ms.ops.svd(x, compute_uv=False).sum()
                + ms.ops.topk(x, 2)[0].sum()
            )

    x = Tensor(np.random.RandomState(2).randn(3, 3).astype(np.float32))
    net, path = Net(), str(tmp_path / "algebra.mindir")
    export(net, x, file_name=path, file_format="STABLEHLO")
    np.testing.assert_allclose(nn.GraphCell(load(path))(x).asnumpy(), net(x).asnumpy(), 1e-4)


@pytest.mark.parametrize(
    "name", ["Custom", "PyFunc", "PyExecute", "TensorDump", "Receive", "Primitive", "ReduceOp", "_Any"]
)
def test_a_file_of_mindspore_names_no_code_and_no_files(tmp_path, name):
    model = ModelProto.FromString((DATA / "mindir" / "gate.mindir").read_bytes())
    for one in model.primitives:
        if one.op_type == "ReLU":
            one.op_type = name
    path = tmp_path / "crafted.mindir"
    path.write_bytes(model.SerializeToString())
    with pytest.raises(ValueError, match=rf"crafted.mindir.*no operator here: '{name}'"):
        ms.load(str(path))


def test_names_of_primitives_are_not_called(tmp_path, monkeypatch):
    made = []
    monkeypatch.setattr(_names, "_named_after_class", made.append)
    assert kind_of("adaptive_avg_pool2d") is None and kind_of("ReLU") is not None
    assert not made


# -- LAPACK: sizes of operands and results -------------------------------------------------------------------------------
def small_result(x):
    """A decomposition of a large matrix, whose result is stated to be small."""
    large = jnp.ones((500, 500), x.dtype)
    call = jax.ffi.ffi_call(
        "lapack_spotrf_ffi", (jax.ShapeDtypeStruct((2, 2), x.dtype), jax.ShapeDtypeStruct((), np.int32))
    )
    return call(large, uplo=np.uint8(ord("L")))[0].sum() + x


def test_linear_algebra_with_results_that_are_too_small_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"'lapack_spotrf_ffi' with operands of shapes \[\(500, 500\)\] and results"):
        load(crafted(tmp_path, small_result))


@pytest.mark.parametrize(
    ("routine", "operands", "results", "attributes"),
    [
        ("potrf", [(3, 4)], [(3, 4), ()], {}),  # not square
        ("potrf", [(2, 3, 3)], [(2, 3, 3), ()], {}),  # one status for two matrices
        ("geqrf", [(4, 3)], [(4, 3), (2,)], {}),
        ("geqrf", [(9,)], [(9,), (2,)], {}),
        ("getrf", [(4, 3)], [(4, 3), (3,), ()], {"more": 1}),
        ("orgqr", [(4, 3), (4,)], [(4, 3)], {}),  # more reflectors than columns
        ("orgqr", [(3, 4), (3,)], [(3, 4)], {}),
        ("orgqr", [(4, 3)], [(4, 3)], {}),
        ("gesdd", [(4, 3)], [(4, 3), (3,), (4, 3), (3, 3), ()], {"mode": 65}),  # full ones do not fit into thin ones
        ("gesdd", [(4, 3)], [(4, 3), (3,), (4, 3), (3, 3), ()], {"mode": 79}),
        ("gehrd", [(4, 4)], [(4, 4), (3,), ()], {"low": 1, "high": 9}),
        ("gees", [(4, 4)], [(4, 4), (4, 4), (4,), (4,), (), ()], {"mode": 86, "sort": 83}),
        ("trsm", [(4, 4), (3, 4)], [(3, 4)], {"side": 76}),
        ("trsm", [(4, 4), (2, 4, 4)], [(2, 4, 4)], {"side": 76}),
        ("trsm", [(4, 4)], [(4, 4)], {"side": 76}),
        ("gtsv", [(4,), (4,), (3,), (4, 2)], [(4,), (4,), (3,), (4, 2), ()], {}),
        ("gtsv", [], [], {}),
        ("syevd", [], [], {}),
    ],
)
def test_calls_whose_sizes_do_not_fit_are_told(routine, operands, results, attributes):
    fits = routine == "getrf"
    with contextlib.nullcontext() if fits else pytest.raises(ValueError, match="do not fit each other"):
        lapack_calls.check(f"lapack_s{routine}_ffi", operands, results, attributes)


def test_open_sizes_are_checked_when_they_are_known(tmp_path):
    class Net(nn.Cell):
        def construct(self, x):
            return ops.cholesky(ops.bmm(x, x.swapaxes(1, 2)) + 3 * ops.eye(3, 3, ms.float32))

    path = str(tmp_path / "open.mindir")
    net = Net()
    export(net, Tensor(shape=(None, 3, 3), dtype=ms.float32), file_name=path, file_format="STABLEHLO")
    graph = nn.GraphCell(load(path))
    for batch in (2, 5):
        x = Tensor(np.random.RandomState(batch).randn(batch, 3, 3).astype(np.float32))
        np.testing.assert_allclose(graph(x).asnumpy(), net(x).asnumpy(), rtol=1e-4, atol=1e-5)


def test_open_sizes_that_do_not_fit_are_refused():
    def function(x):
        call = jax.ffi.ffi_call(
            "lapack_spotrf_ffi", (jax.ShapeDtypeStruct((2, 2), x.dtype), jax.ShapeDtypeStruct((), np.int32))
        )
        return call(x, uplo=np.uint8(ord("L")))

    (rows,) = jax.export.symbolic_shape("rows")
    checks = [jax.export.DisabledSafetyCheck.custom_call("ALL")]
    exported = jax.export.export(jax.jit(function), platforms=["cpu"], disabled_checks=checks)(
        jax.ShapeDtypeStruct((rows, rows), np.float32)
    )
    exported = jax.export.deserialize(exported.serialize())  # as a file holds it, without a gradient
    assert allowed_calls.check(exported)
    allowed_calls.check_sizes(exported, [jax.ShapeDtypeStruct((2, 2), np.float32)])
    with pytest.raises(ValueError, match="do not fit each other"):
        allowed_calls.check_sizes(exported, [jax.ShapeDtypeStruct((500, 500), np.float32)])
