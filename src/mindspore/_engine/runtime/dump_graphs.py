"""``save_graphs``: dump the jaxpr and StableHLO of compiled graphs."""

from __future__ import annotations

import itertools
import os
from typing import Any

from mindspore._engine.runtime import context

_numbers = itertools.count()


def save(name: str, traced: Any, lowered: Any) -> None:
    """Write the jaxpr (level 1) and the StableHLO (level 2 and up) into ``save_graphs_path``."""
    level = context.state.save_graphs
    if not level:
        return
    folder = os.path.join(context.state.save_graphs_path, "graphs")
    os.makedirs(folder, exist_ok=True)
    stem = os.path.join(folder, f"{next(_numbers):03d}_{name}")
    _write(f"{stem}.jaxpr.txt", str(traced.jaxpr))
    if int(level) >= 2:
        _write(f"{stem}.stablehlo.txt", lowered.as_text())


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
