"""Operators declared under generated names: the forms, the modes, NumPy and the slopes agree."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

import mindspore._ops.generated as room
from mindspore._engine.operator.registry import Op
from mindspore._ops.generated.declare import GENERATED
from tests.ops.test_registry import cases_of, check_forms, check_gradients
from tests.sampling import is_changed, share

for _module in pkgutil.iter_modules(room.__path__, f"{room.__name__}."):
    importlib.import_module(_module.name)

every_operator = pytest.mark.parametrize(
    "op", [pytest.param(GENERATED.ops[name], id=name) for name in sorted(GENERATED.ops)]
)


def looked_at(name: str) -> bool:
    """Whether this run looks at the gradient of an operator: at a fourth, and at what was changed."""
    return share(name, 4) == 0 or is_changed(GENERATED.ops[name].body.__module__)


@every_operator
def test_forms_modes_and_numpy_agree(op: Op):
    check_forms(op, cases_of(op), 1)


@pytest.mark.parametrize("op", [one for one in every_operator.args[1] if looked_at(one.id)])
def test_gradient_is_the_slope(op: Op):
    check_gradients(op, thorough=False)


@every_operator
def test_declarations_are_documented_and_compared(op: Op):
    assert op.body.__doc__
    assert any(case.expect is not None for case in cases_of(op))
