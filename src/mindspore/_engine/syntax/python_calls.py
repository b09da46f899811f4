"""Calls inside rewritten code: the user's functions are rewritten too, builtins learn about traced Tensors."""

from __future__ import annotations

import builtins
import functools
import inspect
import sys
import types
from collections.abc import Callable
from typing import Any

from mindspore._engine import dtype as dtypes
from mindspore._engine import registry
from mindspore._engine.syntax.operators import TracedRange, and_, or_
from mindspore._engine.syntax.values import is_traced
from mindspore._engine.tensor import Tensor
from mindspore._engine.failures import needs_value

_OWN = {"mindspore", "jax", "jaxlib", "numpy", "scipy", "ml_dtypes", "malt"}
_CALLED_AS_IS = _OWN | set(sys.stdlib_module_names)


def is_user_code(function: Any) -> bool:
    """Whether a Python function is to be rewritten: not ours, not NumPy's, not the standard library's."""
    module = getattr(function, "__module__", None) or ""
    root = module.partition(".")[0]
    if root == "__main__" or root not in _CALLED_AS_IS:
        return not (inspect.isgeneratorfunction(function) or inspect.iscoroutinefunction(function))
    return False


def resolve(function: Any) -> tuple[types.FunctionType | None, tuple]:
    """The Python function behind a callable and its leading arguments, or None when it is to be called as it is."""
    if hasattr(function, "construct") or hasattr(function, "identity") or hasattr(function, "runs_at_compile_time"):
        return None, ()
    if hasattr(function, "autograph_info__") or inspect.isclass(function):
        return None, ()
    if inspect.ismethod(function):
        inner, leading = resolve(function.__func__)
        return inner, (*leading, function.__self__)
    if inspect.isfunction(function):
        return (function, ()) if is_user_code(function) else (None, ())
    call = getattr(type(function), "__call__", None)
    if inspect.isfunction(call) and is_user_code(call):
        return call, (function,)
    return None, ()


def call(function: Any, args: tuple, kwargs: dict[str, Any], convert: Callable[[Any], Any]) -> Any:
    """Call a function from rewritten code."""
    if isinstance(function, functools.partial):
        return call(function.func, (*function.args, *args), {**function.keywords, **kwargs}, convert)
    overload = _BUILTINS.get(function) if isinstance(function, (type, types.BuiltinFunctionType)) else None
    if overload is not None:
        return overload(*args, **kwargs)
    target, leading = resolve(function)
    if target is None:
        return function(*args, **kwargs)
    return convert(target)(*leading, *args, **kwargs)


# -- builtins -------------------------------------------------------------------------------------------------------
def _range(*bounds: Any) -> Any:
    if not any(is_traced(b) for b in bounds):
        return range(*bounds)
    if any(is_traced(b) and b._value.weak_type for b in bounds):
        raise needs_value("range() of a number argument", "keep the number a constant.")
    start, stop, step = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    return TracedRange(start, stop, step)


def _print(*values: Any, **options: Any) -> Any:
    return registry.FUNCTIONS["print_"](*values)


def _cast(kind: type, dtype: dtypes.DType) -> Callable[..., Any]:
    def convert(*args: Any) -> Any:
        return args[0].astype(dtype) if len(args) == 1 and is_traced(args[0]) else kind(*args)

    return convert


def _isinstance(value: Any, kinds: Any) -> bool:
    if is_traced(value) and value._value.weak_type:  # a number that became an input of the graph
        listed = kinds if isinstance(kinds, tuple) else (kinds,)
        number = float if value.dtype.is_floating else int
        return any(k is not Tensor and inspect.isclass(k) and issubclass(number, k) for k in listed)
    return isinstance(value, kinds)


def _extreme(kind: Callable[..., Any], operator: str) -> Callable[..., Any]:
    def choose(*args: Any, **options: Any) -> Any:
        items = list(args[0]) if len(args) == 1 else list(args)
        if not any(map(is_traced, items)) or options:
            return kind(*args, **options)
        return functools.reduce(registry.FUNCTIONS[operator], items)

    return choose


def _all(items: Any) -> Any:
    return functools.reduce(lambda a, b: and_(lambda: a, lambda: b), items, True)


def _any(items: Any) -> Any:
    return functools.reduce(lambda a, b: or_(lambda: a, lambda: b), items, False)


def _map(function: Any, *iterables: Any) -> Any:
    return [_caller(function, items, {}) for items in zip(*iterables)]


def _filter(function: Any, items: Any) -> Any:
    return [item for item in items if (_caller(function, (item,), {}) if function else item)]


def set_caller(caller: Callable[[Any, tuple, dict], Any]) -> None:
    """How map and filter call the user's function."""
    global _caller
    _caller = caller


_caller: Callable[[Any, tuple, dict], Any]
_BUILTINS: dict[Any, Callable[..., Any]] = {
    builtins.range: _range, builtins.print: _print, builtins.isinstance: _isinstance, builtins.map: _map,
    builtins.filter: _filter, builtins.all: _all, builtins.any: _any,
    builtins.int: _cast(int, dtypes.int64), builtins.float: _cast(float, dtypes.float32),
    builtins.bool: _cast(bool, dtypes.bool_), builtins.max: _extreme(max, "maximum"), builtins.min: _extreme(min, "minimum"),
}  # fmt: skip
