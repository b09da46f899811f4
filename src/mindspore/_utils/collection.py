"""Python's garbage collector while the package is imported.

An import makes a hundred thousand objects that last as long as the program. The collector would look at all of them
several times meanwhile, in every full collection later, and once more when the program ends: a third of a second.
"""

from __future__ import annotations

import gc

_FEW = 50_000  # objects of a program that has only just begun
_paused = _at_the_beginning = False


def pause() -> None:
    """Before the import."""
    global _paused, _at_the_beginning
    _paused = gc.isenabled()
    _at_the_beginning = len(gc.get_objects()) < _FEW
    gc.disable()


def resume() -> None:
    """After the import: what is there now lasts. What a program has made before may not, so then nothing is set aside."""
    if _at_the_beginning:
        gc.freeze()
    if _paused:
        gc.enable()
