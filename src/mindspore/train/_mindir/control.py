"""Loops of a graph that is compiled: functions that call themselves at their end."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from mindspore import ops
from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.pytree import flatten, unflatten
from mindspore._engine.syntax.branches import Probe
from mindspore._engine.syntax.operators import if_exp, while_stmt
from mindspore._engine.syntax.values import Variables
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor, is_traced
from mindspore.train._mindir import attributes
from mindspore.train._mindir.structure import Choice, Closure

if TYPE_CHECKING:
    from mindspore.train._mindir.program import Function
    from mindspore.train._mindir.run import Run

Heads: TypeAlias = "tuple[Function, ...]"  # of loops inside each other, the innermost last
_CARRIED = (Tensor, bool, int, float, tuple, list)


class Jump(NamedTuple):
    """A function that goes on where another one ended."""

    callee: Any
    args: tuple[Any, ...]


class Again(NamedTuple):
    """The loop begins anew, with these arguments."""

    args: tuple[Any, ...]


class Fork(NamedTuple):
    """A way that only the graph itself can choose."""

    choice: Choice
    args: tuple[Any, ...]


class Left(NamedTuple):
    """The loop has ended: a function outside of it goes on."""

    name: str
    args: tuple[Any, ...]


def loop(run: Run, head: Function, args: tuple[Any, ...], jump: Jump) -> Any:
    """Run a function that may reach itself, as one loop: from where its condition is not known before the graph runs."""
    if not any(_reaches(run, way, head.name) for way in jump.callee.ways):
        return run.choose(jump.callee, jump.args)
    return _looped(run, (head,), args, jump)


def _looped(run: Run, heads: Heads, args: tuple[Any, ...], jump: Jump) -> Any:
    """The loop of the last head: what goes on after it."""
    ways = [_reaches(run, way, heads[-1].name, _names(heads[:-1])) for way in jump.callee.ways]
    if len(ways) == 2 and sum(ways) == 1 and not jump.callee.by_index:
        going = ways.index(True)
        if Probe(lambda: [_comes_back(run, heads, args, going)]).values[0]:
            return _while(run, heads, args, going)
    return _general(run, heads, args)


def _comes_back(run: Run, heads: Heads, args: tuple[Any, ...], going: int) -> bool:
    """Whether one branch always returns to the loop's head."""
    ended = run.steps(heads[-1], args)
    return all(isinstance(one, Again) for one in _outcomes(run, heads, ended.callee.ways[going], ended.args))


def _outcomes(run: Run, heads: Heads, callee: Any, args: tuple[Any, ...]) -> Iterator[Any]:
    """The possible outcomes of one iteration."""
    waiting = [(callee, args)]
    for following, given in waiting:
        outcome = _next(run, heads, following, given)
        if isinstance(outcome, Fork):
            waiting += [(way, outcome.args) for way in outcome.choice.ways]
        else:
            yield outcome


def _next(run: Run, heads: Heads, callee: Any, args: tuple[Any, ...]) -> Any:
    """Follow calls up to the head of the loop (Again), a choice of the graph (Fork), the end of the loop (Left), or a result."""
    functions, head, around = run.program.functions, heads[-1], _names(heads[:-1])
    while True:
        while isinstance(callee, Closure):
            callee, args = callee.callee, (*callee.bound, *args)
        name = callee.name if isinstance(callee, attributes.Callee) else callee
        if isinstance(callee, Choice):
            if is_traced(callee.selector):
                return Fork(_of_two(callee), args)
            going = run.choose(callee, args)
        elif name == head.name:
            return Again(args)
        elif not isinstance(name, str) or name not in functions:
            return run.call(callee, args)
        elif not _reaches(run, name, head.name, around):
            return Left(name, args)
        else:
            function = functions[name]
            going = run.steps(function, args)
            if _begins(run, function, going, _names(heads)):
                going = _looped(run, (*heads, function), args, going)
        if not isinstance(going, Jump):
            return going
        callee, args = going


def _names(heads: Heads) -> frozenset[str]:
    return frozenset(head.name for head in heads)


def _of_two(choice: Choice) -> Choice:
    """A choice by index as one of the first way and all others."""
    if not choice.by_index or len(choice.ways) == 1:
        return choice if not choice.by_index else Choice(True, (choice.ways[0],) * 2, by_index=False)
    first, *rest = choice.ways
    others = rest[0] if len(rest) == 1 else Choice(choice.selector - 1, tuple(rest), by_index=True)
    return Choice(choice.selector == 0, (first, others), by_index=False)


def _begins(run: Run, function: Function, ended: Any, around: frozenset[str]) -> bool:
    """Whether a function is the head of a loop inside those around it."""
    if not isinstance(ended, Jump) or not isinstance(ended.callee, Choice) or not is_traced(ended.callee.selector):
        return False
    return any(_reaches(run, way, function.name, around) for way in ended.callee.ways)


def _reaches(run: Run, callee: Any, wanted: str, blocked: frozenset[str] = frozenset()) -> bool:
    """Whether a function may come to another one, without passing some."""
    waiting, seen = [callee], set(blocked)
    while waiting:
        one = waiting.pop()
        if isinstance(one, Closure):
            waiting += [one.callee, *[bound for bound in one.bound if isinstance(bound, (Closure, attributes.Callee))]]
            continue
        if isinstance(one, Choice):
            waiting += one.ways
            continue
        name = one.name if isinstance(one, attributes.Callee) else one
        if isinstance(name, str) and name not in seen:
            if name == wanted:
                return True
            seen.add(name)
            waiting += run.program.called.get(name, ())
    return False


def _carried(args: tuple[Any, ...]) -> tuple[int, ...]:
    """The loop-carried arguments: those that may change between iterations; Parameters do not."""
    return tuple(i for i, a in enumerate(args) if isinstance(a, _CARRIED) and not isinstance(a, Parameter))


def _with(args: tuple[Any, ...], carried: tuple[int, ...], values: Sequence[Any]) -> tuple[Any, ...]:
    changed = dict(zip(carried, values))
    return tuple([changed.get(i, a) for i, a in enumerate(args)])


def _while(run: Run, heads: Heads, args: tuple[Any, ...], going: int) -> Jump:
    """A loop whose condition is in its head; returns what follows it."""
    head, carried = heads[-1], _carried(args)
    values = tuple(args[i] for i in carried)

    def condition() -> Any:
        selector = run.steps(head, _with(args, carried, values)).callee.selector
        return ops.logical_not(selector) if going else selector

    def body() -> None:
        nonlocal values
        ended = run.steps(head, _with(args, carried, values))
        following = _merged(run, heads, ended.callee.ways[going], ended.args)
        values = tuple(following[i] for i in carried)

    def get() -> tuple[Any, ...]:
        return values

    def set_(new: tuple[Any, ...]) -> None:
        nonlocal values
        values = tuple(new)

    while_stmt(condition, body, Variables(get, set_, *[head.inputs[i] for i in carried]))
    ended = run.steps(head, _with(args, carried, values))
    return Jump(ended.callee.ways[1 - going], ended.args)


def _merged(run: Run, heads: Heads, callee: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of the next iteration, by whichever branch."""
    outcome = _next(run, heads, callee, args)
    if isinstance(outcome, Fork):
        true, false = outcome.choice.ways
        given = outcome.args
        return if_exp(outcome.choice.selector, lambda: _merged(run, heads, true, given), lambda: _merged(run, heads, false, given), "a round")  # fmt: skip
    return outcome.args


def _general(run: Run, heads: Heads, args: tuple[Any, ...]) -> Any:
    """A loop that may end at several exits: a loop variable has the number of the exit taken, others the values it leaves."""
    head, carried = heads[-1], _carried(args)
    exits = Probe(lambda: [_exits(run, heads, args)]).values[0]
    keys = [_key(one) for one in exits]
    forms = [flatten(_kept(one)) for one in exits]
    blank = [ops.zeros(leaf.shape, leaf.dtype) if isinstance(leaf, Tensor) else leaf for leaves, _ in forms for leaf in leaves]  # fmt: skip
    values = (Tensor(0, dtypes.int32), *(args[i] for i in carried), *blank)
    first = 1 + len(carried)

    def condition() -> Any:
        return values[0] == 0

    def body() -> None:
        nonlocal values
        values = _round(run, heads, _with(args, carried, values[1:first]), keys, _parts(values[first:], forms))

    def get() -> tuple[Any, ...]:
        return values

    def set_(new: tuple[Any, ...]) -> None:
        nonlocal values
        values = tuple(new)

    body()  # the first iteration: from here on the exit number is a value of the graph
    names = ["exit", *[head.inputs[i] for i in carried], *[f"result {i}" for i in range(len(blank))]]
    while_stmt(condition, body, Variables(get, set_, *names))
    ways = [_way(one, unflatten(form, iter(part))) for one, part, (_, form) in zip(exits, _parts(values[first:], forms), forms)]  # fmt: skip
    return ways[0] if len(ways) == 1 else Jump(_of_two(Choice(values[0] - 1, tuple(ways), by_index=True)), ())


def _parts(values: Sequence[Any], forms: list[tuple[list[Any], Any]]) -> list[list[Any]]:
    """Leaves, divided into those of each exit."""
    supply = iter(values)
    return [list(itertools.islice(supply, len(leaves))) for leaves, _ in forms]


def _key(outcome: Any) -> str:
    """The function after an exit; none after a result."""
    return outcome.name if isinstance(outcome, Left) else ""


def _kept(outcome: Any) -> Any:
    """The values that leave at an exit: arguments of the next function, or the result."""
    return tuple(outcome.args[i] for i in _carried(outcome.args)) if isinstance(outcome, Left) else outcome


def _way(outcome: Any, kept: Any) -> Any:
    """An exit as a function without arguments that goes on from there."""
    if isinstance(outcome, Left):
        return Closure(attributes.Callee(outcome.name), _with(outcome.args, _carried(outcome.args), kept))
    return Closure(lambda: kept)


def _exits(run: Run, heads: Heads, args: tuple[Any, ...]) -> list[Any]:
    """What the loop comes to when it ends, once for each way: only the form of values matters."""
    ended = run.steps(heads[-1], args)
    found: dict[str, Any] = {}
    for outcome in _outcomes(run, heads, ended.callee, ended.args):
        if not isinstance(outcome, Again):
            found.setdefault(_key(outcome), outcome)
    return list(found.values())


def _round(run: Run, heads: Heads, args: tuple[Any, ...], keys: list[str], kept: list[list[Any]]) -> tuple[Any, ...]:
    """One iteration: 0 or the number of the exit, the next arguments, and the values of each exit."""
    carried = _carried(args)

    def after(callee: Any, given: tuple[Any, ...]) -> tuple[Any, ...]:
        outcome = _next(run, heads, callee, given)
        if isinstance(outcome, Fork):
            true, false = outcome.choice.ways
            rest = outcome.args
            return if_exp(outcome.choice.selector, lambda: after(true, rest), lambda: after(false, rest), "a round")
        if isinstance(outcome, Again):
            return (Tensor(0, dtypes.int32), *(outcome.args[i] for i in carried), *itertools.chain(*kept))
        number = keys.index(_key(outcome))
        leaves = [*kept[:number], flatten(_kept(outcome))[0], *kept[number + 1 :]]
        return (Tensor(number + 1, dtypes.int32), *(args[i] for i in carried), *itertools.chain(*leaves))

    ended = run.steps(heads[-1], args)
    return after(ended.callee, ended.args)
