"""Workers: processes that never load XLA, die, fail or hang; and nothing is left behind."""

import gc
import importlib.util
import os
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import mindspore.dataset as ds
from tests.dataset import own_workers


class Source:
    def __init__(self, count=24):
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        return np.full((200, 200), index, np.float32), np.array([os.getpid(), "jax" in sys.modules])


def in_processes(source=None, **options):
    return ds.GeneratorDataset(
        source or Source(), ["x", "who"], shuffle=False, num_parallel_workers=2, python_multiprocessing=True, **options
    )


def rows(dataset):
    return list(dataset.create_dict_iterator(output_numpy=True, num_epochs=1))


def test_samples_come_from_other_processes_in_order_without_xla():
    got = rows(in_processes().batch(4))
    assert np.array_equal(np.concatenate([row["x"][:, 0, 0] for row in got]), np.arange(24))
    pids = {int(one) for row in got for one in row["who"][:, 0]}
    assert os.getpid() not in pids
    assert not any(row["who"][:, 1].any() for row in got), "a worker loaded jax"


def test_functions_of_the_main_program_run_there_too():
    offset = 5

    def shifted(x):
        return x + offset

    data = ds.NumpySlicesDataset({"x": np.arange(20)}, shuffle=False)
    got = rows(data.map(shifted, "x", num_parallel_workers=2, python_multiprocessing=True).batch(8))
    assert np.concatenate([row["x"] for row in got]).tolist() == list(range(5, 25))


def test_modules_that_a_worker_could_not_import_go_along(tmp_path):
    path = tmp_path / "somewhere.py"
    path.write_text("FACTOR = 3\ndef scaled(x): return x * FACTOR\n")
    spec = importlib.util.spec_from_file_location("loaded_from_a_file", path)
    module = sys.modules["loaded_from_a_file"] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        mapped = in_processes(Source(2)).map(module.scaled, ["x"], python_multiprocessing=True, num_parallel_workers=2)
        assert [row["x"][0, 0] for row in rows(mapped)] == [0, 3]
    finally:
        del sys.modules["loaded_from_a_file"]


def test_a_failing_transform_is_told_from_there():
    def broken(x):
        raise ValueError("no good")

    data = ds.NumpySlicesDataset({"x": np.arange(20)}, shuffle=False)
    with pytest.raises(RuntimeError, match=r"(?s)sample 0.*no good"):
        rows(data.map(broken, "x", num_parallel_workers=2, python_multiprocessing=True))


def test_a_dying_worker_is_told():
    class Deadly(Source):
        def __getitem__(self, index):
            if index == 5:
                os._exit(7)
            return super().__getitem__(index)

    with pytest.raises(RuntimeError, match="died with exit code 7"):
        rows(in_processes(Deadly()))


def test_nothing_is_left_behind(monkeypatch):
    hired = own_workers.note_hired(monkeypatch)
    rows(in_processes().batch(4))
    iterator = in_processes(Source(200)).create_dict_iterator(output_numpy=True)
    next(iterator)
    assert len(hired) > 1 and own_workers.running() & set(hired)
    del iterator
    gc.collect()
    deadline = time.time() + 10
    while (own_workers.running() or own_workers.memory_of(hired)) and time.time() < deadline:
        time.sleep(0.1)
    assert not own_workers.running() and not own_workers.memory_of(hired)


def test_memory_of_other_programs_is_left_alone():
    path = f"/dev/shm/mycelium-{os.getppid()}-beside-{os.getpid()}"  # the name of something that still runs
    with open(path, "wb") as file:
        file.write(b"in use")
    try:
        rows(in_processes().batch(4))
        assert os.path.exists(path)
    finally:
        os.unlink(path)


def test_threads_end_with_their_iterator():
    before = threading.active_count()
    for _ in range(5):
        iterator = ds.NumpySlicesDataset(np.arange(1000), ["x"]).map(lambda x: x, "x").create_dict_iterator()
        next(iterator)
        del iterator
    gc.collect()
    deadline = time.time() + 10
    while threading.active_count() > before and time.time() < deadline:
        time.sleep(0.05)
    assert threading.active_count() <= before


def test_ctrl_c_ends_a_pipeline_at_once(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent(
            """
            import signal
            import time
            import numpy as np
            import mindspore.dataset as ds

            signal.signal(signal.SIGINT, signal.default_int_handler)  # processes started in the background ignore it

            class Slow:
                def __len__(self):
                    return 1000
                def __getitem__(self, index):
                    time.sleep(0.2)
                    return np.array(index)

            data = ds.GeneratorDataset(Slow(), ["x"], num_parallel_workers=2)
            for row in data.create_dict_iterator(output_numpy=True):
                print("row", flush=True)
            """
        )
    )
    process = subprocess.Popen([sys.executable, program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "row\n"
    process.send_signal(2)
    start = time.time()
    process.wait(15)
    assert time.time() - start < 10 and "KeyboardInterrupt" in process.stderr.read()


def test_a_consumer_that_stops_early_does_not_fill_memory():
    made = []

    def rows_():
        for index in range(100000):
            made.append(index)
            yield (np.zeros(1000, np.float32),)

    iterator = ds.GeneratorDataset(rows_, ["x"]).create_dict_iterator(output_numpy=True)
    next(iterator)
    time.sleep(0.5)
    assert len(made) < 20000


@pytest.mark.heavy
def test_a_program_may_end_while_images_are_being_computed(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent(
            """
            import numpy as np
            import mindspore.dataset as ds

            images = np.zeros((4000, 64, 64, 3), np.uint8)
            data = ds.NumpySlicesDataset({"x": images}).map(ds.vision.Resize(96), "x").batch(8)
            iterator = data.create_dict_iterator(output_numpy=True)
            print(len(next(iterator)["x"]))
            """
        )
    )
    for _ in range(3):
        done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0 and done.stdout == "8\n" and done.stderr == "", done.stderr
