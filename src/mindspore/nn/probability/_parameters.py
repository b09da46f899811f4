"""Parameters of distributions and bijectors: given at construction or at the call, broadcast to a common shape and dtype."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mindspore import ops
from mindspore._engine.base.dtype import DType
from mindspore._utils.checks import shown
from mindspore._utils.refusals import WrongObject, WrongType, refused
from mindspore.common.parameter import Parameter
from mindspore.common.tensor import Tensor


def as_parameter(owner: str, name: str, value: Any, dtype: DType) -> Tensor | None:
    """What was given at construction, as a Tensor; a Parameter stays what it is."""
    if value is None or isinstance(value, Parameter):
        return value
    if isinstance(value, Tensor):
        return value.astype(dtype)
    if isinstance(value, bool) or not isinstance(value, (int, float, list, np.ndarray, np.number)):
        raise refused(
            WrongType,
            f"For '{owner}', the '{name}' must be a number, a list, an array, a Tensor or a Parameter, but got {shown(value)}.",
        )
    return Tensor(np.asarray(value), dtype)


def require_tensor(owner: str, name: str, value: Any) -> Tensor:
    """What is given at a call must be a Tensor."""
    if not isinstance(value, Tensor):
        raise refused(
            WrongObject, f"For '{owner}', the '{name}' must be a Tensor, but got type '{type(value).__name__}'."
        )
    return value


def require_one_shape(owner: str, shapes: Sequence[tuple[int, ...]]) -> None:
    """Refuse parameters whose shapes do not fit together."""
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        text = ", ".join(map(str, shapes))
        raise refused(
            ValueError, f"For '{owner}', the parameters must have shapes that broadcast together, but got {text}."
        ) from None


def require_all(owner: str, name: str, value: Tensor | None, holds: Any, text: str) -> None:
    """Check the numbers of a parameter given at construction; Parameters change later and are left alone."""
    if value is not None and value.asnumpy().dtype.kind not in "biufcV":
        raise refused(TypeError, f"For '{owner}', the '{name}' must hold numbers, but got {value}.")
    if value is not None and not isinstance(value, Parameter) and not bool(np.all(holds(value.asnumpy()))):
        raise refused(ValueError, f"For '{owner}', the '{name}' must be {text}, but got {value}.")


def require_positive(owner: str, name: str, value: Tensor | None) -> None:
    """Check for numbers above 0."""
    require_all(owner, name, value, lambda numbers: numbers > 0, "greater than 0")


def require_probability(owner: str, name: str, value: Tensor | None) -> None:
    """Check for numbers between 0 and 1, without the ends."""
    require_all(owner, name, value, lambda numbers: (numbers > 0) & (numbers < 1), "between 0 and 1, both excluded")


def shape_of(values: list[Any]) -> tuple[int, ...]:
    """The common shape of the parameters that are there."""
    return np.broadcast_shapes(*(value.shape for value in values if value is not None))


def batch_shape_of(values: list[Any]) -> tuple[int, ...] | None:
    """The common shape of the parameters, None while one is left to the calls."""
    return None if any(value is None for value in values) else shape_of(values)


def in_one_shape(values: list[Tensor]) -> list[Tensor]:
    """All in their common shape."""
    shape = shape_of(values)
    return [value if value.shape == shape else ops.broadcast_to(value, shape) for value in values]


def described(labels: dict[str, Any]) -> str:
    """The printed form: scalars as numbers, else the shape."""
    values = list(labels.values())
    if any(value is not None and value.shape != () for value in values):
        return f"batch_shape = {batch_shape_of(values)}"
    return ", ".join(f"{name} = {value}" for name, value in labels.items())
