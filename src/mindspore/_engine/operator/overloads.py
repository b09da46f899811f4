"""Several forms of one function: the arguments of a call decide which form it means.

    attach("select", overloaded("Tensor.select", _slice, _choice))

Each form is a function, and its signature declares the form: a call means the first form that takes its number of arguments
and its keywords, and whose annotations ``int``, ``bool``, ``str``, ``complex`` (any number), ``DType``, ``Tensor`` fit; others take anything.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, Protocol, TypeVar, overload

import numpy as np

from mindspore._engine.base.dtype import DType
from mindspore._engine.base.trace_state import state
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.documents.annotation_words import parameter_text
from mindspore._utils.user_call import READERS, UserCall, called_as

_EMPTY = inspect.Parameter.empty
_REMEMBERED = 256  # combinations of types, of one function
Known = dict[tuple, Callable[..., Any]]  # forms by the types of the arguments


def _is_int(value: Any) -> bool:
    return not isinstance(value, (bool, Tensor, type)) and hasattr(value, "__index__")


_CHECKS: dict[str, Callable[[Any], bool]] = {
    "int": _is_int,
    "bool": lambda value: isinstance(value, (bool, np.bool_)),
    "str": lambda value: isinstance(value, str),
    "complex": lambda value: isinstance(value, (int, float, complex, np.number)),
    "DType": lambda value: isinstance(value, DType),
    "Tensor": lambda value: isinstance(value, Tensor),
    "None": lambda value: value is None,
}


def _check_of(annotation: Any) -> Callable[[Any], bool] | None:
    words = annotation.split(" | ") if isinstance(annotation, str) else ["Any"]
    checks = [_CHECKS.get(word) for word in words]
    if None in checks:
        return None
    return checks[0] if len(checks) == 1 else lambda value: any(check(value) for check in checks if check is not None)


class Form:
    """One signature of an overloaded function."""

    def __init__(self, function: Callable[..., Any]):
        self.function = function
        parameters = list(inspect.signature(function).parameters.values())
        self.text = ", ".join(str(one).partition(":")[0].partition("=")[0] + _default(one) for one in parameters)
        self.signature = f"({', '.join(parameter_text(one) for one in parameters if one.name != 'self')})"
        self.checks = {one.name: _check_of(one.annotation) for one in parameters}
        self.names = [one.name for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD]
        self.keywords = {one.name for one in parameters if one.kind is one.KEYWORD_ONLY}
        self.several = next((one.name for one in parameters if one.kind is one.VAR_POSITIONAL), None)
        named = {*self.names, *self.keywords}
        self.required = [one.name for one in parameters if one.default is _EMPTY and one.name in named]

    def takes(self, args: tuple, kwargs: dict[str, Any]) -> bool:
        count = len(args)
        if count > len(self.names) and self.several is None:
            return False
        for name, value in zip(self.names, args):
            check = self.checks[name]
            if check is not None and not check(value):
                return False
        rest = self.checks[self.several] if self.several is not None else None
        if rest is not None and not all(map(rest, args[len(self.names) :])):
            return False
        return self._takes_keywords(count, kwargs)

    def _takes_keywords(self, count: int, kwargs: dict[str, Any]) -> bool:
        by_name = self.names[count:]
        for name, value in kwargs.items():
            if name not in by_name and name not in self.keywords:
                return False
            check = self.checks[name]
            if check is not None and not check(value):
                return False
        return all(name in kwargs or name in self.names[:count] for name in self.required)


def _default(parameter: inspect.Parameter) -> str:
    return "" if parameter.default is _EMPTY else f"={parameter.default!r}"


def in_graph() -> bool:
    """Whether the call is part of a function that is compiled, also where that runs in pieces."""
    return state.piecewise > 0 or (state.scope is not None and state.scope.root.is_graph)


First = ParamSpec("First")
Second = ParamSpec("Second")
Third = ParamSpec("Third")
Result1 = TypeVar("Result1", covariant=True)
Result2 = TypeVar("Result2", covariant=True)
Result3 = TypeVar("Result3", covariant=True)


class _Two(Protocol[First, Result1, Second, Result2]):
    """To a type checker, a function of two forms."""

    @overload
    def __call__(self, *args: First.args, **kwargs: First.kwargs) -> Result1: ...
    @overload
    def __call__(self, *args: Second.args, **kwargs: Second.kwargs) -> Result2: ...


class _Three(Protocol[First, Result1, Second, Result2, Third, Result3]):
    """To a type checker, a function of three forms."""

    @overload
    def __call__(self, *args: First.args, **kwargs: First.kwargs) -> Result1: ...
    @overload
    def __call__(self, *args: Second.args, **kwargs: Second.kwargs) -> Result2: ...
    @overload
    def __call__(self, *args: Third.args, **kwargs: Third.kwargs) -> Result3: ...


@overload
def overloaded(
    owner: str, first: Callable[First, Result1], second: Callable[Second, Result2], /, *,
    compiled: Sequence[Callable[..., Any]] = (),
) -> _Two[First, Result1, Second, Result2]: ...  # fmt: skip
@overload
def overloaded(
    owner: str, first: Callable[First, Result1], second: Callable[Second, Result2], third: Callable[Third, Result3], /, *,
    compiled: Sequence[Callable[..., Any]] = (),
) -> _Three[First, Result1, Second, Result2, Third, Result3]: ...  # fmt: skip
@overload
def overloaded(
    owner: str, /, *functions: Callable[..., Any], compiled: Sequence[Callable[..., Any]] = ()
) -> Callable[..., Any]: ...
def overloaded(
    owner: str, *functions: Callable[..., Any], compiled: Sequence[Callable[..., Any]] = ()
) -> Callable[..., Any]:
    """One function of several forms, tried in order; documented by the first that has a docstring.

    Args:
        owner: the name in error messages; its last part is the name of the function.
        functions: the forms.
        compiled: the order in which compiled functions try them, where MindSpore's graphs take another form.
    """
    forms = [Form(function) for function in functions]
    in_graphs = [Form(function) for function in compiled]
    known: Known = {}
    known_in_graphs: Known = {}

    def function(*args: Any, **kwargs: Any) -> Any:
        if in_graphs and in_graph():
            return _choose(owner, in_graphs, known_in_graphs, args, kwargs)(*args, **kwargs)
        if kwargs:
            return _choose(owner, forms, known, args, kwargs)(*args, **kwargs)
        chosen = known.get(tuple(map(type, args))) or _choose(owner, forms, known, args, kwargs)
        return chosen(*args)

    READERS[function.__code__] = _read_call
    function.__name__ = owner.rpartition(".")[2]
    function.__qualname__ = owner if owner.startswith("Tensor.") else function.__name__
    function.__module__ = functions[0].__module__
    function.__doc__ = next((one.__doc__ for one in functions if one.__doc__), None)
    function.forms = functions  # type: ignore[attr-defined]
    return function


def _choose(owner: str, forms: list[Form], known: Known, args: tuple, kwargs: dict[str, Any]) -> Callable[..., Any]:
    """The form that a call means; once for each combination of types, on which alone it depends."""
    kinds = tuple(map(type, args))
    if kwargs:
        kinds = (kinds, *kwargs, *map(type, kwargs.values()))
    found = known.get(kinds)
    if found is None:
        form = next((one for one in forms if one.takes(args, kwargs)), None)
        if form is None:
            raise _refused(owner, forms, args, kwargs)
        if len(known) >= _REMEMBERED:
            known.clear()
        found = known[kinds] = form.function if kwargs else positional(form.function)
    return found


def hands_on(target: Callable[..., Any]) -> Callable[[Any], Any]:
    """Declare that a form hands positional arguments on to another function as they are: a call goes there at once."""

    def declare(function: Any) -> Any:
        function.target = target
        return function

    return declare


def positional(function: Callable[..., Any]) -> Callable[..., Any]:
    """What computes a form for positional arguments."""
    return getattr(function, "target", function)


def _refused(owner: str, forms: list[Form], args: tuple, kwargs: dict[str, Any]) -> TypeError:
    shown = [form.text.removeprefix("self, ").replace("self", "") for form in forms]
    allowed = " or ".join(f"({text})" for text in shown)
    first = 1 if shown != [form.text for form in forms] else 0
    passed = [type(one).__name__ for one in args[first:]] + [f"{k}={type(v).__name__}" for k, v in kwargs.items()]
    unknown = [name for name in kwargs if not any(name in form.checks for form in forms)]
    reason = f" Unknown argument: {', '.join(unknown)}." if unknown else ""
    text = f"For '{owner}', the arguments must be {allowed}, but got ({', '.join(passed)}).{reason}"
    return TypeError(text + called_as())


def _read_call(variables: dict[str, Any]) -> UserCall:
    """The user's call, from the variables of an overloaded function."""
    names = (variables["owner"].rpartition(".")[2],)
    return UserCall(names, variables["args"], variables["kwargs"], [form.signature for form in variables["forms"]])
