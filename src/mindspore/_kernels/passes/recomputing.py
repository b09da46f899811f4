"""Values that XLA would compute again in every loop that reads them are kept.

XLA joins elementwise operations with each of their readers. Where a program runs its own recurrence (an LSTM cell in a loop, a
differential equation), what one step hands to the next is elementwise, and has further readers: every step then computes all steps
before it again, in loops that are all different. So this looks at a whole program, before it is compiled, for values whose computation
has grown long, and lets a custom call pass them on. It touches no element: its result lies where its operand does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from jax.interpreters import mlir

from mindspore._kernels import elementwise, library

_RECURRENT = (
    512  # operations that a loop computes for one of its inputs, where a program has a recurrence (networks: up to 350)
)
_MOST = 48  # the same, once values are kept
_LEAST = 1 << 10  # elements: fewer are computed again as fast as they are read
_COMPUTED = {
    f"stablehlo.{name}"
    for name in (
        "add", "subtract", "multiply", "divide", "maximum", "minimum", "negate", "abs", "compare", "select", "convert", "and", "or", "not",
        "sign", "floor", "ceil", "clamp", "is_finite", "sqrt", "rsqrt", "round_nearest_even", "exponential", "exponential_minus_one", "log",
        "log_plus_one", "logistic", "tanh", "sine", "cosine", "power",
    )
}  # fmt: skip
_MOVED = {f"stablehlo.{name}" for name in ("slice", "concatenate", "pad", "reshape", "broadcast_in_dim", "transpose")}
_PASSED = "stablehlo.optimization_barrier"


def keep(block: Any, channels_last: bool) -> int:
    """Change a block of operations, in place; return how many values it keeps.

    ``channels_last``: whether arrays of four axes may be images with their channels last in memory.
    """
    if not library.has_elementwise():
        return 0
    operations = list(block.operations)
    if not any(True for _ in _too_long(operations, _RECURRENT)):
        return 0
    kept = 0
    for operation in _too_long(operations, _MOST):
        _keep(operation, operation.results[0], channels_last)
        kept += 1
    return kept


def _too_long(operations: list[Any], most: int) -> Iterator[Any]:
    """Operations whose value takes more than so many others to compute, if those that were found are kept."""
    lengths: dict[Any, int] = {}  # value -> how many operations a loop that reads it computes
    for operation in operations:
        length = _length(operation, lengths.get)
        if length:
            value = operation.results[0]
            if length <= most or not _is_worth_keeping(operation, value):
                lengths[value] = length
            else:
                yield operation


def _length(operation: Any, known: Callable[[Any, int], int]) -> int:
    """How many operations a loop that reads an operation's result computes for it; 0 where it is in memory."""
    name = operation.operation.name
    if name not in _COMPUTED and name not in _MOVED and name != _PASSED:
        return 0
    return sum(known(operand, 0) for operand in operation.operands) + (name in _COMPUTED)


def _is_worth_keeping(operation: Any, value: Any) -> bool:
    if operation.operation.name not in _COMPUTED or len(list(value.uses)) < 2:
        return False
    kind = mlir.ir.RankedTensorType(value.type)
    return kind.has_static_shape and str(kind.element_type) == "f32" and math.prod(kind.shape) >= _LEAST


def _keep(operation: Any, value: Any, channels_last: bool) -> None:
    ir = mlir.ir
    rank = ir.RankedTensorType(value.type).rank
    order = (1, 3, 2, 0) if channels_last and rank == 4 else tuple(reversed(range(rank)))
    readers = [(use.owner, use.operand_number) for use in value.uses]
    with operation.context, operation.location, ir.InsertionPoint.after(operation):
        call = elementwise.program_call([value], elementwise.UpdateProgram([value], [], [0.0], [0]), [(0, 0)], order)
    for reader, index in readers:
        reader.operands[index] = call.results[0]
