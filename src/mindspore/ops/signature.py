"""What an argument of a Primitive is: read or written, how it may be given, and whose dtype it shares."""

from __future__ import annotations

from enum import Enum
from typing import Any, NamedTuple

__all__ = ["Signature", "make_sig", "sig_dtype", "sig_kind", "sig_rw"]


class sig_rw(Enum):  # noqa: N801 - MindSpore's name
    """Whether an argument is read, written, or a reference."""

    RW_READ = 0
    RW_WRITE = 1
    RW_REF = 2
    RW_EMPTY_DEFAULT_VALUE = 3


class sig_kind(Enum):  # noqa: N801 - MindSpore's name
    """How an argument may be given, as in Python."""

    KIND_POSITIONAL_KEYWORD = 0
    KIND_VAR_POSITIONAL = 1
    KIND_KEYWORD_ONLY = 2
    KIND_VAR_KEYWARD = 3
    KIND_EMPTY_DEFAULT_VALUE = 4


class sig_dtype(Enum):  # noqa: N801 - MindSpore's name
    """Type variables: arguments that share a member are promoted to a common dtype."""

    T = 0
    T1 = 1
    T2 = 2
    T3 = 3
    T4 = 4
    T5 = 5
    T6 = 6
    T7 = 7
    T8 = 8
    T9 = 9
    T_EMPTY_DEFAULT_VALUE = 10


class Signature(NamedTuple):
    """The signature of an argument."""

    name: str
    rw: sig_rw
    kind: sig_kind
    default: Any
    dtype: sig_dtype


def make_sig(
    name: str = "var",
    rw: sig_rw = sig_rw.RW_READ,
    kind: sig_kind = sig_kind.KIND_POSITIONAL_KEYWORD,
    default: Any = sig_kind.KIND_EMPTY_DEFAULT_VALUE,
    dtype: sig_dtype = sig_dtype.T_EMPTY_DEFAULT_VALUE,
) -> Signature:
    """The signature of an argument, for ``__mindspore_signature__`` of a Primitive.

    Parameters are written wherever a program assigns to them, so that it describes here and decides nothing.

    Examples:
        >>> from mindspore.ops import signature as sig
        >>> made = sig.make_sig("param", sig.sig_rw.RW_WRITE, dtype=sig.sig_dtype.T)
        >>> made.name, made.rw.name, made.dtype.name
        ('param', 'RW_WRITE', 'T')
    """
    return Signature(name, rw, kind, default, dtype)
