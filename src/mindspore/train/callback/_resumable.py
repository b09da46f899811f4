"""Callbacks whose counters are saved with a training and resumed with it."""

from __future__ import annotations

from typing import Any

from mindspore.train.callback._callback import Callback, RunContext


class ResumableCallback(Callback):
    """A callback whose attributes ``_resumed`` are its state from epoch to epoch."""

    _resumed: tuple[str, ...] = ()

    def _reset(self) -> None:
        """Give these attributes their first values."""
        raise NotImplementedError

    def state_dict(self) -> dict[str, Any]:
        """State a resumed training needs to give the results of an uninterrupted training."""
        return {name: getattr(self, name) for name in self._resumed}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on as the training that is resumed."""
        vars(self).update({name: state[name] for name in self._resumed})

    def on_train_begin(self, run_context: RunContext) -> None:
        """Forget an earlier training."""
        self._reset()
