"""Runtime operators that rewritten code calls for if, while, for, and, or, not and comparisons."""

from __future__ import annotations

import operator
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.base.errors import GraphError, needs_value
from mindspore._engine.base.kernel import Kernel
from mindspore._engine.base.mutation import CHANGING, Attribute, ClosureVariable, Contents
from mindspore._engine.base.pytree import flatten
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.dispatch import run
from mindspore._engine.syntax.branches import Probe, as_truth, conditional
from mindspore._engine.syntax.closure_snapshot import Frozen
from mindspore._engine.syntax.loops import traced_loop
from mindspore._engine.syntax.values import NO_RESULT, NO_VARIABLES, Undefined, Variables
from mindspore._engine.tensor.tensor import Tensor, is_traced
from mindspore._engine.tensor.traced_number import as_number, is_traced_number
from mindspore._engine.tracing import effects
from mindspore._utils import log

_logical_and = Kernel("LogicalAnd", jnp.logical_and)
_logical_or = Kernel("LogicalOr", jnp.logical_or)
_logical_not = Kernel("LogicalNot", jnp.logical_not)
_inside = Kernel("Less", lambda i, stop, step: jnp.where(step > 0, i < stop, i > stop))
_next = Kernel("Add", lambda i, step: i + step)

_LONG_LOOP = 2000  # iterations; unrolling more takes XLA minutes


# -- if ---------------------------------------------------------------------------------------------------------------
def if_stmt(
    condition: Any, then: Callable[[], None], otherwise: Callable[[], None], variables: Variables | None
) -> None:
    """if condition: then, else: otherwise."""
    if not is_traced(condition):
        (then if condition else otherwise)()
        return
    variables = variables or NO_VARIABLES
    frozen = Frozen(then, otherwise, variables.get, variables=variables)

    def way(number: int) -> Callable[[], Sequence[Any]]:
        def code() -> Sequence[Any]:
            functions = frozen.thaw()
            functions[number]()
            return functions[2]()

        return code

    variables.set(frozen.originals_of(conditional(condition, [way(0), way(1)], variables.names, frozen)))


def if_exp(condition: Any, then: Callable[[], Any], otherwise: Callable[[], Any], text: str) -> Any:
    """then if condition else otherwise"""
    if not is_traced(condition):
        return then() if condition else otherwise()
    return _choice(condition, then, otherwise, text)


def _choice(condition: Tensor, then: Callable[[], Any], otherwise: Callable[[], Any], text: str) -> Any:
    frozen = Frozen(then, otherwise)
    ways = [lambda: (frozen.thaw()[0](),), lambda: (frozen.thaw()[1](),)]
    return frozen.original(conditional(condition, ways, [text], frozen)[0])


def returned(result: Any, certainly: Any) -> Any:
    """The result of a function with several return statements."""
    if is_traced(certainly):
        raise GraphError(
            "The function returns a value only when a Tensor condition holds. Add a `return` for the other case: in a graph "
            "every way through a function must return the same kind of value."
        )
    return None if result is NO_RESULT or not certainly else result


# -- while and for ----------------------------------------------------------------------------------------------------
def while_stmt(test: Callable[[], Any], body: Callable[[], None], variables: Variables | None) -> None:
    """while test(): body()"""
    while True:
        condition = test()
        if is_traced(condition):
            traced_loop(condition, test, body, variables)
            return
        if not condition:
            return
        body()


def _as_number(bound: Any) -> Any:
    """A bound of range() is a number: no gradient passes through."""
    return Tensor.wrap(bound._value) if isinstance(bound, Tensor) else bound


class TracedRange:
    """range() with a traced bound."""

    def __init__(self, start: Any, stop: Any, step: Any):
        self.start, self.stop, self.step = [_as_number(bound) for bound in (start, stop, step)]

    def __iter__(self) -> Iterator[Any]:
        raise needs_value("Iterating over range(Tensor) outside a `for` statement", "write a `for` loop.")

    __len__ = __getitem__ = __iter__


def for_stmt(iterated: Any, goes_on: Callable[[], Any] | None, body: Callable[[Any], None],
             variables: Variables | None) -> None:  # fmt: skip
    """for item in iterated: body(item), while goes_on()."""
    if isinstance(iterated, TracedRange):
        _for_range(iterated, goes_on, body, variables or NO_VARIABLES)
        return
    for count, item in enumerate(iterated):
        if count == _LONG_LOOP:
            log.once("long-loop", f"A loop of more than {_LONG_LOOP} steps is unrolled into the graph, which takes long to "
                     "compile. A `while` on a Tensor, or range(Tensor), compiles as one loop.")  # fmt: skip
        again = True if goes_on is None else goes_on()
        if is_traced(again):
            if_stmt(again, lambda item=item: body(item), lambda: None, variables)
        elif again:
            body(item)
        else:
            return


def _for_range(steps: TracedRange, goes_on: Callable[[], Any] | None, body: Callable[[Any], None],
               variables: Variables) -> None:  # fmt: skip
    index = steps.start if isinstance(steps.start, Tensor) else Tensor(steps.start)

    def test() -> Any:
        inside = run(_inside, [index, steps.stop, steps.step])
        return inside if goes_on is None else and_(inside, goes_on)

    def step() -> None:
        nonlocal index
        now = index
        body(now)
        index = run(_next, [now, steps.step])

    def get() -> tuple:
        return (index, *variables.get())

    def set_(values: tuple) -> None:
        nonlocal index
        index = values[0]
        variables.set(values[1:])

    traced_loop(test(), test, step, Variables(get, set_, "the loop index", *variables.names))


# -- and, or, not, comparisons ----------------------------------------------------------------------------------------
def and_(left: Any, right: Callable[[], Any]) -> Any:
    """left and right()"""
    if not is_traced(left):
        return left and right()
    return _chosen(left, right, lambda: left, _logical_and)


def or_(left: Any, right: Callable[[], Any]) -> Any:
    """left or right()"""
    if not is_traced(left):
        return left or right()
    return _chosen(left, lambda: left, right, _logical_or, right)


def _chosen(left: Tensor, then: Callable[[], Any], otherwise: Callable[[], Any], logical: Kernel,
            right: Callable[[], Any] | None = None) -> Any:  # fmt: skip
    """Select by the truth of ``left``: a bool for bools, otherwise the operand (x or default)."""
    right = right or then
    probe = Probe(lambda: (right(),))
    value = probe.values[0] if probe.values else None
    pure = not probe.writes and not probe.mutations and probe.error is None
    if pure and left.size == 1 and _is_truth(left) and _is_truth(value):
        found = run(logical, [as_truth(left), as_truth(right())])
        plain = isinstance(value, bool) or is_traced_number(value)
        return as_number(found, bool) if plain and is_traced_number(left) else found
    return _choice(left, then, otherwise, "and" if logical is _logical_and else "or")


def _is_truth(value: Any) -> bool:
    return isinstance(value, bool) or (
        isinstance(value, Tensor) and value.size == 1 and value.dtype.np_dtype.kind == "b"
    )


def not_(value: Any) -> Any:
    """not value"""
    if not is_traced(value):
        return not value
    found = run(_logical_not, [as_truth(value)])
    return as_number(found, bool) if is_traced_number(value) else found


SIGN_NAMES = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}
SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    **{sign: getattr(operator, name) for sign, name in SIGN_NAMES.items()},
    "==": lambda a, b: equals(a, b), "!=": lambda a, b: differs(a, b),
    "is": operator.is_, "is not": operator.is_not, "in": lambda a, b: contains(b, a),
    "not in": lambda a, b: not_(contains(b, a)),
}  # fmt: skip


def compare(left: Any, *pairs: Any) -> Any:
    """A chained comparison, a < b() < c(); every operand is evaluated once."""
    sign, right, more = pairs[0], pairs[1], pairs[2:]
    value = right()
    result = SIGNS[sign](left, value)
    return and_(result, lambda: compare(value, *more)) if more else result


def part_of(owner: Any, key: Any, part: Any) -> Any:
    """The part, which in a graph, where Tensors have no views, hands on to its owner what is assigned to it."""
    if isinstance(owner, Tensor) and isinstance(part, Tensor) and state.scope is not None:
        part._part_of = (owner, key)
    return part


def contains(container: Any, item: Any) -> Any:
    """item in container"""
    if isinstance(container, Tensor) and (is_traced(container) or is_traced(item)):
        return as_number((container == item).any())
    if not isinstance(container, (tuple, list)) or not any(is_traced(v) for v in (item, *container)):
        return item in container
    found: Any = False
    for member in container:
        found = or_(found, lambda member=member: member is item or _equal(member, item))
    return found


def equals(left: Any, right: Any) -> Any:
    """left == right; where a graph was asked for, lists and tuples of Tensors are equal where all numbers are."""
    if not _are_listed(left, right):
        return left == right
    found: Any = len(left) == len(right)
    for one, other in zip(left, right, strict=False):
        found = and_(found, lambda one=one, other=other: one is other or _equal(one, other))
    return as_number(found, bool) if is_traced(found) else found


def differs(left: Any, right: Any) -> Any:
    """left != right"""
    return not_(equals(left, right)) if _are_listed(left, right) else left != right


def _are_listed(left: Any, right: Any) -> bool:
    kind = left.__class__
    if kind not in (tuple, list) or right.__class__ is not kind or not effects.asked():
        return False
    return any(is_traced(leaf) for leaf in flatten((left, right))[0])


def _equal(left: Any, right: Any) -> Any:
    """left == right as one truth: Tensors of several numbers are equal where all of them are."""
    if effects.counts():  # as Python: their equality has no truth
        return as_truth(left == right)
    tensors = [value for value in (left, right) if isinstance(value, Tensor)]
    alike = len({tensor.shape for tensor in tensors}) == 1 and len(tensors) == 2
    found = equals(left, right) if alike or all(tensor.size == 1 for tensor in tensors) else False
    return found.all() if isinstance(found, Tensor) and not is_traced_number(found) else found


# -- variables and other state --------------------------------------------------------------------------------------
def ld(value: Any) -> Any:
    """Read a variable."""
    return value.read() if isinstance(value, Undefined) else value


def outer(variables: dict[str, Any], name: str) -> Any:
    """The first value of a variable that a function only augments: in a graph, that of the global of this name."""
    return Undefined(name) if effects.counts() else variables.get(name, Undefined(name))


def has_key(owner: Any) -> Any:
    """The method `has_key` that dicts have in graphs."""
    plain = isinstance(owner, dict) and not hasattr(owner, "has_key") and not effects.counts()
    return owner.__contains__ if plain else owner.has_key  # type: ignore[attr-defined]


def deleted(value: Any, name: str) -> Undefined:
    """del of a variable."""
    ld(value)
    return Undefined(name)


def augments(value: Any) -> None:
    """Note a container that `+=` is about to change."""
    if isinstance(value, (*CHANGING, np.ndarray)):
        changes(value)


def rebinds(name: str) -> None:
    """A variable of the module or of an enclosing function is about to be assigned."""


def shares(variable: Callable[[], Any]) -> None:
    """Note a variable of an enclosing function that is about to be assigned: a branch or loop in between gives it back."""
    if state.scope is not None:
        cells: tuple = variable.__closure__ or ()
        state.scope.note_change(ClosureVariable(cells[0], variable.__code__.co_freevars[0]))


def changes(owner: Any, *name: str) -> None:
    """Note an attribute or element that is about to be assigned."""
    scope = state.scope
    if scope is None or isinstance(owner, Tensor):
        return
    kind = type(owner)
    if not name:
        if isinstance(owner, CHANGING):
            scope.note_change(Contents(owner))
        elif isinstance(owner, np.ndarray):
            if state.probing:  # whether a branch or loop on a Tensor changes it, which no graph can hold
                scope.note_change(Contents(owner), within=True)
        elif _is_written(kind, "__setitem__") or _is_written(kind, "__delitem__"):
            _changes_within(owner)
    elif not hasattr(kind, "construct"):  # a Cell notes it by itself
        member = getattr(kind, name[0], None)
        by_method = hasattr(member, "__set__") and not isinstance(member, types.MemberDescriptorType)
        if by_method or _is_written(kind, "__setattr__"):
            _changes_within(owner)
        if not by_method:
            scope.note_change(Attribute(owner, name[0]))


def _is_written(kind: type, name: str) -> bool:
    return isinstance(getattr(kind, name, None), types.FunctionType)


def _changes_within(owner: Any) -> None:
    """Note all that an object keeps: a method of its own, as of a property, is about to assign some of it."""
    for name in [*getattr(owner, "__dict__", ()), *effects.slots_of(type(owner))]:
        state.scope.note_change(Attribute(owner, name))  # type: ignore[union-attr]
        value = getattr(owner, name, None)
        if isinstance(value, CHANGING):
            state.scope.note_change(Contents(value))  # type: ignore[union-attr]
