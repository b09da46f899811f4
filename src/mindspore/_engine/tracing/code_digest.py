"""Digests of code objects that are the same in every process."""

from __future__ import annotations

import types
from typing import Any


def add_code(digest: Any, code: types.CodeType) -> None:
    """Hash all of a code object; marshal's bytes are not deterministic between processes."""
    digest.update(code.co_code + code.co_linetable + code.co_exceptiontable)
    plain = (code.co_filename, code.co_qualname, code.co_firstlineno, code.co_flags, code.co_names, code.co_varnames,
             code.co_freevars, code.co_cellvars, code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount)  # fmt: skip
    digest.update(repr(plain).encode())
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            add_code(digest, constant)
        else:
            digest.update(_text(constant).encode())


def _text(constant: Any) -> str:
    if isinstance(constant, frozenset):  # its iteration order depends on the process
        return f"frozenset{sorted(map(_text, constant))}"
    return f"{type(constant).__name__} {constant!r}"
