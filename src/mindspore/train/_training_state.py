"""Everything a training depends on, in one checkpoint: a resumed run goes on as if it had never stopped."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._engine import random
from mindspore._engine.tensor import Tensor
from mindspore.train.serialization import load_checkpoint, load_param_into_net, save_checkpoint

_STEP, _SEED, _RANDOM, _SCALE = "step_num", "pipeline_seed", "random_state", "loss_scale_manager."


def save_training(parameters: Any, path: str) -> None:
    """Write weights, optimizer, loss scale, random state, and where in the epochs and in the dataset the training is.

    Args:
        parameters: the callbacks' parameters.
    """
    extra: dict[str, Any] = {
        "epoch_num": int(parameters.cur_epoch_num),
        _STEP: int(parameters.cur_step_num),
        _SEED: int(parameters.pipeline_seed),
        _RANDOM: Tensor(random.get_state().astype(np.int64)),
    }
    for name, value in _numbers_of(parameters.loss_scale_manager).items():
        extra[_SCALE + name] = Tensor(np.array(value, np.float64))
    save_checkpoint(parameters.train_network, path, append_dict=extra)


def restore_training(parameters: Any, path: str) -> int:
    """Put back what :func:`save_training` wrote, and have the training go on there; returns the steps that were done."""
    found = load_checkpoint(path)
    extra = {name: found.pop(name) for name in list(found) if name in _EXTRA or name.startswith(_SCALE)}
    missing = [name for name in _EXTRA if name not in extra]
    if missing:
        raise ValueError(f"{path} is a checkpoint, but no saved training: it has no {', '.join(missing)}.")
    load_param_into_net(parameters.train_network, found, strict_load=True)
    random.set_state(extra[_RANDOM].asnumpy().astype(np.uint32))
    for name in _numbers_of(parameters.loss_scale_manager):
        if _SCALE + name in extra:
            old = getattr(parameters.loss_scale_manager, name)
            setattr(parameters.loss_scale_manager, name, type(old)(extra[_SCALE + name].asnumpy()))
    step = int(extra[_STEP].asnumpy())
    parameters.resume_at = {"step": step, "seed": int(extra[_SEED].asnumpy())}
    return step


_EXTRA = ("epoch_num", _STEP, _SEED, _RANDOM)


def _numbers_of(manager: Any) -> dict[str, Any]:
    members = vars(manager) if manager is not None else {}
    return {name: value for name, value in members.items() if type(value) in (int, float)}
