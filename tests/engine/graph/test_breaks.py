"""A call that a graph cannot hold runs as Python, with what it calls compiled, and gives the numbers of PyNative mode."""

import time

import numpy as np
import pytest

import mindspore as ms
import mindspore.dataset as ds
from mindspore import Parameter, Tensor, amp, nn, ops
from mindspore._engine.config import config
from mindspore._utils import log

X = np.random.default_rng(0).standard_normal((8, 4)).astype(np.float32)
Y = np.random.default_rng(1).standard_normal((8, 3)).astype(np.float32)


class Net(nn.Cell):
    def __init__(self, dropout: bool = False):
        super().__init__()
        self.dense = nn.Dense(4, 3)
        self.norm = nn.BatchNorm1d(3)
        self.dropout = nn.Dropout(p=0.5) if dropout else None

    def construct(self, x):
        x = self.norm(self.dense(x))
        return x if self.dropout is None else self.dropout(x)


class ByValue(nn.Cell):
    """A loss that needs a value."""

    def construct(self, outputs, labels):
        difference = outputs - labels
        largest = float(difference.abs().max().asnumpy())
        return (difference * difference).mean() * (1.0 + min(largest, 1.0))


class ByEffect(nn.Cell):
    """A loss that writes a diary."""

    def __init__(self):
        super().__init__()
        self.diary = []

    def construct(self, outputs, labels):
        loss = ((outputs - labels) ** 2).mean()
        self.diary.append(loss)
        return loss


def graphs_of(cell):
    return cell._graphs_of()


def trained(mode, loss, dropout=False, steps=4, wrap=None):
    """Losses, Parameters and moving averages after some steps."""
    ms.context.reset_context()
    if mode is not None:
        ms.set_context(mode=mode)
    ms.set_seed(3)
    net = Net(dropout)
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    step = (wrap or nn.TrainOneStepCell)(nn.WithLossCell(net, loss()), optimizer)
    step.set_train()
    losses = [step(Tensor(X), Tensor(Y)) for _ in range(steps)]
    losses = [float(one[0] if isinstance(one, tuple) else one) for one in losses]
    return losses, {one.name: one.asnumpy() for one in step.get_parameters()}, step


def same_training(first, second):
    np.testing.assert_allclose(first[0], second[0], rtol=1e-5)
    assert first[1].keys() == second[1].keys()
    for name, value in first[1].items():
        np.testing.assert_allclose(value, second[1][name], rtol=1e-4, atol=1e-6, err_msg=name)


# -- a training step with a break in it ---------------------------------------------------------------------------------
@pytest.mark.parametrize("loss", [ByValue, ByEffect])
@pytest.mark.parametrize("dropout", [False, True])
def test_a_step_whose_loss_breaks_trains_as_in_pynative_mode(loss, dropout):
    expected = trained(ms.PYNATIVE_MODE, loss, dropout)
    for mode in (None, ms.GRAPH_MODE):
        found = trained(mode, loss, dropout)
        same_training(expected, found)
        network = found[2].network.backbone_network
        assert len(graphs_of(network).graphs) == 1, "the network itself is one graph"
        assert graphs_of(network).compilations == 1
    if loss is ByEffect:
        assert len(trained(None, loss)[2].network._loss_fn.diary) == 4


def test_the_optimizer_of_a_broken_step_is_compiled():
    step = trained(None, ByValue)[2]
    assert graphs_of(step.optimizer).compilations == 1
    assert not graphs_of(step).graphs


def test_a_broken_call_is_traced_once():
    step = trained(None, ByValue, steps=1)[2]
    before = graphs_of(step).compilations, graphs_of(step.network).compilations
    for _ in range(3):
        step(Tensor(X), Tensor(Y))
    assert (graphs_of(step).compilations, graphs_of(step.network).compilations) == before
    assert before == (1, 0), "what a break passes on its way out needs no trace of its own"


def test_loss_scaling_around_a_break():
    def scaled(network, optimizer):
        manager = nn.DynamicLossScaleUpdateCell(loss_scale_value=2**8, scale_factor=2, scale_window=2)
        return nn.TrainOneStepWithLossScaleCell(network, optimizer, manager)

    expected = trained(ms.PYNATIVE_MODE, ByValue, wrap=scaled)
    same_training(expected, trained(None, ByValue, wrap=scaled))


def test_mixed_precision_around_a_break():
    def mixed(network, optimizer):
        amp.auto_mixed_precision(network.backbone_network, "O2")
        return nn.TrainOneStepCell(network, optimizer)

    expected = trained(ms.PYNATIVE_MODE, ByValue, wrap=mixed)
    found = trained(None, ByValue, wrap=mixed)
    np.testing.assert_allclose(expected[0], found[0], rtol=2e-2)


def test_steps_in_the_old_way_run_the_network_once():
    class Step(nn.Cell):
        def __init__(self, network, optimizer):
            super().__init__(auto_prefix=False)
            self.network, self.optimizer = network, optimizer
            self.network.set_grad()
            self.gradient = ops.GradOperation(get_by_list=True)
            self.seen = []

        def construct(self, x, y):
            loss = self.network(x, y)
            self.seen.append(loss)
            self.optimizer(self.gradient(self.network, self.optimizer.parameters)(x, y))
            return loss

    loss = nn.MSELoss
    same_training(trained(ms.PYNATIVE_MODE, loss, True, wrap=Step), trained(None, loss, True, wrap=Step))


def test_sinking_goes_by_steps():
    def losses(mode):
        ms.context.reset_context()
        if mode is not None:
            ms.set_context(mode=mode)
        ms.set_seed(5)
        net, diary = Net(), ByEffect()
        model = ms.Model(net, diary, nn.SGD(net.trainable_params(), 0.1))
        data = ds.NumpySlicesDataset({"x": X, "y": Y}, shuffle=False).batch(2)
        model.train(2, data, dataset_sink_mode=True)
        return [float(one) for one in diary.diary]

    found = losses(None)
    assert len(found) == 8
    np.testing.assert_allclose(found, losses(ms.PYNATIVE_MODE), rtol=1e-5)


def test_gradients_pass_a_break_in_both_directions():
    class Middle(nn.Cell):
        def __init__(self):
            super().__init__()
            self.first, self.last = nn.Dense(4, 4), nn.Dense(4, 1)

        def construct(self, x):
            y = ops.tanh(self.first(x))
            scale = float(y.asnumpy().std())
            return self.last(y * scale).sum()

    net = Middle()
    found = {}
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        value, gradients = ms.value_and_grad(net, 0, net.trainable_params())(Tensor(X))
        found[mode] = [value, gradients[0], *gradients[1]]
    for expected, got in zip(found[ms.PYNATIVE_MODE], found[ms.GRAPH_MODE], strict=True):
        np.testing.assert_allclose(expected.asnumpy(), got.asnumpy(), rtol=1e-5, atol=1e-6)


def test_second_gradients_of_a_compiled_part():
    class Cube(nn.Cell):
        def construct(self, x):
            return (x * x * x).sum()

    cube, seen = Cube(), []

    def outer(x):
        seen.append(1)
        return cube(x)

    second = ms.grad(lambda x: ms.grad(outer)(x).sum())
    assert second(Tensor([2.0, 3.0])).asnumpy().tolist() == [12.0, 18.0]
    assert len(seen) == 1


# -- effects, where no mode was set -------------------------------------------------------------------------------------
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


# -- values, where a graph was asked for --------------------------------------------------------------------------------
def _loop_of_values(x):
    total = x.sum() * 0
    for value in x.asnumpy().tolist():
        total = total + value
    return total


VALUES = {
    "asnumpy": lambda x: x * float(x.asnumpy().sum()),
    "item": lambda x: x * [0, 1, 2][int(x.sum().item()) % 3],
    "tolist": lambda x: x + len([v for v in x.tolist() if v > 1]),
    "numpy function": lambda x: x + Tensor(np.cumsum(x.asnumpy())),
    "bool mask": lambda x: x[x > 1].sum(),
    "nonzero": lambda x: ops.nonzero(x > 1).sum(),
    "unique": lambda x: ops.unique(x)[0].sum(),
    "slice bound": lambda x: x[: (x > 1).sum()].sum(),
    "branches of other shapes": lambda x: (x if x.sum() > 100 else ops.concat([x, x])).sum(),
    "loop": _loop_of_values,
    "comprehension": lambda x: ops.stack([v * 2 for v in x if v > 1]).sum(),
}


@pytest.mark.parametrize("name", list(VALUES))
def test_jit_runs_as_python_where_a_value_is_needed(name):
    function = VALUES[name]
    x = Tensor([0.5, 1.0, 2.0, 3.0])
    ms.set_context(mode=ms.PYNATIVE_MODE)
    expected = function(x)
    jitted = ms.jit(function)
    for _ in range(2):
        np.testing.assert_allclose(expected.asnumpy(), jitted(x).asnumpy(), rtol=1e-6)
    gradient = ms.grad(function)(x).asnumpy()
    np.testing.assert_allclose(gradient, ms.grad(jitted)(x).asnumpy(), rtol=1e-6)
    ms.set_context(mode=ms.GRAPH_MODE)
    np.testing.assert_allclose(gradient, ms.grad(function)(x).asnumpy(), rtol=1e-6)


def test_one_notice_names_the_line(monkeypatch, caplog):
    monkeypatch.setattr(log, "_said", set())
    log.logger.addHandler(caplog.handler)
    try:

        @ms.jit
        def needs(x):
            return x * float(x.asnumpy()[0])  # the line

        for size in (2, 3, 4):
            needs(Tensor(np.ones(size, np.float32)))
            needs(Tensor(np.ones(size, np.float32)))
    finally:
        log.logger.removeHandler(caplog.handler)
    said = [one.getMessage() for one in caplog.records if "runs as Python" in one.getMessage()]
    assert len(said) == 1
    assert "return x * float(x.asnumpy()[0])  # the line" in said[0]
    assert "test_breaks.py" in said[0]


def test_no_notice_where_no_mode_was_set(caplog, monkeypatch):
    monkeypatch.setattr(log, "_said", set())
    log.logger.addHandler(caplog.handler)
    try:
        Does(_append)(Tensor(X))
        assert not [one for one in caplog.records if "runs as Python" in one.getMessage()]
        config.explain_breaks.value = True
        Does(_append)(Tensor(X))
        assert [one for one in caplog.records if "made outside" in one.getMessage()]
    finally:
        config.explain_breaks.value = False
        log.logger.removeHandler(caplog.handler)


def _strict_context(function):
    ms.set_context(jit_syntax_level=ms.STRICT)
    return ms.jit(function)


STRICT = {
    "context": _strict_context,
    "fullgraph": lambda function: ms.jit(function, fullgraph=True),
    "JitConfig": lambda function: ms.jit(function, jit_config=ms.JitConfig(jit_syntax_level="STRICT")),
    "argument": lambda function: ms.jit(function, jit_syntax_level="STRICT"),
    "decorator": lambda function: ms.jit(fullgraph=True)(function),
}


@pytest.mark.parametrize("how", list(STRICT))
def test_strict_makes_a_break_an_error(how):
    function = STRICT[how](VALUES["asnumpy"])
    with pytest.raises(RuntimeError, match=r"asnumpy\(\) needs the value of a Tensor"):
        function(Tensor([1.0]))


def test_the_environment_can_ask_for_strictness():
    config.strict_graph.value = True
    try:
        with pytest.raises(RuntimeError, match="needs the value of a Tensor"):
            ByValue()(Tensor(X), Tensor(X))
    finally:
        config.strict_graph.value = False


def test_a_network_can_be_strict():
    net = ByValue()
    net.set_jit_config(ms.JitConfig(jit_syntax_level="STRICT"))
    with pytest.raises(RuntimeError, match="needs the value of a Tensor"):
        net(Tensor(X), Tensor(X))


def test_jit_is_traced_once():
    traces = Plain()

    @ms.jit
    def function(x):
        time.sleep(0)
        return x * 2

    function(Tensor(X)), function(Tensor(X))
    assert function.compiled.compilations == 1
    assert not function.compiled.broken
    assert traces.number == 0


def test_export_of_a_network_that_breaks_names_the_line(tmp_path):
    with pytest.raises(RuntimeError, match=r"(?s)asnumpy\(\) needs the value.*test_breaks\.py"):
        ms.export(ByValue(), Tensor(X), Tensor(X), file_name=str(tmp_path / "net"), file_format="MINDIR")


# -- what is told -------------------------------------------------------------------------------------------------------
def test_explain_lists_lines_reasons_and_fixes(mode):
    net = Net(True)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, ByValue()), nn.SGD(net.trainable_params(), 0.1)).set_train()
    before = {one.name: one.asnumpy() for one in step.get_parameters()}
    for _ in range(2):
        found = ms.explain(step, Tensor(X), Tensor(Y))
        assert len(found) == 1
        assert found[0].file == __file__
        assert "asnumpy" in found[0].source
        assert "asnumpy" in found[0].reason
        assert found[0].fix
        assert "1 graph break(s)" in str(found)
    for one in step.get_parameters():
        np.testing.assert_array_equal(before[one.name], one.asnumpy(), err_msg=one.name)
    assert "one graph" in str(ms.explain(net, Tensor(X)))


def test_a_failed_trace_leaves_attributes_as_they_were():
    class Keeps(nn.Cell):
        def __init__(self):
            super().__init__()
            self.last, self.count = None, 0

        def construct(self, x):
            self.last = x * 2
            self.fresh = x
            self.count += 1
            return x * float(x.asnumpy().sum())

    for mode in (None, ms.GRAPH_MODE, ms.PYNATIVE_MODE):
        ms.context.reset_context()
        if mode is not None:
            ms.set_context(mode=mode)
        net = Keeps()
        for number in (1.0, 2.0, 3.0):
            net(Tensor([number]))
            assert net.last.asnumpy().tolist() == [number * 2]
            assert net.fresh.asnumpy().tolist() == [number]
        assert net.count == 3
