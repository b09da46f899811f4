"""Functions of a program that a ``map`` calls when epochs and steps begin and end."""

from __future__ import annotations

import threading
import traceback
from typing import Any, NamedTuple

from mindspore._utils.callback import Callback
from mindspore.dataset._pipeline import arguments as check
from mindspore.dataset._pipeline.errors import python_error
from mindspore.dataset.core import config

__all__ = ["DSCallback", "WaitedDSCallback"]

_MOMENTS = ("ds_begin", "ds_epoch_begin", "ds_epoch_end", "ds_step_begin", "ds_step_end")


class CallbackContext(NamedTuple):
    """Position of the pipeline, as a callback gets it."""

    cur_epoch_num: int
    cur_step_num_in_epoch: int
    cur_step_num: int


class DSCallback:
    """Base of callbacks of a ``map``: define what shall be called.

    Each method gets an object with ``cur_epoch_num``, ``cur_step_num_in_epoch`` and ``cur_step_num``, all from 1. The
    pipeline works ahead of the loop that takes its rows, and so do its callbacks.

    Args:
        step_size: ``ds_step_begin`` and ``ds_step_end`` are called for the first of every ``step_size`` rows.

    Examples:
        >>> import mindspore.dataset as ds
        >>> class Told(ds.DSCallback):
        ...     def ds_epoch_begin(self, ds_run_context):
        ...         print("epoch", ds_run_context.cur_epoch_num)
        >>> data = ds.NumpySlicesDataset([1, 2], shuffle=False).map(lambda x: x, callbacks=Told())
        >>> rows = list(data.create_tuple_iterator(num_epochs=1))
        epoch 1
    """

    waits = False  # for a training, before steps begin

    def __init__(self, step_size: int = 1):
        self.step_size = check.number("DSCallback", "step_size", step_size, low=1)

    def create_runtime_obj(self) -> DSCallback:
        """What the pipeline calls: this object, if it defines something to call."""
        self._check_overridden()
        return self

    def ds_begin(self, ds_run_context: Any) -> None:
        """Called before the first epoch."""

    def ds_epoch_begin(self, ds_run_context: Any) -> None:
        """Called before an epoch."""

    def ds_epoch_end(self, ds_run_context: Any) -> None:
        """Called after an epoch."""

    def ds_step_begin(self, ds_run_context: Any) -> None:
        """Called before a step."""

    def ds_step_end(self, ds_run_context: Any) -> None:
        """Called after a step."""

    def _happened(self, moment: str, epoch: int, step: int, total_steps: int) -> None:
        """Call the method of a moment."""
        if moment == "ds_begin":
            self._check_overridden()
            epoch = 0
        if moment.startswith("ds_step") and (step - 1) % self.step_size:
            return
        try:
            getattr(self, moment)(CallbackContext(epoch, step, total_steps))
        except Exception as error:
            lines = "".join(traceback.format_exception(error))
            where = f"{type(self).__name__}.{moment} failed in epoch {epoch}, step {step}"
            raise python_error(f"{where}: {type(error).__name__}: {error}", lines) from error

    def _check_overridden(self) -> None:
        if all(getattr(type(self), moment) is getattr(DSCallback, moment) for moment in _MOMENTS):
            raise AttributeError(
                "Inheriting Callback class without overriding any methods, check the usage of user defined Callback: define "
                f"one of {', '.join(_MOMENTS)}."
            )


class WaitedDSCallback(Callback, DSCallback):
    """Base of callbacks that wait for the training: define ``sync_epoch_begin`` or ``sync_step_begin``.

    The same object is given to ``map`` and to ``Model.train``. An epoch of the pipeline, from the second on, begins after
    the epoch of the training before it has ended; so do steps, if ``sync_step_begin`` is defined.

    Args:
        step_size: the number of rows of a step of the training, usually the batch size.

    Examples:
        >>> import mindspore.dataset as ds
        >>> class Note(ds.WaitedDSCallback):
        ...     def sync_epoch_begin(self, train_run_context, ds_run_context):
        ...         print("epoch", ds_run_context.cur_epoch_num)
        >>> Note(step_size=2).step_size
        2
    """

    waits = True

    def __init__(self, step_size: int = 1):
        DSCallback.__init__(self, step_size)
        self.epoch_event = threading.Event()
        self.step_event = threading.Event()
        self.epoch_run_context: Any = None
        self.step_run_context: Any = None
        self.training_ended = False

    def sync_epoch_begin(self, train_run_context: Any, ds_run_context: Any) -> None:
        """Called before an epoch of the pipeline, after the epoch of the training before it."""

    def sync_step_begin(self, train_run_context: Any, ds_run_context: Any) -> None:
        """Called before a step of the pipeline, after the step of the training before it."""

    def _check_overridden(self) -> None:
        if not (self._waits_for("sync_epoch_begin") or self._waits_for("sync_step_begin")):
            raise AttributeError(
                "Inheriting Callback class without overriding any methods, check the usage of user defined Callback: define "
                "sync_epoch_begin or sync_step_begin."
            )

    def _waits_for(self, method: str) -> bool:
        return getattr(type(self), method) is not getattr(WaitedDSCallback, method)

    def _wait(self, event: threading.Event, moment: str) -> None:
        if self.training_ended:
            return
        patience = config.get_callback_timeout()
        if not event.wait(patience):
            raise RuntimeError(
                f"{moment} timed out after {patience} second(s). Give the callback to Model.train too, or set a longer time "
                "with dataset.config.set_callback_timeout."
            )
        event.clear()

    # -- called by the pipeline ---------------------------------------------------------------------------------------
    def ds_epoch_begin(self, ds_run_context: Any) -> None:
        """Wait for the end of the training's epoch."""
        if ds_run_context.cur_epoch_num > 1 and self._waits_for("sync_epoch_begin"):
            self._wait(self.epoch_event, "ds_epoch_begin")
            self.sync_epoch_begin(self.epoch_run_context, ds_run_context)

    def ds_step_begin(self, ds_run_context: Any) -> None:
        """Wait for the end of the training's step."""
        if ds_run_context.cur_step_num > self.step_size and self._waits_for("sync_step_begin"):
            self._wait(self.step_event, "ds_step_begin")
            self.sync_step_begin(self.step_run_context, ds_run_context)

    # -- called by the training ---------------------------------------------------------------------------------------
    def step_end(self, run_context: Any) -> None:
        """A step of the training has ended."""
        self.step_run_context = run_context
        self.step_event.set()

    def epoch_end(self, run_context: Any) -> None:
        """An epoch of the training has ended."""
        self.epoch_run_context = run_context
        self.epoch_event.set()

    def end(self, run_context: Any) -> None:
        """The training has ended: nothing waits any more."""
        self.epoch_end(run_context)
        self.step_end(run_context)
        self.training_ended = True
