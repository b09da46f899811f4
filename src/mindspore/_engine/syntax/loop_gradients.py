"""The gradient of a loop as loops again, for gradients of higher order.

It computes what ``loops.LoopGradKernel`` does, on Tensors instead of arrays: each loop in it is an operator that a tape records,
so that it can be differentiated like the loop of the program.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp

from mindspore._engine.base.kernel import Kernel, Mask, carry_mask, gradient_sum
from mindspore._engine.execution.dispatch import run
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing.tensor_hooks import zeros_like
from mindspore._engine.tracing.traced_kernel import TensorFunction, TracedKernel

MakeLoop = Callable[[TensorFunction, int], Kernel]  # (body, number of carried operands)

_next = Kernel("Add", lambda i: i + 1)
_less = Kernel("Less", lambda a, b: a < b)
_mirrored = Kernel("Sub", lambda count, i: count - 1 - i)
_first = Kernel("Mul", lambda index, stride: index // stride * stride)
_nearest = Kernel("Gather", lambda kept, index, stride: kept[index // stride])


class LoopGradients:
    """The vjp of a loop with this body; ``snapshots`` carries are kept on the way, those in between computed again."""

    def __init__(
        self, body: TracedKernel, carried: int, wanted: Mask, given: Mask, snapshots: int, make_loop: MakeLoop
    ):
        self.body, self.carried, self.wanted, self.given = body, carried, wanted, given
        self.make_loop, self.snapshots = make_loop, snapshots
        self.stride = Kernel("Stride", lambda count: jnp.maximum((count + snapshots - 1) // snapshots, 1))
        self.keep = Kernel("Keep", _keeping(snapshots))

    def __call__(self, tensors: list[Any]) -> Sequence[Tensor]:
        inputs, seeds = tensors[: len(self.wanted)], iter(tensors[len(self.wanted) :])
        start, self.rest = inputs[: self.carried], inputs[self.carried :]
        self.differentiated = carry_mask([one._value for one in start], [one._value for one in inputs], self.wanted)
        cotangents = [next(seeds) if has else zeros_like(one) for one, has in zip(start, self.given, strict=True)]
        count, kept, stride = self._forward(start)
        rest_wanted = self.wanted[self.carried :]
        sums = [zeros_like(one) for one, want in zip(self.rest, rest_wanted, strict=True) if want]
        found = self._backward(count, kept, stride, cotangents, sums)
        cotangents, sums = found[: self.carried], iter(found[self.carried :])
        pieces = [*cotangents, *[next(sums) if want else None for want in rest_wanted]]
        return [piece for piece, want in zip(pieces, self.wanted, strict=True) if want]

    def _step(self, carry: Sequence[Any], rest: Sequence[Any]) -> Sequence[Any]:
        return run(self.body, [*carry, *rest])

    def _forward(self, start: list[Any]) -> tuple[Any, list[Any], Any]:
        """The number of steps, evenly spaced carries, and how many steps lie between them."""
        size, zero = self.carried, Tensor.wrap(jnp.int64(0))

        def counted(tensors: list[Any]) -> list[Any]:
            condition, *carry = self._step([tensors[0], *tensors[2 : size + 1]], tensors[size + 1 :])
            return [condition, run(_next, [tensors[1]]), *carry]

        count = run(self.make_loop(counted, size + 1), [start[0], zero, *start[1:], *self.rest])[1]
        stride = run(self.stride, [count])
        room = [Tensor.wrap(jnp.zeros((self.snapshots, *one.shape), one._value.dtype)) for one in start]

        def kept_on_the_way(tensors: list[Any]) -> list[Any]:
            index, carry = tensors[1], [tensors[0], *tensors[2 : size + 1]]
            kept, (between, *rest) = tensors[size + 1 : 2 * size + 1], tensors[2 * size + 1 :]
            kept = [run(self.keep, [k, one, index, between]) for k, one in zip(kept, carry, strict=True)]
            condition, *carry = self._step(carry, rest)
            return [condition, run(_next, [index]), *carry, *kept]

        operands = [start[0], zero, *start[1:], *room, stride, *self.rest]
        return count, list(run(self.make_loop(kept_on_the_way, 2 * size + 1), operands)[size + 1 :]), stride

    def _carry_at(self, index: Any, kept: list[Any], stride: Any, rest: Sequence[Any]) -> list[Any]:
        """The carry before a step: from the nearest that was kept."""
        first = run(_first, [index, stride])
        carry = [run(_nearest, [one, index, stride]) for one in kept]

        def stepped(tensors: list[Any]) -> list[Any]:
            number = run(_next, [tensors[1]])
            end, *others = tensors[self.carried + 2 :]
            return [run(_less, [number, end]), number, *self._step(tensors[2 : self.carried + 2], others)]

        operands = [run(_less, [first, index]), first, *carry, index, *rest]
        return list(run(self.make_loop(stepped, self.carried + 2), operands)[2:])

    def _backward(self, count: Any, kept: list[Any], stride: Any, cotangents: list[Any], sums: list[Any]) -> list[Any]:
        size = self.carried
        back = self.body.vjp((*self.differentiated, *self.wanted[size:]), self.differentiated)
        zero = Tensor.wrap(jnp.int64(0))

        def undone(tensors: list[Any]) -> list[Any]:
            number, cots, totals = tensors[1], tensors[2 : size + 2], tensors[size + 2 : size + 2 + len(sums)]
            steps, between, *others = tensors[size + 2 + len(sums) :]
            saved, rest = others[:size], others[size:]
            carry = self._carry_at(run(_mirrored, [steps, number]), saved, between, rest)
            seeds = [one for one, inexact in zip(cots, self.differentiated, strict=True) if inexact]
            found = iter(run(back, [*carry, *rest, *seeds]))
            cots = [next(found) if inexact else one for one, inexact in zip(cots, self.differentiated, strict=True)]
            totals = [run(gradient_sum, [total, next(found)]) for total in totals]
            number = run(_next, [number])
            return [run(_less, [number, steps]), number, *cots, *totals]

        operands = [run(_less, [zero, count]), zero, *cotangents, *sums, count, stride, *kept, *self.rest]
        return list(run(self.make_loop(undone, size + 2 + len(sums)), operands)[2:])


def _keeping(snapshots: int) -> Callable[..., Any]:
    def keep(kept: Any, value: Any, index: Any, stride: Any) -> Any:
        slot = jnp.where(index % stride == 0, index // stride, snapshots)  # out of range: dropped
        kept = kept.astype(jnp.promote_types(kept.dtype, value.dtype))  # integers are differentiated as floats
        return kept.at[slot].set(value, mode="drop")

    return keep
