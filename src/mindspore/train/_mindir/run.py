"""How the functions of a MINDIR file are run: step by step, eagerly or while a graph is traced."""

from __future__ import annotations

from typing import Any

from mindspore._engine.base.errors import GraphError
from mindspore._engine.syntax.operators import if_exp
from mindspore._engine.tensor.tensor import Tensor, is_traced
from mindspore.train._mindir import attributes, control
from mindspore.train._mindir.control import Jump
from mindspore.train._mindir.program import Function, Program, fresh
from mindspore.train._mindir.structure import Choice, Closure

_BRANCH = "a branch of the graph"


class Run:
    """One run of a program."""

    def __init__(self, program: Program):
        self.program = program
        self.values: dict[str, Any] = {}  # of the main function

    def call(self, callee: Any, args: tuple[Any, ...]) -> Any:
        """The result of a function or closure; functions that end in a call of another do not nest."""
        going = Jump(callee, args)
        while isinstance(going, Jump):
            going = self.follow(going)
        return going

    def follow(self, jump: Jump) -> Any:
        """The next step of a row of calls: a value, or the next Jump."""
        callee, args = jump
        while isinstance(callee, Closure):
            callee, args = callee.callee, (*callee.bound, *args)
        if isinstance(callee, attributes.Callee):
            callee = callee.name
        if isinstance(callee, Choice):
            return self.choose(callee, args)
        if isinstance(callee, str):
            return self.enter(self.program.functions[callee], args)
        if not callable(callee):
            raise GraphError(f"The graph calls {type(callee).__name__}, which is no function.")
        return callee(*args)

    def choose(self, choice: Choice, args: tuple[Any, ...]) -> Any:
        """The way that the selector says; while a graph is compiled, all of them."""
        ways = choice.ways
        if not is_traced(choice.selector):
            return self._taken(_way(choice), args)
        if choice.by_index:
            return self._indexed(choice.selector, ways, args)
        true, false = ways
        return if_exp(choice.selector, lambda: self.call(true, args), lambda: self.call(false, args), _BRANCH)

    def _taken(self, way: Any, args: tuple[Any, ...]) -> Any:
        return Jump(way, args) if isinstance(way, (Closure, Choice, attributes.Callee, str)) or args else way

    def _indexed(self, selector: Any, ways: tuple[Any, ...], args: tuple[Any, ...]) -> Any:
        if len(ways) == 1:
            return self.call(ways[0], args)
        first, rest = ways[0], ways[1:]
        return if_exp(selector == 0, lambda: self.call(first, args), lambda: self._indexed(selector - 1, rest, args), _BRANCH)  # fmt: skip

    def enter(self, function: Function, args: tuple[Any, ...]) -> Any:
        """Run the steps of a function up to the call that ends it."""
        jump = self.steps(function, args)
        if not isinstance(jump, Jump) or not isinstance(jump.callee, Choice) or not is_traced(jump.callee.selector):
            return jump
        if function.name in self.program.circles:
            return control.loop(self, function, args, jump)
        return jump

    def steps(self, function: Function, args: tuple[Any, ...]) -> Any:
        if len(args) != len(function.inputs):
            raise GraphError(
                f"The function '{function.name}' takes {len(function.inputs)} inputs, but got {len(args)}."
            )
        values = self.values if function.name == self.program.main else {}
        values.update(zip(function.inputs, args))
        for number, step in enumerate(function.steps):
            given = tuple([self.value(values, name) for name in step.inputs])
            callee = step.callee if not isinstance(step.callee, str) else self.value(values, step.callee)
            if number == function.tail:
                return Jump(callee, given)
            if callable(callee) and not isinstance(callee, (Closure, Choice)):
                values[step.output] = callee(*given)
            else:
                values[step.output] = self.call(callee, given)
        return self.value(values, function.output)

    def value(self, values: dict[str, Any], name: str) -> Any:
        if name in values:
            return values[name]
        if name in self.program.constants:
            return fresh(self.program.constants[name], self.program.writes)
        return self.values[name] if name in self.values else attributes.Callee(name)


def _way(choice: Choice) -> Any:
    selector = choice.selector
    if isinstance(selector, Tensor):
        selector = selector.asnumpy().item()
    if not choice.by_index:
        return choice.ways[0 if selector else 1]
    return choice.ways[int(selector)]
