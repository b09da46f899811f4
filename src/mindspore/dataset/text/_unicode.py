"""Properties of characters, and regular expressions that name them."""

from __future__ import annotations

import functools
import re
import sys
import unicodedata

# The first word of a character's name is nearly always its script; these are the others.
_SCRIPT_OF_NAME = {"CJK": "HAN", "IDEOGRAPHIC": "HAN", "KANGXI": "HAN", "HALFWIDTH": "KATAKANA", "FULLWIDTH": "LATIN"}
_LAST_ASSIGNED = 0x32400  # behind it there are private, unassigned and format characters alone


@functools.lru_cache(maxsize=4096)
def script(character: str) -> str:
    """The script a character is written in; digits, punctuation and signs belong to all of them.

    >>> script("a"), script("北"), script("!"), script("Я")
    ('LATIN', 'HAN', 'COMMON', 'CYRILLIC')
    """
    category = unicodedata.category(character)
    if category[0] in "PSZC" or category in ("Nd", "No"):
        return "COMMON"
    if category[0] == "M":
        return "INHERITED"
    if character == "ー":  # the mark of a long vowel is shared by two scripts
        return "COMMON"
    first = unicodedata.name(character, "COMMON").split(" ")[0]
    return _SCRIPT_OF_NAME.get(first, first)


@functools.lru_cache(maxsize=64)
def _character_class(name: str) -> str:
    """The inside of a class ``[...]`` that matches a general category such as P or Lu, or a script such as Han."""
    categories = {unicodedata.category(chr(code)) for code in range(0x3000)}
    if len(name) <= 2:
        wanted = name.capitalize()
        if not any(category.startswith(wanted) for category in categories):
            raise ValueError(f"The regular expression names the unknown category \\p{{{name}}}.")
        codes = [code for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)).startswith(wanted)]
    else:
        wanted = name.upper()
        codes = [code for code in range(_LAST_ASSIGNED) if script(chr(code)) == wanted]
        if not codes:
            raise ValueError(f"The regular expression names the unknown script \\p{{{name}}}.")
    return "".join(_ranges(codes))


def _ranges(codes: list[int]) -> list[str]:
    parts = []
    start = previous = codes[0]
    for code in [*codes[1:], -1]:
        if code == previous + 1:
            previous = code
            continue
        parts.append(f"\\U{start:08x}" if start == previous else f"\\U{start:08x}-\\U{previous:08x}")
        start = previous = code
    return parts


def compile_pattern(owner: str, name: str, pattern: str) -> re.Pattern:
    """A regular expression that may say ``\\p{Han}`` or ``\\p{P}``.

    >>> compile_pattern("RegexReplace", "pattern", r"[\\p{Han}x]+").findall("a北京xb")
    ['北京x']
    """
    parts = []
    inside = False
    for part in re.split(r"(\\[pP]\{\w+\}|\\.|[\[\]])", pattern, flags=re.DOTALL):
        if part in ("[", "]"):
            inside = part == "["
        if part[:3] in ("\\p{", "\\P{"):
            content = _character_class(part[3:-1])
            if inside and part[1] == "P":
                raise ValueError(
                    f"For '{owner}', the '{name}' must not negate a property inside brackets: {pattern!r}."
                )
            part = content if inside else f"[{'^' if part[1] == 'P' else ''}{content}]"
        parts.append(part)
    try:
        return re.compile("".join(parts))
    except re.error as error:
        raise ValueError(
            f"For '{owner}', the '{name}' must be a regular expression, but got {pattern!r}: {error}."
        ) from None
