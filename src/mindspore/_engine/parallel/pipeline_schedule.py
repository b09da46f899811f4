"""The schedule of a pipeline: GPipe or 1F1B.

The tasks of a stage: a preparation, a forward and a backward pass per micro batch, and an epilogue (the optimizer). All
processes compute the same schedule of the whole pipeline; each executes its part.

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
    """The unit of scheduling: a phase and a micro batch (in the epilogue: a round between transfers)."""

    phase: int
    number: int

    @property
    def short(self) -> str:
        return f"{_LETTERS[self.phase]}{self.number}"


class Slot(NamedTuple):
    """A task on a stage."""

    stage: int
    task: Task


class Move(NamedTuple):
    """A transfer from one stage to another after a task; without a task, before everything else."""

    source: int
    task: Task | None
    target: int


def order(stage: int, stages: int, micro_batches: Sequence[int], scheduler: str) -> list[Task]:
    """The passes of one stage, in order.

    'gpipe' runs all forward passes first and keeps the activations of all micro batches alive. '1f1b' starts backward passes
    as early as possible: a stage keeps the activations of as many micro batches as there are stages from it to the last.
    """
    count = len(micro_batches)
    ahead = count if scheduler == "gpipe" else min(stages - stage - 1, count)
    forward = [Task(FORWARD, number) for number in micro_batches]
    backward = [Task(BACKWARD, number) for number in micro_batches]
    planned = forward[:ahead]
    for index in range(count):
        planned += [*forward[ahead + index : ahead + index + 1], backward[index]]
    return planned


def plan(
    tasks: Sequence[set[Task]], needed: Mapping[Slot, set[Slot]], moves: Iterable[Move], scheduler: str
) -> list[Slot | Move]:
    """A total order of all tasks and transfers, topologically sorted: nothing waits for a later event.

    Args:
        tasks: of each stage.
        needed: a task's predecessors on other stages.
        moves: between stages.
    """
    queues = [_ordered(stage, len(tasks), own, scheduler) for stage, own in enumerate(tasks)]
    after: dict[Slot, list[Move]] = {}
    events: list[Slot | Move] = []
    for move in sorted(moves, key=lambda move_: (move_.source, move_.target)):
        (events if move.task is None else after.setdefault(Slot(move.source, move.task), [])).append(move)
    done: set[Slot] = set()
    while any(queues):
        heads = [Slot(stage, queue[0]) for stage, queue in enumerate(queues) if queue]
        ready = [slot for slot in heads if needed.get(slot, set()) <= done]
        if not ready:
            waiting = ", ".join(f"{slot.task.short} of stage {slot.stage}" for slot in heads)
            raise ValueError(
                f"The stages of the pipeline wait for each other ({waiting}). What a stage computes may be used by itself and "
                "by later stages only: give every Cell with Parameters a 'pipeline_stage', in the order they are called."
            )
        # All ready stages compute, then transfer: no stage waits in a transfer while it could compute.
        events += ready
        events += [move for slot in ready for move in after.get(slot, ())]
        done.update(ready)
        for slot in ready:
            queues[slot.stage].pop(0)
    return events


def _ordered(stage: int, stages: int, tasks: set[Task], scheduler: str) -> list[Task]:
    numbers = sorted({task.number for task in tasks if task.phase in (FORWARD, BACKWARD)})
    passes = [task for task in order(stage, stages, numbers, scheduler) if task in tasks]
    return [*sorted(t for t in tasks if t.phase == BEFORE), *passes, *sorted(t for t in tasks if t.phase == AFTER)]
