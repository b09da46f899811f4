"""The Primitives of a layer, under the names by which programs reach them: ``net.dense.matmul.shard(...)``.

A layer declares them once, above its class. Each is made when it is first asked for, so a layer that nobody looks into pays
nothing, and is an attribute like any other from then on: it can be set, and what is set is what ``construct`` calls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Layer = TypeVar("Layer", bound=type)
Maker = type | Callable[[Any], Any]  # a class of Primitives, or what makes one for a layer
_GROUPS = ("_cells", "_params", "_buffers", "_cell_held")  # where an attribute of the same name may be kept instead


class InnerPrimitive:
    """An attribute of instances that makes its Primitive on first use."""

    def __init__(self, name: str, make: Maker):
        self.name, self.make = name, make

    def __get__(self, cell: Any, owner: type | None = None) -> Any:
        members = {} if cell is None else cell.__dict__
        if "_primitives" not in members or any(self.name in members[group] for group in _GROUPS):
            raise AttributeError(self.name)  # the class has none; Cell's __getattr__ finds what was put in its place
        primitive = self.make() if isinstance(self.make, type) else self.make(cell)
        members[self.name] = members["_primitives"][self.name] = primitive
        primitive.set_prim_instance_name(self.name)
        primitive.made_by_layer = True
        return primitive


def primitives(**makers: Maker) -> Callable[[Layer], Layer]:
    """Declare the Primitives of a layer: by name, its class, or a function of the layer that makes it.

    Examples:
        >>> from mindspore import nn, ops
        >>> from mindspore.nn.cell.primitives import primitives
        >>> @primitives(abs=ops.Abs, sum=lambda net: ops.ReduceSum(net.keep))
        ... class Length(nn.Cell):
        ...     keep = True
        ...
        ...     def construct(self, x):
        ...         return self.sum(self.abs(x), -1)
        >>> print(Length()(nn.Dense(2, 1).weight).shape, Length().sum)
        (1, 1) Prim[ReduceSum]<keep_dims=True, skip_mode=False>
    """

    def declare(layer: Layer) -> Layer:
        for name, make in makers.items():
            setattr(layer, name, InnerPrimitive(name, make))
        return layer

    return declare


def changed(cell: Any, *names: str) -> bool:
    """Whether the program replaced one of these Primitives, or gave it a strategy: then ``construct`` calls them one by one."""
    members = cell.__dict__
    for name in names:
        if name in members:
            found = members[name]
            if not getattr(found, "made_by_layer", False) or getattr(found, "in_strategy", None) is not None:
                return True
        elif name in members["_cells"] or name in members["_cell_held"]:
            return True
    return False
