"""TrainFaultTolerance: what was reached is saved when training fails."""

from __future__ import annotations

import os
from collections.abc import Callable
from types import TracebackType
from typing import Any

from mindspore._engine.config import config
from mindspore._utils import log
from mindspore._utils.checks import check_callable, check_type
from mindspore._utils.refusals import refused
from mindspore.train._loop.training_state import save_training
from mindspore.train.callback._callback import Callback, RunContext
from mindspore.train.callback._values import step_in_epoch

__all__ = ["TrainFaultTolerance"]


class TrainFaultTolerance(Callback):
    """Saves everything training depends on when it ends with an error, as ``ttp_rank_0-<epoch>_<step>.ckpt``.

    Args:
        ckpt_save_path: the folder; None is the current folder.
        kwargs: ``ckpt_save_fn``, called with ``cb_params`` and a dict with 'epoch_num' and 'step_num', saves in
            its own way. ``ckpt_load_fn`` is accepted.

    Examples:
        >>> import tempfile
        >>> from mindspore.train.callback import TrainFaultTolerance
        >>> callback = TrainFaultTolerance(tempfile.mkdtemp())
    """

    def __init__(self, ckpt_save_path: str | None = None, **kwargs: Any):
        super().__init__()
        unknown = set(kwargs) - {"ckpt_save_fn", "ckpt_load_fn"}
        if unknown:
            raise refused(
                TypeError,
                "For 'TrainFaultTolerance', the further arguments must be 'ckpt_save_fn' or 'ckpt_load_fn', but got "
                f"{sorted(unknown)}.",
            )
        for name, function in kwargs.items():
            check_callable("TrainFaultTolerance", name, function)
        folder = check_type("TrainFaultTolerance", "ckpt_save_path", ckpt_save_path, (str, type(None)))
        self._folder = os.path.abspath(folder or os.getcwd())
        self._save: Callable[[Any, dict[str, int]], Any] | None = kwargs.get("ckpt_save_fn")
        self._last_params: Any = None

    @classmethod
    def get_optimizer_wrapper(cls, origin_opt_cls: type) -> type:
        """The optimizer class as it is: nothing must be added to it here."""
        return origin_opt_cls

    def on_train_begin(self, run_context: RunContext) -> None:
        """Remember the run."""
        self._last_params = run_context.original_args()

    def on_train_end(self, run_context: RunContext) -> None:
        """Training ended well."""
        self._last_params = None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        cb_params, self._last_params = self._last_params, None
        if kind is None or cb_params is None or not cb_params.get("cur_step_num"):
            return
        try:
            if self._save is not None:
                self._save(cb_params, {"epoch_num": cb_params.cur_epoch_num, "step_num": cb_params.cur_step_num})
                return
            os.makedirs(self._folder, mode=0o700, exist_ok=True)
            name = f"ttp_rank_{config.rank_id.value}-{cb_params.cur_epoch_num}_{step_in_epoch(cb_params)}.ckpt"
            save_training(cb_params, os.path.join(self._folder, name))
        except Exception as failure:  # the error of the training matters more
            log.error("The checkpoint of the failed training could not be saved: %s", failure)
