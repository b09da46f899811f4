"""Says why a function is compiled again, on request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mindspore._engine.config import config
from mindspore._engine.tracing import capture
from mindspore._utils import log

if TYPE_CHECKING:
    from mindspore._engine.graph.compiled import Compiled


_requested = False
_OFTEN = 8  # graphs for the same arguments


def explain_recompiles(enabled: bool = True) -> None:
    """From here on, say in the log why each graph is compiled."""
    global _requested
    _requested = enabled


def report_recompile(compiled: Compiled, key: tuple, leaves: list[Any]) -> None:
    """Write one line about this compilation when MYCELIUM_EXPLAIN_RECOMPILES asks for it, or when there are too many."""
    kept = compiled.graphs.get(key, [])
    if len(kept) >= _OFTEN and kept[-1].surroundings is not None and (changed := kept[-1].surroundings.difference()):
        log.once(
            f"often:{compiled.name}:{changed.partition(' changed')[0]}",
            f"'{compiled.name}' has been compiled {len(kept)} times because {changed}. Pass what changes from call to call as an "
            "argument, a number as a Tensor: then one graph serves all calls.",
        )
    if _requested or config.explain_recompiles.value:
        log.warning(explain(compiled, key, leaves))


def explain(compiled: Compiled, key: tuple, leaves: list[Any]) -> str:
    """The reason for compiling, in words."""
    name = compiled.name
    graphs = [g for found in compiled.graphs.values() for g in found]
    if not graphs:
        return f"'{name}' is compiled for the first time, with {_described(leaves)}."
    if compiled.graphs.get(key):
        # Several graphs may have been compiled for these arguments: what differs from the most similar one is the reason.
        reasons = min((_changes(graph) for graph in reversed(compiled.graphs[key])), key=len)
        return f"'{name}' is compiled again because {' and '.join(reasons) or 'the state of a Cell changed'}."
    last = graphs[-1].key
    if last[0] != key[0]:
        return f"'{name}' is compiled again because the number or nesting of its arguments changed."
    differences = [f"{old} became {new}" for old, new in zip(last[1:], key[1:]) if old != new]
    return f"'{name}' is compiled again because its arguments changed: {'; '.join(map(str, differences))}."


def _described(leaves: list[Any]) -> str:
    words = []
    for leaf in leaves:
        shape = getattr(leaf, "shape", None)
        words.append(f"{leaf.dtype}{tuple(shape)}" if shape is not None else repr(leaf))
    return ", ".join(words) or "no arguments"


def _changes(graph: Any) -> list[str]:
    difference = graph.surroundings and graph.surroundings.difference()
    found = [difference] if difference else []
    for cell, seen in graph.trace.cells.items():
        if cell.training != seen[0]:
            found.append(f"{type(cell).__name__} was set to {'training' if cell.training else 'inference'}")
        if cell.graph_version != seen[1]:
            found.append(f"an attribute of {type(cell).__name__} changed that its construct reads ({cell.last_change})")
        if capture.parameter_flags(cell) != seen[2]:
            found.append(f"requires_grad or a hook of a Parameter of {type(cell).__name__} changed")
    return found
