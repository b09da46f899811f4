"""Every name that public programs use exists here, and what can be called among them is used by a test.

The names come from 8,771 files of public programs; `mindspore.ops.X` stands for `ops.operations.X` and the like too.
"""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from mindspore._engine.operator.registry import OPS
from tools.oracle.families import FAMILIES, LAYER_FAMILIES

TESTS = Path(__file__).resolve().parent
SOURCE = TESTS.parent / "src"
NAMES = (TESTS / "data" / "used_names.txt").read_text().split()
SHORT = {  # what the cases of tools/oracle call the packages
    "mnp": "mindspore.numpy", "ms": "mindspore", "P": "mindspore.ops.operations", "F": "mindspore.ops.functional",
    "C": "mindspore.ops.composite", "Tensor": "mindspore.Tensor", "ops": "mindspore.ops", "nn": "mindspore.nn",
    "mint": "mindspore.mint",
}  # fmt: skip
HOLDS_NAMES = (ast.Attribute, ast.Import, ast.ImportFrom, ast.Name)
CASES = (*FAMILIES.values(), *LAYER_FAMILIES.values())
ABSENT = object()


@cache
def module(path: str) -> Any:
    """The module of that path, ABSENT if there is none."""
    try:
        return importlib.import_module(path)
    except ModuleNotFoundError:
        return ABSENT


@cache
def found(path: str) -> Any:
    """What a dotted path leads to, ABSENT where it leads nowhere."""
    owner, _, name = path.rpartition(".")
    if not owner:
        return module(name)
    # a function may have the name of the module it is in: mindspore.ops.op_info_register
    for value in (found(owner), module(owner) if inspect.isroutine(found(owner)) else ABSENT):
        if hasattr(value, name):
            return getattr(value, name)
    return module(path) if inspect.ismodule(found(owner)) else ABSENT


def imported(nodes: Sequence[ast.AST]) -> dict[str, str]:
    """What code imports of this package: the name there and the path it stands for."""
    table: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            table.update({one.asname or "mindspore": one.name if one.asname else "mindspore"
                          for one in node.names if one.name.split(".")[0] == "mindspore"})  # fmt: skip
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "mindspore":
            table.update({one.asname or one.name: f"{node.module}.{one.name}" for one in node.names})
    return table


def mentioned(nodes: Sequence[ast.AST], names: dict[str, str]) -> Iterator[str]:
    """The paths that code reads, given what the names in it stand for."""
    for node in nodes:
        attributes: list[str] = []
        while isinstance(node, ast.Attribute):
            attributes.insert(0, node.attr)
            node = node.value
        if isinstance(node, ast.Name) and node.id in names:
            yield ".".join((names[node.id], *attributes))


def sources() -> Iterator[tuple[str, dict[str, str]]]:
    """The code of every test and every example, and the names it has without importing them."""
    for file in TESTS.rglob("*.py"):
        yield file.read_text(), {}
    for file in SOURCE.rglob("*.py"):
        text = file.read_text()
        dotted = ".".join(file.relative_to(SOURCE).with_suffix("").parts)
        own = {name: f"{dotted}.{name}" for name in re.findall(r"^(?:def|class) (\w+)", text, re.MULTILINE)}
        for document in re.findall(r'"""(.*?)"""', text, re.DOTALL):
            if ">>>" in document:
                yield "".join(one.source for one in doctest.DocTestParser().get_examples(document)), own
    chains = {chain for cases in CASES for case in cases for chain in re.findall(r"\b[a-zA-Z]\w*(?:\.\w+)+", case.name)}
    yield "\n".join(chain for chain in chains if chain.split(".")[0] in SHORT), SHORT


def leave_out_used(missing: dict[str, Any], code: str, own: dict[str, str]) -> None:
    """Drop from ``missing`` what the code uses: functions and classes themselves, methods by their names."""
    if missing.keys() and not {name.rpartition(".")[2] for name in missing}.intersection(re.findall(r"\w+", code)):
        return
    try:
        nodes = [node for node in ast.walk(ast.parse(code)) if isinstance(node, HOLDS_NAMES)]
    except SyntaxError:  # the pattern of several documents, with braces for their names
        return
    objects = {id(found(path)) for path in mentioned(nodes, own | imported(nodes))}
    attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    for name, value in list(missing.items()):
        owner, _, last = name.rpartition(".")
        if (last in attributes) if inspect.isclass(found(owner)) else (id(value) in objects):
            del missing[name]


def test_every_name_that_programs_use_is_there():
    missing = [name for name in NAMES if found(name) is ABSENT]
    assert len(NAMES) == 1248 and not missing, missing


def test_whatever_programs_call_is_used_by_a_test():
    operators = [form for one in OPS.values() if one.test is not None for form in (one.function, *one.primitives)]
    tested = {id(form) for form in operators}
    called = {name: found(name) for name in NAMES if inspect.isroutine(found(name)) or inspect.isclass(found(name))}
    missing = {name: value for name, value in called.items() if id(value) not in tested}
    for code, own in sources():
        leave_out_used(missing, code, own)
    assert len(called) > 1000 and not missing, f"{len(missing)} of {len(called)} have no test:\n" + "\n".join(missing)
