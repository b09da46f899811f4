"""The dataset of the running training: what resumes a training asks for it."""

from __future__ import annotations

from mindspore.dataset._pipeline.nodes.outputs import Outputs

_training: Outputs | None = None


def _set_training_dataset(dataset: Outputs) -> None:
    """Note the dataset that is trained with."""
    global _training
    _training = dataset


def _get_training_dataset() -> Outputs | None:
    """The dataset that was noted last."""
    return _training


def _reset_training_dataset(global_step: int, dataset_size: int) -> None:
    """Let the next iterator of that dataset begin behind this many steps of its epoch."""
    if _training is None:
        raise RuntimeError("For '_reset_training_dataset', there is no dataset: call '_set_training_dataset' before.")
    _training.set_init_step(global_step % dataset_size)
