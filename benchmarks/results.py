"""What was measured where, as JSON: runs of several days or themes can be put on one page."""

from __future__ import annotations

import dataclasses
import datetime
import json
import os
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from benchmarks.harness import Options, Row
from benchmarks.peers import environments
from benchmarks.peers.worker_loop import PROCESSOR_TIME

Rows = dict[str, list[Row]]  # by theme


def circumstances(options: Options) -> str:
    """Date, machine and versions in a sentence."""
    versions = {"Mycelium": version("mycelium"), "JAX": version("jax"), "Python": platform.python_version()}
    for peer, package in (("MindSpore", "mindspore"), ("PyTorch", "torch")):
        python = options.interpreter(peer)
        if python is not None:
            versions[peer] = environments.version(python, package)
    listed = ", ".join(f"{name} {number}" for name, number in versions.items())
    used = "processor time of one core" if PROCESSOR_TIME in os.environ else f"{os.cpu_count()} processors"
    return f"{datetime.date.today()}, {processor()}, {used}: {listed}"


def processor() -> str:
    """The name of the processor, where the system tells."""
    information = Path("/proc/cpuinfo")
    lines = information.read_text().splitlines() if information.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def write(path: Path, rows: Mapping[str, Sequence[Row]], runs: Sequence[str]) -> None:
    content = [
        {"theme": theme, **dataclasses.asdict(row), "verdict": row.verdict}
        for theme, them in rows.items()
        for row in them
    ]
    path.write_text(json.dumps({"runs": list(runs), "rows": content}, indent=2) + "\n")


def read(path: Path) -> tuple[Rows, list[str]]:
    """The rows by theme, and when and where they were measured."""
    content = json.loads(path.read_text())
    rows: Rows = {}
    for line in content["rows"]:
        fields = {name: value for name, value in line.items() if name not in ("theme", "verdict")}
        rows.setdefault(line["theme"], []).append(Row(**fields))
    return rows, content["runs"]


def merge(rows: Rows, theme: str, later: Sequence[Row]) -> None:
    """Add the rows of a theme; of two measurements of the same name the later one counts."""
    known = {row.name: row for row in rows.get(theme, [])}
    rows[theme] = list((known | {row.name: row for row in later}).values())
