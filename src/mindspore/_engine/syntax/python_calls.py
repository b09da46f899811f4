"""Calls in rewritten code: user functions are rewritten too, builtins are replaced by traceable ones."""

from __future__ import annotations

import builtins
import functools
import inspect
import sys
import threading
import types
from collections.abc import Callable, Iterable
from typing import Any

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.errors import GraphError, needs_value
from mindspore._engine.base.pytree import flatten
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution import host_callbacks
from mindspore._engine.operator import registry
from mindspore._engine.runtime import context
from mindspore._engine.syntax.operators import TracedRange, changes
from mindspore._engine.syntax.purity import changed_by
from mindspore._engine.syntax.texts import TracedText, as_repr, as_text, at_run_time, of_method, tensors_of, text
from mindspore._engine.tensor.tensor import Tensor, is_traced
from mindspore._engine.tensor.traced_number import (
    TracedNumber,
    as_number,
    is_plain_number,
    is_traced_number,
    kind_of,
)
from mindspore._engine.tracing import capture, effects
from mindspore._utils.deferred import deferred
from mindspore._utils.documented import written_in

_rewriter = deferred("mindspore._engine.syntax.rewriter")  # deferred: rewritten code calls back into this module
_CALLED_AS_IS = {"jax", "jaxlib", "numpy", "scipy", "ml_dtypes", *sys.stdlib_module_names} - {"__main__"}
# Of this package, networks and training loops are rewritten like user code.
_OWN_AS_IS = (
    "mindspore._",
    "mindspore.ops",
    "mindspore.common",
    "mindspore.numpy",
    "mindspore.nn.cell",
    "mindspore.train._mindir",
)
_FRAMES_PER_CALL = 40  # Python frames per user call, enclosing branches included
_MOST_FRAMES = 50_000  # limit of an ordinary C stack


def is_user_code(function: Any) -> bool:
    """Whether a Python function is rewritten: not the engine's, NumPy's or the standard library's."""
    module = written_in(function)
    if module.partition(".")[0] in _CALLED_AS_IS or module.startswith(_OWN_AS_IS):
        return False
    return not (function.__code__.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR))


def converted(function: Any) -> Any:
    """Mark a function that was defined in rewritten code."""
    function.is_rewritten = True
    return function


def resolve(function: Any) -> tuple[types.FunctionType | None, tuple]:
    """The Python function behind a callable and its bound arguments; None if it is called as it is."""
    kind = type(function)
    if kind is types.MethodType:
        inner, leading = resolve(function.__func__)
        return inner, (*leading, function.__self__)
    if kind is types.FunctionType:
        marked = function.__dict__.keys() & {"is_rewritten", "runs_at_compile_time", "op"}
        return (None, ()) if marked or not is_user_code(function) else (function, ())
    if kind in (types.BuiltinFunctionType, type) or isinstance(function, (type, Tensor)):
        return None, ()
    if hasattr(function, "construct") or hasattr(
        function, "identity"
    ):  # Cells and jitted functions dispatch by themselves
        return None, ()
    called: Any = kind.__call__
    return (called, (function,)) if type(called) is types.FunctionType and is_user_code(called) else (None, ())


class _Depth(threading.local):
    calls = 0


_depth = _Depth()


def call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Call a function from rewritten code."""
    if isinstance(function, functools.partial):
        return call(function.func, *function.args, *args, **{**function.keywords, **kwargs})
    if isinstance(function, (type, types.BuiltinFunctionType)):
        return _call_builtin(function, args, kwargs)
    target, leading = resolve(function)
    if target is None:
        inner = type(function) is types.FunctionType and "is_rewritten" in function.__dict__
        if inner:
            return _one_deeper(function, args, kwargs)
        _note_changes(function, args, kwargs)
        return function(*args, **kwargs)
    if leading and _takes_no_self(target, len(leading) + len(args)):
        leading = ()
    if state.scope is not None:
        state.scope.root.functions[target] = None
    _note_cells(leading)
    if target.__code__.co_flags & inspect.CO_GENERATOR:
        return effects.born(_rewriter.convert(target)(*leading, *args, **kwargs))
    if not _depth.calls:
        return _call_first(target, (*leading, *args), kwargs)
    return _one_deeper(_rewriter.convert(target), (*leading, *args), kwargs)


def _one_deeper(function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    """A call of rewritten code from rewritten code: MindSpore limits how many may be under way, Python's stack does too."""
    limit = context.state.max_call_depth
    if _depth.calls >= limit:
        raise too_deep(limit)
    _depth.calls += 1
    try:
        return function(*args, **kwargs)
    finally:
        _depth.calls -= 1


def _call_first(function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    """The outermost call: raise Python's recursion limit to fit max_call_depth."""
    _note_cells(capture.referenced(function))
    limit, before = context.state.max_call_depth, sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, min(limit * _FRAMES_PER_CALL, _MOST_FRAMES)))
    _depth.calls = 1
    try:
        return _rewriter.convert(function)(*args, **kwargs)
    except RecursionError:
        raise too_deep(limit) from None
    finally:
        _depth.calls = 0
        sys.setrecursionlimit(before)


def _takes_no_self(function: types.FunctionType, given: int) -> bool:
    """Whether a method was written without `self` and called with all its arguments, as MindSpore's graphs allow."""
    code = function.__code__
    if given != code.co_argcount + 1 or code.co_flags & inspect.CO_VARARGS or effects.counts():
        return False
    return not code.co_varnames or code.co_varnames[0] not in ("self", "cls")


def _note_cells(values: Iterable[Any]) -> None:
    """Note Cells whose methods run, or that a function references: a graph depends on their attributes."""
    if state.scope is not None:
        for value in values:
            if hasattr(type(value), "_enter_trace"):
                value._enter_trace()


def too_deep(limit: int) -> GraphError:
    """The error for an unbounded recursion, which Python would not end either."""
    error = GraphError(
        f"Exceed function call depth limit {limit}: functions call each other more deeply than max_call_depth allows while the "
        "graph is compiled. A recursion must end by a Python value, not by a Tensor's; if it does, raise the limit with "
        "set_context(max_call_depth=...)."
    )
    error.is_break = False
    return error


def _call_builtin(function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    try:
        overload = _BUILTINS.get(function)
    except TypeError:  # a bound method of an unhashable object
        overload = None
    if overload is not None:
        return overload(*args, **kwargs)
    owner = getattr(function, "__self__", None)
    if isinstance(owner, str) and (made := of_method(function, args, kwargs)) is not None:
        return made
    _note_changes(function, args, kwargs)
    # reduce, sorted and the like take callbacks, which must be rewritten as well.
    args = tuple([_rewritten(a) if type(a) is types.FunctionType else a for a in args])
    kwargs = {k: _rewritten(v) if type(v) is types.FunctionType else v for k, v in kwargs.items()}
    return function(*args, **kwargs)


def _note_changes(function: Any, args: tuple, kwargs: dict[str, Any]) -> None:
    if state.scope is not None:
        for one in changed_by(function, args, kwargs):
            changes(one)
        # a method that is handed on, to run where this does not see it
        _note_cells(one.__self__ for one in (function, *args, *kwargs.values()) if type(one) is types.MethodType)


def _rewritten(function: Any) -> Any:
    return function if resolve(function)[0] is None else functools.partial(call, function)


_LONGEST_TUPLE = 1 << 20


# -- builtins -------------------------------------------------------------------------------------------------------
def _range(*bounds: Any) -> Any:
    if not any(is_traced(b) for b in bounds):
        steps = range(*bounds)
        # a tuple where graphs are asked for: an axis, `range(3) + (5,)`; but no billion ints for `x in range(...)`
        own = state.scope is None or state.scope.root.faithful  # Python's, as outside of graphs
        return steps if own or len(steps) > _LONGEST_TUPLE else tuple(steps)
    if any(is_traced_number(b) for b in bounds):
        raise needs_value("range() of a number argument", "keep the number a constant.")
    start, stop, step = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    return TracedRange(start, stop, step)


def _print(*values: Any, **options: Any) -> None:
    if state.scope is None:
        print(*values, **options)
        return
    if options or not all(map(_is_of_graphs, flatten(values)[0])):
        _print_line(values, **options)
        return
    for value in values:
        value = as_text(value) if isinstance(value, TracedNumber) else value
        if isinstance(value, TracedText):
            host_callbacks.call(functools.partial(_print_text, value), tensors_of(value))
        else:
            registry.FUNCTIONS["print_"](value)


def _is_of_graphs(leaf: Any) -> bool:
    """Whether the operator Print knows such values; others are printed as Python prints them, in one line."""
    return leaf is None or isinstance(leaf, (bool, int, float, str, Tensor, TracedNumber, dtypes.DType, type))


def _print_line(values: tuple, sep: str | None = None, **options: Any) -> None:
    between = " " if sep is None else sep
    pieces: list[Any] = []
    for value in values:
        pieces += [between, as_text(value)] if pieces else [as_text(value)]
    line = text(*pieces)
    if isinstance(line, TracedText):
        host_callbacks.call(functools.partial(_print_text, line, **options), tensors_of(line))
    else:
        host_callbacks.call(functools.partial(print, line, **{"flush": True, **options}), [])


def _print_text(text: TracedText, *arrays: Any, **options: Any) -> None:
    print(at_run_time(text, iter(arrays)), **{"flush": True, **options})


def _cast(kind: type) -> Callable[..., Any]:
    def convert_to(*args: Any) -> Any:
        traced = len(args) == 1 and is_traced(args[0]) and args[0].size == 1
        return as_number(args[0], kind) if traced else kind(*args)

    return convert_to


def _isinstance(value: Any, kinds: Any) -> bool:
    if is_traced_number(value):
        listed = kinds if isinstance(kinds, tuple) else (kinds,)
        number = kind_of(value)
        return any(k is not Tensor and inspect.isclass(k) and issubclass(number, k) for k in listed)
    return isinstance(value, kinds)


def _type(*args: Any) -> Any:
    return kind_of(args[0]) if len(args) == 1 and is_traced_number(args[0]) else type(*args)


def _extreme(kind: Callable[..., Any], operator: str) -> Callable[..., Any]:
    def choose(*args: Any, **options: Any) -> Any:
        items = list(args[0]) if len(args) == 1 else list(args)
        if not any(map(is_traced, items)) or options:
            return kind(items, **options)
        found = functools.reduce(registry.FUNCTIONS[operator], items)
        return as_number(found) if all(map(is_plain_number, items)) else found

    return choose


def _all(items: Any) -> Any:
    return _gathered(items, False)


def _any(items: Any) -> Any:
    return _gathered(items, True)


def _gathered(items: Any, decisive: bool) -> Any:
    """Whether any item is of the decisive truth, or all are of the other; Python ends at the first that decides."""
    result: Any = not decisive
    for item in items:
        if is_traced(item) and item.size == 1:
            truth = as_number(item, bool)
            result = truth | result if decisive else truth & result
        elif bool(item) is decisive:
            return decisive
    return result


def _map(function: Any, *iterables: Any) -> Any:
    return map(functools.partial(call, function), *iterables)


def _filter(function: Any, items: Any) -> Any:
    return filter(functools.partial(call, function) if function else None, items)


def _setattr(owner: Any, name: str, value: Any) -> None:
    changes(owner, name)
    setattr(owner, name, value)


_BUILTINS: dict[Any, Callable[..., Any]] = {
    builtins.range: _range, builtins.print: _print, builtins.isinstance: _isinstance, builtins.map: _map,
    builtins.filter: _filter, builtins.all: _all, builtins.any: _any, builtins.str: as_text, builtins.repr: as_repr,
    builtins.setattr: _setattr,
    builtins.int: _cast(int), builtins.float: _cast(float), builtins.bool: _cast(bool), builtins.type: _type,
    builtins.max: _extreme(max, "maximum"), builtins.min: _extreme(min, "minimum"),
}  # fmt: skip
