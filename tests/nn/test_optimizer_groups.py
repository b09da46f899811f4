"""Parameters of optimizers in groups with settings of their own."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.nn.optim import _compiled


@pytest.fixture(autouse=True)
def _compiled_from_the_first_update(monkeypatch):
    monkeypatch.setattr(_compiled, "_FIRST_UPDATES", 0)


def parameters(*names):
    return [Parameter(Tensor(np.array([1.0, -2.0], np.float32)), name=name) for name in names]


def ones(count):
    return tuple(Tensor([1.0, 1.0]) for _ in range(count))


def moved(parameter):
    """How far the Parameter has moved, for gradients of ones."""
    return float(np.float32(1) - parameter.asnumpy()[0])


def names(optimizer):
    return [(path, one.name) for path, one in optimizer.parameters_and_names()]


def test_groups_have_rates_and_decays_of_their_own(mode):
    a, b, gamma = parameters("a", "b", "gamma")
    groups = [{"params": [a], "lr": 0.5}, {"params": [b], "weight_decay": 1.0}, {"params": [gamma]}]
    optimizer = nn.SGD(groups, 0.25, weight_decay=0.5)
    optimizer(ones(3))
    assert moved(a) == 0.5 * 1.5
    assert moved(b) == 0.25 * 2
    assert moved(gamma) == 0.25 * 1.5  # in groups names do not matter
    assert optimizer._graphs_of().compilations == 1


def test_without_groups_names_decide_about_the_decay(mode):
    bias, gamma, beta = parameters("dense.bias", "norm.gamma", "norm.beta")
    optimizer = nn.SGD([bias, gamma, beta], 0.25, weight_decay=1.0)
    optimizer(ones(3))
    assert [moved(one) for one in (bias, gamma, beta)] == [0.5, 0.25, 0.25]
    assert optimizer.decay_flags == (True, False, False)


def test_a_group_without_decay_is_spared(mode):
    a, b = parameters("a", "b")
    nn.SGD([{"params": [a], "weight_decay": 0.0}, {"params": [b]}], 0.25, weight_decay=1.0)(ones(2))
    assert (moved(a), moved(b)) == (0.25, 0.5)


def test_rates_of_groups_can_change_by_step_and_by_assignment(mode):
    a, b, c = parameters("a", "b", "c")
    optimizer = nn.SGD([{"params": [a], "lr": [0.5, 0.25]}, {"params": [b], "lr": 0.125}, {"params": [c]}], 1.0)
    optimizer(ones(3))
    assert [moved(one) for one in (a, b, c)] == [0.5, 0.125, 1.0]
    ops.assign(optimizer.get_lr_parameter(b), 2.0)
    optimizer(ones(3))
    assert [moved(one) for one in (a, b, c)] == [0.75, 2.125, 2.0]
    assert [float(one) for one in optimizer.get_lr()] == [0.25, 2.0, 1.0]
    assert optimizer._graphs_of().compilations == 1


def test_a_schedule_of_several_parameters_is_computed_once():
    calls = []

    class Counted(nn.learning_rate_schedule.LearningRateSchedule):
        def construct(self, global_step):
            calls.append(1)
            return ops.ones((), ms.float32)

    ms.set_context(mode=ms.PYNATIVE_MODE)
    members = parameters(*(f"p{i}" for i in range(5)))
    optimizer = nn.SGD([{"params": members, "lr": Counted()}], 1.0)
    assert len(optimizer.get_lr()) == 5
    assert len(calls) == 1


def test_order_params_decides_the_order(mode):
    a, b, c = parameters("a", "b", "c")
    optimizer = nn.Momentum([{"params": [a]}, {"params": [b, c], "lr": 0.5}, {"order_params": [c, a, b]}], 0.25, 0.9)
    assert [one.name for one in optimizer.parameters] == ["c", "a", "b"]
    assert optimizer.is_group_params_ordered
    optimizer((Tensor([3.0, 0.0]), Tensor([1.0, 0.0]), Tensor([2.0, 0.0])))
    assert [moved(one) for one in (a, b, c)] == [0.25, 1.0, 1.5]


def test_names_of_rates_are_those_of_real_mindspore():
    a, b, c = parameters("a", "b", "c")
    fixed = nn.SGD([{"params": [a], "lr": 0.1}, {"params": [b]}, {"params": [c], "lr": 0.3}], 0.2)
    assert names(fixed)[:4] == [("global_step",) * 2, ("learning_rate_group_0",) * 2, ("learning_rate",) * 2,
                                ("learning_rate_group_2",) * 2]  # fmt: skip
    table = nn.SGD([{"params": [a], "lr": 0.1}, {"params": [b], "lr": [0.1, 0.2]}, {"params": [c]}], 0.2)
    assert names(table)[-3:] == [
        ("learning_rate.0.learning_rate", "learning_rate_group_0"),
        ("learning_rate.1.learning_rate", "learning_rate_group_1"),
        ("learning_rate.2.learning_rate", "learning_rate"),
    ]


def test_get_lr_parameter_of_a_list():
    a, b = parameters("a", "b")
    schedule = nn.ExponentialDecayLR(0.1, 0.5, 2)
    optimizer = nn.SGD([{"params": [a], "lr": 0.1}, {"params": [b], "lr": schedule}])
    rate, other = optimizer.get_lr_parameter([a, b])
    assert rate.name == "learning_rate_group_0"
    assert other is schedule
    with pytest.raises(TypeError, match="'param'"):
        optimizer.get_lr_parameter(3)


def test_weight_decay_can_follow_the_step(mode):
    a, b = parameters("a", "b")
    decay = nn.PolynomialDecayLR(1.0, 0.5, 1, 1.0)
    optimizer = nn.Momentum([{"params": [a], "weight_decay": decay}, {"params": [b]}], 0.25, 0.0, loss_scale=2.0)
    assert [np.ravel(one.asnumpy())[0] for one in optimizer.get_weight_decay()] == [2.0, 0.0]
    optimizer(ones(2))
    assert (moved(a), moved(b)) == (0.25 * (0.5 + 1), 0.25 * 0.5)
    optimizer(ones(2))
    assert moved(b) == 0.25
    assert optimizer._graphs_of().compilations == 1


@pytest.mark.parametrize(
    ("shape", "centralized"), [((2, 16), True), ((2, 16, 3), True), ((2, 3), False), ((16,), False)]
)
def test_gradients_are_centralized_where_real_mindspore_does(mode, shape, centralized):
    gradient = np.random.RandomState(0).normal(size=shape).astype(np.float32)
    w = Parameter(Tensor(np.zeros(shape, np.float32)), name="w")
    nn.SGD([{"params": [w], "grad_centralization": True}], 1.0)((Tensor(gradient),))
    mean = gradient.mean(axis=tuple(range(1, len(shape))), keepdims=True) if centralized else 0
    np.testing.assert_allclose(-w.asnumpy(), gradient - mean, rtol=1e-5, atol=1e-6)


def test_any_iterable_of_parameters_is_taken():
    a, b = parameters("a", "b")
    for given in ((a, b), iter([a, b]), filter(lambda one: one.requires_grad, [a, b]), ms.ParameterTuple([a, b])):
        assert [one.name for one in nn.SGD(given).parameters] == ["a", "b"]
    assert [one.name for one in nn.SGD([{"params": one} for one in (a, iter([b]))]).parameters] == ["a", "b"]


@pytest.mark.parametrize(
    ("groups", "error", "text"),
    [
        (lambda a, b: [{"params": [a], "lr_rate": 1}], KeyError, "must be one of in"),
        (lambda a, b: [{"lr": 0.1}], KeyError, "group 0 has no 'params'"),
        (lambda a, b: [{"params": [a]}, {"params": []}], ValueError, "that of group 1 is"),
        (lambda a, b: [{"params": [a]}, {"params": [b, a]}], RuntimeError, "the a parameter already exists"),
        (lambda a, b: [{"params": [a, b]}, {"order_params": [a]}], ValueError, "length 1, group parameters' length 2"),
        (lambda a, b: [{"params": [a, b]}, {"order_params": [a, a]}], ValueError, "the same Parameters once"),
        (lambda a, b: [{"params": [a]}, b], TypeError, "of one kind, but got dict, Parameter"),
        (lambda a, b: [{"params": [a, "b"]}], TypeError, "but got 'b'"),
        (lambda a, b: [{"params": [a], "weight_decay": -1.0}], ValueError, "'weight_decay' must be in range"),
        (lambda a, b: [{"params": [a], "grad_centralization": 1}], TypeError, "must be a bool"),
    ],
)
def test_errors_in_groups(groups, error, text):
    with pytest.raises(error, match=text):
        nn.Momentum(groups(*parameters("a", "b")), 0.1, 0.9)


@pytest.mark.parametrize("rates", [[0.1, 0.2], (0.1, 0.2), Tensor([0.1, 0.2]), np.array([0.1, 0.2])])
def test_a_table_of_rates_keeps_the_shape_of_the_step(mode, rates):
    optimizer = nn.Adam([Parameter(Tensor([1.0]), name="w")], rates)
    one, more = optimizer.learning_rate(optimizer.global_step), optimizer.learning_rate(Tensor([0, 1, 5], ms.int32))
    assert one.shape == (1,) and optimizer.learning_rate(Tensor(1, ms.int32)).shape == optimizer.get_lr().shape == ()
    np.testing.assert_allclose(more.asnumpy(), [0.1, 0.2, 0.2], rtol=1e-6)


def test_an_optimizer_says_whether_its_numbers_change():
    w = [Parameter(Tensor([1.0]), name="w")]
    changes = nn.PolynomialDecayLR(0.1, 0.01, 4, 0.5)
    assert not nn.Adam(w, 0.1, weight_decay=0.1)._is_dynamic_lr_or_weight_decay()
    assert nn.Adam(w, [0.1, 0.2])._is_dynamic_lr_or_weight_decay()
    assert nn.Adam(w, changes)._is_dynamic_lr_or_weight_decay()
    assert nn.Adam(w, 0.1, weight_decay=changes)._is_dynamic_lr_or_weight_decay()
    assert nn.Adam([{"params": w, "lr": changes}], 0.1)._is_dynamic_lr_or_weight_decay()


@pytest.mark.parametrize(
    ("rate", "words"),
    [
        (nn.ReLU(), "must be int, float, Tensor, Iterable or LearningRateSchedule, but got"),
        ([0.1, None], "the rates of 'learning_rate' must be numbers, but got None"),
    ],
)
def test_rates_of_another_kind_are_refused(rate, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        nn.Adam([Parameter(Tensor([1.0]), name="w")], rate)


def test_tables_of_groups_are_equally_long():
    first, second = (Parameter(Tensor([1.0]), name=name) for name in ("first", "second"))
    with pytest.raises(ValueError, match=r"same length, but got \[2, 3\]"):
        nn.SGD([{"params": [first], "lr": (0.1, 0.2, 0.3)}, {"params": [second]}], learning_rate=(0.1, 0.2))
