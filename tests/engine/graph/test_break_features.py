"""A network that breaks gives the numbers of PyNative mode, whatever is done with it."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import nn
from tests.engine.graph.break_features import FEATURES, Breaking, inputs


def numbers(form, mode):
    ms.context.reset_context()
    if mode is not None:
        ms.set_context(mode=mode)
    ms.set_seed(5)
    np.random.seed(5)
    return form()


def compare(expected, found, name, rtol=2e-4, atol=2e-5):
    assert len(expected) == len(found)
    for place, (one, other) in enumerate(zip(expected, found, strict=True)):
        np.testing.assert_allclose(other, one, rtol=rtol, atol=atol, err_msg=f"{name}, result {place}")


QUICK = {"hooks_of_every_kind", "parameters_written_around"}


@pytest.mark.parametrize("name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.heavy) for n in FEATURES])
def test_a_network_that_breaks_gives_the_numbers_of_pynative_mode(name):
    half = {"mixed_precision_O1", "mixed_precision_O2", "mixed_precision_O3"}
    tolerance = {"rtol": 2e-2, "atol": 4e-3} if name in half else {}
    expected = numbers(FEATURES[name], ms.PYNATIVE_MODE)
    compare(expected, numbers(FEATURES[name], None), f"{name} without a mode", **tolerance)
    compare(expected, numbers(FEATURES[name], ms.GRAPH_MODE), f"{name} in graph mode", **tolerance)


OPTIMIZERS = {
    nn.Adadelta: {}, nn.Adagrad: {}, nn.Adam: {}, nn.AdaMax: {}, nn.AdamWeightDecay: {}, nn.ASGD: {}, nn.FTRL: {},
    nn.LazyAdam: {}, nn.Lamb: {}, nn.LARS: None, nn.Momentum: {"momentum": 0.9}, nn.ProximalAdagrad: {}, nn.RMSProp: {},
    nn.Rprop: {}, nn.SGD: {},
}  # fmt: skip


@pytest.mark.heavy
@pytest.mark.parametrize("kind", OPTIMIZERS, ids=lambda kind: kind.__name__)
def test_every_optimizer_trains_a_network_that_breaks(kind):
    def form():
        net = Breaking()
        options = OPTIMIZERS[kind]
        rate = {} if kind is nn.Rprop else {"learning_rate": 0.05}
        if options is None:
            optimizer = nn.LARS(nn.Momentum(net.trainable_params(), 0.05, 0.9), epsilon=1e-4, coefficient=0.02)
        else:
            optimizer = kind(net.trainable_params(), **rate, **options)
        step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer).set_train()
        losses = [step(*inputs()).asnumpy() for _ in range(3)]
        return [*losses, *[one.asnumpy() for one in net.trainable_params()]]

    expected = numbers(form, ms.PYNATIVE_MODE)
    for mode in (None, ms.GRAPH_MODE):
        compare(expected, numbers(form, mode), kind.__name__, rtol=1e-3, atol=1e-4)
