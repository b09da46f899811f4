"""Worker processes of datasets where shared memory is small, and after programs were killed."""

import functools
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from mindspore.dataset.core import shared_arrays
from tests.dataset import own_workers

PROGRAM = """
import sys, time
import numpy as np
import mindspore.dataset as ds

def grown(x):
    if sys.argv[1] == "hold" and x > 40:
        time.sleep(600)
    return np.full(1 << 19, x, np.float32)  # 2 MB

data = ds.NumpySlicesDataset({"x": np.arange(60, dtype=np.float32)}, shuffle=False)
data = data.map(grown, ["x"], python_multiprocessing=True, num_parallel_workers=2).batch(4)
for number, (row,) in enumerate(data.create_tuple_iterator(num_epochs=1, output_numpy=True)):
    assert row.shape == (4, 1 << 19) and (row == np.arange(4 * number, 4 * number + 4)[:, None]).all()
    print(number, flush=True)
"""
ALONE = ["unshare", "-rm", "sh", "-c", 'mount -t tmpfs -o size="$0" tmpfs /dev/shm && exec "$@"']


@functools.cache
def can_mount():
    done = subprocess.run([*ALONE, "1m", "true"], capture_output=True, check=False) if sys.platform == "linux" else None
    return done is not None and done.returncode == 0


def test_a_pipeline_goes_on_without_shared_memory_and_says_so():
    if not can_mount():
        pytest.skip("this system lets no program have file systems of its own")
    command = [*ALONE, "1m", sys.executable, "-c", PROGRAM, "through"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split() == [str(number) for number in range(15)]
    assert done.stderr.count("too little shared memory (/dev/shm)") == 1


@pytest.mark.parametrize("sign", [signal.SIGTERM, pytest.param(signal.SIGKILL, marks=pytest.mark.heavy)])
def test_nothing_of_a_killed_program_and_its_workers_stays_after_the_next_start(sign):
    with subprocess.Popen([sys.executable, "-c", PROGRAM, "hold"], stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        program.stdout.readline()
        workers = own_workers.running(program.pid)
        for process in (program.pid, *workers):
            os.kill(process, sign)
        program.wait()
    deadline = time.monotonic() + 10
    while own_workers.alive(workers) and time.monotonic() < deadline:
        time.sleep(0.02)
    shared_arrays.free_abandoned()
    assert workers and not own_workers.alive(workers) and not own_workers.memory_of(workers)


def test_what_nobody_came_for_is_withdrawn():
    sender = shared_arrays.Sender()
    sent = sender.columns({"x": np.zeros(1 << 20, np.uint8), "small": np.zeros(3)})
    assert isinstance(sent["x"], shared_arrays.Shared) and own_workers.memory_of([os.getpid()])
    sender.withdraw()
    assert not own_workers.memory_of([os.getpid()])


def test_the_next_program_frees_what_belongs_to_the_dead():
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        pass
    space = shared_arrays._namespace()
    dead, alive = (f"{shared_arrays.PREFIX}{pid}-{space}-0" for pid in (ended.pid, os.getpid()))
    elsewhere = f"{shared_arrays.PREFIX}{ended.pid}-{space + 1}-0"
    for name in (dead, alive, elsewhere):
        Path("/dev/shm", name).write_bytes(b"left")
    try:
        assert dead in shared_arrays.free_abandoned()
        assert [Path("/dev/shm", name).exists() for name in (dead, alive, elsewhere)] == [False, True, True]
    finally:
        for name in (dead, alive, elsewhere):
            Path("/dev/shm", name).unlink(missing_ok=True)
