"""Everything a training depends on, in one checkpoint: a resumed run goes on as if it had never stopped."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from mindspore._engine.execution import random
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils import log
from mindspore._utils.checks import shown
from mindspore._utils.refusals import refused
from mindspore.train.serialization import load_checkpoint, load_param_into_net, save_checkpoint

_STEP, _SEED, _RANDOM, _SCALE = "step_num", "pipeline_seed", "random_state", "loss_scale_manager."
_CALLBACKS = "callback_states"


def save_training(parameters: Any, path: str) -> None:
    """Write weights, optimizer, loss scale, random state, what callbacks remember, and where in epochs and dataset it is.

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
    extra.update(_states(parameters.get("list_callback", ())))
    save_checkpoint(parameters.train_network, path, append_dict=extra)


def restore_training(parameters: Any, path: str) -> int:
    """Put back what :func:`save_training` wrote, and have the training go on there; returns the steps that were done."""
    found = load_checkpoint(path)
    extra = {name: found.pop(name) for name in list(found) if name in _EXTRA or name.startswith((_SCALE, _CALLBACKS))}
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
    states = _read_states(extra) if _CALLBACKS in extra else []
    parameters.resume_at = {"step": step, "seed": int(extra[_SEED].asnumpy()), "callbacks": states}
    return step


def restore_callbacks(callbacks: Any, states: list[tuple[str, dict[str, Any]]]) -> None:
    """Give callbacks what they remembered; after ``on_train_begin``, in which they forget earlier trainings."""
    keepers = _with_state(callbacks)
    if [type(keeper).__name__ for keeper in keepers] != [name for name, _ in states]:
        log.warning(
            "The training goes on with other callbacks than it was saved with: they begin anew. Saved were %s, there are %s.",
            [name for name, _ in states], [type(keeper).__name__ for keeper in keepers],
        )  # fmt: skip
        return
    for callback, (_, state) in zip(keepers, states, strict=True):
        callback.load_state_dict(state)


_EXTRA = ("epoch_num", _STEP, _SEED, _RANDOM)


def _numbers_of(manager: Any) -> dict[str, Any]:
    members = vars(manager) if manager is not None else {}
    return {name: value for name, value in members.items() if type(value) in (int, float)}


def _with_state(callbacks: Any) -> list[Any]:
    return [
        callback for callback in callbacks if hasattr(callback, "state_dict") and hasattr(callback, "load_state_dict")
    ]


def _states(callbacks: Any) -> dict[str, Any]:
    """What callbacks with a ``state_dict`` remember: numbers and text as JSON, arrays beside it."""
    arrays: dict[str, Any] = {}

    def placed(value: Any) -> Any:
        if isinstance(value, (np.ndarray, Tensor)):
            name = f"{_CALLBACKS}.{len(arrays)}"
            arrays[name] = Tensor(value)
            return {_CALLBACKS: name}
        if isinstance(value, np.generic):
            return value.item()
        raise refused(
            TypeError,
            "For 'BackupAndRestore', a callback's 'state_dict' must hold numbers, text, arrays, lists and dicts, but got "
            f"{shown(value)}.",
        )

    states = [(type(callback).__name__, callback.state_dict()) for callback in _with_state(callbacks)]
    return {_CALLBACKS: json.dumps(states, default=placed), **arrays} if states else {}


def _read_states(extra: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    def fetched(value: dict[str, Any]) -> Any:
        return extra[value[_CALLBACKS]].asnumpy() if list(value) == [_CALLBACKS] else value

    return [(name, state) for name, state in json.loads(str(extra[_CALLBACKS]), object_hook=fetched)]
