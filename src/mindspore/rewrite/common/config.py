"""What rewriting keeps between calls."""

from __future__ import annotations

import linecache


def clear_caches() -> None:
    """Forget the sources of modules, which are read again by the next SymbolTree."""
    linecache.clearcache()
