"""Serves every case under one framework: ``python worker.py FRAMEWORK``; a line of input is a case's number and a number of calls."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any

from benchmarks.cliffs.arrays import ARRAYS
from benchmarks.cliffs.case import Case
from benchmarks.cliffs.functions import FUNCTIONS
from benchmarks.cliffs.layers import LAYERS
from benchmarks.cliffs.matrices import MATRICES
from benchmarks.cliffs.others import OTHERS
from benchmarks.cliffs.rest import REST
from benchmarks.cliffs.variants import VARIANTS
from benchmarks.peers.worker_loop import ANSWER, clock

CASES: tuple[Case, ...] = (*LAYERS, *ARRAYS, *MATRICES, *FUNCTIONS, *VARIANTS, *OTHERS, *REST)


def main(framework: str) -> None:
    # Only the environment of a peer has the peer.
    prepare: Callable[[Case], Callable[[], Any]] = importlib.import_module(f"benchmarks.cliffs.{framework}").prepare
    made: dict[int, Callable[[], Any]] = {}
    for line in sys.stdin:
        number, calls = (int(word) for word in line.split())
        if number not in made:
            made.clear()  # the inputs of earlier cases take memory
            made[number] = prepare(CASES[number])
        call = made[number]
        start = clock()
        for _ in range(calls):
            call()
        print(f"{ANSWER}{clock() - start!r}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
