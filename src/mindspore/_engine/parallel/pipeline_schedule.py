"""In which order the stages of a pipeline do their work.

Every stage has tasks: a preparation, a forward and a backward pass per micro batch, and what comes after all of them. All
processes plan the whole pipeline in the same way, each does its part of the plan.

>>> [task.short for task in order(0, 2, [0, 1, 2], "1f1b")]
['F0', 'F1', 'B0', 'F2', 'B1', 'B2']
>>> [task.short for task in order(1, 2, [0, 1, 2], "1f1b")]
['F0', 'B0', 'F1', 'B1', 'F2', 'B2']
>>> [task.short for task in order(0, 2, [0, 1, 2], "gpipe")]
['F0', 'F1', 'F2', 'B0', 'B1', 'B2']
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

BEFORE, FORWARD, BACKWARD, AFTER = range(-1, 3)
_LETTERS = {BEFORE: "P", FORWARD: "F", BACKWARD: "B", AFTER: "A"}


class Task(NamedTuple):
    """What one stage computes at a time: a phase, and which micro batch (after all of them: which round)."""

    phase: int
    number: int

    @property
    def short(self) -> str:
        return f"{_LETTERS[self.phase]}{self.number}"


class Slot(NamedTuple):
    """A task of a stage."""

    stage: int
    task: Task


class Move(NamedTuple):
    """Values that go from one stage to another once a task is done; without a task, before everything else."""

    source: int
    task: Task | None
    target: int


def order(stage: int, stages: int, micro_batches: Sequence[int], scheduler: str) -> list[Task]:
    """The passes of one stage, in order.

    'gpipe' does all forward passes first and keeps what all of them leave behind. '1f1b' begins the backward passes as soon
    as it can: a stage keeps what as many micro batches leave behind as there are stages from it to the end.
    """
    count = len(micro_batches)
    ahead = count if scheduler == "gpipe" else min(stages - stage - 1, count)
    forward = [Task(FORWARD, number) for number in micro_batches]
    backward = [Task(BACKWARD, number) for number in micro_batches]
    planned = forward[:ahead]
    for place in range(count):
        planned += [*forward[ahead + place : ahead + place + 1], backward[place]]
    return planned


def plan(
    tasks: Sequence[set[Task]], needed: Mapping[Slot, set[Slot]], moves: Iterable[Move], scheduler: str
) -> list[Slot | Move]:
    """All work of all stages in one order, in which nobody waits for something that comes later.

    Args:
        tasks: of each stage.
        needed: the tasks of other stages that must be done before a task begins.
        moves: between stages.
    """
    queues = [_ordered(stage, len(tasks), own, scheduler) for stage, own in enumerate(tasks)]
    after: dict[Slot, list[Move]] = {}
    events: list[Slot | Move] = []
    for move in sorted(moves, key=lambda one: (one.source, one.target)):
        (events if move.task is None else after.setdefault(Slot(move.source, move.task), [])).append(move)
    done: set[Slot] = set()
    while any(queues):
        heads = [Slot(stage, queue[0]) for stage, queue in enumerate(queues) if queue]
        ready = [place for place in heads if needed.get(place, set()) <= done]
        if not ready:
            waiting = ", ".join(f"{place.task.short} of stage {place.stage}" for place in heads)
            raise ValueError(
                f"The stages of the pipeline wait for each other ({waiting}). What a stage computes may be used by itself and "
                "by later stages only: give every Cell with Parameters a 'pipeline_stage', in the order they are called."
            )
        # At one time all stages compute, then exchange: a stage is not kept from computing by another's message.
        events += ready
        events += [move for place in ready for move in after.get(place, ())]
        done.update(ready)
        for place in ready:
            queues[place.stage].pop(0)
    return events


def _ordered(stage: int, stages: int, tasks: set[Task], scheduler: str) -> list[Task]:
    numbers = sorted({task.number for task in tasks if task.phase in (FORWARD, BACKWARD)})
    passes = [task for task in order(stage, stages, numbers, scheduler) if task in tasks]
    return [*sorted(t for t in tasks if t.phase == BEFORE), *passes, *sorted(t for t in tasks if t.phase == AFTER)]
