"""Loops as operators: ``WhileLoop``, ``ForiLoop`` and ``Scan``.

Eagerly they are Python loops. In a graph, a loop whose trip count is traced becomes a single XLA loop with a gradient;
a loop of known length is unrolled, unless ``unroll=False`` asks for the XLA loop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mindspore._engine.base.pytree import flatten, unflatten
from mindspore._engine.base.trace_state import state
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import register_primitive
from mindspore._engine.tensor.tensor import Tensor, is_traced
from mindspore._engine.tracing.invoke import invoke
from mindspore._ops.array.joining import stack, unbind
from mindspore._utils.checks import check_bool, shown
from mindspore._utils.deferred import deferred

# The first trace loads them, not the package.
_loops, _scans = deferred("mindspore._engine.syntax.loops"), deferred("mindspore._engine.syntax.scans")


def _check_function(owner: str, name: str, value: Any) -> None:
    if not callable(value):
        raise TypeError(f"For '{owner}', the '{name}' must be a function, but got {shown(value)}.")


def _form(value: Any) -> list[Any]:
    """Nesting, shapes and dtypes: what must not change from step to step."""
    leaves, description = flatten(value)
    return [description, *[(leaf.shape, leaf.dtype) if isinstance(leaf, Tensor) else type(leaf) for leaf in leaves]]


def _same_form(owner: str, returned: Any, before: Any) -> Any:
    """What a step returned; a graph refuses another nesting, shape or dtype than before the step."""
    if state.scope is not None and _form(returned) != _form(before):
        raise ValueError(
            f"For '{owner}', the 'loop_func' must return a value of the type and shape of the initial value, but got "
            f"{returned!r} for {before!r}."
        )
    return returned


def _turned(columns: list[Any], length: int) -> list[tuple]:
    return list(zip(*columns, strict=True)) if columns else [()] * length


def _compiled(test: Callable[[Any], Any], step: Callable[[Any], Any], value: Any) -> Any:
    """``while test(value): value = step(value)`` as a single XLA loop."""
    syntax = _loops
    held = [value]

    def put(values: tuple) -> None:
        held[0] = values[0]

    def advance() -> None:
        held[0] = step(held[0])

    variables = syntax.Variables(lambda: (held[0],), put, "init_val")
    syntax.traced_loop(test(value), lambda: test(held[0]), advance, variables)
    return held[0]


@register_primitive
class WhileLoop(Primitive):
    """``while cond_func(value): value = loop_func(value)``, called as ``WhileLoop()(cond_func, loop_func, init_val)``.

    The value is a Tensor, a number or nested lists, tuples and dicts of them, and keeps its form. In a graph the loop is
    compiled as a loop; a number carried beside Tensors is a Tensor afterwards.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.WhileLoop()(lambda x: x.sum() < 100, lambda x: x * 2, Tensor([3, 4])))
        [48 64]
    """

    def __call__(self, cond_func: Callable[[Any], Any], loop_func: Callable[[Any], Any], init_val: Any) -> Any:
        _check_function("WhileLoop", "cond_func", cond_func)
        _check_function("WhileLoop", "loop_func", loop_func)

        def test(value: Any) -> Any:
            return invoke(cond_func, (value,), {})

        def step(value: Any) -> Any:
            return _same_form("WhileLoop", invoke(loop_func, (value,), {}), value)

        if state.scope is not None and any(map(is_traced, flatten(init_val)[0])):
            return _compiled(test, step, init_val)
        value, going = init_val, test(init_val)
        while not is_traced(going) and going:
            value = step(value)
            going = test(value)
        # The condition may come to depend on the device only later.
        return _compiled(test, step, value) if is_traced(going) else value


@register_primitive
class ForiLoop(Primitive):
    """``for i in range(lower, upper): value = loop_func(i, value)``; the bounds are ints or scalar Tensors.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.ForiLoop()(0, 4, lambda i, total: total + i, Tensor(1.0)))
        7.0
    """

    def __call__(self, lower: Any, upper: Any, loop_func: Callable[[Any, Any], Any], init_val: Any,
                 unroll: bool = True) -> Any:  # fmt: skip
        for name, bound in (("lower", lower), ("upper", upper)):
            if isinstance(bound, bool) or not isinstance(bound, (int, Tensor)):
                raise TypeError(f"For 'ForiLoop', the '{name}' must be an int or a Tensor, but got {shown(bound)}.")
        _check_function("ForiLoop", "loop_func", loop_func)
        check_bool("ForiLoop", "unroll", unroll)
        known = not is_traced(lower) and not is_traced(upper)
        if state.scope is not None and not (known and unroll):
            return self._in_graph(lower, upper, loop_func, init_val)
        value = init_val
        for index in range(int(lower), int(upper)):
            value = _same_form("ForiLoop", invoke(loop_func, (index, value), {}), value)
        return value

    @staticmethod
    def _in_graph(lower: Any, upper: Any, loop_func: Callable[[Any, Any], Any], init_val: Any) -> Any:
        def step(pair: tuple) -> tuple:
            index, value = pair
            return index + 1, invoke(loop_func, (index, value), {})

        start = lower if isinstance(lower, Tensor) else Tensor(lower)
        return _compiled(lambda pair: pair[0] < upper, step, (start, init_val))[1]


@register_primitive
class Scan(Primitive):
    """A loop over ``xs`` that carries a value and collects results: ``Scan()(loop_func, init, xs, length, unroll)``.

    ``loop_func(carry, x)`` returns the next carry and a result. The call returns the last carry and the list of results.
    Without ``xs`` (None) the loop takes ``length`` steps with None. With ``unroll=False`` a graph holds the body once,
    whatever the length, if all ``xs`` have the same shape and dtype; otherwise it is unrolled.

    Examples:
        >>> from mindspore import ops
        >>> ops.Scan()(lambda total, x: (total + x, total * x), 1, [2, 3])
        (6, [2, 9])
    """

    def __call__(self, loop_func: Callable[[Any, Any], Any], init: Any, xs: Any, length: int | None = None,
                 unroll: bool = True) -> tuple[Any, list[Any]]:  # fmt: skip
        _check_function("Scan", "loop_func", loop_func)
        check_bool("Scan", "unroll", unroll)
        elements = self._elements(xs, length)

        def step(carry: Any, x: Any) -> tuple[Any, Any]:
            returned = invoke(loop_func, (carry, x), {})
            if not isinstance(returned, (tuple, list)) or len(returned) != 2:
                raise ValueError(
                    f"For 'Scan', the 'loop_func' must return two values, the next carry and a result, but got {returned!r}."
                )
            return _same_form("Scan", returned[0], carry), returned[1]

        if state.scope is not None and not unroll and elements:
            found = self._compiled(step, init, elements)
            if found is not None:
                return found
        carry, results = init, []
        for x in elements:
            carry, result = step(carry, x)
            results.append(result)
        return carry, results

    @staticmethod
    def _compiled(step: Callable[[Any, Any], Any], init: Any, elements: Sequence[Any]) -> tuple[Any, list[Any]] | None:
        """A single XLA loop; None where the elements differ in shape or dtype, or the body has side effects."""
        leaves, description = flatten(elements[0])
        if any(_form(x) != _form(elements[0]) for x in elements) or not all(
            leaf is None or isinstance(leaf, Tensor) for leaf in leaves
        ):
            return None
        columns = list(zip(*[flatten(x)[0] for x in elements], strict=True))
        stacked = [stack(column) for column, leaf in zip(columns, leaves, strict=True) if leaf is not None]

        def of_rows(carry: Any, rows: list[Tensor]) -> Any:
            supply = iter(rows)
            return step(
                carry, unflatten(description, iter([None if leaf is None else next(supply) for leaf in leaves]))
            )

        found = _scans.traced_scan(of_rows, init, stacked, len(elements))
        if found is None:
            return None
        carry, results = found
        leaves_after, description_after = flatten(results)
        rows = [[None] * len(elements) if leaf is None else unbind(leaf) for leaf in leaves_after]
        return carry, [unflatten(description_after, iter(row)) for row in _turned(rows, len(elements))]

    @staticmethod
    def _elements(xs: Any, length: Any) -> Any:
        if length is not None and (isinstance(length, bool) or not isinstance(length, int)):
            raise TypeError(f"For 'Scan', the 'length' must be an int or None, but got {shown(length)}.")
        if xs is None:
            if length is None:
                raise ValueError("For 'Scan', the 'xs' and the 'length' must not both be None: give one of them.")
            return [None] * length
        if not isinstance(xs, (tuple, list)):
            raise TypeError(f"For 'Scan', the 'xs' must be a tuple, a list or None, but got {shown(xs)}.")
        if length not in (None, len(xs)):
            raise ValueError(f"For 'Scan', the 'length' must be the number of 'xs', {len(xs)}, but got {length}.")
        return xs
