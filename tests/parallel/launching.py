"""Starting a program in several processes, as users do."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

PROGRAMS = Path(__file__).parent / "programs"
_LAUNCHERS = ("OMPI_", "PMI_", "PMIX_", "MPI_LOCAL", "MS_", "RANK_", "DEVICE_ID")


def environment(**more: str) -> dict[str, str]:
    """The environment without what a launcher says."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_LAUNCHERS)}
    return {**kept, **more}


def msrun_command(*arguments: object) -> list[str]:
    """The command line of msrun."""
    return [sys.executable, "-m", "mindspore.parallel.cluster.run", *map(str, arguments)]


def msrun(*arguments: object, seconds: float = 60) -> subprocess.CompletedProcess[str]:
    """Run msrun to its end."""
    command = msrun_command(*arguments)
    return subprocess.run(
        command,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=seconds,
        stdin=subprocess.DEVNULL,
    )


def start_by_hand(
    program: Path, ranks: Sequence[int], size: int, folder: Path, arguments: Sequence[str] = (), **more: str
) -> list[subprocess.Popen]:
    """Start processes as the shell scripts of MindSpore 1.x do; the output of each goes to log_<rank>.txt."""
    processes = []
    for rank in ranks:
        with open(folder / f"log_{rank}.txt", "wb") as log:
            numbers = {"RANK_ID": str(rank), "RANK_SIZE": str(size), "DEVICE_ID": str(rank)}
            numbers["TMPDIR"] = str(folder)  # where they meet: tests that run at the same time share a session
            command = [sys.executable, str(program), str(folder), *arguments]
            processes.append(
                subprocess.Popen(
                    command, env=environment(**numbers, **more), stdout=log, stderr=log, stdin=subprocess.DEVNULL
                )
            )
    return processes
