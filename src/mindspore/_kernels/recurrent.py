"""Whole recurrent layers: all steps of a sequence in a single call, and back.

``cells`` says what a step of each kind of cell is; here are the loops around it. Inputs come as their shares of the
gates, (steps, batch, gates): one large matmul made them before.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._kernels.cells import CELLS, RecurrentCell
from mindspore._kernels.primitive import NativeKernel, call, unknown

_KINDS = ("RNN_TANH", "RNN_RELU", "GRU", "LSTM")  # in the order of the C++ part


@dataclasses.dataclass(frozen=True)
class _Layer(NativeKernel):
    """``reverse``: from the last step to the first. ``masked``: whether sequences have lengths of their own."""

    mode: str
    reverse: bool
    masked: bool

    @property
    def cell(self) -> RecurrentCell:
        return CELLS[self.mode]

    def attributes(self) -> dict[str, Any]:
        return {"cell": np.array([_KINDS.index(self.mode), self.reverse, self.kept], np.int64)}

    @property
    def kept(self) -> bool:
        """Whether ``opened`` and ``extra`` are there."""
        return True

    def states(self, h: Any, c: Any) -> tuple:
        """Those this cell has."""
        return (h, c) if self.cell.memory else (h,)

    def nothing(self, like: Any) -> Any:
        """What stands for a state that a cell does not have."""
        return jnp.zeros((1, 1), like.dtype)

    def scan(self, step: Callable, start: tuple, inputs: Any, lengths: Any) -> tuple[tuple, tuple]:
        return through_time(step, start, inputs, lengths if self.masked else None, self.reverse)

    def same(self, kind: type[_Layer], *more: Any, masked: bool = False) -> Any:
        return kind(self.mode, self.reverse, self.masked or masked, *more)


@dataclasses.dataclass(frozen=True)
class Through(_Layer):
    """(shares, h, c, lengths, weight, bias) -> outputs, last h, last c, opened, extra.

    The last two are what the gradient needs (see ``cells``); they are small and empty unless ``keep`` is set.
    """

    keep: bool

    target = "mycelium_recurrent"

    @property
    def kept(self) -> bool:
        return self.keep

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        (steps, batch, gates), hidden = operands[0].shape, operands[1].shape[1]
        kept = [(steps, batch, gates), (2 * steps, batch, hidden)] if self.keep else [(1, 1, 1)] * 2
        if not self.cell.extra:
            kept[1] = (1, 1, 1)
        state = (batch, hidden)
        return [(steps, *state), state, state if self.cell.memory else (1, 1), *kept]

    def stopped(self, operands: Sequence[Any], steps: Any) -> tuple[NativeKernel, Sequence[Any]] | None:
        if self.keep:
            return None
        shares, h, c, lengths, *weights = operands
        lengths = jnp.minimum(lengths, jnp.asarray(steps, lengths.dtype))
        return self.same(Through, False, masked=True), (shares, h, c, lengths, *weights)

    def plain(self, *operands: Any) -> Sequence[Any]:
        shares, h, c, lengths, weight, bias = operands
        turned = lax.optimization_barrier(weight.T)  # once, not at every step

        def step(state: tuple, share: Any) -> tuple[tuple, tuple]:
            new, opened, extra = self.cell.step(share, _product(state[0], turned) + bias, state)
            return new, (new[0], *((opened, *extra) if self.keep else ()))

        last, (outputs, *kept) = self.scan(step, self.states(h, c), shares, lengths)
        nothing = self.nothing(shares)
        opened = kept[0] if self.keep else nothing[None]
        extra = jnp.concatenate(kept[1:]) if kept[1:] else nothing[None]
        return [outputs, *last, *([] if self.cell.memory else [nothing]), opened, extra]


@dataclasses.dataclass(frozen=True)
class Along(_Layer):
    """(opened, extra, lengths, weight; shares, hidden shares, h, c) -> outputs, last h, last c.

    How much these change with the operands behind the semicolon, in which it is linear. Cells that add both shares get
    their sum.
    """

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        steps, h, c = operands[0].shape[0], operands[6].shape, operands[7].shape
        return [(steps, *h), h, c]

    def plain(self, *operands: Any) -> Sequence[Any]:
        opened, extra, lengths, weight, shares, hidden_shares, h, c = operands
        # Everything that is not linear is made here, not in the loop: the loop alone can be turned around.
        factors = self.cell.factors(opened, tuple(jnp.split(extra, 2)) if self.cell.extra else ())
        turned = weight.T

        def step(state: tuple, given: tuple) -> tuple[tuple, tuple]:
            factors, share, hidden_share = given
            by_h = _product(state[0], turned)
            by_h = by_h if hidden_share is None else by_h + hidden_share
            new = self.cell.along(factors, share, by_h, state)
            return new, (new[0],)

        given = (factors, shares, hidden_shares if self.cell.apart else None)
        last, (outputs,) = self.scan(step, self.states(h, c), given, lengths)
        return [outputs, *last, *([] if self.cell.memory else [self.nothing(h)])]

    def transpose(self, cotangents: Sequence[Any], operands: Sequence[Any]) -> Sequence[Any]:
        found = call(self.same(Back), *operands[:4], *cotangents)
        return [None] * 4 + [ct if unknown(to) else None for ct, to in zip(found, operands[4:], strict=True)]


@dataclasses.dataclass(frozen=True)
class Back(_Layer):
    """(opened, extra, lengths, weight; outputs, last h, last c) -> shares, hidden shares, h, c: the transpose of Along."""

    target = "mycelium_recurrent_gradient"

    def shapes(self, *operands: Any) -> Sequence[tuple[int, ...]]:
        gates = operands[0].shape
        return [gates, gates if self.cell.apart else (1, 1, 1), operands[5].shape, operands[6].shape]

    def plain(self, *operands: Any) -> Sequence[Any]:
        known, cotangents = operands[:4], operands[4:]
        unknown = [jax.ShapeDtypeStruct(shape, cotangents[0].dtype) for shape in self.shapes(*operands)]
        along = jax.linear_transpose(lambda *given: self.same(Along).plain(*known, *given), *unknown)
        return along(list(cotangents))

    def transpose(self, cotangents: Sequence[Any], operands: Sequence[Any]) -> Sequence[Any]:
        found = call(self.same(Along), *operands[:4], *cotangents)
        return [None] * 4 + [ct if unknown(to) else None for ct, to in zip(found, operands[4:], strict=True)]


def _product(x: Any, y: Any) -> Any:
    """``x @ y``, added up in float32 at least."""
    return jnp.matmul(x, y, preferred_element_type=jnp.promote_types(x.dtype, jnp.float32)).astype(x.dtype)


def through_time(step: Callable[[tuple, Any], tuple[tuple, tuple]], start: tuple, inputs: Any, lengths: Any,
                 reverse: bool = False) -> tuple[tuple, tuple]:  # fmt: skip
    """The last state and the outputs of all steps. Beyond a sequence's length the state stays and outputs are 0."""

    def masked(state: tuple, given: tuple) -> tuple[tuple, tuple]:
        inside, share = given
        new, outputs = step(state, share)
        if inside is None:
            return new, outputs
        kept = tuple(jnp.where(inside, after, before) for after, before in zip(new, state, strict=True))
        return kept, tuple(jnp.where(inside, output, jnp.zeros_like(output)) for output in outputs)

    count = jax.tree.leaves(inputs)[0].shape[0]
    inside = None if lengths is None else (jnp.arange(count)[:, None] < lengths)[..., None]
    return lax.scan(masked, start, (inside, inputs), reverse=reverse)
