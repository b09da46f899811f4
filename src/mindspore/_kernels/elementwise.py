"""New values of Parameters, computed element by element: one custom call for each, whatever its shape.

XLA compiles a loop of its own for each value and shape: a third of what compiling a training step takes. So this looks at a whole
program, before it is compiled, for the elementwise operations that end in values that Parameters get, and at nothing else reads. They
become short programs (``native/elementwise``), which one function runs on blocks that stay in the cache.
"""

from __future__ import annotations

import collections
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
from jax.extend.mlir.dialects import stablehlo
from jax.interpreters import mlir

from mindspore._kernels import joining, library, primitive

_MOST_STEPS = 256
_MOST = 1 << 17  # elements: beyond, XLA's loop, which keeps values in registers, earns its compilation
# The same numbers as in native/elementwise/elementwise.cc.
_KINDS = {
    f"stablehlo.{name}": number
    for number, name in enumerate(
        ("add", "subtract", "multiply", "divide", "maximum", "minimum", "sqrt", "rsqrt", "negate", "abs", "sign")
    )
} | {"stablehlo.select": 13, "stablehlo.not": 20, "stablehlo.and": 5, "stablehlo.or": 4}  # fmt: skip
_COMPARISONS = {direction: 14 + number for number, direction in enumerate(("EQ", "NE", "LT", "LE", "GT", "GE"))}
_COMPARE = "stablehlo.compare"
_OF_TRUTH = {"stablehlo.select", "stablehlo.not", "stablehlo.and", "stablehlo.or"}
_BARRIER = "stablehlo.optimization_barrier"  # behind a square root (_engine/base/square_root.py)
_MULTIPLY, _MULTIPLY_ADD, _SUBTRACT_PRODUCT = 2, 11, 12


class _Unsuited(Exception):
    """These operations are left to XLA."""


class UpdateProgram(NamedTuple):
    """What the custom call gets: steps of four numbers, what they read first, and which values are results."""

    operands: list[Any]
    steps: list[int]
    constants: list[float]
    results: list[int]


def write_updates(lowered: Any, places: Sequence[int]) -> int:
    """Change a program that was lowered for this process's CPU, in place; ``places`` are those of results that Parameters get.

    Returns:
        How many custom calls it has got.
    """
    if not places or primitive.is_portable() or jax.default_backend() != "cpu" or not library.has_elementwise():
        return 0
    main = joining.join(lowered.compiler_ir())
    end = list(main.regions[0].blocks[0].operations)[-1]
    if len(end.operands) <= max(places):  # results that are inputs may have been left out
        return 0
    calls, overwritten = 0, _overwritten(main)
    for group in _groups(end, frozenset(places)):
        try:
            _replace(end, group, overwritten)
            calls += 1
        except _Unsuited:
            continue
    return calls


# -- which operations -------------------------------------------------------------------------------------------------
class _UpdateGroup(NamedTuple):
    """Operations that share values, and those of their results that Parameters get."""

    operations: set[Any]
    results: list[Any]


def _groups(end: Any, places: frozenset[int]) -> list[_UpdateGroup]:
    """The elementwise operations whose results nothing reads but each other, and Parameters."""
    parents: dict[Any, Any] = {}  # operation -> another one of its group, or itself

    def first_of(operation: Any) -> Any:
        while parents[operation] is not operation:
            operation = parents[operation]
        return operation

    states = [end.operands[place] for place in sorted(places)]
    for state in states:
        shape = shape_of(state, "f32")
        open_values = [state] if shape is not None and 1 < math.prod(shape) < _MOST else []
        while open_values:
            value = open_values.pop()
            operation = step_of(value, shape)
            if operation is None or operation in parents:
                continue
            users = [(use.owner.operation, use.operand_number) for use in value.uses]
            if all(user in parents or (user == end and place in places) for user, place in users):
                parents[operation] = operation
                for user, _ in users:
                    if user in parents:
                        parents[first_of(user)] = first_of(operation)
                open_values.extend(operation.operands)  # of several users the last one finds all of them known
    found: dict[Any, _UpdateGroup] = {}
    for operation in parents:
        found.setdefault(first_of(operation), _UpdateGroup(set(), [])).operations.add(operation)
    for value in dict.fromkeys(states):
        if maker_of(value) in parents:
            found[first_of(maker_of(value))].results.append(value)
    return list(found.values())


def maker_of(value: Any) -> Any:
    """What makes a value; None for an argument of the program."""
    return getattr(value.owner, "operation", None)


def shape_of(value: Any, *elements: str) -> tuple[int, ...] | None:
    """The shape of an array with these elements; None for other values."""
    kind = mlir.ir.RankedTensorType(value.type)
    return tuple(kind.shape) if kind.has_static_shape and str(kind.element_type) in elements else None


def step_of(value: Any, shape: tuple[int, ...] | None) -> Any:
    """The operation that computes a value element by element from others of this shape; else None."""
    operation = maker_of(value)
    if operation is None or not (operation.name in _KINDS or operation.name in (_COMPARE, _BARRIER)):
        return None
    # Truth values are numbers here; what they are made from may be others.
    if len(operation.results) != 1 or any(shape_of(each, "f32", "i1") is None for each in operation.operands):
        return None
    of_truth = operation.name == _COMPARE or operation.name in _OF_TRUTH
    return operation if shape_of(value, "f32", *(["i1"] if of_truth else [])) == shape else None


def _kind(operation: Any) -> int:
    if operation.name == _COMPARE:
        return _COMPARISONS[stablehlo.ComparisonDirectionAttr(operation.attributes["comparison_direction"]).value]
    return _KINDS[operation.name]


def _overwritten(main: Any) -> dict[Any, int]:
    """Arguments whose memory the program may use again -> the place of the result that gets it."""
    found: dict[Any, int] = {}
    if "arg_attrs" not in main.attributes:
        return found
    for argument, noted in zip(main.regions[0].blocks[0].arguments, main.attributes["arg_attrs"], strict=True):
        if "tf.aliasing_output" in noted:
            found[argument] = mlir.ir.IntegerAttr(noted["tf.aliasing_output"]).value
    return found


# -- as a program -----------------------------------------------------------------------------------------------------
class _UpdateWriter:
    """Collects steps; values get their numbers once all operands and constants are known."""

    def __init__(self, shape: tuple[int, ...], inside: set[Any]):
        self.shape, self.inside = shape, inside  # operations that become steps
        self.operands: dict[Any, None] = {}
        self.constants: dict[str, float] = {"0": 0.0}  # there is one always
        self.steps: list[tuple[int, list[Any]] | None] = []
        self.made: dict[Any, Any] = {}

    def value(self, value: Any) -> Any:
        """What stands for a value: ("step", n), ("operand", value) or ("constant", number)."""
        found = self.made.get(value)
        if found is None:
            found = self.made[value] = self._new(value)
        return found

    def _new(self, value: Any) -> Any:
        operation = step_of(value, self.shape)
        if operation is not None and operation in self.inside:
            if operation.name == _BARRIER:
                return self.value(operation.operands[0])
            read = [self.value(operand) for operand in operation.operands]
            self.steps.append((_kind(operation), [*read, *[read[0]] * (3 - len(read))]))
            return ("step", len(self.steps) - 1)
        return self._given(value)

    def _given(self, value: Any) -> Any:
        operation = maker_of(value)
        if (
            operation is not None
            and operation.name == "stablehlo.broadcast_in_dim"
            and not _shape_of(operation.operands[0])
        ):
            value = operation.operands[0]
            operation = maker_of(value)
        if operation is not None and operation.name == "stablehlo.constant" and shape_of(value, "f32") is not None:
            number = mlir.ir.DenseElementsAttr(operation.attributes["value"])
            if number.is_splat:
                number = mlir.ir.FloatAttr(number.get_splat_value()).value
                self.constants[number.hex()] = number  # 0 and -0 are not the same
                return ("constant", number.hex())
        self.operands[value] = None
        return ("operand", value)

    def program(self, results: Sequence[Any]) -> UpdateProgram:
        """The program, in which a product that is only added or subtracted is rounded once, as XLA does it."""
        self._join_products({self.made[value] for value in results})
        operands, constants = list(self.operands), list(self.constants.values())
        numbers = {("operand", value): i for i, value in enumerate(operands)}
        numbers |= {("constant", name): len(operands) + i for i, name in enumerate(self.constants)}
        known = len(operands) + len(constants)
        steps: list[int] = []
        for i, step in enumerate(self.steps):
            if step is not None:
                numbers["step", i] = known + len(steps) // 4
                steps += (step[0], *[numbers[one] for one in step[1]])
        return UpdateProgram(operands, steps, constants, [numbers[self.made[value]] for value in results])

    def _join_products(self, results: set[Any]) -> None:
        reads = collections.Counter(one for step in self.steps if step for one in set(step[1]))
        for i, step in enumerate(self.steps):
            if step is None or step[0] > 1:
                continue
            kind, (a, b, _) = step
            for product, other in ((b, a), (a, b)) if kind == 0 else ((b, a),):
                made = self.steps[product[1]] if product[0] == "step" else None
                if made and made[0] == _MULTIPLY and reads[product] == 1 and a != b and product not in results:
                    self.steps[i] = (_SUBTRACT_PRODUCT if kind else _MULTIPLY_ADD, [*made[1][:2], other])
                    self.steps[product[1]] = None
                    break


def program_of(results: Sequence[Any], inside: set[Any]) -> UpdateProgram:
    """The program for values of one shape that these operations compute."""
    writer = _UpdateWriter(_shape_of(results[0]), inside)
    for value in results:
        writer.value(value)
    return writer.program(results)


def _shape_of(value: Any) -> tuple[int, ...]:
    return tuple(mlir.ir.RankedTensorType(value.type).shape)


def _replace(end: Any, group: _UpdateGroup, overwritten: dict[Any, int]) -> None:
    """Put a custom call in the place of these operations."""
    results = group.results
    if len(group.operations) > _MOST_STEPS:
        raise _Unsuited
    program = program_of(results, group.operations)
    with end.context, end.location, mlir.ir.InsertionPoint(end):
        call = program_call(results, program, _aliases(end, results, program.operands, overwritten))
    made = dict(zip(results, call.results, strict=True))
    for place, value in enumerate(end.operands):
        end.operands[place] = made.get(value, value)
    unused = [maker_of(value) for value in results]
    while unused:
        operation = unused.pop()
        if operation in group.operations and not list(operation.results[0].uses):
            group.operations.remove(operation)
            unused += [one for one in map(maker_of, operation.operands) if one is not None]
            operation.erase()


def program_call(
    results: Sequence[Any],
    program: UpdateProgram,
    aliases: Sequence[tuple[int, int]],
    order: Sequence[int] | None = None,
) -> Any:
    """A custom call that runs a program, where the insertion point is.

    Args:
        results: values of the types that its results have.
        program: the program.
        aliases: pairs of a result and the operand whose memory it gets.
        order: the axes of arrays in memory, innermost first; None: the last is innermost.
    """
    ir = mlir.ir
    return ir.Operation.create(
        "stablehlo.custom_call",
        results=[value.type for value in results],
        operands=program.operands,
        attributes={
            "call_target_name": ir.StringAttr.get(library.ELEMENTWISE),
            "api_version": ir.IntegerAttr.get(ir.IntegerType.get_signless(32), 4),
            "backend_config": ir.DictAttr.get(
                {
                    "steps": ir.DenseI32ArrayAttr.get(program.steps),
                    "constants": ir.DenseF32ArrayAttr.get(program.constants),
                    "results": ir.DenseI32ArrayAttr.get(program.results),
                }
            ),
            "operand_layouts": ir.ArrayAttr.get([_layout(value, order) for value in program.operands]),
            "result_layouts": ir.ArrayAttr.get([_layout(value, order) for value in results]),
            "output_operand_aliases": ir.ArrayAttr.get([_alias(*pair, len(results)) for pair in aliases]),
        },
    )


def _layout(value: Any, order: Sequence[int] | None) -> Any:
    rank = len(_shape_of(value))
    axes = reversed(range(rank)) if order is None else order
    return mlir.ir.Attribute.parse(f"dense<[{', '.join(map(str, axes))}]> : tensor<{rank}xindex>")


def _alias(result: int, operand: int, count: int) -> Any:
    output = f"[{result}]" if count > 1 else "[]"
    text = f"#stablehlo.output_operand_alias<output_tuple_indices = {output}, operand_index = {operand}, operand_tuple_indices = []>"
    return mlir.ir.Attribute.parse(text)


def _aliases(
    end: Any, results: Sequence[Any], operands: Sequence[Any], overwritten: dict[Any, int]
) -> list[tuple[int, int]]:
    """Which results are written where an operand was, because the program gives them that memory in any case."""
    found = []
    for place, value in enumerate(results):
        wanted = {use.operand_number for use in value.uses if use.owner.operation == end}
        for index, operand in enumerate(operands):
            if overwritten.get(operand) in wanted and operand.type == value.type:
                found.append((place, index))
    return found
