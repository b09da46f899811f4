"""Record which names MindSpore's modules have, and where ours have them: the facts behind ``_utils/compat/private_names.py``.

    ORACLE tools/oracle/record_private_names.py facts FACTS.json     walk the original package
    PYTHON tools/oracle/record_private_names.py write FACTS.json     write what ours lack, with where it is found here

Modules of Ascend's and AKG's kernels, of profilers' tables and of code generators are left out: nothing could be done with them.
"""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
import sys
import warnings
from pathlib import Path
from typing import Any

LEFT_OUT = ("_op_impl", "_akg", "akg_compiler", "graph_kernel", "_extends.remote", "ops_generate", "profiler.analysis",
            "profiler.common", "profiler.platform", "profiler.dynamic_profile", "pijit", "rewrite.parsers",
            "rewrite.ast_helpers", "rewrite.sparsify", "ops._vmap", "_c_expression", "_c_dataengine", "_c_mindrecord",
            "auto_generate", "grad_experimental", "_ms_kernel", "process_entity", "run_check")  # fmt: skip
TARGET = Path(__file__).parents[2] / "src/mindspore/_utils/compat/private_names.py"
HEAD = '''"""Facts, recorded by tools/oracle/record_private_names.py from MindSpore 2.10: names that its modules have besides ours.

By module, the names by where they are found here: a module, ``primitive`` (an operator made with its defaults), ``value``
(a constant), ``function`` and ``class`` (parts of MindSpore's own implementation, which say so when they are used).
"""

# fmt: off
PRIVATE_NAMES: dict[str, dict[str, str]] = {
'''


def walk() -> dict[str, dict[str, list[str]]]:
    found = {}
    package = importlib.import_module("mindspore")
    names = [info.name for info in pkgutil.walk_packages(package.__path__, "mindspore.", onerror=lambda _: None)]
    for name in ["mindspore", *names]:
        if any(part in name for part in LEFT_OUT):
            continue
        try:
            module = importlib.import_module(name)
        except BaseException:  # it needs another platform
            continue
        found[name] = {one: described(getattr(module, one)) for one in dir(module) if not one.startswith("__")}
    return found


def described(value: Any) -> list[str]:
    """What a value is, and where it comes from."""
    Primitive = importlib.import_module("mindspore.ops").Primitive
    home = str(getattr(value, "__module__", "") or "") if not isinstance(value, Primitive) else ""
    if inspect.ismodule(value):
        return ["module", value.__name__]
    if inspect.isclass(value):
        return ["class", home, value.__qualname__]
    if isinstance(value, Primitive):
        return ["primitive", type(value).__name__]
    if inspect.isroutine(value) or callable(value):
        return ["function", home, getattr(value, "__name__", "")]
    if value is None or isinstance(value, (bool, int, float)):
        return ["value", json.dumps(value)]
    return ["other"]


def write(facts: dict[str, dict[str, list[str]]]) -> None:
    written: dict[str, dict[str, set[str]]] = {}
    for name, has in sorted(facts.items()):
        try:
            module = importlib.import_module(name)
        except ModuleNotFoundError:
            module = None
        sources = {} if module is None else written.get(module.__name__, {})  # the same module may have two paths
        for one, about in has.items():
            known = module is not None and hasattr(module, one)
            if not known and (source := source_of(name, one, about)) is not None:
                sources.setdefault(source[0], set()).add(source[1])
        if sources or module is None:
            written[name if module is None else module.__name__] = sources
    lines = []
    for name, sources in sorted(written.items()):
        parts = ", ".join(f"{source!r}: {' '.join(sorted(listed))!r}" for source, listed in sorted(sources.items()))
        lines.append(f"    {name!r}: {{{parts}}},".replace("'", '"'))
    TARGET.write_text(HEAD + "\n".join(lines) + "\n}\n")


def source_of(module: str, name: str, about: list[str]) -> tuple[str, str] | None:
    kind = about[0]
    if kind == "module":
        return ("module", f"{name}={about[1]}") if about[1].startswith("mindspore") and has(about[1]) else None
    if kind == "primitive":
        return ("primitive", f"{name}={about[1]}") if makes(about[1]) else None
    if kind == "value":
        return "value", f"{name}={about[1]}"
    if kind in ("class", "function"):
        home, written = about[1], about[2] or name
        if home.startswith("mindspore") and has(home, written):
            return home, name if written == name else f"{name}={written}"
        if home != module:
            return None
        above = module.rpartition(".")[0]
        while above and not has(above, name):  # a package above may show it
            above = above.rpartition(".")[0]
        return (above, name) if above else (kind, name)
    return None


def has(module: str, name: str | None = None) -> bool:
    try:
        loaded = importlib.import_module(module)
    except ImportError:
        return False
    return name is None or hasattr(loaded, name)


def makes(primitive: str) -> bool:
    try:
        getattr(importlib.import_module("mindspore.ops.operations"), primitive)()
    except Exception:
        return False
    return True


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if sys.argv[1] == "facts":
        Path(sys.argv[2]).write_text(json.dumps(walk()))
    else:
        write(json.loads(Path(sys.argv[2]).read_text()))
