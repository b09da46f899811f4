"""mindspore.utils.jax: networks as pure functions of JAX, functions of JAX as operators, shared memory."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.utils.jax import from_array, from_jax, to_array, to_jax


def images(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).normal(size=shape or (2, 3, 8, 8)).astype(np.float32)


class Small(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, weight_init="normal")
        self.norm = nn.BatchNorm2d(8)
        self.dropout = nn.Dropout(p=0.5)
        self.dense = nn.Dense(8, 4)

    def construct(self, x):
        x = ops.relu(self.norm(self.conv(x)))
        return self.dense(self.dropout(x).mean((2, 3)))


class Tenfold(nn.Cell):
    def construct(self, x):
        return x * x

    def bprop(self, x, out, dout):
        return (dout * 10,)


# -- networks as functions ------------------------------------------------------------------------------------------------
def test_a_network_computes_the_same_as_a_function_of_jax(mode):
    net, x = Small().set_train(False), images()
    function, params = to_jax(net)
    assert set(params) == {p.name for p in net.trainable_params()}
    expected = net(Tensor(x)).asnumpy()
    np.testing.assert_allclose(function(params, x), expected, atol=1e-5)
    np.testing.assert_allclose(jax.jit(function)(params, x), expected, atol=1e-5)


def test_jax_differentiates_a_network_as_mindspore_does():
    net, x = Small().set_train(False), images()
    function, params = to_jax(net)
    found = jax.grad(lambda params: (function(params, x) ** 2).sum())(params)
    weights = net.trainable_params()
    for weight, gradient in zip(weights, ms.grad(lambda x: (net(x) ** 2).sum(), None, weights)(Tensor(x)), strict=True):
        np.testing.assert_allclose(found[weight.name], gradient.asnumpy(), rtol=1e-4, atol=1e-5)


def test_every_transformation_of_jax_applies():
    function, params = to_jax(nn.SequentialCell(nn.Dense(3, 4), nn.Tanh(), nn.Dense(4, 1)))
    x = images(5, 3)
    np.testing.assert_allclose(jax.vmap(function, (None, 0))(params, x[:, None])[:, 0], function(params, x), atol=1e-6)
    tangent = jax.jvp(lambda x: function(params, x), (x,), (x,))[1]
    assert tangent.shape == (5, 1)
    hessian = jax.hessian(lambda x: function(params, x[None]).sum())(x[0])
    np.testing.assert_allclose(hessian, hessian.T, atol=1e-5)
    mesh = jax.sharding.Mesh(np.array(jax.devices()[:1]), ("data",))
    rows = jax.sharding.PartitionSpec("data")
    divided = jax.shard_map(lambda x: function(params, x), mesh=mesh, in_specs=rows, out_specs=rows)
    np.testing.assert_allclose(divided(x), function(params, x), atol=1e-6)


def test_the_parameters_are_copies():
    net = nn.Dense(2, 2)
    function, params = to_jax(net)
    before = np.array(function(params, images(1, 2)))
    net.weight.set_data(Tensor(np.zeros((2, 2), np.float32)))
    np.testing.assert_array_equal(function(params, images(1, 2)), before)


def test_what_a_network_changes_is_a_result():
    net = Small().set_train()
    moving = net.norm.moving_mean.asnumpy()
    function, params, state = to_jax(net, mutable=True)
    step = jax.jit(function)
    first, state_1 = step(params, state, images())
    again, _ = step(params, state, images())
    second, state_2 = step(params, state_1, images())
    np.testing.assert_array_equal(first, again)  # a pure function
    assert np.abs(first - second).max() > 1e-3  # another draw of dropout
    assert np.abs(state_1["norm.moving_mean"]).max() > 0 and set(state_2) == set(state)
    np.testing.assert_array_equal(net.norm.moving_mean.asnumpy(), moving)  # the network itself is untouched
    with pytest.raises(TypeError, match=r"function\(params, state, \*inputs\)"):
        function(params, images())


def test_keys_of_jax_decide_what_is_drawn():
    function, params = to_jax(nn.Dropout(p=0.5).set_train())
    x = jnp.ones(64)
    drawn = [np.array(function(params, x, rng=jax.random.key(seed))) for seed in (0, 0, 1)]
    np.testing.assert_array_equal(drawn[0], drawn[1])
    assert (drawn[0] != drawn[2]).any()


def test_gradients_of_ones_own_are_those_of_the_program():
    tenfold = to_jax(Tenfold())[0]
    loss = lambda x: tenfold({}, x).sum()  # noqa: E731
    np.testing.assert_array_equal(jax.grad(loss)(jnp.ones(3)), [10.0] * 3)
    np.testing.assert_array_equal(jax.jit(jax.grad(loss))(jnp.ones(3)), [10.0] * 3)
    twice = jax.grad(lambda x: jax.grad(lambda x: (tenfold({}, x) ** 2).sum())(x).sum())(jnp.ones(3))
    net = Tenfold()
    expected = ms.grad(lambda x: ms.grad(lambda x: (net(x) ** 2).sum())(x).sum())(Tensor(np.ones(3, np.float32)))
    np.testing.assert_array_equal(twice, expected.asnumpy())

    def partly(x):
        with ms._no_grad():
            y = x * x
        return x * y

    np.testing.assert_array_equal(jax.grad(lambda x: to_jax(partly)[0]({}, x).sum())(jnp.full(2, 3.0)), [9.0, 9.0])


def test_functions_and_nested_arguments():
    scale = Parameter(Tensor([2.0]), name="scale")

    def weighted(pair, *, power=1):
        first, second = pair
        return {"sum": (first * scale + second["b"]) ** power, "count": 2}

    function, params = to_jax(weighted)
    result = function(params, (jnp.ones(1), {"b": jnp.ones(1)}), power=2)
    assert result["sum"] == 9 and result["count"] == 2


# -- functions as operators -----------------------------------------------------------------------------------------------
def test_a_function_of_jax_is_an_operator_with_gradients(mode):
    wave = from_jax(lambda a, b: {"wave": jnp.sin(a) * b["scale"], "same": (a,)})
    x = Tensor([0.0, 1.0])
    result = wave(x, {"scale": Tensor([2.0, 3.0])})
    np.testing.assert_allclose(result["wave"].asnumpy(), np.sin([0.0, 1.0]) * [2, 3], rtol=1e-6)
    np.testing.assert_array_equal(result["same"][0].asnumpy(), [0, 1])
    gradient = ms.grad(lambda x: wave(x, {"scale": 2.0})["wave"].sum())(x)
    np.testing.assert_allclose(gradient.asnumpy(), 2 * np.cos([0.0, 1.0]), rtol=1e-6)
    second = ms.grad(lambda x: ms.grad(lambda x: wave(x, {"scale": 2.0})["wave"].sum())(x).sum())(x)
    np.testing.assert_allclose(second.asnumpy(), -2 * np.sin([0.0, 1.0]), atol=1e-6)


def test_variables_of_a_module_become_parameters(mode, tmp_path):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.inner = from_jax(lambda w, x: x @ w["layer"]["kernel"], {"layer": {"kernel": jnp.eye(3)}})

        def construct(self, x):
            return self.inner(x) * 2

    net = Net()
    assert [p.name for p in net.trainable_params()] == ["inner.layer.kernel"]
    gradient = ms.grad(lambda x: net(x).sum(), None, net.trainable_params())(ops.ones((2, 3)))[0]
    np.testing.assert_array_equal(gradient.asnumpy(), np.full((3, 3), 4.0))
    ms.save_checkpoint(net, str(tmp_path / "net.ckpt"))
    assert list(ms.load_checkpoint(str(tmp_path / "net.ckpt"))) == ["inner.layer.kernel"]


def test_errors_name_the_bridge():
    with pytest.raises(TypeError, match="'net' must be a function or another callable"):
        to_jax(3)
    with pytest.raises(TypeError, match=r"'array' must be a jax\.Array, but got 3"):
        from_array(3)


# -- memory -----------------------------------------------------------------------------------------------------------------
def test_arrays_share_memory_both_ways():
    array = jnp.arange(64.0)
    tensor = from_array(array)
    assert to_array(tensor) is array and isinstance(to_array(Tensor([1.0]) + 1), jax.Array)
    address = array.unsafe_buffer_pointer()
    assert np.from_dlpack(tensor).__array_interface__["data"][0] == address
    assert jnp.from_dlpack(tensor).unsafe_buffer_pointer() == address
    assert to_array(ms.utils.from_dlpack(array)).unsafe_buffer_pointer() == address


def test_arrays_of_numpy_are_arguments_of_jax_functions(mode):
    add = from_jax(lambda x, y: x + y)
    assert add(Tensor([1.0]), np.float32([2.0])).asnumpy().tolist() == [3.0]
    assert ms.grad(lambda x: add(x, np.float32([2.0])).sum())(Tensor([1.0])).asnumpy().tolist() == [1.0]


def test_the_structure_of_results_may_follow_the_shapes():
    function = from_jax(lambda x: (x,) if x.shape[0] == 1 else {"rows": x})
    kinds = [type(function(Tensor(np.ones(size, np.float32)))) for size in (1, 2, 1)]
    assert kinds == [tuple, dict, tuple]


@pytest.mark.parametrize("mutable", [False, True])
def test_params_have_the_names_of_the_network(mutable):
    function, params, *state = to_jax(nn.SequentialCell(nn.Dense(3, 2), nn.BatchNorm1d(2)), mutable=mutable)
    x = jnp.ones((4, 3), jnp.float32)
    with pytest.raises(
        ValueError, match=r"'params' must have the names of its Parameters, .* but it lacks \['0.bias'\]"
    ):
        function({name: value for name, value in params.items() if name != "0.bias"}, *state, x)
    with pytest.raises(ValueError, match=r"but it must not have \['wrong'\]"):
        function({**params, "wrong": x}, *state, x)


def test_params_may_be_in_half_precision():
    net = nn.SequentialCell(nn.Dense(3, 4), nn.BatchNorm1d(4), nn.Dense(4, 2)).set_train(False)
    function, params = to_jax(net)
    x = jnp.ones((4, 3), jnp.float32)

    def half(params):
        return function(jax.tree.map(lambda array: array.astype(jnp.bfloat16), params), x.astype(jnp.bfloat16))

    assert jax.jit(half)(params).dtype == jnp.bfloat16 and function(params, x).dtype == jnp.float32
    np.testing.assert_allclose(np.asarray(half(params), np.float32), function(params, x), 0.05, 0.05)
    slopes = jax.grad(lambda params: half(params).astype(jnp.float32).sum())(params)
    assert {slope.dtype for slope in slopes.values()} == {np.dtype(np.float32)}
    assert net[0].weight.dtype == ms.float32


class Nested(nn.Cell):
    def __init__(self):
        super().__init__()
        self.rows = nn.CellList([nn.Dense(2, 2), nn.SequentialCell(nn.Dense(2, 2), nn.ReLU())])
        self.last = nn.CellDict({"a": nn.Dense(2, 1)})

    def construct(self, x, *, scale=1.0, extra=None):
        for cell in self.rows:
            x = cell(x)
        y = self.last["a"](x) * scale
        return {"y": y if extra is None else y + extra["k"][0], "both": (x, [y, None])}


def test_arguments_by_name_may_be_arrays():
    net, x = Nested(), np.ones((2, 2), np.float32)
    function, params = to_jax(net)
    expected = net(Tensor(x), scale=2.0, extra={"k": (Tensor(3.0),)})
    for extra in ({"k": (jnp.float32(3),)}, {"k": (Tensor(3.0),)}):
        found = function(params, x, extra=extra, scale=2.0)
        np.testing.assert_allclose(found["y"], expected["y"].asnumpy(), rtol=1e-6)
        assert found["both"][1][1] is None
    traced = jax.jit(lambda params, x, scale: function(params, x, scale=scale)["y"])(params, x, 2.0)
    np.testing.assert_allclose(traced, net(Tensor(x), scale=2.0)["y"].asnumpy(), rtol=1e-6)


def test_parameters_are_bound_to_no_device():
    _, params, state = to_jax(nn.BatchNorm2d(2), mutable=True)
    assert not any(array.committed for array in (*params.values(), *state.values()))


def test_random_keys_are_arguments_of_operators(mode):
    noise = from_jax(lambda x, key: x + jax.random.normal(key, x.shape, x.dtype))
    key, x = jax.random.key(3), Tensor([1.0, 2.0])
    expected = x.asnumpy() + np.asarray(jax.random.normal(key, (2,), jnp.float32))
    np.testing.assert_allclose(noise(x, key).asnumpy(), expected, rtol=1e-6)
    np.testing.assert_allclose(ms.grad(lambda x: noise(x, key).sum())(x).asnumpy(), [1, 1])
    with pytest.raises(TypeError, match=r"must not be a random key: return jax\.random\.key_data"):
        from_jax(lambda key: jax.random.split(key))(key)


def test_a_rule_of_jax_is_differentiated_twice(mode):
    @jax.custom_vjp
    def odd(x):
        return x * 2

    odd.defvjp(lambda x: (x * 2, x), lambda x, g: (g * 100 * x,))
    total = lambda x: from_jax(odd)(x).sum()  # noqa: E731
    assert ms.grad(total)(Tensor([3.0])).asnumpy() == [300]
    assert ms.grad(ms.grad(total))(Tensor([3.0])).asnumpy() == [100]
