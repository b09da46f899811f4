"""List what differs from the recorded answers, as Markdown:

PYTHONPATH=src python tools/oracle/report.py tests/data/oracle [family ...]
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from pathlib import Path

from check import check_compiled, check_eagerly, runs_in_graph
from execute import public_names
from families import FAMILIES
from storage import load

import mindspore

BATCH = 40


def report_family(family: str, folder: Path) -> None:
    names, records, start = public_names(mindspore), load(folder / family), time.time()
    found: dict[str, list[str]] = defaultdict(list)
    cases = FAMILIES[family]
    for case in cases:
        found[case.name] += check_eagerly(case, records[case.name], mindspore, names)
    middle = time.time()
    sound = [case for case in cases if not found[case.name] and runs_in_graph(case, records[case.name])]
    for position in range(0, len(sound), BATCH):
        batch = sound[position : position + BATCH]
        for name, line in check_compiled(batch, [records[case.name] for case in batch], mindspore, names):
            found[name].append(line)
    differing = {name: lines for name, lines in found.items() if lines}
    seconds = f"{middle - start:.0f} s eager, {time.time() - middle:.0f} s graph"
    print(f"\n## {family}: {len(differing)} of {len(cases)} differ ({seconds})\n")
    for name, lines in differing.items():
        print(f"- `{name}`")
        for line in lines:
            print(f"  - {line}")


def main(arguments: list[str]) -> None:
    mindspore.set_context(mode=mindspore.PYNATIVE_MODE)
    for family in arguments[1:] or list(FAMILIES):
        report_family(family, Path(arguments[0]))


if __name__ == "__main__":
    main(sys.argv[1:])
