"""raise and assert in graphs: during the trace if Python decides, otherwise as a host callback when the graph runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from mindspore._engine.base.errors import needs_value
from mindspore._engine.base.pytree import flatten, unflatten
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution import host_callbacks
from mindspore._engine.syntax.texts import at_run_time, tensors_of
from mindspore._engine.tensor.tensor import Tensor, is_traced
from mindspore._engine.tensor.traced_number import TracedNumber


def raised(error: Any) -> BaseException:
    """The operand of `raise` in rewritten code."""
    error = error() if isinstance(error, type) and issubclass(error, BaseException) else error
    return mark_deliberate(error) if isinstance(error, Exception) else error


def mark_deliberate(error: Any, in_graph: bool = False) -> Any:
    """Mark an error as raised by the user's program; ``in_graph``: the graph raises it by itself already."""
    try:
        error._deliberate = True
        error._in_graph = in_graph
    except AttributeError:  # an exception class with slots: treated as a compilation error
        pass
    return error


def is_deliberate(error: BaseException) -> bool:
    return getattr(error, "_deliberate", False)


def stop_with(error: Any) -> None:
    """Make the graph raise the error at this point, with Tensor values formatted into its message."""
    if error._in_graph:
        return
    _refuse_inside_try()
    leaves, description = flatten(tuple(error.args))
    tensors = [tensor for leaf in leaves for tensor in tensors_of(leaf)]

    def stop(*arrays: Any) -> None:
        supply = iter(arrays)
        arguments = unflatten(description, iter([_value_of(leaf, supply) for leaf in leaves]))
        raise _rebuilt(error, arguments)

    host_callbacks.call(stop, tensors, ordered=False)


def _value_of(leaf: Any, supply: Iterator[Any]) -> Any:
    """What the program put into the error: Tensors are Tensors again."""
    if not is_traced(leaf):
        return at_run_time(leaf, supply)
    array = np.asarray(next(supply))
    return leaf.number(array.item()) if isinstance(leaf, TracedNumber) else Tensor.wrap(array)


class trying:  # noqa: N801
    """Context manager around the body of a `try` that has handlers: what the graph raises by itself does not reach them."""

    def __enter__(self) -> None:
        self.scope = None if state.scope is None else state.scope.root
        if self.scope is not None:
            self.scope.trying += 1

    def __exit__(self, *_: object) -> None:
        if self.scope is not None:
            self.scope.trying -= 1


def _refuse_inside_try() -> None:
    if state.scope is not None and state.scope.root.trying:
        raise needs_value("An error that a Tensor decides about, inside `try`", "select the value: ops.where(...).")


def _rebuilt(error: Exception, arguments: tuple) -> Exception:
    try:
        return type(error)(*arguments)
    except Exception:  # its constructor does not take its args
        return error


def assert_stmt(condition: Any, message: Any) -> None:
    """assert condition, message()"""
    if not is_traced(condition):
        if not condition:
            raise mark_deliberate(AssertionError(*([] if message is None else [message()])))
        return
    _refuse_inside_try()
    if condition.size != 1:
        raise needs_value("assert on a Tensor of several elements", "assert (...).all().")
    text = None if message is None else message()
    tensors = [condition, *tensors_of(text)]

    def check(held: Any, *arrays: Any) -> None:
        if not held:
            raise AssertionError(*([] if text is None else [_value_of(text, iter(arrays))]))

    host_callbacks.call(check, tensors, ordered=False)
