"""Borders around a tensor: constant, mirrored, repeated or wrapped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.base.convert import convert
from mindspore._engine.base.open_sizes import is_open
from mindspore._engine.operator.arguments import Array, Choice, Operand, Shape, is_symbolic_dim
from mindspore._engine.operator.registry import op
from mindspore._ops.declaring.requirements import require, require_choice, require_form
from mindspore._ops.declaring.windows import may_be

_MODES = {"constant": "constant", "reflect": "reflect", "replicate": "edge", "edge": "edge", "circular": "wrap"}
_MIRRORED = {"reflect": 1, "symmetric": 0}
Widths = Sequence[tuple[int, int]]


def padded(x: Any, widths: Widths, mode: str, value: Any = 0) -> Any:
    """The array with (before, after) elements added on each axis; a negative number takes elements away."""
    kept = tuple(slice(max(-low, 0), n - max(-high, 0)) for (low, high), n in zip(widths, x.shape, strict=True))
    text = f"the 'padding' must leave an element on each axis, but got {list(widths)} for an input of shape {x.shape}."
    require(all(s.stop > s.start or not n for s, n in zip(kept, x.shape, strict=True)), text)
    x = x[kept]
    added = [(max(low, 0), max(high, 0)) for low, high in widths]
    if mode == "constant":
        return jnp.pad(x, added, constant_values=convert(value, x.dtype))
    limit = {"reflect": -1, "wrap": 0, "symmetric": 0}.get(mode)
    if limit is not None:
        text = (
            f"the 'padding' must be smaller than the length of its axis (mode '{mode}'), but got {list(widths)} for an "
            f"input of shape {x.shape}."
        )
        require(all(may_be(n + limit, max(pair)) for pair, n in zip(added, x.shape, strict=True) if max(pair)), text)
    if mode in _MIRRORED and is_open(x.shape):
        for axis, (low, high) in enumerate(added):
            x = _mirrored(x, axis, low, high, _MIRRORED[mode]) if low or high else x
        return x
    return jnp.pad(x, added, mode=mode)


def _mirrored(x: Any, axis: int, low: int, high: int, skipped: int) -> Any:
    """Mirrored at both ends of an axis, whose length may be open; ``reflect`` skips the outermost element."""
    front = np.arange(skipped + low - 1, skipped - 1, -1)
    back = jnp.asarray(x.shape[axis]) - 1 - skipped - np.arange(high)
    before, after = (jnp.take(x, index, axis, mode="clip") for index in (front, back))
    return jnp.concatenate([before, x, after], axis)


def _widths(padding: Any, ndim: int) -> Widths:
    """(before, after) of each axis, from numbers in the order of MindSpore 2.x or from pairs as in 1.x."""
    padding = padding if isinstance(padding, tuple) else (padding,)
    if padding and all(isinstance(item, tuple) for item in padding):
        return _pairs(padding, ndim)
    for item in padding:
        if not is_symbolic_dim(item) and (isinstance(item, bool) or not isinstance(item, (int, np.integer))):
            raise TypeError(f"the 'padding' must be an int, but got {item!r} of type {type(item).__name__}.")
    return _last_first(padding, ndim)


def _last_first(padding: Sequence[int], ndim: int) -> Widths:
    """(before, after) of each axis from numbers that start with the last axis."""
    require_form(len(padding) % 2 == 0, f"the 'padding' must have a length divisible by 2, but got {tuple(padding)}.")
    text = f"the 'padding' must have at most two numbers for each of the input's {ndim} axes, but got {tuple(padding)}."
    require(len(padding) <= 2 * ndim, text)
    pairs = [(padding[i], padding[i + 1]) for i in range(0, len(padding), 2)]
    return [(0, 0)] * (ndim - len(pairs)) + pairs[::-1]


@op(
    test=lambda t: [
        t.case(t.normal(2, 3), (1, 2), expect=lambda x, p: np.pad(x, ((0, 0), (1, 2)))),
        t.case(
            t.normal(2, 3),
            [1, 0, 0, 1],
            "constant",
            5,
            expect=lambda x, *_: np.pad(x, ((0, 1), (1, 0)), constant_values=5),
        ),
        t.case(t.normal(2, 3), (-1, 1), "replicate", expect=lambda x, *_: np.pad(x[:, 1:], ((0, 0), (0, 1)), "edge")),
        t.case(t.normal(2, 3), (1, 2), "reflect", expect=lambda x, *_: np.pad(x, ((0, 0), (1, 2)), "reflect")),
        t.case(t.normal(2, 3), (1, 2), "circular", expect=lambda x, *_: np.pad(x, ((0, 0), (1, 2)), "wrap")),
        t.case(t.normal(2, 3), ((1, 0), (0, 2)), expect=np.pad),
    ],
    old={"padding": ("paddings",)},
)
def pad(input_x: Array, padding: Any, mode: Choice = "constant", value: Operand | None = None):
    """Elements added around the input: numbers before and after the last axis, then the axis before it, and so on.

    Args:
        padding: the numbers; or, as in MindSpore 1.x, a pair for each axis, the first axis first.
        mode: "constant", "reflect", "replicate" or "circular".
        value: what a constant border holds, 0 by default.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.pad(Tensor([[1, 2]]), (1, 2)))
        [[0 1 2 0 0]]
        >>> print(ops.pad(Tensor([[1, 2, 3]]), (2, 0), mode="reflect"))
        [[3 2 1 2 3]]
    """
    require_choice("mode", mode, ("constant", "reflect", "replicate", "circular"))
    return padded(input_x, _widths(padding, input_x.ndim), _MODES[mode], 0 if value is None else value)


@op(
    primitive="Pad",
    init=("paddings",),
    public=False,
    test=lambda t: [t.case(t.normal(2, 3), ((1, 0), (0, 2)), expect=np.pad)],
)
def pad_with_zeros(input_x: Array, paddings: Any):
    """Zeros added before and after each axis; one pair of numbers per axis, the first axis first.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.Pad(((0, 0), (1, 2)))(Tensor([[1, 2]])))
        [[0 1 2 0 0]]
    """
    widths = _pairs(paddings, input_x.ndim)
    require(min(map(min, widths), default=0) >= 0, f"the 'paddings' must not be negative, but got {paddings}.")
    return padded(input_x, widths, "constant")


def _pairs(paddings: Any, ndim: int) -> Widths:
    right = isinstance(paddings, tuple) and all(isinstance(p, tuple) and len(p) == 2 for p in paddings)
    require(right, f"the 'paddings' must be a tuple of (before, after) pairs, but got {paddings!r}.", TypeError)
    text = (
        f"the 'paddings' must have one pair for each of the input's {ndim} axes, but got {len(paddings)}: {paddings}."
    )
    require_form(len(paddings) == ndim, text)
    return paddings


@op(
    primitive="MirrorPad",
    init=("mode",),
    public=False,
    test=lambda t: [
        t.case(t.normal(2, 3), ((1, 1), (0, 2)), expect=lambda x, p: np.pad(x, p, "reflect")),
        t.case(t.normal(2, 3), ((1, 1), (0, 2)), "SYMMETRIC", expect=lambda x, p, mode: np.pad(x, p, "symmetric")),
    ],
)
def mirror_pad(input_x: Array, paddings: Any, mode: Choice = "REFLECT"):
    """The input mirrored at its borders: at the outermost element (REFLECT) or beside it (SYMMETRIC).

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.mirror_pad(Tensor([1, 2, 3]), ((2, 1),)))
        [3 2 1 2 3 2]
    """
    require_choice("mode", mode, ("REFLECT", "SYMMETRIC"))
    return padded(input_x, _pairs(paddings, input_x.ndim), mode.lower())


@op(
    primitive="PadV3",
    init=("mode", "paddings_contiguous"),
    public=False,
    test=lambda t: [
        t.case(t.normal(2, 3), (1, 2), 5.0, expect=lambda x, *_: np.pad(x, ((0, 0), (1, 2)), constant_values=5)),
        t.case(t.normal(2, 3), (1, 2), None, "edge", expect=lambda x, *_: np.pad(x, ((0, 0), (1, 2)), "edge")),
    ],
)
def pad_any_mode(
    x: Array, paddings: Shape, value: Operand | None = None, mode: str = "constant", paddings_contiguous: bool = True
):
    """Elements added around the input, the last axis first; not contiguous: all numbers before, then all after.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, ops
        >>> print(ops.PadV3()(Tensor([1.0, 2.0]), Tensor([1, 2], mindspore.int32), 0.0))
        [0. 1. 2. 0. 0.]
    """
    require_choice("mode", mode, ("constant", "reflect", "edge", "circular"))
    if not paddings_contiguous:
        half = len(paddings) // 2
        paddings = tuple(n for pair in zip(paddings[:half], paddings[half:], strict=False) for n in pair)
    return padded(x, _last_first(paddings, x.ndim), _MODES[mode], 0 if value is None else value)
