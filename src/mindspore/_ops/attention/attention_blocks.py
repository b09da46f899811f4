"""Attention of long sequences, some queries at a time: the matrix of all scores is never there as a whole.

Gradients compute the scores of a block again. Keys that a mask known in advance hides from a whole block are left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

_LARGE = 1 << 22  # scores: below, they fit into the caches
_AT_ONCE = 1 << 20  # scores of a block
_UNROLLED = 16  # blocks at most of which each is compiled on its own
_FEWEST = 32  # queries of a block

Attend = Callable[..., tuple[Any, Any, Any]]


def worth_dividing(query: tuple[int, ...], key: tuple[int, ...]) -> bool:
    """Whether sequences of (batch, heads, positions, depth) are long enough."""
    if not all(isinstance(size, int) for size in (*query, *key)):  # left open, in an export
        return False
    return math.prod(query[:3]) * key[2] >= _LARGE and _block(query, key) < query[2]


def _block(query: tuple[int, ...], key: tuple[int, ...]) -> int:
    """How many queries a block has: a divisor of their number."""
    wanted = max(_FEWEST, _AT_ONCE // (query[0] * query[1] * key[2]))
    sizes = [size for size in range(_FEWEST, query[2] + 1) if query[2] % size == 0]
    return max([size for size in sizes if size <= wanted], default=min(sizes, default=query[2]))


def attend_in_blocks(attend: Attend, query: Any, key: Any, value: Any, scale: Any, hidden: Any, shift: Any,
                     shift_first: bool, keep: Any) -> tuple[Any, Any, Any]:  # fmt: skip
    """``attend`` for blocks of queries."""
    count, block = query.shape[2], _block(query.shape, key.shape)

    @jax.checkpoint
    def of_block(query: Any, key: Any, value: Any, hidden: Any, shift: Any, keep: Any) -> tuple[Any, Any, Any]:
        return attend(query, key, value, scale, hidden, shift, shift_first, keep)

    blocks = count // block
    if blocks <= _UNROLLED or (isinstance(hidden, np.ndarray) and hidden.shape == (count, key.shape[2])):
        if blocks > _UNROLLED:
            block = count // max(n for n in range(1, _UNROLLED + 1) if count % n == 0)
        found = [
            _seen(of_block, key, value, *(_rows(x, start, block, count) for x in (query, hidden, shift, keep)))
            for start in range(0, count, block)
        ]
        return tuple(jnp.concatenate(parts, 2) for parts in zip(*found, strict=True))  # type: ignore[return-value]

    def at(start: Any) -> tuple[Any, Any, Any]:
        parts = (_rows(x, start, block, count) for x in (query, hidden, shift, keep))
        return _seen(of_block, key, value, *parts)

    found = lax.map(at, jnp.arange(0, count, block))
    return tuple(jnp.moveaxis(x, 0, 2).reshape(*x.shape[1:3], count, x.shape[-1]) for x in found)  # type: ignore[return-value]


def _rows(x: Any, start: Any, block: int, count: int) -> Any:
    """The part of ``x`` that belongs to some queries, which are its last axis but one."""
    if x is None or x.ndim < 2 or x.shape[-2] != count:
        return x
    if isinstance(x, np.ndarray) and isinstance(start, int):
        return x[..., start : start + block, :]
    return lax.dynamic_slice_in_dim(x, start, block, x.ndim - 2)


def _seen(
    of_block: Attend, key: Any, value: Any, query: Any, hidden: Any, shift: Any, keep: Any
) -> tuple[Any, Any, Any]:
    """Only the keys that one of the queries sees."""
    if not isinstance(hidden, np.ndarray) or hidden.shape[-1] != key.shape[2]:
        return of_block(query, key, value, hidden, shift, keep)
    seen = np.flatnonzero(~hidden.reshape(-1, hidden.shape[-1]).all(0))
    first, last = (int(seen[0]), int(seen[-1]) + 1) if seen.size else (0, 1)
    hidden = hidden[..., first:last]
    wide = (None if x is None or x.shape[-1] == 1 else slice(first, last) for x in (shift, keep))
    shift, keep = (x if part is None else x[..., part] for x, part in zip((shift, keep), wide, strict=True))
    return of_block(
        query, key[:, :, first:last], value[:, :, first:last], hidden if hidden.any() else None, shift, keep
    )
