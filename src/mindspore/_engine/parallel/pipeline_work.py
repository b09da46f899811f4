"""The events of one pipeline stage, in order: tasks with their operations, and transfers with their values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore._engine.parallel.partition import Cut, Operation
from mindspore._engine.parallel.pipeline_schedule import Move, Slot, Task, plan


class Work:
    """The schedule of one stage, with the liveness of its values.

    Args:
        cut: the graph in stages.
        homes: for each input the stages that hold it; None for all.
        wanted: for each output the stages that want it.
        own: the stage.
        scheduler: 'gpipe' or '1f1b'.
    """

    def __init__(
        self, cut: Cut, homes: Sequence[set[int] | None], wanted: Sequence[set[int]], own: int, scheduler: str
    ):
        self.cut, self.own, self.wanted, self.scheduler = cut, own, wanted, scheduler
        self.makers = {value: node for node in cut.nodes for value in node.gives}
        for output in cut.outputs:
            if isinstance(output, int) and output in self.makers:
                self.makers[output].light = False
        self.moves = self._find_moves(homes)
        self.events = self._own_events(self._tasks())
        self.used = self._last_uses()

    def _find_moves(self, homes: Sequence[set[int] | None]) -> dict[Move, list[int]]:
        """The values transferred by each Move; also fills ``needed``, the dependencies between stages."""
        cut, moves = self.cut, {}
        holders = {value: home for value, home in zip(cut.inputs, homes, strict=True) if home is not None}
        self.needed: dict[Slot, set[Slot]] = {}

        def move(value: int, target: int, user: Task | None) -> None:
            maker = self.makers.get(value)
            if maker is None:
                home = holders.get(value)
                if home is not None and target not in home:
                    moves.setdefault(Move(min(home), None, target), {})[value] = None
            elif maker.label.stage not in (None, target):
                moves.setdefault(Move(maker.label.stage, maker.label.task, target), {})[value] = None
                if user is not None:
                    needed = self.needed.setdefault(Slot(target, user), set())
                    needed.add(Slot(maker.label.stage, maker.label.task))

        for node in cut.nodes:
            for stage in node.stages:
                for value in node.values:
                    move(value, stage, node.label.task)
        for output, stages in zip(cut.outputs, self.wanted, strict=True):
            if isinstance(output, int):
                for stage in stages:
                    move(output, stage, None)
        return {move_: list(values) for move_, values in moves.items()}

    def _tasks(self) -> list[dict[Task, list[Operation]]]:
        tasks: list[dict[Task, list[Operation]]] = [{} for _ in range(self.cut.stages)]
        for node in self.cut.nodes:
            for stage in () if node.light else node.stages:
                tasks[stage].setdefault(node.label.task, []).append(node)
        return tasks

    def _own_events(self, tasks: list[dict[Task, list[Operation]]]) -> list[tuple[Slot | Move, list[Any]]]:
        """This stage's events in order: a task with its operations, or a transfer with its values."""
        planned = plan([set(task) for task in tasks], self.needed, self.moves, self.scheduler)
        own: list[tuple[Slot | Move, list[Any]]] = []
        for event in planned:
            if isinstance(event, Move):
                if self.own in (event.source, event.target):
                    own.append((event, self.moves[event]))
            elif event.stage == self.own:
                own.append((event, self._with_light(tasks[self.own][event.task])))
        return own

    def _with_light(self, nodes: list[Operation]) -> list[Operation]:
        """The operations of a task in topological order, with rematerialised cheap ones in front of their users."""
        ordered: dict[int, Operation] = {}

        def add(node: Operation) -> None:
            for value in node.values:
                maker = self.makers.get(value)
                if maker is not None and maker.light and id(maker) not in ordered:
                    add(maker)
            ordered[id(node)] = node

        for node in nodes:
            add(node)
        return list(ordered.values())

    def _last_uses(self) -> dict[int, int]:
        """Liveness: the index of the last event that uses each value; one past the end for outputs."""
        used: dict[int, int] = {}
        for index, (event, parts) in enumerate(self.events):
            if isinstance(event, Move):
                used.update(dict.fromkeys(parts if event.source == self.own else (), index))
            else:
                made = {value for node in parts for value in node.gives}
                used.update((value, index) for node in parts for value in node.values if value not in made)
        for output, stages in zip(self.cut.outputs, self.wanted, strict=True):
            if isinstance(output, int) and self.own in stages:
                used[output] = len(self.events)
        return used

    def dropped(self, index: int, values: Sequence[int]) -> list[int]:
        """The values that are dead after an event."""
        return [value for value in values if self.used.get(value, -1) <= index and value not in self.cut.constants]
