"""Communication as functions.

Results are arrays that XLA fills when they are ready: the first use waits for it, so that the functions return at once
and the handle of ``async_op`` has little left to do.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from mindspore._engine.cluster import process_group
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.array.joining import concat
from mindspore._ops.distributed.collective import (
    WORLD,
    AllGather,
    AllReduce,
    AlltoAll,
    Barrier,
    Broadcast,
    CollectiveGather,
    CollectiveScatter,
    Reduce,
    ReduceOp,
    ReduceScatter,
)
from mindspore._utils.checks import check_bool, check_int, check_one_of, check_type, shown
from mindspore._utils.documented import claim as _claim
from mindspore.communication._between_two import (
    CommHandle,
    P2POp,
    batch_isend_irecv,
    exchange_now,
    irecv,
    isend,
    recv,
    send,
)

__all__ = [
    "CommHandle",
    "P2POp",
    "all_gather_into_tensor",
    "all_reduce",
    "all_to_all_single_with_output_shape",
    "all_to_all_v_c",
    "all_to_all_with_output_shape",
    "barrier",
    "batch_isend_irecv",
    "broadcast",
    "gather_into_tensor",
    "irecv",
    "isend",
    "recv",
    "reduce",
    "reduce_scatter_tensor",
    "scatter_tensor",
    "send",
]

Answer = tuple[Tensor, CommHandle | None]
_OPERATIONS = (ReduceOp.SUM, ReduceOp.PROD, ReduceOp.MIN, ReduceOp.MAX)


def all_reduce(tensor: Tensor, op: str = ReduceOp.SUM, group: str = WORLD, async_op: bool = False) -> Answer:
    """The sum (or 'prod', 'min', 'max') of what all processes hold, for all of them.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.communication import comm_func
        >>> total, handle = comm_func.all_reduce(Tensor([1.0, 2.0]))
        >>> print(total, handle)
        [1. 2.] None
    """
    _check("all_reduce", tensor, op)
    return _answer("all_reduce", AllReduce(op, group)(tensor), async_op)


def all_gather_into_tensor(tensor: Tensor, group: str = WORLD, async_op: bool = False) -> Answer:
    """What all processes hold, joined along the first axis, for all of them.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.communication import comm_func
        >>> print(comm_func.all_gather_into_tensor(Tensor([1.0, 2.0]))[0])
        [1. 2.]
    """
    _check("all_gather_into_tensor", tensor)
    return _answer("all_gather_into_tensor", AllGather(group)(tensor), async_op)


def reduce_scatter_tensor(tensor: Tensor, op: str = ReduceOp.SUM, group: str = WORLD, async_op: bool = False) -> Answer:
    """The sum of what all processes hold, cut along the first axis: every process gets its part.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.communication import comm_func
        >>> print(comm_func.reduce_scatter_tensor(Tensor([1.0, 2.0]))[0])
        [1. 2.]
    """
    _check("reduce_scatter_tensor", tensor, op)
    return _answer("reduce_scatter_tensor", ReduceScatter(op, group)(tensor), async_op)


def broadcast(tensor: Tensor, src: int = 0, group: str = WORLD) -> Tensor:
    """What process ``src`` holds, for all.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.communication import comm_func
        >>> print(comm_func.broadcast(Tensor([1.0, 2.0])))
        [1. 2.]
    """
    _check("broadcast", tensor)
    return Broadcast(_rank_in_group("broadcast", "src", src, group), group)(tensor)


def reduce(tensor: Tensor, dst: int, op: str = ReduceOp.SUM, group: str = WORLD) -> Tensor:
    """The sum of what all processes hold, for process ``dst``; the others get back their Tensor.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.communication import comm_func
        >>> print(comm_func.reduce(Tensor([1.0, 2.0]), 0))
        [1. 2.]
    """
    _check("reduce", tensor, op)
    return Reduce(_rank_in_group("reduce", "dst", dst, group), op, group)(tensor)


def gather_into_tensor(tensor: Tensor, dst: int = 0, group: str = WORLD) -> Tensor:
    """What all processes hold, joined along the first axis, for process ``dst``; the others get a zero.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.communication import comm_func
        >>> print(comm_func.gather_into_tensor(Tensor([1.0, 2.0])))
        [1. 2.]
    """
    _check("gather_into_tensor", tensor)
    target = _rank_in_group("gather_into_tensor", "dst", dst, group)
    gathered = CollectiveGather(target, group)(tensor)
    return gathered if process_group.rank() == dst else gathered.reshape((-1,))[:1]


def scatter_tensor(tensor: Tensor, src: int = 0, group: str = WORLD) -> Tensor:
    """What process ``src`` holds, cut along the first axis: every process gets its part.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.communication import comm_func
        >>> print(comm_func.scatter_tensor(Tensor([1.0, 2.0])))
        [1. 2.]
    """
    _check("scatter_tensor", tensor)
    return CollectiveScatter(_rank_in_group("scatter_tensor", "src", src, group), group)(tensor)


def barrier(group: str = WORLD) -> None:
    """Wait until all processes have come here.

    Examples:
        >>> from mindspore.communication import comm_func
        >>> comm_func.barrier()
    """
    exchange_now()
    Barrier(group)()


# -- parts of different sizes -----------------------------------------------------------------------------------------
def all_to_all_with_output_shape(
    output_shape_list: Sequence[Any],
    input_tensor_list: Sequence[Tensor],
    group: str | None = None,
    async_op: bool = False,
) -> tuple[tuple[Tensor, ...], CommHandle | None]:
    """Send Tensor i of a list to process i; what comes from process j has the shape j of the other list.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.communication import comm_func
        >>> print(*comm_func.all_to_all_with_output_shape([(2,)], [Tensor([1.0, 2.0])])[0])
        [1. 2.]
    """
    owner = "all_to_all_with_output_shape"
    ranks = process_group.ranks_of(owner, group or WORLD)
    for name, given in (("output_shape_list", output_shape_list), ("input_tensor_list", input_tensor_list)):
        if not isinstance(given, (list, tuple)) or len(given) != len(ranks):
            raise ValueError(f"For '{owner}', the '{name}' must have one element for each of {len(ranks)} processes.")
    for tensor in input_tensor_list:
        _check(owner, tensor)
    shapes = [_shape(owner, shape) for shape in output_shape_list]
    largest = max(math.prod(shape) for shape in [*shapes, *(tensor.shape for tensor in input_tensor_list)])
    if len(ranks) > 1:  # all must agree on the size of a slot, and know only their own parts
        largest = int(AllReduce(ReduceOp.MAX, group or WORLD)(Tensor(largest)).asnumpy())
    parts = _exchange(input_tensor_list, [math.prod(shape) for shape in shapes], largest, group or WORLD)
    return tuple(part.reshape(shape) for part, shape in zip(parts, shapes)), _handle(owner, async_op)


def all_to_all_single_with_output_shape(
    output_shape: Any,
    tensor: Tensor,
    output_split_sizes: Sequence[int] | None = None,
    input_split_sizes: Sequence[int] | None = None,
    group: str | None = None,
    async_op: bool = False,
) -> Answer:
    """Cut a Tensor along its first axis, send part i to process i, and join what comes from all.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.communication import comm_func
        >>> print(comm_func.all_to_all_single_with_output_shape((2,), Tensor([1.0, 2.0]))[0])
        [1. 2.]
    """
    owner = "all_to_all_single_with_output_shape"
    _check(owner, tensor)
    count = len(process_group.ranks_of(owner, group or WORLD))
    shape = _shape(owner, output_shape)
    incoming = _sizes(owner, "output_split_sizes", output_split_sizes, shape[0], count)
    outgoing = _sizes(owner, "input_split_sizes", input_split_sizes, tensor.shape[0], count)
    starts = [sum(outgoing[:index]) for index in range(count)]
    parts = [tensor[start : start + size] for start, size in zip(starts, outgoing)]
    shapes = [(size, *shape[1:]) for size in incoming]
    received, handle = all_to_all_with_output_shape(shapes, parts, group, async_op)
    return _joined([part for part in received if part.size], tensor).reshape(shape), handle


def all_to_all_v_c(
    output: Tensor, input: Tensor, send_count_matrix: Sequence[int], group: str | None = None, async_op: bool = False
) -> CommHandle | None:
    """Send numbers of a flat Tensor into another: process i sends ``send_count_matrix[i * n + j]`` of them to process j.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.communication import comm_func
        >>> output = Tensor([0.0, 0.0])
        >>> comm_func.all_to_all_v_c(output, Tensor([1.0, 2.0]), [2])
        >>> print(output)
        [1. 2.]
    """
    owner = "all_to_all_v_c"
    _check(owner, output)
    _check(owner, input)
    ranks = process_group.ranks_of(owner, group or WORLD)
    count, position = len(ranks), ranks.index(process_group.rank())
    if len(send_count_matrix) != count * count:
        raise ValueError(
            f"For '{owner}', the 'send_count_matrix' must have {count * count} elements for {count} processes, but got "
            f"{len(send_count_matrix)}."
        )
    counts = np.asarray(send_count_matrix, np.int64).reshape(count, count)
    starts = np.concatenate([[0], np.cumsum(counts[position])])
    flat = input.reshape((-1,))
    parts = [flat[int(starts[i]) : int(starts[i + 1])] for i in range(count)]
    received = _exchange(parts, [int(size) for size in counts[:, position]], int(counts.max()), group or WORLD)
    output.assign_value(_joined([part for part in received if part.size], input).reshape(output.shape))
    return _handle(owner, async_op)


def _exchange(tensors: Sequence[Tensor], sizes: Sequence[int], slot: int, group: str) -> list[Tensor]:
    """All-to-all of flat chunks: ``sizes`` elements come from each rank; chunks are padded to one size for the exchange."""
    padded = []
    for tensor in tensors:
        rest = slot - tensor.size
        flat = tensor.reshape((-1,))
        padded.append(_joined([flat, Tensor(np.zeros(rest), tensor.dtype)], tensor) if rest else flat)
    arrived = AlltoAll(len(tensors), 0, 0, group)(_joined(padded, tensors[0]))
    return [arrived[index * slot : index * slot + size] for index, size in enumerate(sizes)]


def _joined(tensors: Sequence[Tensor], like: Tensor) -> Tensor:
    if not tensors:
        return Tensor(np.zeros(0), like.dtype)
    return concat(tuple(tensors))


def _shape(owner: str, shape: Any) -> tuple[int, ...]:
    given = shape.shape if isinstance(shape, Tensor) else shape
    if not isinstance(given, (tuple, list)) or not given:
        raise TypeError(
            f"For '{owner}', a shape must be a tuple of ints or a Tensor that has it, but got {shown(shape)}."
        )
    return tuple(check_int(owner, "shape (its elements)", size, 0) for size in given)


def _sizes(owner: str, name: str, sizes: Sequence[int] | None, total: int, count: int) -> list[int]:
    if sizes is None:
        if total % count:
            raise ValueError(
                f"For '{owner}', {total} rows cannot be split evenly over {count} processes: pass '{name}'."
            )
        return [total // count] * count
    if len(sizes) != count or sum(sizes) != total:
        raise ValueError(
            f"For '{owner}', the '{name}' must be {count} sizes that add up to {total}, but got {list(sizes)}."
        )
    return [check_int(owner, f"{name} (its elements)", size, 0) for size in sizes]


# -- what all have in common ------------------------------------------------------------------------------------------
def _check(owner: str, tensor: Any, op: str = ReduceOp.SUM) -> None:
    check_type(owner, "tensor", tensor, Tensor)
    check_one_of(owner, "op", op, _OPERATIONS)
    exchange_now()


def _rank_in_group(owner: str, name: str, rank: int, group: str) -> int:
    ranks = process_group.ranks_of(owner, group)
    check_int(owner, name, rank)
    if rank not in ranks:
        raise ValueError(f"For '{owner}', the '{name}' must be a process of the group, {list(ranks)}, but got {rank}.")
    return ranks.index(rank)


def _answer(owner: str, result: Tensor, async_op: bool) -> Answer:
    return result, _handle(owner, async_op)


def _handle(owner: str, async_op: bool) -> CommHandle | None:
    return CommHandle() if check_bool(owner, "async_op", async_op) else None


_claim(__name__)
