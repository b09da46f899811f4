"""One trace for all sizes: a kernel that has been called with several shapes is traced once more with symbolic ones.

The program of a new shape is then written from that trace, its sizes filled in, several times faster than by tracing; one that is
elementwise serves every shape as it is. A body that branches on a size has no such trace
(``base/open_sizes.py``), and is traced for each shape.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import jax
from jax.export import is_symbolic_dim
from jax.extend.core import Literal

from mindspore._engine.base import open_sizes
from mindspore._engine.base.kernel import Kernel
from mindspore._engine.interpreter import program

SAMPLES = 2  # shapes that were traced one by one before
ATTEMPTS = 3  # traces with symbolic sizes, each on other axes
_LIMIT = 1 << 31
_NUMBERS = (bool, int, float, complex)


def program_of(kernel: Kernel, values: Sequence[Any]) -> program.Program | None:
    """The program of a kernel for operands of new shapes, or None: they must be traced."""
    pattern = _pattern_of(values)
    known = kernel.open_forms.get(pattern)
    if known is None:
        known = kernel.open_forms[pattern] = OpenForm()
    return known.program_of(kernel, values)


class OpenForm:
    """What is known of a kernel's calls whose operands agree in rank, dtype, and axes of length 0 and 1."""

    __slots__ = ("attempts", "pointwise", "samples", "template")

    def __init__(self) -> None:
        self.samples: list[tuple] = []
        self.attempts = 0
        self.template: Template | None = None
        self.pointwise: tuple[program.Program, int] | None = None  # an elementwise one, and the size of its operands

    def program_of(self, kernel: Kernel, values: Sequence[Any]) -> program.Program | None:
        """The program for these operands, or None: they must be traced."""
        shapes = _shapes_of(values)
        size = max([_product(shape) for shape in shapes if shape is not None], default=1)
        sizes = None if self.template is None else self.template.sizes_of(shapes)
        if sizes is None:
            self.samples.append(shapes)
            if len(self.samples) <= SAMPLES or self.attempts >= ATTEMPTS:
                del self.samples[SAMPLES:]
                return None
            self.attempts += 1
            self.template, self.pointwise = _template(kernel, values, self.samples), None
            del self.samples[:-SAMPLES]
            sizes = None if self.template is None else self.template.sizes_of(shapes)
        if sizes is None or self.template is None:
            return None
        if self.pointwise is not None:
            known, before = self.pointwise
            return known._replace(nanoseconds=known.nanoseconds_at(before, size))
        try:
            written = self.template.write(sizes)
        except Exception:  # of any kind: tracing with these shapes raises the right error
            self.attempts, self.template = ATTEMPTS, None
            return None
        if written.pointwise:
            self.pointwise = written, max(size, 1)
        return written


def _pattern_of(values: Sequence[Any]) -> tuple:
    """The cache key that the calls of an ``OpenForm`` share."""
    return tuple([
        value.__class__ if value.__class__ in _NUMBERS else
        (value.dtype.num, getattr(value, "weak_type", False), tuple([min(length, open_sizes.LEAST) for length in value.shape]))
        for value in values
    ])  # fmt: skip


class Template:
    """A kernel traced with open sizes."""

    def __init__(self, names: Sequence[str], shapes: tuple, traced: Any, numbers: Sequence[Any]):
        self.names, self.shapes, self.traced, self.numbers = names, shapes, traced, numbers
        self.single = traced.out_tree == jax.tree.structure(0)
        self.known: dict[Any, Any] = {}

    def sizes_of(self, shapes: tuple) -> dict[str, int] | None:
        """What the open sizes are in a call; None if another one differs."""
        sizes: dict[str, int] = {}
        for open_shape, shape in zip(self.shapes, shapes, strict=True):
            for wanted, length in zip(open_shape or (), shape or ()):
                if wanted.__class__ is int:
                    if wanted != length:
                        return None
                elif sizes.setdefault(str(wanted), length) != length:
                    return None
        return sizes

    def write(self, sizes: dict[str, int]) -> program.Program:
        return program.write(_Filled(sizes).closed(self.traced.jaxpr), self.numbers, self.single)


def _template(kernel: Kernel, values: Sequence[Any], samples: list[tuple]) -> Template | None:
    """The kernel traced with symbolic sizes where the samples differ; axes that are always equally long share a symbol."""
    lengths: dict[tuple, int] = {}
    shapes: list[Any] = []
    for operand in zip(*samples, strict=True):
        if operand[0] is None:
            shapes.append(None)
            continue
        columns = list(zip(*operand, strict=True))
        shapes.append([
            column[0] if min(column) == max(column) else lengths.setdefault(column, len(lengths)) + _LIMIT
            for column in columns
        ])  # fmt: skip
    if not lengths:
        return None
    symbols = open_sizes.symbols([_LIMIT] * len(lengths))
    opened = tuple(
        None if shape is None else tuple([symbols[n - _LIMIT] if n >= _LIMIT else n for n in shape]) for shape in shapes
    )
    given = [
        value
        if shape is None
        else jax.ShapeDtypeStruct(shape, value.dtype, weak_type=getattr(value, "weak_type", False))
        for value, shape in zip(values, opened, strict=True)
    ]
    try:
        with open_sizes.decided(symbols[0]):
            traced = kernel.jitted.trace(*given)
        numbers = [x.dtype if shape is None else None for shape, x in zip(opened, traced.jaxpr.in_avals, strict=True)]
    except Exception:  # any: a question about a symbolic size has no answer; it is asked again with numbers
        return None
    if traced.out_tree not in (jax.tree.structure(0), jax.tree.structure((0,) * traced.out_tree.num_leaves)):
        return None
    return Template([str(symbol) for symbol in symbols], opened, traced, numbers)


def _shapes_of(values: Sequence[Any]) -> tuple:
    return tuple([None if value.__class__ in _NUMBERS else value.shape for value in values])


def _product(shape: Sequence[int]) -> int:
    count = 1
    for length in shape:
        count *= length
    return count


# -- a trace with its sizes filled in -----------------------------------------------------------------------------------
@dataclasses.dataclass(eq=False, slots=True)
class _Variable:
    aval: Any


@dataclasses.dataclass(eq=False, slots=True)
class _Equation:
    primitive: Any
    params: dict[str, Any]
    invars: list[Any]
    outvars: list[Any]


@dataclasses.dataclass(eq=False, slots=True)
class _Jaxpr:
    constvars: list[Any]
    invars: list[Any]
    outvars: list[Any]
    eqns: list[_Equation]
    effects: Any


@dataclasses.dataclass(eq=False, slots=True)
class _Closed:
    jaxpr: _Jaxpr
    consts: Sequence[Any]

    @property
    def effects(self) -> Any:
        return self.jaxpr.effects

    @property
    def in_avals(self) -> list[Any]:
        return [variable.aval for variable in self.jaxpr.invars]


class _Filled:
    """A jaxpr with numbers in place of symbolic sizes."""

    def __init__(self, sizes: dict[str, int]):
        self.sizes = sizes
        self.variables: dict[Any, _Variable] = {}

    def closed(self, closed: Any) -> _Closed:
        return _Closed(self.jaxpr(closed.jaxpr), closed.consts)

    def jaxpr(self, jaxpr: Any) -> _Jaxpr:
        return _Jaxpr([self.variable(v) for v in jaxpr.constvars], [self.variable(v) for v in jaxpr.invars],
                      [self.variable(v) for v in jaxpr.outvars], [self.equation(e) for e in jaxpr.eqns],
                      jaxpr.effects)  # fmt: skip

    def equation(self, equation: Any) -> _Equation:
        return _Equation(equation.primitive, {name: self.param(value) for name, value in equation.params.items()},
                         [self.variable(v) for v in equation.invars], [self.variable(v) for v in equation.outvars])  # fmt: skip

    def variable(self, variable: Any) -> Any:
        if variable.__class__ is Literal:
            return variable
        found = self.variables.get(variable)
        if found is None:
            aval = variable.aval
            shape = getattr(aval, "shape", ())
            if open_sizes.is_open(shape):
                weak = getattr(aval, "weak_type", False)
                aval = jax.ShapeDtypeStruct(self.shape(shape), aval.dtype, weak_type=weak)
            found = self.variables[variable] = _Variable(aval)
        return found

    def shape(self, shape: Sequence[Any]) -> tuple[int, ...]:
        return tuple([open_sizes.value_of(length, self.sizes) for length in shape])

    def param(self, value: Any) -> Any:
        kind = value.__class__
        if kind in (int, bool, str, float, type(None)):
            return value
        if kind in (tuple, list):
            return kind([self.param(one) for one in value])
        if is_symbolic_dim(value):
            return open_sizes.value_of(value, self.sizes)
        if hasattr(value, "eqns"):
            return self.jaxpr(value)
        if hasattr(value, "consts") and hasattr(value, "jaxpr"):
            return self.closed(value)
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return kind(*[self.param(one) for one in value])
        if dataclasses.is_dataclass(value) and not isinstance(value, type):  # a kernel of our own
            fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
            filled = {
                name: self.param(one) for name, one in fields.items() if isinstance(one, tuple) or is_symbolic_dim(one)
            }
            return dataclasses.replace(value, **filled) if filled else value
        return value
