"""``mindspore.ops._primitive_cache``: Primitives that are made once for the same arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore._engine.operator.primitive import Primitive

__all__ = ["_get_cache_prim"]

_made: dict[tuple, Primitive] = {}


def _get_cache_prim(cls: type[Primitive]) -> Callable[..., Primitive]:
    """The class as a function that returns the same Primitive for the same arguments.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> from mindspore.ops._primitive_cache import _get_cache_prim
        >>> mean = _get_cache_prim(ops.ReduceMean)(True)
        >>> mean is _get_cache_prim(ops.ReduceMean)(True), print(mean(Tensor([1.0, 3.0])))
        [2.]
        (True, None)
    """
    if not (isinstance(cls, type) and issubclass(cls, Primitive)):
        raise TypeError(f"For '_get_cache_prim', the 'cls' must be a Primitive class, but got {cls!r}.")

    def make(*args: Any, **kwargs: Any) -> Primitive:
        key = (cls, repr(args), repr(sorted(kwargs.items())))
        try:
            hash((args, tuple(kwargs.values())))
        except TypeError:  # unhashable arguments: not cached
            return cls(*args, **kwargs)
        if key not in _made:
            _made[key] = cls(*args, **kwargs)
        return _made[key]

    return make
