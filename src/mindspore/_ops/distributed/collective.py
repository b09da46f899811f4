"""Operators in which several processes take part: AllReduce and its family.

All have gradients: what a process contributed to the results of the others comes back from them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp
from jax import lax

from mindspore._engine.base.kernel import Kernel
from mindspore._engine.cluster import process_group
from mindspore._engine.execution.dispatch import run
from mindspore._engine.execution.process_program import CollectiveKernel, along, group_rank
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import check_int, check_one_of, check_positive_int, check_type, shown
from mindspore._utils.refusals import WrongObject, refused

WORLD = process_group.WORLD_GROUPS[0]


class ReduceOp:
    """How the values of several processes are reduced.

    Examples:
        >>> from mindspore import ops
        >>> ops.ReduceOp.SUM, ops.ReduceOp.MAX
        ('sum', 'max')
    """

    SUM = "sum"
    MAX = "max"
    MIN = "min"
    PROD = "prod"
    AVG = "avg"


_REDUCTIONS: dict[str, Callable[[Any], Any]] = {
    ReduceOp.SUM: lambda x: lax.psum(x, **along()),
    ReduceOp.MAX: lambda x: lax.pmax(x, **along()),
    ReduceOp.MIN: lambda x: lax.pmin(x, **along()),
    ReduceOp.PROD: lambda x: jnp.prod(lax.all_gather(x, **along()), axis=0).astype(x.dtype),
    ReduceOp.AVG: lambda x: lax.pmean(x, **along()).astype(x.dtype),
}

_kernels: dict[Any, Kernel] = {}


class Collective(Primitive):
    """The base of operators over a group of processes: a function of arrays that communicates.

    A group of one process needs no communication: every collective returns its input.
    """

    on_arrays: Any  # what the processes do, on arrays

    def __init__(self, group: str, **attributes: Any):
        super().__init__()
        self.ranks = process_group.ranks_of(type(self).__name__, group)
        for name, value in {**attributes, "group": group, "rank_size": len(self.ranks)}.items():
            self.add_prim_attr(name, value)
        self.chosen = tuple(attributes.items())

    def kernel(self) -> Kernel:
        """The kernel, made once for equal attributes."""
        key = (type(self), self.chosen, self.ranks)
        found = _kernels.get(key)
        if found is None:
            alone = len(self.ranks) == 1
            name = self.name
            found = Kernel(name, _same) if alone else CollectiveKernel(name, self.on_arrays, self.ranks)
            _kernels[key] = found
        return found

    def check_tensor(self, x: Any) -> Tensor:
        """A Tensor, and nothing else."""
        if not isinstance(x, Tensor):
            raise refused(WrongObject, f"For '{self.name}', the input must be a Tensor, but got {shown(x)}.")
        return x

    def root(self, name: str, rank: int) -> int:
        """The rank of a process within the group."""
        return check_int(self.name, name, rank, 0, len(self.ranks) - 1)


class OfOneTensor(Collective):
    """A collective from a Tensor to a Tensor."""

    def __call__(self, x: Tensor) -> Tensor:
        return run(self.kernel(), [self.check_tensor(x)])


def _same(*arrays: Any) -> Any:
    return arrays[0] if len(arrays) == 1 else arrays


@register_primitive
class AllReduce(OfOneTensor):
    """The sum (or maximum, minimum, product) of what all processes hold, for all of them.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.AllReduce()(Tensor([1.0, 2.0])))
        [1. 2.]
    """

    def __init__(self, op: str = ReduceOp.SUM, group: str = WORLD):
        super().__init__(group, op=check_one_of("AllReduce", "op", op, tuple(_REDUCTIONS)))

    def on_arrays(self, x: Any) -> Any:
        return _REDUCTIONS[self.op](x)


@register_primitive
class AllGather(OfOneTensor):
    """What all processes hold, joined along the first axis, for all of them.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.AllGather()(Tensor([1.0, 2.0])))
        [1. 2.]
    """

    def __init__(self, group: str = WORLD):
        super().__init__(group)

    def on_arrays(self, x: Any) -> Any:
        return lax.all_gather(x, **along(), tiled=True) if x.ndim else lax.all_gather(x, **along())


@register_primitive
class ReduceScatter(OfOneTensor):
    """The sum of what all processes hold, cut along the first axis: every process gets its part.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.ReduceScatter()(Tensor([1.0, 2.0])))
        [1. 2.]
    """

    def __init__(self, op: str = ReduceOp.SUM, group: str = WORLD):
        super().__init__(group, op=check_one_of("ReduceScatter", "op", op, tuple(_REDUCTIONS)))

    def on_arrays(self, x: Any) -> Any:
        count = len(self.ranks)
        if x.ndim == 0 or x.shape[0] % count:
            raise ValueError(
                f"For 'ReduceScatter', the first axis of the input must be divisible by the {count} processes of the group, "
                f"but got the shape {x.shape}."
            )
        if self.op == ReduceOp.SUM:
            return lax.psum_scatter(x, **along(), tiled=True)
        part = x.shape[0] // count
        return lax.dynamic_slice_in_dim(_REDUCTIONS[self.op](x), group_rank() * part, part)


@register_primitive
class Broadcast(Collective):
    """Tensors of the root process, copied to all processes. Takes and returns tuples of Tensors.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(*ops.Broadcast(0)((Tensor([1.0, 2.0]),)))
        [1. 2.]
    """

    def __init__(self, root_rank: int, group: str = WORLD):
        super().__init__(group, root_rank=root_rank)
        self.root("root_rank", root_rank)

    def on_arrays(self, *arrays: Any) -> Any:
        mine = group_rank() == self.root_rank
        given: list[Any] = [lax.psum(jnp.where(mine, x, jnp.zeros_like(x)), **along()).astype(x.dtype) for x in arrays]
        return tuple(given) if len(given) > 1 else given[0]

    def __call__(self, input_x: tuple[Tensor, ...] | Tensor) -> Any:
        tensors = input_x if isinstance(input_x, (tuple, list)) else (input_x,)
        result = run(self.kernel(), [self.check_tensor(x) for x in tensors])
        return result if isinstance(result, tuple) or not isinstance(input_x, (tuple, list)) else (result,)


@register_primitive
class AlltoAll(OfOneTensor):
    """Splits the input along an axis, sends part i to process i, and concatenates what arrives along another axis.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.AlltoAll(split_count=1, split_dim=0, concat_dim=0)(Tensor([1.0, 2.0])))
        [1. 2.]
    """

    def __init__(self, split_count: int, split_dim: int, concat_dim: int, group: str = WORLD):
        check_positive_int("AlltoAll", "split_count", split_count)
        super().__init__(group, split_count=split_count, split_dim=split_dim, concat_dim=concat_dim)
        if split_count != len(self.ranks):
            raise ValueError(
                f"For 'AlltoAll', the 'split_count' must be the number of processes in the group, {len(self.ranks)}, but got "
                f"{split_count}."
            )

    def on_arrays(self, x: Any) -> Any:
        if x.shape[self.split_dim] % self.split_count:
            raise ValueError(
                f"For 'AlltoAll', axis {self.split_dim} of the input must be divisible by {self.split_count}, but got the "
                f"shape {x.shape}."
            )
        return lax.all_to_all(x, split_axis=self.split_dim, concat_axis=self.concat_dim, tiled=True, **along())


@register_primitive
class Reduce(OfOneTensor):
    """The sum over all processes, on the destination process; the others return their input.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.Reduce(0)(Tensor([1.0, 2.0])))
        [1. 2.]
    """

    def __init__(self, dest_rank: int, op: str = ReduceOp.SUM, group: str = WORLD):
        super().__init__(group, op=check_one_of("Reduce", "op", op, tuple(_REDUCTIONS)), dest_rank=dest_rank)
        self.root("dest_rank", dest_rank)

    def on_arrays(self, x: Any) -> Any:
        return jnp.where(group_rank() == self.dest_rank, _REDUCTIONS[self.op](x), x)


@register_primitive
class CollectiveGather(OfOneTensor):
    """The inputs of all processes, concatenated along the first axis on the destination process; zeros on the others.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.CollectiveGather(0)(Tensor([1.0, 2.0])))
        [1. 2.]
    """

    def __init__(self, dest_rank: int, group: str = WORLD):
        super().__init__(group, dest_rank=dest_rank)
        self.root("dest_rank", dest_rank)

    def on_arrays(self, x: Any) -> Any:
        gathered = lax.all_gather(x, **along(), tiled=True) if x.ndim else lax.all_gather(x, **along())
        return jnp.where(group_rank() == self.dest_rank, gathered, jnp.zeros_like(gathered))


@register_primitive
class CollectiveScatter(OfOneTensor):
    """The root's tensor, split along the first axis: every process gets its part.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.CollectiveScatter(0)(Tensor([1.0, 2.0])))
        [1. 2.]
    """

    def __init__(self, src_rank: int = 0, group: str = WORLD):
        super().__init__(group, src_rank=src_rank)
        self.root("src_rank", src_rank)

    def on_arrays(self, x: Any) -> Any:
        mine = group_rank() == self.src_rank
        return lax.psum_scatter(jnp.where(mine, x, jnp.zeros_like(x)), **along(), tiled=True).astype(x.dtype)


@register_primitive
class NeighborExchange(Collective):
    """Sends a Tensor to each of some processes and receives a Tensor from each of some.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> exchange = ops.NeighborExchange([0], [0], [[2]], [[2]], ms.float32)
        >>> print(*exchange((Tensor([1.0, 2.0]),)))
        [1. 2.]
    """

    def __init__(self, send_rank_ids: Sequence[int], recv_rank_ids: Sequence[int], recv_shapes: Sequence[Sequence[int]],
                 send_shapes: Sequence[Sequence[int]], recv_type: Any, group: str = WORLD):  # fmt: skip
        owner = "NeighborExchange"
        for name, value in (("send_rank_ids", send_rank_ids), ("recv_rank_ids", recv_rank_ids)):
            check_type(owner, name, value, (tuple, list))
        for name, value in (("recv_shapes", recv_shapes), ("send_shapes", send_shapes)):
            for shape in check_type(owner, name, value, (tuple, list)):
                check_type(owner, name, shape, (tuple, list))
        super().__init__(group, send_rank_ids=tuple(send_rank_ids), recv_rank_ids=tuple(recv_rank_ids))
        self.recv_shapes = tuple(tuple(shape) for shape in recv_shapes)
        self.send_shapes = tuple(tuple(shape) for shape in send_shapes)
        self.recv_type = recv_type
        if len({*self.recv_shapes, *self.send_shapes}) > 1:
            raise ValueError(
                "For 'NeighborExchange', all Tensors sent and received must have the same shape, but got "
                f"{self.send_shapes} and {self.recv_shapes}."
            )

    def on_arrays(self, *arrays: Any) -> Any:
        # The other ranks' destinations are unknown here: all-gather everything, and keep what is addressed to this rank.
        slots = jnp.zeros((len(self.ranks), *arrays[0].shape), arrays[0].dtype)
        for rank, x in zip(self.send_rank_ids, arrays, strict=True):
            slots = slots.at[rank].set(x)
        arrived = lax.all_to_all(slots, split_axis=0, concat_axis=0, tiled=True, **along())
        return tuple(arrived[rank] for rank in self.recv_rank_ids)

    def __call__(self, tensor: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        result = run(self.kernel(), [self.check_tensor(x) for x in tensor])
        return result if isinstance(result, tuple) else (result,)


@register_primitive
class Barrier(Collective):
    """Waits until all processes have come here.

    Examples:
        >>> from mindspore import ops
        >>> ops.Barrier()()
    """

    def __init__(self, group: str = WORLD):
        super().__init__(group)

    def on_arrays(self, x: Any) -> Any:
        return lax.psum(x, **along())

    def __call__(self) -> None:
        run(self.kernel(), [Tensor(0)]).asnumpy()


def reduce_all(tensors: Sequence[Tensor], group: str = WORLD) -> tuple[Tensor, ...]:
    """The sums over all processes of many Tensors, fused into a single message."""
    ranks = process_group.ranks_of("AllReduce", group)
    if len(ranks) == 1 or not tensors:
        return tuple(tensors)
    key = ("many", len(tensors), ranks)
    kernel = _kernels.get(key)
    if kernel is None:
        kernel = _kernels[key] = CollectiveKernel(
            "AllReduce", lambda *arrays: tuple(lax.psum(arrays, **along())), ranks
        )
    return run(kernel, tensors)
