"""LambdaCallback: hooks given as functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore._utils.checks import check_callable
from mindspore.train.callback._callback import Callback, RunContext

__all__ = ["LambdaCallback"]

Hook = Callable[[RunContext], Any]


class LambdaCallback(Callback):
    """A callback made of functions; each receives the RunContext.

    Examples:
        >>> from mindspore.train.callback import LambdaCallback, RunContext
        >>> callback = LambdaCallback(on_train_epoch_end=lambda run: print("epoch", run.original_args()["cur_epoch_num"]))
        >>> callback.on_train_epoch_end(RunContext({"cur_epoch_num": 3}))
        epoch 3
    """

    def __init__(
        self,
        on_train_epoch_begin: Hook | None = None,
        on_train_epoch_end: Hook | None = None,
        on_train_step_begin: Hook | None = None,
        on_train_step_end: Hook | None = None,
        on_train_begin: Hook | None = None,
        on_train_end: Hook | None = None,
        on_eval_epoch_begin: Hook | None = None,
        on_eval_epoch_end: Hook | None = None,
        on_eval_step_begin: Hook | None = None,
        on_eval_step_end: Hook | None = None,
        on_eval_begin: Hook | None = None,
        on_eval_end: Hook | None = None,
    ):
        given = {name: value for name, value in locals().items() if name.startswith("on_") and value is not None}
        for name, hook in given.items():
            setattr(self, name, check_callable("LambdaCallback", name, hook))
