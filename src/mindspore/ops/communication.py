"""Communication between processes as functions: by default they write results into given Tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import check_bool, check_one_of, shown
from mindspore.communication import comm_func, in_place, process_groups
from mindspore.communication.comm_func import all_to_all_v_c
from mindspore.communication.in_place import *  # noqa: F403  # pyright: ignore[reportAssignmentType]
from mindspore.communication.tcp_store import TCPStore

__all__ = ["TCPStore", "all_to_all_v_c", "set_comm_ops_inplace"]
__all__ += in_place.__all__

_returning: set[str] = set()  # the functions that return what they have received and leave the given Tensors alone
_SWITCHED = (
    "all_gather_into_tensor",
    "all_reduce",
    "all_to_all",
    "all_to_all_single",
    "irecv",
    "recv",
    "reduce_scatter_tensor",
)


def set_comm_ops_inplace(is_enable: bool, func_list: Sequence[str] | None = None) -> None:
    """Whether functions store what they receive in the Tensors given to them, which they do at first, or return it.

    Args:
        is_enable: True to store.
        func_list: the names of the functions; None for all that can do both: ``all_reduce``, ``all_gather_into_tensor``,
            ``reduce_scatter_tensor``, ``all_to_all``, ``all_to_all_single``, ``recv`` and ``irecv``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> ops.set_comm_ops_inplace(False, ["all_reduce"])
        >>> print(ops.all_reduce(Tensor([1.0]))[0])
        [1.]
        >>> ops.set_comm_ops_inplace(True)
    """
    check_bool("set_comm_ops_inplace", "is_enable", is_enable)
    if func_list is not None and not isinstance(func_list, (list, tuple)):
        raise TypeError(
            f"For 'set_comm_ops_inplace', the 'func_list' must be a list of names or None, but got {shown(func_list)}."
        )
    communicating = [name for name in in_place.__all__ if name not in process_groups.__all__]
    for name in func_list or ():
        check_one_of("set_comm_ops_inplace", "func_list (its elements)", name, (*communicating, "all_to_all_v_c"))
    names = set(_SWITCHED if func_list is None else func_list).intersection(_SWITCHED)
    if is_enable:
        _returning.difference_update(names)
    else:
        _returning.update(names)


def all_reduce(tensor: Tensor, op: str = "sum", group: str | None = None, async_op: bool = False) -> Any:
    """The sum (or 'prod', 'min', 'max', 'avg') of what all processes hold, stored in ``tensor``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> x = Tensor([1.0, 2.0])
        >>> ops.all_reduce(x)
        >>> print(x)
        [1. 2.]
    """
    if "all_reduce" not in _returning:
        return in_place.all_reduce(tensor, op, group, async_op)
    return in_place.reduced(comm_func.all_reduce, tensor, op, group, async_op)


def all_gather_into_tensor(output_tensor: Tensor | None, input_tensor: Tensor, group: str | None = None,
                           async_op: bool = False) -> Any:  # fmt: skip
    """What all processes hold, joined along the first axis, stored in ``output_tensor``.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.ops.communication import all_gather_into_tensor
        >>> output = Tensor([0.0, 0.0])
        >>> _ = all_gather_into_tensor(output, Tensor([1.0, 2.0]))
        >>> print(output)
        [1. 2.]
    """
    if "all_gather_into_tensor" not in _returning and output_tensor is not None:
        return in_place.all_gather_into_tensor(output_tensor, input_tensor, group, async_op)
    return comm_func.all_gather_into_tensor(input_tensor, process_groups.group_name(group), async_op)


def reduce_scatter_tensor(output: Tensor | None, input: Tensor, op: str = "sum", group: str | None = None,
                          async_op: bool = False) -> Any:  # fmt: skip
    """The sum of what all processes hold, cut along the first axis: the own part, stored in ``output``.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.ops.communication import reduce_scatter_tensor
        >>> output = Tensor([0.0, 0.0])
        >>> _ = reduce_scatter_tensor(output, Tensor([1.0, 2.0]))
        >>> print(output)
        [1. 2.]
    """
    if "reduce_scatter_tensor" not in _returning and output is not None:
        return in_place.reduce_scatter_tensor(output, input, op, group, async_op)
    return in_place.reduced(comm_func.reduce_scatter_tensor, input, op, group, async_op)


def all_to_all(output_tensor_list: Sequence[Tensor], input_tensor_list: Sequence[Tensor], group: str | None = None,
               async_op: bool = False) -> Any:  # fmt: skip
    """Send Tensor i of a list to process i, and store what comes from process j in Tensor j of the other.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.ops.communication import all_to_all
        >>> output = [Tensor([0.0])]
        >>> _ = all_to_all(output, [Tensor([3.0])])
        >>> print(output[0])
        [3.]
    """
    if "all_to_all" not in _returning:
        return in_place.all_to_all(output_tensor_list, input_tensor_list, group, async_op)
    shapes = [getattr(output, "shape", output) for output in output_tensor_list]
    return comm_func.all_to_all_with_output_shape(shapes, input_tensor_list, process_groups.group_name(group), async_op)


def all_to_all_single(output: Tensor, input: Tensor, output_split_sizes: Sequence[int] | None = None,
                      input_split_sizes: Sequence[int] | None = None, group: str | None = None,
                      async_op: bool = False) -> Any:  # fmt: skip
    """Cut a Tensor along its first axis, send part i to process i, and store what comes from all in ``output``.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.ops.communication import all_to_all_single
        >>> output = Tensor([0.0, 0.0])
        >>> _ = all_to_all_single(output, Tensor([1.0, 2.0]), [2], [2])
        >>> print(output)
        [1. 2.]
    """
    sizes = (output_split_sizes, input_split_sizes)
    if "all_to_all_single" not in _returning:
        return in_place.all_to_all_single(output, input, *sizes, group, async_op)
    shape = getattr(output, "shape", output)
    return comm_func.all_to_all_single_with_output_shape(
        shape, input, *sizes, process_groups.group_name(group), async_op
    )


def recv(tensor: Tensor, src: int = 0, group: str | None = None, tag: int = 0) -> Any:
    """What process ``src`` sends, stored in ``tensor``.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.ops.communication import get_rank, recv
        >>> x = Tensor([0.0, 0.0])
        >>> if get_rank() == 1:  # the second of two processes; the first calls send(..., dst=1)
        ...     _ = recv(x, src=0)
    """
    if "recv" not in _returning:
        return in_place.recv(tensor, src, group, tag)
    return comm_func.recv(tensor, src, process_groups.group_name(group), tag)


def irecv(tensor: Tensor, src: int = 0, group: str | None = None, tag: int = 0) -> Any:
    """As :func:`recv`, once ``wait`` of the handle was called.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.ops.communication import get_rank, irecv
        >>> x = Tensor([0.0, 0.0])
        >>> if get_rank() == 1:  # the second of two processes; the first calls isend(..., dst=1)
        ...     irecv(x, src=0).wait()
    """
    if "irecv" not in _returning:
        return in_place.irecv(tensor, src, group, tag)
    return comm_func.irecv(tensor, src, process_groups.group_name(group), tag)
