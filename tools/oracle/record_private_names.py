"""Record which names MindSpore's modules have, and where ours have them: the facts behind ``_utils/compat/recorded_names.py``.

    ORACLE tools/oracle/record_private_names.py facts FACTS.json     walk the original package
    PYTHON tools/oracle/record_private_names.py write FACTS.json     write what ours lack, with where it is found here
    PYTHON tools/oracle/record_private_names.py earlier FACTS.json...     the same of earlier versions: ``earlier_names.json``

Values are recorded where they are short constants. Of a class only its kind is recorded: an enumeration with its members, an
exception with its bases.
"""

from __future__ import annotations

import enum
import importlib
import inspect
import json
import pkgutil
import sys
import warnings
from collections import defaultdict
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "src/mindspore/_utils/compat"
KERNELS = "mindspore.ops._op_impl"
GENERATED = "mindspore.ops.auto_generate"  # its modules make names when they are asked for, and have no ``__all__``
LONGEST_VALUE = 120
PARTS = ("function", "class", "object")  # of the original implementation


def walk() -> dict[str, Any]:
    modules, places = {}, defaultdict(list)
    package = importlib.import_module("mindspore")
    names = [info.name for info in pkgutil.walk_packages(package.__path__, "mindspore.", onerror=lambda _: None)]
    for name in (waiting := ["mindspore", *names]):
        try:
            module = sys.modules.get(name) or importlib.import_module(name)
        except BaseException:  # it needs another platform
            continue
        inner = [value for value in vars(module).values() if inspect.ismodule(value) and value.__name__ not in waiting]
        for one in inner:  # of a compiled module
            if one.__name__.startswith(f"{name}."):
                sys.modules.setdefault(one.__name__, one)
                waiting.append(one.__name__)
        modules[name] = {one: described(getattr(module, one)) for one in dir(module) if not one.startswith("__")}
        for one in list(modules[name]):
            value = getattr(module, one)
            if modules[name][one][0] not in ("module", "value"):
                places[id(value)].append([name, one])
        if listed := [
            one for one in getattr(module, "__all__", ()) if isinstance(one, str) and not one.startswith("__")
        ]:
            modules[name]["__all__"] = ["listed", listed]
        elif name.startswith(f"{GENERATED}."):
            modules[name]["__all__"] = ["listed", [one for one in modules[name] if not one.startswith("_")]]
    groups = [group for group in places.values() if len(group) > 1]
    return {"modules": modules, "groups": groups}


def described(value: Any) -> list[Any]:
    """What a value is, and where it comes from."""
    Primitive = importlib.import_module("mindspore.ops").Primitive
    if type(value).__name__ in ("ProxyOp", "CompileOp"):  # made by `constexpr` and its kin
        value = value.fn
    if inspect.ismodule(value):
        return ["module", value.__name__]
    home = str(getattr(value, "__module__", "") or "")
    if inspect.isclass(value):
        return ["class", home, value.__qualname__, *kind_of_class(value)]
    if isinstance(value, Primitive):
        return ["primitive", type(value).__name__]
    if inspect.isroutine(value):
        return ["function", home, getattr(value, "__name__", "")]
    if (text := constant(value)) is not None:
        return ["value", text]
    return ["object", home]


def kind_of_class(value: type) -> list[Any]:
    if issubclass(value, BaseException):
        return ["exception", next(base.__name__ for base in value.__mro__ if base.__module__ == "builtins")]
    members = getattr(value, "__members__", None)
    if isinstance(members, dict) and members:
        plain = {
            name: member.value if isinstance(member, enum.Enum) else int(member) for name, member in members.items()
        }
        if all(isinstance(one, (int, str)) for one in plain.values()):
            return ["enumeration", plain]
    return []


def constant(value: Any) -> str | None:
    """A short constant as JSON without spaces."""
    if not isinstance(value, (type(None), bool, int, float, str)):
        return None
    if isinstance(value, str) and Path(value).is_absolute() and Path(value).exists():  # of the machine that records
        value = "." if Path(value).is_dir() else ""
    text = json.dumps(value, separators=(",", ":")).replace(" ", "\\u0020")
    return text if len(text) <= LONGEST_VALUE else None


class Writer:
    """Finds each name of the facts here."""

    def __init__(self, facts: dict[str, Any]):
        self.facts = facts["modules"]
        self.groups = {(module, name): group for group in facts["groups"] for module, name in group}

    def table(self) -> dict[str, dict[str, set[str]]]:
        written: dict[str, dict[str, set[str]]] = {}
        for name, has_names in sorted(self.facts.items()):
            module = loaded(name)
            sources = {} if module is None else written.get(module.__name__, {})  # the same module may have two paths
            if "__all__" in has_names and "__all__" not in vars(module or sys):
                sources["listed"] = set(has_names["__all__"][1])
            for one, about in has_names.items():
                if one == "__all__":
                    continue
                own = about[:2] == ["module", f"{name}.{one}"]  # there only once somebody has imported it
                known = module is not None and hasattr(module, one) and not own
                if not known and (source := self.source_of(name, one, about)) is not None:
                    sources.setdefault(source[0], set()).add(source[1])
            if sources or module is None:
                written[name if module is None else module.__name__] = sources
        return written

    def source_of(self, module: str, name: str, about: list[Any]) -> tuple[str, str] | None:
        kind = about[0]
        if kind == "module" and about[1] == f"{module}.{name}":
            return "module", name
        if kind == "module":
            return ("module", f"{name}={about[1]}") if about[1] in self.facts or loaded(about[1]) else None
        if kind == "primitive" and makes(about[1]):
            return "primitive", f"{name}={about[1]}"
        if kind == "value":
            return "value", f"{name}={about[1]}"
        for place in sorted(self.groups.get((module, name), ()), key=lambda one: ("._" in one[0], len(one[0]))):
            if place != [module, name] and has(*place):
                return place[0], name if place[1] == name else f"{name}={place[1]}"
        if kind in ("class", "function"):
            home, original = about[1], about[2] or name
            if f"mindspore.train.{home}" == module:  # made of a description of messages
                home = module
            if home != module and has(home, original):
                return home, name if original == name else f"{name}={original}"
            if home.partition(".")[0] in ("builtins", "multiprocessing"):
                known_as = next((one for one in ("builtins", "types", "multiprocessing") if has(one, name)), None)
                return (known_as, name) if known_as else (kind, name)
            if home and home != module and not home.startswith("mindspore") and not home.endswith("_pb2"):
                return None  # of a library that is not here
            above = module.rpartition(".")[0]
            while above and not has(above, name):  # a package above may show it
                above = above.rpartition(".")[0]
            if above:
                return above, name
            if len(about) > 3:
                return about[3], f"{name}={about[4] if about[3] == 'exception' else constant_members(about[4])}"
            return kind, name
        return (about[1], name) if about[1] != module and has(about[1], name) else ("object", name)


def constant_members(members: dict[str, Any]) -> str:
    return json.dumps(members, separators=(",", ":")).replace(" ", "\\u0020")


def loaded(module: str) -> Any:
    try:
        return importlib.import_module(module) if module else None
    except Exception:  # a module of another platform may stop at anything
        return None


def has(module: str, name: str) -> bool:
    """Whether a name is there, and more than a stand-in."""
    found = getattr(loaded(module), name, None)
    made = found.__init__ if isinstance(found, type) else found
    return found is not None and getattr(getattr(made, "__code__", None), "co_filename", "").find("stand_ins.py") < 0


def makes(primitive: str) -> bool:
    try:
        getattr(importlib.import_module("mindspore.ops.operations"), primitive)()
    except Exception:
        return False
    return True


def earlier(facts: list[str]) -> dict[str, dict[str, set[str]]]:
    """What earlier versions have besides: what is found here, and of their own parts those that libraries import."""
    used = set((FOLDER.parents[3] / "tests/data/earlier_names.txt").read_text().split())
    gathered: dict[str, dict[str, set[str]]] = {}
    for path in facts:
        for module, sources in Writer(json.loads(Path(path).read_text())).table().items():
            if not module.startswith((KERNELS, "mindspore._akg")):
                for source, names in sources.items():
                    kept = {one for one in names if source not in PARTS or f"{module}.{one.partition('=')[0]}" in used}
                    gathered.setdefault(module, {}).setdefault(source, set()).update(kept)
    for sources in gathered.values():
        sources.pop("listed", None)
    full = {
        module: {source: names for source, names in sources.items() if names} for module, sources in gathered.items()
    }
    return {module: sources for module, sources in full.items() if sources}


def write(table: dict[str, dict[str, set[str]]], file: str) -> None:
    """One line a module."""
    lines = []
    for module, sources in sorted(table.items()):
        joined = {source: " ".join(sorted(listed)) for source, listed in sorted(sources.items())}
        lines.append(f"{json.dumps(module)}: {json.dumps(joined, ensure_ascii=False)}")
    (FOLDER / file).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if sys.argv[1] == "facts":
        Path(sys.argv[2]).write_text(json.dumps(walk()))
    elif sys.argv[1] == "earlier":
        write({}, "earlier_names.json")  # what is recorded now shall not count
        write(earlier(sys.argv[2:]), "earlier_names.json")
    else:
        write({}, "private_names.json")
        write({}, "kernel_names.json")
        everything = Writer(json.loads(Path(sys.argv[2]).read_text())).table()
        kernels = {module: everything.pop(module) for module in list(everything) if module.startswith(KERNELS)}
        write(everything, "private_names.json")
        write(kernels, "kernel_names.json")
