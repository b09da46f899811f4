"""Graphs kept on disk: a process that calls what an earlier one has compiled neither traces nor compiles it.

An entry holds the executable and what its trace came to: which Tensors go in and are written, what the result looks like. It is found
by a digest of everything a trace may read (``tracing/portable_state.py``), of all source files that are loaded, the arguments' shapes
and dtypes, and the settings. Where there is no such digest, or the trace did what only a trace can do, nothing is kept.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import os
import pickle
import random as python_random
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jax
import numpy as np
from jax.experimental import serialize_executable

from mindspore._engine.base import version_counter
from mindspore._engine.base.dtype import DType
from mindspore._engine.base.trace_state import state
from mindspore._engine.config import config
from mindspore._engine.execution import random
from mindspore._engine.graph import donation
from mindspore._engine.graph.graph import Graph
from mindspore._engine.graph.placement import Local
from mindspore._engine.graph.trace import Trace
from mindspore._engine.runtime import cache_entry, compile_cache, context, memory_guard
from mindspore._engine.runtime.parallel_context import parallel, planning_key
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing import capture
from mindspore._engine.tracing.contents import is_library
from mindspore._engine.tracing.portable_state import NotPortable, PortableState
from mindspore._engine.tracing.surroundings import Surroundings
from mindspore._engine.tracing.traced_kernel import TracedKernel
from mindspore._utils import log

if TYPE_CHECKING:
    from mindspore._engine.graph.compiled import Compiled

_MOST_BYTES = 1 << 28
_GENERATOR = -1  # the position of the random state among captured Tensors
_CONSTANTS = frozenset((bool, int, float, complex, str, bytes, type(None), type(...)))
_PLAIN = (
    "numbers",
    "changed",
    "passed",
    "repeated",
    "constants",
    "tensor_leaves",
    "checked",
    "sites",
    "loops",
    "description",
)


class Ticket:
    """What a call would be kept under, made before it is traced."""

    def __init__(self, owner: Compiled, key: tuple, leaves: list[Any], inputs: list[int]):
        given = set(inputs)
        arguments = [None if index in given else leaf for index, leaf in enumerate(leaves)]
        forms = [_form(leaves[index]) for index in inputs]
        self.state = PortableState((owner.function, owner.roots, key[0], arguments, _modes(owner), forms))
        digest = hashlib.sha256(self.state.digest.encode())
        digest.update(_programs().encode())
        digest.update(repr((_loaded_files(), sys.argv, _settings())).encode())
        self.path = cache_entry.path_of("graph", digest.hexdigest()) or ""
        self.chance, self.hits = _chance(), compile_cache.hits
        self._positions = {id(tensor): position for position, tensor in enumerate(self.state.tensors)}

    def position(self, tensor: Tensor) -> int:
        """Where a Tensor stands among those of the state."""
        if tensor is random.generator:
            return _GENERATOR
        found = self._positions.get(id(tensor))
        if found is None:
            raise NotPortable(f"a Tensor of shape {tensor.shape} that is reached in no way we know")
        return found

    def tensor(self, position: int) -> Tensor:
        if position == _GENERATOR:
            random.started_from()
            return random.generator
        return self.state.tensors[position].init_data()


def ticket_of(owner: Compiled, key: tuple, leaves: list[Any], inputs: list[int]) -> Ticket | None:
    """The ticket of a call; None if its graph is not kept."""
    busy = state.tape or state.modes or state.saving or state.calls or state.plan or state.processes or owner.processes
    busy = busy or context.state.save_graphs or state.collected is not None  # somebody wants to see the trace
    if not config.stored_graphs.value or busy or planning_key() is not None or jax.device_count() > 1:
        return None
    if cache_entry.path_of("graph", "") is None or not hasattr(sys.modules["__main__"], "__file__"):
        return None
    try:
        ticket = Ticket(owner, key, leaves, inputs)
    except NotPortable as reason:
        _tell(owner, reason)
        return None
    return ticket


def load(ticket: Ticket, graph: Graph) -> bool:
    """Make a graph from its entry; whether there was one that fits."""
    content = cache_entry.read(ticket.path, _MOST_BYTES)
    if content is None:
        return False
    try:
        entry = pickle.loads(content)  # from the private folder, as executables are
        if any(_digest_of(ticket.tensor(p)) != seen for p, seen in entry["uncaptured"].items()):
            return False
        executable = _read_program(entry["program"])
        if executable is None:
            return False
    except Exception as error:  # another version wrote it, or XLA cannot load it any more
        log.info("%s", f"A kept graph of '{graph.owner.name}' cannot be used and is made anew: {error!r}.")
        return False
    graph.captured = [ticket.tensor(position) for position in entry["captured"]]
    _restore(graph, ticket, entry, executable)
    return True


def _restore(graph: Graph, ticket: Ticket, entry: dict[str, Any], executable: Any) -> None:
    trace = Trace.__new__(Trace)
    trace.__dict__.update(entry["trace"])
    trace.written = [ticket.tensor(position) for position in entry["written"]]
    visited = [ticket.state.cells[i] for i in entry["cells"]]
    trace.cells = {cell: capture.fingerprint_now(cell, trace.names) for cell in visited}
    trace.functions = [ticket.state.functions[i] for i in entry["functions"]]
    trace.calls_host, trace.summaries, trace.given, trace.held, trace.containers = False, None, {}, {}, []
    trace.changed_lists = []
    trace.let_go()
    graph.placement = Local(graph.captured)
    graph.placement.donated = entry["donated"]
    graph.trace, graph.kernel = trace, TracedKernel(graph.owner.name, graph.on_tensors)
    graph.out_avals, graph.executable = entry["out_avals"], executable
    graph.needed = memory_guard.needs(executable)
    graph.kernel.jitted = donation.keeping(executable, entry["donated"])
    graph.planned_for, graph.verified_at = None, version_counter.count
    graph.surroundings = Surroundings(trace.cells, trace.functions, graph.root_objects(), trace.names) or None


def store(ticket: Ticket, graph: Graph) -> None:
    """Keep a graph that was just compiled, if all of it can be made again."""
    try:
        entry = pickle.dumps(_entry(ticket, graph))
    except (NotPortable, pickle.PicklingError, TypeError, AttributeError, ValueError, NotImplementedError) as reason:
        _tell(graph.owner, reason)
        return
    cache_entry.write(ticket.path, entry, _MOST_BYTES)


def _read_program(digest: str) -> Any:
    content = cache_entry.read(cache_entry.path_of("program", digest) or "", _MOST_BYTES)
    return None if content is None else serialize_executable.deserialize_and_load(*pickle.loads(content))


def _keep_program(graph: Graph, compiled_here: bool) -> str:
    """Write the executable, unless it is there; return what it is found by: the text of the program it was compiled from.

    XLA cannot serialize an executable that it has itself read from a file.
    """
    text = graph.lowered.as_text()
    if "callback" in text:
        raise NotPortable("it calls Python while it runs")
    taken = [one is not None for one in graph.executable.input_shardings[0]]  # of the inputs; the text has only these
    called = f"{taken} {graph.lowered.in_tree} {graph.lowered.out_tree} {_machine()}"
    digest = hashlib.sha256(called.encode() + text.encode()).hexdigest()
    path = cache_entry.path_of("program", digest) or ""
    if not os.path.exists(path):
        if not compiled_here:
            raise NotPortable("XLA has read it from a file that this package has not written")
        cache_entry.write(path, pickle.dumps(serialize_executable.serialize(graph.executable)), _MOST_BYTES)
    return digest


def _entry(ticket: Ticket, graph: Graph) -> dict[str, Any]:
    trace, found = graph.trace, ticket.state
    if (
        trace.calls_host
        or trace.summaries is not None
        or trace.given
        or trace.held
        or trace.changed_lists
        or graph.pending is not None
    ):
        raise NotPortable("it does more than compute")
    if type(graph.placement) is not Local or _chance() != ticket.chance:
        raise NotPortable("it is divided, or random numbers of Python were drawn while it was traced")
    if not all(type(one) in _CONSTANTS or isinstance(one, DType) for one in trace.constants):
        raise NotPortable("it returns objects of the program")
    cells = {id(cell): i for i, cell in enumerate(found.cells)}
    functions = {id(function): i for i, function in enumerate(found.functions)}
    visited = [one for one in trace.functions if not is_library(one.__module__ or "")]
    if not cells.keys() >= set(map(id, trace.cells)) or not functions.keys() >= set(map(id, visited)):
        raise NotPortable("it calls what was not reached before")
    captured = [ticket.position(tensor) for tensor in graph.captured]
    rest = set(range(len(found.tensors))) - set(captured)
    return {
        "captured": captured,
        "written": [ticket.position(tensor) for tensor in trace.written],
        "uncaptured": {position: _digest_of(found.tensors[position]) for position in sorted(rest)},
        "cells": [cells[id(cell)] for cell in trace.cells],
        "functions": [functions[id(function)] for function in visited],
        "trace": {name: getattr(trace, name) for name in _PLAIN} | {"names": trace.names},
        "donated": graph.placement.donated,
        "out_avals": graph.out_avals,
        "program": _keep_program(graph, ticket.hits == compile_cache.hits),
    }


def _digest_of(tensor: Tensor) -> str:
    """A Tensor that is no input of the graph may be a constant in it."""
    value = tensor.init_data()._value
    if value is None or value.nbytes > 1 << 20:
        raise NotPortable("a large Tensor that is no input")
    return hashlib.sha256(np.asarray(value).tobytes()).hexdigest()


def _form(leaf: Any) -> tuple:
    if isinstance(leaf, Tensor):
        if leaf._hooks:
            raise NotPortable("an argument with hooks")
        return (leaf.init_data()._value.shape, str(leaf.dtype), type(leaf).__name__)
    return (type(leaf).__name__,)


def _modes(owner: Compiled) -> tuple:
    precision = None if state.precision is None else state.precision.key
    switches = (state.grad_enabled, state.evaluating, bool(state.piecewise), state.replaying, state.probing)
    return (owner.is_faithful(), owner.is_strict(), precision, switches, tuple(sorted(owner.dynamic)), owner.name)


def _settings() -> tuple:
    options = [(option.variables, repr(option.value)) for option in config.options()]
    return (sorted(vars(context.state).items(), key=str), sorted(vars(parallel.values).items(), key=str), options)


def _chance() -> tuple:
    """The state of Python's and NumPy's random numbers: whoever draws some while tracing has a constant in the graph."""
    drawn: Any = np.random.get_state(legacy=False)
    return (hash(python_random.getstate()), drawn["state"]["pos"], hash(drawn["state"]["key"].tobytes()))


@functools.cache
def _programs() -> str:
    """This package as it is on disk, and what it runs on."""
    digest = hashlib.sha256(_machine().encode())
    for folder, _, names in sorted(os.walk(Path(__file__).parents[2])):
        for name in sorted(names):
            if not name.endswith(".pyc"):
                status = os.stat(os.path.join(folder, name))
                digest.update(repr((folder, name, status.st_size, status.st_mtime_ns)).encode())
    return digest.hexdigest()


@functools.cache
def _machine() -> str:
    """What an executable depends on besides its program: versions, flags, the processor."""
    versions = (sys.version, jax.__version__, importlib.metadata.version("jaxlib"), np.__version__)
    features = ""
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            features = next((line for line in file if line.startswith(("flags", "Features"))), "")
    return repr((versions, jax.devices()[0].device_kind, jax.device_count(), features, config.xla_flags.value,
                 sorted(jax.config.values.items(), key=str)))  # fmt: skip


def _loaded_files() -> list[tuple]:
    """The source files of the program and of libraries on top of this package, as they are now."""
    found = []
    for name, module in sorted(sys.modules.items()):
        path = None if is_library(name) else getattr(module, "__file__", None)
        if path and os.path.exists(path):
            status = os.stat(path)
            found.append((name, path, status.st_size, status.st_mtime_ns))
    return found


def _tell(owner: Compiled, reason: Exception) -> None:
    log.info("%s", f"The graph of '{owner.name}' is not kept for other processes: {reason}.")
