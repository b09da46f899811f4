"""Lowering a jaxpr to the instructions of the C++ part: loops over strided memory (``_kernels/native/programs``).

Views of another value (transposed, sliced, broadcast) cost nothing: they differ in offset and strides. Equations of constants are
evaluated ahead; what has no lowering of its own becomes a call of NumPy's rule.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from jax.extend.core import Literal

from mindspore._engine.interpreter.nested import inner_jaxpr, plain_product
from mindspore._engine.interpreter.rules import RULES, shape_of

Shape = tuple[int, ...]
_TYPES = frozenset("?bBhHiIlLfd")
_MOST_ELEMENTS = 1 << 16  # of a value: beyond, the cost of a call does not matter
MOST_INSTRUCTIONS = 250
INSTRUCTION, CALL, _CALL_OF_NUMPY = (
    20.0,
    300.0,
    1500.0,
)  # nanoseconds of an instruction, of the program, of a rule of NumPy
SIMPLE, COSTLY = 0.1, 0.5  # nanoseconds for an element: of a sum or comparison, of an exponential and its kin
FLAT = (-1,)  # the shape of values, but scalars, in a program that serves every shape


class Unsuited(Exception):
    """This kernel stays a program of NumPy calls."""


class NativeSlot:
    """A buffer of the program: of an input, a constant, an intermediate value (``scratch``) or a result."""

    __slots__ = ("array", "bytes", "kind", "number")

    def __init__(self, kind: str, size: int = 0, array: Any = None):
        self.kind, self.bytes, self.array, self.number = kind, size, array, -1


class StridedView(NamedTuple):
    """Elements in a buffer: an offset and the stride of each axis, in bytes."""

    slot: NativeSlot
    offset: int
    strides: Shape


class NativeValue(NamedTuple):
    """A value of the program: a strided view of a buffer, with shape and dtype."""

    slot: NativeSlot
    offset: int
    strides: Shape
    shape: Shape
    dtype: np.dtype

    def view(self) -> StridedView:
        return StridedView(self.slot, self.offset, self.strides)

    @property
    def constant(self) -> np.ndarray | None:
        """The elements of a constant; None for other values."""
        if self.slot.array is None:
            return None
        base = self.slot.array.reshape(-1).view(np.uint8)
        return np.ndarray(self.shape, self.dtype, base, self.offset, self.strides) if self.dtype.itemsize else None


def contiguous_strides(shape: Shape, size: int) -> Shape:
    """The strides of a C-contiguous array."""
    strides, stride = [], size
    for length in reversed(shape):
        strides.append(stride)
        stride *= length
    return tuple(reversed(strides))


def type_char(dtype: Any) -> str:
    return np.dtype(dtype).char


class NativeWriter:
    """Collects the instructions of one program."""

    def __init__(self, flat: Shape | None, limit: int = MOST_INSTRUCTIONS):
        self.limit = limit  # instructions
        self.flat = flat  # the one shape of all operands but scalars, in a program that serves every shape
        self.instructions: list[tuple[str, tuple]] = []
        self.nanoseconds = 0.0

    # -- values -----------------------------------------------------------------------------------------------------------
    def shape(self, variable: Any) -> Shape:
        """The shape of a variable; ``FLAT`` for the shape that stands for every one."""
        if getattr(variable.aval.dtype, "char", "") not in _TYPES:  # a key of random numbers, an effect's token
            raise Unsuited(str(variable.aval.dtype))
        shape = shape_of(variable)
        if self.flat is not None:
            if shape == self.flat and shape:
                return FLAT
            if shape:
                raise Unsuited("several shapes")
        return shape

    def new(self, shape: Shape, dtype: Any) -> NativeValue:
        dtype = np.dtype(dtype)
        if math.prod(shape) > _MOST_ELEMENTS or len(shape) > 12:
            raise Unsuited("large")
        size = dtype.itemsize if shape == FLAT else math.prod(shape) * dtype.itemsize
        return NativeValue(NativeSlot("scratch", size), 0, contiguous_strides(shape, dtype.itemsize), shape, dtype)

    def constant(self, array: Any) -> NativeValue:
        array = np.array(array, order="C")
        if array.dtype.char not in _TYPES or (self.flat is not None and array.shape):
            raise Unsuited("a constant")
        array.setflags(write=False)
        return NativeValue(
            NativeSlot("constant", array=array),
            0,
            contiguous_strides(array.shape, array.dtype.itemsize),
            array.shape,
            array.dtype,
        )

    def add(self, kind: str, *described: Any, elements: int = 0, each: float = SIMPLE) -> None:
        self.nanoseconds += INSTRUCTION + elements * each
        self.instructions.append((kind, described))
        if len(self.instructions) > self.limit:
            raise Unsuited("a long program")

    def size(self, shape: Shape) -> int:
        return math.prod(self.flat or (1,)) if shape == FLAT else math.prod(shape)

    def contiguous(self, x: NativeValue) -> NativeValue:
        """The value, copied where its elements do not lie one after the other."""
        if x.strides == contiguous_strides(x.shape, x.dtype.itemsize) or math.prod(x.shape) == 0:
            return x
        made = self.new(x.shape, x.dtype)
        self.copy(x, made)
        return made

    def copy(self, x: NativeValue, into: NativeValue) -> None:
        """Copy elements into the buffer of another value, converted to its dtype."""
        self.add("copy", type_char(x.dtype), type_char(into.dtype), x.dtype.itemsize, into.shape, broadcast_view(x, into.shape), into.view(),
                 elements=self.size(into.shape))  # fmt: skip

    def reshaped(self, x: NativeValue, shape: Shape) -> NativeValue:
        if x.shape == shape:
            return x
        x = self.contiguous(x)
        return x._replace(shape=shape, strides=contiguous_strides(shape, x.dtype.itemsize))

    # -- instructions ------------------------------------------------------------------------------------------------------------
    def loop(
        self, ufunc: Any, operands: Sequence[NativeValue], dtype: Any, shape: Shape, each: float = SIMPLE
    ) -> NativeValue:
        """A ufunc's loop; axes along which all operands are broadcast are computed once."""
        narrow = shape
        if shape != FLAT:
            narrow = tuple([1 if all(not x.shape or x.strides[axis] == 0 or x.shape[axis] == 1 for x in operands) else length
                            for axis, length in enumerate(shape)])  # fmt: skip
        elif not any(x.shape for x in operands):
            narrow = ()
        made = self.new(narrow, dtype)
        types = "".join([type_char(x.dtype) for x in (*operands, made)])
        views = tuple([broadcast_view(x, shape) for x in operands])
        self.add("elementwise", ufunc, types, narrow, (*views, made.view()), elements=self.size(narrow), each=each)
        if narrow == shape or shape == FLAT:
            return made
        return made._replace(shape=shape, strides=tuple([stride if n == length else 0 for stride, n, length in
                                                       zip(made.strides, narrow, shape, strict=True)]))  # fmt: skip

    def select(self, which: NativeValue, no: NativeValue, yes: NativeValue, shape: Shape) -> NativeValue:
        made = self.new(shape, no.dtype)
        views = tuple([broadcast_view(x, shape) for x in (which, no, yes)])
        self.add("select", no.dtype.itemsize, shape, (*views, made.view()), elements=self.size(shape), each=0.3)
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
        """A call of the rule that NumPy programs use, between the instructions."""
        if self.flat is not None:
            raise Unsuited("a call")
        made = [self.new(self.shape(variable), variable.aval.dtype) for variable in equation.outvars]
        given, taken = ([(x.dtype.num, x.shape, x.view()) for x in side] for side in (operands, made))
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
            if name in LOWERINGS:
                return [LOWERINGS[name](self, equation, operands, shapes[0])]
            raise Unsuited(name)
        known = [x.constant for x in operands]
        if self.flat is None and all(x is not None for x in known) and max(map(math.prod, shapes), default=0) <= 4096:
            with np.errstate(all="ignore"):
                found = rule.make(equation)(*known)
            found = found if equation.primitive.multiple_results else [found]
            return [self.constant(np.asarray(one)) for one in found]
        special = LOWERINGS.get(name)
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
    """Nanoseconds of a loop for one element: less than a rule's, which allocates its results."""
    return rule.nanoseconds if rule.nanoseconds > 2 else COSTLY if rule.nanoseconds > 1 else SIMPLE


def _in_order(equation: Any) -> bool:
    """Whether a kernel of our own takes and returns C-contiguous arrays."""
    sides = ([variable.aval for variable in side] for side in (equation.invars, equation.outvars))
    return all(
        tuple(order) == tuple(range(len(order))) for side in equation.params["kernel"].layouts(*sides) for order in side
    )


def _needed(jaxpr: Any) -> list[Any]:
    """The equations that results depend on, in order."""
    wanted = {variable for variable in jaxpr.outvars if variable.__class__ is not Literal}
    found = []
    for equation in reversed(jaxpr.eqns):
        if any(variable in wanted for variable in equation.outvars):
            found.append(equation)
            wanted.update(variable for variable in equation.invars if variable.__class__ is not Literal)
    return found[::-1]


def broadcast_view(x: NativeValue, shape: Shape) -> StridedView:
    """A value broadcast to a shape: axes of length one, and those of scalars, have stride 0."""
    if not x.shape:
        return StridedView(x.slot, x.offset, (0,) * len(shape))
    if x.shape == shape:
        return x.view()
    if len(x.shape) != len(shape) or any(n not in (1, length) for n, length in zip(x.shape, shape, strict=True)):
        raise Unsuited(f"{x.shape} among {shape}")
    return StridedView(
        x.slot, x.offset, tuple([0 if n == 1 else stride for n, stride in zip(x.shape, x.strides, strict=True)])
    )


LOWERINGS: dict[str, Callable[[NativeWriter, Any, list[NativeValue], Shape], Any]] = {}


def lowers(*names: str) -> Callable[[Any], Any]:
    """Declare the lowering of one or several primitives; it may return None to leave an equation to NumPy's rule."""

    def declare(function: Any) -> Any:
        for name in names:
            LOWERINGS[name] = function
        return function

    return declare
