"""Builder: collects the nodes of an ONNX graph, its initializers, and computed dynamic dimensions."""

from __future__ import annotations

import ast
import dataclasses
import importlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

OPSET = 18  # of files, unless another version is asked for
OLDEST, NEWEST = 9, 23  # versions of the operator set that are written
_LARGEST_COMPARED = 4096  # elements; larger constants are not deduplicated


class Unsupported(Exception):
    """A primitive, or a variant of one, without an ONNX equivalent."""


@dataclasses.dataclass
class Value:
    """A jaxpr variable in the ONNX graph: a tensor name, or a known constant."""

    name: str | None = None
    array: np.ndarray | None = None
    narrow: str | None = None  # name of the tensor before it was broadcast


def load_onnx() -> Any:
    """Import the onnx package, which only this format needs."""
    try:
        importlib.import_module("onnx.helper")
        importlib.import_module("onnx.checker")
        importlib.import_module("onnx.numpy_helper")
        importlib.import_module("onnx.shape_inference")
        return importlib.import_module("onnx")
    except ImportError:
        raise ImportError(
            "For 'export', the file_format 'ONNX' needs the package 'onnx'. Install it: pip install mycelium[onnx]"
        ) from None


class Builder:
    """The nodes of one graph. Subgraphs of loops and branches have their own builders and share initializers."""

    def __init__(self, parent: Builder | None = None, opset: int = OPSET):
        self.onnx = parent.onnx if parent else load_onnx()
        self.target: int = parent.target if parent else opset  # before 15, nodes are rewritten in the end (``older``)
        self.opset: int = max(self.target, 15)
        self.root: Builder = parent.root if parent else self
        self.nodes: list[Any] = []
        self.sizes: dict[str, str] = {}  # dimension expression -> tensor name
        self.parent = parent
        if parent is None:
            self.initializers: dict[str, Any] = {}
            self.known: dict[Any, str] = {}  # constant content -> initializer name
            self.taken: set[str] = set()

    # -- names and nodes ----------------------------------------------------------------------------------------------
    def fresh(self, word: str) -> str:
        """A unique name."""
        taken, name, number = self.root.taken, word, 0
        while name in taken:
            number += 1
            name = f"{word}_{number}"
        taken.add(name)
        return name

    def node(self, kind: str, inputs: Sequence[str], **attributes: Any) -> str:
        return self.nodes_of(kind, inputs, 1, **attributes)[0]

    def nodes_of(self, kind: str, inputs: Sequence[str], count: int, **attributes: Any) -> list[str]:
        """Add a node with several outputs."""
        inputs, attributes = self._in_opset(kind, list(inputs), attributes)
        names = [self.fresh(kind.lower()) for _ in range(count)]
        self.nodes.append(
            self.onnx.helper.make_node(kind, list(inputs), names, name=f"{kind}_{names[0]}", **attributes)
        )
        return names

    def _in_opset(self, kind: str, inputs: list[str], attributes: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
        """A node of opset 18 in the form of an older one."""
        if self.opset >= OPSET:
            return inputs, attributes
        if kind.startswith("Bitwise") or (kind == "ScatterND" and attributes.get("reduction") in ("min", "max")):
            raise Unsupported(f"before opset {OPSET}")
        if kind == "ScatterND" and self.opset < 16 and attributes.pop("reduction", "none") != "none":
            raise Unsupported("before opset 16")
        if kind == "Split":
            attributes.pop("num_outputs", None)
        elif kind.startswith("Reduce") and kind != "ReduceSum" and len(inputs) == 2:  # axes were an attribute
            axes = self.onnx.numpy_helper.to_array(self.root.initializers[inputs.pop()])
            attributes["axes"] = [int(axis) for axis in axes]
        return inputs, attributes

    def constant(self, value: Any, dtype: Any = None) -> str:
        """The initializer of an array; equal arrays share one."""
        array = np.asarray(value, dtype)
        key = (array.dtype, array.shape, array.tobytes()) if array.size <= _LARGEST_COMPARED else object()
        name = self.root.known.get(key)
        if name is None:
            name = self.root.known[key] = self.fresh("constant")
            self.root.add_initializer(name, array)
        return name

    def add_initializer(self, name: str, array: np.ndarray) -> None:
        kind = self.element_type(array.dtype)
        data = np.ascontiguousarray(array).tobytes()
        self.initializers[name] = self.onnx.helper.make_tensor(name, kind, array.shape, data, raw=True)

    def element_type(self, dtype: Any) -> int:
        """ONNX's enum value of a dtype."""
        try:
            return self.onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
        except (KeyError, ValueError, TypeError):
            raise Unsupported(f"the dtype {np.dtype(dtype).name}") from None

    def name_of(self, value: Value) -> str:
        if value.name is None:
            value.name = self.constant(value.array)
        return value.name

    def cast(self, name: str, dtype: Any) -> str:
        return self.node("Cast", [name], to=self.element_type(dtype))

    # -- sizes --------------------------------------------------------------------------------------------------------
    def shape(self, sizes: Sequence[Any]) -> str:
        """The name of a 1-D int64 tensor with these dimensions."""
        if all(is_known(size) for size in sizes):
            return self.constant([int(size) for size in sizes], np.int64)
        return self.node("Concat", [self.size(size) for size in sizes], axis=0)

    def size(self, size: Any) -> str:
        """One dimension as a 1-element tensor: a constant, or computed from the input shapes."""
        if is_known(size):
            return self.constant([int(size)], np.int64)
        found = self._computed(str(size))
        if found is None:
            found = self.sizes[str(size)] = self._arithmetic(ast.parse(str(size), mode="eval").body)
        return found

    def _computed(self, text: str) -> str | None:
        builder: Builder | None = self
        while builder is not None:
            if text in builder.sizes:
                return builder.sizes[text]
            builder = builder.parent
        return None

    def _arithmetic(self, tree: Any) -> str:
        """Convert jax's text of a symbolic dimension, such as ``2*batch + 1`` or ``floordiv(batch, 2)``."""
        if isinstance(tree, ast.Name):
            found = self._computed(tree.id)
            if found is None:
                raise Unsupported(f"the size '{tree.id}', which no input has")
            return found
        if isinstance(tree, ast.Constant):
            return self.constant([tree.value], np.int64)
        if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub):
            return self.node("Neg", [self._arithmetic(tree.operand)])
        if isinstance(tree, ast.BinOp) and type(tree.op) in _ARITHMETIC:
            return self.node(_ARITHMETIC[type(tree.op)], [self._arithmetic(tree.left), self._arithmetic(tree.right)])
        if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name):
            operands = [self._arithmetic(arg) for arg in tree.args]
            if tree.func.id == "floordiv":  # Div rounds to zero, and sizes are divided below it: -(-n // 2)
                operands[0] = self.node("Sub", [operands[0], self.node("Mod", operands)])
            if tree.func.id in _FUNCTIONS:
                return self.node(_FUNCTIONS[tree.func.id], operands)
        raise Unsupported(f"the size '{ast.unparse(tree)}'")

    # -- common forms ---------------------------------------------------------------------------------------------------
    def reshape(self, name: str, sizes: Sequence[Any]) -> str:
        """Reshape; a single dynamic dimension is inferred (-1)."""
        unknown = [axis for axis, size in enumerate(sizes) if not is_known(size)]
        if len(unknown) == 1 and 0 not in [size for size in sizes if is_known(size)]:
            sizes = [-1 if axis in unknown else size for axis, size in enumerate(sizes)]
        if any(is_known(size) and size == 0 for size in sizes):
            return self.node("Reshape", [name, self.shape(sizes)], allowzero=1)
        return self.node("Reshape", [name, self.shape(sizes)])

    def transpose(self, name: str, permutation: Sequence[int]) -> str:
        if list(permutation) == list(range(len(permutation))):
            return name
        return self.node("Transpose", [name], perm=[int(axis) for axis in permutation])

    def scalar(self, value: Any, dtype: Any) -> str:
        return self.constant(np.asarray(value, dtype))


_ARITHMETIC = {ast.Add: "Add", ast.Sub: "Sub", ast.Mult: "Mul", ast.Pow: "Pow"}
_FUNCTIONS = {"floordiv": "Div", "mod": "Mod", "max": "Max", "min": "Min"}


def is_known(size: Any) -> bool:
    """Whether a dimension is static."""
    return isinstance(size, (int, np.integer))


def known_shape(sizes: Sequence[Any], what: str) -> tuple[int, ...]:
    """A static shape; raises Unsupported for dynamic dimensions."""
    if not all(map(is_known, sizes)):
        raise Unsupported(f"{what} with an open size: {tuple(map(str, sizes))}")
    return tuple(int(size) for size in sizes)


Converter = Callable[..., str | Value | Sequence[str]]
converters: dict[str, Converter] = {}


def converts(*primitives: str) -> Callable[[Converter], Converter]:
    """Decorator: register the converter of these primitives, ``(builder, equation, *values) -> names``."""

    def declare(function: Converter) -> Converter:
        for name in primitives:
            converters[name] = function
        return function

    return declare
