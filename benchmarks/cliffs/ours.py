"""A case as a compiled graph of this package."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax

import mindspore as ms
from benchmarks.cliffs.case import Case
from mindspore import Tensor, mint, nn, ops
from mindspore.mint.nn import functional


def prepare(case: Case) -> Callable[[], Any]:
    """A function that computes it once and waits."""
    ms.set_context(mode=ms.GRAPH_MODE)
    names = {"ms": ms, "ops": ops, "mint": mint, "nn": nn, "F": functional}
    function = case.function(case.ours, {**names, "layer": eval(case.layer or "None", names)})
    inputs = [Tensor(array, getattr(ms, dtype)) for array, dtype in case.arrays()]
    places = case.differentiated()
    step = ms.value_and_grad(lambda *x: (function(*x) ** 2).sum(), places) if places else ms.jit(function)

    def run() -> Any:
        leaves = jax.tree.leaves(step(*inputs), is_leaf=lambda leaf: isinstance(leaf, Tensor))
        return jax.block_until_ready([leaf._value for leaf in leaves])  # some are computed on the host

    return run
