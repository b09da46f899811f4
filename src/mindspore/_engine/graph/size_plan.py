"""Which axes of a call's inputs vary, together or each by itself, and up to which sizes one graph serves them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore._engine.base.open_sizes import LEAST
from mindspore._engine.graph.padding.cost import ProgramCost

Shapes = Sequence[tuple[int, ...]]
InputAxis = tuple[int, int]  # input, axis


class SizePlan:
    """Open axes as symbols plus constants, and the limit of each symbol."""

    def __init__(self, shapes: Shapes, open_axes: dict[InputAxis, tuple[str, int]], limits: dict[str, int]):
        self.shape = [tuple(shape) for shape in shapes]  # sizes of axes that are not open
        self.open_axes = open_axes
        self.limits = limits

    @property
    def coarse(self) -> bool:
        """Whether buckets are large: soon compiled and little used, or left for smaller ones."""
        return not self.is_tight(self.shape)

    def shrink(self, costs: ProgramCost) -> None:
        """Lower the limits until filling up costs less than compiling, or the sizes that are needed now do not fit."""
        least = self.rounded(self.shape)
        while costs.operations(self.limits) > costs.allowed:
            name = max(self.limits, key=lambda name: self.limits[name] // least[name])
            if self.limits[name] == least[name]:
                return
            self.limits[name] //= 2

    def shapes(self, symbols: Sequence[Any]) -> list[tuple[Any, ...]]:
        """The shapes of the inputs with symbols in them."""
        named = dict(zip(self.limits, symbols, strict=True))
        found: list[list[Any]] = [list(shape) for shape in self.shape]
        for (number, axis), (name, more) in self.open_axes.items():
            found[number][axis] = named[name] + more
        return [tuple(shape) for shape in found]

    def sizes(self, shapes: Shapes) -> dict[str, int]:
        """The symbols' values in a call."""
        found = dict.fromkeys(self.limits, 0)
        for (number, axis), (name, more) in self.open_axes.items():
            found[name] = shapes[number][axis] - more
        return found

    def rounded(self, shapes: Shapes) -> dict[str, int]:
        """The powers of two next to a call's sizes."""
        return {name: power_of_two(size) for name, size in self.sizes(shapes).items()}

    def is_tight(self, shapes: Shapes) -> bool:
        """Whether the limits are the next powers of two."""
        return self.rounded(shapes) == self.limits

    def fits(self, shapes: Shapes) -> bool:
        """Whether a call's sizes hang together as planned, and lie within the limits."""
        sizes = self.sizes(shapes)
        if any(not LEAST <= size <= self.limits[name] for name, size in sizes.items()):
            return False
        for number, (shape, known) in enumerate(zip(shapes, self.shape, strict=True)):
            for axis, (size, fixed) in enumerate(zip(shape, known, strict=True)):
                name, more = self.open_axes.get((number, axis), (None, 0))
                if size != (fixed if name is None else sizes[name] + more):
                    return False
        return True


def varying(seen: Sequence[Shapes], declared: set[InputAxis]) -> list[InputAxis]:
    """The axes that were declared open, or whose sizes differ among the calls."""
    last = seen[-1]
    return [
        (number, axis)
        for number, shape in enumerate(last)
        for axis, size in enumerate(shape)
        if (number, axis) in declared or any(shapes[number][axis] != size for shapes in seen)
    ]


def related(seen: Sequence[Shapes], varying_axes: Sequence[InputAxis]) -> dict[InputAxis, tuple[str, int]]:
    """Axes whose sizes differ by the same number in all calls have one symbol; the smallest is the symbol itself."""
    groups: dict[tuple[int, ...], list[InputAxis]] = {}
    for number, axis in varying_axes:
        sizes = [shapes[number][axis] for shapes in seen]
        apart = sizes if len(sizes) == 1 else [size - sizes[0] for size in sizes]
        groups.setdefault(tuple(apart), []).append((number, axis))
    last, found = seen[-1], {}
    for count, members in enumerate(groups.values()):
        least = min(last[number][axis] for number, axis in members)
        found |= {(number, axis): (f"n{count}", last[number][axis] - least) for number, axis in members}
    return found


def power_of_two(size: int) -> int:
    """The next power of two."""
    return max(LEAST, 1 << (size - 1).bit_length())


def generous(size: int) -> int:
    """The power of two next to 16 times as much."""
    return power_of_two(size * 16)
