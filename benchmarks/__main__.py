"""Run benchmarks and print one table: ``python -m benchmarks [names] [options]``."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import compiled, dataset, eager, gradient, importing, memory
from benchmarks.harness import Options, Row, table

THEMES: dict[str, Callable[[Options], list[Row]]] = {
    "eager": eager.run,
    "gradient": gradient.run,
    "compiled": compiled.run,
    "import": importing.run,
    "memory": memory.run,
    "dataset": dataset.run,
}
QUICK = Options(rounds=20, import_rounds=3, eager_operators=5_000, gradients=500)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    given = parser.parse_args(arguments)
    unknown = sorted(set(given.names) - set(THEMES))
    if unknown:
        parser.error(f"no benchmark named {', '.join(unknown)}; there are {', '.join(THEMES)}")
    options = dataclasses.replace(
        QUICK if given.quick else Options(), mindspore_python=given.mindspore_python, torch_python=given.torch_python
    )
    rows: list[Row] = []
    for name in given.names or THEMES:
        print(f"measuring {name} ...", file=sys.stderr, flush=True)
        rows += THEMES[name](options)
    print(table(rows))
    if given.json:
        results = [{**dataclasses.asdict(row), "verdict": row.verdict} for row in rows]
        Path(given.json).write_text(json.dumps(results, indent=2) + "\n")
    return int(given.strict and any(row.holds is False for row in rows))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m benchmarks", description="Speed and memory, as ratios within one run.")
    parser.add_argument("names", nargs="*", help=f"what to measure, by default all: {', '.join(THEMES)}")
    parser.add_argument("--quick", action="store_true", help="a tenth of the measurements, for a first look")
    parser.add_argument("--strict", action="store_true", help="exit with status 1 when a target is missed")
    parser.add_argument("--json", metavar="PATH", help="write the rows to this file as well")
    for peer in ("mindspore", "torch"):
        variable = f"BENCH_{peer.upper()}_PYTHON"
        parser.add_argument(
            f"--{peer}-python", metavar="PATH", default=os.environ.get(variable),
            help=f"the interpreter of an environment with the real {peer} (or set {variable})",
        )  # fmt: skip
    return parser


if __name__ == "__main__":
    sys.exit(main())
