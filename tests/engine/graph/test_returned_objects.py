"""Objects that a graph returns are those of Python: of their own class, new at every call, with Tensors that have values."""

import bisect
import collections
import dataclasses
import heapq
import operator
import typing

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn
from tests.engine.graph.breaking import graphs_of

X = np.array([1.0, 2.0], np.float32)


@dataclasses.dataclass
class Output:
    logits: typing.Any
    rest: list = dataclasses.field(default_factory=list)


class Plain:
    def __init__(self, logits):
        self.logits = logits


class Slots:
    __slots__ = ("logits",)

    def __init__(self, logits):
        self.logits = logits


class Mapping(dict):
    def __init__(self, **members):
        super().__init__(**members)
        self.note = "kept"

    @property
    def logits(self):
        return self["logits"]


class Ordered(collections.OrderedDict):
    def __getattr__(self, name):
        if name in self:
            return self[name]
        raise AttributeError(name)


class Items(list):
    logits = property(lambda self: self[0])


class Pair(typing.NamedTuple):
    logits: typing.Any
    rest: typing.Any = 2


def _default(logits):
    made = collections.defaultdict(list)
    made["logits"].append(logits)
    return made


FORMS = {
    "dataclass": lambda x: Output(x, [x]), "plain": Plain, "slots": Slots, "dict": lambda x: Mapping(logits=x),
    "ordered": lambda x: Ordered(logits=x), "list": lambda x: Items([x]), "namedtuple": Pair, "default": _default,
    "deque": lambda x: collections.deque([x], 3), "nested": lambda x: Plain(Output(x, [Plain(x)])),
}  # fmt: skip


def found_in(value):
    if isinstance(value, collections.deque):
        return value.maxlen, value[0]
    if isinstance(value, collections.defaultdict):
        return value.default_factory, value["logits"][0]
    found = value.logits
    return getattr(value, "note", None), found.logits if isinstance(found, Output) else found


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("asked", ["nothing", "graph", "jit"])
def test_an_object_that_is_returned_has_its_class_and_values(name, asked):
    form = FORMS[name]

    class Returns(nn.Cell):
        def construct(self, x):
            return form(x * 2)

    if asked == "graph":
        ms.set_context(mode=ms.GRAPH_MODE)
    net = Returns()
    function = ms.jit(lambda x: form(x * 2)) if asked == "jit" else net
    first, second = function(Tensor(X)), function(Tensor(X + 1))
    expected = form(Tensor(X) * 2)
    assert type(second) is type(expected)
    assert first is not second
    assert found_in(second)[0] == found_in(expected)[0]
    np.testing.assert_array_equal(found_in(first)[1].asnumpy(), X * 2)
    np.testing.assert_array_equal(found_in(second)[1].asnumpy(), (X + 1) * 2)
    if asked != "jit":
        assert (len(graphs_of(net).graphs), len(graphs_of(net).broken)) == (1, 0)


def test_what_was_changed_in_a_returned_object_is_not_in_the_next(mode):
    class Returns(nn.Cell):
        def construct(self, x):
            return Plain([1, 2]), x

    net = Returns()
    net(Tensor(X))[0].logits.append(3)
    assert net(Tensor(X))[0].logits == [1, 2]


def test_a_function_that_keeps_tensors_has_their_values(mode):
    class Returns(nn.Cell):
        def construct(self, x):
            y = x * 2
            return lambda: y + 1

    for _ in range(2):
        np.testing.assert_array_equal(Returns()(Tensor(X))().asnumpy(), X * 2 + 1)


def test_arguments_keep_their_classes(mode):
    class Takes(nn.Cell):
        def construct(self, batch, more):
            return batch.logits * len(batch.note) + more[0]

    ends = collections.deque([Tensor(X)], 2)
    for _ in range(2):
        found = Takes()(Mapping(logits=Tensor(X)), ends)
    np.testing.assert_array_equal(found.asnumpy(), X * 5)


def test_what_was_printed_before_an_error_is_seen(capfd):
    @ms.jit
    def stops(x):
        for step in range(4):
            print("step", x * step)
        if x.sum() > 0:
            raise ValueError(f"sum {x.sum()}")
        return x

    with pytest.raises(ValueError, match="sum 3"):
        stops(Tensor(X))
    assert capfd.readouterr().out.count("Tensor(") == 4


@pytest.mark.parametrize(("level", "strict"), [("0", True), ("1", True), ("2", False)])
def test_the_syntax_level_of_the_environment_goes_before_the_context(monkeypatch, level, strict):
    @ms.jit
    def needs(x):
        return Tensor(x.asnumpy() * 2)

    assert needs(Tensor(X)).shape == (2,)
    monkeypatch.setenv("MS_DEV_JIT_SYNTAX_LEVEL", level)
    ms.set_context(jit_syntax_level=ms.context.LAX if strict else ms.context.STRICT)
    if strict:
        with pytest.raises(RuntimeError, match="asnumpy"):
            needs(Tensor(X))
    else:
        assert needs(Tensor(X)).shape == (2,)


def _kept_list():
    held = [3, 1, 2]

    def function(x):
        heapq.heapify(held)
        heapq.heappush(held, len(held))
        bisect.insort(held, 10)
        operator.setitem(held, 0, held[0] - 1)
        list.append(held, 5)
        return x * len(held) + held[0]

    return function, held


def _kept_array():
    held = np.zeros(2, np.float32)

    def function(x):
        held.fill(held[0] + 1)
        np.add(held, 1, out=held)
        np.put(held, 0, held[0] + 1)
        return x + Tensor(held)

    return function, held


def _kept_bytes():
    held = bytearray(b"ab")

    def function(x):
        held.append(99)
        return x * len(held)

    return function, held


def _kept_iterator():
    held = iter([1.0, 2.0, 3.0, 4.0])
    return (lambda x: x * next(held)), held


def _kept_generator():
    held = (float(number) for number in range(1, 5))

    def function(x):
        for number in held:
            x = x * number
            if number > 1:
                break
        return x

    return function, held


@pytest.mark.parametrize("make", [_kept_list, _kept_array, _kept_bytes, _kept_iterator, _kept_generator])
def test_what_a_library_changes_outside_changes_at_every_call(make):
    def run(wrap):
        function, held = make()
        function = wrap(function)
        results = [function(Tensor([1.0, 2.0])).tolist() for _ in range(2)]
        return results, list(held)

    assert run(ms.jit) == run(lambda function: function)


def test_arrays_and_sets_are_each_calls_own():
    @ms.jit
    def function(x):
        array, names = np.zeros(2), {"a"}
        array[1] = 5
        names.add("b")
        return x, array, names

    first = function(Tensor(1.0))
    first[1][0] = 99
    first[2].clear()
    assert (function(Tensor(1.0))[1].tolist(), function(Tensor(1.0))[2]) == ([0.0, 5.0], {"a", "b"})


# -- Tensors that the program holds -----------------------------------------------------------------------------------------
class Holding(nn.Cell):
    def __init__(self, given):
        super().__init__()
        self.given = given
        self.weight = ms.Parameter(Tensor([1.0, 2.0], ms.float32), name="weight")
        self.table = Tensor([3.0, 4.0], ms.float32)

    def construct(self, x):
        return self.given(self, x)


def written(net, x):
    net.weight += x
    return net.weight


@pytest.mark.parametrize(
    "given, held",
    [
        (lambda net, x: net.weight, lambda net, x: net.weight),
        (lambda net, x: (net.weight, x * 1, [net.table]), lambda net, x: (net.weight, None, [net.table])),
        (lambda net, x: {"weight": net.weight}, lambda net, x: {"weight": net.weight}),
        (written, lambda net, x: net.weight),
    ],
)
def test_tensors_that_the_program_holds_are_returned_themselves_without_a_mode(given, held):
    ms.context.reset_context()
    net = Holding(given)
    for _ in range(2):
        found, expected = net(Tensor(X)), held(net, Tensor(X))
        pairs = zip(_leaves(found), _leaves(expected), strict=True)
        assert all(one is other for one, other in pairs if other is not None)
    assert graphs_of(net).compilations == 1


def _leaves(value):
    if isinstance(value, dict):
        value = list(value.values())
    return [leaf for one in value for leaf in _leaves(one)] if isinstance(value, list | tuple) else [value]


def test_a_graph_returns_a_parameter_itself_where_it_stands_alone_and_is_not_written():
    ms.set_context(mode=ms.GRAPH_MODE)
    alone, listed, changed = Holding(lambda net, x: net.weight), Holding(lambda net, x: [net.weight]), Holding(written)
    assert alone(Tensor(X)) is alone.weight
    assert type(listed(Tensor(X))[0]) is Tensor
    assert type(changed(Tensor(X))) is Tensor
    ms.context.reset_context()


@pytest.mark.parametrize("mode", [None, ms.GRAPH_MODE])
def test_gradients_go_through_a_parameter_that_a_compiled_cell_returns(mode):
    ms.context.reset_context()
    if mode is not None:
        ms.set_context(mode=mode)
    for given in (lambda net, x: net.weight, written):
        net = Holding(given)
        grads = ms.grad(lambda x, net=net: (net(x) * x).sum(), 0, [net.weight])(Tensor(X))
        np.testing.assert_allclose(grads[1][0].asnumpy(), X)
    ms.context.reset_context()
