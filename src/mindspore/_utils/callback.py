"""The base of callbacks, for whoever is called by a training: ``train`` and ``dataset``."""

from __future__ import annotations

from types import TracebackType
from typing import Any


class Callback:
    """The base of callbacks: override the hooks you need, in either spelling.

    ``on_train_...`` and ``on_eval_...`` are called in training and in evaluation; where they are not overridden, the short
    names are called, in both. ``Model.fit`` accepts only the long names in classes of your own. A callback is also a context
    manager, entered before the run and left after it, with the error that ended it, or None.

    Examples:
        >>> from mindspore.train.callback import Callback
        >>> class Steps(Callback):
        ...     def on_train_step_end(self, run_context):
        ...         cb_params = run_context.original_args()
        ...         print(cb_params.cur_epoch_num, cb_params.cur_step_num)
    """

    def __enter__(self) -> Callback:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return None

    def begin(self, run_context: Any) -> None:
        """Before training or evaluation."""

    def epoch_begin(self, run_context: Any) -> None:
        """Before an epoch."""

    def epoch_end(self, run_context: Any) -> None:
        """After an epoch."""

    def step_begin(self, run_context: Any) -> None:
        """Before a step."""

    def step_end(self, run_context: Any) -> None:
        """After a step."""

    def end(self, run_context: Any) -> None:
        """After training or evaluation."""

    def on_train_begin(self, run_context: Any) -> None:
        """Before training; calls ``begin``."""
        self.begin(run_context)

    def on_train_epoch_begin(self, run_context: Any) -> None:
        """Before an epoch of training; calls ``epoch_begin``."""
        self.epoch_begin(run_context)

    def on_train_epoch_end(self, run_context: Any) -> None:
        """After an epoch of training; calls ``epoch_end``."""
        self.epoch_end(run_context)

    def on_train_step_begin(self, run_context: Any) -> None:
        """Before a step of training; calls ``step_begin``."""
        self.step_begin(run_context)

    def on_train_step_end(self, run_context: Any) -> None:
        """After a step of training; calls ``step_end``."""
        self.step_end(run_context)

    def on_train_end(self, run_context: Any) -> None:
        """After training; calls ``end``."""
        self.end(run_context)

    def on_eval_begin(self, run_context: Any) -> None:
        """Before evaluation; calls ``begin``."""
        self.begin(run_context)

    def on_eval_epoch_begin(self, run_context: Any) -> None:
        """Before the pass of an evaluation; calls ``epoch_begin``."""
        self.epoch_begin(run_context)

    def on_eval_epoch_end(self, run_context: Any) -> None:
        """After the pass of an evaluation; calls ``epoch_end``."""
        self.epoch_end(run_context)

    def on_eval_step_begin(self, run_context: Any) -> None:
        """Before a step of evaluation; calls ``step_begin``."""
        self.step_begin(run_context)

    def on_eval_step_end(self, run_context: Any) -> None:
        """After a step of evaluation; calls ``step_end``."""
        self.step_end(run_context)

    def on_eval_end(self, run_context: Any) -> None:
        """After evaluation; calls ``end``."""
        self.end(run_context)
