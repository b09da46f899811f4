"""What is small or new is computed with NumPy, what comes often or is large is compiled; sizes and counts alone decide."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
import mindspore.dataset as ds
from mindspore import Parameter, Tensor, nn, ops
from mindspore._engine.base.kernel import Kernel
from mindspore._engine.execution import backward_program, recorded_walk
from mindspore._engine.execution.dispatch import native, run
from mindspore._engine.interpreter import choice, host_graph
from mindspore._engine.runtime.transfer import to_device


@pytest.fixture(autouse=True)
def compiled(monkeypatch):
    """Names of kernels that XLA ran, and of programs it was given."""
    ms.set_context(mode=ms.PYNATIVE_MODE)
    names = []
    run_compiled, compile_walk = choice.run_compiled, backward_program.BackwardProgram._compiled
    monkeypatch.setattr(
        choice, "run_compiled", lambda kernel, *rest: names.append(kernel.name) or run_compiled(kernel, *rest)
    )
    monkeypatch.setattr(
        backward_program.BackwardProgram,
        "_compiled",
        lambda *given: names.append("backward") or compile_walk(*given),
    )
    if native is None:
        yield names
        return
    native.enable(None)  # calls that the C++ part makes by itself are not seen here
    yield names
    native.enable(choice.device_array())


def tensor(*shape):
    return Tensor(np.random.default_rng(1).normal(size=shape).astype(np.float32))


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.SequentialCell(
            nn.Conv2d(1, 4, 3),
            nn.BatchNorm2d(4),
            nn.ReLU(),
            nn.MaxPool2d(2, 2),
            nn.Flatten(),
            nn.Dropout(p=0.5),
            nn.Dense(100, 5),
        )

    def construct(self, x):
        return self.layers(x)


@pytest.mark.parametrize("optimizer", [nn.Momentum, nn.Adam], ids=["momentum", "adam"])
def test_a_first_training_step_compiles_nothing(compiled, optimizer):
    net = Net().set_train()
    weights = net.trainable_params()
    update = optimizer(weights, 0.1, 0.9) if optimizer is nn.Momentum else optimizer(weights, 0.1)
    loss = nn.CrossEntropyLoss()
    step = ms.value_and_grad(lambda x, y: loss(net(x), y), None, weights)
    before = [weight.asnumpy() for weight in weights]
    value, gradients = step(tensor(8, 1, 10, 10), Tensor(np.arange(8) % 5, ms.int32))
    update(gradients)
    assert np.isfinite(value.asnumpy()) and not compiled
    assert all(not np.array_equal(weight.asnumpy(), old) for weight, old in zip(weights, before, strict=True))


def test_new_shapes_compile_nothing(compiled):
    for size in range(2, 12):
        x = tensor(size, 3)
        assert (ops.softmax(x) @ x.T).sum(0)[1:].shape == (size - 1,)
        assert ms.grad(lambda x: ops.tanh(x).sum())(x).shape == (size, 3)
    assert not compiled


def test_what_comes_often_is_compiled_and_stays_the_same(compiled):
    ops.tanh.op.select((tensor(1),), {})[0].forget_forms()
    x = Tensor(np.random.default_rng(2).normal(size=(400, 400)).astype(np.float32))
    results = [ops.tanh(x).asnumpy() for _ in range(choice.OFTEN + 2)]
    assert compiled == ["Tanh", "Tanh"]
    for result in results:
        np.testing.assert_allclose(result, results[0], 1e-6)


def test_what_is_large_is_compiled_at_once(compiled):
    x = Tensor(np.ones((1200, 1200)))
    ops.matmul(x, x)
    assert compiled == ["matmul"]


def test_small_arrays_on_the_host_never_need_xla(compiled):
    x = tensor(2, 3)
    for _ in range(3 * choice.OFTEN):
        x = x + 1
        ms.grad(lambda x: (x * x).sum())(x)
    assert not compiled and isinstance(x._value, np.ndarray)


def test_shapes_that_never_stop_changing_are_not_compiled(compiled):
    weight = Parameter(tensor(40, 40), name="weight")
    step = ms.value_and_grad(lambda x: ops.tanh(x @ weight).sum(), None, [weight])
    for rows in range(60, 60 + 3 * recorded_walk.WALKS):
        step(tensor(rows, 40))
    assert not compiled


def test_with_every_shape_that_was_compiled_the_next_must_come_more_often():
    forms = choice.CountedForms(first=2)
    assert [forms.worth_compiling("a", False) for _ in range(4)] == [False, False, True, True]
    found = [forms.worth_compiling("b", False) for _ in range(2 * choice.RECURRING + 1)]
    assert found == [False] * (2 * choice.RECURRING) + [True]
    assert forms.worth_compiling("c", True) and forms.worth_compiling("c", False)


@pytest.mark.parametrize(("rows", "tier"), [(60, "on host"), (600, "backward")])
def test_a_gradient_that_comes_again_becomes_a_program(compiled, monkeypatch, rows, tier):
    on_host = host_graph.function_of
    monkeypatch.setattr(
        host_graph, "function_of", lambda traced: (found := on_host(traced)) and (compiled.append("on host") or found)
    )
    if native is None and tier == "on host":
        pytest.skip("the C++ part was not built")
    weight = Parameter(tensor(90, 90), name="weight")
    step = ms.value_and_grad(lambda x: ops.tanh(x @ weight).sum(), None, [weight])
    found = [step(tensor(rows, 90))[1][0].asnumpy() for _ in range(4 * recorded_walk.WALKS)]
    assert {"on host", "backward"} & set(compiled) == {tier}
    np.testing.assert_allclose(found[-1], found[0], 1e-3, 1e-3)


def test_inside_a_training_everything_is_compiled_at_once(compiled):
    net = nn.Dense(3, 2)
    data = ds.NumpySlicesDataset({"x": np.ones((4, 3), np.float32), "y": np.zeros((4, 2), np.float32)}).batch(2)
    ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1)).train(1, data)
    assert "Dense" in compiled and "backward" in compiled


def test_operands_that_went_to_the_device_stay_there():
    x = tensor(4, 4)
    assert isinstance(x._value, np.ndarray)
    with choice.compiled_at_once():
        ops.exp(x)
    assert isinstance(x._value, choice.device_array())  # type: ignore[arg-type]


@pytest.mark.parametrize("seen", [False, True], ids=["made by Python", "made by the C++ part"])
def test_a_small_array_on_the_device_comes_back_to_weights_on_the_host(seen):
    if seen and native is not None:
        native.enable(choice.device_array())
    kernel = Kernel("Scale", lambda x, w: x * w)
    for rows, expected in ((4, np.ndarray), (choice.SMALL, choice.device_array())):
        values, weights = np.ones((rows, 3), np.float32), np.full(3, 2.0, np.float32)
        for _ in range(3):
            run(kernel, [Tensor.wrap(values), Tensor.wrap(weights)])
        choice.came_often([(kernel, [values, weights])])
        for _ in range(3):
            result = run(kernel, [Tensor.wrap(to_device((values,))[0]), Tensor.wrap(weights)])
            assert type(result._value) is expected
            np.testing.assert_array_equal(result.asnumpy(), 2 * values)


def test_results_cannot_be_written_to_and_hold_no_more_than_they_need():
    x = tensor(60, 60)
    for result in (x + x, x.T, x[3], x.reshape(36, 100), ops.zeros((3, 4)), x[0, 0]):
        value = result._value
        assert not value.flags.writeable and value.flags.c_contiguous
        assert value.base is None or 2 * value.nbytes >= value.base.nbytes


def test_a_program_that_fails_is_left_to_xla(compiled, monkeypatch):
    kernel = Kernel("Fails", lambda x: x + 1)
    x = tensor(3)
    run(kernel, [x])
    (form,) = kernel.forms.values()
    form.call = lambda *_: 1 / 0
    np.testing.assert_array_equal(run(kernel, [x]).asnumpy(), x.asnumpy() + 1)
    assert compiled == ["Fails"] and form.call is None


def test_numpy_says_nothing(recwarn):
    x = Tensor([0.0, -1.0, 3e38], ms.float32)
    ops.log(x), x / 0, x * x, ops.sqrt(x), x.astype(ms.int32), ops.exp(x)
    assert not [one for one in recwarn if issubclass(one.category, RuntimeWarning)]


def test_errors_are_those_of_the_operator():
    with pytest.raises(ValueError, match="For 'MatMul'"):
        ops.MatMul()(tensor(2, 3), tensor(2, 3))
