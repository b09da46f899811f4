"""The best checkpoints of a training: which figure decides, which files stay, and how to find them again."""

from __future__ import annotations

import json
import os
import re
from typing import Any, NamedTuple

from mindspore._engine.config import config as settings
from mindspore._utils import log
from mindspore._utils.checks import check_one_of, check_str, check_type
from mindspore._utils.files import atomic_file
from mindspore._utils.refusals import refused
from mindspore.nn.cell import Cell
from mindspore.train._checkpoint import background_save
from mindspore.train.callback._lambda_callback import LambdaCallback
from mindspore.train.callback._values import Monitored
from mindspore.train.serialization import load_checkpoint

__all__ = ["BestCheckpoints", "BestFile", "load_best"]

# what the name of a figure contains that is better when smaller
_SMALLER_IS_BETTER = re.compile("loss|error|mae|mse|perplexity|distance", re.IGNORECASE)
_RECORD = re.compile(r"(?:(?P<prefix>.*)-)?best(?:_rank_\d+)?\.json")


class BestFile(NamedTuple):
    """A checkpoint and the figure it was saved for."""

    path: str
    value: float
    epoch: int
    step: int


class BestCheckpoints:
    """The files that were the best when they were saved, the best last, and a record of them in their folder.

    The record, ``<prefix>-best.json``, is written when the checkpoint is complete, and older files go after that: whenever
    the process is killed, the record names files that are there.

    Args:
        monitor: 'loss' for the loss of training, or a name in the results of evaluation.
        mode: 'min', 'max', or 'auto' to judge by the name.
        min_delta: by how much a figure must be better to count.
        keep: how many files stay; 0 for all.
    """

    def __init__(self, monitor: str, mode: str, min_delta: float, keep: int):
        self.monitor = monitor
        self.mode = _direction(monitor, mode)
        self.keep = keep
        self.files: list[BestFile] = []
        self.record = ""
        self._figure = Monitored("ModelCheckpoint", monitor, self.mode, min_delta)
        self._unsettled: str | None = None

    def check(self, cb_params: Any) -> None:
        """Raise before the first step where nothing could ever give the figure."""
        planned = cb_params.get("figure_names")
        if planned is None or self.monitor in (*planned, "loss"):
            return
        if not any(_may_add_figures(callback) for callback in cb_params.get("list_callback", ())):
            raise self._unknown(planned)

    def improvement(self, cb_params: Any) -> float | None:
        """The figure after this epoch, if it is the best so far."""
        results, planned = cb_params.get("eval_results"), cb_params.get("figure_names") or ()
        if results is None and self.monitor in planned:  # there was no evaluation after this epoch
            return None
        if self.monitor != "loss" and self.monitor not in (results or {}):
            raise self._unknown(planned if results is None else results)
        value = self._figure.value(cb_params)
        best = self.files[-1].value if self.files else self._figure.worst
        return value if value is not None and self._figure.is_improvement(value, best) else None

    def add(self, found: BestFile, record: str) -> None:
        """A new best, whose file may still be being written."""
        self.files = [file for file in self.files if file.path != found.path] + [found]
        self.record, self._unsettled = record, found.path

    def settle(self) -> None:
        """Once the file is complete, write the record and remove files that are too many."""
        if self._unsettled is None:
            return
        background_save.wait()
        # If it could not be written, which was logged, the file before it is the best.
        if not os.path.exists(self._unsettled):
            self.files = [file for file in self.files if file.path != self._unsettled]
        self._unsettled = None
        if not self.files:
            return
        superfluous = self.files[: -self.keep] if self.keep else []
        self.files = self.files[len(superfluous) :]
        _write_record(self.record, self)
        elsewhere = _named_by_records(os.path.dirname(self.record))
        for file in superfluous:
            if file.path not in elsewhere:
                _remove(file.path)

    def go_on_from(self, record: str) -> None:
        """Take the best files of an earlier run from its record, if it judged by the same figure."""
        found = _read_record(record)
        if found is None:
            return
        if (found["monitor"], found["mode"]) != (self.monitor, self.mode):
            log.warning("ModelCheckpoint begins anew with the best: %s is about '%s'.", record, found["monitor"])
            return
        self.files, self.record = found["files"], record

    def _unknown(self, names: Any) -> ValueError:
        where = "" if names else " For figures of evaluation call Model.fit with a 'valid_dataset'."
        return ValueError(
            f"For 'ModelCheckpoint', the 'monitor' must be one of {[*names, 'loss']}, but got '{self.monitor}'. The names are "
            f"those of the Model's 'metrics', 'eval_loss' with Model.fit, and 'loss' for the loss of training.{where}"
        )


def record_name(prefix: str) -> str:
    """The name of the record; processes of one job that share a folder each have their own.

    >>> record_name("net"), record_name("")
    ('net-best.json', 'best.json')
    """
    rank = f"_rank_{settings.rank_id.value}" if settings.rank_size.value > 1 else ""
    return f"{prefix}-best{rank}.json" if prefix else f"best{rank}.json"


def load_best(
    directory: str,
    net: Cell | None = None,
    strict_load: bool = False,
    *,
    prefix: str | None = None,
    dec_key: bytes | None = None,
    dec_mode: str = "AES-GCM",
) -> dict[str, Any]:
    """Read the best checkpoint that ModelCheckpoint left in a folder: a dict of Parameters by name.

    Args:
        directory: the folder that ModelCheckpoint was given.
        net: a Cell to load them into as well.
        strict_load: see :func:`load_param_into_net`.
        prefix: of which training, where the folder has the files of several; by default the best of all.
        dec_key: the key that the files were encrypted with.
        dec_mode: how they were encrypted.

    Examples:
        >>> import tempfile
        >>> import numpy as np
        >>> import mindspore.dataset as ds
        >>> from mindspore import Model, nn
        >>> from mindspore.train import ModelCheckpoint, load_best
        >>> data = ds.NumpySlicesDataset({"x": np.eye(4, dtype=np.float32), "y": np.eye(4, 1, dtype=np.float32)}).batch(2)
        >>> net, folder = nn.Dense(4, 1), tempfile.mkdtemp()
        >>> model = Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), metrics={"mae"})
        >>> model.fit(3, data, data, callbacks=ModelCheckpoint("net", folder, monitor="mae", save_best_only=True))
        >>> list(load_best(folder, net))[:2]
        ['weight', 'bias']
    """
    folder = os.path.abspath(check_str("load_best", "directory", directory, allow_empty=False))
    check_type("load_best", "prefix", prefix, (str, type(None)))
    if not os.path.isdir(folder):
        raise FileNotFoundError(f"For 'load_best', the 'directory' must be a folder, but {folder} is none.")
    records = {
        name: _read_record(os.path.join(folder, name)) for name in sorted(os.listdir(folder)) if _RECORD.fullmatch(name)
    }
    found = {name: record for name, record in records.items() if record and _is_of(name, prefix)}
    if not found:
        named = "" if prefix is None else f" of the prefix '{prefix}'"
        raise FileNotFoundError(
            f"For 'load_best', there is no best checkpoint{named} in {folder}. ModelCheckpoint keeps it when it is given "
            "'monitor'."
        )
    if len({(record["monitor"], record["mode"]) for record in found.values()}) > 1:
        about = {name: record["monitor"] for name, record in found.items()}
        raise refused(
            ValueError,
            f"For 'load_best', the trainings in {folder} were judged by different figures: {about}. Choose one with 'prefix'.",
        )
    candidates = [record["files"][-1] for record in found.values()]
    choose = min if next(iter(found.values()))["mode"] == "min" else max
    path = choose(candidates, key=lambda file: file.value).path
    format = os.path.splitext(path)[1].lstrip(".")
    return load_checkpoint(path, net, strict_load, dec_key=dec_key, dec_mode=dec_mode, format=format)


def _direction(monitor: str, mode: str) -> str:
    check_one_of("ModelCheckpoint", "mode", mode, ("auto", "min", "max"))
    return mode if mode != "auto" else "min" if _SMALLER_IS_BETTER.search(monitor) else "max"


def _may_add_figures(callback: Any) -> bool:
    """Whether a callback runs code of the user, which may put figures among the results."""
    return isinstance(callback, LambdaCallback) or not type(callback).__module__.startswith("mindspore.")


def _is_of(name: str, prefix: str | None) -> bool:
    match = _RECORD.fullmatch(name)
    return prefix is None or (match is not None and (match["prefix"] or "") == prefix)


def _write_record(path: str, best: BestCheckpoints) -> None:
    folder = os.path.dirname(path)
    files = [{**file._asdict(), "path": os.path.relpath(file.path, folder)} for file in best.files]
    content = {"monitor": best.monitor, "mode": best.mode, "files": files}
    atomic_file.write(path, [json.dumps(content, indent=2).encode()])


def _read_record(path: str) -> dict[str, Any] | None:
    """What a record says, without files that are no longer there; None where nothing is left."""
    try:
        with open(path, encoding="utf-8") as stream:
            record = json.load(stream)
        files = [
            BestFile(**{**file, "path": os.path.join(os.path.dirname(path), file["path"])}) for file in record["files"]
        ]
        there = [file for file in files if os.path.isfile(file.path)]
        return {"monitor": record["monitor"], "mode": record["mode"], "files": there} if there else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _named_by_records(folder: str) -> set[str]:
    """The files that any record in a folder names: another process may still need them."""
    records = [_read_record(os.path.join(folder, name)) for name in os.listdir(folder) if _RECORD.fullmatch(name)]
    return {file.path for record in records if record for file in record["files"]}


def _remove(path: str) -> None:
    try:
        os.remove(path)
    except OSError as error:
        log.warning("The checkpoint %s could not be removed: %s", path, error)
