"""The builder of a graph of MindSpore's primitives: values, nodes, functions."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from jax.export import symbolic_shape

from mindspore._engine.base.open_sizes import EXPORTED
from mindspore._engine.export.mindir.known_primitives import FUNCTIONS, WITH_ATTRIBUTES
from mindspore._engine.export.mindir.refused_dtypes import REFUSED

WHOLE = -1  # the size that Reshape computes itself
Size = int | str  # an open size is the text of jax's expression for it
_ARITHMETIC = {ast.Add: "ScalarAdd", ast.Sub: "ScalarSub", ast.Mult: "ScalarMul"}
_CALLED = {"floordiv": "ScalarFloorDiv", "mod": "ScalarMod", "max": "ScalarMax", "min": "ScalarMin"}


class WithoutPrimitive(Exception):
    """What has no form in MindSpore's primitives."""


@dataclass(frozen=True)
class TensorForm:
    """Shape and dtype of a tensor."""

    shape: tuple[Size, ...]
    dtype: np.dtype


@dataclass(frozen=True)
class GraphValue:
    """A tensor of the graph: made by a node, or known while the graph is made."""

    form: TensorForm
    name: str = ""
    array: np.ndarray | None = None

    @property
    def shape(self) -> tuple[Size, ...]:
        return self.form.shape

    @property
    def dtype(self) -> np.dtype:
        return self.form.dtype


@dataclass
class GraphNode:
    """``callee`` is a primitive's name, the name of a function, or that of a value to call."""

    output: str
    kind: str  # 'primitive', 'call' or 'constant'
    callee: str
    inputs: tuple[str, ...] = ()
    attributes: dict[str, Any] = field(default_factory=dict)
    form: Any = None  # a TensorForm, sequences of them, a FunctionForm, or 'monad'
    value: Any = None  # of a constant


@dataclass
class GraphFunction:
    """One function of the file."""

    name: str
    inputs: list[tuple[str, Any]] = field(default_factory=list)
    nodes: list[GraphNode] = field(default_factory=list)
    output: str = ""
    form: Any = None


@dataclass(frozen=True)
class FunctionForm:
    """A value that is one of these functions."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class Raw:
    """The name of anything that is no tensor."""

    name: str


def form_of(aval: Any) -> TensorForm:
    return TensorForm(tuple(map(size_of, aval.shape)), np.dtype(aval.dtype))


def size_of(size: Any) -> Size:
    return int(size) if isinstance(size, (int, np.integer)) else str(size)


def plus(size: Size, more: Size) -> Size:
    """The sum of two sizes, of which one may be open."""
    if isinstance(size, int) and isinstance(more, int):
        return size + more
    one, other = (symbolic_shape(text, scope=EXPORTED)[0] if isinstance(text, str) else text for text in (size, more))
    return size_of(one + other)


def times(size: Size, factor: int) -> Size:
    """A multiple of a size that may be open."""
    return size * factor if isinstance(size, int) else size_of(symbolic_shape(size, scope=EXPORTED)[0] * factor)


def is_open(sizes: Sequence[Size]) -> bool:
    """Whether a shape has sizes that only the inputs will tell."""
    return any(isinstance(size, str) for size in sizes)


def known_shape(sizes: Sequence[Size]) -> tuple[int, ...]:
    if is_open(sizes):
        raise WithoutPrimitive("of open sizes")
    return tuple(int(size) for size in sizes)


# Dtypes that hold all numbers of another one, and primitives that are right modulo 2**64.
_INTEGERS, _REALS = ("int32", "int64"), ("float32", "float64")
_WIDER = {**dict.fromkeys(("bool", "int8", "int16", "uint8", "uint16"), _INTEGERS), "uint32": ("int64",), "uint64": ("int64",),
          "float16": _REALS, "bfloat16": _REALS}  # fmt: skip
_WRAP = frozenset({"Add", "Sub", "Mul", "Neg", "MatMul", "TensorScatterAdd", "TensorScatterSub", "TensorScatterUpdate"})
_TRUTHS = frozenset({"Less", "LessEqual", "Greater", "GreaterEqual", "Equal", "NotEqual", "LogicalAnd", "LogicalOr", "LogicalXor",
                     "LogicalNot", "IsFinite", "IsNan", "ReduceAll", "ReduceAny"})  # fmt: skip


def _operands(inputs: Sequence[Any]) -> list[GraphValue]:
    found = []
    for one in inputs:
        found += [one] if isinstance(one, GraphValue) else _operands(one) if isinstance(one, (tuple, list)) else []
    return found


class PrimitiveBuilder:
    """Makes the nodes of one function; functions of the same file share numbers."""

    def __init__(self, name: str, functions: list[GraphFunction], numbers: Any = None):
        self.function = GraphFunction(name)
        self.functions = functions
        functions.append(self.function)
        self.numbers = itertools.count(1) if numbers is None else numbers
        self.constants: dict[Any, str] = {}
        self.sizes: dict[str, str] = {}

    def inner(self, title: str) -> PrimitiveBuilder:
        """A builder for another function of the file."""
        return PrimitiveBuilder(f"{title}_{next(self.numbers)}", self.functions, self.numbers)

    # -- names --------------------------------------------------------------------------------------------------------
    def fresh(self, word: str) -> str:
        return f"{self.function.name}:{word}:{next(self.numbers)}"

    def add_input(self, word: str, form: Any) -> str:
        name = f"{self.function.name}:{word}"
        self.function.inputs.append((name, form))
        return name

    def constant(self, value: Any) -> str:
        """The name of a constant: a number, a word, None, an array or a tuple of them."""
        key = None if isinstance(value, np.ndarray) else repr((type(value), value))
        if key is not None and key in self.constants:
            return self.constants[key]
        name = f"ValueNode_{next(self.numbers)}"
        self.function.nodes.append(GraphNode(name, "constant", "Constant", value=value))
        if key is not None:
            self.constants[key] = name
        return name

    def name_of(self, value: Any) -> str:
        """The name of an operand of any kind."""
        if isinstance(value, Raw):
            return value.name
        if isinstance(value, GraphValue):
            return value.name or self.constant(value.array)
        if isinstance(value, (tuple, list)) and any(isinstance(one, (GraphValue, Raw)) for one in value):
            forms = tuple(one.form if isinstance(one, GraphValue) else 0 for one in value)  # others are sizes
            return self.node("MakeTuple", [self.name_of(one) for one in value], forms)
        return self.constant(tuple(value) if isinstance(value, list) else value)

    # -- nodes --------------------------------------------------------------------------------------------------------
    def node(self, primitive: str, inputs: Sequence[str], form: Any, attributes: dict[str, Any] | None = None) -> str:
        name = self.fresh(primitive)
        self.function.nodes.append(GraphNode(name, "primitive", primitive, tuple(inputs), attributes or {}, form))
        return name

    def call(self, primitive: str, *inputs: Any, form: Any, **attributes: Any) -> Any:
        """Apply a primitive to operands; a tuple of forms gives a tuple of Values."""
        if primitive not in FUNCTIONS and primitive not in WITH_ATTRIBUTES:
            raise WithoutPrimitive(f"of the primitive {primitive}, which MindSpore does not run everywhere")
        refused = self._refused(primitive, inputs) if primitive in REFUSED else None
        if refused is not None:
            return self._widened(primitive, inputs, form, attributes, *refused)
        name = self.node(primitive, [self.name_of(one) for one in inputs], form, attributes)
        return self.parts(name, form) if isinstance(form, tuple) else GraphValue(form, name)

    def _refused(self, primitive: str, inputs: Sequence[Any]) -> tuple[np.dtype, np.dtype] | None:
        """A dtype among the operands that MindSpore's kernel does not take, and one that holds its numbers."""
        for value in _operands(inputs):
            if value.dtype.name in REFUSED[primitive]:
                wider = _WIDER.get(value.dtype.name, ()) if value.dtype.name != "uint64" or primitive in _WRAP else ()
                for name in wider:
                    if name not in REFUSED[primitive]:
                        return value.dtype, np.dtype(name)
        return None

    def _widened(
        self,
        primitive: str,
        inputs: Sequence[Any],
        form: Any,
        attributes: dict[str, Any],
        narrow: np.dtype,
        wide: np.dtype,
    ) -> Any:
        """The primitive in the wider dtype, and its results in the narrow one again."""

        def widen(value: Any) -> Any:
            if isinstance(value, (tuple, list)):
                return type(value)(map(widen, value))
            return self.cast(value, wide) if isinstance(value, GraphValue) and value.dtype == narrow else value

        several = isinstance(form, tuple)
        forms = [TensorForm(one.shape, wide) if one.dtype == narrow else one for one in (form if several else (form,))]
        found = self.call(primitive, *map(widen, inputs), form=tuple(forms) if several else forms[0], **attributes)
        if primitive in _TRUTHS:
            return found
        wanted = form if several else (form,)
        cast = tuple(self.cast(one, own.dtype) for one, own in zip(found if several else (found,), wanted))
        return cast if several else cast[0]

    def parts(self, name: str, forms: Sequence[Any]) -> tuple[GraphValue, ...]:
        """The elements of a tuple."""
        return tuple(
            GraphValue(form, self.node("TupleGetItem", [name, self.constant(index)], form))
            for index, form in enumerate(forms)
        )

    def take_back(self, count: int) -> None:
        """Only the first nodes stay, because what was begun has no form after all."""
        del self.function.nodes[count:]
        self.constants.clear()
        self.sizes.clear()

    def apply(self, callee: str, inputs: Sequence[str], form: Any) -> str:
        """Call a function of the file, or a value that is one."""
        name = self.fresh("call")
        self.function.nodes.append(GraphNode(name, "call", callee, tuple(inputs), form=form))
        return name

    # -- what many rules need -----------------------------------------------------------------------------------------
    def known(self, array: Any, dtype: Any = None) -> GraphValue:
        made = np.asarray(array, dtype)
        return GraphValue(TensorForm(made.shape, made.dtype), array=made)

    def cast(self, value: GraphValue, dtype: Any) -> GraphValue:
        dtype = np.dtype(dtype)
        if value.dtype == dtype:
            return value
        if value.array is not None:
            return self.known(value.array.astype(dtype))
        return self.call("Cast", value, dtype, form=TensorForm(value.shape, dtype))

    def reshape(self, value: GraphValue, shape: Sequence[Size]) -> GraphValue:
        shape = tuple(map(size_of, shape))
        if shape == value.shape:
            return value
        if value.array is not None and not is_open(shape):
            return self.known(value.array.reshape(known_shape(shape)))
        opened = [size for size in shape if isinstance(size, str)]
        target = (
            tuple(WHOLE if isinstance(size, str) else size for size in shape) if len(opened) == 1 else self.shape(shape)
        )
        return self.call("Reshape", value, target, form=TensorForm(shape, value.dtype))

    def shape(self, sizes: Sequence[Size]) -> tuple[Any, ...]:
        """Sizes as an operand: numbers, or scalars that the graph computes from its inputs."""
        return tuple(self.size(size) for size in sizes)

    def size(self, size: Size) -> Any:
        return int(size) if not isinstance(size, str) else Raw(self._arithmetic(ast.parse(size, mode="eval").body))

    def _arithmetic(self, tree: Any) -> str:
        """A scalar of the graph for jax's text of a size, such as ``2*batch + 1``."""
        text = ast.unparse(tree)
        if text not in self.sizes:
            self.sizes[text] = self._computed(tree, text)
        return self.sizes[text]

    def _computed(self, tree: Any, text: str) -> str:
        if isinstance(tree, ast.Constant):
            return self.constant(tree.value)
        if isinstance(tree, ast.Name):
            return self._measured(text)
        if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub):
            return self.node("ScalarUsub", [self._arithmetic(tree.operand)], 0)
        if isinstance(tree, ast.BinOp) and type(tree.op) in _ARITHMETIC:
            return self.node(_ARITHMETIC[type(tree.op)], [self._arithmetic(tree.left), self._arithmetic(tree.right)], 0)
        if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id in _CALLED:
            return self.node(_CALLED[tree.func.id], [self._arithmetic(one) for one in tree.args], 0)
        raise WithoutPrimitive(f"of the size '{text}'")

    def _measured(self, text: str) -> str:
        """The size of an axis of an input."""
        for name, form in self.function.inputs:
            if isinstance(form, TensorForm) and text in form.shape:
                shape = self.node("Shape", [name], (0,) * len(form.shape))
                return self.node("TupleGetItem", [shape, self.constant(form.shape.index(text))], 0)
        raise WithoutPrimitive(f"of the size '{text}', which no input has")

    def strided(self, value: GraphValue, begin: Sequence[Size], end: Sequence[Size], steps: Sequence[int], form: TensorForm,
                dropped: int = 0) -> GraphValue:  # fmt: skip
        """A slice; axes that it leaves whole are masked."""
        whole = [axis for axis, (low, high) in enumerate(zip(begin, end)) if low == 0 and high == value.shape[axis]]
        ends = self.shape([0 if axis in whole else high for axis, high in enumerate(end)])
        mask = sum(1 << axis for axis in whole)
        return self.call(
            "StridedSlice", value, self.shape(begin), ends, tuple(steps), mask, mask, 0, 0, dropped, form=form
        )

    def transpose(self, value: GraphValue, order: Sequence[int]) -> GraphValue:
        order = tuple(order)
        if order == tuple(range(len(order))):
            return value
        if value.array is not None:
            return self.known(value.array.transpose(order))
        shape = tuple(value.shape[axis] for axis in order)
        return self.call("Transpose", value, order, form=TensorForm(shape, value.dtype))


Rule = Callable[..., Any]
rules: dict[str, Rule] = {}


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Declare how primitives of JAX become primitives of MindSpore."""

    def declare(function: Rule) -> Rule:
        rules.update(dict.fromkeys(names, function))
        return function

    return declare
