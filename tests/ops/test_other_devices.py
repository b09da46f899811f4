"""Every operator, and its gradient, is lowered for accelerators without one: no custom call of the CPU appears there."""

from __future__ import annotations

import re
from typing import Any

import jax
import numpy as np
import pytest

from mindspore._engine.base.kernel import is_inexact
from mindspore._engine.operator.registry import OPS, Op
from tests.ops.test_registry import cases_of, every_operator
from tests.ops.test_tiers import selected
from tests.sampling import share

CALL = re.compile(r'custom_call @([\w.]+)|call_target_name = "([\w.]+)"')
OF_THE_CPU = re.compile(r"mycelium_|lapack_|xla_ffi_python_cpu|xla_python_cpu")
# No decomposition of general matrices there: docs/devices.md says so.
WITHOUT = {"cuda": {"matrix_logarithm"}, "tpu": {"eig", "eig_primitive", "eigvals", "matrix_logarithm"}}


@pytest.mark.parametrize("op", [pytest.param(OPS[name], id=name) for name in sorted(OPS) if share(name, 24) == 5])
def test_operators_lower_for_accelerators(op: Op):
    """A few operators, others at every commit; all of them: ``pytest -m heavy``."""
    check(op)


@pytest.mark.heavy
@every_operator
def test_every_operator_lowers_for_accelerators(op: Op):
    check(op)


def check(op: Op) -> None:
    for case in cases_of(op)[:1]:
        kernel, values = selected(op, case)
        forms = [jax.ShapeDtypeStruct(np.shape(x), x.dtype) if hasattr(x, "dtype") else x for x in values]
        wanted = tuple(is_inexact(x.dtype) if hasattr(x, "dtype") else False for x in values)
        for platform in ("cuda", "tpu"):
            if op.name in WITHOUT[platform]:
                continue
            results = lowered(op.name, platform, kernel.function, forms)
            given = tuple(is_inexact(aval.dtype) for aval in results)
            if case.grad is True and any(wanted) and any(given):
                seeds = [jax.ShapeDtypeStruct(a.shape, a.dtype) for a, has in zip(results, given, strict=True) if has]
                lowered(f"{op.name}'s gradient", platform, kernel.vjp(wanted, given).function, [*forms, *seeds])


def lowered(name: str, platform: str, function: Any, forms: list[Any]) -> list[Any]:
    """Lower a function; its results."""
    traced = jax.jit(function).trace(*forms)
    found = {target for pair in CALL.findall(traced.lower(lowering_platforms=(platform,)).as_text()) for target in pair}
    wrong = sorted(target for target in found if OF_THE_CPU.match(target))
    assert not wrong, f"{name} calls {wrong} on {platform}"
    return jax.tree.leaves(traced.out_info)


@pytest.mark.parametrize(
    ("platform", "name"), [(platform, name) for platform in WITHOUT for name in sorted(WITHOUT[platform])]
)
def test_what_has_no_form_there_says_so(platform: str, name: str):
    kernel, values = selected(OPS[name], cases_of(OPS[name])[0])
    with pytest.raises(NotImplementedError, match=platform):
        lowered(name, platform, kernel.function, values)
