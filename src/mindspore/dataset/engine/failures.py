"""Errors of a running pipeline."""

from __future__ import annotations


def pipeline_error(text: str) -> RuntimeError:
    """A RuntimeError in the form of real MindSpore: a summary, a banner, the details.

    >>> print(pipeline_error("Invalid data, no data."))
    Invalid data, no data.
    <BLANKLINE>
    ------------------------------------------------------------------
    - Dataset Pipeline Error Message:
    ------------------------------------------------------------------
    [ERROR] Invalid data, no data.
    """
    first = text.split("\n", 1)[0]
    line = "-" * 66
    return RuntimeError(f"{first}\n\n{line}\n- Dataset Pipeline Error Message:\n{line}\n[ERROR] {text}")
