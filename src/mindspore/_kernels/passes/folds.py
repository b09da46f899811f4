"""Sums and extremes of float32 over axes of a shape that XLA's library of reductions is slow for.

The library has tiles for rows that are reduced. Where many columns are kept (a bias for all of a batch, a softmax over the
first axis), or few of them, or rows are short, it takes up to ten times as long as XLA's own loops, and there is no telling it to leave a single reduction
to those. So this looks at a whole program, before it is compiled, and gives such reductions to a custom call.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from jax.extend.core import primitives
from jax.interpreters import mlir

TARGET, SUM = "mycelium_fold", "mycelium_sum"
LEAST = 1 << 15  # elements: what has fewer is left to XLA, whose library does not take it either
_MANY = 1 << 14  # columns that are kept: too many for the library's tiles
_FEW = 8  # columns that do not fill them
_NARROW = 48  # columns that XLA's other loops are slow for, so that the library should join those with the reduction
_SHORT = 16  # elements of a row, likewise
_HUGE = 1 << 21  # elements in memory, reduced in rows: beyond the caches, the library is faster
_FEWEST = 1 << 12  # elements of halves and of float64
_SUMMED = {"bfloat16", "float16", "float64"}
_TYPES = {"f32", "bf16", "f16", "f64"}
_KINDS = {  # number of the kind, and what it begins with, in float32
    "stablehlo.add": (0, "0.000000e+00"), "stablehlo.maximum": (1, "0xFF800000"), "stablehlo.minimum": (2, "0x7F800000"),
}  # fmt: skip
_PRIMITIVES = (primitives.reduce_sum_p, primitives.reduce_max_p, primitives.reduce_min_p)
# What XLA computes while it reduces, at little cost and at much; everything else is in memory.
_CHEAP = {
    f"stablehlo.{name}"
    for name in (
        "add", "subtract", "multiply", "divide", "maximum", "minimum", "negate", "abs", "compare", "select", "convert", "and", "or",
        "not", "sign", "floor", "ceil", "clamp", "is_finite", "sqrt", "rsqrt", "round_nearest_even", "broadcast_in_dim", "iota",
    )
}  # fmt: skip
_COSTLY = {
    f"stablehlo.{name}"
    for name in (
        "exponential", "exponential_minus_one", "log", "log_plus_one", "logistic", "tanh", "sine", "cosine", "tan", "power", "cbrt",
        "atan2", "remainder",
    )
}  # fmt: skip
_LOOKED_AT = 32  # operations in front of a reduction
_ALONE, _STORED, _COMPUTED, _COSTLY_COMPUTED = range(4)  # in memory and read by no other loop, in memory, computed
_MADE_IN_PLACE = {"stablehlo.broadcast_in_dim", "stablehlo.iota", "stablehlo.constant"}  # XLA needs no loop for these
_LAYOUTS, _CHANNELS_LAST = ("operand_layouts", "result_layouts"), "dense<[1, 3, 2, 0]>"
Form = tuple[int, int, int]  # what is before the reduced axes, those, and what is behind them


def folded(shape: Sequence[int], axes: Sequence[int], made: int = _ALONE) -> Form | None:
    """The form of a reduction of float32 that the custom call is for; else None. ``made``: how its operand is made."""
    if math.prod(shape) < LEAST:
        return None
    form = _form(shape, axes)
    if form is None:
        return None
    outer, length, inner = form
    if inner == 1:
        fast = math.prod(shape) >= _HUGE if made == _ALONE else outer == 1 or length >= _SHORT
    elif inner <= _FEW:
        fast = made == _COSTLY_COMPUTED and length < _SHORT
    elif inner < _NARROW:
        fast = made != _ALONE
    else:
        fast = made == _COSTLY_COMPUTED and inner < _MANY
    return None if fast else form


def _form(shape: Sequence[int], axes: Sequence[int]) -> Form | None:
    """The form of a reduction over axes that lie beside each other; else None."""
    kept = [axis for axis, size in enumerate(shape) if size != 1]
    places = [place for place, axis in enumerate(kept) if axis in axes]
    if not places or places[-1] - places[0] != len(places) - 1:
        return None
    sizes = [shape[axis] for axis in kept]
    first, last = places[0], places[-1] + 1
    return math.prod(sizes[:first]), math.prod(sizes[first:last]), math.prod(sizes[last:])


def is_folded(equation: Any) -> bool:
    """Whether the custom call is for an equation of a traced program."""
    if equation.primitive not in _PRIMITIVES:
        return False
    x, axes = equation.invars[0].aval, equation.params["axes"]
    if not all(isinstance(size, int) for size in x.shape):
        return False
    if x.dtype == "float32":
        return folded(x.shape, axes) is not None
    summed = equation.primitive is primitives.reduce_sum_p and str(x.dtype) in _SUMMED
    return summed and x.size >= _FEWEST and _form(x.shape, axes) is not None


def has_images(operation: Any) -> bool:
    """Whether a custom call takes or gives images with their channels last in memory."""
    return any(_CHANNELS_LAST in str(operation.attributes[name]) for name in _LAYOUTS if name in operation.attributes)


def replace(operation: Any, channels_last: bool) -> None:
    """Give an operation ``stablehlo.reduce`` to a custom call, where that is for it.

    ``channels_last``: whether images of this program may lie with their channels last, so that no axis of four is where it seems to be.
    """
    operand = operation.operands[0]
    if channels_last and mlir.ir.RankedTensorType(operand.type).rank > 3:
        return
    kind = _kind(operation)
    if kind is None:
        return
    shape, axes = tuple(mlir.ir.RankedTensorType(operand.type).shape), tuple(operation.attributes["dimensions"])
    if str(mlir.ir.RankedTensorType(operand.type).element_type) == "f32":
        made = _making(operand)
        form = folded(shape, axes, made)
        # extremes of rows that are computed on the way: the library is as fast
        if form is not None and (kind == 0 or made == _ALONE or form[2] > 1 or form[1] < _SHORT):
            _call(operation, form, TARGET, kind)
        return
    form = _form(shape, axes)
    if kind != 0 or math.prod(shape) < _FEWEST:
        return
    if form is not None:
        _call(operation, form, SUM)


def _call(operation: Any, form: Form, target: str, kind: int | None = None) -> None:
    ir = mlir.ir
    operand, result = operation.operands[0], operation.results[0]
    element = ir.RankedTensorType(operand.type).element_type
    outer, length, inner = form
    behind = () if inner == 1 else (inner,)
    with operation.context, operation.location, ir.InsertionPoint(operation):
        attributes = {} if kind is None else {"kind": mlir.ir_attribute(np.array([kind], np.int64))}
        call = ir.Operation.create(
            "stablehlo.custom_call",
            results=[ir.RankedTensorType.get((outer, *behind), element)],
            operands=[_reshaped(operand, (outer, length, *behind), element)],
            attributes={
                "call_target_name": ir.StringAttr.get(target),
                "api_version": ir.IntegerAttr.get(ir.IntegerType.get_signless(32), 4),
                "backend_config": ir.DictAttr.get(attributes),
                "operand_layouts": ir.ArrayAttr.get([_rows(2 + len(behind))]),
                "result_layouts": ir.ArrayAttr.get([_rows(1 + len(behind))]),
            },
        )
        made = _reshaped(call.results[0], tuple(ir.RankedTensorType(result.type).shape), element)
    result.replace_all_uses_with(made)
    operation.erase()


def _kind(operation: Any) -> int | None:
    """The number of a reduction of one array, of a dtype that there is a custom call for; else None."""
    ir = mlir.ir
    if len(operation.operands) != 2:
        return None
    operand, first = operation.operands
    kind = ir.RankedTensorType(operand.type)
    if str(kind.element_type) not in _TYPES or not kind.has_static_shape or _name(operand) in _MADE_IN_PLACE:
        return None
    block = operation.regions[0].blocks[0]
    joined, *rest = list(block.operations)
    number, start = _KINDS.get(joined.operation.name, (0, ""))
    if len(rest) != 1 or set(joined.operation.operands) != set(block.arguments):
        return None
    return number if _name(first) == "stablehlo.constant" and _constant(first) == start else None


def _making(value: Any) -> int:
    """How a value is made that somebody else reads: computed in the loop of who reads it, or not."""
    made = _STORED if _is_read_by_loops(value) else _ALONE
    seen, waiting = set(), [value]
    while waiting and len(seen) < _LOOKED_AT:
        value = waiting.pop()
        name = _name(value)
        if name in _COSTLY:
            return _COSTLY_COMPUTED
        if value in seen or (name not in _CHEAP and name != "stablehlo.reshape"):
            continue
        seen.add(value)
        if name != "stablehlo.reshape":
            made = _COMPUTED
        waiting += value.owner.operation.operands
    return made


def _is_read_by_loops(value: Any) -> bool:
    """Whether others than a reduction read a value element by element, so that XLA may join them."""
    return any(use.owner.operation.name in _CHEAP | _COSTLY for use in value.uses)


def _name(value: Any) -> str:
    """The operation that made a value; "" for an argument."""
    owner = getattr(value.owner, "operation", None)
    return "" if owner is None else owner.name


def _constant(value: Any) -> str:
    """The number that a constant is, as programs write it (there is no other access to that of every dtype)."""
    return str(value.owner.operation.attributes["value"]).partition("<")[2].partition(">")[0]


def _rows(rank: int) -> Any:
    """The layout in which the last axis is together in memory."""
    order = ", ".join(map(str, reversed(range(rank))))
    return mlir.ir.Attribute.parse(f"dense<[{order}]> : tensor<{rank}xindex>")


def _reshaped(value: Any, shape: tuple[int, ...], element: Any) -> Any:
    wanted = mlir.ir.RankedTensorType.get(shape, element)
    if wanted == value.type:
        return value
    return mlir.ir.Operation.create("stablehlo.reshape", results=[wanted], operands=[value]).results[0]
