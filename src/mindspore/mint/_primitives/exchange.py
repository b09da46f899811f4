"""Communication between processes as primitives: the result (or the Tensor it was stored in) and a handle to wait for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore import mint, ops
from mindspore._ops.distributed.collective_uneven import all_gather_matmul, matmul_reduce_scatter
from mindspore._ops.methods.in_place import keep
from mindspore.communication import comm_func, in_place
from mindspore.ops import Tensor
from mindspore.ops import operations as P


def _pair(answer: Any) -> tuple[Any, Any]:
    return answer if isinstance(answer, tuple) else (answer, comm_func.CommHandle())


def _stored(output: Any, handle: Any) -> tuple[Any, Any]:
    """Where a function of ``communication`` stored its result, and its handle."""
    return output, handle if handle is not None else comm_func.CommHandle()


def _exchanged(output: Any, input: Any, group: str, sent: Sequence[int], received: Sequence[int]) -> tuple[Any, Any]:
    """Elements to and from every process, stored in ``output``, a Tensor or a list of them."""
    flat = mint.reshape(mint.concat([mint.reshape(one, (-1,)) for one in _listed(input)]), (-1,))
    found = P.AlltoAllV(group=group)(flat, tuple(sent), tuple(received))
    outputs = _listed(output)
    parts = mint.split(found, [one.size for one in outputs])
    for into, part in zip(outputs, parts, strict=True):
        keep("AllToAllV", into, mint.reshape(part, into.shape))
    return _stored(output, None)


def _listed(value: Any) -> Sequence[Tensor]:
    return [value] if isinstance(value, Tensor) else list(value)


def _of_matrix(output: Any, input: Any, group: str, send_count_matrix: Any, rank_id: int, rank_size: int) -> Any:
    counts = [
        int(one) for one in (send_count_matrix.tolist() if isinstance(send_count_matrix, Tensor) else send_count_matrix)
    ]
    sent = counts[rank_id * rank_size : (rank_id + 1) * rank_size]
    return _exchanged(output, input, group, sent, counts[rank_id::rank_size])


def _batch(input: Sequence[Tensor], group: str, op_types: Sequence[str], remotes_ranks: Sequence[int]) -> Any:
    wanted = [
        comm_func.P2POp(kind, one, rank, group) for one, kind, rank in zip(input, op_types, remotes_ranks, strict=True)
    ]
    return in_place.batch_isend_irecv(wanted)


def _normalized_product(x1: Any, x2: Any, bias: Any, residual: Any, gamma: Any, epsilon: float, group: str,
                        reduce_op: str = "sum", comm_turn: int = 0, stream_mode: int = 1) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The product summed over the processes, plus the residual; normalized, and as it is."""
    product = mint.matmul(x1, x2)
    total = P.AllReduce(reduce_op, group)(product if bias is None else product + bias)
    normal, _, whole = ops.add_rms_norm(total, residual, gamma, epsilon)
    return normal, whole


def _received(tag: int, src: int, shape: Any, group: str, dtype: Any) -> Any:
    return _pair(comm_func.irecv(mint.zeros(shape, dtype=dtype), src, group, tag))


FORMS = {
    "AllGatherMatmul": lambda input, x2, group, world_size, bias=None, gather_index=0, gather_output=True, comm_turn=0, trans_input=False, trans_x2=False: (
        all_gather_matmul(input, x2, group, world_size, bias=bias, gather_index=gather_index, gather_output=gather_output,
                          comm_turn=comm_turn, trans_input=trans_input, trans_x2=trans_x2)
    ),
    "MatmulReduceScatter": lambda input, x2, group, world_size, reduce_op="sum", bias=None, comm_turn=0, trans_input=False, trans_x2=False: (
        matmul_reduce_scatter(input, x2, group, world_size, reduce_op=reduce_op, bias=bias, comm_turn=comm_turn,
                              trans_input=trans_input, trans_x2=trans_x2)
    ),
    "MatmulAllReduceAddRmsNorm": _normalized_product,
    "DistCommAllGather": lambda tensor_list, input, rank_size, group, async_op=True: (
        _stored(tensor_list, in_place.all_gather(tensor_list, input, group, True))
    ),
    "DistCommAllGatherIntoTensor": lambda other, input, rank_size, group, async_op=True: (
        _stored(other, in_place.all_gather_into_tensor(other, input, group, True))
    ),
    "DistCommAllGatherIntoTensorUneven": lambda other, input, output_split_sizes, rank_size, group, async_op=True: (
        _stored(other, in_place.all_gather_into_tensor_uneven(other, input, output_split_sizes, group, True))
    ),
    "DistCommAllReduce": lambda input, op_type, group, async_op=True: (
        _stored(input, in_place.all_reduce(input, op_type, group, True))
    ),
    "DistCommAllToAllV": lambda other, input, group, send_numel_list, recv_numel_list, rank_size, async_op=True: (
        _exchanged(other, input, group, send_numel_list, recv_numel_list)
    ),
    "DistCommAllToAllVC": lambda other, input, group, send_count_matrix, rank_size, rank_id, async_op=True: (
        _of_matrix(other, input, group, send_count_matrix, rank_id, rank_size)
    ),
    "DistCommAllToAllVSingle": lambda other, input, group, send_numel_list, recv_numel_list, rank_size, split_sizes_empty, async_op=True: (
        _exchanged(other, input, group, send_numel_list, recv_numel_list)
    ),
    "DistCommBarrier": lambda group, async_op=True: _stored(None, in_place.barrier(group, True)),
    "DistCommBatchIsendIrecv": _batch,
    "DistCommBroadcast": lambda input, src, rank_id, group, async_op=True: (
        _stored(input, in_place.broadcast(input, src, group, True))
    ),
    "DistCommGather": lambda input, gather_list, rank_size, dst, rank_id, group, async_op=True: (
        _stored(gather_list, in_place.gather(input, gather_list, dst, group, True))
    ),
    "DistCommGatherIntoTensor": lambda other, input, rank_size, dst, rank_id, group, async_op=True: (
        _stored(other, in_place.gather_into_tensor(other, input, dst, group, True))
    ),
    "DistCommIrecv": lambda input, tag, src, group: _stored(input, in_place.irecv(input, src, group, tag)),
    "DistCommIsend": lambda input, dst, group, tag: _stored(input, in_place.isend(input, dst, group, tag)),
    "DistCommReduce": lambda input, op_type, dst, group, async_op=True: (
        _stored(input, in_place.reduce(input, dst, op_type, group, True))
    ),
    "DistCommReduceScatter": lambda other, input_list, rank_size, op_type, group, async_op=True: (
        _stored(other, in_place.reduce_scatter(other, input_list, op_type, group, True))
    ),
    "DistCommReduceScatterTensor": lambda other, input, rank_size, op_type, group, async_op=True: (
        _stored(other, in_place.reduce_scatter_tensor(other, input, op_type, group, True))
    ),
    "DistCommReduceScatterTensorUneven": lambda other, input, input_split_size, rank_size, op_type, group, async_op=True: (
        _stored(other, in_place.reduce_scatter_tensor_uneven(other, input, input_split_size, op_type, group, True))
    ),
    "DistCommScatter": lambda other, scatter_list, rank_size, src, rank_id, group, async_op=True: (
        _stored(other, in_place.scatter(other, scatter_list, src, group, True))
    ),
    "DistCommScatterTensor": lambda other, input, rank_size, src, rank_id, group, async_op=True: (
        _stored(other, in_place.scatter_tensor(other, input, src, group, True))
    ),
    "InnerCommAllGather": lambda input, rank_size, group, async_op=True: (
        _pair(comm_func.all_gather_into_tensor(input, group, True))
    ),
    "InnerCommAllReduce": lambda input, op_type, group, async_op=True: (
        _pair(comm_func.all_reduce(input, op_type, group, True))
    ),
    "InnerCommAllToAllV": lambda input, group, send_numel_list, recv_numel_list, rank_size, split_sizes_empty, async_op=True: (
        _pair(P.AlltoAllV(group=group)(mint.reshape(input, (-1,)), tuple(send_numel_list), tuple(recv_numel_list)))
    ),
    "InnerCommIrecv": _received,
    "InnerCommIsend": lambda input, dst, group, tag: _pair((input, comm_func.isend(input, dst, group, tag))),
    "InnerCommReduceScatter": lambda input, rank_size, op_type, group, async_op=True: (
        _pair(comm_func.reduce_scatter_tensor(input, op_type, group, True))
    ),
}  # fmt: skip
