"""Our operator for a primitive of a MINDIR file: attributes become arguments of the constructor, inputs those of the call."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.export.export_file import GraphFileError
from mindspore._engine.export.mindir.file_numbers import DTYPE_NUMBERS, WORDS
from mindspore._engine.operator.primitive import Primitive
from mindspore.ops import operations
from mindspore.ops.auto_generate import _flat, gen_ops_prim
from mindspore.train._mindir.attributes import MONAD, DTypeValue
from mindspore.train._mindir.refused import REFUSED

PRIMITIVE_FUNCTION = 2  # takes the arguments of its constructor as inputs too

# Where numbers of these names are numbers.
_NUMBERS = {
    "padding": lambda name: not name.endswith(("Padding", "Str", "Patches")),
    "norm": lambda name: name != "FFTWithSize",
}
DTYPE_ARGUMENTS = frozenset(
    {"dtype", "argmax_type", "output_type", "dst_type", "out_dtype", "output_dtype", "T", "type"}
)
# Attributes under other names than those of the constructor.
_RENAMED = {
    "Conv2D": {"group": "groups"},
    "TensorScatterElements": {"reduction": "reduce"},
}
# Sizes of windows that primitives keep for all four or five axes.
_LEADING = {
    **dict.fromkeys(("kernel_size", "stride", "strides", "dilation", "dilations", "ksizes", "rates"), 1),
    "output_padding": 0,
}


def kind_of(name: str) -> Any:
    """Our class for a primitive that files may name, or None."""
    if name in REFUSED or name[:1].islower():
        return None
    for module in (gen_ops_prim, operations):
        found = getattr(module, name, None)
        if inspect.isclass(found) and issubclass(found, Primitive):
            return found
    return None


def decoded(primitive: str, argument: str, value: Any) -> Any:
    """A value as our operators take it: words and dtypes are numbers in files."""
    if isinstance(value, DTypeValue):
        return None if value.dtype is None else dtypes.from_numpy(value.dtype)
    if type(value) is not int:
        return value
    if argument in DTYPE_ARGUMENTS and value in DTYPE_NUMBERS:
        return DTYPE_NUMBERS[value]
    if argument in WORDS and not _NUMBERS.get(argument, lambda name: False)(primitive):
        return WORDS[argument].get(value, value)
    return value


def _stored(primitive: str, argument: str) -> str:
    """The name that files have for an argument."""
    return _RENAMED.get(primitive, {}).get(argument, argument)


class Operator:
    """A primitive of a file: our class, and the attributes the file has for its constructor."""

    def __init__(self, name: str, kind: Any, attributes: dict[str, Any], flat: bool):
        self.name, self.kind = name, kind
        inputs, chosen = _flat.parameters(kind)
        self.inputs = [p.name for p in inputs]
        self.open_ended = any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in inputs)
        self.names = [p.name for p in chosen]
        self.made: dict[Any, Callable[..., Any]] = {}
        self.attributes = _constructor(name, chosen, attributes)
        self.flat = flat

    def __call__(self, *values: Any) -> Any:
        values = tuple(value for value in values if value is not MONAD)
        count = len(values) if self.open_ended else len(self.inputs)
        given = [decoded(self.name, _stored(self.name, argument), v) for argument, v in zip(self.inputs, values)]
        if self.open_ended:
            given = list(values)
        chosen = dict(self.attributes)
        if len(values) > count:
            names = self.names[: len(values) - count]
            chosen |= {
                name: decoded(self.name, _stored(self.name, name), value) for name, value in zip(names, values[count:])
            }
        return self._primitive(chosen)(*given[:count])

    def _primitive(self, chosen: dict[str, Any]) -> Callable[..., Any]:
        """The object of these attributes, kept for the next call."""
        key = repr(sorted(chosen.items()))
        made = self.made.get(key)
        if made is None:
            made = self.made[key] = self.kind(**chosen)
        return made


def _constructor(name: str, parameters: Sequence[inspect.Parameter], attributes: dict[str, Any]) -> dict[str, Any]:
    """The attributes that the constructor takes, in its forms."""
    found = {}
    for parameter in parameters:
        own = parameter.name
        stored = _stored(name, own)
        stored = stored if stored in attributes else own
        if stored in attributes:
            value = _windowed(own, decoded(name, own, attributes[stored]))
            if (isinstance(parameter.default, bool) or own == "ceil_mode") and type(value) is int:
                value = bool(value)
            if own == "pad_mode" and isinstance(value, str) and _pads(name):
                value = {"calculated": "pad"}.get(value.lower(), value.lower())
            found[own] = value
    if _pads(name) and found.get("pad_mode") in ("same", "valid"):
        for own in ("pad", "pad_list"):  # what was computed for these modes
            found.pop(own, None)
    return found


def _pads(name: str) -> bool:
    return name.startswith("Conv") or name.endswith("Pool3D")


def _windowed(argument: str, value: Any) -> Any:
    """A window's sizes without those of batch and channels, which are 1 (0 for paddings)."""
    leading = _LEADING.get(argument)
    if leading is not None and isinstance(value, tuple) and len(value) in (4, 5) and value[:2] == (leading, leading):
        return value[2:]
    return value


def operator_of(name: str, attributes: dict[str, Any], flat: bool) -> Operator:
    """The operator for a primitive of a file."""
    kind = kind_of(name)
    if kind is None:
        raise GraphFileError(f"the primitive '{name}' has no operator here")
    return Operator(name, kind, attributes, flat)
