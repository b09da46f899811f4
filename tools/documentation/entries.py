"""One entry of the API reference: signature, text, arguments, results, errors, a runnable example, members, facts."""

from __future__ import annotations

import ast
import builtins
import enum
import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chinese import in_chinese, kind_in_chinese
from docstrings import Docstring, as_markdown, entries, parse
from facts import facts
from refusals import refusals
from words import WORDS

from mindspore._utils.documents import complete, parameters_of, taken

WIDTH = 78
_RECORD = Path(__file__).with_name("refused.json")  # made by probe.py
RECORDED: dict[str, list[list[str]]] = json.loads(_RECORD.read_text(encoding="utf-8")) if _RECORD.exists() else {}
_IMPORTS = {
    "np": "import numpy as np", "ms": "import mindspore as ms", "mindspore": "import mindspore", "ds": "import mindspore.dataset as ds",
    **{name: f"from mindspore import {name}" for name in ("Tensor", "Parameter", "nn", "ops", "mint", "Model", "mutable")},
    **{name: f"from mindspore.dataset import {name}" for name in ("vision", "transforms", "text", "audio")},
}  # fmt: skip


def entry(name: str, thing: Any, language: str, level: int = 2) -> str:
    """The text of a name; a class is followed by its methods, one level deeper."""
    words, said = WORDS[language], in_chinese if language == "zh" else str
    thing = thing.__func__ if isinstance(thing, (staticmethod, classmethod)) else thing
    if inspect.isclass(thing) or inspect.isfunction(thing):
        complete(thing)
    document = parse(thing)
    short = name.removeprefix("mindspore.")
    lines = [f"{'#' * level} {short} {{ #{name} }}", "", *_signature(short, thing), as_markdown(document.text), ""]
    order = {parameter: place for place, parameter in enumerate(_parameters(thing))}
    for section, key in (("Args", "args"), ("Inputs", "inputs")):
        if found := entries(document.sections.get(section, "")):
            found.sort(key=lambda one: order.get(one[0].split(",")[0], len(order)))
            known = _taken(thing)
            lines += [f"**{words[key]}**", "", *(_item(*_filled(one, known), language) for one in found), ""]
    if returned := document.sections.get("Returns") or document.sections.get("Outputs"):
        lines += [f"**{words['returns']}**", "", as_markdown(said(returned)), ""]
    if raised := raises(name, thing, document, RECORDED):
        lines += [
            f"**{words['raises']}**",
            "",
            *(f"- `{kind}`: {as_markdown(said(text))}" for kind, text in raised),
            "",
        ]
    if inspect.isclass(thing) and issubclass(thing, enum.Enum):
        lines += [f"**{words['values']}**", "", *(f"- `{one.name}`" for one in thing), ""]
    if example := document.sections.get("Examples"):
        lines += [f"**{words['examples']}**", "", "```pycon", runnable(example, name), "```", ""]
    lines += [facts(name, thing, language), ""]
    if inspect.isclass(thing) and level == 2:
        lines += [entry(f"{name}.{one}", member, language, level + 1) for one, member in methods(thing).items()]
    return "\n".join(lines)


def methods(thing: type) -> dict[str, Any]:
    """The public methods of a class that say something of their own; those of Tensor have their own pages."""
    found: dict[str, Any] = {}
    if thing.__name__ in ("Tensor", "Parameter") or hasattr(thing, "op") or issubclass(thing, (enum.Enum, Exception)):
        return found
    homes = [thing, *(one for one in thing.__mro__[1:] if one.__name__.startswith("_") and one.__name__ != "_Engine")]
    for home in reversed(homes):
        for name, member in vars(home).items():
            plain = member.__func__ if isinstance(member, (staticmethod, classmethod)) else member
            if not name.startswith("_") and name != "construct" and inspect.isfunction(plain) and plain.__doc__:
                inherited = [getattr(one, name, None) for one in thing.__mro__ if one not in homes]
                if not any(getattr(one, "__doc__", None) for one in inherited):
                    found[name] = member
    return dict(sorted(found.items()))


def _parameters(thing: Any) -> list[str]:
    found: list[str] = []
    for one in getattr(thing, "forms", ()) or (thing,):
        try:
            found += inspect.signature(one).parameters
        except (TypeError, ValueError):
            continue
    call = getattr(thing, "construct", None) if inspect.isclass(thing) else None
    return found + (list(inspect.signature(call).parameters) if inspect.isfunction(call) else [])


def raises(name: str, thing: Any, document: Docstring, recorded: dict[str, Any]) -> list[tuple[str, str]]:
    """What the docstring says, else what the source shows, else what calls have shown; names that are refused for the same reason share a line."""
    if "Raises" in document.sections:
        return [(kind, text) for kind, _, text in entries(document.sections["Raises"])]
    if not callable(thing) or (inspect.isclass(thing) and issubclass(thing, (enum.Enum, Exception))):
        return []
    known, joined, made, chosen = set(_parameters(thing)), {}, [], {}
    for kind, sentence in refusals(thing):
        found = re.fullmatch(r"If `(\w+)` is (.+)", sentence)
        if found is None:
            made.append((kind, sentence))
        elif found[1] in known and not _wider(found[1], found[2], chosen):
            joined.setdefault((kind, found[2]), []).append(f"`{found[1]}`")
    found = [*((kind, f"If {_either(names)} is {rest}") for (kind, rest), names in joined.items()), *made]
    return found or [(kind, text) for kind, text in recorded.get(name, ())]


def _wider(name: str, rest: str, chosen: dict[str, set[str]]) -> bool:
    """Whether these words include all that an earlier check allows: a later one of the same argument refuses nothing more."""
    if not rest.startswith("not one of ["):
        return False
    words = set(rest[len("not one of [") :].rstrip("].").split(", "))
    return words > chosen.setdefault(name, words)


def _either(names: list[str]) -> str:
    names = list(dict.fromkeys(names))
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _taken(thing: Any) -> dict[str, tuple[str, str]]:
    """By parameter, of the constructor, the function or the call: what it takes, and the sentence about its default."""
    forms = getattr(thing, "forms", ()) or (thing.__init__ if inspect.isclass(thing) else thing,)
    call = getattr(thing, "construct", None) if inspect.isclass(thing) else None
    found: dict[str, tuple[str, str]] = {}
    for one in (*forms, call):
        for parameter in parameters_of(one) if inspect.isfunction(one) else ():
            found.setdefault(parameter[0].lstrip("*"), taken(parameter))
    return found


def _filled(one: tuple[str, str, str], known: dict[str, tuple[str, str]]) -> tuple[str, str, str]:
    """An entry with the type and the default that the signature knows, where all of its names have the same."""
    names, kind, text = one
    kinds, defaults = ({known.get(name.lstrip("*"), ("", ""))[at] for name in names.split(", ")} for at in (0, 1))
    kind = kind or (kinds.pop() if len(kinds) == 1 else "")
    default = defaults.pop() if len(defaults) == 1 and "efault" not in text else ""
    return names, kind, text + ("" if default == " Default: ``None``." else default)


def _item(names: str, kind: str, text: str, language: str) -> str:
    shown = ", ".join(f"`{name}`" for name in names.split(", "))
    text, kind = (in_chinese(text), kind_in_chinese(kind)) if language == "zh" else (text, kind)
    return f"- {shown}" + (f" (`{kind}`)" if kind else "") + f": {as_markdown(text)}"


def runnable(example: str, name: str) -> str:
    """The example with imports of the names it uses without defining them, so that it runs where it is copied to."""
    package, _, short = name.rpartition(".")
    lines = [line[4:] for line in example.splitlines() if line.startswith((">>> ", "... "))]
    try:
        tree = ast.parse("\n".join(lines))
    except SyntaxError:
        return example
    used = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
    made = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)}
    made |= {
        alias.asname or alias.name.split(".")[0]
        for one in ast.walk(tree)
        if isinstance(one, (ast.Import, ast.ImportFrom))
        for alias in one.names
    }
    made |= {one.name for one in ast.walk(tree) if isinstance(one, (ast.FunctionDef, ast.ClassDef))}
    made |= {one.arg for one in ast.walk(tree) if isinstance(one, ast.arg)}
    added = [_IMPORTS[one] for one in sorted(used - made) if one in _IMPORTS]
    if short in used - made and short not in _IMPORTS and not package.endswith("Tensor"):
        added.append(f"from {package} import {short}")
    shadowed = [one for one in sorted(used - made - {short}) if one not in _IMPORTS and not hasattr(builtins, one)]
    added += [f"from {package} import {', '.join(shadowed)}"] if shadowed and _all_in(package, shadowed) else []
    return "\n".join([*(f">>> {one}" for one in added), example])


def _all_in(package: str, names: list[str]) -> bool:
    module = inspect.importlib.import_module(package) if package.count(".") < 3 else None  # type: ignore[attr-defined]
    return module is not None and all(hasattr(module, one) for one in names)


def _signature(short: str, thing: Any) -> list[str]:
    if isinstance(thing, property) or not callable(thing):
        return []
    texts = [_written(short, one) for one in _signatures(short, thing)]
    return ["```python", *texts, "```", ""] if texts else []


def _signatures(short: str, thing: Any) -> Iterator[list[str]]:
    for one in getattr(thing, "forms", ()) or (thing,):
        try:
            signature = inspect.signature(one)
        except (TypeError, ValueError):
            continue
        parameters = [one.replace(annotation=inspect.Parameter.empty) for one in signature.parameters.values()]
        method = inspect.isfunction(thing) and parameters and parameters[0].name in ("self", "cls")
        parameters = parameters[1:] if short.startswith("Tensor.") or method else parameters
        parameters = [_shortened(one) for one in parameters if not one.name.startswith("_")]
        yield [re.sub(r"<(\w+\.\w+): [^>]*>", r"\1", part) for part in _parts(inspect.Signature(parameters))]


class _Dots:
    """Stands for a default that no program would write."""

    def __repr__(self) -> str:
        return "..."


def _shortened(parameter: inspect.Parameter) -> inspect.Parameter:
    text = str(parameter)
    plain = inspect.isclass(parameter.default) and parameter.default is not parameter.empty
    if plain:
        return parameter.replace(
            default=type("Name", (), {"__repr__": lambda _, name=parameter.default.__name__: name})()
        )
    return parameter.replace(default=_Dots()) if len(text) > 70 or " at 0x" in text else parameter


def _parts(signature: inspect.Signature) -> Iterator[str]:
    """The parameters as they are written, with the marks between those by position and those by name."""
    parameters = list(signature.parameters.values())
    kinds = [one.kind for one in parameters]
    for place, one in enumerate(parameters):
        if one.kind is one.KEYWORD_ONLY and one.KEYWORD_ONLY not in kinds[:place] and one.VAR_POSITIONAL not in kinds:
            yield "*"
        yield str(one)
        if one.kind is one.POSITIONAL_ONLY and one.POSITIONAL_ONLY not in kinds[place + 1 :]:
            yield "/"


def _written(short: str, parts: list[str]) -> str:
    """A call on one line where it fits, else with lines of parameters below."""
    text = f"{short}({', '.join(parts)})"
    if len(text) <= WIDTH:
        return text
    lines, indent = [""], "    "
    for part in parts:
        if lines[-1] and len(indent) + len(lines[-1]) + len(part) + 2 > WIDTH:
            lines.append("")
        lines[-1] += f"{part}, "
    return f"{short}(\n" + "\n".join(f"{indent}{one.rstrip()}" for one in lines).rstrip(",") + "\n)"
