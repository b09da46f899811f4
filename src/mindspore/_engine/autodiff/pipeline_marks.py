"""Markers in a traced graph for where pipeline stages, micro batches and the backward pass begin.

A marker is an identity primitive. ``parallel/partition.py`` reads the markers; its lowering is a no-op.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Sequence
from typing import Any

import jax
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

from mindspore._engine.base.kernel import Kernel
from mindspore._engine.base.pytree import flatten, unflatten
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.dispatch import run
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor

STAGE, MICRO_BATCH = "stage", "micro batch"
BACKWARD = "walking back"  # named scope of everything that a backward pass computes

mark_p = Primitive("pipeline_mark")
mark_p.def_impl(lambda value, **_: value)
mark_p.def_abstract_eval(lambda value, **_: value)
ad.deflinear2(mark_p, lambda cotangent, _, **params: [mark_p.bind(cotangent, **{**params, "back": True})])
batching.defvectorized(mark_p)
mlir.register_lowering(mark_p, lambda _, value, **__: [value])

_markers = itertools.count()  # the transposed marker finds the origin of its primal by this id


def _marked(kind: str, number: int, value: Tensor) -> Tensor:
    params = {"kind": kind, "number": number, "marker": next(_markers), "back": False}
    return run(Kernel("PipelineMark", lambda array: mark_p.bind(array, **params)), [value])


def is_cut() -> bool:
    """Whether the graph being traced will be partitioned into pipeline stages."""
    return state.plan is not None and state.plan.stages > 1


def enter_stage(owner: str, stage: int, args: tuple, kwargs: dict[str, Any]) -> tuple[tuple, dict[str, Any]]:
    """Mark the inputs of a Cell with a pipeline stage as used by that stage."""
    stages = state.plan.stages if state.plan is not None else 1
    if stage >= stages:
        raise ValueError(
            f"For '{owner}', the 'pipeline_stage' must be less than the 'pipeline_stages' of set_auto_parallel_context, "
            f"{stages}, but got {stage}. The first stage is 0."
        )
    leaves, description = flatten((args, kwargs))
    return unflatten(description, iter([_at(STAGE, stage, leaf) for leaf in leaves]))


def micro_batch(number: int, inputs: Sequence[Any]) -> tuple:
    """Mark the inputs of a network as those of one micro batch."""
    return tuple(_at(MICRO_BATCH, number, input_) for input_ in inputs) if is_cut() else tuple(inputs)


def _at(kind: str, number: int, leaf: Any) -> Any:
    return _marked(kind, number, leaf) if isinstance(leaf, Tensor) and not isinstance(leaf, Parameter) else leaf


def walking_back() -> contextlib.AbstractContextManager[Any]:
    """Named scope of a backward pass."""
    return jax.named_scope(BACKWARD) if is_cut() else contextlib.nullcontext()
