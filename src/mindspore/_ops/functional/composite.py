"""Functions of functions: mapping over nested tuples, dispatch by type, partial application."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import register_function, register_primitive
from mindspore._engine.tracing import effects
from mindspore._engine.tracing.invoke import invoke
from mindspore._ops.declaring.type_names import kinds_of, matches, type_name
from mindspore._utils import checks


class MultitypeFuncGraph:
    """A function overloaded by argument types.

    Of several forms that fit, graphs call the last that was registered, Python the first. A form that is the only one is
    called as it is, whatever the types.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> scale = ops.MultitypeFuncGraph("scale")
        >>> @scale.register("Number", "Tensor")
        ... def scale_by_number(factor, x):
        ...     return x * factor
        >>> print(scale(2, Tensor([1.0, 2.0])))
        [2. 4.]
    """

    def __init__(self, name: str, read_value: bool = False, doc_url: str = ""):
        if not isinstance(name, str):
            raise TypeError(f"For 'MultitypeFuncGraph', the 'name' must be a str, but got {checks.shown(name)}.")
        self.name = name
        self.entries: list[tuple[tuple[str, ...], Callable[..., Any]]] = []
        self.default: Callable[..., Any] | None = None
        self.doc_url = doc_url

    def register(self, *type_names: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Decorator for a form; types are names such as "Tensor", "Number", "Function", "Tuple", or dtypes."""
        names = tuple(type_name(name, "MultitypeFuncGraph.register") for name in type_names)

        def add(function: Callable[..., Any]) -> Callable[..., Any]:
            self.entries.append((names, function))
            return function

        return add

    def register_default(self) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Decorator for the form that takes what no other form does."""

        def add(function: Callable[..., Any]) -> Callable[..., Any]:
            self.default = function
            return function

        return add

    def register_fn(self, type_name: Sequence[Any], function: Callable[..., Any]) -> None:
        """Add a form without a decorator."""
        self.register(*type_name)(function)

    def register_default_fn(self, function: Callable[..., Any]) -> None:
        """Add the form that takes what no other form does, without a decorator."""
        self.register_default()(function)

    def set_need_raise(self) -> None:
        """Raise for arguments that fit no form, which is done anyway."""

    def set_doc_url(self, doc_url: str) -> None:
        """Where the forms are explained: the error for arguments that fit none says so."""
        self.doc_url = doc_url

    set_need_raise_, set_doc_url_ = set_need_raise, set_doc_url  # their names in MindSpore's compiled part

    def __call__(self, *args: Any) -> Any:
        if len(self.entries) == 1 and self.default is None:
            return invoke(self.entries[0][1], args, {})
        found = [
            (names, one) for names, one in self.entries if len(names) == len(args) and all(map(matches, args, names))
        ]
        if found:  # a form for rows goes before one that takes them as any Tensor
            order = found[::-1] if effects.asked() else found
            return invoke(max(order, key=lambda form: form[0].count("RowTensor"))[1], args, {})
        if self.default is not None:
            return invoke(self.default, args, {})
        forms = ", ".join(f"({', '.join(names)})" for names, _ in self.entries) or "none yet"
        passed = ", ".join(kinds_of(arg)[0] for arg in args)
        raise ValueError(
            f"For 'MultitypeFuncGraph', cannot find fn match given args. '{self.name}' has forms for {forms}, but got "
            f"({passed}). Add one with @{self.name}.register(...).{self.doc_url and f' See {self.doc_url}.'}"
        )

    def __repr__(self) -> str:
        return f"MultitypeFuncGraph[{self.name}]"


class Map:
    """Applies a function to the corresponding elements of tuples or lists.

    Returns a tuple; in graphs a list if the first input is one. ``reverse`` begins with the last elements, the order of the
    results is the same.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> ops.Map()(ops.add, (Tensor(1), Tensor(2)), (Tensor(10), Tensor(20)))
        (Tensor(shape=[], dtype=Int64, value= 11), Tensor(shape=[], dtype=Int64, value= 22))
    """

    def __init__(self, ops: Callable[..., Any] | None = None, reverse: bool = False):
        if ops is not None and not callable(ops):
            raise TypeError(f"For '{type(self).__name__}', the 'ops' must be a function, but got {checks.shown(ops)}.")
        self.ops = ops
        self.reverse = reverse

    def set_signatures(self, signatures: Any) -> None:
        """Signatures for type promotion: the operators that are mapped promote by their declarations."""
        self._signatures = tuple(signatures)

    def __call__(self, *args: Any) -> Any:
        function, sequences = (self.ops, args) if self.ops is not None else (args[0] if args else None, args[1:])
        title = type(self).__name__
        if not callable(function):
            raise TypeError(f"For '{title}', the first argument must be a function, but got {checks.shown(function)}.")
        if not sequences:
            raise TypeError(f"For '{title}', there must be a tuple or list to map over, but got the function alone.")
        return self._map(function, sequences)

    def _map(self, function: Callable[..., Any], sequences: tuple) -> Any:
        return self._each(sequences, lambda members: invoke(function, members, {}))

    def _each(self, sequences: tuple, apply: Callable[[tuple], Any]) -> Any:
        """The results for corresponding elements, in a container as graphs and Python return it."""
        for sequence in sequences:
            if not isinstance(sequence, (tuple, list)):
                raise TypeError(
                    f"For '{type(self).__name__}', every input must be a tuple or list, but got {checks.shown(sequence)}."
                )
        lengths = [len(sequence) for sequence in sequences]
        if len(set(lengths)) > 1:
            title = type(self).__name__
            raise RuntimeError(f"The tuples in {title} should have the same length. Their lengths are {lengths}.")
        members = list(zip(*sequences, strict=True))
        results = [apply(one) for one in members[::-1]][::-1] if self.reverse else [apply(one) for one in members]
        return effects.born(results) if isinstance(sequences[0], list) and effects.asked() else tuple(results)


class HyperMap(Map):
    """Like :class:`Map`, but goes into nested tuples and lists as far as the first input is nested.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> ops.HyperMap()(ops.square, (Tensor(2.0), (Tensor(3.0),)))
        (Tensor(shape=[], dtype=Float32, value= 4), (Tensor(shape=[], dtype=Float32, value= 9),))
    """

    def _map(self, function: Callable[..., Any], sequences: tuple) -> Any:
        first = sequences[0]
        if effects.asked():  # graphs know dicts, and call the function where nesting ends in any input
            if all(isinstance(one, dict) and one.keys() == first.keys() for one in sequences):
                return effects.born({key: self._map(function, tuple([one[key] for one in sequences])) for key in first})
            nested = all(isinstance(one, (tuple, list)) for one in sequences)
        else:
            nested = isinstance(first, (tuple, list))
        if not nested:
            return invoke(function, sequences, {})
        return self._each(sequences, lambda members: self._map(function, members))


def hyper_map(fn: Callable[..., Any], *args: Any) -> Any:
    """Apply a function to the leaves of nested tuples.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> ops.hyper_map(ops.square, (Tensor(2), Tensor(3)))
        (Tensor(shape=[], dtype=Int64, value= 4), Tensor(shape=[], dtype=Int64, value= 9))
    """
    return HyperMap(fn)(*args)


def partial(func: Callable[..., Any], *args: Any, **kwargs: Any) -> Callable[..., Any]:
    """A function with its leading arguments, and some by keyword, fixed.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.partial(ops.add, Tensor(1.0))(Tensor(2.0)))
        3.0
    """
    if not callable(func):
        raise TypeError(f"For 'partial', the 'func' must be a function, but got {checks.shown(func)}.")
    return functools.partial(func, *args, **kwargs)


@register_primitive
class Partial(Primitive):
    """Fixes arguments of a function, see :func:`mindspore.ops.partial`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> double = ops.Partial()(ops.mul, Tensor(2.0))
        >>> print(double(Tensor([1.0, 2.0])))
        [2. 4.]
    """

    side_effect_propagate = 1  # the input whose effects it hands on

    def __call__(self, func: Callable[..., Any], *args: Any, **kwargs: Any) -> Callable[..., Any]:
        return partial(func, *args, **kwargs)


def add_flags(fn: Callable[..., Any] | None = None, **flags: Any) -> Callable[..., Any]:
    """Mark a function with hints for the compiler; usable as a decorator.

    Examples:
        >>> from mindspore import ops
        >>> @ops.add_flags(has_effect=True)
        ... def step(x):
        ...     return x
        >>> step(3)
        3
    """

    def mark(function: Callable[..., Any]) -> Callable[..., Any]:
        function._func_graph_flags = {**getattr(function, "_func_graph_flags", {}), **flags}  # type: ignore[attr-defined]
        return function

    return mark if fn is None else mark(fn)


def core(fn: Callable[..., Any] | None = None, **flags: Any) -> Callable[..., Any]:
    """Mark a function as part of the framework's core; usable as a decorator.

    Examples:
        >>> from mindspore import ops
        >>> @ops.core
        ... def double(x):
        ...     return x * 2
        >>> double(3)
        6
    """
    return add_flags(fn, core=True, **flags)


def tail(sequence: Sequence[Any]) -> tuple:
    """All but the first element.

    Examples:
        >>> from mindspore.ops import composite as C
        >>> C.tail((1, 2, 3))
        (2, 3)
    """
    return tuple(sequence[1:])


def zip_operation(*sequences: Sequence[Any]) -> tuple:
    """Tuples of corresponding elements, as many as the shortest sequence has.

    Examples:
        >>> from mindspore.ops import composite as C
        >>> C.zip_operation((1, 2), (3, 4))
        ((1, 3), (2, 4))
    """
    return tuple(zip(*sequences, strict=False))


for _function in (hyper_map, partial, add_flags, core, tail, zip_operation):
    register_function(_function)
