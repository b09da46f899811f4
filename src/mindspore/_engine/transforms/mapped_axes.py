"""``in_axes`` and ``out_axes`` of ``vmap``: validation, and the mapped axis of each leaf."""

from __future__ import annotations

from typing import Any

from mindspore._engine.base.pytree import flatten
from mindspore._engine.tensor.tensor import Tensor

Axis = int | None


def checked(name: str, axes: Any, none_allowed: bool = False) -> Any:
    """The axes as nested tuples; raises on anything but ints and None."""
    frozen = _frozen(name, axes)
    if none_allowed or any(axis is not None for axis in flatten(frozen)[0]):
        return frozen
    what = "a single None" if axes is None else "all None"
    raise RuntimeError(
        f"For 'vmap', the '{name}' cannot be {what} while 'fn' is not a 'CellList', but got {axes!r}: then nothing is mapped. "
        f"Give the axis of at least one {'argument' if name == 'in_axes' else 'result'}, such as 0."
    )


def _frozen(name: str, axes: Any) -> Any:
    if isinstance(axes, (tuple, list)):
        return tuple(_frozen(name, axis) for axis in axes)
    if axes is None or (isinstance(axes, int) and not isinstance(axes, bool)):
        return axes
    raise RuntimeError(
        f"For 'vmap', the axis in '{name}' can only be an int or None, or a tuple or list of them, but got {axes!r} of type "
        f"{type(axes).__name__}."
    )


def of_arguments(axes: Any, args: tuple, kwargs: dict[str, Any]) -> list[Axis]:
    """The mapped axis of every leaf of the arguments; keyword arguments follow a single axis only."""
    if isinstance(axes, tuple) and len(axes) != len(args):
        raise RuntimeError(
            f"For 'vmap', when 'in_axes' is a tuple or list, its size must be equal to the number of arguments of 'fn': "
            f"{len(args)}, but got size {len(axes)}: {axes}. Write None for an argument that is not mapped."
        )
    found = _broadcast_prefix("in_axes", axes, args)
    named = None if isinstance(axes, tuple) else axes
    return found + _broadcast_prefix("in_axes", named, kwargs)


def of_results(axes: Any, results: Any) -> list[Axis]:
    """The mapped axis of every leaf of the results."""
    several = isinstance(results, (tuple, list))
    if isinstance(axes, tuple) and len(axes) != (len(results) if several else 1):
        raise RuntimeError(
            "For 'vmap', the size of 'out_axes' must be equal to the number of results of 'fn': "
            f"{len(results) if several else 1}, but got size {len(axes)}: {axes}."
        )
    return _broadcast_prefix("out_axes", axes[0] if isinstance(axes, tuple) and not several else axes, results)


def _broadcast_prefix(name: str, axes: Any, value: Any) -> list[Axis]:
    """Broadcast a prefix pytree of axes to the leaves of a value."""
    if not isinstance(axes, tuple):
        return [axes] * len(flatten(value)[0])
    if not isinstance(value, (tuple, list)) or len(value) != len(axes):
        raise RuntimeError(
            f"For 'vmap', the '{name}' must be nested like what it belongs to, but got {axes} for {_kind(value)}. "
            "A single axis holds for all that is inside."
        )
    return [axis for inner, member in zip(axes, value, strict=True) for axis in _broadcast_prefix(name, inner, member)]


def _kind(value: Any) -> str:
    return f"a {type(value).__name__}" + (f" of {len(value)}" if isinstance(value, (tuple, list)) else "")


def within(name: str, axis: int, dimensions: int) -> int:
    """Normalise a negative axis; raises if it is out of bounds."""
    if not -dimensions <= axis < dimensions:
        allowed = f"it must be in [{-dimensions}, {dimensions})" if dimensions else "there is none to map: write None"
        raise RuntimeError(
            f"For 'vmap', the axis {axis} in '{name}' is out of bounds: for a Tensor of {dimensions} dimensions {allowed}."
        )
    return axis % dimensions


def mapped(leaves: list[Any], axes: list[Axis]) -> tuple[list[Axis], int | None]:
    """The normalised axis of every Tensor among the leaves, and the common size (None if nothing is mapped)."""
    found: list[Axis] = []
    size: int | None = None
    for leaf, axis in zip(leaves, axes, strict=True):
        if not isinstance(leaf, Tensor):
            _check_unmapped(leaf, axis)
            continue
        found.append(None if axis is None else within("in_axes", axis, leaf.ndim))
        if axis is None:
            continue
        length = leaf.shape[axis]
        if size not in (None, length):
            raise RuntimeError(
                f"For 'vmap', the sizes of the mapped axes ('axis_size') must be equal, but got {size} and {length}: the latter "
                f"is axis {axis} of a Tensor of shape {leaf.shape}."
            )
        size = length
    return found, size


def _check_unmapped(leaf: Any, axis: Axis) -> None:
    if axis is not None and leaf is not None:
        raise RuntimeError(
            f"For 'vmap', an argument that is mapped must be a Tensor, but got {leaf!r} of type {type(leaf).__name__} for axis "
            f"{axis} in 'in_axes'. Write None for it in a tuple of axes, for example in_axes=(0, None)."
        )
