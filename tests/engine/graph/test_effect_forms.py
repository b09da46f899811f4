"""Where no mode was set, every way to do more than compute is what it is in PyNative mode, at every call."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn
from tests.engine.graph.breaking import graphs_of
from tests.engine.graph.effect_forms import EFFECTS, PURE

X = np.linspace(-1, 1, 24, dtype=np.float32).reshape(8, 3)


class Does(nn.Cell):
    def __init__(self, body):
        super().__init__()
        self.relu = nn.ReLU()
        self.body = body

    def construct(self, x):
        return self.body(self.relu(x) + 1.0)


def seen(form, mode):
    """What three calls give, what they wrote down, and the network."""
    ms.context.reset_context()
    if mode is not None:
        ms.set_context(mode=mode)
    log = []
    net = Does(form(log))
    results = [net(Tensor(X)) for _ in range(3)]
    return [shown(one) for one in results], log, net


def shown(result):
    """A Tensor as an array; of several results what they are as well."""
    if isinstance(result, tuple):
        return [(type(one).__name__, float(np.sum(shown(one)))) for one in result]
    return result.asnumpy() if isinstance(result, Tensor) else result


def same(expected, found):
    if isinstance(expected[0], list):
        assert found == expected
    else:
        np.testing.assert_allclose(found, expected, rtol=1e-5)


# Of forms that go one way through the code, one of each kind is tried every time.
_EVERY_TIME = {"operator__add__", "operator__getitem__", "operator__eq__", "operator__neg__", "operator__iadd__", "asked__len__",
               "asked__bool__", "asked__contains__", "asked__iter__", "asked__str__", "asked__hash__", "asked__getattr__",
               "asked__array__", "asked__instancecheck__"}  # fmt: skip


def _param(name):
    often = name in _EVERY_TIME or not name.startswith(("operator_", "asked_"))
    return pytest.param(name, marks=[] if often else [pytest.mark.heavy])


@pytest.mark.parametrize("name", [_param(name) for name in EFFECTS])
def test_an_effect_is_that_of_pynative_mode_at_every_call(name):
    expected, found = seen(EFFECTS[name], ms.PYNATIVE_MODE), seen(EFFECTS[name], None)
    assert found[1] == expected[1]
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-5)


@pytest.mark.parametrize("name", PURE)
def test_what_only_computes_is_one_graph(name):
    expected, found = seen(PURE[name], ms.PYNATIVE_MODE), seen(PURE[name], None)
    same(expected[0], found[0])
    graphs = graphs_of(found[2])
    assert (len(graphs.graphs), [str(one.found) for one in graphs.broken.values()]) == (1, [])
