"""Primitives that compute nothing: sequences, dictionaries, the order of effects, and functions as values."""

from __future__ import annotations

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


def _equal(first: Any, second: Any) -> bool:
    return bool(first == second)


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
    **dict.fromkeys(("tuple_equal", "list_equal"), _equal),
    **dict.fromkeys(("ListToTuple", "list_to_tuple"), tuple),
    **dict.fromkeys(("TupleToList", "tuple_to_list"), list),
    **dict.fromkeys(("make_dict", "MakeDict"), _dictionary),
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
