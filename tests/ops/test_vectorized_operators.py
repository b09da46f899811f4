"""Every operator inside ``vmap``: the same as the operator called for each element."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops
from mindspore._engine.base.pytree import flatten, unflatten
from mindspore._engine.operator.registry import OPS, Op
from tests.ops.samples import Case, Samples, to_tensors
from tests.sampling import is_changed, share

SAMPLE = 64  # of so many operators, one is checked by default, and those that were just changed


def cases() -> list[Any]:
    """The first case of every operator that takes a floating-point array."""
    found = []
    for name in sorted(OPS):
        declared = OPS[name].test
        several = declared(Samples(name)) if declared is not None else ()
        for case in several[:1]:
            if any(_is_float(leaf) for leaf in flatten(case.args)[0]):
                looked_at = share(name, SAMPLE) == 0 or is_changed(OPS[name].body.__module__)
                marks = () if looked_at else (pytest.mark.heavy,)
                found.append(pytest.param(OPS[name], case, id=name, marks=marks))
    return found


def _is_float(leaf: Any) -> bool:
    return isinstance(leaf, np.ndarray) and leaf.dtype.kind == "f" and leaf.ndim > 0


@pytest.mark.parametrize("op, case", cases())
def test_operator_goes_element_by_element(op: Op, case: Case):
    leaves, form = flatten(case.args)
    first = [Tensor(leaf) if isinstance(leaf, np.ndarray) else leaf for leaf in leaves]
    # The second element holds the same numbers in another order, so that all of them stay allowed.
    other = [Tensor(leaf[..., ::-1].copy()) if _is_float(leaf) else x for leaf, x in zip(leaves, first, strict=True)]
    named = to_tensors(case.kwargs)

    def call(*tensors: Tensor) -> Any:
        supply = iter(tensors)
        given = [next(supply) if _is_float(leaf) else x for leaf, x in zip(leaves, first, strict=True)]
        return op.function(*unflatten(form, iter(given)), **named)

    mapped = [ops.stack((x, y)) for leaf, x, y in zip(leaves, first, other, strict=True) if _is_float(leaf)]
    together = flatten(ops.vmap(call)(*mapped))[0]
    for place, elements in enumerate((first, other)):
        alone = flatten(call(*[x for leaf, x in zip(leaves, elements, strict=True) if _is_float(leaf)]))[0]
        for found, expected in zip(together, alone, strict=True):
            assert found.dtype == expected.dtype
            np.testing.assert_allclose(
                found[place].astype(ms.float32).asnumpy() if found.dtype == ms.bfloat16 else found[place].asnumpy(),
                expected.astype(ms.float32).asnumpy() if expected.dtype == ms.bfloat16 else expected.asnumpy(),
                1e-3, 1e-4)  # fmt: skip
