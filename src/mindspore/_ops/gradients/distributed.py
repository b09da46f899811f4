"""Gradients of communication, and gradient primitives that other hardware or other engines need."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.transforms.gradients import vjp
from mindspore._ops.array.joining import concat as joined
from mindspore._ops.compat.extended_forms import stop_gradient_
from mindspore._ops.declaring.gradient_primitives import gradient, gradient_class
from mindspore._ops.distributed.collective import AllGather
from mindspore._ops.distributed.collective_borders import NeighborExchangeV2


@gradient_class
class NeighborExchangeV2Grad(Primitive):
    """The gradient of ``NeighborExchangeV2``: borders go back to where they came from and are added."""

    def __init__(self, send_rank_ids: Sequence[int], send_lens: Sequence[int], recv_rank_ids: Sequence[int],
                 recv_lens: Sequence[int], data_format: str, group: str = "hccl_world_group"):  # fmt: skip
        super().__init__()
        self.forward = NeighborExchangeV2(send_rank_ids, send_lens, recv_rank_ids, recv_lens, data_format, group)
        for name in ("send_rank_ids", "send_lens", "recv_rank_ids", "recv_lens", "group"):
            self.add_prim_attr(name, getattr(self.forward, name))

    def __call__(self, dy: Tensor) -> Tensor:
        top, bottom, left, right = self.forward.recv_lens
        ranks = self.forward.recv_rank_ids  # from the top clockwise; -1 sends nothing
        height = dy.shape[2] - (top if ranks[0] != -1 else 0) - (bottom if ranks[4] != -1 else 0)
        width = dy.shape[3] - (left if ranks[6] != -1 else 0) - (right if ranks[2] != -1 else 0)
        inner = dy[:, :, :height, :width] * 0
        return vjp(self.forward, inner)[1](dy)[0]


@gradient_class
class EmbeddingLookupCommGrad(Primitive):
    """The gradient of the communication in ``EmbeddingLookup``: the parts of all processes, one after the other."""

    def __call__(self, dy: Tensor, split_num: int) -> Tensor:
        parts = dy.split(dy.shape[0] // split_num) if split_num > 1 else (dy,)
        gathered = [AllGather()(part) for part in parts]
        return gathered[0] if len(gathered) == 1 else joined(gathered)


@gradient_class
class InplaceStopGradient(Primitive):
    """Take a Tensor out of the record of operators, in place."""

    def __call__(self, input: Tensor) -> None:
        return stop_gradient_(input)


@jax.custom_vjp
def _accumulated(x: Any, accu: Any) -> Any:
    return x


_accumulated.defvjp(lambda x, accu: (x, accu), lambda accu, _: (accu, jnp.zeros_like(accu)))


@gradient("_VirtualAccuGrad")
def _virtual_accu_grad(x: Array, accu: Array):
    """The first input, whose gradient is the second."""
    return _accumulated(x, accu)


@gradient("UpdateThorGradient", ("split_dim",))
def update_thor_gradient(input_x1: Array, input_x2: Array, input_x3: Array, split_dim: int = 1):
    """A gradient of second order: blocks of ``input_x2`` between those of A and G."""
    rows, columns = input_x3.shape[0], input_x1.shape[0]
    height, width = input_x3.shape[-1], input_x1.shape[-1]
    fill = ((0, rows * height - input_x2.shape[0]), (0, columns * width - input_x2.shape[1]))
    blocks = jnp.pad(input_x2, fill).reshape(rows, height, columns, width)
    found = jnp.einsum("ijab,ibjc,jcd->iajd", input_x3, blocks, input_x1)
    return found.reshape(rows * height, columns * width)[: input_x2.shape[0], : input_x2.shape[1]]


class _OfOtherEngines(Primitive):
    reason = ""

    def __call__(self, *args: Any) -> Any:
        raise RuntimeError(f"For '{self.name}', {self.reason}")


@gradient_class
class MapTensorGetGrad(_OfOtherEngines):
    """The gradient of reading a hash table of parameters, which is a part of a parameter server of other engines."""

    reason = "the 'map_tensor' must be a hash table of parameters, which is not supported here. Write nn.Embedding."


@gradient_class
class RefToEmbed(_OfOtherEngines):
    """The key of a Parameter in the graphs of another engine."""

    reason = "the input must be a Parameter of another engine's graph: here Parameters are their own keys."
