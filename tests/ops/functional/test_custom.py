"""``ops.Custom``: functions of the user as operators, and descriptions for other kernel compilers."""

import jax.numpy as jnp
import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.ops.op_info_register import CustomRegOp, DataType, TBERegOp, custom_info_register, op_info_register

BOTH = pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
X, Y = Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([[2.0, 2.0], [1.0, 5.0]])


def weighted(a, b):
    assert isinstance(a, np.ndarray)
    return a + 2 * b


class Net(nn.Cell):
    def __init__(self, **options):
        super().__init__()
        self.custom = ops.Custom(weighted, lambda a, b: a, lambda a, b: a, func_type="pyfunc", **options)

    def construct(self, a, b):
        return self.custom(a * 1, b) + 1


@BOTH
def test_function_of_numpy_arrays_runs_in_both_modes(mode):
    ms.set_context(mode=mode)
    np.testing.assert_allclose(Net()(X, Y).asnumpy(), X.asnumpy() + 2 * Y.asnumpy() + 1)


@BOTH
def test_gradient_is_the_bprop(mode):
    ms.set_context(mode=mode)
    net = Net(bprop=lambda a, b, out, dout: (dout * b, dout * 5))
    first, second = ms.grad(net, (0, 1))(X, Y)
    np.testing.assert_allclose(first.asnumpy(), Y.asnumpy())
    np.testing.assert_allclose(second.asnumpy(), np.full((2, 2), 5.0))


@BOTH
def test_gradient_without_bprop_is_refused(mode):
    ms.set_context(mode=mode)
    with pytest.raises(RuntimeError, match=r"the gradient of 'weighted' is not known: give bprop="):
        ms.grad(Net())(X, Y)


@BOTH
def test_several_outputs_with_fixed_forms(mode):
    ms.set_context(mode=mode)
    both = ops.Custom(lambda a: (a + 1, a.sum()), ([2, 2], []), (ms.float32, ms.float16), "pyfunc")
    first, second = ms.jit(lambda a: both(a))(X)
    np.testing.assert_allclose(first.asnumpy(), X.asnumpy() + 1)
    assert second.dtype == ms.float16 and float(second) == 10


def test_function_of_jax_arrays_is_compiled_and_has_its_own_gradient():
    cube = ops.Custom(lambda a: jnp.power(a, 3), func_type="jax")
    np.testing.assert_allclose(ms.jit(lambda a: cube(a))(X).asnumpy(), X.asnumpy() ** 3)
    np.testing.assert_allclose(ms.grad(cube)(X).asnumpy(), 3 * X.asnumpy() ** 2)


@BOTH
def test_error_of_the_function_reaches_the_caller(mode):
    ms.set_context(mode=mode)

    def broken(a):
        raise KeyError("no such row")

    with pytest.raises(KeyError, match="no such row"):
        ms.jit(lambda a: ops.Custom(broken, (2, 2), ms.float32, "pyfunc")(a))(X)


def test_result_of_another_shape_is_refused():
    with pytest.raises(ValueError, match=r"must return shape \[\(3,\)\] as 'out_shape' says"):
        ops.Custom(lambda a: a, (3,), ms.float32, "pyfunc")(X)


def test_graph_needs_the_form_of_the_output():
    with pytest.raises(ValueError, match="'out_shape' and 'out_dtype' of"):
        ms.jit(lambda a: ops.Custom(lambda b: b)(a))(X)


@pytest.mark.parametrize("kind", ["hybrid", "julia", "tbe", "akg"])
def test_kernels_for_other_compilers_are_refused_with_what_to_do(kind):
    with pytest.raises(ValueError, match=f"but got '{kind}'.*func_type='pyfunc'"):
        ops.Custom("a.so:f", (2, 2), ms.float32, kind)


def test_descriptions_are_those_of_mindspore():
    form = DataType.F16_5HD
    built = TBERegOp("Abs").input(0, "x", False, "required", "all").output(0, "y", True, "required", "all")
    info = built.attr("a", "required", "int", "all").dtype_format(form, form).kernel_name("abs").get_op_info()
    assert info["inputs"] == [{"index": 0, "name": "x", "need_compile": False, "paramType": "required", "shape": "all"}]
    assert info["dtype_format"] == [(("float16", "NC1HWC0"), ("float16", "NC1HWC0"))]
    assert info["imply_type"] == "TBE" and info["kernel"] == "abs" and info["attr"][0]["value"] == "all"
    assert op_info_register(info)(weighted) is weighted
    custom = CustomRegOp("w").input(0, "a").input(1, "b").output(0, "y").dtype_format(*[DataType.F32_Default] * 3)
    described = custom_info_register(custom.target("GPU").get_op_info())(weighted)
    assert described.reg_info[0]["target"] == "GPU"
    np.testing.assert_allclose(ops.Custom(described)(X, Y).asnumpy(), X.asnumpy() + 2 * Y.asnumpy())


def test_incomplete_descriptions_are_refused():
    with pytest.raises(ValueError, match="one entry for each of the 1 inputs and outputs, but got 2"):
        CustomRegOp().input(0, "x").dtype_format(DataType.F32_Default, DataType.F32_Default)
    with pytest.raises(TypeError, match="'target' must be a str"):
        CustomRegOp().target(3)  # type: ignore[arg-type]
