"""``sync_wait``: rows are held back until the training calls ``sync_update``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore.dataset._pipeline import arguments as check
from mindspore.dataset._pipeline.dataset_info import DatasetQuestions
from mindspore.dataset._pipeline.run_context import PipelineContext
from mindspore.dataset._pipeline.stages import Stage


class Waiting(DatasetQuestions):
    """What a dataset knows about nodes in it that hold rows back."""

    def _notifiers(self) -> dict[str, SyncWaitNode]:
        found: dict[str, SyncWaitNode] = {}
        for child in self.children:
            found.update(child._notifiers())
        return found

    def get_sync_notifiers(self) -> dict[str, Callable[..., None]]:
        """What lets the rows of every :meth:`sync_wait` go on: functions of a number of batches and data, by name."""
        return {name: wait.update for name, wait in self._notifiers().items()}

    def is_sync(self) -> bool:
        """Whether rows wait somewhere for :meth:`sync_update`."""
        return bool(self._notifiers())

    def disable_sync(self) -> None:
        """Let all rows through from now on."""
        for wait in self._notifiers().values():
            wait.gate.open(2**62)

    def sync_update(self, condition_name: str, num_batch: int | None = None, data: Any = None) -> None:
        """Let a :meth:`sync_wait` of this name go on, and hand data to its callback."""
        waits = self._notifiers()
        if condition_name not in waits:
            raise RuntimeError(f"Condition name '{condition_name}' not found; there are {sorted(waits)}.")
        waits[condition_name].update(num_batch, data)


class SyncWaitNode(Waiting):
    """What ``sync_wait`` makes of a dataset."""

    def __init__(self, input_dataset: DatasetQuestions, condition_name: str, num_batch: int, callback: Callable | None):
        super().__init__([input_dataset])
        self.condition_name = check.text("condition_name", condition_name)
        if condition_name in super()._notifiers():
            raise RuntimeError(
                f"Condition name is already in use: a 'sync_wait' before this one is called {condition_name!r}, too."
            )
        self.num_batch = check.number("sync_wait", "num_batch", num_batch, low=1)
        self.callback = callback
        self.gate = check.Gate(self.num_batch)
        self.rows_per_batch = 1

    def update(self, num_batch: int | None = None, data: Any = None) -> None:
        """Let some rows through."""
        if self.callback is not None:
            self.callback(data)
        self.gate.open((self.num_batch if num_batch is None else num_batch) * self.rows_per_batch)

    def count_batches_of(self, size: Any) -> None:
        """From now on a batch is that many rows: a ``batch`` follows."""
        if not callable(size) and size > 0:
            self.gate.open(self.num_batch * (size - self.rows_per_batch))
            self.rows_per_batch = size

    def _notifiers(self) -> dict[str, SyncWaitNode]:
        return {**super()._notifiers(), self.condition_name: self}

    def _stage(self, plan: PipelineContext) -> Stage:
        return plan.gated(plan.build(self.children[0]), self.gate)
