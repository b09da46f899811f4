"""SummaryRecord: what networks and programs report while they run, in files TensorBoard reads."""

from __future__ import annotations

import contextlib
import os
import re
import socket
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any

import numpy as np

from mindspore._engine.config import config
from mindspore._engine.runtime import device_state
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.effects.printing import add_summary_sink, remove_summary_sink
from mindspore._utils import log
from mindspore._utils.checks import (
    check_bool,
    check_int,
    check_one_of,
    check_positive_int,
    check_str,
    check_type,
    shown,
)
from mindspore._utils.files import event_file
from mindspore._utils.refusals import refused, refusing_as
from mindspore.nn.cell import Cell
from mindspore.train.summary import _values
from mindspore.train.summary._graph import network_graph
from mindspore.train.summary.enums import ModeEnum, PluginEnum

__all__ = ["SummaryRecord"]

_NAME = re.compile(r"\w[0-9a-zA-Z_.]*", re.ASCII)
_FLUSH_SECONDS = 10.0


SUMMARY_TENSOR_CACHE: dict[str, Any] = {}  # what summary operators reported last, by "name[:Scalar]" and so on


def _taken_summary_data() -> dict[str, Any]:
    """What summary operators reported since it was asked for last: Tensors by ``name[:Scalar]``, ``name[:Image]`` and so on."""
    device_state.wait()
    reported = {
        name: Tensor(value) if isinstance(value, np.ndarray) else value for name, value in SUMMARY_TENSOR_CACHE.items()
    }
    SUMMARY_TENSOR_CACHE.clear()
    return reported


def _keep(kind: str, name: str, value: np.ndarray) -> None:
    SUMMARY_TENSOR_CACHE[f"{name}[:{kind.capitalize()}]"] = np.array(value)


def __getattr__(name: str) -> Any:
    # graphs report nothing without a recorder: importing this function makes one
    if name == "_get_summary_tensor_data":
        add_summary_sink(_keep)
        return _taken_summary_data
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _cache_summary_tensor_data(summary: list[dict[str, Any]]) -> bool:
    """Add values, a list of dicts with 'name' and 'data', to what was reported."""
    SUMMARY_TENSOR_CACHE.update({row["name"]: row["data"] for row in summary})
    return True


def _record_summary_tensor_data() -> None:
    """Wait for what running networks still have to report."""
    device_state.wait()


class SummaryRecord:
    """Writes summaries to an event file: what the summary operators of a network report, and what ``add_value`` is given.

    Look at the files with ``tensorboard --logdir <log_dir>``, or with ``python -m mindspore events <log_dir>``.

    Args:
        log_dir: folder of the file; made if it does not exist.
        file_prefix: what the file's name starts with.
        file_suffix: what the file's name ends with.
        num_process: kept for programs that give it; one process writes.
        network: a Cell whose graph is written with the first record.
        max_file_size: bytes at which nothing more is written; None for no limit.
        raise_exception: whether a file that cannot be written is an error. Otherwise it is logged, and training goes on.
        export_options: ``{'tensor_format': 'npy'}`` also saves every tensor as a file of its own.

    Examples:
        >>> import tempfile
        >>> from mindspore import Tensor
        >>> from mindspore.train.summary import SummaryRecord
        >>> with SummaryRecord(tempfile.mkdtemp()) as record:
        ...     record.add_value("scalar", "loss", Tensor(0.5))
        ...     record.record(step=1)
        True
    """

    def __init__(
        self,
        log_dir: str,
        file_prefix: str = "events",
        file_suffix: str = "_MS",
        num_process: int = 32,
        network: Cell | None = None,
        max_file_size: int | None = None,
        raise_exception: bool = False,
        export_options: dict[str, Any] | None = None,
    ):
        self._closed = True  # until everything is in place
        with refusing_as(RuntimeError):
            folder = check_log_dir("SummaryRecord", log_dir)
            for name, value in (("file_prefix", file_prefix), ("file_suffix", file_suffix)):
                if not _NAME.fullmatch(check_str("SummaryRecord", name, value)):
                    raise refused(
                        ValueError,
                        f"For 'SummaryRecord', the '{name}' must be letters, digits, '_' and '.', but got {value!r}.",
                    )
            check_positive_int("SummaryRecord", "num_process", num_process)
            self._network = check_type("SummaryRecord", "network", network, (Cell, type(None)))
            self._limit = None if max_file_size is None else check_int("SummaryRecord", "max_file_size", max_file_size)
            self._raises = check_bool("SummaryRecord", "raise_exception", raise_exception)
            self._exports_tensors = check_export_options("SummaryRecord", export_options)
        self._stem = os.path.join(folder, file_name(file_prefix, file_suffix))
        self._path = self._stem
        self._export_folder = os.path.join(folder, f"export_{int(time.time())}", "tensor")
        self._file: event_file.EventFile | None = None
        self._full = False
        self._flushed_at = 0.0
        self._mode = ModeEnum.TRAIN.value
        self._pending: dict[tuple[str, str], Any] = {}
        self._hears = False
        self._closed = False
        self.listen(True)

    # -- what is to be written --------------------------------------------------------------------------------------------
    def listen(self, wanted: bool) -> None:
        """Whether the summary operators of networks are heard. Graphs that are not heard compute nothing for it."""
        if wanted != self._hears:
            self._hears = wanted
            (add_summary_sink if wanted else remove_summary_sink)(self._hear)

    def _hear(self, kind: str, name: str, value: np.ndarray) -> None:
        _keep(kind, name, value)
        try:
            self._pending[kind, name] = _values.checked_array(kind, name, value)
        except ValueError as error:  # raised here it would end the training
            log.once(("summary", kind, name), f"{error} It is left out.")

    def add_value(self, plugin: str, name: str, value: Any) -> None:
        """Have a value written with the next record; a later one of the same name replaces it.

        Args:
            plugin: what it is: 'scalar', 'image' (N, C, H, W), 'histogram' or 'tensor' for Tensors; 'graph' for the bytes of a
                GraphDef; 'train_lineage', 'eval_lineage', 'custom_lineage_data' or 'dataset_graph' for a dict or text.
            name: its name in TensorBoard; slashes make groups.
            value: the value.
        """
        check_one_of("SummaryRecord.add_value", "plugin", plugin, PluginEnum.to_list())
        check_str("SummaryRecord.add_value", "name", name, allow_empty=False)
        self._pending[plugin, name] = _values.checked(plugin, name, value)

    def set_mode(self, mode: str) -> None:
        """Say what the network is doing: 'train' or 'eval'."""
        self._mode = check_one_of("SummaryRecord.set_mode", "mode", mode, ModeEnum.to_list())

    # -- writing ----------------------------------------------------------------------------------------------------------
    def record(
        self, step: int, train_network: Cell | None = None, plugin_filter: Callable[[str], bool] | None = None
    ) -> bool:
        """Write everything that was reported since the last record, and say whether that worked.

        Args:
            step: the step it belongs to.
            train_network: a Cell whose graph is written, instead of the network given at construction.
            plugin_filter: called with the kind of each value; what it does not want is dropped.
        """
        check_int("SummaryRecord.record", "step", step)
        check_type("SummaryRecord.record", "train_network", train_network, (Cell, type(None)))
        if plugin_filter is not None and not callable(plugin_filter):
            raise refused(
                TypeError,
                f"For 'SummaryRecord.record', the 'plugin_filter' must be a function, but got {shown(plugin_filter)}.",
            )
        if self._closed:
            log.error("For 'SummaryRecord', a record that is closed writes nothing any more.")
            return False
        pending, self._pending = self._pending, {}
        network, self._network = train_network or self._network, None
        try:
            if network is not None:
                pending.setdefault(("graph", "graph"), network_graph(network))
            return self._write(
                step, {key: value for key, value in pending.items() if not plugin_filter or plugin_filter(key[0])}
            )
        except (OSError, RuntimeError) as error:
            if self._raises:
                raise
            log.error("%s", f"For 'SummaryRecord', the summaries of step {step} could not be written: {error}")
            return False

    def _write(self, step: int, pending: dict[tuple[str, str], Any]) -> bool:
        values = []
        for (plugin, name), value in pending.items():
            if plugin == "graph":
                self._append(event_file.event(step, graph=value))
                continue
            if plugin == "tensor" and self._exports_tensors:
                self._export(name, step, value)
            values.append(_values.encoded(plugin, name, value))
        if values:
            self._append(event_file.event(step, values))
        if time.monotonic() - self._flushed_at > _FLUSH_SECONDS:
            self.flush()
        return not self._full

    def _append(self, event: bytes) -> None:
        if self._full:
            return
        if self._file is None:
            self._file = self._opened()
        if self._limit and self._limit > 0 and self._file.size + event_file.record_size(event) > self._limit:
            self._full = True
            log.warning("%s", f"{self._path} has reached max_file_size={self._limit}: nothing more is written to it.")
            return
        self._file.write(event)

    def _opened(self) -> event_file.EventFile:
        os.makedirs(os.path.dirname(self._stem), exist_ok=True)
        for number in range(1, 1000):
            with contextlib.suppress(FileExistsError):  # another record began in the same second
                return event_file.EventFile(self._path)
            self._path = f"{self._stem}.{number}"
        raise FileExistsError(f"{self._stem} exists with a thousand numbers behind it.")

    def _export(self, name: str, step: int, value: np.ndarray) -> None:
        os.makedirs(self._export_folder, exist_ok=True)
        np.save(os.path.join(self._export_folder, f"{re.sub(r'[^0-9a-zA-Z_.-]', '_', name)}_{step}.npy"), value)

    # -- the file ---------------------------------------------------------------------------------------------------------
    @property
    def log_dir(self) -> str:
        """The path of the file."""
        return self._path

    def flush(self) -> None:
        """Hand everything written so far to the system, where TensorBoard sees it."""
        self._flushed_at = time.monotonic()
        if self._file is not None:
            self._file.flush()

    def close(self) -> None:
        """Write what waits in memory and close the file."""
        if self._closed:
            return
        self._closed = True
        self.listen(False)
        if self._file is not None:
            self._file.close()

    def __enter__(self) -> SummaryRecord:
        if self._closed:
            raise refused(
                ValueError, "For 'SummaryRecord', a record that is closed cannot be used again: make a new one."
            )
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def file_name(prefix: str, suffix: str) -> str:
    """The name of a file; TensorBoard looks for 'tfevents' in it."""
    return f"{prefix}.out.tfevents.summary.{int(time.time())}.{config.rank_id.value}.{socket.gethostname()}{suffix}"


def check_log_dir(owner: str, folder: Any) -> str:
    """The absolute path of a folder that need not exist yet."""
    if not isinstance(folder, (str, os.PathLike)):
        raise refused(
            TypeError, f"For '{owner}', the 'log_dir' must be a str, the path of a folder, but got {shown(folder)}."
        )
    path = os.path.abspath(check_str(owner, "log_dir", os.fspath(folder), allow_empty=False))
    if os.path.exists(path) and not os.path.isdir(path):
        raise NotADirectoryError(f"For '{owner}', the folder {path} cannot be made: a file of that name exists.")
    return path


def check_export_options(owner: str, options: Any) -> bool:
    """Whether tensors are saved as files of their own."""
    check_type(owner, "export_options", options, (dict, type(None)))
    for name, value in (options or {}).items():
        check_one_of(owner, "export_options", name, ["tensor_format"])
        if value is not None:
            check_one_of(owner, "tensor_format", value, ["npy"])
    return bool(options and options.get("tensor_format"))
