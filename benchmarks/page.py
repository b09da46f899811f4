"""The results as a page: a table for each theme, and the ratios as bars."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from benchmarks.harness import Row, cells

_PLOT = "ratios.svg"
_COLORS = {True: "#2a7f62", False: "#c0504d", None: "#8a8f98"}  # holds, missed, no target
_LINE, _NAMES, _BARS = 22, 520, 420  # height of a line, width of the names and of the bars
_INTRODUCTION = """# Benchmarks

Written by `python -m benchmarks --page`; [how it is measured](../../benchmarks/README.md). Everything is a comparison
within one run, competitors in turn. Where two values stand side by side, the first is ours. Where a target is missed:
[profiles](profiles.md). Operators one by one: [cliffs](cliffs.md); workloads of many domains: [workloads](workloads.md).
"""
_LEGEND = (
    "Bars say how many times faster we are (the scale is logarithmic, the line is 1: as fast); black marks are targets. "
    "Green: the target holds; red: it is missed; grey: there is none."
)


def write(path: Path, rows: Mapping[str, Sequence[Row]], runs: Sequence[str]) -> None:
    """The page, and the picture beside it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    parts = [_INTRODUCTION, "Measured:\n\n" + "\n".join(f"- {run}" for run in runs) + "\n"]
    compared = [row for them in rows.values() for row in them if row.ratio is not None]
    if compared:
        (path.parent / _PLOT).write_text(plot(compared))
        parts.append(f"![How many times faster than the peers]({_PLOT})\n\n{_LEGEND}\n")
    parts += [f"## {theme}\n\n{markdown(them)}\n" for theme, them in rows.items()]
    path.write_text("\n".join(parts))


def markdown(rows: Sequence[Row]) -> str:
    """The rows as a Markdown table."""
    head, *lines = [[cell.replace("|", "\\|") for cell in line] for line in cells(rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in [head, ["---"] * len(head), *lines])


def plot(rows: Sequence[Row]) -> str:
    """Horizontal bars from 1 to each ratio, as SVG."""
    reach = [math.log10(value) for row in rows for value in (row.ratio, row.least) if value]
    low, high = math.floor(min([*reach, -0.01])), math.ceil(max([*reach, 0.01]))

    def place(ratio: float) -> float:
        return _NAMES + (math.log10(ratio) - low) / (high - low) * _BARS

    height = _LINE * (len(rows) + 1)
    width = _NAMES + _BARS + 80
    grid = [_tick(10.0**power, place(10.0**power), height) for power in range(low, high + 1)]
    bars = [_bar(row, place, _LINE * number) for number, row in enumerate(rows)]
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>', *grid, *bars, "</svg>\n",
    ])  # fmt: skip


def _tick(ratio: float, x: float, height: int) -> str:
    shade = "#333" if ratio == 1 else "#ddd"
    return (
        f'<line x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{height - _LINE}" stroke="{shade}"/>'
        f'<text x="{x:.1f}" y="{height - 4}" text-anchor="middle">{ratio:g}x</text>'
    )


def _bar(row: Row, place: Callable[[float], float], top: int) -> str:
    """A name, a bar, its ratio, and a mark at the target."""
    assert row.ratio is not None
    start, end = sorted((place(1.0), place(row.ratio)))
    parts = [
        f'<text x="{_NAMES - 10}" y="{top + 15}" text-anchor="end">{escape(row.name)}</text>',
        f'<rect x="{start:.1f}" y="{top + 4}" width="{max(end - start, 1):.1f}" height="{_LINE - 8}" '
        f'fill="{_COLORS[row.holds]}"/>',
        f'<text x="{end + 6:.1f}" y="{top + 15}">{row.ratio:.3g}x</text>',
    ]
    if row.least is not None:
        x = place(row.least)
        parts.append(f'<rect x="{x - 1:.1f}" y="{top + 1}" width="2" height="{_LINE - 2}" fill="black"/>')
    return "".join(parts)
