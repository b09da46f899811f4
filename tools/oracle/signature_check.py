"""Whether this package is called as real MindSpore is: the same keywords, order and defaults."""

from __future__ import annotations

import functools
import importlib
import inspect
import re
from collections.abc import Callable
from typing import Any

import mindspore
from mindspore._engine.operator.primitive import OpPrimitive
from tools.oracle.signature_lines import Parameters, parse


class Taken:
    """What a callable of this package takes: slots in order, the names of each, its default."""

    def __init__(
        self, slots: list[tuple[tuple[str, ...], Any, bool]], several: bool = False, any_keyword: bool = False
    ):
        self.slots = slots  # names, default, whether by position
        self.several, self.any_keyword = several, any_keyword

    def named(self, name: str) -> int | None:
        return next((index for index, (names, *_) in enumerate(self.slots) if name in names), None)


def _of_python(function: Callable[..., Any], skip: int) -> Taken:
    parameters = list(inspect.signature(function).parameters.values())[skip:]
    kinds = {one.kind for one in parameters}
    old = getattr(function, "old_names", {})
    slots = [
        ((one.name, *[name for name in old if old[name] == one.name]), one.default, one.kind is not one.KEYWORD_ONLY)
        for one in parameters
        if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
    ]
    return Taken(slots, inspect.Parameter.VAR_POSITIONAL in kinds, inspect.Parameter.VAR_KEYWORD in kinds)


def _of_arguments(arguments: Any) -> Taken:
    return Taken([((one.name, *one.old_names), one.default, True) for one in arguments])


def taken_by(path: str) -> list[Taken]:
    """The forms of the callable at a dotted path below ``mindspore``."""
    before, _, last = path.rpartition(".")
    owner = _resolve(before)
    if not inspect.isclass(owner):
        return _forms_of(getattr(owner, last), 0)
    if issubclass(owner, OpPrimitive) and last == "__init__":
        old = {one.name: one.old_names for one in owner.op.arguments}
        parameters = owner.init_signature.parameters.values()
        return [Taken([((one.name, *old.get(one.name, ())), one.default, True) for one in parameters])]
    if issubclass(owner, OpPrimitive) and last == "__call__":
        return [_of_arguments([owner.op.arguments[index] for index in owner.call_indices])]
    if last == "__call__" and "function" in vars(owner):  # a Primitive class made from a function
        function = vars(owner)["function"]
        return _forms_of(getattr(function, "__func__", function), 0)
    if last == "__init__":
        return [_of_python(owner.__init__, 1) if "__init__" in vars(owner) else _of_python(owner, 0)]
    bound = isinstance(inspect.getattr_static(owner, last), (staticmethod, classmethod))
    return _forms_of(getattr(owner, last), 0 if bound else 1)


def _forms_of(value: Any, skip: int) -> list[Taken]:
    forms = getattr(value, "forms", None) or (value,)
    return [_of_function(form, skip) for form in forms]


def _of_function(value: Any, skip: int) -> Taken:
    declared = getattr(value, "op", None)
    if declared is not None and getattr(declared, "function", None) is value:
        return _of_arguments(declared.arguments[skip:])
    if isinstance(value, OpPrimitive):
        return _of_arguments([value.op.arguments[index] for index in value.call_indices])
    return _of_python(value, skip)


@functools.cache
def _resolve(path: str) -> Any:
    value: Any = mindspore
    for index, name in enumerate(path.split(".") if path else ()):
        if not hasattr(value, name):
            importlib.import_module(f"mindspore.{'.'.join(path.split('.')[: index + 1])}")
        value = getattr(value, name)
    return value


def differences(path: str, line: str) -> list[str]:
    """What a caller of real MindSpore would notice, for one recorded form."""
    try:
        forms = taken_by(path)
    except (AttributeError, ImportError):
        return ["missing"]
    except (ValueError, TypeError) as error:
        return [f"no signature: {error}"]
    return min((_compare(parse(line), one) for one in forms), key=len)


def _compare(real: Parameters, here: Taken) -> list[str]:
    found = []
    places = [index for index, slot in enumerate(here.slots) if slot[2]]
    for place, name in enumerate(real.by_position):
        index = here.named(name)
        if index is None:
            found.append(f"no {name}=") if not here.any_keyword and not real.several else None
        elif place >= len(places):
            found.append(f"{name} not by position")
        elif places[place] != index:
            found.append(f"{name} is not number {place}")
    found += [f"no {name}=" for name in real.by_keyword if here.named(name) is None and not here.any_keyword]
    for name, default in real.defaults.items():
        index = here.named(name)
        if index is not None and not _same(default, here.slots[index][1]):
            found.append(f"{name}={default} is {here.slots[index][1]!r}")
    if real.several and not here.several and not real.by_position:
        found.append("no numbers one by one")
    return found


NOTHING = ("None", "()", "[]")  # all axes, where MindSpore's functions spell it differently


def _same(recorded: str, value: Any) -> bool:
    """Whether a default means the same: 0 and 0.0 do, (0,) and 0, an own function of the same purpose."""
    if value is inspect.Parameter.empty:
        return False
    text = value.__name__ if isinstance(value, type) else repr(value)
    plain, present = (re.sub(r"mindspore\.|mstype\.|\"|'| at 0x[0-9a-f]+", "", one) for one in (recorded, text))
    if plain.lower() == present.lower() or (plain in NOTHING and present in NOTHING):
        return True
    if plain.startswith("<function") and present.startswith("<function"):
        return True
    return _number(plain) is not None and _number(plain) == _number(present.strip("(),"))


def _number(text: str) -> float | None:
    try:
        return float(2**63 - 1) if text == "2^63-1" else float(text)
    except ValueError:
        return None
