"""``mindspore.common.seed``: the seed of everything random."""

from __future__ import annotations

from mindspore._engine.execution.random import get_seed, set_seed

__all__ = ["DEFAULT_GRAPH_SEED", "_get_graph_seed", "get_seed", "set_seed"]

DEFAULT_GRAPH_SEED = 87654321  # the first seed of random operators in MindSpore, for programs that compare with it


def _get_graph_seed(op_seed: int, kernel_name: str) -> tuple[int, int]:
    """The two seeds that layers of 1.x hand to a random operator.

    Without a seed of its own the operator gets (0, 0) and draws from the state that ``set_seed`` started and every call
    moves on.

    >>> _get_graph_seed(0, "dropout")
    (0, 0)
    """
    return (get_seed() or 0, op_seed) if op_seed else (0, 0)
