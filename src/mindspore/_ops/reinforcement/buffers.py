"""Replay buffers in Parameters of the program: a ring of rows, of which ``count`` are used, from ``head`` on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import op, register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._kernels.random_bits import generator as key_of
from mindspore._ops.declaring.random_keys import RandomPrimitive
from mindspore._ops.declaring.requirements import require_shape
from mindspore._ops.effects.state import assign
from mindspore._ops.reinforcement.stores import number, rows_at, with_rows
from mindspore._utils import checks
from mindspore._utils.refusals import refused

_WORDS = np.array([7, 1], np.uint32)  # a key for the tests


def _describe(primitive: Primitive, capacity: int, shapes: Sequence[Any], types: Sequence[Any]) -> None:
    """Check and record the description of a buffer that the constructors of the three operators take."""
    primitive.add_prim_attr("capacity", checks.check_positive_int(primitive.name, "capacity", capacity))
    primitive.add_prim_attr("buffer_shape", checks.check_type(primitive.name, "buffer_shape", shapes, (tuple, list)))
    primitive.add_prim_attr("buffer_dtype", types)


@op(public=False, test=lambda t: [t.case(np.array(4), np.array(2), 4, 3, grad=False)])
def _next_indices(count: Array, head: Array, capacity: int, added: int):
    """The indices of added rows, and ``count`` and ``head`` afterwards."""
    indices = (head + count + jnp.arange(added, dtype=count.dtype)) % capacity
    excess = jnp.maximum(count + added - capacity, 0)
    return indices, jnp.minimum(count + added, capacity), (head + excess) % capacity


@op(public=False, test=lambda t: [t.case(_WORDS, np.array(4), np.array(2), 4, 3, True)])
def _drawn_indices(key: Array, count: Array, head: Array, capacity: int, wanted: int, unique: bool):
    """Random indices of used rows."""
    used = jnp.maximum(count, 1)
    if unique:  # those of the smallest random numbers; unused rows come last
        drawn = jax.random.uniform(key_of(key), (capacity,))
        order = jnp.argsort(jnp.where(jnp.arange(capacity) < count, drawn, 2.0))
        chosen = order[jnp.arange(wanted) % used]
    else:
        chosen = jnp.floor(jax.random.uniform(key_of(key), (wanted,)) * used).astype(jnp.int32)
    return (head + jnp.minimum(chosen, used - 1).astype(head.dtype)) % capacity


@register_primitive
class BufferAppend(Primitive):
    """Add a transition, or a batch of them, to a buffer; when it is full, the oldest ones are replaced.

    Called with the Parameters of the buffer, the parts of the transition, and the Parameters ``count`` and ``head``.

    Args:
        capacity: how many transitions the buffer holds.
        buffer_shape, buffer_dtype: of the parts of a transition.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Parameter, Tensor, ops
        >>> rewards = Parameter(ops.zeros((2, 1), ms.float32), name="rewards")
        >>> count, head = Parameter(Tensor(0, ms.int32), name="count"), Parameter(Tensor(0, ms.int32), name="head")
        >>> append = ops.BufferAppend(2, [(1,)], [ms.float32])
        >>> for reward in (1.0, 2.0, 3.0):
        ...     _ = append([rewards], [Tensor([reward])], count, head)
        >>> print(rewards.value().flatten(), count.value(), head.value())
        [3. 2.] 2 1
    """

    def __init__(self, capacity: int, buffer_shape: Sequence[Any], buffer_dtype: Sequence[Any]):
        super().__init__()
        _describe(self, capacity, buffer_shape, buffer_dtype)

    def __call__(self, data: Sequence[Tensor], exp: Sequence[Tensor], count: Tensor, head: Tensor) -> Tensor:
        added = self._added(data, exp)
        indices, *new = _next_indices(count, head, self.capacity, added)
        for table, rows in zip(data, exp, strict=True):
            assign(table, with_rows(table, indices, rows.reshape((added, *table.shape[1:]))))
        for variable, value in zip((count, head), new, strict=True):
            assign(variable, value)
        return count.value()

    def _added(self, data: Sequence[Tensor], exp: Sequence[Tensor]) -> int:
        """How many transitions are added: 1, or those of a batch."""
        if len(data) != len(exp):
            text = f"For '{self.name}', the 'exp' must have {len(data)} Tensors, as many as 'data', but got {len(exp)}."
            raise refused(ValueError, text)
        added = exp[0].shape[0] if exp[0].ndim == data[0].ndim else 1
        for index, (table, rows) in enumerate(zip(data, exp, strict=True)):
            one, batch = tuple(table.shape[1:]), (added, *table.shape[1:])
            allowed = (one,) if exp[0].ndim < data[0].ndim else (batch,)
            if rows.shape not in allowed or added > table.shape[0]:
                text = f"For '{self.name}', Tensor {index} of 'exp' must have the shape {allowed[0]} of at most "
                raise refused(ValueError, f"{text}{table.shape[0]} transitions, but got {rows.shape}.")
            if rows.dtype != table.dtype:
                text = f"For '{self.name}', Tensor {index} of 'exp' must be {table.dtype} as the buffer's, but got "
                raise refused(TypeError, f"{text}{rows.dtype}.")
        return added


@register_primitive
class BufferGetItem(Primitive):
    """One transition of a buffer, counted from the oldest.

    Args:
        capacity: how many transitions the buffer holds.
        buffer_shape, buffer_dtype: of the parts of a transition.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Parameter, Tensor, ops
        >>> rewards = Parameter(Tensor([[3.0], [2.0]]), name="rewards")
        >>> count, head = Parameter(Tensor(2, ms.int32), name="count"), Parameter(Tensor(1, ms.int32), name="head")
        >>> print(ops.BufferGetItem(2, [(1,)], [ms.float32])([rewards], count, head, 0)[0])
        [2.]
    """

    def __init__(self, capacity: int, buffer_shape: Sequence[Any], buffer_dtype: Sequence[Any]):
        super().__init__()
        _describe(self, capacity, buffer_shape, buffer_dtype)

    def __call__(self, data: Sequence[Tensor], count: Tensor, head: Tensor, index: Any) -> tuple[Tensor, ...]:
        slot = (head + index) % self.capacity
        return tuple(rows_at(table, slot.reshape(())) for table in data)


@register_primitive
class BufferSample(RandomPrimitive):
    """Random transitions of a buffer, a batch of each part.

    Args:
        capacity: how many transitions the buffer holds.
        batch_size: how many are drawn.
        buffer_shape, buffer_dtype: of the parts of a transition.
        seed: other than 0, these transitions come again with this seed.
        unique: whether no transition is drawn twice.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Parameter, Tensor, ops
        >>> rewards = Parameter(Tensor([[3.0], [2.0]]), name="rewards")
        >>> count, head = Parameter(Tensor(2, ms.int32), name="count"), Parameter(Tensor(1, ms.int32), name="head")
        >>> sample = ops.BufferSample(2, 2, [(1,)], [ms.float32], unique=True)
        >>> sorted(sample([rewards], count, head)[0].flatten().tolist())
        [2.0, 3.0]
    """

    def __init__(self, capacity: int, batch_size: int, buffer_shape: Sequence[Any], buffer_dtype: Sequence[Any],
                 seed: int = 0, unique: bool = False):  # fmt: skip
        super().__init__(seed)
        _describe(self, capacity, buffer_shape, buffer_dtype)
        checks.check_positive_int(self.name, "batch_size", batch_size)
        if batch_size > capacity:
            text = f"For '{self.name}', the 'batch_size' must be at most the capacity {capacity}, but got {batch_size}."
            raise refused(ValueError, text)
        self.add_prim_attr("batch_size", batch_size)
        self.add_prim_attr("unique", checks.check_bool(self.name, "unique", unique))

    def __call__(self, data: Sequence[Tensor], count: Tensor, head: Tensor) -> tuple[Tensor, ...]:
        indices = self.draw(_drawn_indices, count, head, self.capacity, self.batch_size, self.unique)
        return tuple(rows_at(table, indices) for table in data)


class BatchAssign(Primitive):
    """Give the Parameters of one network the values of another's."""

    def __init__(self, lock: bool = True):
        super().__init__()
        self.add_prim_attr("lock", checks.check_bool(self.name, "lock", lock))

    def __call__(self, dst_model: Sequence[Tensor], source_model: Sequence[Tensor]) -> Tensor:
        if len(dst_model) != len(source_model):
            text = f"For '{self.name}', both must have as many Parameters, but got {len(dst_model)} and "
            raise refused(ValueError, f"{text}{len(source_model)}.")
        for index, (target, source) in enumerate(zip(dst_model, source_model, strict=True)):
            if target.shape != source.shape or target.dtype != source.dtype:
                text = f"For '{self.name}', Parameters {index} must have the same shape and dtype, but got "
                kind = ValueError if target.shape != source.shape else TypeError
                raise refused(kind, f"{text}{target.shape} {target.dtype} and {source.shape} {source.dtype}.")
            assign(target, source)
        return number(0, dtypes.int64)


@op(public=False, test=lambda t: [t.case(t.normal(3, 2), np.array([[False, True]] * 3), t.normal(2), 0.5)])
def discounted_return(reward: Array, done: Array, last_state_value: Array, gamma: float):
    """For every step the sum of the rewards to come, each step discounted by ``gamma``, up to the end of its episode."""
    require_shape("last_state_value", last_state_value, reward.shape[1:])
    require_shape("done", done, reward.shape[: done.ndim])
    going = (~done.astype(bool)).reshape(*done.shape, *[1] * (reward.ndim - done.ndim)).astype(reward.dtype)

    def step(later: Any, now: Any) -> Any:
        value = now[0] + gamma * later * now[1]
        return value, value

    return lax.scan(step, last_state_value, (reward, going), reverse=True)[1]


class DiscountedReturn(Primitive):
    """For every step the discounted sum of the rewards to come.

    Args:
        gamma: what a reward is worth one step later, in (0, 1].
    """

    def __init__(self, gamma: float):
        super().__init__()
        checks.check_float_range(self.name, "gamma", gamma, 0.0, 1.0, include_low=False)
        self.add_prim_attr("gamma", gamma)

    def __call__(self, reward: Tensor, done: Tensor, last_state_value: Tensor) -> Tensor:
        return discounted_return(reward, done, last_state_value, self.gamma)
