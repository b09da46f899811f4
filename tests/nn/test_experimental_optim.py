"""experimental.optim over calls; single rules are compared with real MindSpore in tests/differential."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.experimental import optim
from mindspore.experimental.optim import lr_scheduler
from mindspore.nn.optim import _compiled

START = np.array([1.0, -2.0], np.float32)


@pytest.fixture(autouse=True)
def _compiled_from_the_first_update(monkeypatch):
    monkeypatch.setattr(_compiled, "_FIRST_UPDATES", 0)


def parameter(name="w"):
    return Parameter(Tensor(START), name=name)


def call(optimizer, *gradients):
    return optimizer(tuple(Tensor(np.array(g, np.float32)) for g in gradients))


def two_groups():
    """An optimizer with the rates 0.1 and 0.05."""
    return optim.SGD([{"params": [parameter("a")]}, {"params": [parameter("b")], "lr": 0.05}], 0.1)


def rates(optimizer, place=0):
    return float(optimizer.param_groups[place]["lr"])


# -- optimizers -----------------------------------------------------------------------------------------------------------
def test_settings_of_groups_take_effect(mode):
    w = parameter()
    optimizer = optim.SGD([w], 0.5)
    assert call(optimizer, [1, 1]) is True
    optimizer.param_groups[0]["lr"] = 0.25
    call(optimizer, [1, 1])
    ops.assign(optimizer.param_groups[0]["lr"], 0.125)
    call(optimizer, [1, 1])
    np.testing.assert_allclose(w.asnumpy(), START - 0.875)
    assert optimizer._graphs_of().compilations == 1  # rates are inputs
    before = w.asnumpy()
    optimizer.param_groups[0]["weight_decay"] = 2.0
    call(optimizer, [0, 0])
    np.testing.assert_allclose(w.asnumpy(), before * 0.75)
    assert optimizer._graphs_of().compilations == 2


def test_settings_are_noticed_by_graphs_that_contain_the_optimizer():
    w = parameter()
    optimizer = optim.SGD([w], 0.5)

    @ms.jit
    def train(gradient):
        optimizer((gradient,))
        return gradient

    train(Tensor([1.0, 1.0]))
    optimizer.param_groups[0]["maximize"] = True
    train(Tensor([1.0, 1.0]))
    np.testing.assert_allclose(w.asnumpy(), START)


def test_a_group_added_later_has_state(mode):
    w, late = parameter(), parameter("late")
    optimizer = optim.Adam([w], 0.5)
    call(optimizer, [1, -1])
    optimizer.add_param_group({"params": late, "lr": 0.25})
    call(optimizer, [1, -1], [1, -1])
    assert [one.name for one in optimizer.exp_avg] == ["exp_avg.w", "exp_avg.late"]
    assert late.asnumpy()[0] < 1
    assert optimizer.group_start_id == [0, 1, 2]


def test_amsgrad_divides_by_the_largest_average(mode):
    w = parameter()
    optimizer = optim.Adam([w], 0.1, (0.5, 0.5), 1e-8, amsgrad=True)
    p, m, v, largest = START, 0, 0, 0
    for t, g in enumerate(np.array([[4, 2], [0.1, 0.1], [0.2, -0.1]], np.float32), 1):
        call(optimizer, g)
        m, v = 0.5 * m + 0.5 * g, 0.5 * v + 0.5 * g * g
        largest = np.maximum(largest, v)
        p = p - 0.1 * np.sqrt(1 - 0.5**t) / (1 - 0.5**t) * m / np.sqrt(largest)
    np.testing.assert_allclose(w.asnumpy(), p, rtol=1e-5)


def test_the_printed_form_lists_the_settings():
    assert repr(optim.Adadelta([parameter()], 0.5)) == (
        "Adadelta (\nParameter Group 0\n    eps: 1e-06\n    lr: 0.5\n    maximize: False\n    rho: 0.9\n    weight_decay: 0.0\n)"
    )


def test_an_optimizer_of_the_programs_own(mode):
    class Descent(optim.Optimizer):
        def __init__(self, params, lr, factor=1.0):
            super().__init__(params, {"lr": lr, "factor": factor})

        def construct(self, gradients):
            for index, group in enumerate(self.param_groups):
                start, end = self.group_start_id[index], self.group_start_id[index + 1]
                for parameter, gradient in zip(self.parameters[start:end], gradients[start:end], strict=True):
                    ops.assign_sub(parameter, gradient * self.lrs[index] * group["factor"])
            return True

    a, b = parameter("a"), parameter("b")
    optimizer = Descent([{"params": [a]}, {"params": [b], "lr": 1.0, "factor": 2.0}], 0.5)
    call(optimizer, [1, 1], [1, 1])
    np.testing.assert_allclose([a.asnumpy()[0], b.asnumpy()[0]], [0.5, -1])


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda w: optim.SGD(w, 0.1), TypeError, "must be Parameters or dicts"),
        (lambda w: optim.SGD([w], -0.1), ValueError, "For 'SGD', the 'lr' must be in range"),
        (lambda w: optim.SGD([{"lr": 0.1}], 0.1), KeyError, "has no 'params'"),
        (lambda w: optim.SGD([{"params": w}, {"params": [w]}], 0.1), ValueError, "more than one parameter group"),
        (lambda w: optim.Adam([w], betas=(0.9, 1.0)), ValueError, r"'betas\[1\]' must be in range \[0.0, 1.0\)"),
        (lambda w: optim.SGD([w], 0.1)((Tensor(START), Tensor(START))), ValueError, "1 Parameters, but got 2"),
        (lambda w: optim.Optimizer([w], {"lr": 0.1})((Tensor(START),)), NotImplementedError, "construct"),
        (lambda w: lr_scheduler.StepLR(nn.SGD([w]), 2), TypeError, "mindspore.experimental.optim, but got"),
        (lambda w: lr_scheduler.StepLR(optim.SGD([w], 0.1), 0), ValueError, "'step_size'"),
        (lambda w: lr_scheduler.StepLR(optim.SGD([w], 0.1), 2, last_epoch=3), KeyError, "no 'initial_lr'"),
        (lambda w: lr_scheduler.LambdaLR(optim.SGD([w], 0.1), [abs, abs]), ValueError, "expected 1 lr_lambdas"),
        (
            lambda w: lr_scheduler.CyclicLR(optim.SGD([w], 0.1), 0.1, 0.2, mode="up"),
            ValueError,
            "'mode' must be one of",
        ),
        (lambda w: lr_scheduler.LRScheduler(optim.SGD([w], 0.1)), NotImplementedError, "get_lr"),
    ],
)
def test_errors_say_what_to_write(make, error, text):
    with pytest.raises(error, match=text):
        make(parameter())


# -- schedulers: the rates of the first group over 8 steps, and those of both at the end, as real MindSpore 2.10 has them ----
SCHEDULES = {
    "StepLR(o, 2, 0.5)": ([0.1, 0.1, 0.05, 0.05, 0.025, 0.025, 0.0125, 0.0125, 0.00625], 0.003125),
    "LambdaLR(o, lambda e: 0.9**e)": ([0.1, 0.09, 0.081, 0.0729, 0.06561, 0.059049, 0.053144, 0.04783, 0.043047], 0.0215234),
    "MultiplicativeLR(o, lambda e: 0.5)": ([0.1, 0.05, 0.025, 0.0125, 0.00625, 0.003125, 0.0015625, 0.00078125, 0.000390625],
                                           0.0001953125),
    "MultiStepLR(o, [2, 4], 0.5)": ([0.1, 0.1, 0.05, 0.05, 0.025, 0.025, 0.025, 0.025, 0.025], 0.0125),
    "ConstantLR(o, 0.5, 3)": ([0.05, 0.05, 0.05, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1], 0.05),
    "LinearLR(o, 0.5, 1.0, 4)": ([0.05, 0.0625, 0.075, 0.0875, 0.1, 0.1, 0.1, 0.1, 0.1], 0.05),
    "ExponentialLR(o, 0.9)": ([0.1, 0.09, 0.081, 0.0729, 0.06561, 0.059049, 0.053144, 0.04783, 0.043047], 0.0215234),
    "PolynomialLR(o, 4, 2.0)": ([0.1, 0.05625, 0.025, 0.00625, 0.0, 0.0, 0.0, 0.0, 0.0], 0.0),
    "CosineAnnealingLR(o, 3, 0.01)": ([0.1, 0.0775, 0.0325, 0.01, 0.0325, 0.0775, 0.1, 0.0775, 0.0325], 0.02),
    "CosineAnnealingWarmRestarts(o, 2, 2, 0.01)": ([0.1, 0.055, 0.1, 0.08682, 0.055, 0.02318, 0.1, 0.096575, 0.08682],
                                                   0.0441421),
    "CyclicLR(o, 0.01, 0.1, 2)": ([0.01, 0.055, 0.1, 0.055, 0.01, 0.055, 0.1, 0.055, 0.01], 0.01),
    "CyclicLR(o, 0.01, 0.1, 2, 3, 'triangular2')": ([0.01, 0.055, 0.1, 0.07, 0.04, 0.01, 0.0325, 0.055, 0.04], 0.04),
    "CyclicLR(o, 0.01, 0.1, 2, 3, 'exp_range', 0.9)": (
        [0.01, 0.0505, 0.0829, 0.05374, 0.029683, 0.01, 0.033915, 0.053047, 0.035828], 0.035828),
    "SequentialLR(o, [L.ConstantLR(o, 0.1, 2), L.ExponentialLR(o, 0.9)], [3])": (
        [0.01, 0.01, 0.1, 0.1, 0.09, 0.081, 0.0729, 0.06561, 0.059049], 0.0295245),
}  # fmt: skip


@pytest.mark.parametrize("build", SCHEDULES)
def test_schedulers_set_the_rates_of_real_mindspore(build):
    optimizer = two_groups()
    scheduler = eval(f"L.{build}", {"L": lr_scheduler, "o": optimizer})
    found = [rates(optimizer)]
    for _ in range(8):
        scheduler.step()
        found.append(rates(optimizer))
    expected, last_of_second = SCHEDULES[build]
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-7)
    np.testing.assert_allclose(rates(optimizer, 1), last_of_second, rtol=1e-4, atol=1e-7)
    np.testing.assert_allclose([float(one) for one in scheduler.get_last_lr()], [found[-1], rates(optimizer, 1)])


def test_reduce_on_plateau():
    optimizer = two_groups()
    scheduler = lr_scheduler.ReduceLROnPlateau(optimizer, patience=1, factor=0.5, cooldown=1)
    found = []
    for loss in (1.0, 0.9, 0.95, 0.95, 0.95, 0.95, Tensor(0.95), 0.8):
        scheduler.step(loss)
        found.append(rates(optimizer))
    np.testing.assert_allclose(found, [0.1, 0.1, 0.1, 0.05, 0.05, 0.05, 0.025, 0.025], rtol=1e-6)
    rising = lr_scheduler.ReduceLROnPlateau(two_groups(), "max", 0.5, 0, 0.1, "abs")
    for accuracy in (0.5, 0.7, 0.75):
        rising.step(accuracy)
    assert float(rising.get_last_lr()[0]) == np.float32(0.05)


def test_a_step_to_a_given_epoch():
    for build, rate in (
        (lambda o: lr_scheduler.StepLR(o, 2, 0.5), 0.025),
        (lambda o: lr_scheduler.ExponentialLR(o, 0.5), 0.1 * 0.5**4),
        (lambda o: lr_scheduler.MultiStepLR(o, [1, 4], 0.5), 0.025),
        (lambda o: lr_scheduler.LinearLR(o, 0.5, 1.0, 8), 0.075),
        (lambda o: lr_scheduler.PolynomialLR(o, 8), 0.05),
        (lambda o: lr_scheduler.CosineAnnealingLR(o, 8), 0.05),
        (lambda o: lr_scheduler.ConstantLR(o, 0.5, 5), 0.05),
    ):
        optimizer = two_groups()
        build(optimizer).step(4)
        np.testing.assert_allclose(rates(optimizer), rate, rtol=1e-5)


def test_schedulers_need_no_other_graph(mode):
    w = parameter()
    optimizer = optim.SGD([w], 0.5)
    scheduler = lr_scheduler.ExponentialLR(optimizer, 0.5)
    for _ in range(3):
        call(optimizer, [1, 1])
        scheduler.step()
    np.testing.assert_allclose(w.asnumpy(), START - 0.875)
    assert optimizer._graphs_of().compilations == 1


def test_groups_hold_what_was_given_first_and_print_short_numbers():
    optimizer = optim.Adam(
        [{"params": [parameter("a")], "lr": 0.5}, {"params": [parameter("b")], "weight_decay": 0.1}], lr=0.1
    )
    assert list(optimizer.param_groups[0]) == ["params", "lr", "betas", "eps", "weight_decay", "amsgrad", "maximize"]
    assert list(optimizer.param_groups[1]) == ["params", "weight_decay", "lr", "betas", "eps", "amsgrad", "maximize"]
    assert [group["lr"].name for group in optimizer.param_groups] == ["learning_rate_group_0", "learning_rate_group_1"]
    assert "    lr: 0.5\n" in str(optimizer) and "    lr: 0.1\n" in str(optimizer)


def test_a_subclass_counts_its_own_steps():
    class Counting(optim.AdamW):
        def construct(self, gradients):
            self.assignadd(self.state_step, self.increase_tensor)
            return True

    optimizer = Counting([parameter()])
    optimizer((Tensor(START),))
    assert int(optimizer.state_step) == 1
