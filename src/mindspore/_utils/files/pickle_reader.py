"""Pickles read without executing anything: values are built, names stand for what the caller allows, all else is an error.

>>> import io, pickle
>>> read(io.BytesIO(pickle.dumps({"a": [1, (2.5, None)]}, protocol=2)), {}, no_storage)
{'a': [1, (2.5, None)]}
>>> read(io.BytesIO(pickle.dumps(print)), {}, no_storage)
Traceback (most recent call last):
...
mindspore._utils.files.pickle_reader.UnknownName: it names 'builtins.print', which is not part of saved weights
"""

from __future__ import annotations

import pickletools
from collections.abc import Callable, Mapping
from typing import Any

_MOST_STEPS = 2_000_000
_KEYS = (str, int, float, bool, bytes, type(None))  # a key of nested tuples could overflow the stack when it is hashed
_CONSTANTS: dict[str, Any] = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}
_ARGUMENTS = frozenset(
    [
        "BININT",
        "BININT1",
        "BININT2",
        "INT",
        "LONG",
        "LONG1",
        "LONG4",
        "BINFLOAT",
        "FLOAT",
        "BINUNICODE",
        "SHORT_BINUNICODE",
        "BINUNICODE8",
        "UNICODE",
        "BINSTRING",
        "SHORT_BINSTRING",
        "STRING",
        "BINBYTES",
        "SHORT_BINBYTES",
        "BINBYTES8",
        "BYTEARRAY8",
    ]
)
_EMPTY: dict[str, Callable[[], Any]] = {"EMPTY_DICT": dict, "EMPTY_LIST": list, "EMPTY_TUPLE": tuple}


class RefusedPickle(ValueError):
    """A pickle that is damaged, or that wants more than values."""


class UnknownName(RefusedPickle):
    """A pickle with a name that the caller does not know."""


class Name:
    """A name in a pickle: what it builds, or nothing but itself."""

    def __init__(self, path: str, build: Callable[..., Any] | None = None):
        self.path = path
        self.build = build


class Stateful:
    """What a pickle builds in two steps: made first, then given its state."""

    def set_state(self, state: Any) -> None:
        """Take the state, or refuse it."""
        raise NotImplementedError


def no_storage(identifier: Any) -> Any:
    """For pickles that refer to nothing outside themselves."""
    raise RefusedPickle("it refers to data that it does not have")


def read(stream: Any, names: Mapping[str, Name], storage: Callable[[Any], Any]) -> Any:
    """The value of the pickle at the position of ``stream``, which is moved behind it.

    Args:
        names: what the names in it mean, by module and name.
        storage: gives what the pickle refers to outside itself.
    """
    machine = _Machine(names, storage)
    try:
        for number, (opcode, argument, _) in enumerate(pickletools.genops(stream)):
            if opcode.name == "STOP":
                return machine.result()
            if number > _MOST_STEPS:
                raise RefusedPickle("it never ends")
            machine.step(opcode.name, argument)
    except RefusedPickle:
        raise
    except (ValueError, IndexError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise RefusedPickle(f"its list of values is damaged ({type(error).__name__})") from None
    raise RefusedPickle("its list of values is cut off")


class _Machine:
    """The stack and the memory of a pickle."""

    def __init__(self, names: Mapping[str, Name], storage: Callable[[Any], Any]):
        self.names = names
        self.storage = storage
        self.stack: list[Any] = []
        self.below: list[list[Any]] = []  # what stands under each mark
        self.memory: dict[int, Any] = {}

    def step(self, name: str, argument: Any) -> None:
        """Execute an opcode."""
        if name in _ARGUMENTS:
            self.stack.append(argument)
        elif name in _CONSTANTS:
            self.stack.append(_CONSTANTS[name])
        elif name in _EMPTY:
            self.stack.append(_EMPTY[name]())
        elif name in ("BINPUT", "LONG_BINPUT", "PUT"):
            self.memory[argument] = self.stack[-1]
        elif name in ("BINGET", "LONG_BINGET", "GET"):
            self.stack.append(self.memory[argument])
        elif name not in ("PROTO", "FRAME"):
            method = getattr(self, "on_" + name.lower(), None)
            if method is None:
                raise RefusedPickle(f"it contains the instruction {name}, which saved weights do not need")
            method(argument)

    def result(self) -> Any:
        if len(self.stack) != 1 or self.below:
            raise RefusedPickle("its list of values is damaged")
        return self.stack[0]

    def _marked(self) -> list[Any]:
        """Everything above the last mark."""
        values, self.stack = self.stack, self.below.pop()
        return values

    def on_mark(self, _: Any) -> None:
        self.below.append(self.stack)
        self.stack = []

    def on_memoize(self, _: Any) -> None:
        self.memory[len(self.memory)] = self.stack[-1]

    def on_pop(self, _: Any) -> None:
        self.stack.pop()

    def on_pop_mark(self, _: Any) -> None:
        self._marked()

    def on_tuple(self, _: Any) -> None:
        values = tuple(self._marked())
        self.stack.append(values)

    def on_tuple1(self, _: Any) -> None:
        self._last_as_tuple(1)

    def on_tuple2(self, _: Any) -> None:
        self._last_as_tuple(2)

    def on_tuple3(self, _: Any) -> None:
        self._last_as_tuple(3)

    def _last_as_tuple(self, count: int) -> None:
        if len(self.stack) < count:
            raise RefusedPickle("its list of values is damaged")
        self.stack[-count:] = [tuple(self.stack[-count:])]

    def on_list(self, _: Any) -> None:
        values = self._marked()
        self.stack.append(values)

    def on_dict(self, _: Any) -> None:
        values = pairs(self._marked())
        self.stack.append(values)

    def on_append(self, _: Any) -> None:
        value = self.stack.pop()
        self._container(list).append(value)

    def on_appends(self, _: Any) -> None:
        values = self._marked()
        self._container(list).extend(values)

    def on_setitem(self, _: Any) -> None:
        value, key = self.stack.pop(), self.stack.pop()
        self._container(dict).update(pairs([key, value]))

    def on_setitems(self, _: Any) -> None:
        values = self._marked()
        self._container(dict).update(pairs(values))

    def _container(self, kind: type) -> Any:
        if type(self.stack[-1]) is not kind:
            raise RefusedPickle("its list of values is damaged")
        return self.stack[-1]

    def on_global(self, argument: str) -> None:
        self.stack.append(self._named(argument.replace(" ", ".", 1)))

    def on_stack_global(self, _: Any) -> None:
        name, module = self.stack.pop(), self.stack.pop()
        self.stack.append(self._named(f"{module}.{name}"))

    def _named(self, path: str) -> Name:
        if path not in self.names:
            raise UnknownName(f"it names '{path:.120}', which is not part of saved weights")
        return self.names[path]

    def on_reduce(self, _: Any) -> None:
        arguments, name = self.stack.pop(), self.stack.pop()
        if not isinstance(name, Name) or name.build is None or not isinstance(arguments, tuple):
            raise RefusedPickle("it calls something that cannot be called")
        self.stack.append(name.build(*arguments))

    def on_newobj(self, argument: Any) -> None:
        self.on_reduce(argument)

    def on_build(self, _: Any) -> None:
        state = self.stack.pop()  # of a dict: attributes such as versions of modules, which nobody needs
        if isinstance(self.stack[-1], Stateful):
            self.stack[-1].set_state(state)

    def on_binpersid(self, _: Any) -> None:
        self.stack.append(self.storage(self.stack.pop()))


def pairs(values: list[Any]) -> dict[Any, Any]:
    """A dict of keys and values in turn."""
    if not all(type(key) in _KEYS for key in values[::2]):
        raise RefusedPickle("a dict in it has keys that are neither text nor numbers")
    return dict(zip(values[::2], values[1::2], strict=True))
