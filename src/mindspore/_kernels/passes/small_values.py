"""Quotients and roots of few numbers, such as one over the deviation of each channel, are custom calls instead of loops.

XLA gives each of them a loop of its own in any case (they are too costly to compute again in the loops that read them), and compiles
that loop for each number of channels. What is computed around them, with the same shape, goes along.
"""

from __future__ import annotations

import math
from typing import Any

from jax.interpreters import mlir

from mindspore._kernels import elementwise, library

_MOST = 1 << 12  # elements
_MOST_STEPS = 64
_COSTLY = {"stablehlo.divide", "stablehlo.sqrt", "stablehlo.rsqrt"}
_MADE_FROM = {"stablehlo.broadcast_in_dim", "stablehlo.reshape"}


def write(block: Any) -> int:
    """Change a block of operations, in place; return how many custom calls it has got."""
    if not library.has_elementwise():
        return 0
    ends: dict[Any, None] = {}
    for operation in block.operations:
        if operation.operation.name in _COSTLY and not _is_by_constant(operation):
            shape = elementwise.shape_of(operation.results[0], "f32")
            if shape is not None and 1 < math.prod(shape) <= _MOST:
                ends[_end(operation.results[0], shape)] = None
    return sum(_replace(end, ends) for end in ends)


def _is_by_constant(operation: Any) -> bool:
    """Whether it divides by a constant: XLA multiplies then."""
    if operation.operation.name != "stablehlo.divide":
        return False
    divisor = elementwise.maker_of(operation.operands[1])
    while divisor is not None and divisor.name in _MADE_FROM:
        divisor = elementwise.maker_of(divisor.operands[0])
    return divisor is not None and divisor.name == "stablehlo.constant"


def _end(value: Any, shape: tuple[int, ...]) -> Any:
    """The last value of the same shape that is computed from this one, and from which alone."""
    while True:
        readers = list(value.uses)
        if len(readers) != 1 or len(readers[0].owner.operation.results) != 1:
            return value
        result = readers[0].owner.operation.results[0]
        if elementwise.shape_of(result, "f32") != shape or elementwise.step_of(result, shape) is None:
            return value
        value = result


def _replace(end: Any, ends: dict[Any, None]) -> bool:
    """Put a custom call in the place of what computes a value from others of its shape."""
    shape = elementwise.shape_of(end, "f32")
    inside, waiting = set(), [end]
    while waiting:
        value = waiting.pop()
        operation = elementwise.step_of(value, shape)
        if operation is not None and operation not in inside and (value == end or value not in ends):
            inside.add(operation)
            waiting += operation.operands
            if len(inside) > _MOST_STEPS:
                return False
    program = elementwise.program_of([end], inside)
    last = elementwise.maker_of(end)
    with last.context, last.location, mlir.ir.InsertionPoint(last):
        call = elementwise.program_call([end], program, [])
    end.replace_all_uses_with(call.results[0])
    return True
