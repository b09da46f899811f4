"""Which module real MindSpore's public classes and functions say they come from.

``python -m tools.oracle.record_modules src/mindspore/_utils/documents/documented_modules.py``, with a Python that has it.

Noted are the facts alone: of every public package, the names in it whose ``__qualname__`` is that name (others are second
names), by their ``__module__``. A name that several packages show is noted once, in the widest package beside its module.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import sys
import warnings
from collections import defaultdict
from types import ModuleType

HEAD = '''"""Facts, recorded by tools/oracle/record_modules.py from MindSpore 2.10: the modules its public names say they come from.

By public package and module, the names; :mod:`mindspore._utils.documented` gives ours the same.
"""

# fmt: off
DOCUMENTED: dict[str, dict[str, str]] = {
'''
# Modules that are no packages, and from which programs take names that no package shows.
ALONE = ("amp", "common.initializer", "communication.comm_func", "context", "dataset.engine.samplers",
         "experimental.optim.lr_scheduler", "log")  # fmt: skip


def public_packages(name: str) -> list[ModuleType]:
    """A package and those in it, without private ones."""
    module = importlib.import_module(name)
    found = [module]
    for one in pkgutil.iter_modules(module.__path__):
        if one.ispkg and not one.name.startswith("_"):
            try:
                found += public_packages(f"{name}.{one.name}")
            except Exception as error:
                print(f"left out: {name}.{one.name}: {error}", file=sys.stderr)
    return found


def named_things(module: ModuleType) -> dict[str, str]:
    """The public classes and functions a module shows under their own names, and the modules they say they are from."""
    found = {}
    for name in dir(module):
        value = None if name.startswith("_") else getattr(module, name, None)
        home = getattr(value, "__module__", None) or ""
        known = inspect.isclass(value) or inspect.isroutine(value)
        if known and home.partition(".")[0] == "mindspore" and getattr(value, "__qualname__", "") == name:
            found[name] = home
    return found


def preference(package: str, home: str) -> tuple:
    """Whose place it is to name a thing: the widest package beside its module, else the widest of all."""
    beside = package.split(".")[1:2] == home.split(".")[1:2]
    return (not beside, package.count("."), package)


def main() -> None:
    warnings.simplefilter("ignore")
    modules = public_packages("mindspore") + [importlib.import_module(f"mindspore.{one}") for one in ALONE]
    shown: dict[tuple[str, str], list[str]] = defaultdict(list)
    for module in modules:
        for name, home in named_things(module).items():
            shown[home, name].append(module.__name__)
    table: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for (home, name), packages in shown.items():
        table[min(packages, key=lambda package: preference(package, home))][home].append(name)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(HEAD)
        for package in sorted(table):
            file.write(f'    "{package}": {{\n')
            for home in sorted(table[package]):
                file.write(f'        "{home}": "{" ".join(sorted(table[package][home]))}",\n')
            file.write("    },\n")
        file.write("}\n")


if __name__ == "__main__":
    main()
