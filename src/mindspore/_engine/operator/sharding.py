"""Sharding strategies of operators, Cells and functions: the number of shards per axis.

A strategy becomes a sharding constraint on the value; XLA's partitioner propagates the rest. It applies in graphs compiled for a
mesh (``mesh.py``); elsewhere it is stored without effect.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
from jax.sharding import NamedSharding

from mindspore._engine.base.kernel import Kernel
from mindspore._engine.base.pytree import flatten, unflatten
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.dispatch import run
from mindspore._engine.runtime.mesh import Axes, Grid
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor

Labels = list[list[str]]  # of the axes of every Tensor
# From the attributes (None for the outputs) and the labels of broadcasting to those of the operator.
LabelRule = Callable[[dict[str, Any] | None, Labels], Labels]
LABEL_RULES: dict[str, LabelRule] = {}  # by name of the Primitive, from ``@op(sharding=...)``
_WRITERS = ("Assign", "Apply", "Scatter", "Fused", "Sparse")  # prefixes of operators that write to their Parameters


class Plan:
    """Sharding information of a graph for a mesh, collected while it is traced."""

    def __init__(self, grid: Grid, stages: int = 1):
        self.grid = grid
        self.stages = stages  # number of pipeline stages
        self.parameters: dict[Tensor, NamedSharding] = {}  # sharding by the first operator with a strategy
        self.has_strategies = False

    def constrain(self, tensor: Tensor, axes: Sequence[Axes], owner: str) -> Tensor:
        """Apply a sharding constraint to a Tensor."""
        self.has_strategies = True
        sharding = self.grid.sharding(axes)
        if isinstance(tensor, Parameter):
            self.parameters.setdefault(tensor, sharding)
            if owner.startswith(_WRITERS):
                return tensor
        return run(_constraint(sharding), [tensor])


@functools.cache
def _constraint(sharding: NamedSharding) -> Kernel:
    return Kernel("Shard", lambda value: jax.lax.with_sharding_constraint(value, sharding))


# -- checks at the time a strategy is given ------------------------------------------------------------------------------
def check_strategy(owner: str, name: str, strategy: Any) -> tuple | None:
    """Validate a strategy: a tuple of ints, or a Layout, per Tensor."""
    if strategy is None:
        return None
    if not isinstance(strategy, tuple):
        raise TypeError(f"{name} must be tuple type, but got:{type(strategy)}. Write ((2, 1), (1, 2)) for two Tensors.")
    if any(map(is_layout, strategy)) and not all(is_layout(cuts) or cuts is None for cuts in strategy):
        raise TypeError(f"The {name} item should be a object of class Layout, as the others are, but got {strategy}.")
    for cuts in strategy:
        check_cuts(owner, name, cuts, strategy)
    return strategy


def check_cuts(owner: str, name: str, cuts: Any, strategy: Any) -> Any:
    """Validate the strategy of one Tensor."""
    if cuts is None or is_layout(cuts):
        return cuts
    if not isinstance(cuts, tuple):
        raise TypeError(f"The element of strategy must be tuple/Layout type, but got:{type(cuts)}")
    for cut in cuts:
        if isinstance(cut, tuple):
            check_cuts(owner, name, cut, strategy)
        elif isinstance(cut, bool) or not isinstance(cut, int):
            raise TypeError(
                f"The {name}: {strategy} of {owner} is not valid, the value of strategy must be int type, but got:{type(cut)}"
            )
    return cuts


def is_layout(value: Any) -> bool:
    """Whether it is a ``mindspore.parallel.Layout`` (duck-typed: that package is above this one)."""
    return hasattr(value, "to_dict") and hasattr(value, "_tensor_map")


# -- from strategies to mesh axes -----------------------------------------------------------------------------------------
class Assignment:
    """Assigns mesh axes to the axes of an operator's Tensors; axes with the same label get the same mesh axes.

    In ``MatMul`` with the strategy ``((2, 4), (4, 1))`` both Tensors shard the contracted axis over the same mesh axes.
    """

    def __init__(self, grid: Grid, owner: str, strategy: Any):
        self.grid, self.owner, self.strategy = grid, owner, strategy
        self.known: dict[str, Axes] = {}

    def axes(self, cuts: Any, shape: Sequence[int], labels: Sequence[str]) -> list[Axes]:
        """The mesh axes that shard each axis of one Tensor."""
        chosen = self._of_layout(cuts, shape) if is_layout(cuts) else self._of_cuts(cuts, shape, labels)
        for size, axes in zip(shape, chosen, strict=True):
            if size % self.grid.cut(axes):
                raise ValueError(
                    f"For '{self.owner}', the strategy is {self.strategy}, and shape value {size} of {tuple(shape)} cannot be "
                    f"divisible by strategy value {self.grid.cut(axes)}."
                )
        return chosen

    def _of_cuts(self, cuts: tuple, shape: Sequence[int], labels: Sequence[str]) -> list[Axes]:
        if len(cuts) != len(shape):
            raise ValueError(
                f"For '{self.owner}', the strategy is {self.strategy}, but {cuts} has not as many elements as the shape "
                f"{tuple(shape)} of its Tensor. Write 1 for an axis that is not sharded."
            )
        free = dict.fromkeys(self.grid.sizes)
        chosen = []
        for cut, label in zip(cuts, labels, strict=True):
            if cut < 1:
                raise ValueError(f"For '{self.owner}', a strategy must be positive, but got {self.strategy}.")
            taken = [name for axes in self.known.values() for name in axes]
            fresh = [name for name in free if name not in taken]
            axes = self.grid.choose(cut, [*fresh, *(name for name in free if name in taken)], self.known.get(label, ()))
            if axes is None:
                raise ValueError(
                    f"For '{self.owner}', the strategy is {self.strategy}, but {self.grid.size} devices cannot be divided by "
                    f"it: the product of {cuts} must divide {self.grid.size}."
                )
            for name in axes:
                del free[name]
            self.known.setdefault(label, axes)
            chosen.append(axes)
        return chosen

    def _of_layout(self, layout: Any, shape: Sequence[int]) -> list[Axes]:
        description = layout.to_dict()
        devices, rows = description["device_matrix"], description["tensor_map"]
        if len(rows) != len(shape):
            raise ValueError(
                f"For '{self.owner}', the {layout} names {len(rows)} axes, but its Tensor has the shape {tuple(shape)}."
            )
        free = list(self.grid.sizes)
        grid: list[Axes] = []
        for size in devices:
            axes = self.grid.choose(size, free)
            if axes is None:
                raise ValueError(
                    f"For '{self.owner}', the device_matrix {devices} of the Layout does not fit {self.grid.size} devices."
                )
            free = [name for name in free if name not in axes]
            grid.append(axes)
        grid.reverse()  # tensor maps count mesh axes from the last
        as_rows = [row if isinstance(row, tuple) else (row,) for row in rows]
        return [tuple(name for number in row if number != -1 for name in grid[number]) for row in as_rows]


def labels_of(name: str, attributes: dict[str, Any] | None, dimensions: Sequence[int]) -> Labels:
    """Einsum-like labels for the axes of an operator's Tensors; those of broadcasting unless it declares a rule.

    Args:
        attributes: of the operator, for its inputs; None for its outputs.
    """
    aligned = [[f"r{rank - index}" for index in range(rank)] for rank in dimensions]
    rule = LABEL_RULES.get(name)
    return aligned if rule is None else rule(attributes, aligned)


# -- at the call ---------------------------------------------------------------------------------------------------------
def constrained(plan: Plan, assignment: Assignment, values: Any, attributes: dict[str, Any] | None) -> Any:
    """Apply a strategy's sharding constraints to the inputs or outputs of an operator."""
    leaves, description = flatten(values)
    indices = [index for index, leaf in enumerate(leaves) if isinstance(leaf, Tensor)]
    strategy = list(assignment.strategy)
    if len(strategy) > len(indices):
        strategy = [cuts_ for cuts_ in strategy if cuts_ != ()]  # scalars have the strategy ()
    if len(strategy) != len(indices):
        raise ValueError(
            f"For '{assignment.owner}', the strategy {assignment.strategy} must have one element for each Tensor, but there "
            f"are {len(indices)}: {[leaves[index_].shape for index_ in indices]}."
        )
    labels = labels_of(assignment.owner, attributes, [len(leaves[index_].shape) for index_ in indices])
    for index_, cuts, names in zip(indices, strategy, labels, strict=True):
        if cuts is not None:
            axes = assignment.axes(cuts, leaves[index_].shape, names)
            leaves[index_] = plan.constrain(leaves[index_], axes, assignment.owner)
    return unflatten(description, iter(leaves))


def cut_primitive(primitive: Any) -> None:
    """Make a Primitive apply its strategy, by swapping its class: Primitives without one pay nothing."""
    if not hasattr(type(primitive), "_without_strategy"):
        primitive.__class__ = _cut_class(type(primitive))


@functools.cache
def _cut_class(plain: type) -> type:
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        plan = state.plan
        if plan is None or self.in_strategy is None:
            return plain.__call__(self, *args, **kwargs)
        assignment = Assignment(plan.grid, self.name, self.in_strategy)
        args = constrained(plan, assignment, args, self.attrs)
        outputs = plain.__call__(self, *args, **kwargs)
        if self.out_strategy is not None:
            assignment.strategy = self.out_strategy
            outputs = constrained(plan, assignment, outputs, None)
        return outputs

    def reduce(self: Any, protocol: Any) -> tuple:
        return (_restored, (plain, dict(self.__dict__)))  # the swapped class cannot be pickled by name

    members = {"__call__": call, "__reduce_ex__": reduce, "_without_strategy": plain, "__module__": plain.__module__}
    return type(plain.__name__, (plain,), members)


def _restored(plain: type, members: dict[str, Any]) -> Any:
    primitive = object.__new__(plain)
    primitive.__dict__.update(members)
    cut_primitive(primitive)
    return primitive


def cut_values(owner: str, strategy: tuple | None, values: Any) -> Any:
    """Apply a strategy to the inputs or outputs of a Cell or function."""
    plan = state.plan
    if plan is None or strategy is None:
        return values
    return constrained(plan, Assignment(plan.grid, owner, strategy), values, {})
