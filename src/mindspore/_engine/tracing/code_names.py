"""Names that code objects reference: what a graph traced from them may depend on."""

from __future__ import annotations

import dis
import functools
import inspect
import sys
from collections.abc import Iterable, Iterator
from types import CodeType
from typing import Any

_READS = frozenset(dis.opmap[name] for name in ("LOAD_ATTR", "LOAD_METHOD") if name in dis.opmap)
_SHIFT = int(sys.version_info >= (3, 12))  # since then the last bit says whether a method is called
_OWN = "mindspore.nn.cell"  # Cell's own attributes are guarded separately


@functools.lru_cache(maxsize=4096)
def attributes_in(code: CodeType) -> frozenset[str]:
    """The names of attributes that code reads, inner functions included; texts may be such names too: getattr(self, "name")."""
    names = {code.co_names[index >> _SHIFT] for index in _arguments(code, _READS)}
    names |= {constant for constant in code.co_consts if isinstance(constant, str) and constant.isidentifier()}
    return frozenset(names.union(*(attributes_in(inner) for inner in _inner(code))))


@functools.lru_cache(maxsize=4096)
def globals_in(code: CodeType) -> frozenset[str]:
    """The globals that code reads and does not assign itself."""
    return _read(code) - assigned_globals(code)


@functools.lru_cache(maxsize=4096)
def assigned_outside(code: CodeType) -> frozenset[str]:
    """The nonlocals that code assigns."""
    return _assigned(code, "STORE_DEREF")


@functools.lru_cache(maxsize=4096)
def assigned_globals(code: CodeType) -> frozenset[str]:
    """The globals that code assigns."""
    return _assigned(code, "STORE_GLOBAL")


@functools.lru_cache(maxsize=4096)
def imports_in(code: CodeType) -> frozenset[str]:
    """The modules that code imports itself."""
    return _assigned(code, "IMPORT_NAME")


def _arguments(code: CodeType, opcodes: frozenset[int]) -> Iterator[int]:
    """The arguments of these instructions. As ``dis`` reads them, without making an object of each: there are thousands."""
    data, extended = code.co_code, 0
    for position in range(0, len(data), 2):
        argument = data[position + 1] | extended
        extended = argument << 8 if data[position] == dis.EXTENDED_ARG else 0
        if data[position] in opcodes:
            yield argument


def _read(code: CodeType) -> frozenset[str]:
    names = {instruction.argval for instruction in dis.get_instructions(code) if instruction.opname == "LOAD_GLOBAL"}
    return frozenset(names.union(*map(_read, _inner(code))))


def _assigned(code: CodeType, how: str) -> frozenset[str]:
    names = {instruction.argval for instruction in dis.get_instructions(code) if instruction.opname == how}
    return frozenset(names.union(*(_assigned(inner, how) for inner in _inner(code))))


def _inner(code: CodeType) -> list[CodeType]:
    return [constant for constant in code.co_consts if inspect.iscode(constant)]


def names_in_methods(cls: type) -> frozenset[str]:
    """Every attribute name the methods of a class read, apart from __init__ and Cell's own."""
    found = cls.__dict__.get("_mentioned_names")
    if found is None:
        names: set[str] = {"construct"}
        for owner in cls.__mro__:
            if owner.__module__.startswith(_OWN):
                break
            for name, member in vars(owner).items():
                function = getattr(member, "function", getattr(member, "fget", member))  # a jitted method, a property
                if name != "__init__" and inspect.isfunction(function):
                    names |= attributes_in(function.__code__)
        found = frozenset(names)
        cls._mentioned_names = found  # type: ignore[attr-defined]
    return found


def forget_names(classes: Iterable[type]) -> None:
    """Invalidate the cached names of these classes."""
    for cls in classes:
        if "_mentioned_names" in vars(cls):
            del cls._mentioned_names  # type: ignore[attr-defined]


def names_read_by_themselves(cls: type, names: frozenset[str]) -> frozenset[str]:
    """Attribute names that Python reads without a call in the program: in methods like __getitem__, and in properties it mentions."""
    found: set[str] = set()
    for owner in cls.__mro__[:-1]:
        for name, member in vars(owner).items():
            special = name.startswith("__") and name not in ("__init__", "__repr__", "__str__")
            function = member if special else getattr(member, "fget", None) if name in names else None
            if inspect.isfunction(function):
                found |= attributes_in(function.__code__)
    return frozenset(found)


def mentioned(root: Any) -> frozenset[str]:
    """Every attribute name that a method of a Cell called in this trace reads, or a function that ran in it.

    A Cell that was only asked for an attribute counts with what Python reads of it by itself: an environment whose ``step``
    the host calls may change its state.
    """
    key = (len(root.cells), len(root.called), len(root.functions))
    known, names = root.__dict__.get("mentioned", (None, frozenset()))
    if known != key:
        names = frozenset().union(
            *map(names_in_methods, root.called), *(attributes_in(function.__code__) for function in root.functions)
        )
        asked = {type(cell) for cell in root.cells} - root.called.keys()
        names = names.union(*(names_read_by_themselves(cls, names) for cls in asked))
        root.__dict__["mentioned"] = (key, names)
    return names
