"""On-disk cache of rewritten functions, next to compiled programs.

The cache key is a hash of the user's code object: a function that was edited, or moved within its file, is rewritten again.
An entry is executed: it lies in the private folder of compiled programs, and its digest is checked before it is decoded.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.util
import marshal
import os
import tempfile
import types
import zlib
from pathlib import Path
from typing import Any

from mindspore._engine.runtime import compile_cache

_DIGEST = hashlib.sha256().digest_size
_MOST_BYTES = 16_000_000


def load(code: types.CodeType) -> types.CodeType | None:
    """The cached rewrite of this code object, or None."""
    path = _path(code)
    if path is None:
        return None
    try:
        with open(path, "rb") as file:
            content = file.read(_MOST_BYTES)
        if hashlib.sha256(content[:-_DIGEST]).digest() != content[-_DIGEST:]:
            return None
        found = marshal.loads(zlib.decompress(content[:-_DIGEST]))
    except (OSError, zlib.error, EOFError, ValueError, TypeError):
        return None
    return found if isinstance(found, types.CodeType) else None


def store(code: types.CodeType, rewritten: types.CodeType) -> None:
    """Cache a rewrite. I/O errors are ignored: the next process rewrites again."""
    path = _path(code)
    content = zlib.compress(marshal.dumps(rewritten), 1)
    if path is None or len(content) + _DIGEST > _MOST_BYTES:
        return
    with contextlib.suppress(OSError):
        handle, draft = tempfile.mkstemp(suffix=compile_cache.DRAFT, dir=os.path.dirname(path))
        try:
            with open(handle, "wb") as file:
                file.write(content + hashlib.sha256(content).digest())  # behind: a compressed frame may be followed
            os.replace(draft, path)
        except BaseException:
            os.unlink(draft)
            raise


def _path(code: types.CodeType) -> str | None:
    folder = compile_cache.folder()
    if folder is None:
        return None
    digest = hashlib.sha256(_version())
    _add(digest, code)
    return os.path.join(folder, f"rewritten-{digest.hexdigest()[:40]}{compile_cache.SUFFIX}")


def _add(digest: Any, code: types.CodeType) -> None:
    """Hash all of a code object; marshal's bytes are not deterministic between processes."""
    digest.update(code.co_code + code.co_linetable + code.co_exceptiontable)
    plain = (code.co_filename, code.co_qualname, code.co_firstlineno, code.co_flags, code.co_names, code.co_varnames,
             code.co_freevars, code.co_cellvars, code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount)  # fmt: skip
    digest.update(repr(plain).encode())
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            _add(digest, constant)
        else:
            digest.update(_text(constant).encode())


def _text(constant: Any) -> str:
    if isinstance(constant, frozenset):  # its iteration order depends on the process
        return f"frozenset{sorted(map(_text, constant))}"
    return f"{type(constant).__name__} {constant!r}"


@functools.cache
def _version() -> bytes:
    """Hash of the rewriter's sources and Python's bytecode version."""
    digest = hashlib.sha256(importlib.util.MAGIC_NUMBER)
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.digest()
