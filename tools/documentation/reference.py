"""The API reference: pages made of declarations, signatures and docstrings."""

from __future__ import annotations

import functools
import importlib
import inspect
import sys
from collections import defaultdict
from typing import Any

from docstrings import as_markdown, entries, parse
from facts import facts, real_page
from operators_page import _family
from words import WORDS

import mindspore
from mindspore import Tensor, ops
from mindspore._engine.operator.registry import FUNCTIONS, PRIMITIVES

PACKAGES = (
    "mindspore", "mindspore.nn", "mindspore.mint", "mindspore.mint.nn", "mindspore.mint.nn.functional", "mindspore.mint.linalg",
    "mindspore.mint.special", "mindspore.mint.optim", "mindspore.train", "mindspore.dataset", "mindspore.dataset.vision",
    "mindspore.dataset.transforms", "mindspore.dataset.text", "mindspore.dataset.audio", "mindspore.numpy", "mindspore.scipy.linalg",
    "mindspore.amp", "mindspore.communication", "mindspore.common.initializer", "mindspore.experimental.optim", "mindspore.mindrecord",
    "mindspore.nn.probability.distribution", "mindspore.parallel", "mindspore.profiler", "mindspore.runtime", "mindspore.hal",
    "mindspore.rewrite", "mindspore.utils.jax",
)  # fmt: skip
Entries = dict[str, Any]


def reference_pages(language: str) -> dict[str, str]:
    """Every page of the reference, by its path below ``api``."""
    pages = {f"{page}.md": _page(title, members, language) for page, (title, members) in _groups().items()}
    pages["README.md"] = _overview(language)
    return pages


@functools.cache
def _groups() -> dict[str, tuple[str, Entries]]:
    """Pages, each with its title and what it shows by full names."""
    groups: dict[str, tuple[str, Entries]] = {}
    for name, found in _operators().items():
        groups[f"ops/{name}"] = (f"ops: {name.replace('_', ' ')}", found)
    for package in PACKAGES:
        short = package.removeprefix("mindspore.")
        for part, found in _by_module(package).items():
            title = short if not part else f"{short}: {part.replace('_', ' ')}"
            groups[f"{short}/{part or 'all'}"] = (title, found)
    for letters, found in _tensor_members().items():
        groups[f"Tensor/{letters}"] = (
            f"Tensor: {letters[0]} to {letters[-1]}" if len(letters) > 1 else f"Tensor: {letters}",
            found,
        )
    return groups


def _operators() -> dict[str, Entries]:
    """Functions and Primitive classes of ops, by the family that declares them; a name is shown with the first of its object."""
    families: dict[str, Entries] = defaultdict(dict)
    seen: set[int] = set()
    for table in (FUNCTIONS, PRIMITIVES):
        for name, thing in sorted(table.items(), key=lambda pair: (pair[0] != pair[1].__name__, pair[0])):
            if not name.startswith("_") and id(thing) not in seen and getattr(ops, name, None) is thing:
                seen.add(id(thing))
                families[_family((getattr(thing, "op", None) and thing.op.body) or thing).rsplit(".", 1)[1].strip("_")][
                    f"mindspore.ops.{name}"
                ] = thing
    return dict(sorted(families.items()))


def _by_module(package: str) -> dict[str, Entries]:
    """What a package shows; a large one is divided by the modules that MindSpore documents them in."""
    module = importlib.import_module(package)
    names = getattr(module, "__all__", None) or [name for name in vars(module) if not name.startswith("_")]
    found = {}
    for name in sorted(set(names)):
        thing = getattr(module, name, None)
        if callable(thing) and (getattr(thing, "__module__", None) or "").startswith("mindspore"):
            found[f"{package}.{name}"] = thing
    if len(found) < 100:
        return {"": found}
    parts: dict[str, Entries] = defaultdict(dict)
    for name, thing in found.items():
        parts[_part(package, thing)][name] = thing
    return dict(sorted(parts.items()))


def _part(package: str, thing: Any) -> str:
    rest = thing.__module__.removeprefix(package).strip(".").split(".")
    return (rest[-1] if rest[-1] != "mindspore" else "") or "general"


def _tensor_members() -> dict[str, Entries]:
    groups: dict[str, Entries] = {}
    for letters in ("abc", "defg", "hijklm", "nopqr", "s", "tuvwxyz"):
        names = [name for name in dir(Tensor) if name[0].lower() in letters]
        groups[letters] = {f"mindspore.Tensor.{name}": inspect.getattr_static(Tensor, name) for name in names}
    return groups


def _page(title: str, members: Entries, language: str) -> str:
    texts = [_entry(name, thing, language) for name, thing in members.items()]
    module = sys.modules.get(_family(next(iter(members.values())))) if title.startswith("ops:") else None
    head = (inspect.getdoc(module) or "").split("\n\n")[0].replace("\n", " ") if module else ""
    return f"# {title}\n\n{as_markdown(head)}\n\n" + "\n".join(texts)


def _entry(name: str, thing: Any, language: str) -> str:
    words = WORDS[language]
    thing = thing.__func__ if isinstance(thing, (staticmethod, classmethod)) else thing
    document = parse(thing)
    short = name.removeprefix("mindspore.")
    lines = [f"## {short} {{ #{name} }}", "", *_signature(short, thing), as_markdown(document.text), ""]
    for section, key in (("Args", "args"), ("Inputs", "inputs"), ("Raises", "raises")):
        if section == "Raises":
            lines += _returns(document.sections, words)
        if section in document.sections:
            lines += [f"**{words[key]}**", ""]
            lines += [_item(*entry) for entry in entries(document.sections[section])] + [""]
    if example := document.sections.get("Examples"):
        lines += [f"**{words['examples']}**", "", "```pycon", example, "```", ""]
    return "\n".join([*lines, facts(name, thing, language), ""])


def _item(name: str, kind: str, text: str) -> str:
    return f"- `{name}`" + (f" (`{kind}`)" if kind else "") + f": {as_markdown(text)}"


def _returns(sections: dict[str, str], words: dict[str, str]) -> list[str]:
    found = sections.get("Returns") or sections.get("Outputs")
    return [f"**{words['returns']}**", "", as_markdown(found), ""] if found else []


def _signature(short: str, thing: Any) -> list[str]:
    if isinstance(thing, property) or not callable(thing):
        return []
    try:
        shown = [inspect.signature(one) for one in getattr(thing, "forms", ()) or (thing,)]
    except (TypeError, ValueError):
        return []
    texts = []
    for signature in shown:
        parameters = [one.replace(annotation=inspect.Parameter.empty) for one in signature.parameters.values()]
        parameters = parameters[1:] if short.startswith("Tensor.") else parameters
        texts.append(f"{short}{inspect.Signature(parameters)}")
    return ["```python", *texts, "```", ""]


def _overview(language: str) -> str:
    words = WORDS[language]
    lines = [f"# {words['overview']}", "", words["intro"], "", f"| {words['page']} | {words['names']} |", "|---|---|"]
    for page, (title, members) in _groups().items():
        links = ", ".join(f"[{name.rpartition('.')[2]}]({page}.md#{name})" for name in members)
        lines.append(f"| [{title}]({page}.md) | {links} |")
    return "\n".join(lines) + "\n"


__all__ = ["mindspore", "real_page", "reference_pages"]
