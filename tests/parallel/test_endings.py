"""One process ends, or stops, in its own way: the others end within seconds, and say which one it was."""

import signal
import time

import pytest

from tests.parallel.jobs import MPICH, Running, until
from tests.parallel.launching import PROGRAMS

SOON = {"MS_NODE_TIMEOUT": "4", "HCCL_EXEC_TIMEOUT": "6"}
LAUNCHERS = ["msrun", "mpirun", *(["mpich"] if MPICH else [])]


def ended(launcher: str, folder, way: str, rank: int, size: int = 2) -> tuple[list[int], str, float]:
    """The exit codes, what was printed, and the seconds between the end of one process and that of the job."""
    with Running(launcher, size, folder, PROGRAMS / "ending.py", way, rank, **SOON) as job:
        until(lambda: "ends at" in job.text(), told=job.text)
        began = time.monotonic()
        if way == "stop":  # it would not end by itself
            job.started[1 - rank].wait(60)
            job.kill(rank, signal.SIGKILL)
        codes = job.wait(60)
        until(lambda: not job.pids(), 10)
        return codes, job.text(), time.monotonic() - began


def test_an_exit_code_of_one_process_ends_the_others(tmp_path):
    codes, text, seconds = ended("by hand", tmp_path, "sys.exit", 1)
    assert codes == [1, 3]
    assert "Process 1 called sys.exit(3)." in text
    assert seconds < 6


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("way", "rank", "codes", "text"),
    [
        ("raise", 0, [1, 1], "Process 0 failed: ValueError: my own problem."),
        ("raise", 1, [1, 1], "Process 1 failed: ValueError: my own problem."),
        ("sys.exit", 0, [3, 1], "Process 0 called sys.exit(3)."),
        ("SystemExit", 1, [1, 1], "Process 1 has ended its program while others still compute with it."),
        ("end", 0, [1, 1], "Process 0 has ended its program while others still compute with it."),
        ("os._exit", 1, [1, 5], "Process 1 was ended from outside or crashed"),
        ("kill", 0, [-9, 1], "Process 0 was ended from outside or crashed"),
        ("stop", 1, [1, -9], "Process 1 has not answered for 4 s"),
        ("loop", 1, [1, 1], "Process 1 has not come to what the others compute with it for 6 s; it is at"),
        ("loop", 0, [1, 1], "ending.py:"),
    ],
)
def test_the_others_end_and_name_the_process(way, rank, codes, text, tmp_path):
    found, printed, seconds = ended("by hand", tmp_path, way, rank)
    assert found == codes, printed
    assert text in printed
    assert seconds < 20
    print(f"{way} of process {rank}: all had ended after {seconds:.1f} s")


@pytest.mark.heavy
@pytest.mark.parametrize("launcher", LAUNCHERS)
@pytest.mark.parametrize("way", ["raise", "sys.exit", "os._exit", "kill", "end"])
def test_the_launcher_ends_with_an_exit_code(launcher, way, tmp_path):
    codes, printed, seconds = ended(launcher, tmp_path, way, 1, size=3)
    assert all(codes), printed
    assert seconds < 15
