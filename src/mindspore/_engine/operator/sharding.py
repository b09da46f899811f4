"""Strategies: into how many parts operators, Cells and functions cut their inputs and outputs.

A strategy becomes a sharding constraint on the value, for XLA's partitioner, which decides everything else. It applies in
graphs that are compiled for a mesh (``mesh.py``); elsewhere it is remembered and has no effect.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
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

_MATMULS = ("MatMul", "BatchMatMul")
_TABLES = ("Gather", "GatherV2", "EmbeddingLookup", "SparseGatherV2")
_CONVOLUTIONS = ("Conv2D", "Conv3D", "DepthwiseConv2dNative")
_WRITERS = ("Assign", "Apply", "Scatter", "Fused", "Sparse")  # operators that begin so write to their Parameters


class Plan:
    """What is known about a graph for a mesh while it is traced."""

    def __init__(self, grid: Grid, stages: int = 1):
        self.grid = grid
        self.stages = stages  # of the pipeline that the graph is cut into
        self.parameters: dict[Tensor, NamedSharding] = {}  # as the first operator with a strategy takes them
        self.has_strategies = False

    def constrain(self, tensor: Tensor, axes: Sequence[Axes], owner: str) -> Tensor:
        """The Tensor, cut this way."""
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
    """A tuple with a tuple of ints, or a Layout, for each Tensor."""
    if strategy is None:
        return None
    if not isinstance(strategy, tuple):
        raise TypeError(f"{name} must be tuple type, but got:{type(strategy)}. Write ((2, 1), (1, 2)) for two Tensors.")
    if any(map(is_layout, strategy)) and not all(is_layout(one) or one is None for one in strategy):
        raise TypeError(f"The {name} item should be a object of class Layout, as the others are, but got {strategy}.")
    for one in strategy:
        check_cuts(owner, name, one, strategy)
    return strategy


def check_cuts(owner: str, name: str, one: Any, strategy: Any) -> Any:
    """The cuts of one Tensor."""
    if one is None or is_layout(one):
        return one
    if not isinstance(one, tuple):
        raise TypeError(f"The element of strategy must be tuple/Layout type, but got:{type(one)}")
    for cut in one:
        if isinstance(cut, tuple):
            check_cuts(owner, name, cut, strategy)
        elif isinstance(cut, bool) or not isinstance(cut, int):
            raise TypeError(
                f"The {name}: {strategy} of {owner} is not valid, the value of strategy must be int type, but got:{type(cut)}"
            )
    return one


def is_layout(value: Any) -> bool:
    """Whether it is a ``mindspore.parallel.Layout``, which this layer does not know."""
    return hasattr(value, "to_dict") and hasattr(value, "_tensor_map")


# -- from cuts to axes of the mesh ---------------------------------------------------------------------------------------
class Assignment:
    """Axes of the mesh for the axes of an operator's Tensors; what belongs together gets the same ones.

    In ``MatMul`` with the strategy ``((2, 4), (4, 1))`` both Tensors are cut by the same devices along the summed axis.
    """

    def __init__(self, grid: Grid, owner: str, strategy: Any):
        self.grid, self.owner, self.strategy = grid, owner, strategy
        self.known: dict[str, Axes] = {}

    def axes(self, cuts: Any, shape: Sequence[int], labels: Sequence[str]) -> list[Axes]:
        """The axes of one Tensor."""
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
                f"{tuple(shape)} of its Tensor. Write 1 for an axis that is not cut."
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
        told = layout.to_dict()
        devices, rows = told["device_matrix"], told["tensor_map"]
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
        grid.reverse()  # tensor maps count from the last axis
        as_rows = [row if isinstance(row, tuple) else (row,) for row in rows]
        return [tuple(name for one in row if one != -1 for name in grid[one]) for row in as_rows]


def labels_of(name: str, attributes: dict[str, Any] | None, dimensions: Sequence[int]) -> list[list[str]]:
    """Names for the axes of an operator's Tensors: equal ones run together. By default those of broadcasting.

    Args:
        attributes: of the operator, for its inputs; None for its outputs.
    """
    aligned = [[f"r{rank - place}" for place in range(rank)] for rank in dimensions]
    if attributes is None:
        return [[*one[:-2], "m", "n"] if name in _MATMULS and len(one) > 1 else one for one in aligned]
    if name in _MATMULS and len(dimensions) >= 2 and min(dimensions[:2]) >= 2:
        first, second = list("mk"), list("kn")
        if attributes.get("transpose_a"):
            first.reverse()
        if attributes.get("transpose_b"):
            second.reverse()
        matrices = [[*aligned[0][:-2], *first], [*aligned[1][:-2], *second]]
        return matrices + [["n"] if rank == 1 else [*aligned[0][:-2], "m", "n"][-rank:] for rank in dimensions[2:]]
    if name in _TABLES and len(dimensions) >= 2:
        return [[f"{number}_{place}" for place in range(rank)] for number, rank in enumerate(dimensions)]
    if name in _CONVOLUTIONS and len(dimensions) >= 2:
        rest = [f"s{place}" for place in range(8)]
        return [["n", "ci", *rest][: dimensions[0]], ["co", "ci", *rest][: dimensions[1]], *aligned[2:]]
    if name == "BiasAdd" and len(dimensions) == 2:
        return [aligned[0], [aligned[0][1]]]
    return aligned


# -- at the call ---------------------------------------------------------------------------------------------------------
def constrained(plan: Plan, assignment: Assignment, values: Any, attributes: dict[str, Any] | None) -> Any:
    """Inputs or outputs of an operator, cut as the strategy says."""
    leaves, description = flatten(values)
    places = [place for place, leaf in enumerate(leaves) if isinstance(leaf, Tensor)]
    strategy = list(assignment.strategy)
    if len(strategy) > len(places):
        strategy = [one for one in strategy if one != ()]  # numbers have the strategy ()
    if len(strategy) != len(places):
        raise ValueError(
            f"For '{assignment.owner}', the strategy {assignment.strategy} must have one element for each Tensor, but there "
            f"are {len(places)}: {[leaves[place].shape for place in places]}."
        )
    labels = labels_of(assignment.owner, attributes, [len(leaves[place].shape) for place in places])
    for place, cuts, names in zip(places, strategy, labels, strict=True):
        if cuts is not None:
            axes = assignment.axes(cuts, leaves[place].shape, names)
            leaves[place] = plan.constrain(leaves[place], axes, assignment.owner)
    return unflatten(description, iter(leaves))


def cut_primitive(primitive: Any) -> None:
    """Have a Primitive follow its strategy. Its class is exchanged: those without a strategy have nothing to ask."""
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
        return (_restored, (plain, dict(self.__dict__)))  # the exchanged class has no name to be found by

    members = {"__call__": call, "__reduce_ex__": reduce, "_without_strategy": plain, "__module__": plain.__module__}
    return type(plain.__name__, (plain,), members)


def _restored(plain: type, members: dict[str, Any]) -> Any:
    primitive = object.__new__(plain)
    primitive.__dict__.update(members)
    cut_primitive(primitive)
    return primitive


def cut_values(owner: str, strategy: tuple | None, values: Any) -> Any:
    """The inputs or outputs of a Cell or function, cut as its strategy says."""
    plan = state.plan
    if plan is None or strategy is None:
        return values
    return constrained(plan, Assignment(plan.grid, owner, strategy), values, {})
