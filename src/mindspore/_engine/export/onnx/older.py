"""A model of operator set 15 in the forms of an older one: what was an input was an attribute, and some operators did not exist."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mindspore._engine.export.onnx.builder import Unsupported

# Operators that begin with a version, and have no form before.
_BEGIN = {"CumSum": 11, "Range": 11, "GatherND": 11, "GatherElements": 11, "ScatterND": 11, "Einsum": 12}
_FLOATS = (1, 10, 11, 16)  # element types of floats


class Older:
    """Rewrites the nodes of one graph and of those inside it; ``types`` are the element types of its tensors."""

    def __init__(self, onnx: Any, opset: int, constants: dict[str, Any], types: dict[str, int]):
        self.onnx, self.opset, self.constants, self.types = onnx, opset, constants, types
        self.shapes: dict[str, list[int]] = {}  # of tensors whose sizes are known
        self.found: dict[str, int] = {}  # what has no form, counted
        self.made: list[Any] = []
        self.number = 0

    def graph(self, graph: Any) -> None:
        for one in (*graph.input, *graph.output, *graph.value_info):
            self.types.setdefault(one.name, one.type.tensor_type.elem_type)
            dims = one.type.tensor_type.shape.dim
            if all(dim.HasField("dim_value") for dim in dims):
                self.shapes.setdefault(one.name, [dim.dim_value for dim in dims])
        for one in graph.initializer:
            self.constants.setdefault(one.name, one)
            self.types.setdefault(one.name, one.data_type)
            self.shapes.setdefault(one.name, list(one.dims))
        outer, self.made = self.made, []
        for node in graph.node:
            for attribute in node.attribute:
                if attribute.HasField("g"):
                    self.graph(attribute.g)
            try:
                self.node(node)
            except Unsupported as error:
                self.found[str(error)] = self.found.get(str(error), 0) + 1
        del graph.node[:]
        graph.node.extend(self.made)
        self.made = outer

    # -- nodes --------------------------------------------------------------------------------------------------------
    def node(self, node: Any) -> None:
        begin = _BEGIN.get(node.op_type, 0)
        if self.opset < begin:
            raise Unsupported(f"{node.op_type}, before opset {begin}")
        for before, rewrite in _RULES.get(node.op_type, ()):
            if self.opset < before and rewrite(self, node):
                return
        self.made.append(node)

    def add(self, kind: str, *inputs: str, output: str = "", **attributes: Any) -> str:
        self.number += 1
        output = output or f"older_{kind.lower()}_{self.number}"
        self.made.append(
            self.onnx.helper.make_node(kind, list(inputs), [output], name=f"{kind}_{output}", **attributes)
        )
        return output

    def scalar(self, value: Any, kind: int) -> str:
        dtype = self.onnx.helper.tensor_dtype_to_np_dtype(kind)
        self.number += 1
        tensor = self.onnx.numpy_helper.from_array(np.asarray(value, dtype), f"older_number_{self.number}")
        output = f"older_constant_{self.number}"
        self.made.append(self.onnx.helper.make_node("Constant", [], [output], name=output, value=tensor))
        self.types[output] = kind
        return output

    def known(self, node: Any, index: int) -> list[Any]:
        """The numbers of an input that became an attribute."""
        name = node.input[index]
        if name not in self.constants:
            raise Unsupported(f"{node.op_type} with sizes that the graph computes, before opset {self.opset + 1}")
        return self.onnx.numpy_helper.to_array(self.constants[name]).reshape(-1).tolist()

    def is_float(self, name: str) -> bool:
        return self.types.get(name, 1) in _FLOATS


def attributes_of(older: Older, node: Any) -> dict[str, Any]:
    return {one.name: older.onnx.helper.get_attribute_value(one) for one in node.attribute}


def _as_attribute(index: int, word: str) -> Callable[[Older, Any], bool]:
    def rewrite(older: Older, node: Any) -> bool:
        if len(node.input) <= index:
            return False
        numbers = older.known(node, index)
        del node.input[index:]
        node.attribute.append(older.onnx.helper.make_attribute(word, [int(one) for one in numbers]))
        return False

    return rewrite


def _reshape(older: Older, node: Any) -> bool:
    if attributes_of(older, node).get("allowzero") and 0 in older.known(node, 1):
        raise Unsupported("Reshape of empty tensors, before opset 14")
    del node.attribute[:]
    return False


def _shape(older: Older, node: Any) -> bool:
    """A part of the shape: a Slice of its own."""
    given = attributes_of(older, node)
    if not given:
        return False
    whole = older.add("Shape", node.input[0])
    start, end = given.get("start", 0), given.get("end", 2**31)
    if older.opset < 10:
        older.add("Slice", whole, output=node.output[0], starts=[start], ends=[end], axes=[0])
    else:
        parts = [older.scalar([one], 7) for one in (start, end)]
        older.add("Slice", whole, *parts, output=node.output[0])
    return True


def _or_equal(strict: str) -> Callable[[Older, Any], bool]:
    def rewrite(older: Older, node: Any) -> bool:
        x, y = node.input
        same = f"older_same_{node.output[0]}"
        older.node(older.onnx.helper.make_node("Equal", [x, y], [same], name=same))
        older.add("Or", older.add(strict, x, y), same, output=node.output[0])
        return True

    return rewrite


def _extreme(chosen: str) -> Callable[[Older, Any], bool]:
    """Integers are chosen by a comparison."""

    def rewrite(older: Older, node: Any) -> bool:
        if older.is_float(node.input[0]) or len(node.input) != 2:
            return False
        x, y = node.input
        older.add("Where", older.add(chosen, x, y), x, y, output=node.output[0])
        return True

    return rewrite


def _equal(older: Older, node: Any) -> bool:
    """Floats are equal where none is smaller, and none is no number."""
    x, y = node.input
    if not older.is_float(x):
        return False
    apart = older.add("Or", older.add("Less", x, y), older.add("Greater", x, y))
    strange = older.add("Or", older.add("IsNaN", x), older.add("IsNaN", y))
    older.add("Not", older.add("Or", apart, strange), output=node.output[0])
    return True


def _pad(older: Older, node: Any) -> bool:
    """Floats only; others are floats in between."""
    x, kind = node.input[0], older.types.get(node.input[0], 1)
    pads = [int(one) for one in older.known(node, 1)]
    value = float(older.known(node, 2)[0]) if len(node.input) > 2 else 0.0
    whole = not older.is_float(x)
    source, target = (older.add("Cast", x, to=11), "") if whole else (x, node.output[0])
    padded = older.add("Pad", source, output=target, mode="constant", pads=pads, value=value)
    if whole:
        older.add("Cast", padded, output=node.output[0], to=kind)
    return True


def _slice(older: Older, node: Any) -> bool:
    """Without steps; slices with steps become a Gather."""
    rest = [[int(n) for n in older.known(node, index)] for index in range(1, len(node.input))]
    starts, ends, axes, steps = [*rest, None, None][:4]
    if starts is None or ends is None:
        return False
    axes = list(range(len(starts))) if axes is None else axes
    strides = [1] * len(axes) if steps is None else steps
    x, shape = node.input[0], older.shapes.get(node.input[0])
    stepped = [index for index, step in enumerate(strides) if step != 1]
    plain = [index for index in range(len(axes)) if index not in stepped]
    if stepped and shape is None:
        raise Unsupported("Slice with steps along open sizes, before opset 10")
    for index in stepped:
        indices = np.arange((shape or [])[axes[index]])[starts[index] : _end(ends[index]) : strides[index]]
        last = not plain and index == stepped[-1]
        x = older.add("Gather", x, older.scalar(indices, 7), output=node.output[0] if last else "", axis=axes[index])
    if plain or not stepped:
        chosen = {key: [values[index] for index in plain] for key, values in (("starts", starts), ("axes", axes))}
        older.add("Slice", x, output=node.output[0], ends=[min(ends[index], 2**31) for index in plain], **chosen)
    return True


def _end(end: int) -> int | None:
    return None if end < -(2**31) else end


def _top_k(older: Older, node: Any) -> bool:
    """The largest only; the smallest are those of the negative."""
    given = attributes_of(older, node)
    smallest, x = not given.get("largest", 1), node.input[0]
    if not older.is_float(x):
        raise Unsupported("TopK of integers, before opset 11")
    values = f"older_values_{node.output[0]}" if smallest else node.output[0]
    inputs, count = [older.add("Neg", x) if smallest else x], {}
    if older.opset < 10:
        count = {"k": int(older.known(node, 1)[0])}
    else:
        inputs.append(node.input[1])
    axis = given.get("axis", -1)
    made = older.onnx.helper.make_node(
        "TopK", inputs, [values, node.output[1]], name=f"TopK_{values}", axis=axis, **count
    )
    older.made.append(made)
    if smallest:
        older.add("Neg", values, output=node.output[0])
    return True


def _round(older: Older, node: Any) -> bool:
    """The whole number above a half is one too large where it is odd."""
    x, kind = node.input[0], older.types.get(node.input[0], 1)
    half, one, two = (older.scalar(value, kind) for value in (0.5, 1, 2))
    up = older.add("Floor", older.add("Add", x, half))
    low = older.add("Mul", two, older.add("Floor", older.add("Div", up, two)))
    odd = older.add("Greater", older.add("Sub", up, low), half)
    tie = older.add("Not", older.add("Less", older.add("Sub", up, x), half))
    wrong = older.add("And", odd, tie)
    older.add("Where", wrong, older.add("Sub", up, one), up, output=node.output[0])
    return True


def _mod(older: Older, node: Any) -> bool:
    """What division leaves, with the sign of the first."""
    x, y = node.input
    ratio = older.add("Div", x, y)
    if older.is_float(x):
        ratio = older.add("Mul", older.add("Sign", ratio), older.add("Floor", older.add("Abs", ratio)))
    older.add("Sub", x, older.add("Mul", ratio, y), output=node.output[0])
    return True


def _is_inf(older: Older, node: Any) -> bool:
    x = node.input[0]
    kind = older.types.get(x, 1)
    limit = np.finfo(older.onnx.helper.tensor_dtype_to_np_dtype(kind)).max
    older.add("Greater", older.add("Abs", x), older.scalar(limit, kind), output=node.output[0])
    return True


def _max_pool(older: Older, node: Any) -> bool:
    if any(n != 1 for n in attributes_of(older, node).get("dilations", ())):
        raise Unsupported("MaxPool with dilations, before opset 10")
    kept = [one for one in node.attribute if one.name != "dilations"]
    del node.attribute[:]
    node.attribute.extend(kept)
    return False


def _gather_nd(older: Older, node: Any) -> bool:
    if attributes_of(older, node).get("batch_dims"):
        raise Unsupported("GatherND in batches, before opset 12")
    del node.attribute[:]
    return False


_RULES: dict[str, tuple[tuple[int, Callable[[Older, Any], bool]], ...]] = {
    "Shape": ((15, _shape),),
    "Reshape": ((14, _reshape),),
    "Squeeze": ((13, _as_attribute(1, "axes")),),
    "Unsqueeze": ((13, _as_attribute(1, "axes")),),
    "ReduceSum": ((13, _as_attribute(1, "axes")),),
    "Split": ((13, _as_attribute(1, "split")),),
    "LessOrEqual": ((12, _or_equal("Less")),),
    "GreaterOrEqual": ((12, _or_equal("Greater")),),
    "Max": ((12, _extreme("Greater")),),
    "Min": ((12, _extreme("Less")),),
    "GatherND": ((12, _gather_nd),),
    "Equal": ((11, _equal),),
    "Pad": ((11, _pad),),
    "TopK": ((11, _top_k),),
    "Round": ((11, _round),),
    "Slice": ((10, _slice),),
    "Mod": ((10, _mod),),
    "IsInf": ((10, _is_inf),),
    "MaxPool": ((10, _max_pool),),
}


def older_model(onnx: Any, model: Any, opset: int) -> tuple[Any, dict[str, int]]:
    """The model in an older operator set, and what has no form there."""
    inferred = onnx.shape_inference.infer_shapes(model)
    older = Older(onnx, opset, {}, {})
    older.graph(inferred.graph)
    del inferred.graph.value_info[:]
    _, used = without_unused(inferred.graph.node, {one.name for one in inferred.graph.output})
    kept = [one for one in inferred.graph.initializer if one.name in used]
    del inferred.graph.initializer[:]
    inferred.graph.initializer.extend(kept)
    inferred.opset_import[0].version = opset
    inferred.ir_version = onnx.helper.find_min_ir_version_for(inferred.opset_import)
    return inferred, older.found


def without_unused(nodes: Sequence[Any], needed: set[str]) -> tuple[list[Any], set[str]]:
    """Dead code elimination: the nodes that results depend on, and the names they use."""
    kept, used = [], set(needed)
    for node in reversed(nodes):
        if used.isdisjoint(node.output):
            continue
        used.update(node.input)
        for attribute in node.attribute:
            if attribute.HasField("g"):
                used |= _names_in(attribute.g)
        kept.append(node)
    return kept[::-1], used


def _names_in(graph: Any) -> set[str]:
    names = {output.name for output in graph.output}
    for node in graph.node:
        names.update(node.input)
        for attribute in node.attribute:
            if attribute.HasField("g"):
                names |= _names_in(attribute.g)
    return names
