"""The dataset of the running training, for code that resumes a training."""

from __future__ import annotations

from mindspore.dataset._pipeline.nodes.outputs import Outputs

_training: Outputs | None = None


def _set_training_dataset(dataset: Outputs) -> None:
    """Register the dataset of the training."""
    global _training
    _training = dataset


def _get_training_dataset() -> Outputs | None:
    """The dataset registered last."""
    return _training


def _reset_training_dataset(global_step: int, dataset_size: int) -> None:
    """Let the next iterator of that dataset skip this many steps of its epoch."""
    if _training is None:
        raise RuntimeError("For '_reset_training_dataset', there is no dataset: call '_set_training_dataset' before.")
    _training.set_init_step(global_step % dataset_size)
