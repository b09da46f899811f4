"""Operators of several processes whose parts differ in size, and messages between two of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mindspore._engine.cluster import process_group
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import register_function, register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.array.joining import concat
from mindspore._ops.array.padding import pad
from mindspore._ops.distributed.collective import (
    WORLD,
    AllGather,
    AllReduce,
    AlltoAll,
    Broadcast,
    ReduceOp,
    ReduceScatter,
)
from mindspore._ops.linalg.linalg import matmul
from mindspore._utils.checks import check_bool, check_int, check_one_of, check_positive_int, check_type, shown
from mindspore._utils.refusals import WrongObject, refused


def _sizes(owner: str, name: str, value: Any, count: int) -> list[int]:
    """Sizes given as ints or as a Tensor whose elements are known."""
    if isinstance(value, Tensor):
        value._read()
        value = value._host(
            f"{owner}, whose '{name}' decide the shape of the result,", "give a tuple of ints."
        ).tolist()
    if not isinstance(value, (tuple, list)) or not all(isinstance(item, int) and item >= 0 for item in value):
        raise TypeError(f"For '{owner}', the '{name}' must be a tuple of ints, but got {shown(value)}.")
    if len(value) != count:
        raise ValueError(f"For '{owner}', the '{name}' must have {count} elements, but got {len(value)}.")
    return list(value)


def _flat(owner: str, x: Any, size: int | None = None) -> Tensor:
    if not isinstance(x, Tensor):
        raise refused(WrongObject, f"For '{owner}', the 'input_x' must be a Tensor, but got {shown(x)}.")
    if x.ndim != 1 or (size is not None and x.shape[0] != size):
        wanted = "1 dimension" if size is None else f"shape ({size},), the sum of its parts,"
        raise ValueError(f"For '{owner}', the 'input_x' must have {wanted} but got shape {x.shape}.")
    return x


def _parts(x: Tensor, sizes: Sequence[int]) -> list[Tensor]:
    ends = np.cumsum(sizes).tolist()
    return [x[end - size : end] for end, size in zip(ends, sizes, strict=True)]


def _slots(x: Tensor, sizes: Sequence[int], slot: int) -> Tensor:
    """Parts of a flat tensor, each filled up to the size of a slot."""
    return concat([pad(part, (0, slot - part.shape[0])) for part in _parts(x, sizes)])


def _exchanged(x: Tensor, sent: Sequence[int], received: Sequence[int], slot: int, group: str) -> Tensor:
    """The parts that all processes hold for this rank, concatenated; every part is padded to the largest."""
    count = len(sent)
    arrived = AlltoAll(count, 0, 0, group)(_slots(x, sent, max(slot, 1)))
    return concat([part[:size] for part, size in zip(_parts(arrived, [max(slot, 1)] * count), received, strict=True)])


class _Uneven(Primitive):
    """The base: a group of processes."""

    def __init__(self, group: str, **attributes: Any):
        super().__init__()
        self.ranks = process_group.ranks_of(self.name, group)
        for name, value in {**attributes, "group": group}.items():
            self.add_prim_attr(name, value)

    def group_rank(self) -> int:
        """The number of this process in the group."""
        return self.ranks.index(process_group.rank()) if len(self.ranks) > 1 else 0


@register_primitive
class AllGatherV(_Uneven):
    """What all processes hold, joined, for all of them; ``output_split_sizes`` says how much each holds.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.AllGatherV()(Tensor([1.0, 2.0]), [2]))
        [1. 2.]
    """

    def __init__(self, group: str = WORLD):
        super().__init__(group)

    def __call__(self, input_x: Tensor, output_split_sizes: Any) -> Tensor:
        sizes = _sizes("AllGatherV", "output_split_sizes", output_split_sizes, len(self.ranks))
        x = _flat("AllGatherV", input_x, sizes[self.group_rank()])
        slot = max(*sizes, 1)
        gathered = AllGather(self.group)(pad(x, (0, slot - x.shape[0])))
        return concat([part[:size] for part, size in zip(_parts(gathered, [slot] * len(sizes)), sizes, strict=True)])


@register_primitive
class ReduceScatterV(_Uneven):
    """The sum of what all processes hold, cut in parts of ``input_split_sizes``: every process gets its part.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.ReduceScatterV()(Tensor([1.0, 2.0]), [2]))
        [1. 2.]
    """

    def __init__(self, op: str = ReduceOp.SUM, group: str = WORLD):
        operations = (ReduceOp.SUM, ReduceOp.MAX, ReduceOp.MIN, ReduceOp.PROD)
        super().__init__(group, op=check_one_of("ReduceScatterV", "op", op, operations))

    def __call__(self, input_x: Tensor, input_split_sizes: Any) -> Tensor:
        sizes = _sizes("ReduceScatterV", "input_split_sizes", input_split_sizes, len(self.ranks))
        x = _flat("ReduceScatterV", input_x, sum(sizes))
        return _parts(AllReduce(self.op, self.group)(x), sizes)[self.group_rank()]


@register_primitive
class AlltoAllV(_Uneven):
    """Sends a part of a flat tensor to every process, and joins what comes from all.

    ``send_numel_list`` and ``recv_numel_list`` count blocks of ``block_size`` elements. The processes first tell each
    other how large the largest part is, so that it cannot be part of a compiled graph; :class:`AlltoAllVC` can.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.AlltoAllV()(Tensor([1.0, 2.0]), [2], [2]))
        [1. 2.]
    """

    def __init__(self, group: str = WORLD, block_size: int = 1):
        super().__init__(group, block_size=check_positive_int("AlltoAllV", "block_size", block_size))

    def __call__(self, input_x: Tensor, send_numel_list: Any, recv_numel_list: Any) -> Tensor:
        count = len(self.ranks)
        sent, received = (
            [self.block_size * size for size in _sizes("AlltoAllV", name, value, count)]
            for name, value in (("send_numel_list", send_numel_list), ("recv_numel_list", recv_numel_list))
        )
        x = _flat("AlltoAllV", input_x, sum(sent))
        if count == 1:
            return x
        largest = AllReduce(ReduceOp.MAX, self.group)(Tensor(np.array(max(*sent, *received), np.int32)))
        slot = largest._host("AlltoAllV, whose parts are measured first,", "use ops.AlltoAllVC.")
        return _exchanged(x, sent, received, int(slot), self.group)


@register_primitive
class AlltoAllVC(_Uneven):
    """:class:`AlltoAllV` where all know all sizes: process i sends ``send_count_matrix[i * n + j]`` blocks to process j.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.AlltoAllVC()(Tensor([1.0, 2.0]), [2]))
        [1. 2.]
    """

    def __init__(self, group: str = WORLD, block_size: int = 1, transpose: bool = False):
        super().__init__(group, block_size=check_positive_int("AlltoAllVC", "block_size", block_size),
                         transpose=check_bool("AlltoAllVC", "transpose", transpose))  # fmt: skip

    def __call__(self, input_x: Tensor, send_count_matrix: Any) -> Tensor:
        count, rank_in_group = len(self.ranks), self.group_rank()
        sizes = _sizes("AlltoAllVC", "send_count_matrix", send_count_matrix, count * count)
        matrix = np.array(sizes).reshape(count, count) * self.block_size
        matrix = matrix.T if self.transpose else matrix
        sent, received = matrix[rank_in_group].tolist(), matrix[:, rank_in_group].tolist()
        return _exchanged(_flat("AlltoAllVC", input_x, sum(sent)), sent, received, int(matrix.max()), self.group)


# -- messages between two ----------------------------------------------------------------------------------------------
def _transfer(source: int, target: int, tensor: Tensor) -> Tensor:
    group = f"from_{source}_to_{target}"
    process_group.add_group(group, [source, target])
    return Broadcast(0, group)(tensor)


class _PointToPoint(_Uneven):
    """Between this process and the peers that it names by their rank in the group."""

    def other(self, name: str, rank: int) -> int:
        rank_in_group = check_int(self.name, name, rank, 0, len(self.ranks) - 1)
        if self.ranks[rank_in_group] == process_group.rank():
            raise ValueError(f"For '{self.name}', the '{name}' must be another process, but got {rank}, this process.")
        return self.ranks[rank_in_group]


@register_primitive
class Send(_PointToPoint):
    """Sends a tensor to process ``dest_rank``, which calls :class:`Receive`; returns the tensor.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> from mindspore.communication import get_rank
        >>> if get_rank() == 1:  # the second of two processes; the first calls Receive with src_rank=1
        ...     _ = ops.Send(sr_tag=0, dest_rank=0)(Tensor([1.0, 2.0]))
    """

    def __init__(self, sr_tag: int, dest_rank: int, group: str = WORLD, group_back: str = WORLD):
        super().__init__(group, sr_tag=check_int("Send", "sr_tag", sr_tag), dest_rank=dest_rank, group_back=group_back)
        self.target = self.other("dest_rank", dest_rank)

    def __call__(self, input_x: Tensor) -> Tensor:
        if not isinstance(input_x, Tensor):
            raise refused(WrongObject, f"For 'Send', the 'input_x' must be a Tensor, but got {shown(input_x)}.")
        return _transfer(process_group.rank(), self.target, input_x)


@register_primitive
class Receive(_PointToPoint):
    """What process ``src_rank`` sends by :class:`Send`: a tensor of this shape and dtype.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import ops
        >>> from mindspore.communication import get_rank
        >>> if get_rank() == 1:  # the second of two processes; the first calls Send with dest_rank=1
        ...     x = ops.Receive(sr_tag=0, src_rank=0, shape=[2], dtype=ms.float32)()
    """

    def __init__(self, sr_tag: int, src_rank: int, shape: Sequence[int], dtype: Any, group: str = WORLD,
                 group_back: str = WORLD):  # fmt: skip
        super().__init__(group, sr_tag=check_int("Receive", "sr_tag", sr_tag), src_rank=src_rank, group_back=group_back)
        self.source = self.other("src_rank", src_rank)
        self.shape, self.dtype = tuple(shape), dtype

    def __call__(self, *_: Any) -> Tensor:
        return _transfer(self.source, process_group.rank(), Tensor(np.zeros(self.shape), self.dtype))


@register_primitive
class BatchISendIRecv(_PointToPoint):
    """Exchanges several messages; for each, what was received, or a zero for a message that was sent.

    Args:
        op_types: "isend" or "irecv" for each message.
        remote_ranks: the other process of each.
        receive_shapes, receive_dtypes: of what is received, in order.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> from mindspore.communication import get_group_size, get_rank
        >>> if get_group_size() == 2:  # both processes exchange a Tensor
        ...     other = 1 - get_rank()
        ...     exchange = ops.BatchISendIRecv(["isend", "irecv"], [other, other], [[], [1]], [ms.float32, ms.float32])
        ...     received = exchange((Tensor([7.0]),))[1]
    """

    def __init__(self, op_types: Sequence[str], remote_ranks: Sequence[int], receive_shapes: Any = None,
                 receive_dtypes: Any = None, group: str = WORLD):  # fmt: skip
        super().__init__(group)
        check_type("BatchISendIRecv", "op_types", op_types, (tuple, list))
        check_type("BatchISendIRecv", "remote_ranks", remote_ranks, (tuple, list))
        for name, value in (("receive_shapes", receive_shapes), ("receive_dtypes", receive_dtypes)):
            check_type("BatchISendIRecv", name, value, (tuple, list, type(None)))
        shapes, dtypes = list(receive_shapes or ()), list(receive_dtypes or ())
        for op_type in op_types:
            check_one_of("BatchISendIRecv", "op_types", op_type, ("isend", "irecv"))
        if len(op_types) != len(remote_ranks) or not len(shapes) == len(dtypes) == list(op_types).count("irecv"):
            raise ValueError(
                "For 'BatchISendIRecv', the 'op_types' and 'remote_ranks' must have one length, and 'receive_shapes' and "
                f"'receive_dtypes' one element for each 'irecv', but got {len(op_types)}, {len(remote_ranks)}, "
                f"{len(shapes)} and {len(dtypes)}."
            )
        self.op_types = tuple(op_types)
        self.others = tuple(self.other("remote_ranks", rank) for rank in remote_ranks)
        self.forms = list(zip(shapes, dtypes, strict=True))

    def __call__(self, input_x: Sequence[Tensor]) -> tuple[Tensor, ...]:
        sent = [tensor for tensor in input_x if tensor is not None]
        if len(sent) != self.op_types.count("isend"):
            raise RuntimeError(
                f"For 'BatchISendIRecv', the 'input_x' must have {self.op_types.count('isend')} Tensors, one for each "
                f"'isend', but got {len(sent)}."
            )
        tensors, forms, own = iter(sent), iter(self.forms), process_group.rank()
        messages = []
        for number, (kind, other) in enumerate(zip(self.op_types, self.others, strict=True)):
            if kind == "isend":
                messages.append((own, other, number, next(tensors)))
            else:
                shape, dtype = next(forms)
                messages.append((other, own, number, Tensor(np.zeros(tuple(shape)), dtype)))
        results = [Tensor(np.zeros((), np.float32))] * len(messages)
        # The same order for all processes, so that none waits for another's turn.
        for source, target, number, tensor in sorted(
            messages, key=lambda message: (min(message[:2]), max(message[:2]), *message[:1])
        ):
            arrived = _transfer(source, target, tensor)
            if target == own:
                results[number] = arrived
        return tuple(results)


# -- products together with communication ------------------------------------------------------------------------------
def _checked_group(owner: str, group: str, world_size: int, bias: Any, trans_input: bool) -> None:
    ranks = process_group.ranks_of(owner, group)
    if world_size != len(ranks):
        text = f"For '{owner}', the 'world_size' must be that of the group, {len(ranks)}, but got {world_size}."
        raise RuntimeError(text)
    if bias is not None or trans_input:
        raise RuntimeError(f"For '{owner}', the 'bias' must be None and the 'trans_input' False.")


def all_gather_matmul(input: Tensor, x2: Tensor, group: str, world_size: int, *, bias: Any = None, gather_index: int = 0,
                      gather_output: bool = True, comm_turn: int = 0, trans_input: bool = False,
                      trans_x2: bool = False) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The product of what all processes hold, joined along the first axis, with ``x2``; and what was joined.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> x = Tensor([[1.0, 2.0]])
        >>> print(ops.all_gather_matmul(x, x, "hccl_world_group", 1, trans_x2=True)[0])
        [[5.]]
    """
    _checked_group("all_gather_matmul", group, world_size, bias, trans_input)
    if gather_index != 0:
        raise RuntimeError(f"For 'all_gather_matmul', the 'gather_index' must be 0, but got {gather_index}.")
    gathered = AllGather(group)(input)
    result = matmul(gathered, x2.swapaxes(0, 1) if trans_x2 else x2)
    return result, gathered if gather_output else gathered[:0]


def matmul_reduce_scatter(input: Tensor, x2: Tensor, group: str, world_size: int, *, reduce_op: str = "sum",
                          bias: Any = None, comm_turn: int = 0, trans_input: bool = False,
                          trans_x2: bool = False) -> Tensor:  # fmt: skip
    """The sum over all processes of ``input @ x2``, cut along the first axis: every process gets its part.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> x = Tensor([[1.0, 2.0]])
        >>> print(ops.matmul_reduce_scatter(x, x, "hccl_world_group", 1, trans_x2=True))
        [[5.]]
    """
    _checked_group("matmul_reduce_scatter", group, world_size, bias, trans_input)
    if reduce_op != "sum":
        raise RuntimeError(f"For 'matmul_reduce_scatter', the 'reduce_op' must be 'sum', but got {reduce_op!r}.")
    return ReduceScatter(ReduceOp.SUM, group)(matmul(input, x2.swapaxes(0, 1) if trans_x2 else x2))


for _function in (all_gather_matmul, matmul_reduce_scatter):
    register_function(_function)
