"""The API reference: pages made of declarations, signatures and docstrings."""

from __future__ import annotations

import functools
import importlib
import inspect
import sys
from collections import defaultdict
from typing import Any

from docstrings import as_markdown
from entries import entry
from facts import real_page
from operators_page import _family
from words import WORDS

import mindspore
from mindspore import Tensor, mint, nn, numpy, ops
from mindspore._engine.operator.registry import FUNCTIONS, PRIMITIVES

PACKAGES = (
    "mindspore", "mindspore.nn", "mindspore.mint", "mindspore.mint.nn", "mindspore.mint.nn.functional", "mindspore.mint.linalg",
    "mindspore.mint.special", "mindspore.mint.optim", "mindspore.train", "mindspore.dataset", "mindspore.dataset.vision",
    "mindspore.dataset.transforms", "mindspore.dataset.text", "mindspore.dataset.audio", "mindspore.numpy", "mindspore.scipy.linalg",
    "mindspore.amp", "mindspore.communication", "mindspore.common.initializer", "mindspore.experimental.optim", "mindspore.mindrecord",
    "mindspore.nn.probability.distribution", "mindspore.parallel", "mindspore.profiler", "mindspore.runtime", "mindspore.hal",
    "mindspore.rewrite", "mindspore.utils.jax", "mindspore.mint.distributed", "mindspore.scipy.optimize", "mindspore.communication.comm_func",
    "mindspore.experimental", "mindspore.experimental.optim.lr_scheduler", "mindspore.nn.probability.bijector", "mindspore.nn.probability.bnn_layers",
    "mindspore.nn.transformer", "mindspore.parallel.nn", "mindspore.graph", "mindspore.boost", "mindspore.context", "mindspore.device_context.cpu",
    "mindspore.device_context.gpu", "mindspore.device_context.ascend", "mindspore.dataset.dataloader", "mindspore.multiprocessing",
    "mindspore.compression.quant", "mindspore.safeguard", "mindspore.tools", "mindspore.utils", "mindspore.log", "mindspore.onnx",
    "mindspore.explainer", "mindspore.explainer.explanation", "mindspore.explainer.benchmark",
)  # fmt: skip
NUMERIC = {
    "Bool",
    "BFloat16",
    *(f"{kind}{bits}" for kind in ("Int", "UInt", "Float", "Complex") for bits in (8, 16, 32, 64, 128)),
}
LARGE = 80  # a package with more names is shown on several pages
FEW = 4  # a part with fewer names has no page of its own
OF_OLD_VERSIONS = (
    "nn: general",
    "nn: layer",
    "nn: thor layer",
    "nn: quant",
)  # fused, quantized and second-order layers
INTERNAL = ("from_batch", "linked", "wrap")  # of the engine, not of programs
Entries = dict[str, Any]


def reference_pages(language: str) -> dict[str, str]:
    """Every page of the reference, by its path below ``api``."""
    pages = {f"{page}.md": _page(title, members, language) for page, (title, members) in _groups().items()}
    pages["mindspore/dtypes.md"] = _dtypes(language)
    pages["old-names.md"] = _old_names(language)
    pages["README.md"] = _overview(language)
    return pages


def _old_names(language: str) -> str:
    """Every public name that is another one's second name, with a link to the entry that explains it."""
    words = WORDS[language]
    shown = {id(thing): (name, page) for page, (_, members) in _groups().items() for name, thing in members.items()}
    lines = [
        f"# {words['old_names']}",
        "",
        words["old_intro"],
        "",
        f"| {words['old']} | {words['current']} |",
        "|---|---|",
    ]
    for package, table in (
        ("ops", {**FUNCTIONS, **PRIMITIVES}),
        ("nn", vars(nn)),
        ("mint", vars(mint)),
        ("numpy", vars(numpy)),
    ):
        for name, thing in sorted(table.items()):
            entry_name, page = shown.get(id(thing), ("", ""))
            if entry_name and not name.startswith("_") and entry_name != f"mindspore.{package}.{name}":
                lines.append(
                    f"| `{package}.{name}` | [{entry_name.removeprefix('mindspore.')}]({page}.md#{entry_name}) |"
                )
    return "\n".join(lines) + "\n"


def _dtypes(language: str) -> str:
    """The table of dtypes, by their public names."""
    words = WORDS[language]
    found: dict[str, list[str]] = defaultdict(list)
    for name in sorted(one for one in vars(mindspore) if not one.startswith("_")):
        if isinstance(getattr(mindspore, name), mindspore.Type) and not isinstance(getattr(mindspore, name), type):
            found[str(getattr(mindspore, name))].append(f"`mindspore.{name}`")
    lines = [f"# {words['dtypes']}", "", f"| {words['printed']} | {words['names']} | NumPy |", "|---|---|---|"]
    for printed, names in sorted(found.items()):
        array = (
            mindspore.dtype_to_nptype(getattr(mindspore, names[0].strip("`").split(".")[1]))
            if printed in NUMERIC
            else None
        )
        lines.append(f"| {printed} | {', '.join(names)} | {f'`{array.__name__}`' if array else ''} |")
    return "\n".join(lines) + "\n"


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
    names = [name for name in getattr(module, "__all__", None) or vars(module) if not name.startswith("_")]
    found = {}
    for name in sorted(set(names)):
        thing = getattr(module, name, None)
        documented = inspect.isclass(thing) or inspect.isroutine(
            thing
        )  # dtypes are values, and have a table of their own
        if documented and (getattr(thing, "__module__", None) or "").startswith("mindspore"):
            found[f"{package}.{name}"] = thing
    if len(found) < LARGE:
        return {"": found}
    parts: dict[str, Entries] = defaultdict(dict)
    for name, thing in found.items():
        parts[_part(thing)][name] = thing
    for part in [part for part, inside in parts.items() if len(inside) < FEW and part != "general"]:
        parts["general"] |= parts.pop(part)
    if len(parts) == 1:
        return {"": found}
    return dict(sorted((part, dict(sorted(inside.items()))) for part, inside in parts.items()))


def _part(thing: Any) -> str:
    """The page of a large package that shows something: the module of a layer, the folder of anything else."""
    rest = thing.__module__.split(".")[2:]
    part = (rest[-1] if rest[:1] in (["layer"], ["engine"]) else rest[0] if rest else "general").strip("_")
    return {"rnns": "recurrent", "rnn_cells": "recurrent", "container": "basic", "cell": "basic", "dense": "basic"}.get(
        part, part
    )


def _tensor_members() -> dict[str, Entries]:
    groups: dict[str, Entries] = {}
    for letters in ("abc", "defg", "hijklm", "nopqr", "s", "tuvwxyz"):
        found = {name: inspect.getattr_static(Tensor, name) for name in dir(Tensor) if name[0].lower() in letters}
        members = {
            name: one for name, one in found.items() if callable(one) or isinstance(one, (property, classmethod))
        }
        groups[letters] = {f"mindspore.Tensor.{name}": one for name, one in members.items() if name not in INTERNAL}
    return groups


def rooms() -> dict[str, str]:
    """The room of operators that each page of a family belongs to, by its path below ``api``."""
    families = {
        page: next(iter(members.values())) for page, (_, members) in _groups().items() if page.startswith("ops/")
    }
    homes = {page: _family((getattr(one, "op", None) and one.op.body) or one) for page, one in families.items()}
    named = {page: home.split(".")[2] if "._ops." in home else "transforms" for page, home in homes.items()}
    return {f"{page}.md": "random" if room == "declaring" else room for page, room in named.items()}


def _page(title: str, members: Entries, language: str) -> str:
    texts = [entry(name, thing, language) for name, thing in members.items()]
    module = sys.modules.get(_family(next(iter(members.values())))) if title.startswith("ops:") else None
    head = (inspect.getdoc(module) or "").split("\n\n")[0].replace("\n", " ") if module else ""
    return f"{_rank(title)}# {title}\n\n{as_markdown(head)}\n\n" + "\n".join(texts)


def _rank(title: str) -> str:
    """Front matter: searches show layers of today before other names that begin alike, those of old versions last."""
    if title in OF_OLD_VERSIONS:
        return "---\nsearch: { boost: 0.2 }\n---\n"
    return "---\nsearch: { boost: 2 }\n---\n" if title.startswith("nn:") else ""


def _overview(language: str) -> str:
    words = WORDS[language]
    lines = [f"# {words['overview']}", "", words["intro"], "", f"| {words['page']} | {words['names']} |", "|---|---|"]
    for page, (title, members) in _groups().items():
        links = ", ".join(f"[{name.rpartition('.')[2]}]({page}.md#{name})" for name in members)
        lines.append(f"| [{title}]({page}.md) | {links} |")
    return "\n".join(lines) + "\n"


__all__ = ["mindspore", "real_page", "reference_pages"]
