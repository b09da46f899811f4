"""The registry of the operators that are declared when first asked for, and `@op` with it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from mindspore._engine.operator.registry import Declarations, op

GENERATED = Declarations({}, {}, {})
generated_op = functools.partial(op, registry=GENERATED, public=False)


def body(function: Any) -> Callable[..., Any]:
    """An operator's body, for use inside another one."""
    return function.__wrapped__
