"""CheckpointConfig: when checkpoints are saved, what is in them, and how many are kept."""

from __future__ import annotations

from typing import Any

from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import (
    check_bool,
    check_non_negative_int,
    check_one_of,
    check_str,
    check_type,
    shown,
    suggestion,
)
from mindspore._utils.refusals import refused
from mindspore.nn.cell import Cell

__all__ = ["CheckpointConfig"]

_NUMBERS = ("epoch_num", "step_num")
# accepted for programs that pass them; there is nothing they could change here
_FURTHER = ("map_param_inc", "enable_redundance", "global_step_num", "embedding")


def _given(name: str, text: str) -> Any:
    """A property for what was given once and stays."""
    return property(lambda self: getattr(self, f"_{name}"), doc=text)


class CheckpointConfig:
    """What a ModelCheckpoint does.

    Args:
        save_checkpoint_steps: save after this many steps; 0 or None leaves it to ``save_checkpoint_seconds``.
        save_checkpoint_seconds: save after this many seconds, where steps are not given.
        keep_checkpoint_max: how many files are kept; 0 or None leaves it to ``keep_checkpoint_per_n_minutes``.
        keep_checkpoint_per_n_minutes: keep one file per this many minutes, if 'keep_checkpoint_max' is not given.
        integrated_save: whether Parameters split over devices are saved whole.
        async_save: True or 'thread', or 'process': who writes while training goes on.
        saved_network: the Cell to save instead of the training network.
        append_info: a list of 'epoch_num', 'step_num' and at most one dict of numbers, saved beside the Parameters.
        enc_key: the key, 16, 24 or 32 bytes, if the files are to be encrypted.
        enc_mode: 'AES-GCM', 'AES-CBC' or 'SM4-CBC'.
        exception_save: whether to save ``..._breakpoint`` when training fails.
        crc_check: whether a checksum is added.
        remove_redundancy: accepted; a process saves each Parameter once anyway.
        format: 'ckpt' or 'safetensors'.
        monitor: the figure by which the best epoch is chosen and kept: a metric's name, 'eval_loss', or 'loss' for that of
            the epoch's last step of training. None keeps no best.
        mode: 'min', 'max', or 'auto': smaller is better where the name contains loss, error, mae, mse, perplexity or
            distance.
        save_best_only: whether nothing but the best is saved; ``monitor`` is then 'eval_loss' unless given.
        min_delta: by how much a figure must be better to count.

    Examples:
        >>> from mindspore.train.callback import CheckpointConfig
        >>> config = CheckpointConfig(save_checkpoint_steps=100, append_info=["epoch_num", {"seed": 7}])
        >>> config.append_dict
        {'epoch_num': 0, 'seed': 7}
        >>> CheckpointConfig(save_best_only=True).monitor
        'eval_loss'
    """

    save_checkpoint_steps = _given(
        "save_checkpoint_steps", "After how many steps is saved; None or 0 leaves it to the seconds."
    )
    save_checkpoint_seconds = _given(
        "save_checkpoint_seconds", "After how many seconds is saved; None where steps decide."
    )
    keep_checkpoint_max = _given("keep_checkpoint_max", "How many files are kept; None or 0 leaves it to the minutes.")
    keep_checkpoint_per_n_minutes = _given(
        "keep_checkpoint_per_n_minutes", "Minutes of which one file is kept; None or 0: no limit by time."
    )
    integrated_save = _given("integrated_save", "Whether Parameters split over devices are saved whole.")
    async_save = _given("async_save", "Who writes while training goes on: False for nobody.")
    saved_network = _given("saved_network", "The Cell that is saved; None is the training network.")
    enc_key = _given("enc_key", "The key of encrypted files, or None.")
    enc_mode = _given("enc_mode", "How files are encrypted.")
    crc_check = _given("crc_check", "Whether a checksum is added.")
    format = _given("format", "'ckpt' or 'safetensors'.")
    map_param_inc = _given("map_param_inc", "Whether only changed entries of hash tables are saved.")

    def __init__(
        self,
        save_checkpoint_steps: int | None = 1,
        save_checkpoint_seconds: int | None = 0,
        keep_checkpoint_max: int | None = 5,
        keep_checkpoint_per_n_minutes: int | None = 0,
        integrated_save: bool = True,
        async_save: bool | str = False,
        saved_network: Cell | None = None,
        append_info: list[Any] | None = None,
        enc_key: bytes | None = None,
        enc_mode: str = "AES-GCM",
        exception_save: bool = False,
        crc_check: bool = False,
        remove_redundancy: bool = False,
        format: str = "ckpt",
        *,
        monitor: str | None = None,
        mode: str = "auto",
        save_best_only: bool = False,
        min_delta: float = 0.0,
        **kwargs: Any,
    ):
        self._set_intervals(
            save_checkpoint_steps=save_checkpoint_steps,
            save_checkpoint_seconds=save_checkpoint_seconds,
            keep_checkpoint_max=keep_checkpoint_max,
            keep_checkpoint_per_n_minutes=keep_checkpoint_per_n_minutes,
        )
        name = "CheckpointConfig"
        if saved_network is not None and not isinstance(saved_network, Cell):
            raise refused(
                TypeError,
                f"For 'CheckpointConfig', the type of 'saved_network' must be None or Cell, but got {type(saved_network)}.",
            )
        if isinstance(async_save, str):
            check_one_of(name, "async_save", async_save, ("process", "thread"))
        else:
            check_bool(name, "async_save", async_save)
        self._integrated_save = check_bool(name, "integrated_save", integrated_save)
        self._async_save = async_save
        self._saved_network = saved_network
        self._enc_key = check_type(name, "enc_key", enc_key, (bytes, type(None)), ValueError)
        self._enc_mode = check_one_of(name, "enc_mode", enc_mode, ("AES-GCM", "AES-CBC", "SM4-CBC"))
        self.exception_save = check_bool(name, "exception_save", exception_save)
        self._crc_check = check_bool(name, "crc_check", crc_check, ValueError)
        self.remove_redundancy = check_bool(name, "remove_redundancy", remove_redundancy, ValueError)
        self._format = check_one_of(name, "format", format, ("ckpt", "safetensors"))
        if format == "safetensors" and (enc_key is not None or crc_check):
            raise refused(
                ValueError,
                "For 'CheckpointConfig', 'enc_key' and 'crc_check' must stay at their defaults when 'format' is 'safetensors'. "
                "Use format='ckpt' for encrypted or checked files.",
            )
        self._append_dict = _appended(append_info)
        self.set_best(monitor, mode, save_best_only, min_delta)
        self._map_param_inc = bool(kwargs.get("incremental", kwargs.get("map_param_inc", False)))
        self.enable_redundance = bool(kwargs.get("enable_redundance", False))
        for key in kwargs:
            if key not in ("incremental", *_FURTHER):
                raise refused(
                    TypeError,
                    f"For 'CheckpointConfig', there is no argument '{key}'.{suggestion(key, [name.lstrip('_') for name in vars(self)])}",
                )

    def _set_intervals(self, **given: Any) -> None:
        if not any(given.values()):
            raise refused(
                ValueError,
                "For 'CheckpointConfig', the input arguments 'save_checkpoint_steps', 'save_checkpoint_seconds', "
                "'keep_checkpoint_max' and 'keep_checkpoint_per_n_minutes' can't be all None or 0.",
            )
        checked = {
            key: None if value is None else check_non_negative_int("CheckpointConfig", key, value)
            for key, value in given.items()
        }
        if checked["save_checkpoint_steps"]:
            checked["save_checkpoint_seconds"] = None
        if checked["keep_checkpoint_max"]:
            checked["keep_checkpoint_per_n_minutes"] = None
        elif not checked["keep_checkpoint_per_n_minutes"]:
            checked["keep_checkpoint_max"] = 1
        self._save_checkpoint_steps = checked["save_checkpoint_steps"]
        self._save_checkpoint_seconds = checked["save_checkpoint_seconds"]
        self._keep_checkpoint_max = checked["keep_checkpoint_max"]
        self._keep_checkpoint_per_n_minutes = checked["keep_checkpoint_per_n_minutes"]

    def set_best(self, monitor: Any, mode: Any, save_best_only: Any, min_delta: Any) -> None:
        """By what the best is chosen, and whether it alone is saved."""
        name = "CheckpointConfig"
        self.save_best_only = check_bool(name, "save_best_only", save_best_only)
        self.mode = check_one_of(name, "mode", mode, ("auto", "min", "max"))
        self.min_delta = abs(check_type(name, "min_delta", min_delta, (int, float)))
        if monitor is not None:
            check_str(name, "monitor", monitor, allow_empty=False)
        elif not save_best_only and (mode != "auto" or min_delta):
            raise refused(
                ValueError,
                "For 'CheckpointConfig', 'mode' and 'min_delta' say how to choose the best, but there is no 'monitor'. Write "
                "monitor='accuracy', say.",
            )
        self.monitor: str | None = "eval_loss" if monitor is None and save_best_only else monitor

    @property
    def append_dict(self) -> dict[str, Any] | None:
        """What is saved beside the Parameters."""
        return self._append_dict

    def get_checkpoint_policy(self) -> dict[str, Any]:
        """The intervals and the network as a dict."""
        return {
            "save_checkpoint_steps": self.save_checkpoint_steps,
            "save_checkpoint_seconds": self.save_checkpoint_seconds,
            "keep_checkpoint_max": self.keep_checkpoint_max,
            "keep_checkpoint_per_n_minutes": self.keep_checkpoint_per_n_minutes,
            "saved_network": self.saved_network,
        }


def _appended(append_info: Any) -> dict[str, Any] | None:
    """The dict behind ``append_info``."""
    if append_info is None:
        return None
    if not isinstance(append_info, list):
        raise refused(
            TypeError,
            f"For 'CheckpointConfig', the type of 'append_info' must be list, but got {type(append_info)}. "
            'Write append_info=["epoch_num", "step_num", {"name": 1}].',
        )
    if sum(isinstance(item, dict) for item in append_info) > 1:
        raise refused(
            TypeError, "For 'CheckpointConfig', the element of 'append_info' must has only one dict, but got more."
        )
    found: dict[str, Any] = {}
    for item in append_info:
        if isinstance(item, dict):
            found.update({_checked_name(key, value): value for key, value in item.items()})
        elif isinstance(item, str):
            found[check_one_of("CheckpointConfig", "append_info", item, _NUMBERS)] = 0
        else:
            raise refused(
                TypeError,
                f"For 'CheckpointConfig', the elements of 'append_info' must be strings or a dict, but got {shown(item)}.",
            )
    return found


def _checked_name(key: Any, value: Any) -> str:
    if not isinstance(key, str) or not isinstance(value, (int, float, bool, str, Tensor)):
        raise refused(
            TypeError,
            "For 'CheckpointConfig', the key type of the dict 'append_info' must be string, the value type must be int or "
            f"float or bool, a str or a Tensor, but got key type {type(key)}, value type {type(value)}.",
        )
    return key
