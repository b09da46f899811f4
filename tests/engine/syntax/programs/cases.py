"""The list of programs, and their results in a form that can be kept in a file."""

from collections.abc import Callable
from typing import Any

import numpy as np

from mindspore import Tensor

CASES: dict[str, tuple[Callable[..., Any], tuple]] = {}


def case(*args: Any) -> Callable[[Any], Any]:
    """Note a program with its arguments."""

    def note(function: Any) -> Any:
        CASES[function.__name__] = (function, args)
        return function

    return note


def fresh(value: Any) -> Any:
    """Arguments that no other program has changed."""
    if isinstance(value, Tensor):
        return Tensor(value.asnumpy())
    if isinstance(value, (list, tuple)):
        return type(value)(fresh(item) for item in value)
    return {key: fresh(item) for key, item in value.items()} if isinstance(value, dict) else value


def shown(value: Any) -> Any:
    """A result with its types, as JSON has it."""
    if isinstance(value, Tensor):
        array = value.asnumpy()
        return ["Tensor", str(array.dtype), list(array.shape), np.round(array.astype(float), 4).tolist()]
    if isinstance(value, np.ndarray):
        return ["ndarray", str(value.dtype), value.tolist()]
    if isinstance(value, np.generic):
        return ["numpy", str(value.dtype), value.item()]
    if isinstance(value, (tuple, list)):
        kind = "tuple" if isinstance(value, tuple) else "list"
        return [kind, *map(shown, value)]
    if isinstance(value, dict):
        return ["dict", *[[shown(key), shown(item)] for key, item in value.items()]]
    if isinstance(value, (set, frozenset)):
        return [type(value).__name__, *sorted(map(shown, value), key=str)]
    if isinstance(value, float):
        return round(value, 5)
    return value if value is None or isinstance(value, (bool, int, str)) else ["object", type(value).__name__]


def result_of(function: Callable[..., Any], args: tuple) -> Any:
    """What a program gives, or the error it raises."""
    try:
        return shown(function(*fresh(args)))
    except Exception as error:
        return ["raises", type(error).__name__]
