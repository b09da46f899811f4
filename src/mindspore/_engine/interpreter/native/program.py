"""The program of a traced kernel: one call of the C++ part runs it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from mindspore._engine.interpreter import native_part
from mindspore._engine.interpreter.native import elementwise, indexing, layout, products, reductions  # noqa: F401  (declare lowerings)
from mindspore._engine.interpreter.native.writer import (
    CALL,
    FLAT,
    INSTRUCTION,
    MOST_INSTRUCTIONS,
    NativeSlot,
    NativeValue,
    NativeWriter,
    Shape,
    StridedView,
    Unsuited,
    contiguous_strides,
    type_char,
)
from mindspore._engine.interpreter.rules import LeftToXLA, shape_of


class NativeProgram(NamedTuple):
    """A function of NumPy arrays, and what it costs."""

    call: Any
    nanoseconds: float
    fixed: float  # the part of the nanoseconds that does not depend on sizes


def write(
    closed: Any, numbers: Sequence[Any], single: bool, fallback: Any = None, limit: int = MOST_INSTRUCTIONS
) -> NativeProgram | None:
    """The program of a traced kernel; None if it has to stay NumPy calls.

    Args:
        closed: the jaxpr.
        numbers: of each input the dtype of the Python number it is, or None for an array.
        single: whether the result is an array, not a tuple of them.
        fallback: the NumPy program, if it serves every shape: this one does so, too, and hands on operands that do not fit.
        limit: instructions at most.
    """
    module = native_part.module()
    if module is None or closed.effects:
        return None
    shapes = {shape_of(variable) for variable in closed.jaxpr.invars} - {()}
    flat = None
    if fallback is not None:
        if len(shapes) != 1:
            return None
        (flat,) = shapes
    writer = NativeWriter(flat, limit)
    try:
        inputs = [_input(writer.shape(x), x.aval.dtype) for x in closed.jaxpr.invars]
        if any(number is not None and type_char(number) not in "?ilfd" for number in numbers):
            return None
        results = _stored(writer, writer.jaxpr(closed.jaxpr, closed.consts, inputs), closed)
        call = _made(module, writer, inputs, numbers, results, single, fallback)
        return NativeProgram(call, writer.nanoseconds + CALL, len(writer.instructions) * INSTRUCTION + CALL)
    except (Unsuited, LeftToXLA):
        return None


def _input(shape: Shape, dtype: np.dtype) -> NativeValue:
    return NativeValue(NativeSlot("input"), 0, contiguous_strides(shape, dtype.itemsize), shape, dtype)


def _stored(writer: NativeWriter, results: Sequence[NativeValue], closed: Any) -> list[NativeValue]:
    """The results, each in a buffer of its own, C-contiguous."""
    stored = []
    for x, variable in zip(results, closed.jaxpr.outvars, strict=True):
        shape = writer.shape(variable)
        whole = x.slot.bytes == (x.dtype.itemsize if shape == FLAT else math.prod(shape) * x.dtype.itemsize)
        strides = contiguous_strides(shape, x.dtype.itemsize)
        contiguous = x.strides == strides
        if not contiguous and shape != FLAT and whole and x.offset == 0:  # strides of axes of length one do not matter
            contiguous = all(n == 1 or a == b for n, a, b in zip(shape, x.strides, strides, strict=True))
        if x.slot.kind != "scratch" or x.offset != 0 or not contiguous or not whole:
            made = writer.new(shape, x.dtype)
            writer.copy(x, made)
            x = made
        x.slot.kind = "result"
        stored.append(x._replace(shape=shape))
    return stored


def _made(
    module: Any,
    writer: NativeWriter,
    inputs: list[NativeValue],
    numbers: Sequence[Any],
    results: list[NativeValue],
    single: bool,
    fallback: Any,
) -> Any:
    """Number the buffers and hand everything to the C++ part."""
    slots: dict[str, list[NativeSlot]] = {kind: [] for kind in ("input", "constant", "scratch", "result")}
    slots["input"] = [x.slot for x in inputs]
    slots["result"] = [x.slot for x in results]

    def note(described: Any) -> None:
        if described.__class__ is StridedView:
            slot = described.slot
            if slot.number < 0 and slot.kind in ("constant", "scratch"):
                slot.number = 0  # seen
                slots[slot.kind].append(slot)
        elif described.__class__ is tuple:
            for one in described:
                note(one)

    for _, described in writer.instructions:
        note(described)
    for number, slot in enumerate([slot for kind in slots.values() for slot in kind]):
        slot.number = number

    def numbered(described: Any) -> Any:
        if described.__class__ is StridedView:  # NumPy's integers in an equation's parameters are none to the C++ part
            return described.slot.number, int(described.offset), tuple(map(int, described.strides))
        if isinstance(described, np.integer):
            return int(described)
        return tuple([numbered(one) for one in described]) if described.__class__ is tuple else described

    values = tuple([(x.dtype.num, number is not None, x.shape) for x, number in zip(inputs, numbers, strict=True)])
    return module.Program(
        values, tuple([slot.array for slot in slots["constant"]]), tuple([slot.bytes for slot in slots["scratch"]]),
        tuple([(x.dtype.num, False, x.shape) for x in results]),
        tuple([(kind, numbered(described)) for kind, described in writer.instructions]), single, fallback,
    )  # fmt: skip
