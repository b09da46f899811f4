"""What goes wrong is told with the operation, the sample, the file and the traceback; nothing hangs or is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import traceback

import numpy as np
import pytest
from PIL import Image

import mindspore.dataset as ds
from mindspore.dataset import transforms, vision
from tests.dataset import own_workers


def rows(data):
    return list(data.create_dict_iterator(num_epochs=1, output_numpy=True))


def numbers(count=12, **options):
    return ds.NumpySlicesDataset({"x": np.arange(count, dtype=np.int64)}, shuffle=False, **options)


@pytest.fixture(autouse=True)
def nothing_left_behind(monkeypatch):
    """After every failure: no thread, process or shared memory of ours, and the next pipeline works."""
    hired, threads = own_workers.note_hired(monkeypatch), threading.active_count()
    yield
    assert len(rows(numbers().map(lambda x: x + 1, ["x"]).batch(4))) == 3
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        left = [*own_workers.memory_of(hired), *own_workers.running()]
        if not left and threading.active_count() <= threads:
            return
        time.sleep(0.05)
    pytest.fail(f"left behind: {left}, {threading.enumerate()}")


def at_seven(x):
    if int(np.asarray(x).flat[0]) == 7:
        raise KeyError("my own problem")
    return x


def failing_size(info):
    raise KeyError("my own problem")


class Broken:
    def __init__(self, count=12):
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        at_seven(index)
        return (np.array(index),)


class BrokenSampler(ds.Sampler):
    def __iter__(self):
        yield 0
        raise KeyError("my own problem")


def broken_generator():
    for index in range(12):
        yield (at_seven(np.array(index)),)


def per_batch(column, info):
    at_seven(column[-1])
    return (column,)


USER_CODE = {
    "transform": lambda: numbers().map(at_seven, ["x"]),
    "transform in processes": lambda: numbers().map(at_seven, ["x"], python_multiprocessing=True, num_parallel_workers=2),
    "filter": lambda: numbers().filter(lambda x: at_seven(x) >= 0, ["x"]),
    "generator": lambda: ds.GeneratorDataset(broken_generator, ["x"]),
    "random access": lambda: ds.GeneratorDataset(Broken(), ["x"], shuffle=False),
    "random access in processes": lambda: ds.GeneratorDataset(
        Broken(), ["x"], shuffle=False, python_multiprocessing=True, num_parallel_workers=2
    ),
    "per_batch_map": lambda: numbers().batch(4, per_batch_map=per_batch, input_columns=["x"]),
    "batch_size": lambda: numbers().batch(failing_size),
    "sampler": lambda: ds.NumpySlicesDataset({"x": np.arange(12)}, sampler=BrokenSampler()),
    "flat_map": lambda: numbers().flat_map(failing_size),
}  # fmt: skip


PLACES = {
    "transform": "map operation: [at_seven] failed at sample 7",
    "filter": "failed at sample 7",
    "per_batch_map": "the 'per_batch_map' failed at batch 1",
    "batch_size": "the function for 'batch_size' failed at batch 0",
    "sampler": "the sampler BrokenSampler failed after 1 numbers",
}


@pytest.mark.parametrize("place", USER_CODE)
def test_an_error_in_code_of_the_user_comes_with_its_traceback(place):
    with pytest.raises(Exception) as raised:
        rows(USER_CODE[place]())
    # from threads the error itself comes, from processes its text
    shown = "".join(traceback.format_exception(raised.value)) + str(raised.value)
    assert "my own problem" in shown
    assert 'raise KeyError("my own problem")' in shown
    assert PLACES.get(place, "") in str(raised.value)


@pytest.mark.parametrize("workers", [1, 3])
def test_a_failing_transform_names_itself_and_the_sample(workers):
    with pytest.raises(RuntimeError) as raised:
        rows(numbers().map([lambda x: x + 0, at_seven], ["x"], num_parallel_workers=workers).batch(4))
    assert "at_seven" in str(raised.value)
    assert "sample 7" in str(raised.value)


@pytest.fixture
def pictures(tmp_path):
    for number in range(4):
        folder = tmp_path / "cats"
        folder.mkdir(exist_ok=True)
        Image.fromarray(np.full((8, 8, 3), number, np.uint8)).save(folder / f"{number}.png")
    return tmp_path


def test_a_corrupt_image_is_named(pictures):
    (pictures / "cats" / "2.png").write_bytes(b"no picture")
    for data in (
        ds.ImageFolderDataset(str(pictures), shuffle=False, decode=True),
        ds.ImageFolderDataset(str(pictures), shuffle=False).map(vision.Decode(), ["image"]),
    ):
        with pytest.raises(RuntimeError) as raised:
            rows(data)
        assert os.path.join("cats", "2.png") in str(raised.value)
        assert "Decode" in str(raised.value) or "decode" in str(raised.value)


def test_an_empty_file_is_named(pictures):
    (pictures / "cats" / "1.png").write_bytes(b"")
    with pytest.raises(RuntimeError, match=r"1\.png"):
        rows(ds.ImageFolderDataset(str(pictures), shuffle=False).map(vision.Decode(), ["image"]))


def test_an_empty_folder_is_told(tmp_path):
    with pytest.raises(RuntimeError, match="no file with one of the extensions"):
        rows(ds.ImageFolderDataset(str(tmp_path)))


def test_unequal_shapes_in_a_batch_are_told_with_both_shapes():
    data = ds.GeneratorDataset([(np.zeros(2),), (np.zeros(3),)], ["x"], shuffle=False)
    with pytest.raises(RuntimeError) as raised:
        rows(data.batch(2))
    assert "[2]" in str(raised.value)
    assert "[3]" in str(raised.value)


@pytest.mark.parametrize("make", [
    lambda: numbers().map(lambda x: x, ["y"]),
    lambda: numbers().project(["y"]),
    lambda: numbers().rename("y", "z"),
    lambda: numbers().filter(lambda y: True, ["y"]),
    lambda: numbers().batch(2, per_batch_map=lambda y, info: (y,), input_columns=["y"]),
])  # fmt: skip
def test_a_column_that_does_not_exist_is_named(make):
    with pytest.raises((RuntimeError, ValueError), match="y"):
        rows(make())


def test_a_wrong_type_for_a_transform_of_the_package_is_told():
    data = ds.NumpySlicesDataset({"x": ["a", "b"]}, shuffle=False).map(transforms.TypeCast(np.float32), ["x"])
    with pytest.raises(RuntimeError, match="TypeCast"):
        rows(data)


def dying(x):
    if int(x) == 7:
        os.kill(os.getpid(), signal.SIGKILL)
    return x


def test_a_killed_worker_process_is_told():
    with pytest.raises(RuntimeError, match=r"(?i)worker|process"):
        rows(numbers().map(dying, ["x"], python_multiprocessing=True, num_parallel_workers=2))


HANGING = """
import sys, time
import numpy as np
import mindspore.dataset as ds

def slow(x):
    if int(x) == 7:
        time.sleep(600)
    return x

data = ds.NumpySlicesDataset({"x": np.arange(12)}, shuffle=False)
data = data.map(slow, ["x"], python_multiprocessing=sys.argv[1] == "processes", num_parallel_workers=2)
for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True):
    print(int(row[0]), flush=True)
"""


@pytest.mark.parametrize("where", ["threads", pytest.param("processes", marks=pytest.mark.heavy)])
def test_ctrl_c_ends_a_program_whose_transform_hangs(tmp_path, where):
    script = tmp_path / "hanging.py"
    script.write_text(HANGING)
    program = subprocess.Popen(
        [sys.executable, str(script), where], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    try:
        assert program.stdout is not None
        for _ in range(3):
            program.stdout.readline()
        time.sleep(0.5)
        workers = own_workers.running(program.pid)
        assert bool(workers) == (where == "processes")
        program.send_signal(signal.SIGINT)
        _, errors = program.communicate(timeout=20)
    finally:
        program.kill()
    assert "KeyboardInterrupt" in errors
    assert program.returncode != 0
    deadline = time.monotonic() + 10
    while own_workers.alive(workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not own_workers.alive(workers) and not own_workers.memory_of(workers)


def test_the_error_of_a_map_names_the_data_file(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.jpg").write_bytes(b"no image")
    data = ds.ImageFolderDataset(str(tmp_path)).map(vision.Decode(), "image")
    path = os.path.join(str(tmp_path), "a", "x.jpg")
    with pytest.raises(RuntimeError) as failed:
        next(iter(data))
    assert f"map operation: [Decode] failed. The corresponding data file is: {path}. Decode: image" in str(failed.value)
    assert "column 'image', uint8 of shape (8,)" in str(failed.value)


@pytest.mark.parametrize(
    "source", [lambda path: ds.TextFileDataset(path), lambda path: ds.CSVDataset(path, ",", None, ["a"])]
)
def test_the_error_of_a_function_in_a_map_names_the_data_file_and_the_row(tmp_path, source):
    path = str(tmp_path / "lines.txt")
    (tmp_path / "lines.txt").write_text("one\n")
    with pytest.raises(RuntimeError) as failed:
        next(iter(source(path).map(at_seven_always)))
    text = str(failed.value)
    assert f"map operation: [PyFunc] failed. The corresponding data file is: {path} (row 1, function at_seven" in text
    assert "ValueError: it is seven" in text


def at_seven_always(value):
    raise ValueError("it is seven")
