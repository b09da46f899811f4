"""Communication between processes by PyTorch's names: results are stored in Tensors that are given.

On one process, which is a job of its own, everything works and changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore import ops
from mindspore.common.tensor import Tensor
from mindspore.communication import comm_func, management
from mindspore.communication.comm_func import P2POp, barrier, isend, send
from mindspore.communication.management import GlobalComm
from mindspore.mint._objects import (
    all_gather_object,
    broadcast_object_list,
    gather_object,
    recv_object_list,
    scatter_object_list,
    send_object_list,
)

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
    "send",
    "send_object_list",
]

_made_groups: list[str] = []


def _group(group: str | None) -> str:
    return group or GlobalComm.WORLD_COMM_GROUP


# -- the job and its groups -------------------------------------------------------------------------------------------
def init_process_group(backend: str = "hccl", init_method: Any = None, timeout: Any = None, world_size: int = -1,
                       rank: int = -1, store: Any = None, group_name: str = "", pg_options: Any = None,
                       device_id: Any = None) -> None:  # fmt: skip
    """Join the job that the launcher started; the launcher says how many processes there are.

    >>> init_process_group()
    >>> is_initialized()
    True
    """
    if not GlobalComm.INITED:
        management.init(backend)


def destroy_process_group(group: str | None = None) -> None:
    """Leave a group, or the job."""
    if group is None or group == GlobalComm.WORLD_COMM_GROUP:
        management.release()
    else:
        management.destroy_group(group)


def is_available() -> bool:
    """Whether processes can communicate: always."""
    return True


def is_initialized() -> bool:
    """Whether this process has joined the job."""
    return GlobalComm.INITED


def get_rank(group: str | None = None) -> int:
    """The number of this process in a group.

    >>> get_rank()
    0
    """
    return management.get_rank(_group(group)) if GlobalComm.INITED else 0


def get_world_size(group: str | None = None) -> int:
    """The number of processes in a group.

    >>> get_world_size()
    1
    """
    return management.get_group_size(_group(group)) if GlobalComm.INITED else 1


def get_backend(group: str | None = None) -> str:
    """What the processes communicate through, as ``init_process_group`` was told."""
    return GlobalComm.BACKEND


def get_global_rank(group: str | None, group_rank: int) -> int:
    """The number in the job of a process of a group."""
    return management.get_world_rank_from_group_rank(_group(group), group_rank)


def get_group_rank(group: str | None, global_rank: int) -> int:
    """The number in a group of a process of the job."""
    return management.get_group_rank_from_world_rank(global_rank, _group(group))


def get_process_group_ranks(group: str | None = None) -> list[int]:
    """The processes of a group."""
    return management.get_process_group_ranks(_group(group))


def new_group(ranks: Sequence[int] | None = None, timeout: Any = None, backend: str | None = None, pg_options: Any = None,
              use_local_synchronization: bool = False, group_desc: str | None = None) -> str:  # fmt: skip
    """A group of some processes, of all without ``ranks``; returns its name."""
    chosen = list(range(get_world_size())) if ranks is None else list(ranks)
    name = group_desc or f"mint_group_{len(_made_groups)}_{'_'.join(map(str, chosen))}"
    _made_groups.append(name)
    management.create_group(name, chosen)
    return name


# -- Tensors ----------------------------------------------------------------------------------------------------------
def all_reduce(tensor: Tensor, op: str = "sum", group: str | None = None, async_op: bool = False) -> Any:
    """The sum (or 'prod', 'min', 'max') of what all processes hold, stored in ``tensor``.

    >>> x = Tensor([1.0])
    >>> handle = all_reduce(x)
    >>> print(x)
    [1.]
    """
    result, handle = comm_func.all_reduce(tensor, op, _group(group), async_op)
    tensor.copy_(result)
    return handle


def broadcast(tensor: Tensor, src: int, group: str | None = None, async_op: bool = False) -> Any:
    """What process ``src`` holds, stored in ``tensor``."""
    tensor.copy_(comm_func.broadcast(tensor, src, _group(group)))
    return _done(tensor, group, async_op)


def reduce(tensor: Tensor, dst: int, op: str = "sum", group: str | None = None, async_op: bool = False) -> Any:
    """The sum of what all processes hold, stored in ``tensor`` of process ``dst``."""
    tensor.copy_(comm_func.reduce(tensor, dst, op, _group(group)))
    return _done(tensor, group, async_op)


def _done(tensor: Tensor, group: str | None, async_op: bool) -> Any:
    """A handle for what is done already."""
    return comm_func.CommHandle() if async_op else None


def _fill(outputs: Sequence[Tensor], values: Sequence[Tensor]) -> None:
    for output, value in zip(outputs, values, strict=True):
        output.copy_(value)


def all_gather_into_tensor(output_tensor: Tensor, input_tensor: Tensor, group: str | None = None,
                           async_op: bool = False) -> Any:  # fmt: skip
    """What all processes hold, joined along the first axis, stored in ``output_tensor``."""
    result, handle = comm_func.all_gather_into_tensor(input_tensor, _group(group), async_op)
    output_tensor.copy_(result.reshape(output_tensor.shape))
    return handle


def all_gather(tensor_list: Sequence[Tensor], tensor: Tensor, group: str | None = None, async_op: bool = False) -> Any:
    """What all processes hold, stored in the Tensors of a list."""
    result, handle = comm_func.all_gather_into_tensor(tensor.expand_dims(0), _group(group), async_op)
    _fill(tensor_list, [result[i] for i in range(len(tensor_list))])
    return handle


def all_gather_into_tensor_uneven(output: Tensor, input: Tensor, output_split_sizes: Sequence[int] | None = None,
                                  group: str | None = None, async_op: bool = False) -> Any:  # fmt: skip
    """What all processes hold, of different lengths along the first axis, joined and stored in ``output``."""
    if output_split_sizes is None:
        return all_gather_into_tensor(output, input, group, async_op)
    longest = max(output_split_sizes)
    wide = ops.zeros((longest, *input.shape[1:]), input.dtype)
    wide[: input.shape[0]] = input
    result, handle = comm_func.all_gather_into_tensor(wide, _group(group), async_op)
    parts = [result[i * longest : i * longest + size] for i, size in enumerate(output_split_sizes)]
    output.copy_(ops.cat([part for part in parts if part.shape[0]], 0))
    return handle


def reduce_scatter_tensor(output: Tensor, input: Tensor, op: str = "sum", group: str | None = None,
                          async_op: bool = False) -> Any:  # fmt: skip
    """The sum of what all processes hold, cut along the first axis: the own part, stored in ``output``."""
    result, handle = comm_func.reduce_scatter_tensor(input, op, _group(group), async_op)
    output.copy_(result.reshape(output.shape))
    return handle


def reduce_scatter(output: Tensor, input_list: Sequence[Tensor], op: str = "sum", group: str | None = None,
                   async_op: bool = False) -> Any:  # fmt: skip
    """The sum of the Tensors that all processes hold for this one, stored in ``output``."""
    result, handle = comm_func.reduce_scatter_tensor(ops.stack(list(input_list)), op, _group(group), async_op)
    output.copy_(result[0])
    return handle


def reduce_scatter_tensor_uneven(output: Tensor, input: Tensor, input_split_sizes: Sequence[int] | None = None,
                                 op: str = "sum", group: str | None = None, async_op: bool = False) -> Any:  # fmt: skip
    """As :func:`reduce_scatter_tensor` with parts of different lengths."""
    if input_split_sizes is None:
        return reduce_scatter_tensor(output, input, op, group, async_op)
    result, handle = comm_func.all_reduce(input, op, _group(group), async_op)
    start = sum(input_split_sizes[: get_rank(group)])
    output.copy_(result[start : start + input_split_sizes[get_rank(group)]])
    return handle


def gather(tensor: Tensor, gather_list: Sequence[Tensor] | None, dst: int = 0, group: str | None = None,
           async_op: bool = False) -> Any:  # fmt: skip
    """What all processes hold, stored in the Tensors of a list of process ``dst``."""
    result = comm_func.gather_into_tensor(tensor.expand_dims(0), dst, _group(group))
    if gather_list and management.get_rank() == dst:
        _fill(gather_list, [result[i] for i in range(len(gather_list))])
    return _done(tensor, group, async_op)


def scatter(tensor: Tensor, scatter_list: Sequence[Tensor] | None, src: int = 0, group: str | None = None,
            async_op: bool = False) -> Any:  # fmt: skip
    """The Tensor that process ``src`` has for this one, stored in ``tensor``."""
    count = get_world_size(group)
    own = ops.stack(list(scatter_list)) if scatter_list else ops.zeros((count, *tensor.shape), tensor.dtype)
    tensor.copy_(comm_func.scatter_tensor(own, src, _group(group))[0])
    return _done(tensor, group, async_op)


def all_to_all(output_tensor_list: Sequence[Tensor], input_tensor_list: Sequence[Tensor], group: str | None = None,
               async_op: bool = False) -> Any:  # fmt: skip
    """Send Tensor i of a list to process i, and store what comes from process j in Tensor j of the other."""
    shapes = [tensor.shape for tensor in output_tensor_list]
    received, handle = comm_func.all_to_all_with_output_shape(shapes, input_tensor_list, _group(group), async_op)
    _fill(output_tensor_list, received)
    return handle


def all_to_all_single(output: Tensor, input: Tensor, output_split_sizes: Sequence[int] | None = None,
                      input_split_sizes: Sequence[int] | None = None, group: str | None = None,
                      async_op: bool = False) -> Any:  # fmt: skip
    """Cut a Tensor along its first axis, send part i to process i, and store what comes from all in ``output``."""
    sizes = (output_split_sizes, input_split_sizes)
    result, handle = comm_func.all_to_all_single_with_output_shape(output.shape, input, *sizes, _group(group), async_op)
    output.copy_(result)
    return handle


# -- two processes ----------------------------------------------------------------------------------------------------
def recv(tensor: Tensor, src: int = 0, group: str | None = None, tag: int = 0) -> int:
    """What process ``src`` sends, stored in ``tensor``."""
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
    """As :func:`recv`, once ``wait`` of the handle was called."""
    return _Receipt(tensor, *comm_func.irecv(tensor, src, _group(group), tag))


def batch_isend_irecv(p2p_op_list: Sequence[P2POp]) -> list[Any]:
    """Exchange several messages; what is received is stored in the Tensors of the messages."""
    for message, result in zip(p2p_op_list, comm_func.batch_isend_irecv(p2p_op_list), strict=True):
        if message.op == "irecv":
            message.tensor.copy_(result)
    return [comm_func.CommHandle() for _ in p2p_op_list]
