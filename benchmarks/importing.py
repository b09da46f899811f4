"""Importing mindspore against importing jax, each in a fresh process with warm file caches."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import mindspore as ms
from benchmarks.harness import Options, Row, at_most_times

_LIMIT = 1.3


class FreshProcess:
    """Runs a statement in a new interpreter."""

    def __init__(self, statement: str):
        self.command = [sys.executable, "-c", statement]
        # The same package as here, installed or not, and with bytecode cached, as on a user's machine.
        self.environment = {**os.environ, "PYTHONPATH": str(Path(ms.__file__).parents[1])}
        self.environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def seconds(self, calls: int) -> float:
        start = time.perf_counter()
        for _ in range(calls):
            subprocess.run(self.command, check=True, env=self.environment)
        return time.perf_counter() - start


def run(options: Options) -> list[Row]:
    competitors = {"ours": FreshProcess("import mindspore"), "jax": FreshProcess("import jax")}
    times: dict[str, list[float]] = {name: [] for name in competitors}
    for competitor in competitors.values():  # writes the bytecode and warms the file caches
        competitor.seconds(1)
    for _ in range(options.import_rounds):
        for name, competitor in competitors.items():
            times[name].append(competitor.seconds(1))
    return [at_most_times("import mindspore, against import jax", times["ours"], times["jax"], _LIMIT)]
