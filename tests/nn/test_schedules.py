"""Learning-rate schedules and step tables against numbers of real MindSpore 2.10."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn
from mindspore.nn import dynamic_lr, learning_rate_schedule

SCHEDULES = {
    "ExponentialDecayLR": ((0.1, 0.5, 2), [0.1, 0.070711, 0.05, 0.035355]),
    "NaturalExpDecayLR": ((0.1, 0.5, 2), [0.1, 0.060653, 0.036788, 0.022313]),
    "InverseDecayLR": ((0.1, 0.5, 2), [0.1, 0.08, 0.066667, 0.057143]),
    "CosineDecayLR": ((0.01, 0.1, 3), [0.1, 0.0775, 0.0325, 0.01]),
    "PolynomialDecayLR": ((0.1, 0.01, 3, 0.5), [0.1, 0.083485, 0.061962, 0.01]),
    "WarmUpLR": ((0.1, 2), [0, 0.05, 0.1, 0.1]),
}


@pytest.mark.parametrize("name", SCHEDULES)
def test_schedules_give_the_rate_of_a_step(mode, name):
    arguments, expected = SCHEDULES[name]
    schedule = getattr(nn, name)(*arguments)
    for step, rate in enumerate(expected):
        assert schedule(Tensor(step, ms.int32)).asnumpy() == pytest.approx(rate, abs=1e-6)
    table = schedule(Tensor([0, 1, 2, 3], ms.int32))
    assert table.dtype == ms.float32
    np.testing.assert_allclose(table.asnumpy(), expected, atol=1e-6)


@pytest.mark.parametrize("name", ["ExponentialDecayLR", "NaturalExpDecayLR", "InverseDecayLR"])
@pytest.mark.parametrize("steps", [3, 41, 49, 1000])
def test_stairs_are_exact(mode, name, steps):
    plain, stair = getattr(nn, name)(0.5, 0.5, steps), getattr(nn, name)(0.5, 0.5, steps, True)
    numbers = np.arange(5 * steps, dtype=np.int32)
    expected = plain(Tensor(numbers // steps * steps)).asnumpy()
    np.testing.assert_allclose(stair(Tensor(numbers)).asnumpy(), expected, 1e-4)


def test_a_polynomial_decay_can_start_again(mode):
    schedule = nn.PolynomialDecayLR(0.1, 0.01, 3, 0.5, update_decay_steps=True)
    rates = schedule(Tensor([2, 3, 4, 6, 7], ms.int32)).asnumpy()
    expected = [0.09 * np.sqrt(1 - s / (3 * np.ceil(s / 3))) + 0.01 for s in (2, 3, 4, 6, 7)]
    np.testing.assert_allclose(rates, expected, atol=1e-6)


def test_schedules_take_a_step_that_is_a_parameter(mode):
    step = Parameter(Tensor([1], ms.int32), name="global_step", requires_grad=False)
    assert nn.WarmUpLR(0.1, 2)(step).shape == (1,)


def test_own_schedules_define_construct(mode):
    class Warm(learning_rate_schedule.LearningRateSchedule):
        def __init__(self):
            super().__init__()
            self.warm_up = nn.WarmUpLR(0.1, 2)
            self.decay = nn.ExponentialDecayLR(0.1, 0.5, 1)

        def construct(self, global_step):
            if global_step < 2:
                return self.warm_up(global_step)
            return self.decay(global_step - 2)

    schedule = Warm()
    rates = [float(schedule(Tensor(step, ms.int32))) for step in range(4)]
    np.testing.assert_allclose(rates, [0, 0.05, 0.1, 0.05], atol=1e-6)
    with pytest.raises(NotImplementedError, match="construct"):
        learning_rate_schedule.LearningRateSchedule()(Tensor(1))


# real MindSpore's numbers, to the last bit
TABLES = [
    (lambda: nn.piecewise_constant_lr([2, 5], [0.1, 0.05]), [0.1, 0.1, 0.05, 0.05, 0.05]),
    (lambda: nn.piecewise_constant_lr((2, 2), (0.1, 0.05)), [0.1, 0.1]),
    (lambda: nn.exponential_decay_lr(0.1, 0.9, 5, 2, 1), [0.1, 0.1, 0.09000000000000001, 0.09000000000000001, 0.08100000000000002]),
    (lambda: nn.exponential_decay_lr(0.1, 0.9, 3, 1, 2, True), [0.1, 0.1, 0.09000000000000001]),
    (lambda: nn.natural_exp_decay_lr(0.1, 0.9, 3, 1, 2), [0.1, 0.04065696597405991, 0.016529888822158657]),
    (lambda: nn.natural_exp_decay_lr(0.1, 0.9, 3, 1, 2, True), [0.1, 0.1, 0.016529888822158657]),
    (lambda: nn.inverse_decay_lr(0.1, 0.5, 3, 1, 1), [0.1, 0.06666666666666667, 0.05]),
    (lambda: nn.inverse_decay_lr(0.1, 0.9, 10, 1, 3)[-1:], [0.027027027027027032]),
    (lambda: nn.cosine_decay_lr(0.01, 0.1, 3, 1, 2), [0.1, 0.05500000000000001, 0.01]),
    (lambda: nn.polynomial_decay_lr(0.1, 0.01, 4, 1, 2, 0.5), [0.1, 0.07363961030678928, 0.01, 0.01]),
    (lambda: nn.polynomial_decay_lr(0.1, 0.01, 5, 1, 2, 0.5, True),
     [0.1, 0.07363961030678928, 0.01, 0.05500000000000001, 0.01]),
    (lambda: nn.warmup_lr(0.1, 6, 2, 2), [0.0, 0.0, 0.05, 0.05, 0.1, 0.1]),
]  # fmt: skip


@pytest.mark.parametrize(("table", "expected"), TABLES)
def test_tables_are_bit_for_bit(table, expected):
    result = table()
    assert result == expected and all(type(rate) is float for rate in result)


@pytest.mark.parametrize(
    ("wrong", "error", "text"),
    [
        (lambda: nn.ExponentialDecayLR(1, 0.5, 2), TypeError, "'learning_rate' must be a float.*Write 1.0"),
        (lambda: nn.ExponentialDecayLR(0.0, 0.5, 2), ValueError, "greater than 0"),
        (lambda: nn.ExponentialDecayLR(0.1, 0.5, 2.0), TypeError, "decay_steps"),
        (lambda: nn.ExponentialDecayLR(0.1, 0.5, 0), ValueError, "decay_steps"),
        (lambda: nn.ExponentialDecayLR(0.1, 0.5, 2, 1), TypeError, "is_stair"),
        (lambda: nn.CosineDecayLR(0.1, 0.01, 3), ValueError, "'max_lr' must be greater than the 'min_lr'"),
        (lambda: nn.PolynomialDecayLR(0.1, 0.01, 3, 1), TypeError, "power"),
        (lambda: nn.WarmUpLR(True, 2), TypeError, "learning_rate"),
        (lambda: dynamic_lr.piecewise_constant_lr([2, 5], [0.1]), ValueError, "same length"),
        (lambda: dynamic_lr.piecewise_constant_lr([5, 2], [0.1, 0.2]), ValueError, "must not decrease"),
        (lambda: dynamic_lr.piecewise_constant_lr([0], [0.1]), ValueError, r"milestone\[0\]"),
        (lambda: dynamic_lr.piecewise_constant_lr([2], [1]), TypeError, r"learning_rates\[0\]"),
        (lambda: dynamic_lr.piecewise_constant_lr(2, 0.1), TypeError, "milestone"),
        (lambda: dynamic_lr.cosine_decay_lr(0, 0.1, 6, 2, 2), TypeError, "min_lr"),
        (lambda: dynamic_lr.warmup_lr(0.1, 6, 2, 0), ValueError, "warmup_epoch"),
        (lambda: dynamic_lr.exponential_decay_lr(0.1, 0.9, 6, 0, 1), ValueError, "step_per_epoch"),
    ],
)
def test_errors_say_what_is_wrong(wrong, error, text):
    with pytest.raises(error, match=text):
        wrong()
