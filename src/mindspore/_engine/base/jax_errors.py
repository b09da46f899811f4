"""Classify jax errors that only their text tells apart.

jax has no classes for these, so their text is matched, here and nowhere else; ``tests/engine/base/test_jax_errors.py``
provokes each one and fails if a jax release rewords it.
"""

from __future__ import annotations

import re

_SYMBOLIC_SIZE = ("ymbolic ", "_DimExpr", "inconclusive")
_COLLECTIVES = ("Gloo", "NCCL", "oordination")
_SHAPES = ("shape", "dimension", "Slice size", "rank")


def is_other_signature(error: TypeError) -> bool:
    """A compiled executable was called with other shapes or dtypes than it was compiled for."""
    return "for which this computation was compiled" in str(error)


def is_elsewhere(error: ValueError) -> bool:
    """A compiled executable was called with arrays of another device."""
    return "compiled for input shardings that disagree" in str(error)


def is_ordered_callback(error: ValueError) -> bool:
    """An ordered host callback cannot be batched by ``vmap``."""
    return "ordered" in str(error)


def is_batched_output(error: ValueError) -> bool:
    """``vmap`` found a batched result where ``out_axes`` says None."""
    return "out_axes" in str(error)


def is_symbolic_size(error: Exception) -> bool:
    """A symbolic dimension was used where its size must be known."""
    return any(sign in str(error) for sign in _SYMBOLIC_SIZE)


def is_of_collectives(error: BaseException) -> bool:
    """A collective or the coordination service failed because of another process."""
    return any(word in str(error) for word in _COLLECTIVES)


def is_out_of_memory(error: BaseException) -> bool:
    """An allocation failed, now or in the computation of an input."""
    return "RESOURCE_EXHAUSTED" in str(error) or "Out of memory" in str(error)


def allocated_bytes(error: BaseException) -> int:
    """What could not be allocated; 0 if the text does not tell."""
    found = re.search(r"allocating (\d+) bytes", str(error))
    return int(found.group(1)) if found else 0


def is_started_already(error: RuntimeError) -> bool:
    """``jax.distributed.initialize`` was called after XLA's backends were initialised."""
    return "before any JAX" in str(error)


def is_about_shapes(text: str) -> bool:
    """The inputs' shapes do not fit; JAX raises TypeError for some of these."""
    return any(word in text for word in _SHAPES)


def refused_dtype(text: str) -> tuple[str, str]:
    """The dtype that an operation of XLA does not take, and what it takes; empty if the text is about something else."""
    found = re.search(
        r"does not accept dtype (\w+)[\s\S]*?(?:subtypes of|at position \d+ are)\s+(?:subtypes of )?([\w, ]+)", text
    )
    return (found.group(1), found.group(2).strip()) if found else ("", "")


def without_advice(error: Exception) -> str:
    """The message without the separator line and the advice about JAX's own tracebacks that follows it."""
    return str(error).split("\n\n--------------------", 1)[0].strip()
