"""What all forms of attention share: layouts of heads, what is hidden from a query, softmax and its parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.attention.attention_blocks import attend_in_blocks, worth_dividing
from mindspore._ops.declaring.requirements import require, require_choice
from mindspore._ops.linalg.linalg import product
from mindspore._utils.checks import shown
from mindspore._utils.refusals import WrongObject, refused

_AXES = {"BNSD": (0, 1, 2, 3), "BSND": (0, 2, 1, 3), "BSH": (0, 2, 1, 3), "SBH": (1, 2, 0, 3)}  # of B, N, S, D
LAYOUTS = tuple(_AXES)
FAR = 2147483647  # a number of tokens that means "all"


def to_heads(x: Any, layout: str, heads: int) -> Any:
    """(batch, heads, positions, depth) from any layout."""
    if layout in ("BSH", "SBH"):
        require(x.shape[-1] % heads == 0, f"the last axis must be divisible by {heads} heads, but got shape {x.shape}.")
        x = x.reshape(*x.shape[:2], heads, -1)
    return x.transpose(_AXES[layout])


def from_heads(x: Any, layout: str) -> Any:
    """Any layout from (batch, heads, positions, depth)."""
    x = x.transpose(np.argsort(_AXES[layout]))
    return x.reshape(*x.shape[:2], -1) if layout in ("BSH", "SBH") else x


def beyond(rows: Any, columns: Any, mode: int, before: int, after: int, ahead: Any, masked: bool) -> Any:
    """Which keys a mode hides, or None: ``rows`` and ``columns`` are positions, ``ahead`` how many more keys there are.

    0 the band ``before`` and ``after`` the query's own position, if there is a mask too; 1 nothing; 2 what follows the
    own position; 3 the same, counted from the end; 4 the band counted from the end.
    """
    require_choice("sparse_mode", mode, (0, 1, 2, 3, 4))
    if mode == 1 or (mode == 0 and not masked):
        return None
    own = rows + (ahead if mode in (3, 4) else 0)
    if mode in (2, 3):
        return columns > own
    hidden = None
    if before < FAR:
        hidden = columns < own - before
    if after < FAR:
        later = columns > own + after
        hidden = later if hidden is None else hidden | later
    return hidden


def either(*masks: Any) -> Any:
    """Hidden by any of the masks, of which some may be None."""
    found = None
    for mask in masks:
        if mask is not None:
            found = mask if found is None else found | mask
    return found


def attend(query: Any, key: Any, value: Any, scale: Any, hidden: Any = None, shift: Any = None,
           shift_first: bool = False, keep: Any = None, further: Any = None) -> tuple[Any, Any, Any]:  # fmt: skip
    """Attention of (batch, heads, positions, depth): the result, the largest score and the sum of powers.

    Args:
        hidden: True where a key is hidden from a query; a query that sees nothing gets zeros.
        shift: added to the scores, after they are scaled or before.
        keep: what the weights are multiplied with: dropout.
        further: another query and key whose products count too.
    """
    heads, groups = query.shape[1], key.shape[1]
    require(heads % groups == 0, f"the 'key' must have heads that divide the query's {heads}, but got {groups}.")
    key, value = (jnp.repeat(x, heads // groups, axis=1) for x in (key, value))
    if further is None and worth_dividing(query.shape, key.shape):
        return attend_in_blocks(_softmax_of_scores, query, key, value, scale, hidden, shift, shift_first, keep)
    return _softmax_of_scores(query, key, value, scale, hidden, shift, shift_first, keep, further)


def _softmax_of_scores(query: Any, key: Any, value: Any, scale: Any, hidden: Any, shift: Any, shift_first: bool, keep: Any,
                       further: Any = None) -> tuple[Any, Any, Any]:  # fmt: skip
    """The same for as many heads of the key as of the query."""
    precision = jnp.promote_types(query.dtype, jnp.float32)
    if query.dtype == jnp.float32:
        scores = product(query, key, y_turned=True)
    else:
        scores = jnp.einsum("bnqd,bnkd->bnqk", query, key, preferred_element_type=precision)
    if further is not None:
        near = jnp.repeat(further[1], query.shape[1] // further[1].shape[1], axis=1)
        scores = scores + jnp.einsum("bnqd,bnkd->bnqk", further[0], near, preferred_element_type=precision)
    if shift is not None:
        scores = (scores + shift) * scale if shift_first else scores * scale + shift
    else:
        scores = scores * scale
    scores = scores if hidden is None else jnp.where(hidden, jnp.finfo(precision).min, scores)
    largest = scores.max(-1, keepdims=True)
    steady = lax.stop_gradient(largest)  # the result does not depend on it
    powers = jnp.exp(scores - steady)
    powers = powers if hidden is None else jnp.where(hidden, 0, powers)
    total = powers.sum(-1, keepdims=True)
    weights = (powers / jnp.where(total == 0, 1, total)).astype(query.dtype)
    weights = weights if keep is None else weights * keep.astype(query.dtype)
    return product(weights, value), largest, total * jnp.exp(steady - largest)


def lengths(owner: str, name: str, value: Any) -> Tensor | None:
    """Lengths of the parts of a batch, given as a Tensor or as ints."""
    if value is None or isinstance(value, Tensor):
        return value
    if not isinstance(value, (tuple, list)) or not all(isinstance(item, int) for item in value):
        raise refused(
            WrongObject, f"For '{owner}', the '{name}' must be a Tensor or a tuple of ints, but got {shown(value)}."
        )
    return Tensor(np.array(value, np.int32))


def refuse_quantized(owner: str, **given: Any) -> None:
    """There are no quantized kernels here."""
    for name, value in given.items():
        if value is not None:
            raise ValueError(
                f"For '{owner}', the '{name}' must be None, but got {shown(value)}. Attention is computed in floating-point "
                "numbers: convert quantized inputs first."
            )


def segments(owner: str, name: str, ends: Sequence[int] | None, count: int) -> tuple[int, ...]:
    """The ends of the parts of ``count`` tokens, as increasing ints."""
    if not isinstance(ends, (tuple, list)) or not ends or not all(isinstance(end, int) for end in ends):
        raise TypeError(f"For '{owner}', the '{name}' must be a tuple of ints, but got {shown(ends)}.")
    if list(ends) != sorted(ends) or ends[0] < 0 or ends[-1] != count:
        raise ValueError(f"For '{owner}', the '{name}' must increase to the number of tokens, {count}, but got {ends}.")
    return tuple(ends)


def token_positions(ends: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """For every token of parts that end at ``ends``: the number of its part, and its position there."""
    sizes = np.diff((0, *ends))
    starts = np.asarray(ends) - sizes
    return np.repeat(np.arange(len(sizes)), sizes), np.arange(ends[-1]) - np.repeat(starts, sizes)
