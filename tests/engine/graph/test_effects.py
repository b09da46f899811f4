"""Where no mode was set, what a program does besides computing happens at every call, and what only computes is one graph."""

import time

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from tests.engine.graph.breaking import Net, X, graphs_of

COUNT = 0
PLACE = {"seen": []}


class Plain:
    number = 0


PLAIN = Plain()


def _append(y):
    PLACE["seen"].append(y)


def _item(y):
    PLACE[len(PLACE)] = y


def _global(y):
    global COUNT
    COUNT += 1


def _attribute(y):
    PLAIN.number += 1


def _in_a_handler(y):
    try:
        PLACE["seen"].append(y)
    except Exception:
        PLACE["seen"].clear()


def _in_an_iterator(y):
    PLACE["seen"].append(next(ITERATOR))


ITERATOR = iter(range(1000))
EFFECTS = {
    _append: lambda: len(PLACE["seen"]), _item: lambda: len(PLACE), _global: lambda: COUNT, _attribute: lambda: PLAIN.number,
    _in_a_handler: lambda: len(PLACE["seen"]), _in_an_iterator: lambda: len(PLACE["seen"]),
}  # fmt: skip


class Does(nn.Cell):
    def __init__(self, effect):
        super().__init__()
        self.dense = nn.Dense(4, 3)
        self.effect = effect

    def construct(self, x):
        y = self.dense(x)
        self.effect(y)
        return y


@pytest.mark.parametrize("effect", list(EFFECTS))
def test_an_effect_happens_at_every_call(effect):
    net, before = Does(effect), EFFECTS[effect]()
    for _ in range(3):
        net(Tensor(X))
    assert EFFECTS[effect]() == before + 3
    assert not graphs_of(net).graphs
    assert len(graphs_of(net.dense).graphs) == 1, "what it calls is compiled"


def test_a_closure_counts_every_call():
    def counter():
        count = 0

        def note(y):
            nonlocal count
            count += 1
            return count

        return note

    note = counter()
    net = Does(note)
    for _ in range(3):
        net(Tensor(X))
    assert note(None) == 4


def test_print_prints_at_every_call(capfd):
    net = Does(lambda y: print("shape", y.shape, sep="="))
    for _ in range(3):
        net(Tensor(X))
    assert capfd.readouterr().out.count("shape=(8, 3)") == 3


def test_clocks_and_chance_differ_from_call_to_call():
    def drawn(y):
        PLACE["drawn"].append((time.perf_counter(), np.random.rand()))

    PLACE["drawn"] = []
    net = Does(drawn)
    for _ in range(3):
        net(Tensor(X))
    assert len(set(PLACE["drawn"])) == 3


def test_forward_hooks_with_effects_run_at_every_call_until_they_are_removed():
    net, seen = Net(), {}
    handle = net.dense.register_forward_hook(lambda cell, inputs, output: seen.setdefault("all", []).append(output))
    for _ in range(3):
        net(Tensor(X))
    assert len(seen["all"]) == 3
    np.testing.assert_array_equal(seen["all"][0].asnumpy(), net.dense(Tensor(X)).asnumpy())
    handle.remove()
    net(Tensor(X))
    assert len(seen["all"]) == 4  # of the line above
    assert len(graphs_of(net).graphs) == 1, "without the hook it is one graph"


def test_backward_hooks_with_effects_run_at_every_call():
    found = {}
    for mode in (ms.PYNATIVE_MODE, None):
        ms.context.reset_context()
        if mode is not None:
            ms.set_context(mode=mode)
        ms.set_seed(2)
        net, seen = Net(), []
        net.norm.register_backward_hook(
            lambda cell, inward, outward, seen=seen: seen.append(outward[0].asnumpy().copy())
        )
        for _ in range(3):
            gradients = ms.grad(lambda x, net=net: (net(x) ** 2).sum(), None, net.trainable_params())(Tensor(X))
        found[mode] = [*seen, *[one.asnumpy() for one in gradients]]
        assert len(seen) == 3
    for expected, got in zip(found[ms.PYNATIVE_MODE], found[None], strict=True):
        np.testing.assert_allclose(expected, got, rtol=1e-4, atol=1e-5)


def test_a_hook_inside_a_compiled_part_breaks_before_the_forward_pass():
    """The gradient of a part that is compiled by itself is traced before the part runs."""
    net, seen, calls = Net(), [], []
    net.norm.register_backward_hook(lambda cell, inward, outward: seen.append(1))

    def loss(x):
        calls.append(1)
        return (net(x) ** 2).sum()

    for _ in range(2):
        ms.grad(loss, None, net.trainable_params())(Tensor(X))
    assert (len(calls), len(seen)) == (2, 2)


def test_what_only_computes_is_one_graph():
    class Box:
        def __init__(self, value):
            self.value = value

        def doubled(self):
            return self.value * 2

    class Busy(nn.Cell):
        def __init__(self):
            super().__init__()
            self.layers = nn.CellList([nn.Dense(4, 4) for _ in range(3)])
            self.steps = Parameter(Tensor(0.0), name="steps")
            self.cache = Tensor(0.0)

        def construct(self, x, **options):
            options["more"] = 1
            outputs, named = [], {}
            for number, layer in enumerate(self.layers):
                x = layer(x)
                outputs.append(x)
                named[f"layer{number}"] = x
            rest = outputs[1:]
            rest.reverse()
            both = outputs + rest
            both.append(x)
            sizes = sorted({len(both), 3, 1})
            sizes.insert(0, max(map(len, [(1, 2), (3,)])))
            box = Box(x)
            box.value = box.value + sum(np.arange(3).tolist())
            if x.sum() > 0:
                both.append(box.doubled())
            else:
                both.append(box.doubled() * 2)
            self.steps += 1
            self.cache = x
            return ops.stack(both).sum() + len(sizes) + len(named)

    net = Busy()
    values = [float(net(Tensor(X), kind=1)) for _ in range(3)]
    assert float(net.steps) == 3
    assert len(graphs_of(net).graphs) == 1
    assert not graphs_of(net).broken
    ms.set_context(mode=ms.PYNATIVE_MODE)
    np.testing.assert_allclose(values, [float(net(Tensor(X), kind=1))] * 3, rtol=1e-5)


def test_objects_with_effects_of_their_own_are_seen():
    made = []

    class Noted:
        def __init__(self):
            made.append(self)

    class Timed(nn.Cell):
        reads = 0

        @property
        def scale(self):
            made.append("scale")
            return 2.0

        def construct(self, x):
            return x * self.scale

    for effect in (lambda y: Noted(), Timed()):
        made.clear()
        net = Does(effect)
        for _ in range(3):
            net(Tensor(X))
        assert len(made) == 3


def test_an_error_of_the_program_is_pythons():
    class Wrong(nn.Cell):
        def construct(self, x):
            return {"a": x}["b"]

    with pytest.raises(KeyError, match="b"):
        Wrong()(Tensor(X))
