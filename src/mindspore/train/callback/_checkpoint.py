"""ModelCheckpoint and CheckpointConfig: checkpoints while training."""

from __future__ import annotations

import copy
import os
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any

from mindspore import context
from mindspore._utils import log
from mindspore._utils.checks import check_type, shown
from mindspore._utils.refusals import refused
from mindspore.nn.cell import Cell
from mindspore.train._checkpoint import background_save
from mindspore.train.callback._best_checkpoint import BestCheckpoints, BestFile, record_name
from mindspore.train.callback._callback import Callback, RunContext
from mindspore.train.callback._checkpoint_config import CheckpointConfig
from mindspore.train.callback._checkpoint_files import CheckpointManager, free_prefix
from mindspore.train.callback._values import in_training, step_in_epoch
from mindspore.train.serialization import _save_graph, load_checkpoint, save_checkpoint

__all__ = ["CheckpointConfig", "CheckpointManager", "ModelCheckpoint"]


class ModelCheckpoint(Callback):
    """Saves all Parameters of the training network, ``<prefix>-<epoch>_<step>.ckpt``, as its config says.

    Where checkpoints of this prefix are in the folder already, the prefix gets a number: ``<prefix>_1``. A file appears only
    when it is complete, and an old file is removed only after the new file exists.

    With ``monitor``, the epoch in which that figure was best is kept as ``<prefix>-best-<epoch>_<step>.ckpt``, whatever else is
    saved; :meth:`load_best` loads it. The best is that of all trainings that the callback served.

    Args:
        prefix: how the names of the files begin; or a function of ``cb_params`` that returns the whole name.
        directory: the folder, created where it is missing, or a function that gives it. None is the current folder.
        config: a CheckpointConfig; by default every step is saved and the last five are kept.
        monitor, mode, save_best_only, min_delta: as in CheckpointConfig, which they overrule.

    Examples:
        >>> import tempfile
        >>> from mindspore.train.callback import CheckpointConfig, ModelCheckpoint
        >>> config = CheckpointConfig(save_checkpoint_steps=100, keep_checkpoint_max=3)
        >>> callback = ModelCheckpoint("lenet", tempfile.mkdtemp(), config)
        >>> best = ModelCheckpoint("lenet", tempfile.mkdtemp(), monitor="accuracy", save_best_only=True)
    """

    def __init__(
        self,
        prefix: str | Callable[[Any], str] = "CKP",
        directory: str | Callable[[Any], str] | None = None,
        config: CheckpointConfig | None = None,
        *,
        monitor: str | None = None,
        mode: str | None = None,
        save_best_only: bool | None = None,
        min_delta: float | None = None,
    ):
        super().__init__()
        if not callable(prefix) and (not isinstance(prefix, str) or "/" in prefix):
            raise refused(
                ValueError,
                "For 'ModelCheckpoint', the argument 'prefix' for checkpoint file name is invalid, it must be callable or "
                f"string that does not contain '/', but got {prefix!r}. The folder belongs in 'directory'.",
            )
        if config is not None and not isinstance(config, CheckpointConfig):
            raise refused(
                TypeError,
                "For 'ModelCheckpoint', the type of argument 'config' should be 'CheckpointConfig', but got "
                f"{type(config)}.",
            )
        self._config = CheckpointConfig() if config is None else copy.copy(config)
        overruled = (monitor, mode, save_best_only, min_delta)
        if any(value is not None for value in overruled):
            known = (self._config.monitor, self._config.mode, self._config.save_best_only, self._config.min_delta)
            self._config.set_best(*(old if new is None else new for new, old in zip(overruled, known, strict=True)))
        self._best = _best_of(self._config, removes=not callable(prefix))
        self._prefix_func = prefix if callable(prefix) else None
        self._directory_func = directory if callable(directory) else None
        self._directory = "" if callable(directory) else _made_folder(directory)
        self._prefix = "" if callable(prefix) else prefix
        if self._prefix_func is None and self._directory_func is None:
            self._prefix = free_prefix(self._directory, self._prefix)
        self._manager = CheckpointManager(self._config.format)
        self._latest_ckpt_file_name = ""
        self._last_triggered_step = 0
        self._init_time = self._last_time = self._last_time_for_keep = time.time()
        self._graph_saved = False
        self._last_params: Any = None
        self._begins = False
        self._set_members_of_subclasses()

    def _set_members_of_subclasses(self) -> None:
        """What callbacks of libraries that save in their own way read and change."""
        self._append_dict = self._config.append_dict or {}
        self._append_epoch_num = self._append_dict.get("epoch_num", 0)
        self._append_step_num = self._append_dict.get("step_num", 0)
        self._map_param_inc = self._config.map_param_inc
        self._run_mode = context.get_context("mode")
        self._need_flush_from_cache = False  # Parameters are never cached elsewhere

    def _flush_from_cache(self, cb_params: Any) -> None:
        """Nothing to flush: Parameters have no separate host cache."""

    def _get_save_checkpoint_steps(self) -> int | None:
        return self._config.save_checkpoint_steps

    def _get_last_trigger_step(self) -> int:
        return self._last_triggered_step

    @property
    def latest_ckpt_file_name(self) -> str:
        """The file saved last."""
        return self._latest_ckpt_file_name

    @property
    def best_ckpt_file_name(self) -> str:
        """The best file; empty as long as there is none."""
        if self._best is None:
            return ""
        self._best.settle()
        return self._best.files[-1].path if self._best.files else ""

    @property
    def best(self) -> float | None:
        """The monitored figure of the best file; None as long as there is none."""
        return self._best.files[-1].value if self._best is not None and self._best.files else None

    def load_best(self, net: Cell | None = None, strict_load: bool = False) -> dict[str, Any]:
        """Read the best checkpoint: a dict of Parameters by name.

        Args:
            net: a Cell to load them into as well; the training network gets back its optimizer, too.
            strict_load: see :func:`load_param_into_net`.
        """
        path, config = self.best_ckpt_file_name, self._config
        if self._best is None:
            raise refused(
                ValueError,
                "For 'ModelCheckpoint.load_best', the callback must be made with 'monitor', by which it judges.",
            )
        if not path:
            raise RuntimeError(
                f"For 'ModelCheckpoint.load_best', there is no best checkpoint: '{self._best.monitor}' was not computed yet, or "
                "it was never a number. 'mindspore.train.load_best' loads that of an earlier program, by its folder."
            )
        return load_checkpoint(
            path, net, strict_load, dec_key=config.enc_key, dec_mode=config.enc_mode, crc_check=config.crc_check,
            format=config.format,
        )  # fmt: skip

    def state_dict(self) -> dict[str, Any]:
        """What a resumed training needs: how the files are called, and where it is written which are the best."""
        record = self._best.record if self._best is not None else ""
        return {"prefix": self._prefix, "record": record}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on with the files of the training that is resumed."""
        if self._prefix_func is None:
            self._prefix = state["prefix"]
        if self._best is not None:
            name = os.path.basename(state["record"]) or record_name(self._prefix)
            moved = os.path.join(self._directory, name)
            self._best.go_on_from(state["record"] if os.path.exists(state["record"]) else moved)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None and self._last_params is not None and self._config.exception_save:
            self._save_breakpoint(self._last_params)
        self._last_params = None
        if self._best is not None:
            self._best.settle()

    def begin(self, run_context: RunContext) -> None:
        """A new training counts its steps from the beginning."""
        cb_params = run_context.original_args()
        if in_training(cb_params):
            self._last_params = cb_params
            self._begins = True
            if self._best is not None:
                self._best.check(cb_params)

    def epoch_begin(self, run_context: RunContext) -> None:
        """A resumed training saves at the same steps as if it had not stopped."""
        cb_params = run_context.original_args()
        if self._begins and in_training(cb_params):
            self._begins = False
            steps = self._config.save_checkpoint_steps or 1
            self._last_triggered_step = cb_params.cur_step_num - cb_params.cur_step_num % steps

    def step_end(self, run_context: RunContext) -> None:
        """Save when it is time."""
        cb_params = run_context.original_args()
        if not in_training(cb_params):
            return
        self._last_params = cb_params
        self._save_graph(cb_params)
        if not self._config.save_best_only:
            self._save_ckpt(cb_params)

    def epoch_end(self, run_context: RunContext) -> None:
        """Save the epoch if it is the best so far."""
        cb_params = run_context.original_args()
        if self._best is not None and in_training(cb_params):
            self._best.settle()
            value = self._best.improvement(cb_params)
            if value is not None:
                self._save_best(self._best, cb_params, value)

    def end(self, run_context: RunContext) -> None:
        """Save the last step, if it was not."""
        cb_params = run_context.original_args()
        if in_training(cb_params):
            if not self._config.save_best_only:
                self._save_ckpt(cb_params, force_to_save=True)
            self._last_params = None
            if self._config.async_save:
                background_save.finish()
                self._remove_old(self._folder(cb_params), self._latest_ckpt_file_name)
            if self._best is not None and not self.best_ckpt_file_name:
                log.warning("ModelCheckpoint kept no best: '%s' was never computed, or no number.", self._best.monitor)

    def _save_graph(self, cb_params: Any) -> None:
        """A description of the network beside the checkpoints, once, in graph mode."""
        if self._graph_saved or context.get_context("mode") != context.GRAPH_MODE or self._prefix_func is not None:
            return
        path = os.path.join(self._folder(cb_params), f"{self._prefix}-graph.meta")
        _save_graph(cb_params.train_network, path)
        self._graph_saved = True

    def _check_save_ckpt(self, cb_params: Any, force_to_save: bool = False) -> bool:
        """Whether it is time to save."""
        if force_to_save:
            return cb_params.cur_step_num != self._last_triggered_step and cb_params.cur_step_num > 0
        steps, seconds = self._config.save_checkpoint_steps, self._config.save_checkpoint_seconds
        if steps:
            if cb_params.cur_step_num < self._last_triggered_step:  # another training, begun without 'begin'
                self._last_triggered_step = 0
            return cb_params.cur_step_num >= self._last_triggered_step + steps
        return bool(seconds) and time.time() - self._last_time > seconds

    def _save_ckpt(self, cb_params: Any, force_to_save: bool = False) -> None:
        if not self._check_save_ckpt(cb_params, force_to_save):
            return
        folder = self._folder(cb_params)
        name = f"{self._prefix}-{cb_params.get('cur_epoch_num', 1)}_{step_in_epoch(cb_params)}"
        if self._prefix_func is not None:
            name = check_type("ModelCheckpoint", "prefix", self._prefix_func(cb_params), str)
        path = os.path.join(folder, f"{name}.{self._config.format}")
        self._write(cb_params, path)
        self._last_triggered_step = cb_params.cur_step_num
        self._last_time = time.time()
        self._note_saved(cb_params, path)
        self._remove_old(folder, path)

    def _save_best(self, best: BestCheckpoints, cb_params: Any, value: float) -> None:
        folder = self._folder(cb_params)
        epoch, step = cb_params.get("cur_epoch_num", 1), step_in_epoch(cb_params)
        name = f"{self._prefix}-best-{epoch}_{step}"
        if self._prefix_func is not None:
            name = check_type("ModelCheckpoint", "prefix", self._prefix_func(cb_params), str)
            name = name if self._config.save_best_only else f"{name}-best"
        path = os.path.join(folder, f"{name}.{self._config.format}")
        self._write(cb_params, path)
        self._note_saved(cb_params, path)
        log.info("%s is %s, the best so far: saved as %s.", best.monitor, value, path)
        best.add(BestFile(path, value, epoch, step), os.path.join(folder, record_name(self._prefix)))
        if not self._config.async_save:
            best.settle()

    def _note_saved(self, cb_params: Any, path: str) -> None:
        self._latest_ckpt_file_name = path
        cb_params.last_save_ckpt_step = cb_params.cur_step_num
        cb_params.latest_ckpt_file = path

    def _write(self, cb_params: Any, path: str) -> None:
        config = self._config
        save_checkpoint(
            config.saved_network if config.saved_network is not None else cb_params.train_network,
            path,
            config.integrated_save,
            config.async_save,
            self._append_dict_content(cb_params.get("cur_epoch_num", 1), cb_params.cur_step_num) or None,
            config.enc_key,
            config.enc_mode,
            crc_check=config.crc_check,
            format=config.format,
        )

    def _append_dict_content(self, epoch_num: int, step_num: int) -> dict[str, Any]:
        """The values stored beside the Parameters, as ``append_info`` asks."""
        current = {"epoch_num": epoch_num, "step_num": step_num}
        return {name: current.get(name, value) for name, value in (self._config.append_dict or {}).items()}

    def _remove_old(self, folder: str, written: str) -> None:
        if self._prefix_func is not None:  # whoever names the files decides which are kept
            return
        self._manager.update_ckpoint_filelist(folder, self._prefix)
        if self._config.keep_checkpoint_max:
            self._manager.keep_newest(self._config.keep_checkpoint_max)
        elif self._config.keep_checkpoint_per_n_minutes:
            now = time.time()
            over = now - self._last_time_for_keep >= self._config.keep_checkpoint_per_n_minutes * 60
            self._manager.keep_newest_of_period(written, over)
            self._last_time_for_keep = now if over else self._last_time_for_keep

    def _save_breakpoint(self, cb_params: Any) -> None:
        """Save where training failed; its own error matters more than one of saving."""
        if not cb_params.get("cur_step_num"):
            return
        name = f"{self._prefix}-{cb_params.get('cur_epoch_num', 1)}_{step_in_epoch(cb_params)}_breakpoint.{self._config.format}"
        try:
            self._write(cb_params, os.path.join(self._folder(cb_params), name))
        except Exception as error:
            log.error("The checkpoint of the interrupted training could not be saved: %s", error)

    def _folder(self, cb_params: Any) -> str:
        if self._directory_func is not None:
            self._directory = _made_folder(self._directory_func(cb_params))
        return self._directory


def _best_of(config: CheckpointConfig, removes: bool) -> BestCheckpoints | None:
    if config.monitor is None:
        return None
    keep = (config.keep_checkpoint_max or 1) if config.save_best_only else 1
    return BestCheckpoints(config.monitor, config.mode, config.min_delta, keep if removes else 0)


def _made_folder(directory: Any) -> str:
    if directory is None:
        return os.getcwd()
    if not isinstance(directory, str):
        raise refused(
            TypeError,
            f"For 'ModelCheckpoint', the 'directory' must be a string or a function, but got {shown(directory)}.",
        )
    if not directory.strip():
        raise refused(
            ValueError, "For 'ModelCheckpoint', the 'directory' must not be blank. None is the current folder."
        )
    path = os.path.abspath(directory)
    os.makedirs(path, mode=0o700, exist_ok=True)
    return path


_CheckpointManager = CheckpointManager  # the spelling of MindSpore 1.x


def _chg_ckpt_file_name_if_same_exist(directory: str, prefix: str) -> str:
    """The prefix for new files in a folder: with a number where files of the prefix are there already.

    Examples:
        >>> import tempfile
        >>> from mindspore.train.callback._checkpoint import _chg_ckpt_file_name_if_same_exist
        >>> _chg_ckpt_file_name_if_same_exist(tempfile.mkdtemp(), "net")
        'net'
    """
    return free_prefix(directory, prefix)
