"""Loops of a graph that is compiled: functions that call themselves at their end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from mindspore import ops
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

_CARRIED = (Tensor, bool, int, float, tuple, list)


class Jump(NamedTuple):
    """A function that goes on where another one ended."""

    callee: Any
    args: tuple[Any, ...]


class Again(NamedTuple):
    """The loop begins anew, with these arguments."""

    args: tuple[Any, ...]


def loop(run: Run, head: Function, args: tuple[Any, ...], jump: Jump) -> Any:
    """Run a function that may reach itself, as one loop: from where its condition is not known before the graph runs."""
    ways = [_reaches(run, way, head.name) for way in jump.callee.ways]
    if not any(ways):
        return jump_of(run, jump)
    if len(ways) == 2 and ways in ([True, False], [False, True]) and not jump.callee.by_index:
        going = 0 if ways[0] else 1
        probe = Probe(lambda: _always(run, head, args, going))
        if probe.values[0]:
            return _while(run, head, args, going)
    return _general(run, head, args)


def jump_of(run: Run, jump: Jump) -> Any:
    return run.choose(jump.callee, jump.args)


def _always(run: Run, head: Function, args: tuple[Any, ...], going: int) -> list[bool]:
    """Whether one way always comes back to the head."""
    ended = run.steps(head, args)
    return [_comes_back(run, head, ended.callee.ways[going], ended.args)]


def _comes_back(run: Run, head: Function, callee: Any, args: tuple[Any, ...]) -> bool:
    outcome = _next(run, head, callee, args)
    if isinstance(outcome, Fork):
        return all(_comes_back(run, head, way, outcome.args) for way in outcome.choice.ways)
    return isinstance(outcome, Again)


class Fork(NamedTuple):
    """A way that only the graph itself can choose."""

    choice: Choice
    args: tuple[Any, ...]


def _next(run: Run, head: Function, callee: Any, args: tuple[Any, ...]) -> Any:
    """Follow calls up to the head of the loop (Again), a choice of the graph (Fork), or a result."""
    from_program = run.program.functions
    while True:
        while isinstance(callee, Closure):
            callee, args = callee.callee, (*callee.bound, *args)
        name = callee.name if isinstance(callee, attributes.Callee) else callee
        if isinstance(callee, Choice):
            if is_traced(callee.selector):
                if any(_reaches(run, way, head.name) for way in callee.ways):
                    return Fork(callee, args)
                return run.choose(callee, args)
            going = run.choose(callee, args)
        elif name == head.name:
            return Again(args)
        elif isinstance(name, str) and name in from_program:
            function = from_program[name]
            going = run.steps(function, args) if _reaches(run, callee, head.name) else run.call(callee, args)
        else:
            return run.call(callee, args)
        if not hasattr(going, "callee"):
            return going
        callee, args = going.callee, going.args


def _reaches(run: Run, callee: Any, wanted: str) -> bool:
    """Whether a function may come to another one."""
    waiting, seen = [callee], set()
    functions = run.program.functions
    while waiting:
        one = waiting.pop()
        if isinstance(one, Closure):
            waiting += [one.callee, *[bound for bound in one.bound if isinstance(bound, (Closure, attributes.Callee))]]
            continue
        if isinstance(one, Choice):
            waiting += one.ways
            continue
        name = one.name if isinstance(one, attributes.Callee) else one
        if name == wanted:
            return True
        if isinstance(name, str) and name in functions and name not in seen:
            seen.add(name)
            for step in functions[name].steps:
                waiting += [
                    other for other in (*step.inputs, step.callee) if isinstance(other, str) and other in functions
                ]
    return False


def _carried(args: tuple[Any, ...]) -> tuple[int, ...]:
    """The arguments that may change from one round to the next; Parameters stay who they are."""
    return tuple(i for i, a in enumerate(args) if isinstance(a, _CARRIED) and not isinstance(a, Parameter))


def _with(args: tuple[Any, ...], places: tuple[int, ...], values: tuple[Any, ...]) -> tuple[Any, ...]:
    changed = dict(zip(places, values))
    return tuple([changed.get(i, a) for i, a in enumerate(args)])


def _while(run: Run, head: Function, args: tuple[Any, ...], going: int) -> Any:
    """A loop whose condition stands in the head."""
    places = _carried(args)
    values = tuple(args[i] for i in places)

    def condition() -> Any:
        selector = run.steps(head, _with(args, places, values)).callee.selector
        return ops.logical_not(selector) if going else selector

    def body() -> None:
        nonlocal values
        ended = run.steps(head, _with(args, places, values))
        following = _merged(run, head, ended.callee.ways[going], ended.args)
        values = tuple(following[i] for i in places)

    def get() -> tuple[Any, ...]:
        return values

    def set_(new: tuple[Any, ...]) -> None:
        nonlocal values
        values = tuple(new)

    while_stmt(condition, body, Variables(get, set_, *[head.inputs[i] for i in places]))
    ended = run.steps(head, _with(args, places, values))
    return run.call(ended.callee.ways[1 - going], ended.args)


def _merged(run: Run, head: Function, callee: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of the next round, whichever way leads there."""
    outcome = _next(run, head, callee, args)
    if isinstance(outcome, Fork):
        true, false = outcome.choice.ways
        given = outcome.args
        return if_exp(outcome.choice.selector, lambda: _merged(run, head, true, given), lambda: _merged(run, head, false, given), "a round")  # fmt: skip
    return outcome.args


def _general(run: Run, head: Function, args: tuple[Any, ...]) -> Any:
    """A loop that may end at several places: a flag says so, and the result waits beside the arguments."""
    places = _carried(args)
    found = Probe(lambda: [_result(run, head, args)]).values[0]
    leaves, description = flatten(found)
    blank = tuple(ops.zeros(leaf.shape, leaf.dtype) if isinstance(leaf, Tensor) else leaf for leaf in leaves)
    values = (Tensor(False), *(args[i] for i in places), *blank)
    count = len(places)

    def condition() -> Any:
        return ops.logical_not(values[0])

    def body() -> None:
        nonlocal values
        now = _with(args, places, values[1 : 1 + count])
        values = _round(run, head, now, places, values[1 + count :])

    def get() -> tuple[Any, ...]:
        return values

    def set_(new: tuple[Any, ...]) -> None:
        nonlocal values
        values = tuple(new)

    body()  # the first round: from here on the flag is a value of the graph
    names = ["ended", *[head.inputs[i] for i in places], *[f"result {i}" for i in range(len(blank))]]
    while_stmt(condition, body, Variables(get, set_, *names))
    return unflatten(description, iter(values[1 + count :]))


def _result(run: Run, head: Function, args: tuple[Any, ...]) -> Any:
    """What the loop gives when it ends: only its form matters."""
    ended = run.steps(head, args)
    waiting = [(ended.callee, ended.args)] if hasattr(ended, "callee") else []
    for callee, given in waiting:
        outcome = _next(run, head, callee, given)
        if isinstance(outcome, Fork):
            waiting += [(way, outcome.args) for way in outcome.choice.ways]
        elif not isinstance(outcome, Again):
            return outcome
    return ended


def _round(
    run: Run, head: Function, args: tuple[Any, ...], places: tuple[int, ...], results: tuple[Any, ...]
) -> tuple[Any, ...]:
    """One round: the flag, the next arguments, and the result."""

    def after(callee: Any, given: tuple[Any, ...]) -> tuple[Any, ...]:
        outcome = _next(run, head, callee, given)
        if isinstance(outcome, Fork):
            true, false = outcome.choice.ways
            rest = outcome.args
            return if_exp(outcome.choice.selector, lambda: after(true, rest), lambda: after(false, rest), "a round")
        if isinstance(outcome, Again):
            return (Tensor(False), *(outcome.args[i] for i in places), *results)
        return (Tensor(True), *(args[i] for i in places), *flatten(outcome)[0])

    ended = run.steps(head, args)
    return after(ended.callee, ended.args)
