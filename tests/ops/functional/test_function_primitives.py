"""Functions of the user as Primitives: PyFunc, Morph, hybrid kernels, and their relatives."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.ops import composite as C
from mindspore.ops import functional as F

X, Y = Tensor([1.0, 2.0]), Tensor([3.0, 5.0])


@pytest.fixture(params=[ms.GRAPH_MODE, ms.PYNATIVE_MODE], ids=["graph", "pynative"], autouse=True)
def mode(request):
    before = ms.get_context("mode")
    ms.set_context(mode=request.param)
    yield request.param
    ms.set_context(mode=before)


def same(found, expected):
    np.testing.assert_allclose(found.asnumpy(), expected, 1e-5)


def python_function(stateful=True):
    calls = []

    def scaled(array, factor):
        calls.append((type(array), type(factor)))
        return array * factor, factor

    made = ops.PyFunc(scaled, [ms.float32, ms.int64], [(2,), ()], [ms.float32, ms.float16], [(2,), []], stateful)
    return made, calls


@pytest.mark.parametrize("stateful", [True, False])
def test_python_function_gets_arrays_and_numbers(stateful):
    function, calls = python_function(stateful)
    product, factor = ms.jit(lambda x, n: function((x, n)))(X, Tensor(3))
    same(product, [3, 6])
    assert factor.dtype == ms.float16 and float(factor) == 3
    assert calls == [(np.ndarray, int)]
    same(function(X, Tensor(4))[0], [4, 8])


@pytest.mark.parametrize("stateful", [True, False])
def test_error_of_a_python_function_reaches_the_caller(stateful):
    def broken(array):
        raise KeyError("no such row")

    function = ops.PyFunc(broken, [ms.float32], [(2,)], [ms.float32], [(2,)], stateful)
    with pytest.raises(KeyError, match="no such row"):
        ms.jit(lambda x: function(x)[0] * 2)(X)


def test_python_function_inside_vmap_is_called_for_every_element():
    function, calls = python_function(stateful=False)
    found, _ = ops.vmap(lambda x, n: function(x, n))(ops.stack((X, Y)), Tensor([2, 10]))
    same(found, [[2, 4], [30, 50]])
    assert len(calls) == 2


def test_python_function_refuses_what_was_not_declared():
    function, _ = python_function()
    with pytest.raises(
        TypeError, match=r"declared shapes and dtypes, float32\[2\], int64\[\], but got float32\[1\], int64\[\]"
    ):
        function(X[:1], Tensor(3))
    with pytest.raises(RuntimeError, match="the gradient of a Python function is not known"):
        ms.grad(lambda x: function(x, Tensor(3))[0])(X)
    with pytest.raises(TypeError, match=r"must return arrays of shapes \[\(3,\)\].*returned \[\(2,\)\]"):
        ops.PyFunc(lambda x: x, [ms.float32], [(2,)], [ms.float32], [(3,)])(X)
    with pytest.raises(TypeError, match="'in_types' and 'in_shapes' must have the same length, but got 1 and 0"):
        ops.PyFunc(abs, [ms.float32], [], [], [])
    with pytest.raises(TypeError, match="'fn' must be a function, but got 3"):
        ops.PyFunc(3, [], [], [], [])


def test_morph_is_its_function_with_its_own_gradient_if_given():
    plain = ops.Morph(lambda x, y: x * y, lambda *shapes: shapes[0], lambda *kinds: kinds[0])
    same(plain(X, Y), [3, 10])
    same(ms.grad(plain)(X, Y), [3, 5])
    own = ops.Morph(lambda x: x * 2, lambda s: s, lambda d: d, bprop_fn=lambda x, out, dout: (dout * x * 100,))
    same(ms.grad(own)(X), [100, 200])
    with pytest.raises(TypeError, match="'infer_shape' must be a function"):
        ops.Morph(lambda x: x, None, lambda d: d)


@ops.kernel
def product_of_matrices(a, b):
    c = output_tensor((a.shape[0], b.shape[1]), a.dtype)  # noqa: F821 # type: ignore[name-defined] - a word of the language
    for i, j in grid(c.shape):  # noqa: F821 # type: ignore[name-defined]
        for k in serial(a.shape[1]):  # noqa: F821 # type: ignore[name-defined]
            c[i, j] = c[i, j] + a[i, k] * b[k, j]
    return c


@pytest.mark.parametrize("kind", ["hybrid", "akg"])
def test_hybrid_functions_run_as_python_and_as_operators(kind):
    a, b = np.arange(6.0, dtype=np.float32).reshape(2, 3), np.ones((3, 2), np.float32)
    np.testing.assert_allclose(product_of_matrices(a, b), a @ b)
    custom = ops.Custom(product_of_matrices, func_type=kind)
    same(ms.jit(lambda x, y: custom(x, y))(Tensor(a), Tensor(b)), a @ b)
    with pytest.raises(
        TypeError, match=r"inputs of 'product_of_matrices' must be NumPy arrays, but got .*func_type='hybrid'"
    ):
        product_of_matrices(Tensor(a), b)


def test_vector_as_tuple():
    assert ops.TensorToTuple()(Tensor([1, 2])) == (1, 2)
    first, second = ms.jit(lambda x: ops.TensorToTuple()(x))(X)
    assert (float(first), float(second)) == (1, 2)
    with pytest.raises(ValueError, match="must have 1 dimension"):
        ops.TensorToTuple()(Tensor([[1]]))


def test_recomputed_blocks_have_the_gradients_of_the_blocks():
    net = nn.Dense(2, 1)
    plain = ms.grad(lambda x: net(x).sum(), 0, net.trainable_params())(X)
    again = ms.grad(lambda x: ops.recompute_block(net)(x).sum(), 0, net.trainable_params())(X)
    same(again[0], plain[0].asnumpy())
    same(again[1][0], plain[1][0].asnumpy())
    outputs, pull_back = ops.J(ops.square)(X)
    same(outputs, [1, 4])
    same(pull_back(Y)[0], [6, 20])


def test_object_forms_of_gradients_and_vmap():
    weight = Parameter(Tensor([2.0, 3.0]), name="weight")

    def loss(x, y):
        return (x * y * weight).sum()

    assert [g.asnumpy().tolist() for g in C._Grad(get_all=True)(loss)(X, Y)] == [[6, 15], [2, 6]]
    value, gradient = C._Grad(get_by_position=True, get_value=True)(loss, None, 1)(X, Y)
    assert float(value) == 36 and gradient.asnumpy().tolist() == [2, 6]
    (of_weight,) = C._Grad(get_by_list=True)(loss, [weight])(X, Y)
    same(of_weight, [3, 10])
    same(C._Vmap()(ops.square)(X), [1, 4])
    same(C.hyper_add((X,), (Y,))[0], [4, 7])
    ones, one = C._ones_like_for_grad((X, 3))
    assert ones.asnumpy().tolist() == [1, 1] and one == 1


def test_python_values_by_mindspores_names():
    assert F.broadcast_gradient_args((2, 1, 3), (4, 1)) == ((1,), (0, 2))
    assert F.reduced_shape((2, 3), ()) == (1, 1) and F.reduced_shape((2, 3), -1) == (2, 1)
    assert F.typeof(X) == ms.TensorType(ms.float32) and F.typeof("a") == ms.string and F.typeof([1]) == ms.list_
    assert F.hastype(X, ms.float32) and not F.hastype(X, ms.int32) and F.hastype(None, "None")
    with pytest.raises(ValueError, match="every element must be divisible"):
        F.tuple_div((3,), (2,))
    with pytest.raises(TypeError, match="For 'scalar_add', there must be 2 arguments, but got 1"):
        F.scalar_add(1)
    known, chosen = ms.jit(lambda x: (F.isconstant(x), F.switch(x.sum() > 2, x, Y)))(X)
    assert known is False
    same(chosen, [1, 2])


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
@pytest.mark.parametrize(("declared", "given"), [((), (1,)), ((1,), ()), ((2, 2), (4,)), ((4,), (2, 2))])
def test_a_python_function_gets_its_inputs_in_the_declared_shape(mode, declared, given):
    """As MindSpore 2.0 and 2.10 pass them: environments declare an action () and get one of shape (1,)."""
    ms.set_context(mode=mode)
    seen = []

    def total(x):
        seen.append(np.shape(x) if isinstance(x, np.ndarray) else type(x))
        return np.float32(np.sum(x))

    primitive = ops.PyFunc(total, [ms.float32], [declared], [ms.float32], [()])
    net = ms.jit(lambda x: primitive(x)[0])
    assert float(net(Tensor(np.ones(given, np.float32)))) == np.prod(given)
    assert seen[-1] == (declared or float)
