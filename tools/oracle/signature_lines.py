"""Recorded signatures as text, ``a, b=1, *, c=None``, taken apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Parameters:
    """The parameters of a recorded line, ``a, b=1, *, c=None``."""

    by_position: tuple[str, ...]
    by_keyword: tuple[str, ...]
    defaults: dict[str, str]
    several: bool  # takes ``*args``
    any_keyword: bool  # takes ``**kwargs``


def parse(line: str) -> Parameters:
    by_position: list[str] = []
    by_keyword: list[str] = []
    defaults: dict[str, str] = {}
    several = any_keyword = False
    taking = by_position
    for word in _words(line):
        name, equals, default = (part.strip() for part in word.partition("="))
        if name == "/":
            continue
        if name.startswith("**"):
            any_keyword = True
        elif name.startswith("*"):
            several, taking = several or len(name) > 1, by_keyword
        else:
            taking.append(name)
            if equals:
                defaults[name] = default
    return Parameters(tuple(by_position), tuple(by_keyword), defaults, several, any_keyword)


def _words(line: str) -> Iterator[str]:
    """The parts between commas that stand in no brackets or quotes."""
    depth, word, quote = 0, "", ""
    for letter in line:
        if quote or letter in "'\"":
            quote = "" if letter == quote else quote or letter
        depth += (letter in "([{<") - (letter in ")]}>")
        if letter == "," and depth == 0 and not quote:
            yield word.strip()
            word = ""
        else:
            word += letter
    if word.strip():
        yield word.strip()
