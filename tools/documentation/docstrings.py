"""Docstrings in Google's style, taken apart: text, sections, examples."""

from __future__ import annotations

import inspect
import re
from typing import Any, NamedTuple

HEADS = ("Args", "Inputs", "Returns", "Outputs", "Raises", "Examples", "Note", "Attributes", "Yields")
_HEAD = re.compile(rf"^({'|'.join(HEADS)}):$", re.MULTILINE)
_ENTRY = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*)(?: \(([^)]*)\))?: ?(.*)$")
_BOLD = re.compile(r"^- (?=\*\*)|\*\*(\w+)\*\*(?=[,:]| \()")  # the names of "- **x**: the input"
_NAMES = re.compile(r",\n +(?=[\w*, \n]+(?: \([^)]*\))?:)")  # a list of names that goes on in the next line
_ROLE = re.compile(r":\w+:`~?([^`]+)`")


class Docstring(NamedTuple):
    """A docstring: what stands before the sections, and each section's text."""

    text: str
    sections: dict[str, str]

    @property
    def summary(self) -> str:
        return self.text.split("\n\n")[0].replace("\n", " ")


def parse(thing: Any) -> Docstring:
    """The docstring of a class or function; examples that stand without a heading become the section of that name."""
    text = inspect.getdoc(thing) or ""
    parts = _HEAD.split(text)
    sections = {name: inspect.cleandoc("\n" + body) for name, body in zip(parts[1::2], parts[2::2], strict=True)}
    head, example = parts[0].strip(), ""
    for name, body in sections.items():
        if (
            after := re.search(r"\n\n(?=\S)", body) if body.startswith(" ") else None
        ):  # the text goes on behind the section
            head += "\n\n" + body[after.end() :]
            sections[name] = inspect.cleandoc("\n" + body[: after.start()])
    if ">>> " in head:
        start = head.index(">>> ")
        head, example = head[:start].rstrip(), head[start:]
        sections.setdefault("Examples", inspect.cleandoc(example))
    return Docstring(head, sections)


def entries(section: str) -> list[tuple[str, str, str]]:
    """Name, type and sentence of each entry of a section like Args."""
    found: list[list[str]] = []
    for line in _NAMES.sub(", ", section).splitlines():
        match = _ENTRY.match(_BOLD.sub(r"\1", line) if line.startswith("- **") else line)
        if match:
            found.append([match[1], match[2] or "", match[3]])
        elif found:
            found[-1][2] += " " + line.strip()
    return [(name, kind, text.strip()) for name, kind, text in found]


def as_markdown(text: str) -> str:
    """Text of a docstring as Markdown: names of other things are code, and indented blocks are shown as they are."""
    text = _ROLE.sub(r"`\1`", text).replace("``", "`")
    return re.sub(r"(?<![\w`])<(?=[A-Za-z/])", "&lt;", text)
