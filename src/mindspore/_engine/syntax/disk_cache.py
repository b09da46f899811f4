"""On-disk cache of rewritten functions, next to compiled programs.

The cache key is a hash of the user's code object: a function that was edited, or moved within its file, is rewritten again.
An entry is executed: it lies in the private folder of compiled programs, and its digest is checked before it is decoded.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import marshal
import types
from pathlib import Path

from mindspore._engine.runtime import cache_entry
from mindspore._engine.tracing.code_digest import add_code

_MOST_BYTES = 16_000_000


def load(code: types.CodeType) -> types.CodeType | None:
    """The cached rewrite of this code object, or None."""
    path = _path(code)
    content = None if path is None else cache_entry.read(path, _MOST_BYTES)
    if content is None:
        return None
    try:
        found = marshal.loads(content)
    except (EOFError, ValueError, TypeError):
        return None
    return found if isinstance(found, types.CodeType) else None


def store(code: types.CodeType, rewritten: types.CodeType) -> None:
    """Cache a rewrite."""
    path = _path(code)
    if path is not None:
        cache_entry.write(path, marshal.dumps(rewritten), _MOST_BYTES)


def _path(code: types.CodeType) -> str | None:
    digest = hashlib.sha256(_version())
    add_code(digest, code)
    return cache_entry.path_of("rewritten", digest.hexdigest())


@functools.cache
def _version() -> bytes:
    """Hash of the rewriter's sources and Python's bytecode version."""
    digest = hashlib.sha256(importlib.util.MAGIC_NUMBER)
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.digest()
