"""Primitives that compute nothing: sequences, dictionaries, the order of effects, and functions as values."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, NamedTuple

from mindspore import ops
from mindspore._engine.export.mindir.file_numbers import DTYPE_NUMBERS
from mindspore._engine.tensor.tensor import Tensor, is_traced
from mindspore.train._mindir.attributes import MONAD


class Closure(NamedTuple):
    """A function of the file, or another value that is called, with its first arguments."""

    callee: Any
    bound: tuple[Any, ...] = ()


class Choice(NamedTuple):
    """One of several functions, chosen by a value that a graph may only know when it runs."""

    selector: Any
    ways: tuple[Any, ...]  # for Switch: when true, when false; for SwitchLayer: by index
    by_index: bool


def _index(value: Any) -> Any:
    return int(value.asnumpy()) if isinstance(value, Tensor) and not is_traced(value) else value


def _item(values: Any, index: Any) -> Any:
    return values[_index(index)]


def _set_item(values: Any, index: Any, value: Any) -> Any:
    changed = list(values)
    changed[_index(index)] = value
    return type(values)(changed)


def _slice(values: Any, start: int, stop: int, step: int) -> Any:
    return values[start:stop:step]


def _dictionary(keys: Any, values: Any) -> dict[Any, Any]:
    return dict(zip(keys, values, strict=True))


def _with_key(table: dict[Any, Any], key: Any, value: Any) -> dict[Any, Any]:
    return {**table, key: value}


def _same(first: Any, second: Any) -> bool:
    """Whether two values are equal and of one kind: a Tensor never equals a number."""
    return type(first) is type(second) and (first is second if isinstance(first, Tensor) else bool(first == second))


def _inserted(values: Any, index: int, value: Any) -> Any:
    changed = list(values)
    changed.insert(index, value)
    return type(values)(changed)


# The first input is the list itself, and the result.
def _extend(values: list[Any], more: Any, *_: Any) -> list[Any]:
    values.extend(more)
    return values


def _append(values: list[Any], value: Any, *_: Any) -> list[Any]:
    values.append(value)
    return values


def _insert(values: list[Any], index: int, value: Any, *_: Any) -> list[Any]:
    values.insert(index, value)
    return values


def _pop(values: list[Any], index: int, *_: Any) -> tuple[list[Any], Any]:
    value = values.pop(index)
    return values, value


def _reversed(values: list[Any], *_: Any) -> list[Any]:
    values.reverse()
    return values


def _cleared(values: list[Any], *_: Any) -> list[Any]:
    values.clear()
    return values


def _number(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of Python's numbers and texts, for values without the order of effects."""
    return lambda *values: function(*[value for value in values if value is not MONAD])


_COMPARISONS = {"lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge, "greater_than": operator.gt, "greater_equal": operator.ge}  # fmt: skip
_TEXTS: dict[str, Callable[..., Any]] = {
    "eq": operator.eq, "concat": operator.add, "not": operator.not_, "in": lambda part, text: part in text,
    "mul": operator.mul, "getitem": operator.getitem,
}  # fmt: skip

STRUCTURES: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(("MakeTuple", "make_tuple", "RealMakeTuple"), lambda *values: tuple(values)),
    **dict.fromkeys(("make_list", "MakeList", "RealMakeList"), lambda *values: list(values)),
    **dict.fromkeys(
        (
            "TupleGetItem",
            "tuple_getitem",
            "RealTupleGetItem",
            "list_getitem",
            "ListGetItem",
            "dict_getitem",
            "DictGetItem",
        ),
        _item,
    ),
    **dict.fromkeys(("tuple_setitem", "list_setitem", "TupleSetItem", "ListSetItem"), _set_item),
    **dict.fromkeys(("sequence_slice", "SequenceSlice"), _slice),
    **dict.fromkeys(("sequence_len", "SequenceLen", "tuple_len", "list_len"), len),
    **dict.fromkeys(("SequenceAdd", "sequence_add"), lambda first, second: first + second),
    **dict.fromkeys(("SequenceMul", "sequence_mul"), lambda values, count: values * count),
    **dict.fromkeys(("tuple_equal", "list_equal", "SequenceEqual"), _same),
    **{f"{kind}_{name}": compare for kind in ("tuple", "list", "string") for name, compare in _COMPARISONS.items()},
    **{f"string_{name}": function for name, function in _TEXTS.items()},
    "StringUpper": str.upper,
    "StringLower": str.lower,
    "JoinedStr": lambda *parts: "".join(map(str, parts)),
    "InSequence": lambda value, values: any(_same(value, one) for one in values),
    "is_": _same,
    "is_not": lambda first, second: not _same(first, second),
    "bool_not": _number(operator.not_),
    **dict.fromkeys(("bit_and", "BitAnd"), _number(operator.and_)),
    **dict.fromkeys(("bit_or", "BitOr"), _number(operator.or_)),
    "ScalarTrunc": _number(math.trunc),
    "ScalarFloor": _number(math.floor),
    "inner_abs": abs,
    "make_range": lambda *bounds: tuple(range(*bounds)),
    "make_slice": slice,
    "SliceGetItem": lambda piece, name: getattr(piece, name),
    "SequenceCount": lambda values, value: sum(_same(value, one) for one in values),
    "SequenceIndex": lambda values, value, start, stop: values.index(value, start, stop),
    "SequenceMax": max,
    "SequenceMin": min,
    "SequenceAddN": lambda values: sum(values[1:], values[0]),
    "ListAppend": lambda values, value: [*values, value],
    "ListInsert": _inserted,
    "ListInplaceAppend": _append,
    "ListInplaceExtend": _extend,
    "ListInplaceInsert": _insert,
    "ListInplacePop": _pop,
    "ListInplaceReverse": _reversed,
    "ListInplaceClear": _cleared,
    **dict.fromkeys(("ListToTuple", "list_to_tuple"), tuple),
    **dict.fromkeys(("TupleToList", "tuple_to_list"), list),
    **dict.fromkeys(("make_dict", "MakeDict"), _dictionary),
    **dict.fromkeys(("dict_setitem", "DictSetItem", "DictInplaceSetItem"), _with_key),
    **dict.fromkeys(("dict_len", "DictLen"), len),
    **dict.fromkeys(("dict_items", "DictItems"), lambda table: tuple(table.items())),
    "mutable": lambda value, *_: value,
    **dict.fromkeys(("dict_getkeys", "DictGetKeys"), lambda table: tuple(table)),
    **dict.fromkeys(("dict_getvalues", "DictGetValues"), lambda table: tuple(table.values())),
    "Depend": lambda value, *_: value,
    "UpdateState": lambda *_: MONAD,
    "Return": lambda value: value,
    "return": lambda value: value,
    "TensorMove": ops.deepcopy,
    "Partial": lambda callee, *bound: Closure(callee, bound),
    "Switch": lambda selector, true, false: Choice(selector, (true, false), by_index=False),
    "SwitchLayer": lambda selector, ways: Choice(selector, tuple(ways), by_index=True),
    "switch_layer": lambda selector, ways: Choice(selector, tuple(ways), by_index=True),
    "StopGradient": ops.stop_gradient,
    "identity": lambda value: value,
    "IsNone": lambda value: value is None,
    "ScalarToTensor": lambda value, dtype: Tensor(value, DTYPE_NUMBERS[dtype]),
}
