"""What rewritten code calls in place of if, while, for, and, or, not and assert."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from mindspore._engine.dispatch import run
from mindspore._engine.kernel import Kernel
from mindspore._engine.syntax.branches import conditional
from mindspore._engine.syntax.loops import as_condition, traced_while
from mindspore._engine.syntax.values import Undefined, is_traced
from mindspore._engine.tensor import Tensor
from mindspore._utils import log

GetState = Callable[[], tuple]
SetState = Callable[[tuple], None]

_logical_and = Kernel("LogicalAnd", jnp.logical_and)
_logical_or = Kernel("LogicalOr", jnp.logical_or)
_logical_not = Kernel("LogicalNot", jnp.logical_not)
_less = Kernel("Less", lambda i, stop, step: jnp.where(step > 0, i < stop, i > stop))
_next = Kernel("Add", lambda i, step: i + step)

_LONG_LOOP = 2000  # an unrolled loop beyond this takes XLA minutes


# -- if ---------------------------------------------------------------------------------------------------------------
def if_stmt(cond: Any, body: Callable[[], None], orelse: Callable[[], None], get_state: GetState, set_state: SetState,
            symbol_names: Sequence[str], nouts: int) -> None:  # fmt: skip
    if not is_traced(cond):
        (body if cond else orelse)()
        return
    before = get_state()

    def branch(code: Callable[[], None]) -> Callable[[], Sequence[Any]]:
        def run_it() -> Sequence[Any]:
            set_state(before)
            try:
                code()
                return get_state()
            finally:
                set_state(before)

        return run_it

    set_state(tuple(conditional(cond, [branch(body), branch(orelse)], symbol_names)))


def if_exp(cond: Any, if_true: Callable[[], Any], if_false: Callable[[], Any], expr_repr: str) -> Any:
    if not is_traced(cond):
        return if_true() if cond else if_false()
    return conditional(cond, [lambda: (if_true(),), lambda: (if_false(),)], [f"{expr_repr}"])[0]


# -- while and for --------------------------------------------------------------------------------------------------
def while_stmt(test: Callable[[], Any], body: Callable[[], None], get_state: GetState, set_state: SetState,
               symbol_names: Sequence[str], opts: Any) -> None:  # fmt: skip
    while True:
        condition = test()
        if is_traced(condition):
            traced_while(test, body, get_state, set_state, symbol_names)
            return
        if not condition:
            return
        body()


class TracedRange:
    """range() with a bound that is known only when the graph runs."""

    def __init__(self, start: Any, stop: Any, step: Any):
        self.start, self.stop, self.step = start, stop, step


def for_stmt(iter_: Any, extra_test: Callable[[], Any] | None, body: Callable[[Any], None], get_state: GetState,
             set_state: SetState, symbol_names: Sequence[str], opts: Any) -> None:  # fmt: skip
    if isinstance(iter_, TracedRange):
        _for_traced_range(iter_, extra_test, body, get_state, set_state, symbol_names)
        return
    for count, item in enumerate(iter_):
        if count == _LONG_LOOP:
            log.once("long-loop", f"A loop of more than {_LONG_LOOP} steps is unrolled into the graph, which takes long to "
                     "compile. A `while` on a Tensor, or range(Tensor), compiles as one loop.", "warning")  # fmt: skip
        goes_on = True if extra_test is None else extra_test()
        if is_traced(goes_on):
            if_stmt(goes_on, lambda item=item: body(item), lambda: None, get_state, set_state, symbol_names, 0)
        elif goes_on:
            body(item)
        else:
            return


def _for_traced_range(steps: TracedRange, extra_test: Callable[[], Any] | None, body: Callable[[Any], None],
                      get_state: GetState, set_state: SetState, symbol_names: Sequence[str]) -> None:  # fmt: skip
    index = [steps.start if isinstance(steps.start, Tensor) else Tensor(steps.start)]

    def test() -> Any:
        inside = run(_less, [index[0], steps.stop, steps.step])
        return inside if extra_test is None else run(_logical_and, [inside, as_condition(extra_test())])

    def step() -> None:
        now = index[0]
        body(now)
        index[0] = run(_next, [now, steps.step])

    def set_all(values: tuple) -> None:
        index[0] = values[0]
        set_state(values[1:])

    traced_while(test, step, lambda: (index[0], *get_state()), set_all, ["<loop index>", *symbol_names])


# -- and, or, not ---------------------------------------------------------------------------------------------------
def and_(a: Callable[[], Any], b: Callable[[], Any]) -> Any:
    left = a()
    if not is_traced(left):
        return left and b()
    return run(_logical_and, [as_condition(left), as_condition(b())])


def or_(a: Callable[[], Any], b: Callable[[], Any]) -> Any:
    left = a()
    if not is_traced(left):
        return left or b()
    return run(_logical_or, [as_condition(left), as_condition(b())])


def not_(a: Any) -> Any:
    return run(_logical_not, [as_condition(a)]) if is_traced(a) else not a


def assert_stmt(condition: Any, message: Callable[[], Any]) -> None:
    if not is_traced(condition):
        if not condition:
            raise AssertionError(message())
        return

    def check(held: Any) -> None:
        if not held:
            raise AssertionError(str(text))

    text = message()
    jax.debug.callback(check, as_condition(condition)._value)


# -- variables ------------------------------------------------------------------------------------------------------
def ld(value: Any) -> Any:
    """Read a variable."""
    return value.read() if isinstance(value, Undefined) else value


def ldu(load: Callable[[], Any], name: str) -> Any:
    """Read a variable that may not exist."""
    try:
        return load()
    except (KeyError, AttributeError, NameError):
        return Undefined(name)
