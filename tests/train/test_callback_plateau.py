"""EarlyStopping and ReduceLROnPlateau: the arithmetic and the lines recorded from real MindSpore 2.10."""

from __future__ import annotations

import numpy as np
import pytest

from mindspore import Tensor, nn
from mindspore.train.callback import EarlyStopping, LambdaCallback, ReduceLROnPlateau
from tests.train.small_training import rows, small_model, told, weights


def course(callback, values, **further):
    """(best, wait, stopped) after each epoch with these values of the figure 'x'."""
    callback.on_train_begin(told())
    seen = []
    for epoch, value in enumerate(values, 1):
        run = told(cur_epoch_num=epoch, eval_results={"x": value}, **further)
        callback.on_train_epoch_end(run)
        seen.append((callback.best, callback.wait, run.get_stop_requested()))
    return seen


# (mode, min_delta, values, (best, wait) after each)
RECORDED = [
    ("min", 0, [1, 0.9, 0.95, 0.85, 0.84], [(1, 0), (0.9, 0), (0.9, 1), (0.85, 0), (0.84, 0)]),
    ("min", 0.1, [1, 0.9, 0.95, 0.85, 0.84], [(1, 0), (1, 1), (1, 2), (0.85, 0), (0.85, 1)]),
    ("min", -0.1, [1, 0.9, 0.95, 0.85, 0.84], [(1, 0), (1, 1), (1, 2), (0.85, 0), (0.85, 1)]),
    ("max", 0, [1, 1.05, 0.95, 1.2], [(1, 0), (1.05, 0), (1.05, 1), (1.2, 0)]),
    ("max", 0.1, [1, 1.05, 0.95, 1.2], [(1, 0), (1, 1), (1, 2), (1.2, 0)]),
]


@pytest.mark.parametrize(("mode", "min_delta", "values", "expected"), RECORDED)
def test_an_improvement_is_what_real_mindspore_calls_one(mode, min_delta, values, expected):
    stopping = EarlyStopping("x", min_delta=min_delta, mode=mode, patience=3)
    assert [one[:2] for one in course(stopping, values)] == expected


@pytest.mark.parametrize(
    ("monitor", "smaller"),
    [("eval_loss", True), ("loss", True), ("mae", True), ("mse", True), ("perplexity", True), ("hausdorff_distance", True),
     ("accuracy", False), ("F1", False), ("auc", False), ("my_loss", False)],
)  # fmt: skip
def test_the_direction_is_judged_by_the_name(monitor, smaller):
    worst = float("inf") if smaller else float("-inf")
    assert EarlyStopping(monitor).best == worst and ReduceLROnPlateau(monitor).best == worst


def test_patience_is_the_number_of_epochs_without_improvement():
    assert course(EarlyStopping("x", mode="min", patience=2), [1, 2, 2])[-1] == (1, 2, True)
    assert [one[2] for one in course(EarlyStopping("x", mode="min", patience=2), [1, 2, 0.5, 2])] == [False] * 4
    assert course(EarlyStopping("x", mode="max"), [1])[0] == (1, 0, True)  # no patience at all, as in MindSpore


def test_a_figure_must_pass_the_baseline_within_the_patience():
    stopping = EarlyStopping("x", mode="min", patience=2, baseline=0.5)
    assert [one[2] for one in course(stopping, [1, 0.9])] == [False, True]
    assert [one[1] for one in course(stopping, [1, 0.4, 0.3])] == [1, 0, 0]


def test_training_stops_early_with_the_weights_of_the_best_epoch(capsys, mode):
    model, kept = small_model(), []
    keep = LambdaCallback(on_train_epoch_end=lambda run: kept.append(weights(model)))
    stopping = EarlyStopping("mae", patience=1, mode="max", verbose=True, restore_best_weights=True)
    model.fit(9, rows(), rows(), callbacks=[keep, stopping])
    assert capsys.readouterr().out.splitlines() == [
        "Restoring model weights from the end of the best epoch.",
        "Epoch 00003: early stopping",
    ]
    assert len(kept) == 3 and stopping.stopped_epoch == 3
    for name, value in weights(model).items():
        np.testing.assert_array_equal(value, kept[1][name])


def test_a_figure_that_is_not_computed_is_a_warning(capsys):
    small_model().fit(2, rows(), rows(), callbacks=[EarlyStopping("missing_a"), ReduceLROnPlateau("missing_b")])
    text = capsys.readouterr().err
    assert "'missing_a', is not there; there are ['mae', 'eval_loss', 'loss']" in text and "'missing_b'" in text


def test_the_loss_of_training_may_be_monitored_without_evaluation():
    stopping = EarlyStopping("loss", patience=1)
    small_model().train(9, rows(), callbacks=stopping)
    assert stopping.stopped_epoch == 2


def test_the_loss_of_training_is_meant_where_a_metric_has_its_name():
    stopping = EarlyStopping("loss")
    stopping.on_train_begin(told())
    stopping.on_train_epoch_end(told(cur_epoch_num=1, eval_results={"loss": 0.25}, net_outputs=Tensor(2.0)))
    assert stopping.best == 2


def test_the_rate_becomes_smaller_as_in_real_mindspore(capsys, mode):
    rates = []
    keep = LambdaCallback(
        on_train_epoch_end=lambda run: rates.append(run.original_args().optimizer.learning_rate.asnumpy())
    )
    plateau = ReduceLROnPlateau("mae", patience=2, factor=0.5, min_delta=50, verbose=True)
    small_model().fit(5, rows(), rows(), callbacks=[plateau, keep])
    np.testing.assert_allclose(rates, [0.05, 0.05, 0.025, 0.025, 0.0125])
    assert capsys.readouterr().out.splitlines() == [
        "Epoch 00003: ReduceLROnPlateau reducing learning rate to 0.025.",
        "Epoch 00005: ReduceLROnPlateau reducing learning rate to 0.0125.",
    ]


def optimizer(rate):
    return nn.SGD(nn.Dense(1, 1).trainable_params(), rate)


def test_the_rate_stays_above_its_minimum(capsys):
    sgd = optimizer(0.05)
    plateau = ReduceLROnPlateau("x", mode="min", patience=0, min_lr=0.004, verbose=True)
    course(plateau, [1, 1, 1, 1, 1], optimizer=sgd)
    assert [line.split(" to ")[1] for line in capsys.readouterr().out.splitlines()] == ["0.0050000004.", "0.004."]


def test_epochs_of_cooldown_do_not_count():
    sgd, rates = optimizer(1.0), []
    plateau = ReduceLROnPlateau("x", mode="min", patience=1, factor=0.5, cooldown=3)
    plateau.on_train_begin(told())
    for epoch in range(1, 7):
        plateau.on_train_epoch_end(told(cur_epoch_num=epoch, eval_results={"x": 1.0}, optimizer=sgd))
        rates.append(float(sgd.learning_rate.asnumpy()))
    assert rates == [1.0, 0.5, 0.5, 0.5, 0.25, 0.25]


def test_a_rate_that_follows_a_schedule_cannot_be_reduced():
    plateau = ReduceLROnPlateau("x", mode="min", patience=0)
    with pytest.raises(ValueError, match="does not support dynamic learning rate and group learning rate"):
        course(plateau, [1, 1], optimizer=optimizer(nn.ExponentialDecayLR(0.1, 0.9, 2)))


def test_a_figure_may_be_a_tensor():
    assert course(EarlyStopping("x", mode="min", patience=3), [Tensor(2.0), Tensor(1.0)])[-1][:2] == (1.0, 0)


@pytest.mark.parametrize("figure", [np.ones(3), "good", Tensor([1.0, 2.0])])
def test_a_figure_that_is_not_one_number_is_refused(figure):
    with pytest.raises(ValueError, match="'x', must be one number"):
        course(EarlyStopping("x", mode="min"), [figure])


@pytest.mark.parametrize(
    ("options", "error"),
    [({"monitor": 3}, TypeError), ({"mode": "x"}, ValueError), ({"patience": -1}, ValueError), ({"min_delta": "a"}, TypeError),
     ({"baseline": "q"}, TypeError), ({"restore_best_weights": 1}, TypeError), ({"verbose": 1}, TypeError)],
)  # fmt: skip
def test_arguments_of_early_stopping_are_checked(options, error):
    with pytest.raises(error, match=f"'EarlyStopping', the '{next(iter(options))}'"):
        EarlyStopping(**options)


@pytest.mark.parametrize(
    ("options", "error"),
    [({"factor": 1.0}, ValueError), ({"factor": 0.0}, ValueError), ({"factor": "a"}, TypeError), ({"mode": "x"}, ValueError),
     ({"patience": -1}, ValueError), ({"cooldown": -1}, ValueError), ({"monitor": 2}, TypeError)],
)  # fmt: skip
def test_arguments_of_reduce_lr_on_plateau_are_checked(options, error):
    with pytest.raises(error, match=f"'ReduceLROnPlateau', the '{next(iter(options))}'"):
        ReduceLROnPlateau(**options)


@pytest.mark.parametrize("kind", [EarlyStopping, ReduceLROnPlateau])
def test_what_counts_as_better_can_be_asked_for(kind):
    callback = kind(min_delta=0.5)
    assert callback.is_improvement(1.0, 2.0)
    assert not callback.is_improvement(1.6, 2.0)
