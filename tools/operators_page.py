"""The page of all operators: what each family declares, under which names, since which MindSpore, in which modes."""

from __future__ import annotations

import inspect
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from mindspore._engine.operator.registry import FUNCTIONS, OPS, PRIMITIVES
from mindspore._engine.tensor.tensor import Tensor

_VERSIONS = Path(__file__).with_name("operator_versions.tsv")
_EAGER = "counted"  # families of operators whose result has a size that depends on values
_HEAD = """# Operators

Generated from the declarations in `src/mindspore/_ops`, family by family. Every operator runs in both modes, with gradients
of every order where it has any; "eager" marks those whose result has a size that depends on values, which no compiled graph
can hold (inside a graph they say what to use instead). The column "MindSpore" says which versions have the name, as far as
programs show; empty where it is ours alone. How to use each: `help(ops.name)`.

{count} functions, {classes} Primitive classes, {methods} Tensor methods.
"""


def operators_page() -> str:
    """The page's text."""
    versions = dict(line.split("\t") for line in _VERSIONS.read_text().splitlines())
    families: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for names, classes, methods, module in _rows():
        known = [versions[name] for name in (*names, *classes) if name in versions]
        oldest = min(known, key=_first_version, default="")
        mode = "eager" if module.rsplit(".", 1)[1].startswith(_EAGER) else ""
        families[module].append((*map(_listed, (names, classes, methods)), oldest, mode))
    text = _HEAD.format(count=len(FUNCTIONS), classes=len(PRIMITIVES), methods=sum(map(_is_method, dir(Tensor))))
    for module in sorted(families):
        summary = (inspect.getdoc(sys.modules[module]) or "").split("\n\n")[0].replace("\n", " ")
        text += f"\n## {module.rsplit('.', 1)[1].strip('_')}\n{summary}\n\n"
        text += "| functions | classes | Tensor methods | MindSpore | |\n|---|---|---|---|---|\n"
        text += "".join(f"| {' | '.join(row)} |\n" for row in sorted(families[module], key=_by_name))
    return text


def _rows() -> list[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], str]]:
    """Names of the function, of the class and of the method, and the family, of each declaration."""
    rows = []
    for declared in OPS.values():
        names = tuple(name for name in declared.names if FUNCTIONS.get(name) is declared.function)
        classes = tuple(one.__name__ for one in declared.primitives)
        rows.append((names, classes, declared.methods, _family(declared.body)))
    declared_functions = {id(one.function) for one in OPS.values()}
    declared_classes = {id(one) for declared in OPS.values() for one in declared.primitives}
    functions, classes = _by_object(FUNCTIONS, declared_functions), _by_object(PRIMITIVES, declared_classes)
    for function, names in functions:
        rows.append((names, (), tuple(n for n in names if getattr(Tensor, n, None) is function), _family(function)))
    rows += [((), names, (), _family(one)) for one, names in classes]
    return rows


def _family(declared: Any) -> str:
    """The module a function or class is written in; ``__module__`` may name where it is published."""
    places = declared.__mro__ if inspect.isclass(declared) else ()
    members = [declared, *(member for place in places for member in vars(place).values())]
    found = (inspect.unwrap(one).__globals__["__name__"] for one in members if inspect.isfunction(one))
    return next(found, declared.__module__)


def _by_object(table: dict[str, Any], known: set[int]) -> list[tuple[Any, tuple[str, ...]]]:
    found: dict[int, tuple[Any, list[str]]] = {}
    for name, one in table.items():
        if id(one) not in known:
            found.setdefault(id(one), (one, []))[1].append(name)
    return [(one, tuple(names)) for one, names in found.values()]


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names if not name.startswith("_"))


def _by_name(row: tuple[str, ...]) -> tuple[str, ...]:
    return (row[0] or row[1] or row[2], *row)


def _first_version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(" ")[0].split("."))


def _is_method(name: str) -> bool:
    return not name.startswith("_") and callable(getattr(Tensor, name))
