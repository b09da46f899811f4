"""LRScheduler: what all schedulers of learning rates share."""

from __future__ import annotations

from typing import Any

from mindspore._engine.base.dtype import float32
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import check_int, check_type, shown
from mindspore._utils.refusals import WrongObject
from mindspore.experimental.optim.optimizer import Optimizer


class LRScheduler:
    """Changes the learning rates of an optimizer of ``experimental.optim`` whenever ``step`` is called.

    For a custom schedule define ``get_lr(self)``: it returns the rates of all groups for the epoch ``self.last_epoch``, from
    ``self._last_lr``, the present rates, or ``self.base_lrs``, the initial rates.

    Args:
        optimizer: the optimizer.
        last_epoch: the epoch that was the last; -1 at the start.

    Examples:
        >>> from mindspore import Parameter, Tensor
        >>> from mindspore.experimental import optim
        >>> class Halved(optim.lr_scheduler.LRScheduler):
        ...     def get_lr(self):
        ...         return [lr * 0.5 if self.last_epoch > 0 else lr for lr in self._last_lr]
        >>> optimizer = optim.SGD([Parameter(Tensor([1.0]), name="w")], 0.5)
        >>> scheduler = Halved(optimizer)
        >>> _ = scheduler.step()
        >>> print(optimizer.param_groups[0]["lr"].value())
        0.25
    """

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1):
        owner = type(self).__name__
        if not isinstance(optimizer, Optimizer):
            raise WrongObject(
                f"For '{owner}', the 'optimizer' must be an Optimizer of mindspore.experimental.optim, but got {shown(optimizer)}."
            )
        check_int(owner, "last_epoch", last_epoch, low=-1)
        for index, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", group["lr"].value())  # an earlier scheduler knows better
            elif "initial_lr" not in group:
                raise KeyError(
                    f"For '{owner}', param_groups[{index}] has no 'initial_lr', which is needed to go on after epoch {last_epoch}."
                )
        self.optimizer = optimizer
        self.groups_num = len(optimizer.param_groups)
        self.base_lrs = [Tensor(group["initial_lr"]) for group in optimizer.param_groups]
        self._last_lr: list[Tensor] = [rate.value() for rate in optimizer.lrs]
        self.last_epoch = Parameter(Tensor(float(last_epoch), float32), name=f"last_epoch_{owner}")
        self.step()

    def get_lr(self) -> list[Any]:
        """The rates at ``last_epoch``; every scheduler defines its own."""
        raise NotImplementedError(f"For '{type(self).__name__}', the method 'get_lr(self)' must be defined.")

    def get_last_lr(self) -> list[Tensor]:
        """The rates that were set last."""
        return [Tensor(rate) for rate in self._last_lr]

    def step(self, epoch: float | None = None) -> bool | None:
        """Go to the next or the given epoch, and set its rates. Returns True."""
        if epoch is not None:
            check_type(type(self).__name__, "epoch", epoch, (int, float))
        self._last_lr = [rate.value() for rate in self.optimizer.lrs]
        self.last_epoch.set_data(self._epoch + 1.0 if epoch is None else float(epoch))
        closed = getattr(self, "_get_closed_form_lr", None)
        self._set_rates(closed() if epoch is not None and closed is not None else self.get_lr())
        return True

    @property
    def _epoch(self) -> int:
        return int(self.last_epoch)

    @property
    def _present(self) -> list[float]:
        return [float(rate) for rate in self._last_lr]

    @property
    def _first(self) -> list[float]:
        return [float(rate) for rate in self.base_lrs]

    def _set_rates(self, rates: list[Any]) -> None:
        if len(rates) != self.groups_num:
            raise ValueError(
                f"For '{type(self).__name__}', get_lr must return one rate per group, but got {len(rates)} for {self.groups_num} "
                "groups."
            )
        for parameter, rate in zip(self.optimizer.lrs, rates):
            parameter.set_data(rate if isinstance(rate, Tensor) else Tensor(float(rate), float32))
        self._last_lr = [rate.value() for rate in self.optimizer.lrs]
