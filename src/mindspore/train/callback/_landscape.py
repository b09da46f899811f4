"""The landscape of a loss: its values on a plane through the weights of a training."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import check_bool, check_int, check_one_of, check_positive_int, check_type, shown
from mindspore._utils.refusals import refused
from mindspore.train._checkpoint.parameters import load_checkpoint, save_checkpoint
from mindspore.train.summary.summary_record import SummaryRecord

__all__ = ["SummaryLandscape"]

_OWNER = "SummaryLandscape"
_DEFAULTS: dict[str, Any] = {
    "landscape_size": 40, "unit": "step", "create_landscape": {"train": True, "result": True}, "num_samples": 2048,
    "intervals": [],
}  # fmt: skip
_MARGIN = 0.2  # of the plane around the path of a training


def check_landscape(owner: str, given: dict[str, Any] | None) -> dict[str, Any]:
    """The settings of a landscape, checked and complete."""
    for name in given or {}:
        check_one_of(owner, "collect_landscape", name, list(_DEFAULTS))
    settings = {**_DEFAULTS, **(given or {})}
    check_int(owner, "landscape_size", settings["landscape_size"], 3, 256)
    check_one_of(owner, "unit", settings["unit"], ("step", "epoch"))
    check_positive_int(owner, "num_samples", settings["num_samples"])
    settings["create_landscape"] = {**_DEFAULTS["create_landscape"], **settings["create_landscape"]}
    for name, value in settings["create_landscape"].items():
        check_bool(owner, f"create_landscape['{name}']", value)
    for interval in check_type(owner, "intervals", settings["intervals"], (list, tuple)):
        if not isinstance(interval, (list, tuple)) or len(interval) < 3:
            raise refused(
                ValueError,
                f"For '{owner}', every one of the 'intervals' must have at least 3 numbers, but got {interval!r}.",
            )
    return settings


class Snapshots:
    """The weights at the steps or epochs of the intervals, as checkpoints beside the summary."""

    def __init__(self, owner: str, summary_dir: str, settings: dict[str, Any]):
        self.folder, self.settings = _folder(summary_dir), check_landscape(owner, settings)
        self.wanted = {number for interval in self.settings["intervals"] for number in interval}

    def begin(self) -> None:
        """Write the settings where :class:`SummaryLandscape` finds them."""
        os.makedirs(self.folder, exist_ok=True)
        with open(os.path.join(self.folder, "train_metadata.json"), "w", encoding="utf-8") as stream:
            json.dump(self.settings, stream)

    def take(self, unit: str, number: int, network: Any) -> None:
        """Keep the weights, if this step or epoch is asked for."""
        if unit == self.settings["unit"] and number in self.wanted:
            save_checkpoint(network, _snapshot(self.folder, number))


class SummaryLandscape:
    """Draws the landscape of a loss from what ``SummaryCollector(collect_specified_data={"collect_landscape": ...})`` kept.

    Around the weights of every interval of the training ("train"): on the plane of their two principal directions. Around the
    last weights ("result"): on that of two random directions as large as the weights of every layer. The values are written to
    the summary as a table, with the path of the training, and as a tensor.

    Args:
        summary_dir: the folder of the SummaryCollector.

    Examples:
        >>> import tempfile
        >>> from mindspore.train import SummaryLandscape
        >>> SummaryLandscape(tempfile.mkdtemp()).clean_ckpt()
    """

    def __init__(self, summary_dir: str):
        self._summary_dir = os.path.realpath(os.fspath(summary_dir))
        self._ckpt_dir = _folder(self._summary_dir)

    def gen_landscapes_with_multi_process(self, callback_fn: Callable[[], tuple[Any, Any, Any, Any]],
                                          collect_landscape: dict[str, Any] | None = None,
                                          device_ids: Sequence[int] | None = None, output: str | None = None) -> None:  # fmt: skip
        """Compute the landscapes.

        Args:
            callback_fn: makes the Model, its network, a dataset and the metrics ({"Loss": Loss()}).
            collect_landscape: settings that differ from those of the training.
            device_ids: kept for programs that give it; the device of the program computes.
            output: the folder of the summary; by default that of the training.
        """
        if not callable(callback_fn):
            raise refused(
                TypeError, f"For '{_OWNER}', the 'callback_fn' must be a function, but got {shown(callback_fn)}."
            )
        settings = check_landscape(_OWNER, {**self._recorded(), **(collect_landscape or {})})
        model, network, dataset, metrics = callback_fn()
        rows = max(settings["num_samples"] // max(dataset.get_batch_size(), 1), 1)
        plane = _Plane(model, network, dataset.take(rows), next(iter(metrics)), settings["landscape_size"])
        with SummaryRecord(output or self._summary_dir, file_suffix="_LANDSCAPE") as record:
            for interval in settings["intervals"]:
                weights = [plane.loaded(_snapshot(self._ckpt_dir, number)) for number in interval]
                if settings["create_landscape"]["train"]:
                    _write(record, f"landscape_{interval[0]}_{interval[-1]}", plane.of_training(weights), interval)
                if settings["create_landscape"]["result"] and interval is settings["intervals"][-1]:
                    _write(record, "landscape_result", plane.of_result(weights[-1]), interval[-1:])

    def clean_ckpt(self) -> None:
        """Remove the weights that were kept."""
        shutil.rmtree(self._ckpt_dir, ignore_errors=True)

    def _recorded(self) -> dict[str, Any]:
        path = os.path.join(self._ckpt_dir, "train_metadata.json")
        if not os.path.isfile(path):
            raise refused(
                ValueError,
                f"For '{_OWNER}', there must be weights of a training in {self._ckpt_dir}: train with "
                "SummaryCollector(..., collect_specified_data={'collect_landscape': {'intervals': [[1, 2, 3]]}}).",
            )
        with open(path, encoding="utf-8") as stream:
            return json.load(stream)


class _Plane:
    """A network whose weights are moved on a plane, and what its loss is there."""

    def __init__(self, model: Any, network: Any, dataset: Any, metric: str, size: int):
        self.model, self.dataset, self.metric, self.size = model, dataset, metric, size
        self.parameters = network.trainable_params()

    def loaded(self, path: str) -> np.ndarray:
        """The weights of a checkpoint, one after the other."""
        if not os.path.isfile(path):
            raise refused(
                ValueError, f"For '{_OWNER}', the training did not reach the snapshot {path}: choose other 'intervals'."
            )
        values = load_checkpoint(path)
        return np.concatenate([values[one.name].asnumpy().reshape(-1).astype(np.float64) for one in self.parameters])

    def of_training(self, weights: list[np.ndarray]) -> dict[str, Any]:
        """On the principal directions of a path of weights."""
        moved = np.array(weights) - weights[-1]
        _, _, directions = np.linalg.svd(moved, full_matrices=False)
        path = moved @ directions[:2].T
        low, high = path.min(0), path.max(0)
        margin = np.maximum((high - low) * _MARGIN, 1e-6)
        return self._values(weights[-1], directions[:2], low - margin, high + margin) | {"path": path.tolist()}

    def of_result(self, weights: np.ndarray) -> dict[str, Any]:
        """On two random directions, in every Parameter as large as it is."""
        random, directions = np.random.default_rng(0), []
        for _ in range(2):
            drawn, start = random.standard_normal(weights.size), 0
            for one in self.parameters:
                part = slice(start, start + one.size)
                drawn[part] *= np.linalg.norm(weights[part]) / max(np.linalg.norm(drawn[part]), 1e-12)
                start += one.size
            directions.append(drawn)
        return self._values(weights, np.array(directions), -np.ones(2), np.ones(2)) | {"path": [[0.0, 0.0]]}

    def _values(self, centre: np.ndarray, directions: np.ndarray, low: np.ndarray, high: np.ndarray) -> dict[str, Any]:
        x, y = (np.linspace(low[axis], high[axis], self.size) for axis in range(2))
        z = [[self._loss(centre + a * directions[0] + b * directions[1]) for a in x] for b in y]
        self._loss(centre)  # the network keeps the weights of the training
        return {"x": x.tolist(), "y": y.tolist(), "z": z}

    def _loss(self, weights: np.ndarray) -> float:
        start = 0
        for one in self.parameters:
            values = weights[start : start + one.size].reshape(one.shape)
            one.set_data(Tensor(values.astype(one.dtype.np_dtype)))
            start += one.size
        return float(self.model.eval(self.dataset, dataset_sink_mode=False)[self.metric])


def _write(record: SummaryRecord, name: str, landscape: dict[str, Any], steps: Sequence[int]) -> None:
    record.add_value("landscape", name, {**landscape, "steps": list(steps)})
    record.add_value("tensor", f"{name}/loss", Tensor(np.array(landscape["z"], np.float32)))
    record.record(int(steps[-1]))


def _folder(summary_dir: str) -> str:
    return os.path.join(os.path.realpath(summary_dir), "ckpt_dir")


def _snapshot(folder: str, number: int) -> str:
    return os.path.join(folder, f"snapshot-{number}.ckpt")
