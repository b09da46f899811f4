"""Where a value is needed a graph runs as Python, says so once, and is strict on request; breaks can be listed."""

import time

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore._engine.config import config
from mindspore._utils import log
from tests.engine.graph.breaking import ByEffect, ByValue, Net, X, Y


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
    assert "test_needed_values.py" in said[0]


def test_no_notice_where_no_mode_was_set(caplog, monkeypatch):
    monkeypatch.setattr(log, "_said", set())
    log.logger.addHandler(caplog.handler)
    try:
        ByEffect()(Tensor(X), Tensor(X))
        assert not [one for one in caplog.records if "runs as Python" in one.getMessage()]
        config.explain_breaks.value = True
        ByEffect()(Tensor(X), Tensor(X))
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
    @ms.jit
    def function(x):
        time.sleep(0)
        return x * 2

    function(Tensor(X)), function(Tensor(X))
    assert function.compiled.compilations == 1
    assert not function.compiled.broken


def test_export_of_a_network_that_breaks_names_the_line(tmp_path):
    with pytest.raises(RuntimeError, match=r"(?s)asnumpy\(\) needs the value.*breaking\.py"):
        ms.export(ByValue(), Tensor(X), Tensor(X), file_name=str(tmp_path / "net"), file_format="MINDIR")


def test_explain_lists_lines_reasons_and_fixes(mode):
    net = Net(True)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, ByValue()), nn.SGD(net.trainable_params(), 0.1)).set_train()
    before = {one.name: one.asnumpy() for one in step.get_parameters()}
    for _ in range(2):
        found = ms.explain(step, Tensor(X), Tensor(Y))
        assert len(found) == 1
        assert found[0].file.endswith("breaking.py")
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


def test_a_tensor_of_strings_runs_as_python_and_operators_refuse_it_by_name() -> None:
    text = Tensor(np.array(["a", "b"]))

    @ms.jit
    def without(x, names):
        return x + 1

    @ms.jit
    def added(x, names):
        return x + names

    assert without(Tensor([1.0]), text).asnumpy() == 2
    with pytest.raises(
        TypeError, match=r"For 'Add', the inputs must be Tensors of numbers or bools, but got .*Tensor\[String\]\(2,\)"
    ):
        added(Tensor([1.0]), text)


def test_a_missing_attribute_is_told_once_with_the_users_line() -> None:
    @ms.jit
    def compiled(x):
        return x.foo

    with pytest.raises(AttributeError) as caught:
        compiled(Tensor([1.0]))
    assert str(caught.value).count("has no attribute") == 1
    assert str(caught.value).startswith("'Tensor' object has no attribute 'foo'")
    assert str(caught.value).endswith("return x.foo")
