"""Translate errors of XLA and jax into errors about the user's own call."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Sequence
from typing import Any

import jax

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base import unsettled_writes
from mindspore._engine.base.jax_errors import (
    allocated_bytes,
    is_about_shapes,
    is_out_of_memory,
    refused_dtype,
    without_advice,
)
from mindspore._engine.base.python_refusals import as_in_graphs
from mindspore._engine.base.trace_state import state
from mindspore._engine.base.user_frames import users_lines
from mindspore._utils.hints import MissingName
from mindspore._utils.refusals import several, type_or_value
from mindspore._utils.user_call import called_as

_OURS = ("For '", "For primitive")  # prefixes of our own error messages


class GraphError(RuntimeError):
    """A function cannot be compiled; the message says where and what to write instead."""

    is_break: bool = True  # whether Python can run it


class GraphBreak(GraphError):
    """Python has to run here: it needs the value of a Tensor, or does something that a graph would lose."""

    reason: str = ""
    fix: str = ""


def graph_break(text: str, reason: str, fix: str) -> GraphBreak:
    """The break, remembered by the trace it ends: a program that catches it has not been traced faithfully."""
    found = GraphBreak(text)
    found.reason, found.fix = reason, fix
    if state.scope is not None and state.scope.root.broken is None:
        state.scope.root.broken = found
    return found


def needs_value(what: str, instead: str) -> GraphError:
    """The error for Python code that needs a concrete value of a tracer."""
    return graph_break(
        f"{what} needs the value of a Tensor, but while a graph is compiled the value is not known yet.\n"
        f"What to write instead: {instead}\n"
        "Or run this part in PyNative mode: set_context(mode=PYNATIVE_MODE), without jit around it.",
        f"{what} needs the value of a Tensor",
        instead,
    )


def breaks(error: Exception, reason: str = "", fix: str = "") -> Exception:
    """Mark an error about what a graph cannot hold and Python can."""
    error.reason, error.fix, error.is_break = reason, fix, True  # type: ignore[attr-defined]
    return error


def is_break(error: BaseException) -> bool:
    """Whether running the code as Python may succeed where its trace has failed."""
    return getattr(error, "is_break", isinstance(error, GraphError))


def describe(values: Sequence[Any]) -> str:
    """The inputs of an operator in a few words: Tensor[Float32](2, 3), 2.0, ..."""
    words = []
    for value in values:
        if hasattr(value, "shape") and hasattr(value, "dtype"):
            try:
                name = "String" if is_text(value) else str(dtypes.from_numpy(value.dtype))
            except TypeError:
                name = str(value.dtype)
            words.append(f"Tensor[{name}]{tuple(value.shape)}")
        else:
            words.append(repr(value))
    return ", ".join(words) or "no input"


def is_text(array: Any) -> bool:
    """Whether an array holds strings, which stay on the host."""
    return getattr(array.dtype, "kind", "") in "US"


class LostProcess(RuntimeError):
    """A peer process of the job is gone, so its collectives cannot complete."""

    def __init__(self, reason: str):
        super().__init__(
            "The processes of the job cannot go on together: another one has ended, or cannot be reached. Its own error is in its "
            f"log; look there first. Reason: {reason}"
        )


class OutOfMemory(MemoryError, RuntimeError):
    """There is not enough memory for a computation. Parameters and state are as they were before."""


def out_of_memory(name: str, needed: int, tensors: str) -> OutOfMemory:
    """The error for a computation that could not get its memory; unfinished writes of Parameters are undone."""
    unsettled_writes.settle(wait=True)
    size = f" {needed:,} bytes ({needed / 2**30:.2f} GiB) at once, which are" if needed else " more than is"
    return OutOfMemory(
        f"For '{name}', there is not enough memory: it needs{size} not to be had. It computes with {tensors}. Parameters and "
        "optimizer states are as they were before the call. Use smaller batches, gradient accumulation, recompute() on Cells, or "
        "a smaller dtype."
    )


def explain(error: Exception, name: str, values: Sequence[Any]) -> Exception:
    """The exception to raise for a failed kernel: same class, without frames and terms of the layers below."""
    text = without_advice(error)
    if isinstance(error, LostProcess):
        return error
    if isinstance(error, OutOfMemory):
        return error
    if text.startswith(_OURS) or isinstance(error, (GraphError, RecursionError)):
        return _same_kind(error, text)
    if text.startswith("the '"):  # an operator's own check, which does not know the name it was called by
        return _same_kind(error, f"For '{name}', {text}{called_as()}")
    if isinstance(error, jax.errors.UnexpectedTracerError):
        return GraphError(
            f"For '{name}', one of the inputs was computed inside a compiled function and kept after it ended "
            "(in a list, a global or an attribute). Return it from the function instead."
        )
    if isinstance(error, jax.errors.ConcretizationTypeError):
        return needs_value(
            f"'{name}'", "pass the number as a Python value, or use an operator that takes a Tensor there."
        )
    if isinstance(error, jax.errors.JaxRuntimeError) and is_out_of_memory(error):
        return out_of_memory(name, allocated_bytes(error), describe(values))
    if isinstance(error, jax.errors.JaxRuntimeError):
        return RuntimeError(f"For '{name}', the operator failed on the device with inputs {describe(values)}: {text}")
    if any(is_text(value) for value in values if hasattr(value, "dtype")):
        return TypeError(
            f"For '{name}', the inputs must be Tensors of numbers or bools, but got {describe(values)}. Strings stay outside of "
            f"operators: turn them into numbers first, for example with dataset.text.Lookup.{called_as()}"
        )
    dtype, taken = refused_dtype(text)
    if dtype:
        return several(TypeError, ValueError)(
            f"For '{name}', the input must be a Tensor of {_in_words(taken)} dtype, but got {describe(values)}. Convert it with "
            f"astype(mindspore.float32).{called_as()}"
        )
    text_of_all = f"For '{name}', the inputs do not fit together: {describe(values)}. Reason: {text}"
    return _unfit(error, text)(text_of_all + called_as())


def _in_words(kinds: str) -> str:
    """Kinds of dtypes, as XLA calls them, in the words of other messages."""
    words = {
        "floating": "floating-point",
        "complexfloating": "complex",
        "signedinteger": "integer",
        "number": "integer, floating-point",
    }
    return " or ".join(
        dict.fromkeys(
            words.get(kind.strip(), kind.strip()) for kind in kinds.replace(" and ", ",").split(",") if kind.strip()
        )
    )


def _unfit(error: Exception, text: str) -> type[Exception]:
    """The exception class for invalid operands, which no check of ours named: jax and Python raise what their own code meets first."""
    if isinstance(error, (IndexError, ZeroDivisionError)) or is_about_shapes(text):
        return several(ValueError, TypeError)
    kind = next((kind for kind in (TypeError, ValueError, OverflowError) if isinstance(error, kind)), RuntimeError)
    return type_or_value(kind) if kind in (TypeError, ValueError) else kind


def _same_kind(error: Exception, text: str, kind: type[Exception] | None = None) -> Exception:
    if isinstance(error, MissingName):  # its message is made when it is read
        error.args = (text,)
        return error
    try:
        made = (kind or type(error))(text)
    except Exception:
        made = RuntimeError(text)
    for name in ("reason", "fix", "is_break"):
        if name in getattr(error, "__dict__", ()):
            setattr(made, name, error.__dict__[name])
    return made


def _with_note(error: Exception, note: str) -> Exception:
    """An error that the program raises says what the program wrote; where it came from is told below it."""
    found = copy.copy(error)
    found.__dict__.update(error.__dict__)
    found.__notes__ = [*getattr(error, "__notes__", ()), note]
    return found


def returned_nothing(function: Any) -> str:
    """The clause about a function or Cell that returned None: its name, location, and the likely cause."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    if not inspect.isroutine(function) and hasattr(type(function), "construct"):
        function = function.__dict__.get("construct") or type(function).construct
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    name = str(getattr(function, "__qualname__", type(function).__name__)).replace("<locals>.", "")
    location = "" if code is None else f" ({code.co_filename}:{code.co_firstlineno})"
    return f"'{name}'{location} returned None. Does it end with 'return'?"


def located(error: Exception, name: str) -> Exception:
    """The error of a failed compilation, with the user's stack that led to it."""
    if getattr(error, "is_located", False):
        return error
    if isinstance(error, (jax.errors.JAXTypeError, jax.errors.JAXIndexError)):
        error = explain(error, name, [])
    frames = users_lines(error)
    lines = [f'  File "{file}", line {line}, in {function}\n    {source}' for file, line, function, source in frames]
    where = "\n".join(lines) or "  (no source line is known)"
    where = f"While compiling '{name}':\n{where}"
    if getattr(error, "_deliberate", False):
        found = _with_note(error, where)
    elif isinstance(error, KeyError):  # whose words are the key
        found = _with_note(as_in_graphs(error, "")(*error.args), where)
    else:
        text = error.args[0] if len(error.args) == 1 and isinstance(error.args[0], str) else str(error)
        if isinstance(error, NameError) and text == f"name '{error.name}' is not defined":
            text = f"The name '{error.name}' is not defined where the graph reads it."
        found = _same_kind(error, f"{text}\n\n{where}", as_in_graphs(error, text))
    found.is_located, found.frames = True, frames  # type: ignore[attr-defined]
    found.is_final = getattr(error, "is_final", False)  # type: ignore[attr-defined]
    return found
