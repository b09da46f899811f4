"""A process of a training is killed: no other hangs, no file is damaged, and the training goes on from its checkpoint."""

import random
import time
from collections import defaultdict
from pathlib import Path

import pytest

import mindspore as ms
from demo.mnist_sample import unpack
from tests.parallel.jobs import Running, until
from tests.parallel.launching import PROGRAMS
from tests.parallel.programs import lenet

SECONDS_TO_END = 10


def steps_of(folder: Path, rank: int) -> dict[int, set[str]]:
    """The losses of every step, of all trainings that came to it; a line that a kill cut off does not count."""
    found: dict[int, set[str]] = defaultdict(set)
    path = folder / f"steps_{rank}.txt"
    for line in path.read_text().splitlines(keepends=True) if path.exists() else []:
        words = line.split()
        if len(words) == 2 and line.endswith("\n"):
            found[int(words[0])].add(words[1])
    return found


def check_files(folder: Path) -> None:
    for path in (folder / "saved").glob("*.ckpt"):
        assert "fc3.weight" in ms.load_checkpoint(str(path))


def killed_once(launcher: str, folder: Path, rank: int, moment: float, at_start: bool = False) -> float:
    """Start a training, kill a process after so many seconds of it; returns how long the others took to end."""
    path = folder / f"steps_{rank}.txt"
    before = path.stat().st_size if path.exists() else 0
    with Running(launcher, 2, folder, PROGRAMS / "lenet.py", "resume") as job:
        until(
            lambda: len(job.pids()) == 2 if at_start else path.exists() and path.stat().st_size > before, told=job.text
        )
        time.sleep(moment)
        killed = job.kill(rank)
        codes = job.wait(SECONDS_TO_END + 5)
        took = time.monotonic() - killed
        until(lambda: not job.pids(), 5)
        assert all(codes), codes
        if launcher == "by hand" and not at_start:
            assert f"Process {rank} was ended from outside" in (folder / f"log_{1 - rank}.txt").read_text()
        if launcher == "msrun":
            assert f"process {rank} was ended by SIGKILL" in job.text()
    check_files(folder)
    assert took < SECONDS_TO_END
    return took


def finish(launcher: str, folder: Path, steps: int) -> None:
    """Train from the last checkpoint to the end of the epoch with that step, and one more."""
    epochs = str(steps // lenet.RESUMED_STEPS + 2)
    with Running(launcher, 2, folder, PROGRAMS / "lenet.py", "resume", EPOCHS=epochs) as job:
        assert not any(job.wait(60)), job.text()


def test_a_training_goes_on_exactly_where_a_killed_one_was(tmp_path):
    unpack(tmp_path / "mnist")
    killed_once("by hand", tmp_path, rank=1, moment=0.3)
    steps = max(steps_of(tmp_path, 0))
    finish("by hand", tmp_path, steps)
    for rank in (0, 1):
        found = steps_of(tmp_path, rank)
        assert max(found) > steps
        missing = set(range(1, max(found) + 1)) - set(found)
        assert len(missing) <= rank  # the killed process may not have come to note what the other one has saved
        assert all(len(losses) == 1 for losses in found.values())  # what was computed twice has the same bits


@pytest.mark.heavy
def test_twenty_kills_at_random_moments_leave_no_trace(tmp_path):
    interrupted, whole = tmp_path / "interrupted", tmp_path / "whole"
    for folder in (interrupted, whole):
        unpack(folder / "mnist")
    chance = random.Random(13)
    launchers = ["msrun"] * 13 + ["by hand"] * 7  # mpirun gives a process one core, and so another order of sums
    chance.shuffle(launchers)
    took, kills = [], [0, 0]
    for number, launcher in enumerate(launchers):
        at_start = number % 3 == 2 and launcher != "by hand"  # nobody would know that it was ever started
        moment = chance.uniform(0, 4 if at_start else 1.5)
        rank = chance.randrange(2)
        kills[rank] += 1
        took.append(killed_once(launcher, interrupted, rank, moment, at_start))
        when = f"{moment:.2f} s after the {'start' if at_start else 'first step'}"
        print(f"{launcher}: process {rank} killed {when}; all had ended {took[-1]:.2f} s later", flush=True)
    steps = max(steps_of(interrupted, 0))
    finish("msrun", interrupted, steps)
    finish("msrun", whole, steps)
    for rank in (0, 1):
        found, expected = steps_of(interrupted, rank), steps_of(whole, rank)
        assert set(found) <= set(expected) and len(set(expected) - set(found)) <= kills[rank]
        assert all(losses == expected[step] for step, losses in found.items())
    print(f"{len(took)} kills; the last process ended after {min(took):.2f} to {max(took):.2f} s")
