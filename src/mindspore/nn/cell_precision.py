"""to_float: a Cell that computes in another float type than its Parameters are stored in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore._engine.dtype import DType
from mindspore._engine.parameter import Parameter, ParameterTuple
from mindspore._engine.structure import map_leaves
from mindspore._engine.tensor import Tensor


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


def run_converted(
    cell: Any, dtype: DType, run: Callable[[tuple, dict], Any], args: tuple, kwargs: dict[str, Any]
) -> Any:
    """Run construct with floating inputs, and the Tensors the Cell itself holds, in this dtype."""

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
