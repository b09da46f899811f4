"""StableHLO files: written by ``export``, run by ``GraphCell``.

Three sections: a manifest (JSON), the graph (serialised by jax.export) and the weights (raw bytes).
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

import jax
import jax.export
import numpy as np
from jax.extend.core import jaxpr_as_fun

from mindspore._engine.base.kernel import Kernel, Mask
from mindspore._engine.base.open_sizes import value_of
from mindspore._engine.base.pytree import LEAF, flatten, unflatten
from mindspore._engine.execution import random
from mindspore._engine.execution.dispatch import run
from mindspore._engine.export import allowed_calls, export_file
from mindspore._engine.export.export_file import GraphFileError
from mindspore._engine.export.export_trace import TracedGraph
from mindspore._engine.export.runnable_graph import RunnableGraph, Weight, described, dtype_of, fitting
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._kernels.primitive import portable
from mindspore._utils import log

PLATFORMS = ("cpu", "cuda", "tpu")  # exported for all of them: a file from a laptop runs on an accelerator
_PLAIN = (type(None), bool, int, float, str)


# -- writing ----------------------------------------------------------------------------------------------------------
def used_inputs(jaxpr: Any) -> list[bool]:
    """Indices of the inputs of a closed jaxpr that its results depend on."""
    inner = jaxpr.jaxpr
    seen = {id(v) for e in inner.eqns for v in e.invars} | {id(v) for v in inner.outvars}
    return [id(v) in seen for v in inner.invars]


def weights_of(graph: TracedGraph) -> list[Weight]:
    """The captured Tensors of a graph, each with a unique name."""
    taken: set[str] = set()
    weights = []
    for number, tensor in enumerate(graph.captured):
        is_parameter = isinstance(tensor, Parameter)
        kind = "random" if tensor is random.generator else "parameter" if is_parameter else "tensor"
        name = tensor.name if isinstance(tensor, Parameter) else f"{kind}_{number}"
        while name in taken:
            name += "_"
        taken.add(name)
        weights.append(Weight(name, kind, bool(getattr(tensor, "requires_grad", False)), tensor))
    return weights


def to_bytes(graph: TracedGraph, input_names: Sequence[str], trains: bool = False) -> bytes:
    """The contents of a .mindir file; ``trains`` includes the vjp."""
    used = used_inputs(graph.jaxpr)
    count = len(graph.captured)
    written = {id(t) for t in graph.trace.written}
    weights = [w for w, u in zip(weights_of(graph), used) if u or id(w.value) in written]
    kept = {id(w.value) for w in weights}
    flags = [id(t) in kept for t in graph.captured] + [True] * (len(used) - count)
    exported = _lowered(graph, flags)
    order = [id(w.value) for w in weights]
    manifest = {
        "producer": "mycelium",
        "name": graph.owner.name,
        "inputs": [{"name": n, **_form(a)} for n, a in zip(input_names, graph.input_avals, strict=True)],
        "constants": [None if i in graph.inputs else _plain(v) for i, v in enumerate(graph.constants)],
        "places": graph.inputs,
        "arguments": _structure(graph.description[1][0]),
        "results": _structure(graph.trace.description),
        "result_constants": [_plain(v) for v in graph.trace.constants],
        "result_places": graph.trace.tensor_leaves,
        "result_forms": [_form(a) for a in graph.result_avals],
        "weights": [{"name": w.name, "kind": w.kind, "requires_grad": w.requires_grad, **_form(w.value._value)} for w in weights],
        "written": [order.index(id(t)) for t in graph.trace.written],
        "granted": graph.granted,
        "platforms": exported.platforms,
    }  # fmt: skip
    sections = {
        "manifest": json.dumps(manifest).encode(),
        "graph": _serialized(exported, trains),
        "weights": _stored([w.value._host("Exporting a Tensor", "") for w in weights]),
    }
    return export_file.pack({name: bytes(data) for name, data in sections.items()})


def _lowered(graph: TracedGraph, flags: list[bool]) -> jax.export.Exported:
    """StableHLO of the graph as a function of the used inputs."""
    function = jaxpr_as_fun(graph.jaxpr)

    def call(*given: Any) -> Any:
        supply = iter(given)
        return tuple(function(*[next(supply) if flag else 0 for flag in flags]))

    forms = [jax.ShapeDtypeStruct(a.shape, a.dtype) for a, flag in zip(graph.jaxpr.in_avals, flags) if flag]
    try:
        return _exported(call, forms, PLATFORMS)
    except Exception:  # an operator is not available on all platforms
        platform = jax.export.default_export_platform()
    try:
        return _exported(call, forms, [platform])
    except Exception as error:
        reason = str(error).split("\n\n", 1)[0].strip()
        raise ValueError(f"For 'export', {graph.owner.name} cannot be written as StableHLO: {reason}") from None


def _exported(call: Any, forms: list[Any], platforms: Sequence[str]) -> jax.export.Exported:
    with portable():  # the target may lack our custom calls
        return jax.export.export(jax.jit(call), platforms=platforms)(*forms)


def _serialized(exported: jax.export.Exported, trains: bool) -> bytes | bytearray:
    if trains:
        try:
            with portable():  # the vjp is serialised too
                return exported.serialize(vjp_order=1)
        except Exception:  # not reverse-differentiable, such as a while loop
            log.warning("For 'export', the graph has no gradient; the file can be run, but not be trained further.")
    return exported.serialize()


def _form(value: Any) -> dict[str, Any]:
    sizes = [n if isinstance(n, int) else str(n) for n in value.shape]
    return {"shape": sizes, "dtype": np.dtype(value.dtype).name}


def _plain(value: Any) -> Any:
    if not isinstance(value, _PLAIN):
        raise TypeError(
            "For 'export', inputs and results must be Tensors, numbers, bools, text or None, in tuples, lists or dicts, but "
            f"got {value!r:.80} of type {type(value).__name__}."
        )
    return value


def _structure(description: Any) -> Any:
    """A pytree description as JSON."""
    if description == LEAF:
        return LEAF
    kind = description[0]
    if kind is dict:
        return {"dict": [[_plain(k) for k in description[1]], [_structure(d) for d in description[2]]]}
    return {"list" if kind is list else "tuple": [_structure(d) for d in description[1]]}


def _description(structure: Any) -> Any:
    """The inverse of :func:`_structure`."""
    if structure == LEAF:
        return LEAF
    ((kind, members),) = structure.items()
    if kind == "dict":
        return (dict, tuple(members[0]), tuple(map(_description, members[1])))
    return ({"list": list, "tuple": tuple}[kind], tuple(map(_description, members)))


# -- weights ------------------------------------------------------------------------------------------------------------
def _stored(arrays: Sequence[np.ndarray]) -> bytes:
    """Concatenate all arrays: the manifest holds their names, dtypes and shapes."""
    return b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)


def _arrays(stored: memoryview, forms: Sequence[dict[str, Any]]) -> Iterator[np.ndarray]:
    """The inverse of :func:`_stored`."""
    start = 0
    for form in forms:
        dtype, count = dtype_of(form), math.prod(form["shape"])
        yield np.frombuffer(stored, dtype, count, start).reshape(form["shape"])
        start += count * dtype.itemsize


# -- reading ------------------------------------------------------------------------------------------------------------
class LoadedGraph(RunnableGraph):
    """A graph read from a file: its inputs, outputs, weights, and the kernel that runs it."""

    has_portable_digest = True  # what a graph kept on disk is found by

    def __init__(self, sections: dict[str, memoryview]):
        manifest = json.loads(bytes(sections["manifest"]))
        self.manifest = manifest
        self.portable_digest = hashlib.sha256(bytes(sections["manifest"]) + bytes(sections["graph"])).hexdigest()
        self.name: str = manifest["name"]
        self.inputs: list[dict[str, Any]] = manifest["inputs"]
        self.results: list[dict[str, Any]] = manifest["result_forms"]
        self._arguments = _description(manifest["arguments"])
        self._result_description = _description(manifest["results"])
        arrays = _arrays(sections["weights"], manifest["weights"])
        self.weights = [
            Weight(w["name"], w["kind"], w["requires_grad"], array) for w, array in zip(manifest["weights"], arrays)
        ]
        exported = jax.export.deserialize(bytearray(sections["graph"]))
        self.kernel = _ExportedKernel(self.name, exported, allowed_calls.check(exported))

    def __call__(self, state: Sequence[Tensor], args: tuple) -> Any:
        """Run with these Tensors as weights, updated in place by what the graph writes."""
        inputs = self._checked(args)
        outputs = run(self.kernel, [*state, *inputs])
        indices = self.manifest["result_places"]
        for index, tensor in zip(self.manifest["written"], outputs[len(indices) :], strict=True):
            state[index]._become(tensor)
        leaves = list(self.manifest["result_constants"])
        for index, tensor in zip(indices, outputs):
            leaves[index] = tensor
        return unflatten(self._result_description, iter(leaves))

    def _checked(self, args: tuple) -> list[Tensor]:
        """The Tensor arguments, validated against the exported signature up to symbolic dimensions."""
        leaves, description = flatten(args)
        if description != self._arguments:
            takes = ", ".join(f"{input_['name']}: {described(input_)}" for input_ in self.inputs)
            raise ValueError(
                f"For 'GraphCell', the inputs of {self.name} must be ({takes}), but got {len(args)} inputs: "
                f"{', '.join(type(a).__name__ for a in args)}."
            )
        indices = self.manifest["places"]
        for index, constant in enumerate(self.manifest["constants"]):
            if index not in indices and leaves[index] != constant:
                raise ValueError(
                    f"For 'GraphCell', {self.name} was exported with the number {constant!r} as an input and computes with no "
                    f"other, but got {leaves[index]!r}. Export it with a Tensor there."
                )
        sizes: dict[str, int] = {}
        fit = [fitting(leaves[index_], form, sizes, self.name) for index_, form in zip(indices, self.inputs)]
        for text in self.manifest.get("granted", ()):
            if all(isinstance(size, int) for size in sizes.values()) and not _holds(text, sizes):
                known = ", ".join(f"{symbol} is {size}" for symbol, size in sizes.items())
                raise ValueError(f"For 'GraphCell', the open sizes of {self.name} must fulfil {text}, but {known}.")
        return fit


def _holds(text: str, sizes: dict[str, int]) -> bool:
    """Whether sizes fulfil a comparison such as ``size_1 >= 2``."""
    one, sign, other = re.split(r" ([<>]=) ", text)
    scope = jax.export.SymbolicScope()
    first, second = (value_of(jax.export.symbolic_shape(side, scope=scope)[0], sizes) for side in (one, other))
    return first >= second if sign == ">=" else first <= second


class _ExportedKernel(Kernel):
    """A kernel that calls a deserialised jax.export.Exported."""

    __slots__ = ("has_gradient",)

    def __init__(self, name: str, exported: jax.export.Exported, is_open: bool):
        def call(*flat: Any) -> tuple:
            if is_open:
                allowed_calls.check_sizes(exported, [jax.ShapeDtypeStruct(x.shape, x.dtype) for x in flat])
            return tuple(exported.call(*flat))

        super().__init__(name, call)
        self.has_gradient = exported.has_vjp()

    def make_vjp(self, wanted: Mask, given: Mask) -> Kernel:
        if self.has_gradient:
            return super().make_vjp(wanted, given)
        raise NotImplementedError(
            f"For 'GraphCell', the graph of {self.name} was exported for inference: the file holds no gradient. Export the "
            "network with net.set_train() to train it further, or use ops.stop_gradient on what the GraphCell returns."
        )


def from_bytes(data: bytes) -> LoadedGraph:
    """Read the graph of a .mindir file."""
    sections = export_file.unpack(data)
    missing = {"manifest", "graph", "weights"} - set(sections)
    if missing:
        raise GraphFileError(f"it has no section {sorted(missing)}")
    try:
        return LoadedGraph(sections)
    except (ImportError, GraphFileError):
        raise
    except Exception as error:  # checksums match: written by an incompatible release
        raise GraphFileError(f"its contents are not understood ({type(error).__name__}: {error!s:.200})") from None
