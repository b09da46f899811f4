"""What changes between two calls is seen, wherever it is kept: in containers, plain objects, global variables, closures."""

from __future__ import annotations

import argparse
import dataclasses
import types
from collections import OrderedDict, UserDict, defaultdict, deque

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore._engine.graph import recompile

X = Tensor([2.0], ms.float32)
SCALE = 1
SCALES = [1, 1]
SETTINGS: dict = {"inner": {"sizes": [1]}}


def number(value):
    return float(value.asnumpy()[0])


def compilations(net):
    return net.__dict__["_cell_graphs"].compilations


class Reads(nn.Cell):
    """A Cell that holds something, and a function that reads a number from it."""

    def __init__(self, held, read):
        super().__init__()
        self.held = held
        self.read = read

    def construct(self, x):
        return x * self.read(self.held)


@dataclasses.dataclass
class Config:
    scale: int = 1
    sizes: list = dataclasses.field(default_factory=lambda: [1])


@dataclasses.dataclass(slots=True)
class SlotConfig:
    scale: int = 1


class Plain:
    shared = 1

    def __init__(self):
        self.scale = 1
        self.inner = types.SimpleNamespace(scale=1)
        self.unread = 0


class Slots:
    __slots__ = ("scale",)

    def __init__(self):
        self.scale = 1


class EasyDict(dict):
    def __init__(self, **items):
        super().__init__()
        for name, value in items.items():
            setattr(self, name, value)

    def __setattr__(self, name, value):
        super().__setattr__(name, value)
        super().__setitem__(name, value)

    __setitem__ = __setattr__


class AttributeDict(dict):
    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__  # type: ignore[assignment]


class Lookup:
    """Settings behind __getattr__, as many configuration classes keep them."""

    def __init__(self):
        self._items = {"scale": 1}

    def __getattr__(self, name):
        return self._items[name]


class Described:
    def __init__(self):
        self._scale = 1

    @property
    def scale(self):
        return self._scale

    def doubled(self):
        return self._scale * 2


def put(place, key, value):
    place[key] = value


# what a Cell holds; how construct reads it; a change; what the reading gives before and after
CASES = {
    "list": (lambda: [1, 5], lambda h: h[0], lambda h: put(h, 0, 3), 1, 3),
    "list that grows": (lambda: [1], lambda h: len(h), lambda h: h.append(3), 1, 2),
    "list in another order": (lambda: [1, 2], lambda h: h[0], lambda h: h.reverse(), 1, 2),
    "dict": (lambda: {"k": 1}, lambda h: h["k"], lambda h: put(h, "k", 2), 1, 2),
    "dict with a new key": (lambda: {"k": 1}, lambda h: len(h), lambda h: put(h, "j", 2), 1, 2),
    "dict with another key": (lambda: {1: 1}, lambda h: next(iter(h)), lambda h: put(h, 2, h.pop(1)), 1, 2),
    "set": (lambda: {1}, lambda h: max(h), lambda h: h.add(4), 1, 4),
    "list in a dict": (lambda: {"a": [1]}, lambda h: h["a"][0], lambda h: put(h["a"], 0, 7), 1, 7),
    "dict in a list": (lambda: [{"a": 1}], lambda h: h[0]["a"], lambda h: put(h[0], "a", 7), 1, 7),
    "list in a tuple": (lambda: (1, [1]), lambda h: h[1][0], lambda h: put(h[1], 0, 7), 1, 7),
    "deque": (lambda: deque([1]), lambda h: h[0], lambda h: h.appendleft(7), 1, 7),
    "ordered dict": (lambda: OrderedDict(a=1), lambda h: h["a"], lambda h: put(h, "a", 7), 1, 7),
    "default dict": (lambda: defaultdict(int, a=1), lambda h: h["a"], lambda h: put(h, "a", 7), 1, 7),
    "user dict": (lambda: UserDict(a=1), lambda h: h["a"], lambda h: put(h, "a", 7), 1, 7),
    "namespace": (lambda: types.SimpleNamespace(k=1), lambda h: h.k, lambda h: setattr(h, "k", 4), 1, 4),
    "arguments": (lambda: argparse.Namespace(k=1), lambda h: h.k, lambda h: setattr(h, "k", 4), 1, 4),
    "dataclass": (Config, lambda h: h.scale, lambda h: setattr(h, "scale", 4), 1, 4),
    "list in a dataclass": (Config, lambda h: h.sizes[0], lambda h: put(h.sizes, 0, 4), 1, 4),
    "dataclass with slots": (SlotConfig, lambda h: h.scale, lambda h: setattr(h, "scale", 4), 1, 4),
    "plain object": (Plain, lambda h: h.scale, lambda h: setattr(h, "scale", 4), 1, 4),
    "object in an object": (Plain, lambda h: h.inner.scale, lambda h: setattr(h.inner, "scale", 4), 1, 4),
    "object with slots": (Slots, lambda h: h.scale, lambda h: setattr(h, "scale", 4), 1, 4),
    "objects in a list": (lambda: [Plain()], lambda h: h[0].scale, lambda h: setattr(h[0], "scale", 4), 1, 4),
    "easy dict": (lambda: EasyDict(scale=1), lambda h: h.scale, lambda h: setattr(h, "scale", 4), 1, 4),
    "attribute dict": (lambda: AttributeDict(scale=1), lambda h: h.scale, lambda h: setattr(h, "scale", 4), 1, 4),
    "settings behind getattr": (Lookup, lambda h: h.scale, lambda h: put(h._items, "scale", 4), 1, 4),
    "property": (Described, lambda h: h.scale, lambda h: setattr(h, "_scale", 4), 1, 4),
    "method": (Described, lambda h: h.doubled(), lambda h: setattr(h, "_scale", 4), 2, 8),
    "array": (lambda: np.array([1.0, 2.0]), lambda h: float(h[0]), lambda h: put(h, 0, 3), 1, 3),
    "array with an odd number of bytes": (lambda: np.ones(3, np.int8), lambda h: int(h[2]), lambda h: put(h, 2, 3), 1, 3),
    "array that is no block": (lambda: np.ones((4, 4))[:, 1], lambda h: float(h[2]), lambda h: put(h, 2, 3), 1, 3),
    "array in a dict": (lambda: {"a": np.ones(2)}, lambda h: float(h["a"][1]), lambda h: put(h["a"], 1, 3), 1, 3),
    "texts": (lambda: ["one"], lambda h: len(h[0]), lambda h: put(h, 0, "three"), 3, 5),
    "minus zero": (lambda: [0.0], lambda h: 1 if str(h[0]) == "0.0" else 2, lambda h: put(h, 0, -0.0), 1, 2),
    "True for 1": (lambda: [1], lambda h: 5 if h[0] is True else 1, lambda h: put(h, 0, True), 1, 5),
    "long list": (lambda: [1] * 5000, lambda h: len(h), lambda h: h.append(1), 5000, 5001),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_what_a_cell_holds_may_change_in_place(mode, case):
    make, read, change, before, after = CASES[case]
    net = Reads(make(), read)
    first = [number(net(X)), number(net(X))]
    change(net.held)
    assert [*first, number(net(X)), number(net(X))] == [2 * before, 2 * before, 2 * after, 2 * after]


@pytest.mark.parametrize("case", CASES)
def test_what_a_jitted_function_refers_to_may_change_in_place(mode, case):
    make, read, change, before, after = CASES[case]
    held = make()

    @ms.jit
    def times(x):
        return x * read(held)

    first = number(times(X))
    change(held)
    assert [first, number(times(X))] == [2 * before, 2 * after]


def test_gradients_see_the_change(mode):
    net = Reads({"k": 1}, lambda held: held["k"])
    gradient = ms.grad(net)
    first = number(gradient(X))
    net.held["k"] = 5
    assert [first, number(gradient(X))] == [1, 5]


def test_nothing_is_compiled_again_while_nothing_changes():
    net = Reads({"k": [1.5, "a", None], "t": X}, lambda held: held["k"][0])
    for _ in range(3):
        net(X)
    net.held["k"][0] = float("1.5")  # another object, the same number
    net(X)
    net.held = {"k": [1.5, "a", None], "t": X}
    net(X)
    assert compilations(net) == 1


def test_setting_a_member_back_finds_the_first_graph_again():
    net = Reads([1], lambda held: held[0])
    for value in (1, 2, 1, 2, 1):
        net.held[0] = value
        assert number(net(X)) == 2 * value
    assert compilations(net) == 2


def test_a_list_that_was_changed_and_then_replaced(mode):
    net = Reads([1], lambda held: held[-1])
    found = [number(net(X))]
    net.held.append(2)
    net.held = [1, 2]
    found.append(number(net(X)))
    net.held = [1]
    found.append(number(net(X)))
    assert found == [2, 4, 2]


def test_attributes_of_objects_that_nobody_reads_cause_no_new_graph():
    net = Reads(Plain(), lambda held: held.scale)
    for step in range(3):
        net.held.unread = step
        net(X)
    assert compilations(net) == 1


def test_tensors_and_parameters_in_a_list_may_be_replaced(mode):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.tables = [Tensor([1.0]), Parameter(Tensor([2.0]), name="p")]

        def construct(self, x):
            return x * self.tables[0] * self.tables[1]

    net = Net()
    found = [number(net(X))]
    net.tables[0] = Tensor([5.0])
    found.append(number(net(X)))
    net.tables[1].set_data(Tensor([1.0]))
    found.append(number(net(X)))
    net.tables[1] = Tensor([3.0])
    found.append(number(net(X)))
    assert found == [4, 20, 10, 30]


def test_a_list_two_cells_share(mode):
    shared = [1]
    net = nn.SequentialCell(Reads(shared, lambda held: held[0]), Reads(shared, lambda held: held[0] + 1))
    first = number(net(X))
    shared[0] = 2
    assert [first, number(net(X))] == [4, 12]


def test_lists_of_cells_of_one_class_are_told_apart(mode):
    net = nn.SequentialCell(Reads([1], lambda held: held[0]), Reads([1], lambda held: held[0]))
    first = number(net(X))
    net[1].held[0] = 5
    assert [first, number(net(X))] == [2, 10]


class ReadsModule(nn.Cell):
    def construct(self, x):
        return x * SCALE * SCALES[0] * SETTINGS["inner"]["sizes"][0]


def helper(x):
    return x * SCALE


def test_global_variables(mode, monkeypatch):
    net, jitted = ReadsModule(), ms.jit(helper)
    found = [number(net(X)), number(jitted(X))]
    monkeypatch.setitem(globals(), "SCALE", 3)
    found += [number(net(X)), number(jitted(X))]
    SCALES[0] = 2
    found.append(number(net(X)))
    SETTINGS["inner"]["sizes"][0] = 2
    found.append(number(net(X)))
    SCALES[0] = SETTINGS["inner"]["sizes"][0] = 1
    found.append(number(net(X)))
    assert found == [2, 2, 6, 6, 12, 24, 6]


def test_a_function_defined_anew(mode, monkeypatch):
    class Net(nn.Cell):
        def construct(self, x):
            return helper(x)

    net = Net()
    first = number(net(X))
    monkeypatch.setitem(globals(), "helper", lambda x: x * 9)
    assert [first, number(net(X))] == [2, 18]


def test_variables_of_another_module(mode):
    settings = types.ModuleType("settings_of_a_test")
    settings.SCALE, settings.UNREAD = 1, 0  # type: ignore[attr-defined]

    @ms.jit
    def times(x):
        return x * settings.SCALE

    first = number(times(X))
    settings.SCALE = 4  # type: ignore[attr-defined]
    assert [first, number(times(X))] == [2, 8]


def test_variables_of_the_function_around(mode):
    scale = 1

    @ms.jit
    def times(x):
        return x * scale

    first = number(times(X))
    scale = 4
    assert [first, number(times(X))] == [2, 8]


def test_a_tensor_of_the_function_around_is_the_present_one(mode):
    weight = Tensor([1.0])

    @ms.jit
    def times(x):
        return x * weight

    first = number(times(X))
    weight = Tensor([4.0])
    assert [first, number(times(X))] == [2, 8]


def test_attributes_of_classes(mode):
    class Net(nn.Cell):
        scale = 1
        sizes = [1]  # noqa: RUF012 - shared by all, on purpose

        def construct(self, x):
            return x * self.scale * self.sizes[0]

    class Derived(Net):
        pass

    net = Derived()
    found = [number(net(X))]
    Net.scale = 2
    found.append(number(net(X)))
    Net.sizes[0] = 3
    found.append(number(net(X)))
    Derived.scale = 5
    found.append(number(net(X)))
    assert found == [2, 4, 12, 30]


def test_attributes_of_the_class_of_a_plain_object(mode, monkeypatch):
    net = Reads(Plain(), lambda held: held.shared)
    first = number(net(X))
    monkeypatch.setattr(Plain, "shared", 6)
    assert [first, number(net(X))] == [2, 12]


def test_an_object_with_a_jitted_method(mode):
    class Trainer:
        def __init__(self):
            self.net = nn.ReLU()
            self.scale = 1
            self.weights = [1]

        @ms.jit
        def step(self, x):
            return self.net(x) * self.scale * self.weights[0]

    trainer = Trainer()
    found = [number(trainer.step(X))]
    trainer.scale = 3
    found.append(number(trainer.step(X)))
    trainer.weights[0] = 2
    found.append(number(trainer.step(X)))
    trainer.net = nn.Neg() if hasattr(nn, "Neg") else nn.ReLU6()
    found.append(abs(number(trainer.step(X))))
    assert found == [2, 6, 12, 12]


def test_a_flag_of_a_cell_that_only_a_function_reads(mode):
    net = nn.ReLU()
    net.flag = 1  # type: ignore[attr-defined]

    @ms.jit
    def times(x):
        return net(x) * net.flag  # type: ignore[attr-defined]

    first = number(times(X))
    net.flag = 4  # type: ignore[attr-defined]
    assert [first, number(times(X))] == [2, 8]


def test_a_default_that_is_a_list(mode):
    def times(x, scales=[1]):  # noqa: B006 - on purpose
        return x * scales[0]

    jitted = ms.jit(times)
    first = number(jitted(X))
    times.__defaults__[0][0] = 4  # type: ignore[index]
    assert [first, number(jitted(X))] == [2, 8]


def test_a_variable_that_code_itself_assigns_causes_no_new_graph():
    calls = 0

    @ms.jit
    def times(x):
        nonlocal calls
        calls += 1
        return x * 2

    for _ in range(3):
        times(X)
        times(ops.concat([X, X]))
    assert times.compiled.compilations <= 2


def test_a_training_step_sees_changed_settings(mode):
    class Loss(nn.Cell):
        def __init__(self):
            super().__init__()
            self.net = nn.Dense(1, 1, weight_init="ones", bias_init="zeros")
            self.factors = {"weight": 1.0}

        def construct(self, x):
            return (self.net(x) * self.factors["weight"]).sum()

    loss = Loss()
    step = nn.TrainOneStepCell(loss, nn.SGD(loss.trainable_params(), 0.0))
    first = float(step(X.reshape(1, 1)).asnumpy())
    loss.factors["weight"] = 3.0
    assert [first, float(step(X.reshape(1, 1)).asnumpy())] == [2, 6]


def test_what_changed_is_said(monkeypatch):
    lines = []
    monkeypatch.setattr(recompile.log, "warning", lambda text, *_: lines.append(text))
    monkeypatch.setattr(recompile, "_requested", True)
    net = Reads({"sizes": [1]}, lambda held: held["sizes"][0])
    net(X)
    net.held["sizes"][0] = 2
    net(X)
    assert "Reads.held['sizes'][0] changed: 1 -> 2" in lines[-1]


def test_a_number_that_changes_with_every_call_is_warned_about(monkeypatch):
    lines = []
    monkeypatch.setattr(recompile.log, "once", lambda key, text, *_: lines.append(text))
    step = [0]

    @ms.jit
    def times(x):
        return x * step[0]

    for place in range(10):
        step[0] = place
        assert number(times(X)) == 2 * place
    assert "because 'step' around" in lines[0]
    assert "[0] changed" in lines[0]
    assert "as an argument" in lines[0]


def test_what_code_itself_does_to_containers_causes_no_new_graph():
    class Notes(nn.Cell):
        def __init__(self):
            super().__init__()
            self.shapes, self.counts, self.last = [], {"calls": 0}, deque()

        def construct(self, x):
            self.shapes.append(x.shape)
            self.counts["calls"] += 1
            self.last.appendleft(1)
            return x * len(self.last)

    net = Notes()
    for _ in range(3):
        net(X)
        net(ops.concat([X, X]))
    assert compilations(net) <= 2


class Holder(nn.Cell):
    """A Cell that is never called itself: others use what it holds."""

    def __init__(self):
        super().__init__()
        self.inner = nn.ReLU()
        self.scale = 1


class Uses(nn.Cell):
    def __init__(self):
        super().__init__()
        self.row = nn.CellList([nn.ReLU(), nn.ReLU()])
        self.named = nn.CellDict({"a": nn.ReLU()})
        self.holder = Holder()
        self.scaled = nn.CellList([Holder()])

    def construct(self, x):
        for cell in self.row:
            x = cell(x)
        for cell in self.named.values():
            x = cell(x)
        for holder in self.scaled:
            x = x * holder.scale
        return self.holder.inner(x) * self.holder.scale


def _exchange(net):
    net.row[1] = nn.Sigmoid()


def _add(net):
    net.row.append(nn.Sigmoid())


def _remove(net):
    net.row[0] = nn.Sigmoid()
    del net.row[0]
    net.row.insert(0, nn.Tanh())


def _name(net):
    net.named["b"] = nn.Sigmoid()


def _replace_inside(net):
    net.holder.inner = nn.Sigmoid()


def _scale(net):
    net.holder.scale = 5


def _scale_member(net):
    net.scaled[0].scale = 5


@pytest.mark.parametrize("mode", [None, ms.GRAPH_MODE])
@pytest.mark.parametrize("change", [_exchange, _add, _remove, _name, _replace_inside, _scale, _scale_member])
def test_cells_that_are_not_called_themselves_are_seen(change, mode):
    def run(mode):
        ms.context.reset_context()
        if mode is not None:
            ms.set_context(mode=mode)
        net = Uses()
        before = number(net(X))
        change(net)
        return before, number(net(X))

    found, expected = run(mode), run(ms.PYNATIVE_MODE)
    ms.context.reset_context()
    assert found == pytest.approx(expected, rel=1e-5)
    assert found[0] != found[1]


class Environment(nn.Cell):
    """What a library of reinforcement learning puts around a game: the host steps it, a graph only asks for its settings."""

    def __init__(self):
        super().__init__()
        self.outputs, self.position = 1, 0.0

    def step(self):
        self.position += 1.0
        return np.array([self.position], np.float32)


class Plays(nn.Cell):
    def __init__(self):
        super().__init__()
        self.environment = Environment()
        self.step = ops.PyFunc(self.environment.step, [], [], [ms.float32], [(1,)])

    def construct(self, x):
        return x + self.step()[0] * self.environment.outputs


def test_state_that_only_the_host_changes_is_no_reason_to_compile_again():
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        net = Plays()
        assert [number(net(X)) for _ in range(3)] == [3, 4, 5]
        assert compilations(net) == 1
        net.environment.outputs = 10
        assert number(net(X)) == 42
        assert compilations(net) == 2
    finally:
        ms.context.reset_context()
