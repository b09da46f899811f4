"""Things of outside that compiled code changes: they are changed at every call, in each way of compiling."""

import functools

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn

_list, _dict, _nested, _array, _count = [1, 2, 3], {"a": 1}, {"kept": []}, np.zeros(2), 0
_outer = Tensor(np.ones(2, np.float32))


class _Box:
    def __init__(self, value=1, shared=None):
        self.value = value
        self.items = [] if shared is None else shared


_box = _Box()


def _reverse(x):
    _list.reverse()
    return _list


def _count_calls(x):
    global _count
    _count += 1
    return _count


def _store(x):
    _dict["a"] = _dict["a"] + 1
    _dict["x"] = x
    return _dict["a"]


def _append_inside(x):
    _nested["kept"].append(x)
    return len(_nested["kept"])


def _set_attribute(x):
    _box.value = _box.value + 1
    return _box.value


def _set_with_setattr(x):
    setattr(_box, "other", x * 2)  # noqa: B010 - the function is meant
    return getattr(_box, "other")  # noqa: B009


def _write_array(x):
    _array[0] += 1
    return x


class _Net(nn.Cell):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def construct(self, x):
        return self.function(x)


@pytest.fixture(params=["jit", "graph", "default"])
def compiled(request):
    ms.context.reset_context()
    if request.param == "graph":
        ms.set_context(mode=ms.GRAPH_MODE)
    yield ms.jit if request.param == "jit" else _Net
    ms.context.reset_context()


def _reset():
    global _count
    _list[:], _count, _array[:] = [1, 2, 3], 0, 0
    _dict.clear()
    _dict["a"] = 1
    _nested["kept"].clear()
    _box.value = 1
    _box.__dict__.pop("other", None)


def test_globals_are_changed_at_every_call(compiled):
    _reset()
    x = Tensor(3.0)
    reverse, count, store, append, attribute, named, array = map(compiled, (
        _reverse, _count_calls, _store, _append_inside, _set_attribute, _set_with_setattr, _write_array))  # fmt: skip
    for step in (1, 2, 3):
        assert reverse(x) is _list and _list == ([3, 2, 1] if step % 2 else [1, 2, 3])
        assert count(x) == step == _count
        assert store(x) == step + 1 == _dict["a"] and float(_dict["x"]) == 3.0
        assert append(x) == step == len(_nested["kept"]) and float(_nested["kept"][-1]) == 3.0
        assert attribute(x) == step + 1 == _box.value
        assert float(named(Tensor(float(step)))) == 2.0 * step == float(_box.other)
        array(x)
        assert _array[0] == step


def test_what_the_function_has_made_is_its_own(compiled):
    def f(x):
        made, box, table = [x], _Box(x), {"a": x}
        made.append(x * 2)
        box.value = box.value + 1
        box.items.append(x)
        table["b"] = made[1]
        total = 0
        for part in made:
            total = total + part
        return total, box.value, table

    net = compiled(f)
    for value in (1.0, 2.0):
        total, one, table = net(Tensor(value))
        assert [float(total), float(one), float(table["b"])] == [3 * value, value + 1, 2 * value]
    owner = net.compiled if isinstance(net, type(ms.jit(f))) else net._graphs_of()
    assert not owner.broken and owner.graphs


def test_a_list_of_outside_inside_an_object_is_of_outside(compiled):
    def f(x):
        _Box(x, _nested["kept"]).items.append(x)
        return x

    _reset()
    net = compiled(f)
    net(Tensor(1.0))
    net(Tensor(2.0))
    assert [float(one) for one in _nested["kept"]] == [1.0, 2.0]


@ms.jit
def _augment():
    for i in (1, 2, 3):
        _outer += i  # noqa: F823 - compiled: reads the global of that name
    return _outer


def test_a_variable_that_is_only_augmented_starts_as_the_global():
    for _ in range(2):
        assert _augment().asnumpy().tolist() == [7, 7]
    assert _outer.asnumpy().tolist() == [1, 1]


class _Keeps(nn.Cell):
    def __init__(self):
        super().__init__()
        self.steps = 0
        self.scale = 0.5

    def add(self, a, b):
        return a + b

    def construct(self, x):
        self.steps = self.steps + 1
        self.scale = self.scale * 0.5
        self.appears = x * self.steps
        self.partial = functools.partial(self.add, x)
        self.closure = lambda y: y - x
        self.box = _Box(x)
        return self.steps, self.scale, self.partial(x)


@pytest.mark.parametrize("mode", [None, ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_attributes_that_construct_makes_hold_values_of_the_last_call(mode):
    ms.context.reset_context()
    if mode is not None:
        ms.set_context(mode=mode)
    net = _Keeps()
    for step in (1, 2, 3, 4):
        steps, scale, double = net(Tensor(float(step)))
        assert (steps, scale, float(double)) == (step, 0.5 ** (step + 1), 2.0 * step)
        assert type(steps) is int and type(scale) is float and net.steps == step
        assert [float(net.appears), float(net.box.value)] == [float(step * step), float(step)]
        assert [float(net.partial(Tensor(10.0))), float(net.closure(Tensor(10.0)))] == [10.0 + step, 10.0 - step]
    ms.context.reset_context()


@ms.jit_class
class _Inner:
    def __init__(self):
        self.value = 10


class _Holder(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = _Inner()

    @ms.jit
    def construct(self):
        self.inner.value = self.inner.value * 10
        return self.inner.value


def test_attributes_of_jit_class_objects_are_set():
    net = _Holder()
    assert [net(), net()] == [100, 1000]
    assert net.inner.value == 1000


class _NoSelf(nn.Cell):
    def difference(x, y):  # noqa: N805 - that is what the test is about
        return x - y

    def construct(self, x, y):
        return self.difference(x, y)


def test_a_method_written_without_self_in_a_graph():
    ms.context.reset_context()
    with pytest.raises(TypeError):
        _NoSelf()(Tensor(3.0), Tensor(2.0))
    ms.set_context(mode=ms.GRAPH_MODE)
    assert float(_NoSelf()(Tensor(3.0), Tensor(2.0))) == 1.0
    ms.context.reset_context()


class _KeepsDtype(nn.Cell):
    def __init__(self, dtype, value):
        super().__init__()
        self.kept = Parameter(Tensor([0, 0], dtype), name="kept", requires_grad=False)
        self.value = value

    def construct(self, x):
        self.kept = self.value if x is None else x
        return self.kept * 1


_INTO = [(ms.bool_, ms.int8), (ms.int8, ms.uint8), (ms.int8, ms.int32), (ms.int32, ms.int64), (ms.int32, ms.float16),
         (ms.uint8, ms.int8), (ms.float16, ms.float32), (ms.float32, ms.float64)]  # fmt: skip


@pytest.mark.parametrize(("own", "other"), _INTO, ids=str)
def test_graphs_refuse_to_keep_what_a_parameter_cannot_hold(own, other):
    value = Tensor([1, 2], other)
    ms.set_context(mode=ms.GRAPH_MODE)
    net = _KeepsDtype(own, None)
    with pytest.raises(TypeError, match="without a loss"):
        net(value)
    assert net.kept.asnumpy().tolist() == [0, 0]
    if {own, other} != {ms.int8, ms.uint8}:
        assert _KeepsDtype(other, None)(Tensor([1, 2], own)).dtype == other
    ms.set_context(mode=ms.PYNATIVE_MODE)
    _KeepsDtype(own, None)(value)
    assert net.kept.dtype == own


@pytest.mark.parametrize(
    ("dtype", "number", "holds"),
    [(ms.int32, 2, True), (ms.int32, 2.5, False), (ms.bool_, 2, False), (ms.float16, 2, True), (ms.int8, True, True)],
)
def test_graphs_refuse_numbers_that_a_parameter_cannot_hold(dtype, number, holds):
    ms.set_context(mode=ms.GRAPH_MODE)
    net = _KeepsDtype(dtype, number)
    net.kept = Parameter(Tensor(0, dtype), name="kept", requires_grad=False)
    if holds:
        net(None)
        assert net.kept.asnumpy() == number and net.kept.dtype == dtype
    else:
        with pytest.raises(TypeError, match="without a loss"):
            net(None)


class _Replaces(nn.Cell):
    """Assigns something of another kind to an attribute."""

    def __init__(self, start, kind):
        super().__init__()
        self.kept, self.kind = start, kind

    def construct(self, x):
        if self.kind == "sum":
            self.kept = x.sum()
        elif self.kind == "added":
            self.kept = x + self.kept
        elif self.kind == "number at last":
            self.kept = x.sum()
            self.kept = 7
        return self.kept


@pytest.mark.parametrize("start", [1, 0.5, True])
@pytest.mark.parametrize("kind", ["sum", "added"])
def test_a_tensor_takes_the_place_of_a_number(start, kind):
    ms.set_context(mode=ms.GRAPH_MODE)
    net, x, expected = _Replaces(start, kind), Tensor([1.0, 2.0]), start
    for _ in range(3):
        expected = 3.0 if kind == "sum" else np.array([1.0, 2.0]) + expected
        np.testing.assert_allclose(net(x).asnumpy(), expected)
        assert isinstance(net.kept, Tensor)
        np.testing.assert_allclose(net.kept.asnumpy(), expected)


@pytest.mark.parametrize("start", [1, 0.5, None, Tensor([1.0])])
def test_a_number_takes_the_place_of_a_tensor(start):
    ms.set_context(mode=ms.GRAPH_MODE)
    net = _Replaces(start, "number at last")
    for _ in range(3):
        assert net(Tensor([1.0, 2.0])) == 7
        assert type(net.kept) is int
