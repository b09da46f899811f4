"""Many epochs need no more memory than a few."""

import gc
import subprocess
import sys
import threading
import tracemalloc
from pathlib import Path

import pytest

from benchmarks import pipelines
from benchmarks.memory import resident_megabytes
from benchmarks.pipeline_files import Sizes, write_data

# MB: threads keep other amounts of freed memory every time; a batch of photos is 19 MB
ALLOWED = {"photos": 80}


@pytest.fixture(scope="module", autouse=True)
def fewer_generated_rows():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipelines, "GENERATED", 200)
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("pipelines")
    write_data(path, Sizes(mnist=4_000, cifar=2_000, photos=40, records=400))
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


@pytest.mark.parametrize("name", list(pipelines.PIPELINES))
def test_an_epoch_leaves_nothing_behind(name, folder):
    data = pipelines.PIPELINES[name](folder)
    pipelines.epoch(data)
    tracemalloc.start()  # NumPy tells it about its arrays
    try:
        pipelines.epoch(data)
        wait_for_threads()
        before, _ = tracemalloc.get_traced_memory()
        for _ in range(3):
            pipelines.epoch(data)
        wait_for_threads()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 100_000  # bytes; an epoch is megabytes


def wait_for_threads():
    """Let the threads of the pipelines end, and what they hold go."""
    for thread in threading.enumerate():
        if thread.name == "mindspore-dataset":
            thread.join(5)
    gc.collect()


@pytest.mark.heavy
@pytest.mark.parametrize("name", list(pipelines.PIPELINES))
def test_fifty_epochs_leave_memory_flat(name, folder):
    program = (
        "import sys; from pathlib import Path; sys.path[:0] = sys.argv[1:3]\n"
        "from test_memory import growth; print('growth:', growth(sys.argv[3], Path(sys.argv[4]), 30, 50))"
    )
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", program, str(root), str(Path(__file__).parent), name, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert float(done.stdout.rpartition("growth:")[2]) < ALLOWED.get(name, 24)
