"""How the scale of the loss is chosen during training."""

from __future__ import annotations

from mindspore._utils.checks import check_bool, check_positive_int, check_type
from mindspore.nn.cell import Cell
from mindspore.nn.wrap.loss_scale import DynamicLossScaleUpdateCell, FixedLossScaleUpdateCell

__all__ = ["DynamicLossScaleManager", "FixedLossScaleManager", "LossScaleManager"]


class LossScaleManager:
    """Base of loss scale managers; a subclass defines the three methods.

    Examples:
        >>> from mindspore import amp
        >>> class Halving(amp.LossScaleManager):
        ...     def __init__(self):
        ...         self.scale = 8.0
        ...     def get_loss_scale(self):
        ...         return self.scale
        ...     def update_loss_scale(self, overflow):
        ...         self.scale = self.scale / 2 if overflow else self.scale
        ...     def get_update_cell(self):
        ...         return None
        >>> Halving().get_loss_scale()
        8.0
    """

    def get_loss_scale(self) -> float:
        """The scale at this moment."""
        raise NotImplementedError(f"For 'LossScaleManager', {type(self).__name__} must define 'get_loss_scale'.")

    def update_loss_scale(self, overflow: bool) -> None:
        """Take notice of whether a step overflowed."""
        raise NotImplementedError(f"For 'LossScaleManager', {type(self).__name__} must define 'update_loss_scale'.")

    def get_update_cell(self) -> Cell | None:
        """The Cell that moves the scale inside the training step, or None."""
        raise NotImplementedError(f"For 'LossScaleManager', {type(self).__name__} must define 'get_update_cell'.")


class FixedLossScaleManager(LossScaleManager):
    """A scale that stays.

    Args:
        loss_scale: the scale, at least 1.
        drop_overflow_update: whether steps that overflow are skipped. Without that the optimizer must be made with the same
            ``loss_scale``, and divides the gradients by it.

    Examples:
        >>> from mindspore import amp
        >>> amp.FixedLossScaleManager(1024.0).get_update_cell()
        FixedLossScaleUpdateCell()
    """

    def __init__(self, loss_scale: float = 128.0, drop_overflow_update: bool = True):
        check_type("FixedLossScaleManager", "loss_scale", loss_scale, (int, float))
        if loss_scale < 1:
            raise ValueError(f"The argument 'loss_scale' must be >= 1, but got {loss_scale}")
        self._loss_scale = loss_scale
        self._drop_overflow_update = check_bool("FixedLossScaleManager", "drop_overflow_update", drop_overflow_update)

    def get_loss_scale(self) -> float:
        """The scale."""
        return self._loss_scale

    def get_drop_overflow_update(self) -> bool:
        """Whether steps that overflow are skipped."""
        return self._drop_overflow_update

    def update_loss_scale(self, overflow: bool) -> None:
        """Nothing changes."""

    def get_update_cell(self) -> Cell | None:
        """A Cell when steps that overflow are skipped, else None."""
        return FixedLossScaleUpdateCell(self._loss_scale) if self._drop_overflow_update else None


class DynamicLossScaleManager(LossScaleManager):
    """A scale that falls at an overflow and grows after ``scale_window`` steps without overflow.

    Args:
        init_loss_scale: the first scale, at least 1.
        scale_factor: what the scale is multiplied with or divided by.
        scale_window: number of steps without overflow after which the scale grows.

    Examples:
        >>> from mindspore import amp
        >>> manager = amp.DynamicLossScaleManager(1024, 2, 2)
        >>> manager.update_loss_scale(True)
        >>> manager.get_loss_scale()
        512.0
    """

    MOST_OVERFLOWS = 1000  # in a row, before training is given up

    def __init__(self, init_loss_scale: float = 2**24, scale_factor: int = 2, scale_window: int = 2000):
        owner = "DynamicLossScaleManager"
        check_type(owner, "init_loss_scale", init_loss_scale, (int, float))
        if init_loss_scale < 1.0:
            raise ValueError(f"The argument 'init_loss_scale' must be > 1, but got {init_loss_scale}")
        check_type(owner, "scale_factor", scale_factor, int)
        if scale_factor <= 0:
            raise ValueError(f"The argument 'scale_factor' must be > 0, but got {scale_factor}")
        self.loss_scale: float = init_loss_scale
        self.scale_factor = scale_factor
        self.scale_window = check_positive_int(owner, "scale_window", scale_window)
        self.increase_ratio = scale_factor
        self.decrease_ratio = 1 / scale_factor
        self.cur_iter = 1
        self.last_overflow_iter = 0
        self.bad_step = 0
        self.bad_step_max = self.MOST_OVERFLOWS

    def get_loss_scale(self) -> float:
        """The scale at this moment."""
        return self.loss_scale

    def update_loss_scale(self, overflow: bool) -> None:
        """Move the scale."""
        if overflow:
            self.loss_scale = max(self.loss_scale * self.decrease_ratio, 1)
            self.last_overflow_iter = self.cur_iter
            self.bad_step += 1
        else:
            self.bad_step = 0
            if (self.cur_iter - self.last_overflow_iter) % self.scale_window == 0:
                self.loss_scale *= self.increase_ratio
        if self.bad_step > self.bad_step_max:
            raise RuntimeError(
                f"Dynamic loss scale continues to overflow: {self.bad_step} steps in a row, more than {self.bad_step_max}."
            )
        self.cur_iter += 1

    def get_drop_overflow_update(self) -> bool:
        """Steps that overflow are always skipped."""
        return True

    def get_update_cell(self) -> Cell | None:
        """The Cell that moves the scale inside the training step."""
        return DynamicLossScaleUpdateCell(self.loss_scale, self.scale_factor, self.scale_window)
