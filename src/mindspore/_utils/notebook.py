"""What notebooks show: small HTML that takes its colours from the page, and lines that change in place.

>>> shows_html()
False
>>> table(("Layer", "Parameters"), [("fc<1>", "36")])
'<table><tr><th style="text-align:left">Layer</th><th style="text-align:left">Parameters</th></tr><tr><td style="text-align:left;white-space:pre">fc&lt;1&gt;</td><td style="text-align:left;white-space:pre">36</td></tr></table>'
"""

from __future__ import annotations

import html
import sys
from collections.abc import Iterable, Sequence
from typing import Any

_PRE = 'style="margin:0;line-height:normal"'
_LEFT = 'style="text-align:left"'
_CELL = 'style="text-align:left;white-space:pre"'


def shell() -> Any:
    """The IPython in front of the program, or None."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None


def shows_html() -> bool:
    """Whether the program runs in a notebook, and not at a terminal or from a file."""
    return hasattr(shell(), "kernel")


def escape(text: Any) -> str:
    """Text that cannot be taken for tags."""
    return html.escape(str(text))


def pre(text: str) -> str:
    """Text with its own line breaks."""
    return f"<pre {_PRE}>{escape(text)}</pre>"


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of texts, left-aligned, that keeps the spaces in front."""
    head = "".join(f"<th {_LEFT}>{escape(heading)}</th>" for heading in headings)
    body = "".join("<tr>" + "".join(f"<td {_CELL}>{escape(value)}</td>" for value in row) + "</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"


def faint(text: str) -> str:
    """A remark beside something else, in a weaker tone of the page's own colour."""
    return f'<span style="opacity:0.65">{escape(text)}</span>'


def show(bundle: dict[str, str]) -> None:
    """Put something into the output of the running cell: its forms by MIME type."""
    sys.modules["IPython"].display.display(bundle, raw=True)


class LiveLine:
    """A line in the output of a notebook cell that its next state replaces."""

    def __init__(self) -> None:
        self._handle: Any = None

    def draw(self, text: str) -> None:
        """Show the line, or replace it."""
        bundle = {"text/plain": text, "text/html": pre(text)}
        if self._handle is None:
            self._handle = sys.modules["IPython"].display.display(bundle, raw=True, display_id=True)
        else:
            self._handle.update(bundle, raw=True)
