"""Pipelines of real processes train like one process, and each holds its part; the plan behind them."""

import json

import numpy as np
import pytest

import mindspore as ms
from mindspore._engine.parallel.pipeline_schedule import AFTER, BACKWARD, FORWARD, Move, Slot, Task, order, plan
from tests.parallel.launching import PROGRAMS, start_by_hand
from tests.parallel.programs import pipelined


@pytest.fixture(autouse=True)
def _graph_mode():
    ms.set_context(mode=ms.GRAPH_MODE)


def run(folder, processes, stages, *ways):
    """What each process found."""
    program = PROGRAMS / "pipelined.py"
    started = start_by_hand(program, range(processes), processes, folder, arguments=(str(stages), *ways))
    codes = [one.wait(180) for one in started]
    assert codes == [0] * processes, [(folder / f"log_{rank}.txt").read_text()[-1500:] for rank in range(processes)]
    return [json.loads((folder / f"found_{rank}.json").read_text()) for rank in range(processes)]


def check_equal_to_one_process(found, stages, way):
    step, net, losses, said = pipelined.trained(way.partition(":")[0], stages)
    whole = step if isinstance(step, ms.nn.Cell) else net
    weights = {one.name: one.asnumpy() for one in whole.get_parameters()}
    assert set(weights) == set().union(*(one[way]["held"] for one in found))
    for one in found:
        np.testing.assert_allclose(one[way]["losses"], losses, rtol=1e-4)
        np.testing.assert_allclose(one[way]["said"], said, rtol=1e-3, atol=1e-4)
        for name, value in one[way]["held"].items():
            np.testing.assert_allclose(value, weights[name], rtol=1e-3, atol=1e-5, err_msg=name)
    return weights


def check_divided(found, stages, way):
    """Blocks and their moments are with one stage each."""
    for rank, one in enumerate(found):
        blocks = {int(name.split("blocks.")[1][0]) for name in one[way]["held"] if "blocks" in name}
        assert blocks == {rank * stages // len(found)}


def test_two_stages_train_like_one_process(tmp_path):
    found = run(tmp_path, 2, 2, "small")
    check_equal_to_one_process(found, 2, "small")
    check_divided(found, 2, "small")
    assert [one["small"]["footprint"][0] for one in found] == [2, 1]


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("processes", "stages", "ways"),
    [
        (2, 2, ("cell", "function", "hand", "scaled", "cell+", "cell:gpipe")),
        (4, 4, ("cell", "function+", "scaled")),
        (4, 2, ("cell", "function", "hand")),  # two processes share the rows of each stage
    ],
)
def test_every_way_to_train_equals_one_process(tmp_path, processes, stages, ways):
    found = run(tmp_path, processes, stages, *ways)
    for way in ways:
        check_equal_to_one_process(found, stages, way)
        check_divided(found, stages, way)
    if stages == 4:
        assert [one["cell"]["footprint"][0] for one in found] == [4, 3, 2, 1]
    if "cell:gpipe" in ways:
        (few, less), (all_, more) = found[0]["cell"]["footprint"], found[0]["cell:gpipe"]["footprint"]
        assert (few, all_) == (2, 4) and less < more


@pytest.mark.heavy
def test_a_model_trains_in_stages_whose_processes_divide_weights_and_states(tmp_path):
    started = start_by_hand(PROGRAMS / "pipelined_model.py", range(4), 4, tmp_path)
    codes = [one.wait(180) for one in started]
    assert codes == [0] * 4, [(tmp_path / f"log_{rank}.txt").read_text()[-1500:] for rank in range(4)]
    _, said = pipelined.trained_by_model()
    for rank in range(4):
        np.testing.assert_allclose(np.load(tmp_path / f"said_{rank}.npy"), said, rtol=1e-3, atol=1e-5)
        saved = ms.load_checkpoint(str(tmp_path / f"rank_{rank}" / "own-2_3.ckpt"))
        assert {name.split("blocks.")[1][0] for name in saved if "blocks" in name} == {str(rank // 2)}


# -- the plan ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("stages", [2, 4])
@pytest.mark.parametrize(
    ("scheduler", "kept"), [("1f1b", lambda stage, stages: stages - stage), ("gpipe", lambda *_: 6)]
)
def test_a_schedule_bounds_what_a_stage_keeps(stages, scheduler, kept):
    for stage in range(stages):
        begun = most = 0
        passes = order(stage, stages, range(6), scheduler)
        for task in passes:
            begun += 1 if task.phase == FORWARD else -1
            most = max(most, begun)
        assert most == kept(stage, stages)
        assert sorted(passes) == sorted(Task(phase, number) for phase in (FORWARD, BACKWARD) for number in range(6))


def chain(stages, micro_batches):
    """The tasks of a plain network, what they need, and what moves."""
    tasks = [
        {Task(phase, number) for phase in (FORWARD, BACKWARD) for number in range(micro_batches)} for _ in range(stages)
    ]
    needed, moves = {}, []
    for number in range(micro_batches):
        for stage in range(stages - 1):
            forward, backward = Task(FORWARD, number), Task(BACKWARD, number)
            needed.setdefault(Slot(stage + 1, forward), set()).add(Slot(stage, forward))
            needed.setdefault(Slot(stage, backward), set()).add(Slot(stage + 1, backward))
            moves += [Move(stage, forward, stage + 1), Move(stage + 1, backward, stage)]
    return tasks, needed, moves


@pytest.mark.parametrize("scheduler", ["1f1b", "gpipe"])
@pytest.mark.parametrize(("stages", "micro_batches"), [(2, 1), (2, 4), (4, 3), (4, 8), (8, 8)])
def test_in_a_plan_everything_comes_after_what_it_needs(scheduler, stages, micro_batches):
    tasks, needed, moves = chain(stages, micro_batches)
    events = plan(tasks, needed, moves, scheduler)
    assert len(events) == len(set(events)) == sum(map(len, tasks)) + len(moves)
    places = {event: place for place, event in enumerate(events)}
    for move in moves:
        assert places[Slot(move.source, move.task)] < places[move]
        users = [user for user, sources in needed.items() if Slot(move.source, move.task) in sources]
        assert all(places[move] < places[user] for user in users if user.stage == move.target)


def test_a_plan_keeps_all_stages_at_work():
    tasks, needed, moves = chain(4, 8)
    events = plan(tasks, needed, moves, "1f1b")
    times, now = {}, -1
    for event in events:
        if isinstance(event, Slot):
            now += (
                any(isinstance(one, Move) for one in events[events.index(event) - 1 : events.index(event)]) or now < 0
            )
            times[event] = now
    assert max(times.values()) + 1 == 2 * (8 + 4 - 1)  # of which 2 (4 - 1) are idle for each stage


def test_stages_that_wait_for_each_other_are_refused():
    task = Task(FORWARD, 0)
    needed = {Slot(0, task): {Slot(1, task)}, Slot(1, task): {Slot(0, task)}}
    with pytest.raises(ValueError, match=r"wait for each other \(F0 of stage 0, F0 of stage 1\)"):
        plan([{task}, {task}], needed, [], "1f1b")


def test_rounds_after_the_passes_come_last():
    tasks = {Task(AFTER, 1), Task(AFTER, 0), Task(BACKWARD, 0), Task(FORWARD, 0)}
    assert [event.task.short for event in plan([tasks], {}, [], "1f1b")] == ["F0", "B0", "A0", "A1"]
