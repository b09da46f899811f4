"""BackupAndRestore: resumes an interrupted training."""

from __future__ import annotations

import os
from typing import Any

from mindspore._utils import log
from mindspore._utils.checks import check_bool, check_positive_int, check_str
from mindspore.train._loop.training_state import restore_training, save_training
from mindspore.train.callback._callback import Callback, RunContext
from mindspore.train.callback._values import step_in_epoch

__all__ = ["BackupAndRestore"]


class BackupAndRestore(Callback):
    """Saves everything training depends on as ``backup.ckpt``, and goes on from there when training begins again.

    That is Parameters, the optimizer, the loss scale, random numbers, epoch, step, the position in the dataset, and what other
    callbacks remember who have ``state_dict`` and ``load_state_dict``: a training that was killed and started again ends with
    the Parameters of an uninterrupted training. After a step or an epoch it has its turn when those have had theirs.

    Args:
        backup_dir: the folder of the file; created where it is missing.
        save_freq: 'epoch', or after how many epochs to save.
        save_steps: after how many steps to save, within epochs too; None for ends of epochs only.
        delete_checkpoint: whether the file is removed when training ends well.

    Examples:
        >>> import tempfile
        >>> from mindspore.train.callback import BackupAndRestore
        >>> callback = BackupAndRestore(tempfile.mkdtemp(), save_freq=2)
    """

    saves_states = True  # of other callbacks: see CallbackManager

    def __init__(self, backup_dir: str, save_freq: str | int = "epoch", delete_checkpoint: bool = True,
                 save_steps: int | None = None):  # fmt: skip
        super().__init__()
        folder = os.path.abspath(check_str("BackupAndRestore", "backup_dir", backup_dir, allow_empty=False))
        self.save_freq = 1 if save_freq == "epoch" else check_positive_int("BackupAndRestore", "save_freq", save_freq)
        self.delete_checkpoint = check_bool("BackupAndRestore", "delete_checkpoint", delete_checkpoint)
        self.save_steps = (
            save_steps if save_steps is None else check_positive_int("BackupAndRestore", "save_steps", save_steps)
        )
        os.makedirs(folder, mode=0o700, exist_ok=True)
        self.backup_file = os.path.join(folder, "backup.ckpt")

    def on_train_begin(self, run_context: RunContext) -> None:
        """Resume from the file of an earlier training, if it exists."""
        if os.path.isfile(self.backup_file):
            steps = restore_training(run_context.original_args(), self.backup_file)
            log.info("Training resumes after step %d, from %s.", steps, self.backup_file)

    def on_train_step_end(self, run_context: RunContext) -> None:
        """Save when it is the turn of this step."""
        cb_params = run_context.original_args()
        # the last step of an epoch is saved after its evaluation, which a resumed training would leave out otherwise
        if self._is_turn_of_step(cb_params) and step_in_epoch(cb_params) != cb_params.batch_num:
            save_training(cb_params, self.backup_file)

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """Save when it is the turn of this epoch."""
        cb_params = run_context.original_args()
        if cb_params.cur_epoch_num % self.save_freq == 0 or self._is_turn_of_step(cb_params):
            save_training(cb_params, self.backup_file)

    def _is_turn_of_step(self, cb_params: Any) -> bool:
        return self.save_steps is not None and cb_params.cur_step_num % self.save_steps == 0

    def on_train_end(self, run_context: RunContext) -> None:
        """Remove the file: training came to its end."""
        if self.delete_checkpoint and os.path.isfile(self.backup_file):
            os.remove(self.backup_file)
