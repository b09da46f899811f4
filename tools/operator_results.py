"""What operators return, found out by tracing the cases of their declarations: shape and dtype against the inputs'."""

from __future__ import annotations

import json
from typing import Any

import jax
import numpy as np

from mindspore._engine.operator.registry import OPS, Op
from mindspore._engine.tensor.tensor import Tensor
from tests.ops.samples import Samples, to_tensors

Shaped = Any


def results_table() -> str:
    """The generated JSON: operator -> kind of its result (``RESULTS`` in mindspore/_utils/documents/words.py)."""
    found = {name: kind for name, op in sorted(OPS.items()) if (kind := result_kind(op))}
    return json.dumps(found, indent=0) + "\n"


def result_kind(op: Op) -> str:
    """The kind that holds for all cases of a declaration; empty without any."""
    pairs = [_traced(op, case) for case in (op.test(Samples(op.name)) if op.test is not None else ())]
    if not pairs:
        return ""
    outcomes = [outcome for _, outcome in pairs]
    if any(isinstance(one, (tuple, list)) for one in outcomes):
        counts = {len(one) if isinstance(one, (tuple, list)) else 1 for one in outcomes}
        return f"tuple {counts.pop()}" if len(counts) == 1 else "tuple"
    checks = {"same": _same, "bool": _bool, "broadcast": _broadcast, "shape": _shape, "index": _index, "dtype": _dtype}
    return next((kind for kind, holds in checks.items() if all(holds(*pair) for pair in pairs)), "tensor")


def _traced(op: Op, case: Any) -> tuple[list[Shaped], Any]:
    inputs: list[Any] = []
    key: list[Any] = []
    values = op.complete(to_tensors(case.args), to_tensors(case.kwargs))
    for value, argument in zip(values, op.arguments, strict=True):
        argument.take(value, inputs, key, op.title)
    arrays = [x._read() if isinstance(x, Tensor) else x for x in inputs]
    return [x for x in arrays if hasattr(x, "shape")], jax.eval_shape(op.specialise(tuple(key)), *arrays)


def _shapes(inputs: list[Shaped]) -> tuple[int, ...] | None:
    try:
        return np.broadcast_shapes(*(x.shape for x in inputs))
    except ValueError:
        return None


def _same(inputs: list[Shaped], out: Shaped) -> bool:
    return bool(inputs) and out.shape == inputs[0].shape and out.dtype == inputs[0].dtype and len(inputs) == 1


def _bool(inputs: list[Shaped], out: Shaped) -> bool:
    return bool(inputs) and out.dtype == bool and out.shape == _shapes(inputs)


def _broadcast(inputs: list[Shaped], out: Shaped) -> bool:
    return len(inputs) > 1 and out.shape == _shapes(inputs) and out.dtype == np.result_type(*(x.dtype for x in inputs))


def _shape(inputs: list[Shaped], out: Shaped) -> bool:
    return bool(inputs) and out.shape == inputs[0].shape


def _index(inputs: list[Shaped], out: Shaped) -> bool:
    return bool(inputs) and np.issubdtype(out.dtype, np.integer) and not np.issubdtype(inputs[0].dtype, np.integer)


def _dtype(inputs: list[Shaped], out: Shaped) -> bool:
    return bool(inputs) and out.dtype == inputs[0].dtype
