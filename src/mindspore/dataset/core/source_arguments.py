"""Checks of the arguments that sources have in common, by name, before anything is read."""

from __future__ import annotations

import enum
import functools
import inspect
from collections.abc import Callable
from typing import Any

from mindspore.dataset.core.checks import (
    check_bool,
    check_callable,
    check_int,
    check_type,
    check_workers,
    searchable,
    shown,
    type_words,
)

LARGEST_INT, LARGEST_LONG = 2**31 - 1, 2**63 - 1


def _shuffle(owner: str, name: str, value: Any) -> Any:
    if isinstance(value, (bool, enum.Enum)):
        return value
    refusal = TypeError(
        f"For '{owner}', the '{name}' must be 'bool' or a member of 'Shuffle', as Shuffle.GLOBAL, Shuffle.PARTIAL, Shuffle.ADAPTIVE, "
        f"Shuffle.FILES or Shuffle.INFILE, but got {shown(value)}."
    )
    words = (
        "shuffle must be of boolean or enum of 'Shuffle' values like 'Shuffle.ADAPTIVE' or 'Shuffle.GLOBAL' or 'Shuffle.PARTIAL' or "
        "'Shuffle.FILES' or 'Shuffle.INFILE'."
    )
    raise searchable(refusal, f"{type_words(name, value, (bool,))} {words}")


def _samples(owner: str, name: str, value: Any) -> int:
    count = check_int(owner, name, value)
    if not 0 <= count <= LARGEST_LONG:
        raise ValueError(
            f"For '{owner}', the {name} exceeds the boundary between 0 and {LARGEST_LONG}(INT64_MAX)! "
            f"It must be in range [0, {LARGEST_LONG}], but got {shown(count)}."
        )
    return count


def _sampler(owner: str, name: str, value: Any) -> Any:
    if isinstance(value, (str, bytes)):
        raise TypeError(
            f"For '{owner}', the '{name}' must be a sampler of mindspore.dataset or a list of row numbers, but got {shown(value)}."
        )
    return value


RULES: dict[str, Callable[[str, str, Any], Any]] = {
    "num_samples": _samples,
    "num_parallel_workers": check_workers,
    "shuffle": _shuffle,
    "num_shards": lambda owner, name, value: check_int(owner, name, value, 1, LARGEST_INT),
    "shard_id": lambda owner, name, value: check_int(owner, name, value),
    "decode": check_bool,
    "decrypt": check_callable,
    "extensions": lambda owner, name, value: check_type(owner, name, value, list),
    "class_indexing": lambda owner, name, value: check_type(owner, name, value, dict),
    "sampler": _sampler,
}


@functools.cache
def _signature(kind: type) -> inspect.Signature:
    return inspect.signature(kind.__init__)


def check_source(kind: type, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    """Refuse a wrong argument of a source; None stands for what is not given. What cannot be bound is left to the call itself."""
    try:
        given = _signature(kind).bind(None, *arguments, **keywords).arguments
    except TypeError:
        return
    for name, value in given.items():
        if value is not None and name in RULES:
            RULES[name](kind.__name__, name, value)
