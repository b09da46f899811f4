"""Jobs of several processes under any launcher, to be watched and disturbed."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.parallel.launching import environment, msrun_command, start_by_hand

MPICH = shutil.which("mpiexec.hydra")
_RANKS = ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "RANK_ID")
_ROOT = Path(__file__).resolve().parents[2]
_OPENMPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


class Running:
    """A job that was started; the output of all its processes goes to ``folder/output.txt`` and the logs there."""

    def __init__(self, launcher: str, size: int, folder: Path, program: Path, *arguments: object, **more: str):
        self.size, self.folder = size, folder
        more = {"PYTHONPATH": os.pathsep.join(filter(None, [str(_ROOT), os.environ.get("PYTHONPATH")])), **more}
        if launcher == "by hand":
            self.started = start_by_hand(program, range(size), size, folder, list(map(str, arguments)), **more)
            return
        python = [sys.executable, str(program), str(folder), *map(str, arguments)]
        command = {
            "msrun": msrun_command(f"--worker_num={size}", f"--log_dir={folder}", "--join=True", *python[1:]),
            "mpirun": ["mpirun.openmpi" if MPICH else "mpirun", "--oversubscribe", "-n", str(size), *python],
            "mpich": [MPICH or "mpiexec.hydra", "-n", str(size), *python],
        }[launcher]
        with open(folder / "output.txt", "wb") as output:
            told = environment(**_OPENMPI, **more)
            self.started = [subprocess.Popen(command, env=told, stdout=output, stderr=output, stdin=subprocess.DEVNULL)]

    def pids(self) -> dict[int, int]:
        """The processes of the job that run, by rank."""
        parents = {process.pid for process in self.started}
        found = {}
        for entry in Path("/proc").iterdir():
            with contextlib.suppress(OSError, ValueError, IndexError):
                pid = int(entry.name)
                status = (entry / "stat").read_text().rsplit(")", 1)[1].split()
                if status[0] == "Z" or not (pid in parents or parents & set(_ancestors(pid))):
                    continue
                told = dict(line.split("=", 1) for line in (entry / "environ").read_text().split("\0") if "=" in line)
                rank = next((told[name] for name in _RANKS if name in told), None)
                if rank is not None and str(self.folder) in (entry / "cmdline").read_text():
                    found[int(rank)] = pid
        return found

    def kill(self, rank: int, number: int = signal.SIGKILL) -> float:
        """Send a signal to one process; returns when."""
        until(lambda: rank in self.pids())
        os.kill(self.pids()[rank], number)
        return time.monotonic()

    def wait(self, seconds: float) -> list[int]:
        """The exit codes, once all have ended."""
        deadline = time.monotonic() + seconds
        return [process.wait(max(deadline - time.monotonic(), 0.1)) for process in self.started]

    def end(self) -> None:
        """End what is left."""
        for pid in self.pids().values():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for process in self.started:
            process.kill()
            process.wait()

    def text(self) -> str:
        """Everything the processes and the launcher have printed."""
        paths = [*self.folder.glob("*.txt"), *self.folder.glob("*.log")]
        return "\n".join(path.read_text(errors="replace") for path in paths if not path.name.startswith("steps"))

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *exception: object) -> None:
        self.end()


def _ancestors(pid: int) -> list[int]:
    found = []
    with contextlib.suppress(OSError):
        while pid > 1:
            pid = int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
            found.append(pid)
    return found


def until(holds: Callable[[], object], seconds: float = 120, told: Callable[[], str] = str) -> None:
    """Wait until something holds; ``told`` is what a failure shows."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, told() or "waited in vain"
        time.sleep(0.02)
