"""``schedule``: which steps a profiler records."""

from __future__ import annotations

from enum import Enum

from mindspore._utils.checks import check_non_negative_int, check_positive_int

__all__ = ["ProfilerAction", "schedule"]


class ProfilerAction(Enum):
    """What happens in a step.

    Examples:
        >>> from mindspore.profiler import ProfilerAction, schedule
        >>> steps = schedule(wait=1, warmup=1, active=1, repeat=1)
        >>> [steps(number).name for number in range(3)]
        ['NONE', 'WARM_UP', 'RECORD_AND_SAVE']
    """

    NONE = 0
    WARM_UP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3  # recorded, and the last of its round

    @property
    def records(self) -> bool:
        return self in (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)


class schedule:  # noqa: N801 - MindSpore's name
    """Rounds of steps: some are waited for, some warm up, some are recorded.

    Args:
        wait: steps at the beginning of a round that are not recorded.
        active: steps that are recorded.
        warmup: steps between them that are not recorded either: the first steps of a program compile.
        repeat: rounds; 0 for as many as there are steps.
        skip_first: steps before the first round.

    Examples:
        >>> from mindspore.profiler import schedule
        >>> plan = schedule(wait=1, warmup=1, active=2, repeat=1)
        >>> [plan(step).name for step in range(6)]
        ['NONE', 'WARM_UP', 'RECORD', 'RECORD_AND_SAVE', 'NONE', 'NONE']
    """

    def __init__(self, *, wait: int, active: int, warmup: int = 0, repeat: int = 0, skip_first: int = 0):
        self.wait = check_non_negative_int("schedule", "wait", wait)
        self.active = check_positive_int("schedule", "active", active)
        self.warmup = check_non_negative_int("schedule", "warmup", warmup)
        self.repeat = check_non_negative_int("schedule", "repeat", repeat)
        self.skip_first = check_non_negative_int("schedule", "skip_first", skip_first)

    def __call__(self, step: int) -> ProfilerAction:
        """What happens in a step, counted from 0."""
        step = check_non_negative_int("schedule", "step", step) - self.skip_first
        length = self.wait + self.warmup + self.active
        if step < 0 or (self.repeat and step // length >= self.repeat):
            return ProfilerAction.NONE
        position = step % length
        if position < self.wait:
            return ProfilerAction.NONE
        if position < self.wait + self.warmup:
            return ProfilerAction.WARM_UP
        return ProfilerAction.RECORD if position < length - 1 else ProfilerAction.RECORD_AND_SAVE

    def to_dict(self) -> dict[str, int]:
        """The numbers it was made with."""
        return dict(vars(self))
