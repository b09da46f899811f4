"""to_float and mixed precision: a Cell that computes in another float type than its Parameters are stored in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from mindspore._engine.base import version_counter
from mindspore._engine.base.dtype import DType
from mindspore._engine.base.pytree import map_leaves
from mindspore._engine.execution.autocast import Precision, precision
from mindspore._engine.tensor.parameter import Parameter, ParameterTuple
from mindspore._engine.tensor.tensor import Tensor


class Mixed(NamedTuple):
    """What mixed precision asks of a Cell beside ``to_float``."""

    output: DType | None = None  # the float type of its outputs
    operators: Precision | None = None  # how operators called in it choose theirs


def set_mixed(cell: Any, dtype: DType | None, output: DType | None = None, operators: Precision | None = None) -> None:
    """Let a Cell, not its descendants, compute in ``dtype`` (None: in what it is given)."""
    members = cell.__dict__
    members["_cell_dtype"] = dtype
    members["_cell_mixed"] = Mixed(output, operators) if output is not None or operators is not None else None
    members["_cell_version"] += 1
    version_counter.note()


class ConvertedParameter(Parameter):
    """A Parameter as a Cell with ``to_float`` sees it: read in another dtype, written to the Parameter itself."""

    def __init__(self, source: Parameter, dtype: DType):
        converted = source.astype(dtype)
        self.__dict__.update(source.__dict__)
        self.source = source
        self._value, self._link, self._birth = converted._value, converted._link, converted._birth

    def _set(self, value: Any, link: Any = None) -> None:
        self.source._become(Tensor.linked(value, link).astype(self.source.dtype))
        self._value, self._link = value, link

    def _overwrite(self, other: Tensor) -> None:
        self.source._overwrite(other.astype(self.source.dtype))
        self._value = other._value


def run_converted(
    cell: Any, run: Callable[[tuple[Any, ...], dict[Any, Any]], Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Run construct in the precision the Cell was given, and return outputs in the requested dtype."""
    dtype, mixed = cell._cell_dtype, cell._cell_mixed
    # a Cell's own dtype overrides the autocast of enclosing Cells
    with precision(mixed.operators if mixed else None):
        outputs = run(args, kwargs) if dtype is None else _run_in(cell, dtype, run, args, kwargs)
    if mixed is None or mixed.output is None:
        return outputs
    return map_leaves(lambda value: convert_tensor(value, mixed.output), outputs)


def _run_in(
    cell: Any,
    dtype: DType,
    run: Callable[[tuple[Any, ...], dict[Any, Any]], Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """With floating inputs, and the Tensors the Cell itself holds, in this dtype."""

    def convert(value: Any) -> Any:
        return convert_tensor(value, dtype)

    args, kwargs = map_leaves(convert, args), map_leaves(convert, kwargs)
    members = cell.__dict__
    held = {name: value for name, value in members.items() if type(value) is Tensor or type(value) is ParameterTuple}
    converted = {name: _convert_member(value, dtype) for name, value in held.items()}
    members.update(converted)
    members["_cell_converts"] += 1
    try:
        outputs = run(args, kwargs)
    finally:
        members["_cell_converts"] -= 1
        for name, value in converted.items():
            if members.get(name) is value:  # else construct assigned it
                members[name] = held[name]
    return map_leaves(_stored, outputs)


def convert_tensor(value: Any, dtype: DType) -> Any:
    """Another float type for a floating Tensor; everything else as it is."""
    if not isinstance(value, Tensor) or not value.dtype.is_floating or value.dtype == dtype:
        return value
    return ConvertedParameter(value, dtype) if isinstance(value, Parameter) else value.astype(dtype)


def _convert_member(value: Any, dtype: DType) -> Any:
    if isinstance(value, ParameterTuple):
        return ParameterTuple(convert_tensor(parameter, dtype) for parameter in value)
    return convert_tensor(value, dtype)


def _stored(value: Any) -> Any:
    return value.source if isinstance(value, ConvertedParameter) else value
