"""Loss scales: cells, managers, scalers, and steps that overflow."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, amp, nn, ops
from mindspore.nn.wrap.loss_scale import grad_scale, shard_grad_scale


class Blow(nn.Cell):
    """A loss whose gradient overflows when asked to."""

    def __init__(self):
        super().__init__()
        self.weight = Parameter(Tensor([1.0, 2.0]), name="weight")

    def construct(self, x):
        return (self.weight * x).sum()


FINE, BAD = Tensor([1.0, 2.0]), Tensor([np.inf, 1.0])


def make(scale):
    net = Blow()
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    return net, optimizer, nn.TrainOneStepWithLossScaleCell(net, optimizer, scale_sense=scale)


SCALES = {
    "tensor": lambda: Tensor(1024.0),
    "tensor of one": lambda: Tensor([1024.0]),
    "fixed": lambda: nn.FixedLossScaleUpdateCell(1024.0),
    "dynamic": lambda: nn.DynamicLossScaleUpdateCell(1024.0, 2, 3),
}


@pytest.mark.parametrize("scale", SCALES)
class TestTrainOneStepWithLossScaleCell:
    def test_gradients_are_divided_by_the_scale(self, mode, scale):
        net, _, step = make(SCALES[scale]())
        loss, overflow, value = step(FINE)
        assert loss.asnumpy() == 5 and not overflow.asnumpy() and value.asnumpy().item() == 1024
        np.testing.assert_allclose(net.weight.asnumpy(), [0.9, 1.8], 1e-6)

    def test_a_step_that_overflows_changes_nothing(self, mode, scale):
        net, optimizer, step = make(SCALES[scale]())
        step(FINE)
        before = {one.name: one.asnumpy().copy() for one in step.get_parameters() if one.name != "scale_sense"}
        _, overflow, _ = step(BAD)
        assert overflow.asnumpy()
        for one in [net.weight, *optimizer.moments, optimizer.global_step]:
            assert np.array_equal(one.asnumpy(), before[one.name]), one.name


def test_the_dynamic_scale_falls_and_grows(mode):
    _, _, step = make(nn.DynamicLossScaleUpdateCell(1024.0, 2, 3))
    seen = [step(x)[2].asnumpy().item() for x in (FINE, BAD, FINE, FINE, FINE, FINE, FINE)]
    assert seen == [1024, 1024, 512, 512, 512, 1024, 1024]


def test_the_update_cell_follows_real_mindspore(mode):
    """Recorded: scale, step and last overflow after each call."""
    update = nn.DynamicLossScaleUpdateCell(4.0, 2, 2)
    scale = Parameter(Tensor(4.0), name="scale")
    seen = []
    for overflow in [0, 0, 0, 1, 1, 1, 1, 0, 0, 0]:
        assert update(scale, Tensor(bool(overflow))).asnumpy() == bool(overflow)
        seen.append(
            (scale.asnumpy().item(), update.cur_iter.asnumpy().item(), update.last_overflow_iter.asnumpy().item())
        )
    assert seen == [
        (4, 2, 0), (8, 3, 2), (8, 4, 2), (4, 5, 4), (2, 6, 5), (1, 7, 6), (1, 8, 7), (1, 9, 7), (2, 10, 9), (2, 11, 9),
    ]  # fmt: skip
    assert [one.name for one in update.get_parameters()] == ["current_iterator_step", "last_overflow_iterator_step"]
    assert update.get_loss_scale() == 4.0


def test_the_scale_is_a_parameter_of_the_step():
    _, _, step = make(nn.DynamicLossScaleUpdateCell(1024.0, 2, 3))
    assert [one.name for one in step.get_parameters()] == [
        "weight", "scale_sense", "global_step", "learning_rate", "momentum", "moments.weight", "current_iterator_step",
        "last_overflow_iterator_step",
    ]  # fmt: skip


def test_the_scale_can_be_set(mode):
    _, _, step = make(Tensor(8.0))
    step.set_sense_scale(Tensor(16.0))
    assert step(FINE)[2].asnumpy() == 16
    with pytest.raises(TypeError, match="sens"):
        step.set_sense_scale(3)
    with pytest.raises(ValueError, match="scale_sense"):
        make(nn.FixedLossScaleUpdateCell(2.0))[2].set_sense_scale(Tensor(16.0))


def test_a_step_written_in_the_old_way(mode):
    class Step(nn.TrainOneStepWithLossScaleCell):
        def construct(self, *inputs):
            weights = self.weights
            loss = self.network(*inputs)
            scaling_sens = self.scale_sense
            status, scaling_sens = self.start_overflow_check(loss, scaling_sens)
            filled = ops.composite.ones_like(loss) * ops.functional.cast(scaling_sens, ops.functional.dtype(loss))
            grads = self.grad(self.network, weights)(*inputs, filled)
            grads = self.hyper_map(ops.functional.partial(grad_scale, scaling_sens), grads)
            grads = self.grad_reducer(grads)
            cond = self.get_overflow_status(status, grads)
            overflow = self.process_loss_scale(cond)
            if not overflow:
                self.optimizer(grads)
            return loss, cond, scaling_sens

    net = Blow()
    step = Step(net, nn.Momentum(net.trainable_params(), 0.1, 0.9), nn.DynamicLossScaleUpdateCell(1024.0, 2, 3))
    assert not step(FINE)[1].asnumpy()
    np.testing.assert_allclose(net.weight.asnumpy(), [0.9, 1.8], 1e-6)
    assert step(BAD)[1].asnumpy()
    np.testing.assert_allclose(net.weight.asnumpy(), [0.9, 1.8], 1e-6)


def test_refuses_other_scales():
    with pytest.raises(TypeError, match="scale_sense"):
        make(3)
    with pytest.raises(ValueError, match="shape of 'scale_sense'"):
        make(Tensor([1.0, 2.0]))
    with pytest.raises(ValueError, match="loss_scale_value"):
        nn.DynamicLossScaleUpdateCell(-1, 2, 2)


class TestManagers:
    def test_fixed(self):
        manager = amp.FixedLossScaleManager()
        assert manager.get_loss_scale() == 128.0 and manager.get_drop_overflow_update()
        assert isinstance(manager.get_update_cell(), nn.FixedLossScaleUpdateCell)
        assert amp.FixedLossScaleManager(2.0, False).get_update_cell() is None
        manager.update_loss_scale(True)
        assert manager.get_loss_scale() == 128.0

    def test_dynamic_follows_real_mindspore(self):
        manager = amp.DynamicLossScaleManager(4, 2, 2)
        seen = []
        for overflow in [False, False, True, True, False, False, False]:
            manager.update_loss_scale(overflow)
            seen.append(manager.get_loss_scale())
        assert seen == [4, 8, 4, 2, 2, 4, 4]
        assert amp.DynamicLossScaleManager().get_loss_scale() == 2**24
        assert isinstance(manager.get_update_cell(), nn.DynamicLossScaleUpdateCell)

    def test_endless_overflow_is_an_error(self):
        manager = amp.DynamicLossScaleManager(4, 2, 2)
        with pytest.raises(RuntimeError, match="overflow"):
            for _ in range(1002):
                manager.update_loss_scale(True)

    @pytest.mark.parametrize(
        ("kind", "arguments", "name"),
        [
            (amp.FixedLossScaleManager, (0,), "loss_scale"),
            (amp.DynamicLossScaleManager, (0,), "init_loss_scale"),
            (amp.DynamicLossScaleManager, (4, 0), "scale_factor"),
            (amp.DynamicLossScaleManager, (4, 2, 0), "scale_window"),
        ],
    )
    def test_refuse(self, kind, arguments, name):
        with pytest.raises(ValueError, match=name):
            kind(*arguments)

    def test_one_s_own_must_define_the_methods(self):
        with pytest.raises(NotImplementedError, match="get_update_cell"):
            amp.LossScaleManager().get_update_cell()


class TestScalers:
    def test_static(self, mode):
        scaler = amp.StaticLossScaler(8)
        assert scaler.scale(Tensor(2.0)).asnumpy() == 16
        single, half = scaler.unscale((Tensor([4.0]), Tensor([4.0], ms.float16)))
        assert single.asnumpy() == 0.5 and half.dtype == ms.float16
        assert scaler.adjust(Tensor(False)) is False and scaler.scale_value.asnumpy() == 8

    def test_dynamic_follows_real_mindspore(self, mode):
        scaler = amp.DynamicLossScaler(1024, 2, 2)
        seen = []
        for finite in [True, True, False, True, True]:
            scaler.adjust(Tensor(finite))
            seen.append((scaler.scale_value.asnumpy().item(), scaler.counter.asnumpy().item()))
        assert seen == [(1024, 1), (2048, 0), (1024, 0), (1024, 1), (2048, 0)]

    def test_the_scale_stays_between_one_and_infinity(self, mode):
        scaler = amp.DynamicLossScaler(1, 2, 1)
        scaler.adjust(Tensor(False))
        assert scaler.scale_value.asnumpy() == 1
        scaler = amp.DynamicLossScaler(2.0**127, 2, 1)
        scaler.adjust(Tensor(True))
        assert scaler.scale_value.asnumpy() == 2.0**127

    def test_a_training_step_with_a_scaler_is_one_graph(self):
        net = Blow()
        optimizer = nn.SGD(net.trainable_params(), 0.1)
        scaler = amp.DynamicLossScaler(1024, 2, 10)

        def forward(x):
            return scaler.scale(net(x))

        gradient = ms.value_and_grad(forward, None, optimizer.parameters)

        @ms.jit
        def step(x):
            loss, grads = gradient(x)
            loss, grads = scaler.unscale(loss), scaler.unscale(grads)
            finite = amp.all_finite(grads)
            if finite:
                optimizer(grads)
            scaler.adjust(finite)
            return loss, finite

        loss, finite = step(FINE)
        assert loss.asnumpy() == 5 and finite.asnumpy()
        np.testing.assert_allclose(net.weight.asnumpy(), [0.9, 1.8], 1e-6)
        _, finite = step(BAD)
        assert not finite.asnumpy() and scaler.scale_value.asnumpy() == 512
        np.testing.assert_allclose(net.weight.asnumpy(), [0.9, 1.8], 1e-6)

    @pytest.mark.parametrize(
        ("arguments", "error", "name"),
        [
            ((0.5, 2, 2), ValueError, "scale_value"),
            ((2, 0, 2), ValueError, "scale_factor"),
            ((2, 2, 0), ValueError, "scale_window"),
            (("a", 2, 2), TypeError, "scale_value"),
            ((2, 2, 1.5), TypeError, "scale_window"),
        ],
    )
    def test_dynamic_refuses(self, arguments, error, name):
        with pytest.raises(error, match=name):
            amp.DynamicLossScaler(*arguments)

    def test_all_finite(self, mode):
        assert amp.all_finite((Tensor([1.0]), Tensor([2.0], ms.float16))).asnumpy()
        assert not amp.all_finite([Tensor([1.0]), Tensor([np.nan])]).asnumpy()
        for wrong in (Tensor([1.0]), (), 3):
            with pytest.raises(TypeError, match="inputs"):
                amp.all_finite(wrong)


def test_composites_that_programs_import(mode):
    scale, gradient = Tensor(4.0), Tensor([8.0], ms.float16)
    unscaled = grad_scale(scale, gradient)
    assert unscaled.asnumpy().tolist() == [2] and unscaled.dtype == ms.float16
    assert shard_grad_scale(scale, gradient, Tensor([12.0])).asnumpy().tolist() == [3]
