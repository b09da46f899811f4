"""List what differs from the recorded answers, as Markdown, every case in both modes:

PYTHONPATH=src python -m tools.oracle.report tests/data/oracle [family ...]
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import mindspore
from tools.oracle.case import Case
from tools.oracle.check import check_batch, check_eagerly, has_compiled_gradient, runs_in_graph
from tools.oracle.execute import public_names
from tools.oracle.families import FAMILIES, LAYER_FAMILIES
from tools.oracle.layer_case import AnyLayerCase
from tools.oracle.layer_check import check_layers_compiled, check_one, compiles
from tools.oracle.storage import load

BATCH = 40
SHOWN = 3


def differences(cases: list[Case], records: dict[str, Any], ms: Any) -> dict[str, list[str]]:
    """What differs, by case name; graph mode is tried for what is right eagerly."""
    names = public_names(ms)
    found: dict[str, list[str]] = defaultdict(list)
    for case in cases:
        found[case.name] += check_eagerly(case, records[case.name], ms, names)
    sound = [case for case in cases if not found[case.name] and runs_in_graph(case, records[case.name])]
    differentiated = [case for case in sound if has_compiled_gradient(case, records[case.name])]
    for chosen, gradient in ((sound, False), (differentiated, True)):
        for position in range(0, len(chosen), BATCH):
            batch = chosen[position : position + BATCH]
            for name, line in check_batch(batch, [records[case.name] for case in batch], ms, names, gradient):
                found[name].append(line)
    return {name: lines for name, lines in found.items() if lines}


def layer_differences(cases: list[AnyLayerCase], records: dict[str, Any], ms: Any) -> dict[str, list[str]]:
    """The same for Cells and optimizers."""
    names = public_names(ms)
    found: dict[str, list[str]] = defaultdict(list)
    for case in cases:
        found[case.name] += check_one(case, records[case.name], ms, names)
    sound = [case for case in cases if not found[case.name] and compiles(case, records[case.name])]
    for position in range(0, len(sound), BATCH // 2):
        batch = sound[position : position + BATCH // 2]
        for name, line in check_layers_compiled(batch, [records[case.name] for case in batch], ms, names):
            found[name].append(line)
    return {name: lines for name, lines in found.items() if lines}


def markdown(family: str, cases: Sequence[Case | AnyLayerCase], found: dict[str, list[str]], seconds: float) -> str:
    """The differences of a family, gathered by source, with a few examples each."""
    by_source: dict[str, list[Case | AnyLayerCase]] = defaultdict(list)
    for case in cases:
        by_source[case.source].append(case)
    lines = [f"## {family}: {len(found)} of {len(cases)} cases differ ({seconds:.0f} s)", ""]
    for source, same in by_source.items():
        differing = [case for case in same if case.name in found]
        if differing:
            lines.append(f"- `{source}` ({len(differing)} of {len(same)} cases)")
        for case in differing[:SHOWN]:
            described = case.name.partition(" | ")[2]
            lines += [f"  - {described}: {line}" if described else f"  - {line}" for line in found[case.name]]
    return "\n".join([*lines, ""])


def main(arguments: list[str]) -> None:
    folder, *wanted = arguments
    mindspore.set_context(mode=mindspore.PYNATIVE_MODE)
    for family in wanted or [*FAMILIES, *LAYER_FAMILIES]:
        start, records = time.time(), load(Path(folder) / family)
        cases = FAMILIES.get(family) or LAYER_FAMILIES[family]
        compare = differences if family in FAMILIES else layer_differences
        found = compare(cases, records, mindspore)  # type: ignore[arg-type]
        print(markdown(family, cases, found, time.time() - start), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
