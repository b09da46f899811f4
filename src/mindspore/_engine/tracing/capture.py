"""State that a compiled function depends on besides its arguments: Parameters, Tensors and Cell attributes."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterator
from typing import Any

from mindspore._engine.tensor.tensor import Tensor


def state_of(root: Any, depth: int = 2) -> Iterator[Tensor]:
    """A guess at the Tensors a callable reads. A miss costs one retrace, nothing else."""
    if isinstance(root, Tensor):
        yield root
    elif isinstance(root, type):  # a class holds no Tensors
        return
    elif hasattr(type(root), "get_parameters"):  # objects may answer any name, or fail in other ways
        yield from root.get_parameters()
        for _, cell in root.cells_and_names():
            yield from (v for v in cell.__dict__.values() if isinstance(v, Tensor))
    elif isinstance(root, (tuple, list)):
        for member in root:
            yield from state_of(member, depth)
    elif depth > 0:
        if inspect.ismethod(root):
            yield from state_of(root.__self__, depth)
            root = root.__func__
        if inspect.isfunction(root):
            for value in referenced(root):
                yield from state_of(value, depth - 1)
        elif isinstance(root, functools.partial):
            yield from state_of((root.func, *root.args, *root.keywords.values()), depth - 1)
        elif not inspect.isclass(root) and not inspect.ismodule(root) and hasattr(root, "__dict__"):
            for value in list(vars(root).values()):
                yield from state_of(value, depth - 1)


def referenced(function: Any) -> Iterator[Any]:
    """The values of a function's free variables and globals."""
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # not assigned yet
            continue
    for name in function.__code__.co_names:
        value = function.__globals__.get(name)
        if value is not None and not inspect.ismodule(value) and not inspect.isclass(value):
            yield value


def fingerprint(cell: Any) -> tuple:
    """The part of a Cell's state that is in a graph's cache key."""
    return (cell.training, cell.graph_version, parameter_flags(cell))


def fingerprint_now(cell: Any, names: frozenset[str]) -> tuple:
    """The fingerprint for a graph from another process, whose code mentions these names."""
    return (cell.training, cell.graph_version_now(names), parameter_flags(cell))


def parameter_flags(cell: Any) -> tuple:
    """Which Parameters of a Cell are trainable, and their hooks."""
    return tuple(None if p is None else (p.requires_grad, tuple(p._hooks or ())) for p in cell._params.values())


def identity_of(function: Any) -> Any:
    """A hashable identity of a function's code and closure: a lambda recreated on every step is the same function."""
    if inspect.ismethod(function):
        return (id(function.__self__), identity_of(function.__func__))
    if inspect.isfunction(function):
        cells = []
        for cell in function.__closure__ or ():
            try:
                cells.append(_identity(cell.cell_contents))
            except ValueError:
                cells.append(None)
        defaults = tuple(
            map(_identity, (function.__defaults__ or ()) + tuple((function.__kwdefaults__ or {}).values()))
        )
        return (function.__code__, id(function.__globals__), tuple(cells), defaults)
    if hasattr(function, "identity"):
        return function.identity
    return id(function)


def _identity(value: Any) -> Any:
    if isinstance(value, (bool, int, float, str, type(None))):
        return (type(value), value)
    return identity_of(value) if inspect.isfunction(value) or inspect.ismethod(value) else id(value)
