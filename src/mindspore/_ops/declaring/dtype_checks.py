"""Which dtypes an operator takes, declared above its body: ``@accepts``, ``@alike``, ``@halves_as_float32``.

Bodies check what they cannot compute. Beyond that MindSpore refuses what has no meaning there: an order of complex
numbers, the softmax of bools, a float as an index. These decorators stand between ``@op`` and the body; they run
while a kernel is traced and cost nothing afterwards.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp

from mindspore._engine.base import dtype as dtypes
from mindspore._ops.declaring.promotion import HALF_PRECISION, is_weak, kind_of
from mindspore._ops.declaring.requirements import conversion, require

Body = Callable[..., Any]
_WORDS = {"b": "bool", "i": "integer", "f": "floating-point", "c": "complex"}
_USUAL = {"b": "bool_", "i": "int32", "c": "complex64"}


def accepts(kinds: str, *names: str) -> Callable[[Body], Body]:
    """The named arguments must be of these kinds: b(ool), i(nteger), f(loating point), c(omplex).

    Of several arguments, numbers included, the widest kind counts, because the others are converted to it.
    """
    listed = " or ".join(_WORDS[kind] for kind in kinds)
    usual = "float32" if "f" in kinds else _USUAL[kinds[0]]

    def check(values: Sequence[Any]) -> None:
        given = [(name, x) for name, x in zip(names, values, strict=True) if hasattr(x, "dtype")]
        if given:
            name, widest = max(given, key=lambda pair: "bifc".index(kind_of(pair[1].dtype)))
            got = dtypes.from_numpy(widest.dtype)
            text = f"the '{name}' must be a Tensor of {listed} dtype, but got {got}. Convert it with astype(mindspore.{usual})."
            require(kind_of(widest.dtype) in kinds, text, TypeError)

    listed_names = " or ".join(f"`{name}`" for name in names)
    return _checked(names, check, f"TypeError: If the dtype of {listed_names} is not {listed}.")


def alike(*names: str) -> Callable[[Body], Body]:
    """The Tensors among the named arguments must have the same dtype; no implicit promotion."""

    def check(values: Sequence[Any]) -> None:
        pairs = zip(names, values, strict=True)
        tensors = [(name, x) for name, x in pairs if hasattr(x, "dtype") and not _is_number(x)]
        listed = ", ".join(f"'{name}': {dtypes.from_numpy(x.dtype)}" for name, x in tensors)
        first, last = names[0], names[-1]
        text = f"the '{first}' and '{last}' must have the same dtype, but got {listed}. {conversion(dict(tensors))}"
        require(len({x.dtype for _, x in tensors}) <= 1, text, TypeError)

    listed_names = " and ".join(f"`{name}`" for name in names)
    return _checked(names, check, f"TypeError: If {listed_names} differ in dtype.")


def scores_first(scores: str, labels: str) -> Callable[[Body], Body]:
    """Refuse integer scores with floating-point labels, which means that the two were exchanged."""

    def check(values: Sequence[Any]) -> None:
        found = [str(dtypes.from_numpy(x.dtype)) for x in values]
        text = f"the '{scores}' must come before the '{labels}', but they seem exchanged: got dtypes {' and '.join(found)}."
        exchanged = [kind_of(x.dtype) for x in values] == ["i", "f"] and values[0].ndim < values[1].ndim
        require(not exchanged, f"{text} Write loss(scores, labels).", TypeError)

    return _checked((scores, labels), check, f"TypeError: If `{scores}` and `{labels}` are exchanged.")


def halves_as_float32(body: Body) -> Body:
    """For routines that know no half precision: computed in float32, returned as given."""

    @functools.wraps(body)
    def in_float32(*values: Any) -> Any:
        found = {x.dtype for x in values if hasattr(x, "dtype") and jnp.issubdtype(x.dtype, jnp.inexact)}
        half = found.pop() if len(found) == 1 else None
        if half not in HALF_PRECISION:
            return body(*values)
        results = body(*[x.astype(jnp.float32) if getattr(x, "dtype", None) == half else x for x in values])
        several = isinstance(results, tuple)
        back = [x.astype(half) if x.dtype == jnp.float32 else x for x in (results if several else [results])]
        return tuple(back) if several else back[0]

    return in_float32


def _checked(names: Sequence[str], check: Callable[[Sequence[Any]], None], refusal: str) -> Callable[[Body], Body]:
    def decorate(body: Body) -> Body:
        order = inspect.unwrap(body).__code__.co_varnames
        positions = [order.index(name) for name in names]

        @functools.wraps(body)
        def checked(*values: Any) -> Any:
            check([values[position] for position in positions])
            return body(*values)

        checked.refusals = (refusal, *getattr(body, "refusals", ()))  # type: ignore[attr-defined] - for the docstring
        return checked

    return decorate


def _is_number(x: Any) -> bool:
    """Whether the value came from a Python number, which is converted."""
    return is_weak(x) or (x.dtype == bool and x.ndim == 0)
