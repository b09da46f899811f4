"""Matrices that a program writes in the other order.

XLA's loop reads a turned matrix with jumps; where rows are a multiple of a page apart, ten times as slowly as it could. Most
turned matrices are never written: products take them as they lie. So this looks at a whole program, before it is compiled, for
those that are, and gives them to a custom call.
"""

from __future__ import annotations

import math
from typing import Any

from jax.extend.core import primitives
from jax.interpreters import mlir

TARGET = "mycelium_turn"
LEAST = 1 << 18  # bytes: smaller arrays stay in the caches, whatever the order
NARROWEST = 16  # rows and columns
_MANY = 256  # rows and columns where there are several matrices: smaller ones XLA reads fast enough
_BYTES = {"i1": 1, "i8": 1, "ui8": 1, "i16": 2, "ui16": 2, "f16": 2, "bf16": 2, "i32": 4, "ui32": 4, "f32": 4, "i64": 8,
          "ui64": 8, "f64": 8}  # fmt: skip
# What reads its operands element by element, so that it would read a turned one with jumps.
_ELEMENTWISE = {
    f"stablehlo.{name}"
    for name in (
        "add", "subtract", "multiply", "divide", "maximum", "minimum", "power", "negate", "abs", "exponential", "log", "tanh",
        "sqrt", "rsqrt", "logistic", "compare", "select", "convert", "and", "or", "not", "sign", "floor", "ceil", "cosine", "sine",
        "concatenate", "pad", "bitcast_convert", "reverse",
    )
}  # fmt: skip
_LAYOUT = "dense<[2, 1, 0]> : tensor<3xindex>"  # the last axis is together in memory
_TURNS_FREELY = {"stablehlo.dot_general", "stablehlo.convolution", "stablehlo.transpose"}


def is_turned(equation: Any) -> bool:
    """Whether an equation of a traced program turns matrices so large that the kernel may be for them."""
    if equation.primitive is not primitives.transpose_p:
        return False
    (x,), order = [variable.aval for variable in equation.invars], equation.params["permutation"]
    if not all(isinstance(size, int) for size in x.shape) or x.size * x.dtype.itemsize < LEAST:
        return False
    return turned_matrices(x.shape, order) is not None


def replace(operation: Any) -> None:
    """Give an operation ``stablehlo.transpose`` to the custom call, where its result is written."""
    form = _form(operation)
    if form is not None and _made_in_order(operation.operands[0]) and _is_written(operation.results[0]):
        _replace(operation, form)


def _form(operation: Any) -> tuple[int, int, int] | None:
    """Matrices, rows and columns of a transposition that turns matrices; else None, also where that gains nothing."""
    kind = mlir.ir.RankedTensorType(operation.operands[0].type)
    if not kind.has_static_shape or str(kind.element_type) not in _BYTES:
        return None
    form = turned_matrices(tuple(kind.shape), tuple(operation.attributes["permutation"]))
    if form is None or math.prod(form) * _BYTES[str(kind.element_type)] < LEAST:
        return None
    matrices, rows, columns = form
    return form if min(rows, columns) >= (NARROWEST if matrices == 1 else _MANY) else None


def turned_matrices(shape: tuple[int, ...], order: tuple[int, ...]) -> tuple[int, int, int] | None:
    """Matrices, rows and columns, if putting the axes in this order exchanges rows and columns of matrices; else None."""
    kept = [axis for axis in order if shape[axis] != 1]
    place = {axis: i for i, axis in enumerate(sorted(kept))}
    order = tuple(place[axis] for axis in kept)
    sizes = [shape[axis] for axis in sorted(kept)]
    first = next((i for i, axis in enumerate(order) if i != axis), len(order))  # axes before it stay where they are
    if first == len(order):
        return None
    split = order[first]  # rows are the axes from `first` to here
    moved = (*range(split, len(order)), *range(first, split))
    if order[first:] != moved:
        return None
    return math.prod(sizes[:first]), math.prod(sizes[first:split]), math.prod(sizes[split:])


def _made_in_order(value: Any) -> bool:
    """Whether the operand comes from what XLA cannot turn for nothing."""
    owner = getattr(value.owner, "operation", None)
    return owner is None or owner.name not in _TURNS_FREELY


def _is_written(value: Any) -> bool:
    """Whether all who use a value need it in memory, or would read it with jumps."""
    uses = list(value.uses)
    return bool(uses) and all(_needs_written(use.owner) for use in uses)


def _needs_written(user: Any) -> bool:
    user = user.operation
    if user.name == "func.return":
        attributes = user.parent.attributes
        visibility = attributes["sym_visibility"] if "sym_visibility" in attributes else ""  # noqa: SIM401 (has no get)
        return "private" not in str(visibility)
    if user.name == "stablehlo.reshape":
        return _is_written(user.results[0])
    return user.name in _ELEMENTWISE


def _replace(operation: Any, form: tuple[int, int, int]) -> None:
    ir = mlir.ir
    matrices, rows, columns = form
    operand, result = operation.operands[0], operation.results[0]
    element = ir.RankedTensorType(operand.type).element_type
    with operation.context, operation.location, ir.InsertionPoint(operation):
        (given,) = _reshaped(operand, (matrices, rows, columns), element)
        layout = ir.Attribute.parse(_LAYOUT)
        call = ir.Operation.create(
            "stablehlo.custom_call",
            results=[ir.RankedTensorType.get((matrices, columns, rows), element)],
            operands=[given],
            attributes={
                "call_target_name": ir.StringAttr.get(TARGET),
                "api_version": ir.IntegerAttr.get(ir.IntegerType.get_signless(32), 4),
                "backend_config": ir.DictAttr.get({}),
                "operand_layouts": ir.ArrayAttr.get([layout]),
                "result_layouts": ir.ArrayAttr.get([layout]),
            },
        )
        (found,) = _reshaped(call.results[0], tuple(ir.RankedTensorType(result.type).shape), element)
    result.replace_all_uses_with(found)
    operation.erase()


def _reshaped(value: Any, shape: tuple[int, ...], element: Any) -> Any:
    wanted = mlir.ir.RankedTensorType.get(shape, element)
    return mlir.ir.Operation.create("stablehlo.reshape", results=[wanted], operands=[value]).results
