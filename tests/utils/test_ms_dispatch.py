"""A mode of the program's own sees operators before they run, and may change what they get and give."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops


class Log(ms.MsDispatchMode):
    def __init__(self):
        self.seen = []

    def __ms_dispatch__(self, func, args, kwargs=None):
        self.seen.append((func.name, args, kwargs))
        return func(*args)

    @property
    def names(self):
        return [name for name, _, _ in self.seen]


@pytest.fixture(autouse=True)
def _eager():
    before = ms.get_context("mode")
    ms.set_context(mode=ms.PYNATIVE_MODE)
    yield
    ms.set_context(mode=before)


X, Y = Tensor([1.0, 2.0, 3.0]), Tensor([4.0, 5.0, 6.0])


def test_operators_are_seen_with_all_their_arguments():
    with Log() as log:
        ops.softmax(X, axis=0)
        ops.concat((X, Y))
        X + Y
    assert log.names == ["Softmax", "Concat", "Add"]
    assert log.seen[0][1][0] is X and log.seen[0][1][1] == 0
    assert [part is whole for part, whole in zip(log.seen[1][1][0], (X, Y), strict=True)] == [True, True]
    assert all(kwargs is None for _, _, kwargs in log.seen)
    X - Y
    assert len(log.seen) == 3


def test_layers_and_gradients_are_seen_and_right():
    net = nn.Dense(3, 2)
    x = Tensor(np.ones((1, 3), np.float32))
    with Log() as log:
        value, gradient = ms.value_and_grad(lambda x: (net(x) * 2).sum())(x)
    assert "Mul" in log.names
    expected = ms.value_and_grad(lambda x: (net(x) * 2).sum())(x)
    np.testing.assert_array_equal(value.asnumpy(), expected[0].asnumpy())
    np.testing.assert_array_equal(gradient.asnumpy(), expected[1].asnumpy())


def test_the_innermost_mode_is_asked_and_the_outer_one_sees_what_it_runs():
    with Log() as outer:
        X * 2
        with Log() as inner:
            X + Y
        X - Y
    assert outer.names == ["Mul", "Add", "Sub"] and inner.names == ["Add"]


def test_a_mode_decorates_a_function():
    log = Log()

    @log
    def add(a, b):
        return a + b

    assert add(X, Y).asnumpy().tolist() == [5, 7, 9] and log.names == ["Add"]


def test_what_a_mode_computes_itself_does_not_come_back_to_it():
    class Double(ms.MsDispatchMode):
        def __ms_dispatch__(self, func, args, kwargs=None):
            return func(args[0] * 2, *args[1:])

    with Double():
        assert (X + Y).asnumpy().tolist() == [6, 9, 12]


def test_attributes_can_be_changed():
    class LastAxis(ms.MsDispatchMode):
        def __ms_dispatch__(self, func, args, kwargs=None):
            return func(args[0], -1, *args[2:]) if func.name == "Softmax" else func(*args)

    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    with LastAxis():
        changed = ops.softmax(x, axis=0)
    np.testing.assert_array_equal(changed.asnumpy(), ops.softmax(x, axis=-1).asnumpy())


def test_the_result_may_be_another_tensor():
    class Answer(ms.MsDispatchMode):
        def __ms_dispatch__(self, func, args, kwargs=None):
            return Tensor(42)

    with Answer():
        assert int(X + Y) == 42


def test_a_mode_that_fails_is_left_behind():
    class Broken(ms.MsDispatchMode):
        def __ms_dispatch__(self, func, args, kwargs=None):
            raise KeyError("broken")

    with pytest.raises(KeyError, match="broken"), Broken():
        X + Y
    assert (X + Y).asnumpy().tolist() == [5, 7, 9]


def test_a_method_without_the_arguments_or_a_result_is_an_error():
    class TooFew(ms.MsDispatchMode):
        def __ms_dispatch__(self, func):
            return func()

    class Forgets(ms.MsDispatchMode):
        def __ms_dispatch__(self, func, args, kwargs=None):
            func(*args)

    with pytest.raises(TypeError, match="positional arguments"), TooFew():
        X + Y
    with pytest.raises(TypeError, match=r"return func\(\*args\)"), Forgets():
        X + Y


def test_the_mode_itself_changes_nothing():
    with ms.MsDispatchMode():
        assert (X + Y).asnumpy().tolist() == [5, 7, 9]


def test_a_compiled_graph_is_not_seen():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = nn.ReLU()
    with Log() as log:
        net(X)
        assert log.names == []
        ops.add(X, Y)
    assert log.names == ["Add"]
