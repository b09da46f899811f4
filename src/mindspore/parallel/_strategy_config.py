"""What sharding propagation chose, saved and used again."""

from __future__ import annotations

import os

from mindspore._engine.base import version_counter
from mindspore._engine.parallel import sharding_file


def set_op_strategy_config(mode: str = "SAVE", path: str = "") -> None:
    """Save what sharding propagation chooses, or use what was saved.

    It applies with ``parallel_mode="auto_parallel"`` and ``search_mode="sharding_propagation"``, to the same network on the
    same number of devices. What the file holds is how Parameters are cut; XLA's partitioner finds from that what it found for
    operators.

    Args:
        mode: "SAVE" or "LOAD".
        path: an absolute path that ends with '.json'.

    Examples:
        >>> import os, tempfile
        >>> from mindspore.parallel import set_op_strategy_config
        >>> set_op_strategy_config("SAVE", os.path.join(tempfile.mkdtemp(), "strategy.json"))
    """
    if not os.path.isabs(path):
        raise KeyError(f"File path must be an absolute path, but got {path!r}. Write os.path.abspath({path!r}).")
    if not path.endswith(".json"):
        raise KeyError(f"File type must be .json, but got {path!r}.")
    if mode not in (sharding_file.SAVE, sharding_file.LOAD):
        raise KeyError(f"Type must be 'SAVE' or 'LOAD', but got {mode!r}.")
    sharding_file.tell(mode, path)
    version_counter.note()
