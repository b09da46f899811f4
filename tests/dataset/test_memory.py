"""Many epochs need no more memory than a few."""

import gc
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import pipelines
from benchmarks.memory import resident_megabytes
from benchmarks.pipeline_files import Sizes, write_data

ALLOWED = 12  # MB: blocks of several threads wait in other numbers every time


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("pipelines")
    write_data(path, Sizes(mnist=6_000, cifar=4_000, photos=40, records=400))
    return path


def growth(name: str, folder: Path, warm: int, epochs: int) -> float:
    """How much more memory the process has after some epochs, in megabytes."""
    data = pipelines.PIPELINES[name](folder)
    for _ in range(warm):
        pipelines.epoch(data)
    gc.collect()
    before = resident_megabytes()
    for _ in range(epochs):
        pipelines.epoch(data)
    gc.collect()
    return resident_megabytes() - before


@pytest.mark.parametrize("name", ["mnist", "cifar", "records"])
def test_some_epochs_leave_memory_flat(name, folder):
    assert growth(name, folder, warm=3, epochs=6) < ALLOWED


@pytest.mark.heavy
@pytest.mark.parametrize("name", list(pipelines.PIPELINES))
def test_fifty_epochs_leave_memory_flat(name, folder):
    program = (
        "import sys; from pathlib import Path; sys.path[:0] = sys.argv[1:3]\n"
        "from test_memory import growth; print('growth:', growth(sys.argv[3], Path(sys.argv[4]), 5, 50))"
    )
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", program, str(root), str(Path(__file__).parent), name, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert float(done.stdout.rpartition("growth:")[2]) < ALLOWED
