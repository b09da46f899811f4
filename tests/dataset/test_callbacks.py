"""Callbacks of a map: which moments are told, with which numbers."""

import math
import threading

import pytest

import mindspore.dataset as ds


class Recorder(ds.DSCallback):
    """Notes every call."""

    def __init__(self, step_size=1):
        super().__init__(step_size)
        self.calls = []

    def note(self, moment, context):
        self.calls.append((moment, context.cur_epoch_num, context.cur_step_num_in_epoch, context.cur_step_num))

    def ds_begin(self, ds_run_context):
        self.note("begin", ds_run_context)

    def ds_epoch_begin(self, ds_run_context):
        self.note("epoch_begin", ds_run_context)

    def ds_epoch_end(self, ds_run_context):
        self.note("epoch_end", ds_run_context)

    def ds_step_begin(self, ds_run_context):
        self.note("step_begin", ds_run_context)

    def ds_step_end(self, ds_run_context):
        self.note("step_end", ds_run_context)


def run(callback, rows=5, epochs=2):
    data = ds.NumpySlicesDataset(list(range(rows)), shuffle=False).map(lambda x: x, callbacks=callback)
    iterator = data.create_tuple_iterator(num_epochs=epochs, output_numpy=True)
    return [[int(row[0]) for row in iterator] for _ in range(epochs)]


def test_epochs_and_steps_are_told_with_the_numbers_of_real_mindspore():
    recorder = Recorder()
    assert run(recorder, rows=2) == [[0, 1]] * 2
    # The ends of steps may be told later than other beginnings; the order among each kind is fixed.
    assert [call for call in recorder.calls if not call[0].startswith("step")] == [
        ("begin", 0, 0, 0),
        ("epoch_begin", 1, 0, 0),
        ("epoch_end", 1, 2, 2),
        ("epoch_begin", 2, 0, 2),
        ("epoch_end", 2, 2, 4),
    ]
    for kind in ("step_begin", "step_end"):
        assert [call[1:] for call in recorder.calls if call[0] == kind] == [(1, 1, 1), (1, 2, 2), (2, 1, 3), (2, 2, 4)]


def test_a_step_size_leaves_steps_out():
    recorder = Recorder(2)
    run(recorder)
    begins = [call[1:] for call in recorder.calls if call[0] == "step_begin"]
    assert begins == [(1, 1, 1), (1, 3, 3), (1, 5, 5), (2, 1, 6), (2, 3, 8), (2, 5, 10)]


def test_errors():
    with pytest.raises(ValueError, match=r"step_size is not within the required interval of \[1, 2147483647\]"):
        ds.DSCallback(0)
    with pytest.raises(TypeError, match="step_size"):
        ds.DSCallback("a")
    with pytest.raises(AttributeError, match="without overriding any methods"):
        run(ds.DSCallback())


def test_an_error_in_a_callback_reaches_the_loop():
    class Broken(ds.DSCallback):
        def ds_step_begin(self, ds_run_context):
            raise ValueError("boom")

    with pytest.raises(RuntimeError, match=r"Broken\.ds_step_begin failed in epoch 1, step 1: ValueError: boom"):
        run(Broken())


class Waiting(ds.WaitedDSCallback):
    """Notes what the training handed over."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def sync_epoch_begin(self, train_run_context, ds_run_context):
        self.seen.append((train_run_context, ds_run_context.cur_epoch_num))


def test_an_epoch_waits_for_the_training():
    waiting = Waiting()
    data = ds.NumpySlicesDataset([1, 2], shuffle=False).map(lambda x: x, callbacks=waiting)
    iterator = data.create_tuple_iterator(num_epochs=3, output_numpy=True)
    for epoch in range(3):
        assert len(list(iterator)) == 2
        assert len(waiting.seen) == epoch
        waiting.epoch_end(f"epoch {epoch + 1}")
        deadline = threading.Event()
        while epoch < 2 and len(waiting.seen) == epoch:
            assert not deadline.wait(0.01)
    assert waiting.seen == [("epoch 1", 2), ("epoch 2", 3)]


def test_waiting_ends_with_an_error():
    before = ds.config.get_callback_timeout()
    ds.config.set_callback_timeout(1)
    try:
        with pytest.raises(RuntimeError, match="timed out after 1 second"):
            run(Waiting(), rows=1)
    finally:
        ds.config.set_callback_timeout(before)


def test_a_waiting_callback_needs_a_method():
    with pytest.raises(AttributeError, match="define sync_epoch_begin or sync_step_begin"):
        run(ds.WaitedDSCallback())


def test_steps_begin_ahead_of_their_ends():
    told = []

    class Told(ds.DSCallback):
        def ds_step_begin(self, ds_run_context):
            told.append(f"begin {ds_run_context.cur_step_num_in_epoch}")

        def ds_step_end(self, ds_run_context):
            told.append(f"end {ds_run_context.cur_step_num_in_epoch} of {ds_run_context.cur_step_num}")

    rows = ds.NumpySlicesDataset([1, 2], shuffle=False).map(lambda x: x, callbacks=Told())
    taken = rows.create_tuple_iterator(num_epochs=2)
    for _ in range(2):
        assert len(list(taken)) == 2
    assert told == ["begin 1", "begin 2", "end 1 of 1", "end 2 of 2", "begin 1", "begin 2", "end 1 of 3", "end 2 of 4"]


class Positions(ds.DSCallback):
    def __init__(self):
        super().__init__()
        self.epochs = []
        self.steps = []

    def ds_epoch_begin(self, context):
        self.epochs.append((context.cur_epoch_num, context.cur_step_num))

    def ds_step_end(self, context):
        self.steps.append((context.cur_epoch_num, context.cur_step_num_in_epoch, context.cur_step_num))


@pytest.mark.parametrize("repeats", [(3,), (2, 2)])
def test_an_epoch_is_what_the_program_iterates_over(repeats):
    told = Positions()
    data = ds.NumpySlicesDataset([5, 6], shuffle=False).map(lambda x: x, callbacks=told)
    for count in repeats:
        data = data.repeat(count)
    length = 2 * math.prod(repeats)
    iterator = data.create_tuple_iterator(num_epochs=2)
    assert [sum(1 for _ in iterator) for _ in range(2)] == [length] * 2
    assert told.epochs == [(1, 0), (2, length)]
    assert told.steps == [
        (epoch, step, (epoch - 1) * length + step) for epoch in (1, 2) for step in range(1, length + 1)
    ]


def test_questions_about_a_pipeline_do_not_reach_its_callbacks():
    told = Positions()
    data = (
        ds.NumpySlicesDataset([5, 6], shuffle=False)
        .filter(lambda x: x > 5)
        .map(lambda x: (x, x), output_columns=["a", "b"], callbacks=told)
    )
    assert (data.output_shapes(), data.get_dataset_size(), len(data.output_types())) == ([[], []], 1, 2)
    assert not told.epochs
    assert len(list(data.create_tuple_iterator(num_epochs=1))) == 1
    assert told.epochs == [(1, 0)]
