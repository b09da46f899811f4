"""Run benchmarks and print one table: ``python -m benchmarks [names] [options]``."""

from __future__ import annotations

import argparse
import dataclasses
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import (
    checkpoint,
    compiled,
    dataset,
    distributed,
    domains,
    eager,
    gradient,
    importing,
    memory,
    page,
    results,
    scaling,
    script,
    start,
    training,
)
from benchmarks.cliffs import theme as cliffs
from benchmarks.harness import Options, Row, measure_processor_time, table
from benchmarks.peers import environments

THEMES: dict[str, Callable[[Options], list[Row]]] = {
    "eager": eager.run,
    "gradient": gradient.run,
    "compiled": compiled.run,
    "import": importing.run,
    "memory": memory.run,
    "dataset": dataset.run,
    "training": training.run,
    "workloads": domains.run,
    "script": script.run,
    "start": start.run,
    "checkpoint": checkpoint.run,
    "scaling": scaling.run,
    "distributed": distributed.run,
    "cliffs": cliffs.run,
}
_WITHOUT_PEERS = {"compiled", "import", "memory", "scaling", "distributed"}
_WITH_TORCH = {"eager", "gradient", "training", "workloads", "cliffs"}
_ALL_PROGRAMS = sorted(training.PROGRAMS | domains.PROGRAMS)
QUICK = Options(rounds=20, import_rounds=3, eager_operators=5_000, gradients=500, training_rounds=2)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    given = parser.parse_args(arguments)
    unknown = sorted(set(given.names) - set(THEMES))
    if unknown:
        parser.error(f"no benchmark named {', '.join(unknown)}; there are {', '.join(THEMES)}")
    for option, python in (("mindspore", given.mindspore_python), ("torch", given.torch_python)):
        if python is not None and shutil.which(python) is None:
            parser.error(f"--{option}-python must be an interpreter, but there is none at {python}")
    if given.processor_time:
        measure_processor_time()
    rows: dict[str, list[Row]] = {}
    runs: list[str] = []
    for path in given.read:
        earlier, circumstances = results.read(path)
        for theme, them in earlier.items():
            results.merge(rows, theme, them)
        runs += [each for each in circumstances if each not in runs]
    names = given.names or ([] if given.read else list(THEMES))
    if names:
        options = _options(given, names)
        runs.append(results.circumstances(options))
        for name in names:
            print(f"measuring {name} ...", file=sys.stderr, flush=True)
            results.merge(rows, name, THEMES[name](options))
            _save(given, rows, runs)
    _save(given, rows, runs)
    listed = [row for them in rows.values() for row in them]
    print(table(listed))
    return int(given.strict and any(row.holds is False for row in listed))


def _save(given: argparse.Namespace, rows: dict[str, list[Row]], runs: list[str]) -> None:
    """After every theme: they take long, and the next may fail."""
    if given.json:
        results.write(given.json, rows, runs)
    if given.page:
        page.write(given.page, rows, runs)


def _options(given: argparse.Namespace, names: Sequence[str]) -> Options:
    """How much to measure, with interpreters for the peers that the named benchmarks compare with."""
    pythons, problems = {"MindSpore": given.mindspore_python, "PyTorch": given.torch_python}, {}
    wanted = set(names) & set(THEMES) - _WITHOUT_PEERS
    needed = {"MindSpore": wanted - {"cliffs", "workloads"}, "PyTorch": wanted & _WITH_TORCH}
    for peer, package in (("MindSpore", "mindspore"), ("PyTorch", "torch")):
        if pythons[peer] is None and needed[peer] and not given.no_peers:
            try:
                pythons[peer] = environments.interpreter(package)
            except environments.NotInstalledError as error:
                problems[peer] = f"{package} could not be installed: {error}"
    return dataclasses.replace(
        QUICK if given.quick else Options(), mindspore_python=pythons["MindSpore"], torch_python=pythons["PyTorch"],
        problems=problems, mnist=given.mnist and given.mnist.resolve(), workloads=given.workload,
        cases=given.case,
    )  # fmt: skip


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m benchmarks", description="Speed and memory, as ratios within one run.")
    add = parser.add_argument
    add("names", nargs="*", help=f"what to measure, by default all: {', '.join(THEMES)}")
    add("--quick", action="store_true", help="a tenth of the measurements, for a first look")
    add("--strict", action="store_true", help="exit with status 1 when a target is missed")
    add("--json", metavar="PATH", type=Path, help="write the rows to this file as well")
    add("--read", metavar="PATH", type=Path, action="append", default=[], help="add the rows of an earlier --json file")
    add("--page", metavar="PATH", type=Path, help="write a Markdown page with the tables and a plot beside it")
    add("--mnist", metavar="PATH", type=Path, help="folder with MNIST in 'train' and 'test', for the script theme")
    add("--workload", metavar="NAME", action="append", default=[], choices=_ALL_PROGRAMS,
        help=f"of the themes of whole steps only this one: {', '.join(_ALL_PROGRAMS)}")  # fmt: skip
    add(
        "--case",
        metavar="TEXT",
        action="append",
        default=[],
        help="of the cliffs theme only cases with this in their name",
    )
    add(
        "--processor-time",
        action="store_true",
        help="one core, and processor time instead of elapsed time: for busy machines",
    )
    add("--no-peers", action="store_true", help="install no environments for peers whose interpreters are not named")
    for peer in ("mindspore", "torch"):
        variable = f"BENCH_{peer.upper()}_PYTHON"
        add(f"--{peer}-python", metavar="PATH", default=os.environ.get(variable),
            help=f"the interpreter of an environment with the real {peer} (or set {variable}); made if not named")  # fmt: skip
    return parser


if __name__ == "__main__":
    sys.exit(main())
