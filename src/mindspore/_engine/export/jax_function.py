"""A network as a pure JAX function: traced once per form of the inputs, evaluated by whatever transformation calls it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import jaxpr_as_fun

from mindspore._engine.base.kernel import Mask
from mindspore._engine.base.pytree import flatten, unflatten
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution import random
from mindspore._engine.execution.tape import PythonNode, recording
from mindspore._engine.export import export_trace
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing.traced_kernel import TracedKernel, replaying, watch

RANDOM = "random_state"  # the name of the generator among what a network changes


class PureFunction:
    """``call(arrays, inputs)``: what the network returns, and what it changes, given the arrays of its Tensors by name."""

    def __init__(self, function: Callable[..., Any], roots: Iterable[Any], name: str, names: Mapping[Any, str]):
        self.function = function
        self.roots = list(roots)
        self.name = name
        self.tensors = {label: tensor for tensor, label in names.items()}
        self.names = {id(tensor): label for tensor, label in names.items()} | {id(random.generator): RANDOM}
        self.traced: dict[Any, _Evaluated] = {}

    def __call__(
        self, arrays: Mapping[str, Any], inputs: tuple, keywords: dict[str, Any], form: Any
    ) -> tuple[Any, dict[str, Any]]:
        """``form`` is what of the network decides which program it is, such as whether it trains."""
        names = tuple(sorted(keywords))
        leaves, description = flatten((*inputs, *(keywords[name] for name in names)))
        held = [_is_array(leaf) for leaf in leaves]
        given = [leaf if is_array else None for leaf, is_array in zip(leaves, held, strict=True)]
        forms = tuple(_form_of(leaf) if is_array else leaf for leaf, is_array in zip(leaves, held, strict=True))
        own = {label: tensor._value.dtype for label, tensor in self.tensors.items() if label in arrays}
        others = {label: arrays[label].dtype for label, dtype in own.items() if arrays[label].dtype != dtype}
        key = (
            repr(description),
            names,
            tuple(map(repr, forms)),
            form,
            tuple(sorted((n, str(d)) for n, d in others.items())),
        )
        if key not in self.traced:
            with _in_dtypes({self.tensors[label]: dtype for label, dtype in others.items()}):
                self.traced[key] = self._trace(forms, description, held, names)
        return self.traced[key].run(arrays, [x for x, is_array in zip(given, held, strict=True) if is_array])

    def _trace(self, forms: tuple, description: Any, held: list[bool], names: tuple[str, ...]) -> _Evaluated:
        stand_ins = [Tensor.wrap(form) if is_array else form for form, is_array in zip(forms, held, strict=True)]
        inputs = unflatten(description, iter(stand_ins))
        count = len(inputs) - len(names)

        def called(*given: Any) -> Any:
            return self.function(*given[:count], **dict(zip(names, given[count:], strict=True)))

        with jax.ensure_compile_time_eval():  # a transformation may be tracing around this
            graph = export_trace.trace(called, self.roots, self.name, inputs)
        return _Evaluated(graph, self.names)


@contextlib.contextmanager
def _in_dtypes(dtypes: Mapping[Any, Any]) -> Iterator[None]:
    """While a network is traced: its Tensors in the dtypes of the arrays that stand for them."""
    before = {tensor: tensor._value for tensor in dtypes}
    try:
        for tensor, dtype in dtypes.items():
            tensor._value = jnp.asarray(tensor._value).astype(dtype)
        yield
    finally:
        for tensor, value in before.items():
            tensor._value = value


class _Evaluated:
    """A traced network: its jaxpr with the names of what it reads and writes."""

    def __init__(self, graph: export_trace.TracedGraph, names: Mapping[int, str]):
        self.graph = graph
        self.sources = [(names.get(id(tensor)), tensor) for tensor in graph.captured]
        self.written = [names.get(id(tensor)) for tensor in graph.trace.written]
        self.call = _with_own_gradient(graph) if _has_own_gradient(graph) else jaxpr_as_fun(graph.jaxpr)

    def run(self, arrays: Mapping[str, Any], inputs: list[Any]) -> tuple[Any, dict[str, Any]]:
        values = [
            tensor._read() if name is None or name not in arrays else arrays[name] for name, tensor in self.sources
        ]
        results = self.call(*_varying_alike([*values, *inputs]))
        trace = self.graph.trace
        leaves = list(trace.constants)
        for index, array in zip(trace.tensor_leaves, results):
            leaves[index] = array
        new = results[len(results) - len(self.written) :]
        changed = {name: array for name, array in zip(self.written, new, strict=True) if name is not None}
        return unflatten(trace.description, iter(leaves)), changed


def _varying_alike(values: list[Any]) -> list[Any]:
    """Inside ``shard_map``: values that vary over the same axes of the mesh. An evaluated jaxpr does not get there by itself."""
    axes = [jax.typeof(value).manual_axis_type.varying for value in values]
    together = frozenset().union(*axes)
    if not together:
        return values
    lacking = [tuple(sorted(together - own)) for own in axes]
    return [jax.lax.pcast(x, names, to="varying") if names else x for x, names in zip(values, lacking, strict=True)]


def _has_own_gradient(graph: export_trace.TracedGraph) -> bool:
    """Whether JAX would differentiate something else than the program means: hooks, ``bprop``, ``no_grad``."""
    found: list[bool] = []

    def forward(*flat: Any) -> None:
        tensors = [Tensor.linked(value, None) for value in flat]
        with recording() as tape, replaying():
            watched = [watch(tape, x)[0] if _differentiable(x._value) else x for x in tensors]
            graph.on_tensors(watched)
            found.append(any(isinstance(node, PythonNode) for node in tape.nodes))

    with _noticing_switches(found):
        jax.eval_shape(forward, *graph.jaxpr.in_avals)
    return any(found)


class _noticing_switches:  # noqa: N801
    """Context manager: has a True appended when the program switches gradients off."""

    def __init__(self, found: list[bool]):
        self.found = found

    def __enter__(self) -> None:
        self.before = state.on_grad_switch
        state.on_grad_switch = lambda: self.found.append(True)

    def __exit__(self, *_: object) -> None:
        state.on_grad_switch = self.before


def _with_own_gradient(graph: export_trace.TracedGraph) -> Callable[..., Any]:
    """The program with the gradient that the tape gives, of any order; JAX's forward mode does not know it."""
    kernel = TracedKernel(graph.owner.name, graph.on_tensors)
    return _reverse_rule(kernel)


def _reverse_rule(kernel: Any) -> Callable[..., Any]:
    @jax.custom_vjp
    def call(*flat: Any) -> tuple:
        return kernel.function(*flat)

    def forward(*flat: Any) -> tuple:
        return call(*flat), flat  # differentiated again, it has the same rule

    def backward(flat: tuple, cotangents: tuple) -> tuple:
        wanted: Mask = tuple(map(_differentiable, flat))
        given: Mask = tuple(map(_differentiable, cotangents))
        seeds = [c for c, has in zip(cotangents, given, strict=True) if has]
        found = iter(_reverse_rule(kernel.vjp(wanted, given))(*flat, *seeds))
        return tuple(next(found) if want else _no_gradient(x) for x, want in zip(flat, wanted, strict=True))

    call.defvjp(forward, backward)
    return call


def _no_gradient(value: Any) -> np.ndarray:
    return np.zeros(np.shape(value), jax.dtypes.float0)


def _differentiable(value: Any) -> bool:
    return jnp.issubdtype(value.dtype, jnp.inexact)


def _is_array(leaf: Any) -> bool:
    return isinstance(leaf, (jax.Array, np.ndarray, np.generic, Tensor))


def _form_of(leaf: Any) -> jax.ShapeDtypeStruct:
    value = leaf._read() if isinstance(leaf, Tensor) else leaf
    return jax.ShapeDtypeStruct(np.shape(value), value.dtype)
