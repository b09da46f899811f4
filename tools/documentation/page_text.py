"""Pages as GitHub shows them, made into pages of the site: links lead to pages of the site, lists have their blank line."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

_FENCE = re.compile(r"^\s*(```+|~~~+)")
_LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\[\]]*\])*\]\()([^()\s#]*)(#[^()\s]*)?(\s+\"[^\"]*\")?(\))")
_CODE = re.compile(r"(`+)(?:(?!\1).)+?\1")
_LIST = re.compile(r"^(\s*)([-*+]|\d+\.) ")
_TABLE = re.compile(r"^\s*\|")
_WIDE = "\u3000-\u303f\u3400-\u9fff\uff00-\uffef\u201c\u201d\u2018\u2019\u2026\u2014"  # Chinese characters and their punctuation
_CHINESE_END = re.compile(rf"[{_WIDE}]$")
_CHINESE_START = re.compile(rf"\s*[{_WIDE}]")
_FRONT_MATTER = re.compile(r"\A---\n.*?^---\n", re.DOTALL | re.MULTILINE)
_COMMENT = re.compile(r"\A<!-- .*? -->\n")


def lines_outside_code(text: str) -> Iterator[tuple[str, bool]]:
    """Every line, and whether it is text and no code."""
    fence = ""
    for line in text.splitlines():
        found = _FENCE.match(line)
        if found and not fence:
            fence = found[1]
            yield line, False
        elif found and found[1].startswith(fence):
            fence = ""
            yield line, False
        else:
            yield line, not fence


def links(text: str) -> Iterator[str]:
    """The targets of all links and pictures, with their anchors."""
    for line, is_text in lines_outside_code(text):
        if is_text:
            for found in _LINK.finditer(_without_code(line)):
                yield found[2] + (found[3] or "")


def relinked(text: str, target: Callable[[str], str]) -> str:
    """The text with every relative link replaced by what ``target`` makes of it."""

    def replace(found: re.Match[str]) -> str:
        path = found[2]
        path = path if not path or ":" in path.split("/")[0] else target(path)
        return f"{found[1]}{path}{found[3] or ''}{found[4] or ''}{found[5]}"

    made = [_outside_inline_code(line, replace) if is_text else line for line, is_text in lines_outside_code(text)]
    return "\n".join(made) + "\n"


def _without_code(line: str) -> str:
    return _CODE.sub(lambda found: "`" * len(found[0]), line)


def _outside_inline_code(line: str, replace: Callable[[re.Match[str]], str]) -> str:
    """``_LINK.sub``, where code in backquotes is put aside first."""
    kept: list[str] = []

    def keep(found: re.Match[str]) -> str:
        kept.append(found[0])
        return f"\0{len(kept) - 1}\0"

    line = _LINK.sub(replace, _CODE.sub(keep, line))
    return re.sub(r"\0(\d+)\0", lambda found: kept[int(found[1])], line)


def spaced(text: str) -> str:
    """The text with a blank line before lists and tables, and nested lists indented by four: Python-Markdown wants both."""
    made: list[str] = []
    in_list = False
    for line, is_text in lines_outside_code(text):
        item = _LIST.match(line) if is_text else None
        starts = (item and not in_list) or (is_text and _TABLE.match(line) and made and not _TABLE.match(made[-1]))
        if starts and made and made[-1].strip():
            made.append("")
        if item:
            in_list = True
        elif is_text and line.strip() and not line[0].isspace():
            in_list = in_list and bool(made) and bool(made[-1].strip())  # a line that goes on without indentation
        made.append(_indented(line) if in_list and is_text else line)
    return "\n".join(made) + "\n"


def joined(text: str) -> str:
    """Chinese text with lines that go on joined to one: a browser would show a blank between two characters."""
    made: list[str] = []
    for line, is_text in lines_outside_code(text):
        goes_on = is_text and made and _CHINESE_END.search(made[-1]) and _CHINESE_START.match(line)
        if goes_on and not made[-1].startswith("#"):
            made[-1] += line.lstrip()
        else:
            made.append(line)
    return "\n".join(made) + "\n"


def _indented(line: str) -> str:
    width = len(line) - len(line.lstrip(" "))
    return " " * (2 * width) + line.lstrip(" ") if width in (2, 3) and line.strip() else line


def without_head(text: str) -> str:
    """The text without front matter or a comment on the first line."""
    return _COMMENT.sub("", _FRONT_MATTER.sub("", text))


def relative(target: PurePosixPath, page: PurePosixPath) -> str:
    """The link from one page of the site to another."""
    return PurePosixPath(Path(os.path.relpath(target, page.parent)).as_posix()).as_posix()
