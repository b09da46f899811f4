"""A jaxpr as one call of the C++ part: its equations become loops over memory (``_kernels/native/programs``).

What only shows elements of another value (transposed, sliced, broadcast) costs nothing: it is a place with other steps. Equations
of constants are evaluated ahead; what has no loop is a call of NumPy's rule in between.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from jax.extend.core import Literal
from jax.lax import GatherScatterMode, RoundingMethod

from mindspore._engine.interpreter import native_part
from mindspore._engine.interpreter.nested import inner_jaxpr, plain_product
from mindspore._engine.interpreter.rules import RULES, LeftToXLA, shape_of
from mindspore._engine.interpreter.shapes import spread_shape

Shape = tuple[int, ...]
_TYPES = frozenset("?bBhHiIlLfd")
_MOST = 1 << 16  # elements of a value: beyond, what a call costs does not matter
_STEPS = 250
_STEP, _CALL, _CALL_OF_NUMPY = 20.0, 300.0, 1500.0  # nanoseconds of a step, of the program, and of a rule of NumPy
_SIMPLE, _COSTLY = 0.1, 0.5  # nanoseconds of an element: sums and comparisons, exponentials and their kin
_FLAT = (-1,)  # the shape of all values of a program for every shape, but single elements


class Unsuited(Exception):
    """This program is left to NumPy."""


class NativeSlot:
    """Memory of a value: an operand, a constant, an intermediate value or a result."""

    __slots__ = ("array", "bytes", "kind", "number")

    def __init__(self, kind: str, size: int = 0, array: Any = None):
        self.kind, self.bytes, self.array, self.number = kind, size, array, -1


class Place(NamedTuple):
    """Where an operand of a step lies."""

    slot: NativeSlot
    start: int
    steps: Shape


class NativeValue(NamedTuple):
    """A value of the program."""

    slot: NativeSlot
    start: int
    steps: Shape  # bytes, by axis
    shape: Shape
    dtype: np.dtype

    def place(self) -> Place:
        return Place(self.slot, self.start, self.steps)

    @property
    def constant(self) -> np.ndarray | None:
        """The elements, if they are known now."""
        if self.slot.array is None:
            return None
        base = self.slot.array.reshape(-1).view(np.uint8)
        return np.ndarray(self.shape, self.dtype, base, self.start, self.steps) if self.dtype.itemsize else None


def _straight(shape: Shape, size: int) -> Shape:
    """The steps of elements in order."""
    steps, step = [], size
    for length in reversed(shape):
        steps.append(step)
        step *= length
    return tuple(reversed(steps))


def _char(dtype: Any) -> str:
    return np.dtype(dtype).char


class NativeWriter:
    """Collects the steps of one program."""

    def __init__(self, flat: Shape | None, most: int = _STEPS):
        self.most = most  # steps
        self.flat = flat  # the shape that stands for every shape
        self.steps: list[tuple[str, tuple]] = []
        self.nanoseconds = 0.0

    # -- values -----------------------------------------------------------------------------------------------------------
    def shape(self, variable: Any) -> Shape:
        """The shape of a variable, as this program sees it."""
        if getattr(variable.aval.dtype, "char", "") not in _TYPES:  # a key of random numbers, an effect's token
            raise Unsuited(str(variable.aval.dtype))
        shape = shape_of(variable)
        if self.flat is not None:
            if shape == self.flat and shape:
                return _FLAT
            if shape:
                raise Unsuited("several shapes")
        return shape

    def new(self, shape: Shape, dtype: Any) -> NativeValue:
        dtype = np.dtype(dtype)
        if math.prod(shape) > _MOST or len(shape) > 12:
            raise Unsuited("large")
        size = dtype.itemsize if shape == _FLAT else math.prod(shape) * dtype.itemsize
        return NativeValue(NativeSlot("scratch", size), 0, _straight(shape, dtype.itemsize), shape, dtype)

    def constant(self, array: Any) -> NativeValue:
        array = np.array(array, order="C")
        if array.dtype.char not in _TYPES or (self.flat is not None and array.shape):
            raise Unsuited("a constant")
        array.setflags(write=False)
        return NativeValue(
            NativeSlot("constant", array=array),
            0,
            _straight(array.shape, array.dtype.itemsize),
            array.shape,
            array.dtype,
        )

    def add(self, kind: str, *described: Any, elements: int = 0, each: float = _SIMPLE) -> None:
        self.nanoseconds += _STEP + elements * each
        self.steps.append((kind, described))
        if len(self.steps) > self.most:
            raise Unsuited("a long program")

    def size(self, shape: Shape) -> int:
        return math.prod(self.flat or (1,)) if shape == _FLAT else math.prod(shape)

    def in_order(self, x: NativeValue) -> NativeValue:
        """The value with its elements one after the other."""
        if x.steps == _straight(x.shape, x.dtype.itemsize) or math.prod(x.shape) == 0:
            return x
        made = self.new(x.shape, x.dtype)
        self.copy(x, made)
        return made

    def copy(self, x: NativeValue, into: NativeValue) -> None:
        """Write the elements of one value, in the other's type, into the memory of another."""
        self.add("copy", _char(x.dtype), _char(into.dtype), x.dtype.itemsize, into.shape, _spread(x, into.shape), into.place(),
                 elements=self.size(into.shape))  # fmt: skip

    def reshaped(self, x: NativeValue, shape: Shape) -> NativeValue:
        if x.shape == shape:
            return x
        x = self.in_order(x)
        return x._replace(shape=shape, steps=_straight(shape, x.dtype.itemsize))

    # -- steps --------------------------------------------------------------------------------------------------------------
    def loop(
        self, ufunc: Any, operands: Sequence[NativeValue], dtype: Any, shape: Shape, each: float = _SIMPLE
    ) -> NativeValue:
        """One function of single elements; axes along which nothing changes are computed once."""
        narrow = shape
        if shape != _FLAT:
            narrow = tuple([1 if all(not x.shape or x.steps[axis] == 0 or x.shape[axis] == 1 for x in operands) else length
                            for axis, length in enumerate(shape)])  # fmt: skip
        elif not any(x.shape for x in operands):
            narrow = ()
        made = self.new(narrow, dtype)
        types = "".join([_char(x.dtype) for x in (*operands, made)])
        places = tuple([_spread(x, shape) for x in operands])
        self.add("elementwise", ufunc, types, narrow, (*places, made.place()), elements=self.size(narrow), each=each)
        if narrow == shape or shape == _FLAT:
            return made
        return made._replace(shape=shape, steps=tuple([step if n == length else 0 for step, n, length in
                                                       zip(made.steps, narrow, shape, strict=True)]))  # fmt: skip

    def select(self, which: NativeValue, no: NativeValue, yes: NativeValue, shape: Shape) -> NativeValue:
        made = self.new(shape, no.dtype)
        places = tuple([_spread(x, shape) for x in (which, no, yes)])
        self.add("select", no.dtype.itemsize, shape, (*places, made.place()), elements=self.size(shape), each=0.3)
        return made

    def convert(self, x: NativeValue, dtype: Any) -> NativeValue:
        if x.dtype == dtype:
            return x
        made = self.new(x.shape, dtype)
        self.copy(x, made)
        return made

    def called(
        self, function: Any, equation: Any, operands: Sequence[NativeValue], nanoseconds: float
    ) -> list[NativeValue]:
        """NumPy's rule."""
        if self.flat is not None:
            raise Unsuited("a call")
        made = [self.new(self.shape(variable), variable.aval.dtype) for variable in equation.outvars]
        given, taken = ([(x.dtype.num, x.shape, x.place()) for x in side] for side in (operands, made))
        self.add("call", function, tuple(given), tuple(taken))
        self.nanoseconds += nanoseconds + _CALL_OF_NUMPY
        return made

    # -- equations -------------------------------------------------------------------------------------------------------------
    def jaxpr(self, jaxpr: Any, constants: Sequence[Any], inputs: Sequence[NativeValue]) -> list[NativeValue]:
        known: dict[Any, NativeValue] = {}
        for variable, constant in zip(jaxpr.constvars, constants, strict=True):
            known[variable] = self.constant(np.asarray(constant))
        known.update(zip(jaxpr.invars, inputs, strict=True))

        def read(variable: Any) -> NativeValue:
            if variable.__class__ is Literal:
                return self.constant(np.asarray(variable.val, variable.aval.dtype))
            return known[variable]

        for equation in _needed(jaxpr):
            results = self.equation(equation, [read(variable) for variable in equation.invars])
            known.update(zip(equation.outvars, results, strict=True))
        return [read(variable) for variable in jaxpr.outvars]

    def equation(self, equation: Any, operands: list[NativeValue]) -> list[NativeValue]:
        name = equation.primitive.name
        inner = plain_product(equation) or inner_jaxpr(equation)
        if inner is not None:
            return self.jaxpr(inner.jaxpr, inner.consts, operands)
        shapes = [self.shape(variable) for variable in equation.outvars]
        rule = RULES.get(name)
        if rule is None:
            if name in _STEPS_OF:
                return [_STEPS_OF[name](self, equation, operands, shapes[0])]
            raise Unsuited(name)
        known = [x.constant for x in operands]
        if self.flat is None and all(x is not None for x in known) and max(map(math.prod, shapes), default=0) <= 4096:
            with np.errstate(all="ignore"):
                found = rule.make(equation)(*known)
            found = found if equation.primitive.multiple_results else [found]
            return [self.constant(np.asarray(one)) for one in found]
        special = _STEPS_OF.get(name)
        if special is not None:
            found = special(self, equation, operands, shapes[0])
            if found is not None:
                return found if found.__class__ is list else [found]
        function = rule.make(equation)
        if rule.elementwise and isinstance(function, np.ufunc) and len(operands) == function.nin:
            return [self.loop(function, operands, equation.outvars[0].aval.dtype, shapes[0], _each(rule))]
        if name == "native" and not _in_order(equation):
            raise Unsuited("another order in memory")
        elements = max([self.size(x.shape) for x in operands] + [self.size(shape) for shape in shapes])
        return self.called(function, equation, operands, rule.nanoseconds * elements)


def _each(rule: Any) -> float:
    """What a loop takes for an element; rules are slower, for they allocate their results."""
    return rule.nanoseconds if rule.nanoseconds > 2 else _COSTLY if rule.nanoseconds > 1 else _SIMPLE


def _in_order(equation: Any) -> bool:
    """Whether a kernel of our own takes and gives its operands in order."""
    sides = ([variable.aval for variable in side] for side in (equation.invars, equation.outvars))
    return all(
        tuple(order) == tuple(range(len(order))) for side in equation.params["kernel"].layouts(*sides) for order in side
    )


def _needed(jaxpr: Any) -> list[Any]:
    """The equations that results depend on."""
    wanted = {variable for variable in jaxpr.outvars if variable.__class__ is not Literal}
    found = []
    for equation in reversed(jaxpr.eqns):
        if any(variable in wanted for variable in equation.outvars):
            found.append(equation)
            wanted.update(variable for variable in equation.invars if variable.__class__ is not Literal)
    return found[::-1]


def _spread(x: NativeValue, shape: Shape) -> Place:
    """The place of a value in a step of this shape: axes of length one, and single elements, do not step."""
    if not x.shape:
        return Place(x.slot, x.start, (0,) * len(shape))
    if x.shape == shape:
        return x.place()
    if len(x.shape) != len(shape) or any(n not in (1, length) for n, length in zip(x.shape, shape, strict=True)):
        raise Unsuited(f"{x.shape} among {shape}")
    return Place(x.slot, x.start, tuple([0 if n == 1 else step for n, step in zip(x.shape, x.steps, strict=True)]))


# -- steps of primitives ----------------------------------------------------------------------------------------------------------
_STEPS_OF: dict[str, Callable[[NativeWriter, Any, list[NativeValue], Shape], Any]] = {}


def _step(*names: str) -> Callable[[Any], Any]:
    def declare(function: Any) -> Any:
        for name in names:
            _STEPS_OF[name] = function
        return function

    return declare


@_step("copy", "stop_gradient", "copy_p")
def _same(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    return operands[0]


@_step("convert_element_type")
def _convert(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    return writer.convert(operands[0], np.dtype(equation.params["new_dtype"]))


@_step("rsqrt")
def _rsqrt(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    (x,) = operands
    return writer.loop(
        np.divide, [writer.constant(np.ones((), x.dtype)), writer.loop(np.sqrt, [x], x.dtype, shape)], x.dtype, shape
    )


@_step("logistic")
def _logistic(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    (x,) = operands
    one = writer.constant(np.ones((), x.dtype))
    power = writer.loop(np.exp, [writer.loop(np.negative, [x], x.dtype, shape)], x.dtype, shape, _COSTLY)
    return writer.loop(np.divide, [one, writer.loop(np.add, [one, power], x.dtype, shape)], x.dtype, shape)


@_step("clamp")
def _clamp(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    low, x, high = operands
    return writer.loop(np.minimum, [writer.loop(np.maximum, [x, low], x.dtype, shape), high], x.dtype, shape)


@_step("select_n")
def _select(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    if len(operands) != 3 or operands[0].dtype != np.bool_:
        return None
    which, no, yes = operands
    return writer.select(which, no, yes, shape)


@_step("integer_pow")
def _integer_pow(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    exponent, (x,) = equation.params["y"], operands
    if exponent == 0 or x.dtype == np.bool_ or (exponent < 0 and x.dtype.kind != "f"):
        return None
    result: Any = None
    left, square = abs(exponent), x
    while left:
        if left & 1:
            result = square if result is None else writer.loop(np.multiply, [result, square], x.dtype, shape)
        left >>= 1
        if left:
            square = writer.loop(np.multiply, [square, square], x.dtype, shape)
    return (
        result
        if exponent > 0
        else writer.loop(np.divide, [writer.constant(np.ones((), x.dtype)), result], x.dtype, shape)
    )


@_step("round")
def _round(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    if equation.params["rounding_method"] != RoundingMethod.TO_NEAREST_EVEN:
        return None
    return writer.loop(np.rint, operands, operands[0].dtype, shape)


@_step("div", "rem")
def _div(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    if operands[0].dtype.kind != "f":
        return None
    ufunc = np.divide if equation.primitive.name == "div" else np.fmod
    return writer.loop(ufunc, operands, operands[0].dtype, shape)


@_step("dim_as_value")
def _dim(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    return writer.constant(np.asarray(equation.params["dim"], equation.outvars[0].aval.dtype))


@_step("broadcast_in_dim")
def _broadcast(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    (x,) = operands
    if shape == _FLAT:
        return x._replace(shape=_FLAT, steps=(0,)) if not x.shape else x
    wide = spread_shape(equation)
    steps, axes = [0] * len(shape), equation.params["broadcast_dimensions"]
    for axis, length, step in zip(axes, x.shape, x.steps, strict=True):
        steps[axis] = 0 if wide[axis] == 1 and shape[axis] != 1 else step if length != 1 else 0
    return x._replace(shape=shape, steps=tuple(steps))


@_step("reshape", "squeeze", "expand_dims")
def _reshape(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    if equation.primitive.name == "reshape" and equation.params.get("dimensions") is not None:
        return None
    (x,) = operands
    if [n for n in x.shape if n != 1] == [n for n in shape if n != 1]:  # axes of length one come and go
        steps = iter([step for step, n in zip(x.steps, x.shape, strict=True) if n != 1])
        return x._replace(shape=shape, steps=tuple([0 if n == 1 else next(steps) for n in shape]))
    return writer.reshaped(x, shape)


@_step("transpose")
def _transpose(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    (x,) = operands
    return x._replace(shape=shape, steps=tuple([x.steps[axis] for axis in equation.params["permutation"]]))


@_step("rev")
def _rev(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    (x,) = operands
    steps, start = list(x.steps), x.start
    for axis in equation.params["dimensions"]:
        start += max(x.shape[axis] - 1, 0) * steps[axis]
        steps[axis] = -steps[axis]
    return x._replace(start=start, steps=tuple(steps))


def _part(x: NativeValue, axis: int, start: int, length: int) -> NativeValue:
    shape = (*x.shape[:axis], length, *x.shape[axis + 1 :])
    return x._replace(shape=shape, start=x.start + start * x.steps[axis])


@_step("slice")
def _slice(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    (x,) = operands
    strides = equation.params["strides"] or (1,) * len(shape)
    start = x.start + sum(n * step for n, step in zip(equation.params["start_indices"], x.steps, strict=True))
    return x._replace(
        start=start, shape=shape, steps=tuple([step * n for step, n in zip(x.steps, strides, strict=True)])
    )


@_step("split")
def _split(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    (x,), axis, start, found = operands, equation.params["axis"], 0, []
    for size in equation.params["sizes"]:
        found.append(_part(x, axis, start, int(size)))
        start += int(size)
    return found


@_step("unstack")
def _unstack(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    (x,), axis = operands, equation.params["axis"]
    steps = (*x.steps[:axis], *x.steps[axis + 1 :])
    return [
        x._replace(start=x.start + n * x.steps[axis], shape=shape, steps=steps) for n in range(len(equation.outvars))
    ]


@_step("concatenate")
def _concatenate(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    axis, made, start = equation.params["dimension"], writer.new(shape, operands[0].dtype), 0
    for x in operands:
        writer.copy(x, _part(made, axis, start, x.shape[axis]))
        start += x.shape[axis]
    return made


@_step("stack")
def _stack(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    axis, made = equation.params["axis"], writer.new(shape, operands[0].dtype)
    steps = (*made.steps[:axis], *made.steps[axis + 1 :])
    for n, x in enumerate(operands):
        writer.copy(x, made._replace(start=n * made.steps[axis], shape=x.shape, steps=steps))
    return made


@_step("pad")
def _pad(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    x, value = operands
    config = equation.params["padding_config"]
    if any(low < 0 or high < 0 for low, high, _ in config):
        return None
    made = writer.new(shape, x.dtype)
    writer.copy(value, made)
    start = sum(low * step for (low, _, _), step in zip(config, made.steps, strict=True))
    steps = tuple([step * (between + 1) for (_, _, between), step in zip(config, made.steps, strict=True)])
    writer.copy(x, made._replace(start=start, shape=x.shape, steps=steps))
    return made


_REDUCTIONS = {"reduce_sum": np.add, "reduce_prod": np.multiply, "reduce_max": np.maximum, "reduce_min": np.minimum,
               "reduce_and": np.bitwise_and, "reduce_or": np.bitwise_or, "reduce_xor": np.bitwise_xor}  # fmt: skip


@_step(*_REDUCTIONS)
def _reduce(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    (x,), axes = operands, equation.params["axes"]
    if writer.flat is not None or x.dtype != equation.outvars[0].aval.dtype or 0 in x.shape:
        return None
    if not axes:
        return x
    kept = [axis for axis in range(len(x.shape)) if axis not in axes]
    ufunc, char = _REDUCTIONS[equation.primitive.name], _char(x.dtype)
    made = writer.new(shape, x.dtype)
    steps = tuple([x.steps[axis] for axis in (*kept, *axes)])
    lengths = tuple([x.shape[axis] for axis in axes])
    writer.add("reduce", ufunc, 3 * char, x.dtype.itemsize, shape, lengths, Place(x.slot, x.start, steps), made.place(),
               elements=math.prod(x.shape), each=0.3)  # fmt: skip
    return made


_SCANS = {"cumsum": np.add, "cumprod": np.multiply, "cummax": np.maximum, "cummin": np.minimum}


@_step(*_SCANS)
def _scan(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    (x,), axis = operands, equation.params["axis"]
    if writer.flat is not None:
        raise Unsuited("a scan")
    made = writer.new(shape, x.dtype)
    rest = [n for n in range(len(shape)) if n != axis]
    places = []
    for one in (x, made):
        start, step = one.start, one.steps[axis]
        if equation.params["reverse"]:
            start, step = start + max(shape[axis] - 1, 0) * step, -step
        places.append(Place(one.slot, start, (*[one.steps[n] for n in rest], step)))
    lengths = tuple([shape[n] for n in rest])
    writer.add("scan", _SCANS[equation.primitive.name], 3 * _char(x.dtype), x.dtype.itemsize, lengths, shape[axis], *places,
               elements=math.prod(shape), each=5.0)  # fmt: skip
    return made


@_step("argmax", "argmin")
def _position(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    (x,), (axis,) = operands, equation.params["axes"]
    dtype = np.dtype(equation.params["index_dtype"])
    if x.dtype.char not in "?Bbilfd" or dtype not in (np.int32, np.int64) or x.shape[axis] == 0:
        return None
    made = writer.new(shape, dtype)
    steps = (*x.steps[:axis], *x.steps[axis + 1 :], x.steps[axis])
    writer.add("position", x.dtype.char, equation.primitive.name == "argmax", dtype == np.int64, shape, x.shape[axis],
               Place(x.slot, x.start, steps), made.place(), elements=math.prod(x.shape), each=1.0)  # fmt: skip
    return made


@_step("dot_general")
def _product(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    (left_over, right_over), (left_batch, right_batch) = equation.params["dimension_numbers"]
    x, y = operands
    dtype = np.dtype(equation.outvars[0].aval.dtype)
    if x.dtype != dtype or y.dtype != dtype or dtype == np.bool_ or 0 in (*x.shape, *y.shape):
        return None
    left_free = [axis for axis in range(len(x.shape)) if axis not in (*left_over, *left_batch)]
    right_free = [axis for axis in range(len(y.shape)) if axis not in (*right_over, *right_batch)]
    left = _matrix(writer, x, left_batch, left_free, left_over)
    right = _matrix(writer, y, right_batch, right_over, right_free)
    batch = tuple([x.shape[axis] for axis in left_batch])
    rows, depth, columns = left.shape[-2], left.shape[-1], right.shape[-1]
    made = writer.new((*batch, rows, columns), dtype)
    writer.add("product", np.matmul, 3 * _char(dtype), batch, (rows, depth, columns), (left.place(), right.place(), made.place()),
               elements=math.prod(made.shape) * depth, each=0.02)  # fmt: skip
    writer.nanoseconds += 40.0 * math.prod(batch)
    return writer.reshaped(made, shape)


def _matrix(
    writer: NativeWriter, x: NativeValue, batch: Sequence[int], rows: Sequence[int], columns: Sequence[int]
) -> NativeValue:
    """A value as matrices: axes of rows and of columns joined, one of them without gaps."""
    order = (*batch, *rows, *columns)
    turned = x._replace(shape=tuple([x.shape[axis] for axis in order]), steps=tuple([x.steps[axis] for axis in order]))
    lead, split = len(batch), len(batch) + len(rows)
    joined = [_joined(turned.shape[a:b], turned.steps[a:b]) for a, b in ((lead, split), (split, len(order)))]
    if None in joined:
        turned = writer.in_order(turned)
        joined = [_joined(turned.shape[a:b], turned.steps[a:b]) for a, b in ((lead, split), (split, len(order)))]
    (height, row), (width, column) = joined
    size = x.dtype.itemsize
    found = turned._replace(shape=(*turned.shape[:lead], height, width), steps=(*turned.steps[:lead], row, column))
    if height > 1 and width > 1 and size not in (row, column):
        return writer.in_order(found)
    if height == 1 or width == 1:  # steps along them are arbitrary
        along = column if height == 1 else row
        if max(height, width) > 1 and along != size:
            return writer.in_order(found)
        steps = (width * size, size) if height == 1 else (size, size)
        return found._replace(steps=(*turned.steps[:lead], *steps))
    return found


def _joined(shape: Shape, steps: Shape) -> Any:
    """Several axes as one: its length and step; None if they are none."""
    length, step = 1, 0
    for n, one in zip(reversed(shape), reversed(steps), strict=True):
        if n == 1:
            continue
        if length == 1:
            length, step = n, one
        elif one != length * step:
            return None
        else:
            length *= n
    return length, step


# -- indices ----------------------------------------------------------------------------------------------------------------------
_INDEX_TYPES = frozenset("iIlB")
_COMBINED = {"scatter": None, "scatter-add": np.add, "scatter-sub": np.subtract, "scatter-mul": np.multiply,
             "scatter-min": np.minimum, "scatter-max": np.maximum}  # fmt: skip


def _starts(x: NativeValue, indices: NativeValue, axes: Sequence[int], sizes: Sequence[int]) -> tuple:
    """How indices name windows of a value: one number for each of these axes."""
    if indices.dtype.char not in _INDEX_TYPES or any(x.shape[axis] < sizes[axis] for axis in axes):
        raise Unsuited("indices")
    return tuple([
        (Place(indices.slot, indices.start + n * indices.steps[-1], indices.steps[:-1]), indices.dtype.char,
         x.shape[axis] - sizes[axis], x.steps[axis])
        for n, axis in enumerate(axes)
    ])  # fmt: skip


def _fill_of(dtype: np.dtype, value: Any) -> bytes:
    if value is None:
        value = {"i": lambda: np.iinfo(dtype).min, "u": lambda: np.iinfo(dtype).max, "b": lambda: True}.get(
            dtype.kind, lambda: np.nan
        )()
    return np.asarray(value, dtype).tobytes()


@_step("gather")
def _gather(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    (x, indices), params, numbers = operands, equation.params, equation.params["dimension_numbers"]
    if writer.flat is not None or 0 in x.shape or not x.shape:
        return None
    sizes, fills = params["slice_sizes"], params["mode"] == GatherScatterMode.FILL_OR_DROP
    made = writer.new(shape, x.dtype)
    window = [
        axis
        for axis in range(len(x.shape))
        if axis not in (*numbers.collapsed_slice_dims, *numbers.operand_batching_dims)
    ]
    outer = [axis for axis in range(len(shape)) if axis not in numbers.offset_dims]
    along = [0] * len(outer)
    for axis, of in zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims, strict=True):
        along[of] += x.steps[axis]
    source = Place(x.slot, x.start, (*along, *[x.steps[axis] for axis in window]))
    target = Place(made.slot, made.start, tuple([made.steps[axis] for axis in (*outer, *numbers.offset_dims)]))
    fill = _fill_of(x.dtype, params["fill_value"]) if fills else b""
    writer.add("windows", None, "", x.dtype.itemsize, indices.shape[:-1], tuple([sizes[axis] for axis in window]),
               _starts(x, indices, numbers.start_index_map, sizes), source, target, False, not fills, fill,
               elements=math.prod(shape), each=1.0)  # fmt: skip
    return made


@_step(*_COMBINED)
def _scatter(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    (x, indices, updates), params, numbers = operands, equation.params, equation.params["dimension_numbers"]
    if writer.flat is not None or not x.shape or 0 in x.shape or 0 in updates.shape or updates.dtype != x.dtype:
        return None
    combine = _COMBINED[equation.primitive.name]
    if x.dtype == np.bool_ and combine is not None:
        return None
    dropped = (*numbers.inserted_window_dims, *numbers.operand_batching_dims)
    lengths = iter([updates.shape[axis] for axis in numbers.update_window_dims])
    sizes = [1 if axis in dropped else next(lengths) for axis in range(len(x.shape))]
    made = writer.new(shape, x.dtype)
    writer.copy(x, made)
    window = [axis for axis in range(len(x.shape)) if axis not in dropped]
    outer = [axis for axis in range(len(updates.shape)) if axis not in numbers.update_window_dims]
    along = [0] * len(outer)
    for axis, of in zip(numbers.operand_batching_dims, numbers.scatter_indices_batching_dims, strict=True):
        along[of] += made.steps[axis]
    source = Place(
        updates.slot, updates.start, tuple([updates.steps[axis] for axis in (*outer, *numbers.update_window_dims)])
    )
    target = Place(made.slot, made.start, (*along, *[made.steps[axis] for axis in window]))
    starts = _starts(made, indices, numbers.scatter_dims_to_operand_dims, sizes)
    writer.add("windows", combine, "" if combine is None else 3 * _char(x.dtype), x.dtype.itemsize, indices.shape[:-1],
               tuple([sizes[axis] for axis in window]), starts, source, target, True, params["mode"] == GatherScatterMode.CLIP, b"",
               elements=math.prod(updates.shape), each=1.5)  # fmt: skip
    return made


@_step("dynamic_slice")
def _dynamic_slice(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    x, *starts = operands
    if len(starts) != len(x.shape) or any(start.dtype.char not in _INDEX_TYPES for start in starts):
        return None
    made = writer.new(shape, x.dtype)
    named = tuple(
        [
            (start.place(), start.dtype.char, x.shape[axis] - shape[axis], x.steps[axis])
            for axis, start in enumerate(starts)
        ]
    )
    writer.add("windows", None, "", x.dtype.itemsize, (), shape, named, x.place(), made.place(), False, True, b"",
               elements=math.prod(shape))  # fmt: skip
    return made


@_step("dynamic_update_slice")
def _dynamic_update_slice(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    x, part, *starts = operands
    if len(starts) != len(x.shape) or any(start.dtype.char not in _INDEX_TYPES for start in starts):
        return None
    made = writer.new(shape, x.dtype)
    writer.copy(x, made)
    named = tuple([(start.place(), start.dtype.char, shape[axis] - part.shape[axis], made.steps[axis])
                   for axis, start in enumerate(starts)])  # fmt: skip
    writer.add("windows", None, "", x.dtype.itemsize, (), part.shape, named, part.place(), made.place(), True, True, b"",
               elements=math.prod(part.shape))  # fmt: skip
    return made


# -- the program --------------------------------------------------------------------------------------------------------------------
class NativeProgram(NamedTuple):
    """A function of NumPy arrays, and what it costs."""

    call: Any
    nanoseconds: float
    fixed: float  # the part of the nanoseconds that does not depend on sizes


def write(
    closed: Any, numbers: Sequence[Any], single: bool, instead: Any = None, most: int = _STEPS
) -> NativeProgram | None:
    """The program of a traced kernel; None if it has to be NumPy's.

    ``instead`` is NumPy's program where it serves every shape, and so does this one then.
    """
    module = native_part.module()
    if module is None or closed.effects:
        return None
    shapes = {shape_of(variable) for variable in closed.jaxpr.invars} - {()}
    flat = None
    if instead is not None:
        if len(shapes) != 1:
            return None
        (flat,) = shapes
    writer = NativeWriter(flat, most)
    try:
        inputs = [_input(writer.shape(x), x.aval.dtype) for x in closed.jaxpr.invars]
        if any(number is not None and _char(number) not in "?ilfd" for number in numbers):
            return None
        results = _stored(writer, writer.jaxpr(closed.jaxpr, closed.consts, inputs), closed)
        call = _made(module, writer, inputs, numbers, results, single, instead)
        return NativeProgram(call, writer.nanoseconds + _CALL, len(writer.steps) * _STEP + _CALL)
    except (Unsuited, LeftToXLA):
        return None


def _input(shape: Shape, dtype: np.dtype) -> NativeValue:
    return NativeValue(NativeSlot("input"), 0, _straight(shape, dtype.itemsize), shape, dtype)


def _stored(writer: NativeWriter, results: Sequence[NativeValue], closed: Any) -> list[NativeValue]:
    """The results, each in memory of its own and in order."""
    stored = []
    for x, variable in zip(results, closed.jaxpr.outvars, strict=True):
        shape = writer.shape(variable)
        whole = x.slot.bytes == (x.dtype.itemsize if shape == _FLAT else math.prod(shape) * x.dtype.itemsize)
        straight = x.start == 0 and x.steps == _straight(shape, x.dtype.itemsize)
        if not straight and shape != _FLAT and whole and x.start == 0:  # steps of axes of length one do not matter
            straight = all(n == 1 or step == right for n, step, right in
                           zip(shape, x.steps, _straight(shape, x.dtype.itemsize), strict=True))  # fmt: skip
        if x.slot.kind != "scratch" or not straight or not whole:
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
    instead: Any,
) -> Any:
    slots: dict[str, list[NativeSlot]] = {kind: [] for kind in ("input", "constant", "scratch", "result")}
    slots["input"] = [x.slot for x in inputs]
    slots["result"] = [x.slot for x in results]

    def note(described: Any) -> None:
        if described.__class__ is Place:
            slot = described.slot
            if slot.number < 0 and slot.kind in ("constant", "scratch"):
                slot.number = 0
                slots[slot.kind].append(slot)
        elif described.__class__ is tuple:
            for one in described:
                note(one)

    for _, described in writer.steps:
        note(described)
    for number, slot in enumerate([slot for kind in slots.values() for slot in kind]):
        slot.number = number

    def placed(described: Any) -> Any:
        if described.__class__ is Place:  # NumPy's integers in an equation's parameters are none to the C++ part
            return described.slot.number, int(described.start), tuple(map(int, described.steps))
        if isinstance(described, np.integer):
            return int(described)
        return tuple([placed(one) for one in described]) if described.__class__ is tuple else described

    values = tuple([(x.dtype.num, number is not None, x.shape) for x, number in zip(inputs, numbers, strict=True)])
    return module.Program(
        values, tuple([slot.array for slot in slots["constant"]]), tuple([slot.bytes for slot in slots["scratch"]]),
        tuple([(x.dtype.num, False, x.shape) for x in results]),
        tuple([(kind, placed(described)) for kind, described in writer.steps]), single, instead,
    )  # fmt: skip
