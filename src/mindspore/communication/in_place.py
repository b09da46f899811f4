"""Communication between processes by PyTorch's names: results are stored in Tensors that are given.

``mindspore.mint.distributed`` and ``mindspore.ops.communication`` are these functions.

On one process, which is a job of its own, everything works and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.array.creation import zeros
from mindspore._ops.array.joining import concat, stack
from mindspore.communication import comm_func, management
from mindspore.communication._objects import (
    all_gather_object,
    broadcast_object_list,
    gather_object,
    recv_object_list,
    scatter_object_list,
    send_object_list,
)
from mindspore.communication.comm_func import P2POp
from mindspore.communication.process_groups import (
    destroy_process_group,
    get_backend,
    get_global_rank,
    get_group_rank,
    get_process_group_ranks,
    get_rank,
    get_world_size,
    init_process_group,
    is_available,
    is_initialized,
    new_group,
)
from mindspore.communication.process_groups import group_name as _group

__all__ = [
    "P2POp",
    "all_gather",
    "all_gather_into_tensor",
    "all_gather_into_tensor_uneven",
    "all_gather_object",
    "all_reduce",
    "all_to_all",
    "all_to_all_single",
    "barrier",
    "batch_isend_irecv",
    "broadcast",
    "broadcast_object_list",
    "destroy_process_group",
    "gather",
    "gather_into_tensor",
    "gather_object",
    "get_backend",
    "get_global_rank",
    "get_group_rank",
    "get_process_group_ranks",
    "get_rank",
    "get_world_size",
    "init_process_group",
    "irecv",
    "is_available",
    "is_initialized",
    "isend",
    "new_group",
    "recv",
    "recv_object_list",
    "reduce",
    "reduce_scatter",
    "reduce_scatter_tensor",
    "reduce_scatter_tensor_uneven",
    "scatter",
    "scatter_object_list",
    "scatter_tensor",
    "send",
    "send_object_list",
]


def barrier(group: str | None = None, async_op: bool = False, device_ids: Any = None) -> Any:
    """Wait until all processes of a group have come here.

    >>> barrier()
    """
    comm_func.barrier(_group(group))
    return _done(async_op)


# -- Tensors ----------------------------------------------------------------------------------------------------------
def all_reduce(tensor: Tensor, op: str = "sum", group: str | None = None, async_op: bool = False) -> Any:
    """The sum (or 'prod', 'min', 'max', 'avg') of what all processes hold, stored in ``tensor``.

    >>> x = Tensor([1.0])
    >>> handle = all_reduce(x)
    >>> print(x)
    [1.]
    """
    result, handle = reduced(comm_func.all_reduce, tensor, op, group, async_op)
    tensor.copy_(result)
    return handle


def reduced(function: Callable[..., Any], tensor: Tensor, op: str, group: str | None, async_op: bool) -> Any:
    """What a reduction of ``comm_func`` returns, and 'avg' as well: the sum, divided by the number of processes."""
    if op != "avg":
        return function(tensor, op, _group(group), async_op)
    total, handle = function(tensor, "sum", _group(group), async_op)
    return _mean(total, group), handle


def _mean(total: Tensor, group: str | None) -> Tensor:
    return (total / get_world_size(group)).astype(total.dtype)


def broadcast(tensor: Tensor, src: int, group: str | None = None, async_op: bool = False) -> Any:
    """What process ``src`` holds, stored in ``tensor``.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.mint import distributed
        >>> x = Tensor([1.0])
        >>> _ = distributed.broadcast(x, 0)
        >>> print(x)
        [1.]
    """
    tensor.copy_(comm_func.broadcast(tensor, src, _group(group)))
    return _done(async_op)


def reduce(tensor: Tensor, dst: int, op: str = "sum", group: str | None = None, async_op: bool = False) -> Any:
    """The sum of what all processes hold, stored in ``tensor`` of process ``dst``.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.mint import distributed
        >>> x = Tensor([1.0, 2.0])
        >>> _ = distributed.reduce(x, 0)
        >>> print(x)
        [1. 2.]
    """
    total = comm_func.reduce(tensor, dst, "sum" if op == "avg" else op, _group(group))
    tensor.copy_(_mean(total, group) if op == "avg" and management.get_rank() == dst else total)
    return _done(async_op)


def _done(async_op: bool) -> Any:
    """A handle for what is done already."""
    return comm_func.CommHandle() if async_op else None


def _fill(outputs: Sequence[Tensor], values: Sequence[Tensor]) -> None:
    for output, value in zip(outputs, values, strict=True):
        output.copy_(value)


def all_gather_into_tensor(output_tensor: Tensor, input_tensor: Tensor, group: str | None = None,
                           async_op: bool = False) -> Any:  # fmt: skip
    """What all processes hold, joined along the first axis, stored in ``output_tensor``.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.mint import distributed
        >>> output = Tensor([0.0, 0.0])
        >>> _ = distributed.all_gather_into_tensor(output, Tensor([1.0, 2.0]))
        >>> print(output)
        [1. 2.]
    """
    result, handle = comm_func.all_gather_into_tensor(input_tensor, _group(group), async_op)
    output_tensor.copy_(result.reshape(output_tensor.shape))
    return handle


def all_gather(tensor_list: Sequence[Tensor], tensor: Tensor, group: str | None = None, async_op: bool = False) -> Any:
    """What all processes hold, stored in the Tensors of a list.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.mint import distributed
        >>> parts = [Tensor([0.0, 0.0])]
        >>> _ = distributed.all_gather(parts, Tensor([1.0, 2.0]))
        >>> print(parts[0])
        [1. 2.]
    """
    result, handle = comm_func.all_gather_into_tensor(tensor.expand_dims(0), _group(group), async_op)
    _fill(tensor_list, [result[i] for i in range(len(tensor_list))])
    return handle


def all_gather_into_tensor_uneven(output: Tensor, input: Tensor, output_split_sizes: Sequence[int] | None = None,
                                  group: str | None = None, async_op: bool = False) -> Any:  # fmt: skip
    """What all processes hold, of different lengths along the first axis, joined and stored in ``output``.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.mint import distributed
        >>> output = Tensor([0.0, 0.0])
        >>> _ = distributed.all_gather_into_tensor_uneven(output, Tensor([1.0, 2.0]), [2])
        >>> print(output)
        [1. 2.]
    """
    if output_split_sizes is None:
        return all_gather_into_tensor(output, input, group, async_op)
    longest = max(output_split_sizes)
    wide = zeros((longest, *input.shape[1:]), input.dtype)
    wide[: input.shape[0]] = input
    result, handle = comm_func.all_gather_into_tensor(wide, _group(group), async_op)
    parts = [result[i * longest : i * longest + size] for i, size in enumerate(output_split_sizes)]
    output.copy_(concat([part for part in parts if part.shape[0]], 0))
    return handle


def reduce_scatter_tensor(output: Tensor, input: Tensor, op: str = "sum", group: str | None = None,
                          async_op: bool = False) -> Any:  # fmt: skip
    """The sum of what all processes hold, cut along the first axis: the own part, stored in ``output``.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.mint import distributed
        >>> output = Tensor([0.0, 0.0])
        >>> _ = distributed.reduce_scatter_tensor(output, Tensor([1.0, 2.0]))
        >>> print(output)
        [1. 2.]
    """
    result, handle = reduced(comm_func.reduce_scatter_tensor, input, op, group, async_op)
    output.copy_(result.reshape(output.shape))
    return handle


def reduce_scatter(output: Tensor, input_list: Sequence[Tensor], op: str = "sum", group: str | None = None,
                   async_op: bool = False) -> Any:  # fmt: skip
    """The sum of the Tensors that all processes hold for this process, stored in ``output``.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.mint import distributed
        >>> output = Tensor([0.0])
        >>> _ = distributed.reduce_scatter(output, [Tensor([2.0])])
        >>> print(output)
        [2.]
    """
    result, handle = reduced(comm_func.reduce_scatter_tensor, stack(list(input_list)), op, group, async_op)
    output.copy_(result[0])
    return handle


def reduce_scatter_tensor_uneven(output: Tensor, input: Tensor, input_split_sizes: Sequence[int] | None = None,
                                 op: str = "sum", group: str | None = None, async_op: bool = False) -> Any:  # fmt: skip
    """As :func:`reduce_scatter_tensor` with parts of different lengths.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.mint import distributed
        >>> output = Tensor([0.0, 0.0])
        >>> _ = distributed.reduce_scatter_tensor_uneven(output, Tensor([1.0, 2.0]), [2])
        >>> print(output)
        [1. 2.]
    """
    if input_split_sizes is None:
        return reduce_scatter_tensor(output, input, op, group, async_op)
    result, handle = reduced(comm_func.all_reduce, input, op, group, async_op)
    start = sum(input_split_sizes[: get_rank(group)])
    output.copy_(result[start : start + input_split_sizes[get_rank(group)]])
    return handle


def gather_into_tensor(output_tensor: Tensor, input_tensor: Tensor, dst: int = 0, group: str | None = None,
                       async_op: bool = False) -> Any:  # fmt: skip
    """What all processes hold, joined along the first axis, stored in ``output_tensor`` of process ``dst``.

    >>> output = Tensor([0.0, 0.0])
    >>> gather_into_tensor(output, Tensor([1.0, 2.0]))
    >>> print(output)
    [1. 2.]
    """
    result = comm_func.gather_into_tensor(input_tensor, dst, _group(group))
    if management.get_rank() == dst:
        output_tensor.copy_(result.reshape(output_tensor.shape))
    return _done(async_op)


def scatter_tensor(output_tensor: Tensor, input_tensor: Tensor, src: int = 0, group: str | None = None,
                   async_op: bool = False) -> Any:  # fmt: skip
    """What process ``src`` holds, cut along the first axis: the own part, stored in ``output_tensor``.

    >>> output = Tensor([0.0, 0.0])
    >>> scatter_tensor(output, Tensor([1.0, 2.0]))
    >>> print(output)
    [1. 2.]
    """
    output_tensor.copy_(comm_func.scatter_tensor(input_tensor, src, _group(group)).reshape(output_tensor.shape))
    return _done(async_op)


def gather(tensor: Tensor, gather_list: Sequence[Tensor] | None, dst: int = 0, group: str | None = None,
           async_op: bool = False) -> Any:  # fmt: skip
    """What all processes hold, stored in the Tensors of a list of process ``dst``.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.mint import distributed
        >>> parts = [Tensor([0.0])]
        >>> _ = distributed.gather(Tensor([5.0]), parts, dst=0)
        >>> print(parts[0])
        [5.]
    """
    result = comm_func.gather_into_tensor(tensor.expand_dims(0), dst, _group(group))
    if gather_list and management.get_rank() == dst:
        _fill(gather_list, [result[i] for i in range(len(gather_list))])
    return _done(async_op)


def scatter(tensor: Tensor, scatter_list: Sequence[Tensor] | None, src: int = 0, group: str | None = None,
            async_op: bool = False) -> Any:  # fmt: skip
    """The Tensor that process ``src`` has for this process, stored in ``tensor``.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.mint import distributed
        >>> x = Tensor([0.0])
        >>> _ = distributed.scatter(x, [Tensor([5.0])], src=0)
        >>> print(x)
        [5.]
    """
    count = get_world_size(group)
    own = stack(list(scatter_list)) if scatter_list else zeros((count, *tensor.shape), tensor.dtype)
    tensor.copy_(comm_func.scatter_tensor(own, src, _group(group))[0])
    return _done(async_op)


def all_to_all(output_tensor_list: Sequence[Tensor], input_tensor_list: Sequence[Tensor], group: str | None = None,
               async_op: bool = False) -> Any:  # fmt: skip
    """Send Tensor i of a list to process i, and store what comes from process j in Tensor j of the other.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.mint import distributed
        >>> output = [Tensor([0.0])]
        >>> _ = distributed.all_to_all(output, [Tensor([3.0])])
        >>> print(output[0])
        [3.]
    """
    shapes = [tensor.shape for tensor in output_tensor_list]
    received, handle = comm_func.all_to_all_with_output_shape(shapes, input_tensor_list, _group(group), async_op)
    _fill(output_tensor_list, received)
    return handle


def all_to_all_single(output: Tensor, input: Tensor, output_split_sizes: Sequence[int] | None = None,
                      input_split_sizes: Sequence[int] | None = None, group: str | None = None,
                      async_op: bool = False) -> Any:  # fmt: skip
    """Cut a Tensor along its first axis, send part i to process i, and store what comes from all in ``output``.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.mint import distributed
        >>> output = Tensor([0.0, 0.0])
        >>> _ = distributed.all_to_all_single(output, Tensor([1.0, 2.0]), [2], [2])
        >>> print(output)
        [1. 2.]
    """
    sizes = (output_split_sizes, input_split_sizes)
    result, handle = comm_func.all_to_all_single_with_output_shape(output.shape, input, *sizes, _group(group), async_op)
    output.copy_(result)
    return handle


# -- two processes ----------------------------------------------------------------------------------------------------
def send(tensor: Tensor, dst: int = 0, group: str | None = None, tag: int = 0) -> None:
    """Send a Tensor to process ``dst``, which receives it with :func:`recv`.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.mint import distributed
        >>> if distributed.get_rank() == 1:  # the second of two processes; the first calls recv(x, src=1)
        ...     distributed.send(Tensor([1.0, 2.0]), dst=0)
    """
    comm_func.send(tensor, dst, _group(group), tag)


def isend(tensor: Tensor, dst: int = 0, group: str | None = None, tag: int = 0) -> Any:
    """As :func:`send`; it is sent when ``wait`` of the handle was called.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.mint import distributed
        >>> if distributed.get_rank() == 1:  # the second of two processes; the first calls irecv(x, src=1)
        ...     distributed.isend(Tensor([1.0, 2.0]), dst=0).wait()
    """
    return comm_func.isend(tensor, dst, _group(group), tag)


def recv(tensor: Tensor, src: int = 0, group: str | None = None, tag: int = 0) -> int:
    """What process ``src`` sends, stored in ``tensor``.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.mint import distributed
        >>> x = Tensor([0.0, 0.0])
        >>> if distributed.get_rank() == 1:  # the second of two processes; the first calls send(..., dst=1)
        ...     _ = distributed.recv(x, src=0)
    """
    tensor.copy_(comm_func.recv(tensor, src, _group(group), tag))
    return 0


class _Receipt:
    """Stores what was received once it was waited for."""

    def __init__(self, target: Tensor, source: Tensor, handle: Any):
        self.target, self.source, self.handle = target, source, handle

    def wait(self) -> None:
        self.handle.wait()
        self.target.copy_(self.source)


def irecv(tensor: Tensor, src: int = 0, group: str | None = None, tag: int = 0) -> _Receipt:
    """As :func:`recv`, once ``wait`` of the handle was called.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.mint import distributed
        >>> x = Tensor([0.0, 0.0])
        >>> if distributed.get_rank() == 1:  # the second of two processes; the first calls isend(..., dst=1)
        ...     distributed.irecv(x, src=0).wait()
    """
    return _Receipt(tensor, *comm_func.irecv(tensor, src, _group(group), tag))


def batch_isend_irecv(p2p_op_list: Sequence[P2POp]) -> list[Any]:
    """Exchange several messages; what is received is stored in the Tensors of the messages.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.mint import distributed
        >>> received = Tensor([0.0])
        >>> if distributed.get_world_size() == 2:  # both processes exchange a Tensor
        ...     other = 1 - distributed.get_rank()
        ...     messages = [distributed.P2POp("isend", Tensor([7.0]), other), distributed.P2POp("irecv", received, other)]
        ...     _ = distributed.batch_isend_irecv(messages)
    """
    for message, result in zip(p2p_op_list, comm_func.batch_isend_irecv(p2p_op_list), strict=True):
        if message.op == "irecv":
            message.tensor.copy_(result)
    return [comm_func.CommHandle() for _ in p2p_op_list]
