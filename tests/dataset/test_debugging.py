"""Debug mode: rows are computed one by one in the thread that asks for them, and hooks see what operations get and give."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import mindspore.dataset as ds
from mindspore.dataset import debug, vision
from mindspore.dataset._pipeline.debugging import DebugRunner, compute_here
from mindspore.dataset._pipeline.run_context import PipelineContext


class Keep(debug.DebugHook):
    def __init__(self):
        super().__init__()
        self.seen = []

    def compute(self, *args):
        self.seen.append((self.prev_op_name, self.is_first, [np.asarray(one).tolist() for one in args[0]]))


def runner(data, epochs=1, hooks=()):
    plan = PipelineContext()
    compute_here(plan)
    return DebugRunner(plan.build(data), epochs, plan.shared, hooks)


def test_every_row_is_computed_when_it_is_asked_for_by_the_thread_that_asks():
    seen = []

    def noted(x):
        seen.append((int(x), threading.current_thread() is threading.main_thread()))
        return x

    data = ds.NumpySlicesDataset({"x": np.arange(4)}, shuffle=False).map(noted, ["x"], num_parallel_workers=4)
    rows = runner(data.filter(lambda x: noted(x) != 1, ["x"])).rows()
    assert int(next(rows)["x"]) == 0
    assert seen == [(0, True), (0, True)]
    assert [int(row["x"]) for row in rows] == [2, 3]
    assert all(main for _, main in seen)


def test_hooks_see_what_operations_get_and_give(capsys):
    def double(x):
        return x * 2

    def both(x):
        return x, x + 1

    hook = Keep()
    data = ds.NumpySlicesDataset({"x": np.arange(2)}, shuffle=False).map([double, both], ["x"], ["x", "y"])
    assert len(list(runner(data, hooks=[hook, debug.PrintDataHook()]).rows())) == 2
    assert hook.seen[:3] == [("double", True, [0]), ("double", False, [0]), ("both", False, [0, 1])]
    assert hook.seen[3:] == [("double", True, [1]), ("double", False, [2]), ("both", False, [2, 3])]
    assert (
        "the [OUTPUT] of the operation [both].\nColumn 0. The data is [2].\nColumn 1. The data is [3].\n"
        in capsys.readouterr().out
    )


def test_random_operations_draw_the_same_numbers_as_without_debug_mode(capsys):
    images = np.random.default_rng(0).integers(0, 255, (6, 9, 9, 3), np.uint8)

    def data():
        ds.config.set_seed(4)
        return ds.NumpySlicesDataset({"image": images}, shuffle=False).map(vision.RandomCrop(4), ["image"])

    usual = [row["image"] for row in data().create_dict_iterator(num_epochs=1, output_numpy=True)]
    for hooks in ((), (debug.PrintMetaDataHook(),)):
        np.testing.assert_array_equal(np.stack([row["image"] for row in runner(data(), hooks=hooks).rows()]), usual)
    shown = "the [INPUT] of the operation [RandomCrop].\nColumn 0. The dtype is [uint8]. The shape is [(9, 9, 3)].\n"
    assert shown in capsys.readouterr().out


def test_a_hook_may_stand_among_the_operations_of_a_map():
    hook = Keep()
    data = ds.NumpySlicesDataset({"x": np.arange(2)}, shuffle=False).map([hook, lambda x: x + 1], ["x"])
    for run in (lambda: data.create_dict_iterator(output_numpy=True, num_epochs=1), lambda: runner(data).rows()):
        assert [int(row["x"]) for row in run()] == [1, 2]
    assert [columns for _, _, columns in hook.seen] == [[0], [1]] * 2


def test_epochs_are_counted():
    run = runner(ds.NumpySlicesDataset({"x": np.arange(2)}), 2)
    assert [len(list(run.rows())) for _ in range(2)] == [2, 2]
    with pytest.raises(RuntimeError, match="beyond the specified number of epochs"):
        list(run.rows())


def test_an_error_is_told_as_usual():
    def wrong(x):
        raise KeyError("my own problem")

    data = ds.NumpySlicesDataset({"x": np.arange(2)}).map(wrong, ["x"])
    with pytest.raises(RuntimeError, match=r"(?s)wrong.*my own problem"):
        list(runner(data, hooks=[Keep()]).rows())
