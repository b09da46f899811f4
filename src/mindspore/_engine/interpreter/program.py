"""A jaxpr as a Python function of NumPy arrays, written out once as source: running it costs little more than its NumPy calls.

Nested jaxprs are written inline, equations of constants evaluated at once, and broadcasting is left to NumPy where every user of
the wide array is elementwise.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from operator import methodcaller
from typing import Any, NamedTuple

import numpy as np
from jax.extend.core import Literal

from mindspore._engine.interpreter import (  # noqa: F401 - the rules declare themselves
    elementwise,
    gathers,
    native_calls,
    products,
    reductions,
    shapes,
    windows,
)
from mindspore._engine.interpreter.native import program as native_program
from mindspore._engine.interpreter.nested import inner_jaxpr
from mindspore._engine.interpreter.random_bits import KEYED
from mindspore._engine.interpreter.rules import HALVES, RULES, LeftToXLA, check_dtypes, shape_of
from mindspore._kernels import direct

_FOLDED = 4096  # most elements of a constant that is computed ahead
_FREED = 1 << 14  # elements of an intermediate worth freeing before the end
_STEPS = 400  # a longer program takes longer to write than it is worth
_STEP = 500.0  # nanoseconds of one NumPy call
_APPROXIMATE = 1.5  # nanoseconds of exponentials, logarithms and their kin
_PICKED = {"gather", "slice", "dynamic_slice"}
_WRITTEN = {"dynamic_update_slice": 1, "scatter": 1, "scatter-add": 1, "scatter-sub": 1, "scatter-mul": 1, "scatter-min": 1,
            "scatter-max": 1}  # the first operand is copied, what comes from this one on is written  # fmt: skip
_COPIED = 0.1  # nanoseconds for an element
_HALF = 8  # elements of 16 bits are converted, which takes as long as computing with so many
_CONVERTED = 6.0  # and nanoseconds of an element besides
_LARGE, _FROM_MEMORY = (
    1 << 18,
    0.3,
)  # from so many elements on they come from memory, which takes nanoseconds of an element besides
_TURNED = 0.5  # nanoseconds of an element that is written in another order in the end
_LOOPS = 32  # times a loop of unknown length is taken to run


class ProgramValue:
    """A value of the program being written: a constant, a name, or a smaller value that is broadcast when needed."""

    __slots__ = ("array", "name", "shape", "small", "view", "wide")

    def __init__(
        self, name: str = "", array: Any = None, shape: Any = (), small: ProgramValue | None = None, view: bool = False
    ):
        self.name = name
        self.array = array
        self.shape = shape
        self.small = small
        self.view = view  # may share memory with an input
        self.wide: ProgramValue | None = None  # once it was broadcast


class Step(NamedTuple):
    """One call."""

    function: Any
    operands: list[ProgramValue]
    results: list[ProgramValue]
    several: bool


class Program(NamedTuple):
    """A function of NumPy arrays, and what is known about it beforehand."""

    call: Any
    nanoseconds: float  # estimated
    quiet: bool  # NumPy has nothing to warn about
    pointwise: bool  # the same function serves every shape
    fixed: float  # the part of the nanoseconds that does not depend on sizes

    def nanoseconds_at(self, before: int, size: int) -> float:
        """The cost for operands of ``size`` elements, if it was estimated for ``before``."""
        return self.fixed + (self.nanoseconds - self.fixed) * size / before


class Writer:
    """Collects the steps of one program."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.nanoseconds = self.fixed = 0.0
        self.quiet = True
        self.pointwise = True
        self.draws = self.approximates = False  # random bits; functions that the tiers round differently
        self.count = 0

    # -- equations --------------------------------------------------------------------------------------------------
    def jaxpr(self, jaxpr: Any, constants: Sequence[Any], inputs: Sequence[ProgramValue]) -> list[ProgramValue]:
        """The values of a jaxpr's results."""
        known: dict[Any, ProgramValue] = {}
        for variable, constant in zip(jaxpr.constvars, constants, strict=True):
            known[variable] = _constant(np.asarray(constant))
            self.pointwise = self.pointwise and not known[variable].shape
        known.update(zip(jaxpr.invars, inputs, strict=True))

        def read(variable: Any) -> ProgramValue:
            if variable.__class__ is Literal:
                return _constant(np.asarray(variable.val, variable.aval.dtype))
            return known[variable]

        for equation in jaxpr.eqns:
            results = self.equation(equation, [read(variable) for variable in equation.invars])
            known.update(zip(equation.outvars, results, strict=True))
        return [read(variable) for variable in jaxpr.outvars]

    def equation(self, equation: Any, operands: list[ProgramValue]) -> list[ProgramValue]:
        name = equation.primitive.name
        self.draws = self.draws or name in KEYED
        inner = inner_jaxpr(equation)
        if inner is not None:
            return self.jaxpr(inner.jaxpr, inner.consts, operands)
        if name == "dim_as_value":  # a size, of a trace whose sizes were open
            self.pointwise = False
            return [_constant(np.asarray(equation.params["dim"], equation.outvars[0].aval.dtype))]
        if name == "broadcast_in_dim" and not operands[0].shape and operands[0].small is None:
            return [ProgramValue(shape=shape_of(equation.outvars[0]), small=operands[0])]
        if (
            name == "reshape"
            and operands[0].shape == shape_of(equation.outvars[0])
            and not equation.params["dimensions"]
        ):
            return operands
        self.pointwise = self.pointwise and name in RULES and RULES[name].elementwise
        if name in _CONTROL:
            return _CONTROL[name](self, equation, operands)
        rule = RULES.get(name)
        if rule is None:
            raise LeftToXLA(name)
        if not name.startswith("random_"):
            check_dtypes(equation.invars)
            check_dtypes(equation.outvars)
        shape = shape_of(equation.outvars[0])
        if name == "broadcast_in_dim" and shape:
            small, spread = self.whole(operands[0]), shapes.spread_shape(equation)
            if small.shape != spread:
                small = self.call(methodcaller("reshape", spread), [small], [spread], view=True)[0]
            return [small if small.shape == shape else ProgramValue(shape=shape, small=small)]
        several = equation.primitive.multiple_results
        function = rule.make(equation)
        wide = None
        if rule.elementwise:
            if not any(x.small is None and tuple(x.shape) == shape for x in operands):
                wide = shape  # all operands are narrow, so the result is, too
            operands = [x if x.small is None else x.small for x in operands]
        self.quiet = self.quiet and rule.quiet
        self.approximates = self.approximates or (rule.elementwise and rule.nanoseconds >= _APPROXIMATE)
        self.nanoseconds += _cost(equation, rule)
        self.fixed += _STEP if rule.nanoseconds else _STEP / 4
        outputs = [shape_of(variable) for variable in equation.outvars]
        if wide is not None:
            outputs = [np.broadcast_shapes(*[x.shape for x in operands])]
        results = self.call(function, operands, outputs, rule.view, several)
        if wide is not None and outputs[0] != wide:
            return [ProgramValue(shape=wide, small=results[0])]
        return results

    def call(self, function: Any, operands: list[ProgramValue], outputs: list[Any], view: bool = False,
             several: bool = False) -> list[ProgramValue]:  # fmt: skip
        """One call; its results now if all operands are constants."""
        operands = [self.whole(x) for x in operands]
        size = max(map(math.prod, outputs), default=0)
        if size <= _FOLDED and all(x.array is not None for x in operands):
            with np.errstate(all="ignore"):
                found = function(*[x.array for x in operands])
            return [_constant(np.asarray(one)) for one in (found if several else [found])]
        view = view and any(x.array is None for x in operands)
        results = [self.named(shape, view) for shape in outputs]
        self.steps.append(Step(function, operands, results, several))
        if len(self.steps) > _STEPS:
            raise LeftToXLA("a long program")
        return results

    def whole(self, x: ProgramValue) -> ProgramValue:
        """A value that is broadcast as the wide array that it stands for."""
        if x.small is None:
            return x
        self.pointwise = False
        if x.wide is None:
            spread = _filled if math.prod(x.shape) <= _FOLDED else np.broadcast_to
            x.wide = self.call(functools.partial(spread, shape=x.shape), [x.small], [x.shape], view=True)[0]
        return x.wide

    def named(self, shape: Any, view: bool = False) -> ProgramValue:
        self.count += 1
        return ProgramValue(f"t{self.count}", shape=tuple(shape), view=view)

    # -- source -----------------------------------------------------------------------------------------------------
    def source(
        self, inputs: list[ProgramValue], converted: Sequence[Any], results: list[ProgramValue], single: bool
    ) -> Any:
        """The function."""
        outputs = [self.whole(x) for x in results]
        needed, steps = {id(x) for x in outputs}, []
        for step in reversed(self.steps):
            if any(id(one) in needed for one in step.results):
                steps.append(step)
                needed.update(map(id, step.operands))
        names: dict[str, Any] = {"owned": owned, "asarray": np.asarray, "ndarray": np.ndarray}
        lines = [f"def program({', '.join(x.name for x in inputs)}):"]
        for x, dtype in zip(inputs, converted, strict=True):
            if dtype is not None:  # a Python number
                names[f"d{x.name}"] = dtype
                lines.append(f" {x.name} = asarray({x.name}, d{x.name})")
        last = {id(x): number for number, step in enumerate(reversed(steps)) for x in step.operands}
        kept = {id(x) for x in (*inputs, *outputs)}
        for number, step in enumerate(reversed(steps)):
            names[f"f{number}"] = step.function
            called = f"f{number}({', '.join(_text(x, names) for x in step.operands)})"
            targets = ", ".join(x.name for x in step.results)
            lines.append(f" {targets}{',' if step.several else ''} = {called}")
            done = {x.name for x in step.operands if last[id(x)] == number and id(x) not in kept and x.array is None}
            lines += [f" {name} = None" for name in sorted(done) if _large(step, name)]
        texts = []
        for x in outputs:
            if x.view or x.array is not None or x in inputs:
                texts.append(f"owned({_text(x, names)})")
                continue
            # nobody may write to a result; written out, for a call would cost more
            lines.append(f" if {x.name}.__class__ is not ndarray: {x.name} = asarray({x.name})")
            lines.append(f" {x.name}.setflags(write=False)")
            texts.append(x.name)
        lines.append(f" return {texts[0]}" if single else f" return ({' '.join(text + ',' for text in texts)})")
        exec("\n".join(lines), names)  # names and numbers of our own
        return names["program"]


def _large(step: Step, name: str) -> bool:
    return any(x.name == name and math.prod(x.shape) > _FREED for x in step.operands)


def _text(x: ProgramValue, names: dict[str, Any]) -> str:
    if x.array is None:
        return x.name
    name = f"c{id(x)}"
    names[name] = x.array
    return name


def _constant(array: Any) -> ProgramValue:
    array = array.view()
    array.setflags(write=False)
    return ProgramValue(array=array, shape=array.shape)


def _filled(x: Any, shape: Any) -> Any:
    """A small array that is broadcast, written out: faster than NumPy's view of it."""
    result = np.empty(shape, x.dtype)
    result[...] = x
    return result


def owned(x: Any) -> Any:
    """A result that may be a part of an input: in order, and without holding more memory than it needs."""
    if x.__class__ is not np.ndarray:
        x = np.asarray(x)
    elif not x.flags.c_contiguous:
        x = direct.in_order(x)
    elif 2 * x.nbytes < getattr(x.base, "nbytes", 0):
        x = x.copy()
    x.setflags(write=False)
    return x


def _cost(equation: Any, rule: Any) -> float:
    name, results = equation.primitive.name, equation.outvars
    copied = 0
    if name in _PICKED:  # touches what it picks
        variables = results
    elif name in _WRITTEN:
        variables, copied = equation.invars[_WRITTEN[name] :], math.prod(shape_of(results[0]))
    else:
        variables = [*equation.invars, *results]
    elements = max(math.prod(shape_of(variable)) for variable in variables)
    each = rule.nanoseconds
    if any(variable.aval.dtype in HALVES for variable in variables):
        each = each * _HALF + _CONVERTED
    if elements >= _LARGE:
        each += _FROM_MEMORY
    cost = _STEP + each * elements + _COPIED * copied if rule.nanoseconds else _STEP / 4
    if name == "transpose" and elements >= _FREED:
        cost += _TURNED * elements
    if equation.primitive.name == "dot_general":
        left = shape_of(equation.invars[0])
        depth = math.prod(left[axis] for axis in equation.params["dimension_numbers"][0][0])
        cost += math.prod(shape_of(equation.outvars[0])) * depth / 25
    if equation.primitive.name == "conv_general_dilated":
        spec = equation.params["dimension_numbers"].rhs_spec
        depth = math.prod(n for axis, n in enumerate(shape_of(equation.invars[1])) if axis != spec[0])
        cost += math.prod(shape_of(equation.outvars[0])) * depth / 10
    if equation.primitive.name.startswith(("reduce_window", "select_and")):
        cost += math.prod(equation.params["window_dimensions"]) * 2 * math.prod(shape_of(equation.outvars[0]))
    return cost


# -- nested jaxprs ---------------------------------------------------------------------------------------------------
def _part(writer: Writer, closed: Any) -> tuple[Any, float]:
    """A jaxpr as a function of its own that returns a tuple, and what it costs."""
    part = Writer()
    inputs = [part.named(shape_of(variable)) for variable in closed.jaxpr.invars]
    results = part.jaxpr(closed.jaxpr, closed.consts, inputs)
    writer.quiet = writer.quiet and part.quiet
    return part.source(inputs, [None] * len(inputs), results, False), part.nanoseconds + _STEP


def _loop_results(writer: Writer, equation: Any, function: Any, operands: list[ProgramValue]) -> list[ProgramValue]:
    check_dtypes(equation.invars)
    check_dtypes(equation.outvars)
    return writer.call(function, operands, [shape_of(variable) for variable in equation.outvars], True, True)


def _cond(writer: Writer, equation: Any, operands: list[ProgramValue]) -> list[ProgramValue]:
    branches = equation.params["branches"]
    chosen = operands[0].array
    if chosen is not None:
        branch = branches[min(max(int(chosen), 0), len(branches) - 1)]
        return writer.jaxpr(branch.jaxpr, branch.consts, operands[1:])
    parts = [_part(writer, branch) for branch in branches]
    writer.nanoseconds += max(cost for _, cost in parts)
    functions = [function for function, _ in parts]

    def choose(index: Any, *values: Any) -> Any:
        return functions[min(max(int(index), 0), len(functions) - 1)](*values)

    return _loop_results(writer, equation, choose, operands)


def _while(writer: Writer, equation: Any, operands: list[ProgramValue]) -> list[ProgramValue]:
    params = equation.params
    test, test_cost = _part(writer, params["cond_jaxpr"])
    body, body_cost = _part(writer, params["body_jaxpr"])
    writer.nanoseconds += _LOOPS * (test_cost + body_cost)
    first, second = params["cond_nconsts"], params["cond_nconsts"] + params["body_nconsts"]

    def loop(*values: Any) -> Any:
        of_test, of_body, carried = values[:first], values[first:second], values[second:]
        while test(*of_test, *carried)[0]:
            carried = body(*of_body, *carried)
        return carried

    return _loop_results(writer, equation, loop, operands)


def _scan(writer: Writer, equation: Any, operands: list[ProgramValue]) -> list[ProgramValue]:
    params = equation.params
    body, cost = _part(writer, params["jaxpr"])
    length, constants, carry = params["length"], params["num_consts"], params["num_carry"]
    writer.nanoseconds += length * cost
    order = range(length - 1, -1, -1) if params["reverse"] else range(length)
    stacked = [(shape_of(variable), variable.aval.dtype) for variable in equation.outvars[carry:]]

    def loop(*values: Any) -> Any:
        fixed, carried, rows = values[:constants], values[constants : constants + carry], values[constants + carry :]
        collected = [np.empty(shape, dtype) for shape, dtype in stacked]
        for step in order:
            found = body(*fixed, *carried, *[row[step] for row in rows])
            carried = found[:carry]
            for whole, part in zip(collected, found[carry:], strict=True):
                whole[step] = part
        return (*carried, *collected)

    return _loop_results(writer, equation, loop, operands)


_CONTROL = {"cond": _cond, "while": _while, "scan": _scan}


def write(closed: Any, numbers: Sequence[Any], single: bool) -> Program:
    """The program of a traced kernel; ``numbers`` has the dtype of each input that is a Python number, else None."""
    if closed.effects:
        raise LeftToXLA("effects")
    writer = Writer()
    inputs = [ProgramValue(f"a{number}", shape=shape_of(x), view=True) for number, x in enumerate(closed.jaxpr.invars)]
    check_dtypes(closed.jaxpr.invars)
    results = writer.jaxpr(closed.jaxpr, closed.consts, inputs)
    if writer.draws and writer.approximates:  # samples have the same bits in both modes
        raise LeftToXLA("samples")
    call = writer.source(inputs, numbers, results, single)
    native = native_program.write(closed, numbers, single, call if writer.pointwise else None)
    pointwise = writer.pointwise
    if native is None and pointwise:  # operands of several shapes
        native, pointwise = native_program.write(closed, numbers, single), False
    if native is not None:
        return Program(native.call, native.nanoseconds, True, pointwise, native.fixed)
    return Program(call, writer.nanoseconds + _STEP, writer.quiet, writer.pointwise, writer.fixed + _STEP)
