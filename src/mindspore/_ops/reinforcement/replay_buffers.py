"""Replay buffers behind a handle: by priority, and as a reservoir of all that was seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.operator.arguments import Array, Operand
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import op
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._kernels.random_bits import generator as key_of
from mindspore._ops.declaring.random_keys import draw
from mindspore._ops.effects.state import assign
from mindspore._ops.reinforcement import stores
from mindspore._utils import checks
from mindspore._utils.refusals import refused

_WORDS = np.array([7, 1], np.uint32)  # a key for the tests
_LEAST = 1e-7  # the priority of what is worth nothing


class _ReplayStore(stores.Store):
    """Rows for transitions, and how many were pushed so far."""

    def __init__(self, name: str, capacity: int, shapes: Sequence[Any], types: Sequence[Any], seeds: tuple[int, int]):
        self.capacity, self.name, self.seeds = capacity, name, seeds
        self.rows = stores.rows_for(name, capacity, shapes, types)
        self.pushed: Parameter = stores.state(f"{name}.pushed", np.zeros((), np.int64))

    def store(self, owner: str, index: Tensor, transition: Sequence[Any]) -> None:
        """Write a transition, its parts or a tuple of them, at an index."""
        parts = transition[0] if len(transition) == 1 and isinstance(transition[0], (tuple, list)) else transition
        if len(parts) != len(self.rows):
            text = f"For '{owner}', a transition must have {len(self.rows)} Tensors, but got {len(parts)}."
            raise refused(ValueError, text)
        for rows, part in zip(self.rows, parts, strict=True):
            assign(rows, stores.with_rows(rows, index, part))

    def rows_at(self, indices: Tensor) -> tuple[Tensor, ...]:
        """The transitions at these indices."""
        return tuple(stores.rows_at(rows, indices) for rows in self.rows)


class PriorityReplayStore(_ReplayStore):
    """Transitions with priorities, to the power of ``alpha``; what is unused has none."""

    def __init__(self, alpha: float, *others: Any):
        super().__init__("PriorityReplayBuffer", *others)
        self.alpha = alpha
        self.priorities: Parameter = stores.state("priorities", np.zeros(self.capacity, np.float32))
        self.largest: Parameter = stores.state("largest", np.ones((), np.float32))


class ReservoirReplayStore(_ReplayStore):
    """A fair sample of all transitions that were pushed."""

    def __init__(self, *others: Any):
        super().__init__("ReservoirReplayBuffer", *others)


class _Create(Primitive):
    """Makes a buffer and returns its handle, an int64 Tensor of shape (1,)."""

    def __init__(self, capacity: int, shapes: Sequence[Any], dtypes: Sequence[Any], seed0: int, seed1: int):
        super().__init__()
        checks.check_positive_int(self.name, "capacity", capacity)
        for key, value in (("shapes", shapes), ("dtypes", dtypes)):
            checks.check_type(self.name, key, value, (tuple, list))
        for key, value in (("seed0", seed0), ("seed1", seed1)):
            checks.check_non_negative_int(self.name, key, value)
        for key, value in (("capacity", capacity), ("shapes", shapes), ("dtypes", dtypes), ("seed0", seed0),
                           ("seed1", seed1)):  # fmt: skip
            self.add_prim_attr(key, value)

    def _arguments(self) -> tuple[Any, ...]:
        return self.capacity, self.shapes, self.dtypes, (self.seed0, self.seed1)


class PriorityReplayBufferCreate(_Create):
    """A buffer that draws transitions by priority. Returns its handle."""

    def __init__(
        self, capacity: int, alpha: float, shapes: Sequence[Any], dtypes: Sequence[Any], seed0: int, seed1: int
    ):
        super().__init__(capacity, shapes, dtypes, seed0, seed1)
        self.add_prim_attr("alpha", checks.check_float_range(self.name, "alpha", alpha, 0.0, 1.0))

    def __call__(self) -> Tensor:
        return stores.put(PriorityReplayStore(self.alpha, *self._arguments()), (1,))


class ReservoirReplayBufferCreate(_Create):
    """A buffer that keeps a fair sample of all transitions. Returns its handle."""

    def __call__(self) -> Tensor:
        return stores.put(ReservoirReplayStore(*self._arguments()), (1,))


class _OfBuffer(Primitive):
    """An operator on the buffer of a handle, which is an int."""

    _kind: type[_ReplayStore] = _ReplayStore

    def __init__(self, handle: int):
        super().__init__()
        self.add_prim_attr("handle", checks.check_non_negative_int(self.name, "handle", handle))

    def _store(self) -> Any:
        return stores.find(self.name, self.handle, self._kind)

    def _handle(self) -> Tensor:
        return Tensor([self.handle], dtypes.int64)


class _Sample(_OfBuffer):
    def __init__(self, handle: int, batch_size: int, shapes: Sequence[Any], dtypes: Sequence[Any]):
        super().__init__(handle)
        self.add_prim_attr("batch_size", checks.check_positive_int(self.name, "batch_size", batch_size))
        self.add_prim_attr("shapes", shapes)
        self.add_prim_attr("dtypes", dtypes)


class _Destroy(_OfBuffer):
    """Forget a buffer and its handle."""

    def __call__(self) -> Tensor:
        stores.remove(self.name, self.handle, self._kind)
        return self._handle()


# -- by priority -------------------------------------------------------------------------------------------------------
@op(public=False, test=lambda t: [t.case(_WORDS, np.array([1.0, 0.5, 2.0, 0.0], np.float32), 1.0, 3, grad=False)])
def _drawn_by_priority(key: Array, priorities: Array, beta: Operand, wanted: int):
    """Indices drawn in proportion to priorities, one from each equal part of their sum, and importance weights."""
    sums = jnp.cumsum(priorities)
    parts = (jnp.arange(wanted) + jax.random.uniform(key_of(key), (wanted,))) * (sums[-1] / wanted)
    used = jnp.maximum(jnp.sum(priorities > 0), 1)
    indices = jnp.minimum(jnp.searchsorted(sums, parts, side="right"), used - 1).astype(jnp.int64)
    least = jnp.min(jnp.where(priorities > 0, priorities, jnp.inf))
    return indices, ((least / priorities[indices]) ** beta).astype(jnp.float32)


class PriorityReplayBufferPush(_OfBuffer):
    """Add a transition with the largest priority so far; when the buffer is full, the oldest is replaced."""

    _kind = PriorityReplayStore

    def __call__(self, *transition: Any) -> Tensor:
        store = self._store()
        index = store.pushed % store.capacity
        store.store(self.name, index, transition)
        assign(store.priorities, stores.with_rows(store.priorities, index, store.largest**store.alpha))
        assign(store.pushed, store.pushed + 1)
        return self._handle()


class PriorityReplayBufferSample(_Sample):
    """Places, weights to the power of ``beta``, and the transitions there."""

    _kind = PriorityReplayStore

    def __call__(self, beta: Any) -> tuple[Tensor, ...]:
        store = self._store()
        indices, weights = draw(self.name, store.seeds, _drawn_by_priority, store.priorities, beta, self.batch_size)
        return indices, weights, *store.rows_at(indices)


class PriorityReplayBufferUpdate(_OfBuffer):
    """Give the transitions at these indices other priorities."""

    _kind = PriorityReplayStore

    def __call__(self, indices: Tensor, priorities: Tensor) -> Tensor:
        store = self._store()
        raised = priorities.clip(_LEAST, None)
        assign(store.priorities, stores.with_rows(store.priorities, indices, raised**store.alpha))
        assign(store.largest, _larger(store.largest, raised))
        return self._handle()


@op(public=False, test=lambda t: [t.case(t.normal(), t.normal(3), grad=False)])
def _larger(largest: Array, others: Array):
    """The largest of all."""
    return jnp.maximum(largest, others.max()).astype(largest.dtype)


class PriorityReplayBufferDestroy(_Destroy):
    """Forget a buffer and its handle."""

    _kind = PriorityReplayStore


# -- a reservoir -------------------------------------------------------------------------------------------------------
@op(public=False, test=lambda t: [t.case(_WORDS, np.array(5), 3, grad=False)])
def _reservoir_index(key: Array, pushed: Array, capacity: int):
    """The index of the next transition: the next free one, or a random one; an index equal to the capacity drops it."""
    drawn = jnp.floor(jax.random.uniform(key_of(key), (), jnp.float32) * (pushed + 1)).astype(jnp.int64)
    index = jnp.where(pushed < capacity, pushed, drawn)
    return jnp.where(index < capacity, index, capacity)


@op(public=False, test=lambda t: [t.case(_WORDS, np.array(5), 3, 4, grad=False)])
def _indices_of_used(key: Array, pushed: Array, capacity: int, wanted: int):
    """Random indices of used rows."""
    used = jnp.clip(pushed, 1, capacity)
    return jnp.floor(jax.random.uniform(key_of(key), (wanted,), jnp.float32) * used).astype(jnp.int64)


class ReservoirReplayBufferPush(_OfBuffer):
    """Add a transition; when the buffer is full, each of all that were pushed is kept with the same probability."""

    _kind = ReservoirReplayStore

    def __call__(self, *transition: Any) -> Tensor:
        store = self._store()
        index = draw(self.name, store.seeds, _reservoir_index, store.pushed, store.capacity)
        store.store(self.name, index, transition)
        assign(store.pushed, store.pushed + 1)
        return self._handle()


class ReservoirReplayBufferSample(_Sample):
    """Random transitions."""

    _kind = ReservoirReplayStore

    def __call__(self) -> tuple[Tensor, ...]:
        store = self._store()
        return store.rows_at(
            draw(self.name, store.seeds, _indices_of_used, store.pushed, store.capacity, self.batch_size)
        )


class ReservoirReplayBufferDestroy(_Destroy):
    """Forget a buffer and its handle."""

    _kind = ReservoirReplayStore
