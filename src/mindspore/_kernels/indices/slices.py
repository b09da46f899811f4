"""Slices that a program reads or writes at indices it computes: ``x[i]``, ``x[:, i]``, ``x[i, j] = v``, and their gradients.

XLA reads and writes them element by element, each with its own arithmetic, and reads what may lie outside in two passes. This looks
at a whole program, before it is compiled, for those that are runs of elements beside each other, and gives them to a custom call.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from jax.extend.core import primitives
from jax.interpreters import mlir

READ, READ_INSIDE, WRITE = "mycelium_read_slices", "mycelium_read_slices_inside", "mycelium_write_slices"
LEAST = 1 << 12  # elements that are read or written: fewer are left to XLA
_COPIED = 8  # times what is written: an array that XLA may copy
_MOST_AXES = 8
_BYTES = {"i1", "i8", "ui8", "i16", "ui16", "f16", "bf16", "i32", "ui32", "f32", "i64", "ui64", "f64", "complex<f32>"}
_ADDED = {"f32", "f64", "i32", "i64", "f16", "bf16"}
_HOW = {"stablehlo.add": 1, "stablehlo.maximum": 2, "stablehlo.minimum": 3}
_PRIMITIVES = (primitives.scatter_p, primitives.scatter_add_p, primitives.scatter_max_p, primitives.scatter_min_p)


class SliceForm(NamedTuple):
    """Slices as the custom call knows them: ``Slices`` in native/indexing.h."""

    outer: int
    pitch: int
    run: int
    own: bool
    limits: tuple[int, ...]
    strides: tuple[int, ...]

    def numbers(self, how: int = 0) -> np.ndarray:
        return np.array([self.outer, self.pitch, self.run, self.own, how, *self.limits, *self.strides], np.int64)


def is_indexed(equation: Any) -> bool:
    """Whether an equation of a traced program reads or writes as many elements as the custom calls are for."""
    if equation.primitive is primitives.gather_p:
        moved = equation.outvars[0].aval
    elif equation.primitive in _PRIMITIVES:
        moved = equation.invars[2].aval
    else:
        return False
    return all(isinstance(size, int) for size in moved.shape) and moved.size >= LEAST


def replace_read(operation: Any) -> None:
    """Give an operation ``stablehlo.gather`` to a custom call, where that is for it."""
    x, indices, result = *operation.operands, operation.results[0]
    form = _form(operation, "dimension_numbers", list(operation.attributes["slice_sizes"]), result)
    if form is None:
        return
    windows = _numbers(str(operation.attributes["dimension_numbers"])).get("offset_dims", [])
    inside, selection = _selection(result, [axis for axis in range(len(_shape(result))) if axis not in windows])
    last = operation if selection is None else selection
    axes = len(form.limits)
    with operation.context, operation.location, mlir.ir.InsertionPoint(last):
        given = [_reshaped(x, (_length(x),)), _reshaped(indices, (_length(indices) // axes, axes))]
        if inside is not None:
            given.append(_reshaped(inside, (_length(inside),)))
        target = READ if inside is None else READ_INSIDE
        found = _reshaped(_call(target, given, _length(result), form.numbers()), _shape(result))
    last.results[0].replace_all_uses_with(found)
    last.erase()
    if selection is not None:
        operation.erase()


def replace_written(operation: Any) -> None:
    """Give an operation ``stablehlo.scatter`` to a custom call, where that is for it."""
    if len(operation.operands) != 3:
        return
    (x, indices, updates), how = operation.operands, _joined(operation)
    element = str(mlir.ir.RankedTensorType(x.type).element_type)
    if how is None or (how > 0 and element not in _ADDED) or _is_kept(x, updates):
        return
    form = _form(operation, "scatter_dimension_numbers", None, updates)
    if form is None:
        return
    axes = len(form.limits)
    with operation.context, operation.location, mlir.ir.InsertionPoint(operation):
        given = [_reshaped(x, (_length(x),)), _reshaped(indices, (_length(indices) // axes, axes)),
                 _reshaped(updates, (_length(updates),))]  # fmt: skip
        found = _reshaped(_call(WRITE, given, _length(x), form.numbers(how), in_place=True), _shape(x))
    operation.results[0].replace_all_uses_with(found)
    operation.erase()


def _is_kept(x: Any, updates: Any) -> bool:
    """Whether an argument may be a Parameter's memory, of which little is written: XLA would copy it for a custom call."""
    given = x
    while getattr(given.owner, "operation", None) is not None and given.owner.operation.name == "stablehlo.reshape":
        given = given.owner.operation.operands[0]
    return getattr(given.owner, "operation", None) is None and _length(x) > _COPIED * _length(updates)


def _joined(operation: Any) -> int | None:
    """How updates meet what is there, as the custom call numbers it."""
    block = operation.regions[0].blocks[0]
    *made, result = (own.operation for own in block.operations)
    if not made:
        return 0 if list(result.operands) == [block.arguments[1]] else None
    joined = made[0]
    alone = len(made) == 1 and list(result.operands) == list(joined.results)
    return _HOW.get(joined.name) if alone and set(joined.operands) == set(block.arguments) else None


def _form(operation: Any, name: str, sizes: list[int] | None, moved: Any) -> SliceForm | None:
    """The form of slices that are runs of elements, of what is read or written, which are ``moved``; else None.

    ``sizes``: the lengths of a slice along each axis; those of what is written follow from what is moved.
    """
    x, indices = operation.operands[:2]
    kinds = [mlir.ir.RankedTensorType(value.type) for value in (x, indices, moved)]
    if not all(kind.has_static_shape for kind in kinds) or str(kinds[1].element_type) not in ("i32", "i64"):
        return None
    shape, rows, all_moved = (tuple(kind.shape) for kind in kinds)
    if str(kinds[0].element_type) not in _BYTES or math.prod(all_moved) < LEAST or 0 in (*shape, *rows):
        return None
    numbers = _numbers(str(operation.attributes[name]))
    windows = numbers.get("offset_dims", numbers.get("update_window_dims", []))
    removed = numbers.get("collapsed_slice_dims", numbers.get("inserted_window_dims", []))
    batching = numbers.get("operand_batching_dims", numbers.get("input_batching_dims", []))
    batching_rows = numbers.get("start_indices_batching_dims", numbers.get("scatter_indices_batching_dims", []))
    chosen = numbers.get("start_index_map", numbers.get("scatter_dims_to_operand_dims", []))
    (vector,) = numbers["index_vector_dim"]
    leading = list(range(len(batching)))
    if batching != leading or batching_rows != leading or vector != len(rows) - 1 or not 1 <= len(chosen) <= _MOST_AXES:
        return None
    kept = [axis for axis in range(len(shape)) if axis not in removed and axis not in batching]
    if sizes is None:
        sizes = [1] * len(shape)
        for axis, place in zip(kept, windows, strict=True):
            sizes[axis] = all_moved[place]
    return _runs(shape, sizes, chosen, len(batching), _outer_windows(kept, windows, len(all_moved)))


def _outer_windows(kept: Sequence[int], windows: Sequence[int], rank: int) -> list[int] | None:
    """The axes of an array of which slices have the first axes of what is moved, where others have its last; else None."""
    for count in range(len(windows) + 1):
        if list(windows) == [*range(count), *range(rank - len(windows) + count, rank)]:
            return list(kept[:count])
    return None


def _runs(
    shape: Sequence[int], sizes: Sequence[int], chosen: Sequence[int], batched: int, windows: list[int] | None
) -> SliceForm | None:
    """Slices of these sizes, whose places along the axes ``chosen`` are given, where they are runs of elements."""
    if windows is None or (windows and batched):
        return None
    outer = max(batched, len(windows))
    whole = windows == [*range(len(windows))] and all(sizes[axis] == shape[axis] for axis in windows)
    if not whole or any(axis < outer for axis in chosen):
        return None
    inner = range(outer, len(shape))
    first = next((axis for axis in inner if sizes[axis] != 1), len(shape))
    if any(sizes[axis] != shape[axis] for axis in inner if axis > first):
        return None
    strides = [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
    return SliceForm(
        math.prod(shape[:outer]),
        math.prod(shape[outer:]),
        math.prod(sizes[outer:]),
        batched > 0,
        tuple(shape[axis] - sizes[axis] for axis in chosen),
        tuple(strides[axis] for axis in chosen),
    )


def _numbers(text: str) -> dict[str, list[int]]:
    """The numbers of an attribute (there is no other access to them)."""
    found = re.findall(r"(\w+) = (\[[\d, ]*\]|\d+)", text)
    return {name: [int(number) for number in re.findall(r"\d+", value)] for name, value in found}


def _selection(value: Any, rows: list[int]) -> tuple[Any, Any]:
    """Which slices are inside, and the operation that puts zeros elsewhere, where nothing else reads the value; else None twice.

    ``rows``: the axes of the value that are not those of a slice.
    """
    uses = list(value.uses)
    user = uses[0].owner.operation if len(uses) == 1 else None
    if user is None or user.name != "stablehlo.select" or uses[0].operand_number != 1:
        return None, None
    spread, zero = (getattr(user.operands[number].owner, "operation", None) for number in (0, 2))
    if spread is None or spread.name != "stablehlo.broadcast_in_dim" or not _is_zero(zero):
        return None, None
    inside, shape = spread.operands[0], _shape(value)
    fits = list(spread.attributes["broadcast_dimensions"]) == rows and _shape(inside) == tuple(
        shape[axis] for axis in rows
    )
    return (inside, user) if fits else (None, None)


def _is_zero(operation: Any) -> bool:
    if operation is not None and operation.name == "stablehlo.broadcast_in_dim":
        operation = getattr(operation.operands[0].owner, "operation", None)
    if operation is None or operation.name != "stablehlo.constant":
        return False
    return re.search(r"dense<(0|0\.0+e\+00|false|\(0\.0+e\+00,0\.0+e\+00\))>", str(operation)) is not None


def _call(target: str, given: list[Any], length: int, numbers: np.ndarray, in_place: bool = False) -> Any:
    """What a custom call makes of arrays, an array of one axis."""
    ir = mlir.ir
    layouts = {1: "dense<[0]> : tensor<1xindex>", 2: "dense<[1, 0]> : tensor<2xindex>"}
    element = ir.RankedTensorType(given[0].type).element_type
    alias = "#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>"
    return ir.Operation.create(
        "stablehlo.custom_call",
        results=[ir.RankedTensorType.get((length,), element)],
        operands=given,
        attributes={
            "call_target_name": ir.StringAttr.get(target),
            "api_version": ir.IntegerAttr.get(ir.IntegerType.get_signless(32), 4),
            "backend_config": ir.DictAttr.get({"slices": mlir.ir_attribute(numbers)}),
            "operand_layouts": ir.ArrayAttr.get([ir.Attribute.parse(layouts[len(_shape(value))]) for value in given]),
            "result_layouts": ir.ArrayAttr.get([ir.Attribute.parse(layouts[1])]),
            "output_operand_aliases": ir.ArrayAttr.get([ir.Attribute.parse(alias)] if in_place else []),
        },
    ).results[0]


def _shape(value: Any) -> tuple[int, ...]:
    return tuple(mlir.ir.RankedTensorType(value.type).shape)


def _length(value: Any) -> int:
    return math.prod(_shape(value))


def _reshaped(value: Any, shape: tuple[int, ...]) -> Any:
    wanted = mlir.ir.RankedTensorType.get(shape, mlir.ir.RankedTensorType(value.type).element_type)
    if wanted == value.type:
        return value
    return mlir.ir.Operation.create("stablehlo.reshape", results=[wanted], operands=[value]).results[0]
