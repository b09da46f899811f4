"""AutoGraph with our operators, and errors that point at the user's own lines."""

from __future__ import annotations

import functools
import linecache
import types
from collections.abc import Callable
from typing import Any

# Loaded with the first graph: importing the rewriter takes longer than importing this package.
from malt.core import converter
from malt.impl import api
from malt.operators import function_wrappers, py_builtins
from malt.pyct import errors as malt_errors
from malt.pyct import origin_info

from mindspore._engine import calls, failures
from mindspore._engine.failures import GraphError
from mindspore._engine.syntax import operators, python_calls
from mindspore._engine.syntax.values import Undefined, is_traced
from mindspore._utils import log

_OPTIONS = converter.ConversionOptions(recursive=True, user_requested=False, optional_features=(converter.Feature.ASSERT_STATEMENTS, converter.Feature.BUILTIN_FUNCTIONS))
_source_maps: dict[str, dict] = {}  # generated file -> line -> the user's line


class _FunctionScope(function_wrappers.FunctionScope):
    """The frame of a rewritten function."""

    def ret(self, value: Any, did_return: Any) -> Any:
        if is_traced(did_return):
            raise GraphError(
                f"'{self.name}' returns a value only when a Tensor condition holds. Add a `return` for the other case."
            )
        return super().ret(value, did_return)


class _Rewriter(api.PyToPy):
    """Rewrites one function; rewritten code finds the operators under the name ag__."""

    def get_extra_locals(self) -> dict[str, Any]:
        if self._extra_locals is None:
            namespace = super().get_extra_locals()["ag__"]
            for name in ("if_stmt", "if_exp", "while_stmt", "for_stmt", "and_", "or_", "not_", "assert_stmt", "ld", "ldu"):
                setattr(namespace, name, getattr(operators, name))
            namespace.Undefined = Undefined
            namespace.FunctionScope = _FunctionScope
            namespace.converted_call = converted_call
            self._extra_locals = {"ag__": namespace}
        return self._extra_locals


_rewriter = _Rewriter()
_context = converter.ProgramContext(options=_OPTIONS)


def convert(function: types.FunctionType) -> Callable[..., Any]:
    """The function in the form a graph can follow; the function itself when its source cannot be read."""
    cached = _converted.get(function)
    if cached is None:
        cached = _converted[function] = _convert(function)
        while len(_converted) > 4096:
            _converted.pop(next(iter(_converted)))
    return cached


_converted: dict[Any, Callable[..., Any]] = {}


def _convert(function: types.FunctionType) -> Callable[..., Any]:
    try:
        rewritten, module, source_map = _rewriter.transform(function, _context)
    except malt_errors.UnsupportedLanguageElementError as error:
        if function.__name__ == "<lambda>":  # several lambdas on one line: none of them can be told apart in the source
            return function
        raise GraphError(f"{_place(function)} cannot be compiled: {error}.") from None
    except (malt_errors.InaccessibleSourceCodeError, OSError, SyntaxError, ValueError) as error:
        log.once(f"source:{function.__code__}", f"The source of {_place(function)} cannot be read ({error}); it runs in "
                 "graphs as it is, without `if` and loops on Tensor values.", "info")  # fmt: skip
        return function
    _source_maps[module.__file__] = source_map
    return rewritten


def _place(function: Any) -> str:
    code = function.__code__
    return f"'{function.__qualname__}' ({code.co_filename}:{code.co_firstlineno})"


def call(function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    """Call a user's function inside a trace."""
    return python_calls.call(function, args, kwargs, convert)


def converted_call(function: Any, args: tuple, kwargs: dict[str, Any] | None, caller_fn_scope: Any = None,
                   options: Any = None) -> Any:  # fmt: skip
    """What rewritten code does in place of every call."""
    if function is super:
        return py_builtins.super_in_original_context(function, args, caller_fn_scope)
    if function is locals:
        return py_builtins.locals_in_original_context(caller_fn_scope)
    if function is globals:
        return py_builtins.globals_in_original_context(caller_fn_scope)
    return call(function, args, kwargs or {})


def user_frames(error: BaseException) -> list[tuple[str, int, str, str]]:
    """The user's own lines on the way to an error: file, line, function, source; outermost first."""
    frames = []
    trace = error.__traceback__
    while trace is not None:
        code, line = trace.tb_frame.f_code, trace.tb_lineno
        origin = _source_maps.get(code.co_filename, {}).get(origin_info.LineLocation(code.co_filename, line))
        if origin is not None:
            place = (origin.loc.filename, origin.loc.lineno, origin.function_name, origin.source_code_line.strip())
            frames.append(place)
        elif code.co_filename not in _source_maps and not _is_internal(code.co_filename):
            text = linecache.getline(code.co_filename, line).strip()
            frames.append((code.co_filename, line, code.co_name, text))
        trace = trace.tb_next
    return [f for i, f in enumerate(frames) if i == 0 or f[:2] != frames[i - 1][:2]]


@functools.cache
def _is_internal(path: str) -> bool:
    folders = ("mindspore/_engine/", "mindspore/_ops/", "mindspore/_utils/", "/jax/", "/malt/", "mindspore/nn/cell.py")
    return path.startswith("<") or any(folder in path.replace("\\", "/") for folder in folders)


calls.convert_and_call = call
python_calls.set_caller(call)
failures.user_frames = user_frames
