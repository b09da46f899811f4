"""Point-to-point messages between processes.

Both run the same two-process program, which makes the sender's value known to both. Messages without waiting are kept
until somebody waits, and then sent in an order that is the same for all processes, so that none waits for another's turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from mindspore._engine.cluster import process_group
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.distributed.collective import WORLD, Broadcast
from mindspore._utils.checks import check_int, check_type, shown


class CommHandle:
    """What can be waited for.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.communication import comm_func
        >>> _, handle = comm_func.all_reduce(Tensor([1.0]), async_op=True)
        >>> handle.wait()
    """

    def wait(self) -> None:
        """Wait until the messages of this process that were not waited for are under way, and Tensors received are set."""
        exchange_now()


class _Message(NamedTuple):
    source: int
    target: int
    tensor: Tensor  # what is sent, or what receives


_waiting: list[_Message] = []


def exchange_now() -> None:
    """Send and receive what was left for later."""
    messages = sorted(
        _waiting,
        key=lambda message: (min(message.source, message.target), max(message.source, message.target), message.source),
    )
    _waiting.clear()
    for message in messages:
        arrived = _transfer(message)
        if message.target == process_group.rank():
            message.tensor.assign_value(arrived)


def _transfer(message: _Message) -> Tensor:
    source, target, tensor = message
    group = f"from_{source}_to_{target}"
    process_group.add_group(group, [source, target])
    return Broadcast(0, group)(tensor)


def _message(owner: str, tensor: Any, peer_name: str, peer: int, group: str | None, sends: bool) -> _Message:
    check_type(owner, "tensor", tensor, Tensor)
    ranks = process_group.ranks_of(owner, group or WORLD)
    check_int(owner, peer_name, peer)
    own = process_group.rank()
    if peer not in ranks or peer == own:
        others = [rank for rank in ranks if rank != own]
        raise ValueError(
            f"For '{owner}', the '{peer_name}' must be another process of the group, {others}, but got {peer}."
        )
    return _Message(own, peer, tensor) if sends else _Message(peer, own, tensor.copy())


def send(tensor: Tensor, dst: int = 0, group: str = WORLD, tag: int = 0) -> None:
    """Send a Tensor to process ``dst``, which calls ``recv``.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.communication import comm_func, get_rank
        >>> if get_rank() == 1:  # the second of two processes; the first calls recv(..., src=1)
        ...     comm_func.send(Tensor([1.0, 2.0]), dst=0)
    """
    message = _message("send", tensor, "dst", dst, group, sends=True)
    exchange_now()
    _transfer(message)


def recv(tensor: Tensor, src: int = 0, group: str = WORLD, tag: int = 0) -> Tensor:
    """What process ``src`` sends: a Tensor with the shape and dtype of ``tensor``.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.communication import comm_func, get_rank
        >>> if get_rank() == 1:  # the second of two processes; the first calls send(..., dst=1)
        ...     x = comm_func.recv(Tensor([0.0, 0.0]), src=0)
    """
    message = _message("recv", tensor, "src", src, group, sends=False)
    exchange_now()
    return _transfer(message)


def isend(tensor: Tensor, dst: int = 0, group: str = WORLD, tag: int = 0) -> CommHandle:
    """Send a Tensor to process ``dst``. It goes when ``wait`` of a handle, or another function here, is called.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.communication import comm_func, get_rank
        >>> if get_rank() == 1:  # the second of two processes; the first calls irecv(..., src=1)
        ...     comm_func.isend(Tensor([1.0, 2.0]), dst=0).wait()
    """
    _waiting.append(_message("isend", tensor, "dst", dst, group, sends=True))
    return CommHandle()


def irecv(tensor: Tensor, src: int = 0, group: str = WORLD, tag: int = 0) -> tuple[Tensor, CommHandle]:
    """A Tensor that is set by what process ``src`` sends, once the handle was waited for.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.communication import comm_func, get_rank
        >>> if get_rank() == 1:  # the second of two processes; the first calls isend(..., dst=1)
        ...     x, handle = comm_func.irecv(Tensor([0.0, 0.0]), src=0)
        ...     handle.wait()
    """
    message = _message("irecv", tensor, "src", src, group, sends=False)
    _waiting.append(message)
    return message.tensor, CommHandle()


class P2POp:
    """A message of ``batch_isend_irecv``.

    Args:
        op: 'isend' or 'irecv', or the function of that name.
        tensor: what is sent; to receive, a Tensor or the shape, with ``recv_dtype``.
        peer: the other process.
        group, tag: as for ``isend``.
        recv_dtype: of what is received when ``tensor`` is a shape.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.mint import distributed
        >>> message = distributed.P2POp("isend", Tensor([7.0]), 0)
        >>> message.op, message.peer
        ('isend', 0)
    """

    def __init__(self, op: Any, tensor: Any, peer: int, group: str | None = None, tag: int = 0, recv_dtype: Any = None):
        name = getattr(op, "__name__", op)
        if name not in ("isend", "irecv"):
            raise ValueError(f"For 'P2POp', the 'op' must be 'isend' or 'irecv', but got {shown(op)}.")
        if name == "irecv" and not isinstance(tensor, Tensor):
            if recv_dtype is None:
                raise TypeError("For 'P2POp', the 'recv_dtype' must be given when 'tensor' is a shape.")
            tensor = Tensor(shape=tuple(tensor), dtype=recv_dtype, init="zeros")
        self.op, self.tensor, self.peer, self.group, self.tag = name, tensor, peer, group, tag


def batch_isend_irecv(p2p_op_list: Sequence[P2POp]) -> tuple[Tensor, ...]:
    """Exchange several messages. Per message: the received Tensor, or the sent Tensor.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.communication import comm_func, get_group_size, get_rank
        >>> if get_group_size() == 2:  # both processes exchange a Tensor
        ...     other = 1 - get_rank()
        ...     messages = [comm_func.P2POp("isend", Tensor([7.0]), other), comm_func.P2POp("irecv", Tensor([0.0]), other)]
        ...     received = comm_func.batch_isend_irecv(messages)[1]
    """
    if not isinstance(p2p_op_list, (list, tuple)) or not all(isinstance(operation, P2POp) for operation in p2p_op_list):
        raise TypeError(
            f"For 'batch_isend_irecv', the 'p2p_op_list' must be a list of P2POp, but got {shown(p2p_op_list)}."
        )
    owner = "batch_isend_irecv"
    messages = [
        _message(owner, operation.tensor, "peer", operation.peer, operation.group, operation.op == "isend")
        for operation in p2p_op_list
    ]
    _waiting.extend(messages)
    exchange_now()
    return tuple(message.tensor for message in messages)
