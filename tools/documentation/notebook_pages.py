"""Notebooks as Markdown pages, with the outputs they were saved with."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_IMAGES = {"image/png": "png", "image/jpeg": "jpg", "image/svg+xml": "svg"}


def notebook_page(path: Path, images: Path) -> str:
    """The page of a notebook; its pictures are written into the folder ``images``, which lies beside the page.

    Args:
        path: the notebook.
        images: a folder for the pictures; created when there is one.
    """
    notebook = json.loads(path.read_text(encoding="utf-8"))
    parts = []
    for number, cell in enumerate(notebook["cells"]):
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(text)
        elif cell["cell_type"] == "code" and text.strip():
            parts.append(_fenced("python", text))
            parts += [
                _output(one, images, f"{path.stem}-{number}-{i}") for i, one in enumerate(cell.get("outputs", ()))
            ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _output(output: dict[str, Any], images: Path, name: str) -> str:
    kind = output["output_type"]
    if kind == "stream":
        return _fenced("text", "".join(output["text"]))
    if kind == "error":
        return _fenced("text", "\n".join(output["traceback"]))
    data = output.get("data", {})
    for mime, ending in _IMAGES.items():
        if mime in data:
            content = "".join(data[mime])
            raw = content.encode() if ending == "svg" else base64.b64decode(content)
            images.mkdir(parents=True, exist_ok=True)
            (images / f"{name}.{ending}").write_bytes(raw)
            return f"![output]({images.name}/{name}.{ending})"
    if "text/plain" in data:
        return _fenced("text", "".join(data["text/plain"]))
    return ""


def _fenced(language: str, text: str) -> str:
    text = _COLOURS.sub("", text).rstrip("\n")
    fence = "````" if "```" in text else "```"
    return f"{fence}{language}\n{text}\n{fence}" if text.strip() else ""
