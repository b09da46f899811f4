"""Save the Parameter shardings chosen by propagation to a file, and load them again (``set_op_strategy_config``)."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

from jax.sharding import NamedSharding

from mindspore._engine.runtime.mesh import Grid, axes_of
from mindspore._engine.runtime.parallel_context import ParallelMode, parallel
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.files import atomic_file

SAVE, LOAD = "SAVE", "LOAD"
_mode, _path = "", ""


def tell(mode: str, path: str) -> None:
    """Set the file, and whether graphs compiled from now on save to it or load from it."""
    global _mode, _path
    _mode, _path = mode, path


def _applies(mode: str) -> bool:
    values = parallel.values
    propagates = values.search_mode == "sharding_propagation" or values.sharding_propagation
    return _mode == mode and propagates and values.parallel_mode == ParallelMode.AUTO_PARALLEL


def save(grid: Grid, captured: Sequence[Tensor], chosen: Sequence[NamedSharding]) -> None:
    """Merge the shardings of a graph's Parameters into the file."""
    if not _applies(SAVE):
        return
    known = _read() if os.path.exists(_path) else {}
    shardings = known["parameters"] if known.get("devices") == grid.size else {}
    for tensor, sharding in zip(captured, chosen, strict=True):
        if isinstance(tensor, Parameter):
            shardings[tensor.name] = [list(axes) for axes in axes_of(sharding, tensor.ndim)]
    os.makedirs(os.path.dirname(_path), exist_ok=True)
    atomic_file.write(_path, [json.dumps({"devices": grid.size, "parameters": shardings}, indent=1).encode()])


def loaded(grid: Grid, tensor: Tensor) -> NamedSharding | None:
    """The sharding that the file gives a Parameter."""
    if not _applies(LOAD) or not isinstance(tensor, Parameter):
        return None
    content = _read()
    if content["devices"] != grid.size:
        raise ValueError(
            f"For 'set_op_strategy_config', {_path} was saved with {content['devices']} devices, but there are {grid.size}. Save "
            "it again with as many."
        )
    axes = content["parameters"].get(tensor.name)
    return None if axes is None or len(axes) != tensor.ndim else grid.sharding([tuple(dimension) for dimension in axes])


def _read() -> dict[str, Any]:
    if not os.path.exists(_path):
        raise FileNotFoundError(
            f"For 'set_op_strategy_config', there is no file {_path}. Save it first, with mode='SAVE'."
        )
    try:
        with open(_path, encoding="utf-8") as file:
            content = json.load(file)
        if isinstance(content["devices"], int) and isinstance(content["parameters"], dict):
            return content
        reason = "'devices' must be a number, and 'parameters' shardings by name"
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        reason = f"{type(error).__name__}: {error}"
    raise ValueError(f"For 'set_op_strategy_config', {_path} was not written with mode='SAVE': {reason}.")
