"""Layouts of Tensors on a device mesh, and functions whose inputs and outputs are sharded."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from mindspore._engine.operator.sharding import check_strategy, cut_values
from mindspore._utils.checks import check_callable, check_int, check_positive_int, check_type
from mindspore.nn.cell import Cell

__all__ = ["Layout", "shard"]

Axis = str | tuple[str, ...]


class Layout:
    """A device mesh with named axes, and the mesh axes that shard each axis of a Tensor.

    Args:
        device_matrix: the sizes of the grid.
        alias_name: the names of its axes.
        rank_list: the processes in the grid; None for 0, 1, 2, ...

    Examples:
        >>> from mindspore.parallel import Layout
        >>> grid = Layout((2, 2), ("data", "model"))
        >>> grid("data", "None").to_dict()["tensor_map"]
        (1, -1)
    """

    def __init__(self, device_matrix: tuple[int, ...], alias_name: tuple[str, ...], rank_list: list[int] | None = None):
        check_type("Layout", "device_matrix", device_matrix, tuple)
        check_type("Layout", "alias_name", alias_name, tuple)
        if rank_list is not None:
            check_type("Layout", "rank_list", rank_list, list)
            for rank in rank_list:
                check_int("Layout", "rank_list (its elements)", rank)
        for size in device_matrix:
            check_positive_int("Layout", "device_matrix (its elements)", size)
        for name in alias_name:
            check_type("Layout", "alias_name (its elements)", name, str)
        if len(device_matrix) != len(alias_name):
            raise ValueError(
                f"For 'Layout', the 'device_matrix' and the 'alias_name' must have the same length, but got {device_matrix} "
                f"and {alias_name}."
            )
        if len(set(alias_name)) != len(alias_name) or "None" in alias_name or "" in alias_name:
            raise ValueError(
                f"For 'Layout', the names in 'alias_name' must differ and not be 'None', which means not sharded, but got "
                f"{alias_name}."
            )
        ranks = list(range(math.prod(device_matrix))) if rank_list is None else rank_list
        if len(set(ranks)) != math.prod(device_matrix):
            raise ValueError(
                f"For 'Layout', the 'rank_list' must hold {math.prod(device_matrix)} different processes, but got {rank_list}."
            )
        self._device_shape = device_matrix
        self._alias_name = alias_name
        self._rank_list = ranks
        self._tensor_map: tuple | None = None

    def __call__(self, *tensor_map: Axis) -> Layout:
        """The layout of a Tensor: for each of its axes the name of a mesh axis, several in a tuple, or 'None'."""
        named = [
            name for axis in tensor_map for name in (axis if isinstance(axis, tuple) else (axis,)) if name != "None"
        ]
        for name in named:
            if name not in self._alias_name:
                raise ValueError(f"For 'Layout', the axis {name!r} is not found in {self._alias_name}.")
            if named.count(name) > 1:
                raise ValueError(f"For 'Layout', the axis {name!r} cuts more than one axis in {tensor_map}.")
        result = Layout(self._device_shape, self._alias_name, self._rank_list)
        result._tensor_map = tuple(
            tuple(map(self._number, axis)) if isinstance(axis, tuple) else self._number(axis) for axis in tensor_map
        )
        return result

    def _number(self, name: str) -> int:
        """Mesh axes are counted from the last axis; -1 is no axis."""
        return -1 if name == "None" else len(self._alias_name) - 1 - self._alias_name.index(name)

    def to_dict(self) -> dict[str, Any]:
        """The layout as plain values."""
        if self._tensor_map is None:
            raise ValueError(
                f"For 'Layout', call the grid with the axes of a Tensor first, as in layout({', '.join(map(repr, self._alias_name))})."
            )
        return {
            "device_matrix": self._device_shape,
            "tensor_map": self._tensor_map,
            "interleaved_parallel": False,
            "alias_name": self._alias_name,
            "rank_list": list(self._rank_list),
        }

    def __repr__(self) -> str:
        return f"Layout({self._device_shape}, {self._alias_name}, tensor_map={self._tensor_map})"


def shard(
    fn: Callable[..., Any],
    in_strategy: Any,
    out_strategy: Any = None,
    parameter_plan: dict[str, Any] | None = None,
    device: str = "",
    level: int = 0,
) -> Callable[..., Any]:
    """A Cell or function with sharded inputs and outputs, in the modes that partition whole graphs.

    Args:
        fn: a Cell, which is changed and returned, or a function.
        in_strategy: for each input a tuple with the number of parts along each axis, or a ``Layout``; None for any.
        out_strategy: the same for the outputs.
        parameter_plan: the same for the Parameters of a Cell, by name.
        device, level: accepted; the partitioner of XLA decides the rest by itself.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore.parallel.shard import shard
        >>> double = shard(lambda x: x * 2, in_strategy=((4, 1),))
        >>> print(double(ms.Tensor([[1.0]])))
        [[2.]]
    """
    check_callable("shard", "fn", fn)
    if isinstance(fn, Cell):
        return fn.shard(in_strategy, out_strategy, parameter_plan, device, level)
    check_strategy("shard", "in_strategy", in_strategy)
    check_strategy("shard", "out_strategy", out_strategy)
    if parameter_plan is not None:
        raise ValueError(f"For 'shard', a 'parameter_plan' needs a Cell, but got the function {fn!r}.")
    name = getattr(fn, "__name__", "shard")

    @functools.wraps(fn)
    def cut(*args: Any) -> Any:
        outputs = fn(*cut_values(name, in_strategy, args))
        several = isinstance(outputs, tuple)
        parts = cut_values(name, out_strategy, outputs if several else (outputs,))
        return parts if several else parts[0]

    return cut


class _DistributedTensorInfo:
    """How a Tensor is spread over devices, from a Layout.

    Examples:
        >>> from mindspore.parallel import Layout
        >>> from mindspore.parallel.shard import _DistributedTensorInfo
        >>> _DistributedTensorInfo(Layout((2, 4), ("a", "b"))("b", "None")).sharding_strategy
        [4, 1]
    """

    def __init__(self, distributed_info: Layout):
        if not isinstance(distributed_info, Layout):
            raise TypeError(
                f"For '_DistributedTensorInfo', the 'distributed_info' must be a Layout, but got {type(distributed_info).__name__}."
            )
        self.distributed_info = self.layout = distributed_info

    @property
    def sharding_strategy(self) -> list[int]:
        """Into how many pieces each axis of the Tensor is cut."""
        described = self.layout.to_dict()
        devices = described["device_matrix"]

        def pieces(axes: Any) -> int:
            found = 1
            for axis in axes if isinstance(axes, (list, tuple)) else (axes,):
                found *= 1 if axis == -1 else devices[len(devices) - 1 - axis]
            return found

        return [pieces(axes) for axes in described["tensor_map"]]
