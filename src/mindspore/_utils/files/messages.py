"""Protobuf messages as objects, with the methods programs call on them; one line of text declares a class.

>>> Point = message("Point", "x:1:int y:2:int name:3:str path:4*:int")
>>> point = Point(x=-3, name="p", path=[1, 2])
>>> again = Point.FromString(point.SerializeToString())
>>> again.x, again.y, again.name, again.path, again.HasField("y")
(-3, 0, 'p', [1, 2], False)
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple

from mindspore._utils.files import wire

_DEFAULTS = {"int": 0, "str": "", "bytes": b"", "float": 0.0, "double": 0.0}
_PACKED = {"float": ("<f", 5), "double": ("<d", 1)}  # format and wire type


class Field(NamedTuple):
    """One field of a message."""

    number: int
    repeated: bool
    kind: Any  # a key of _DEFAULTS, or the class of another message


class Message:
    """The base class of messages."""

    FIELDS: ClassVar[dict[str, Field]] = {}

    def __init__(self, **values: Any):
        for name, value in values.items():
            setattr(self, name, value)

    def __getattr__(self, name: str) -> Any:
        """A field that is not set: a list or message that can be filled, or the default."""
        if name not in self.FIELDS:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        field = self.FIELDS[name]
        if field.repeated:
            found: Any = RepeatedField(field.kind)
        elif isinstance(field.kind, str):
            return _DEFAULTS[field.kind]
        else:
            found = field.kind()
        self.__dict__[name] = found
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self.FIELDS:
            raise AttributeError(
                f"'{type(self).__name__}' object has no field '{name}'; its fields are {list(self.FIELDS)}."
            )
        self.__dict__[name] = RepeatedField(self.FIELDS[name].kind, value) if self.FIELDS[name].repeated else value

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.SerializeToString() == self.SerializeToString()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._set_fields())})"

    def _set_fields(self) -> Iterator[tuple[str, Any]]:
        return ((name, self.__dict__[name]) for name in self.FIELDS if self.HasField(name))

    # -- the methods of protobuf ------------------------------------------------------------------------------------------
    def HasField(self, name: str) -> bool:
        """Whether a field is set: a list that is not empty, a message with a field that is."""
        value = self.__dict__.get(name)
        if isinstance(value, Message):
            return any(True for _ in value._set_fields())
        return value is not None and not (isinstance(value, list) and not value)

    def ClearField(self, name: str) -> None:
        self.__dict__.pop(name, None)

    def Clear(self) -> None:
        self.__dict__.clear()

    def CopyFrom(self, other: Message) -> None:
        """Become a copy of another message of the class."""
        self.Clear()
        self.MergeFromString(other.SerializeToString())

    def MergeFrom(self, other: Message) -> None:
        self.MergeFromString(other.SerializeToString())

    def ParseFromString(self, serialized: bytes) -> int:
        """Take the fields of a message in bytes; returns how many bytes they are."""
        self.Clear()
        return self.MergeFromString(serialized)

    @classmethod
    def FromString(cls, serialized: bytes) -> Any:
        """A message from its bytes."""
        made = cls()
        made.ParseFromString(serialized)
        return made

    def MergeFromString(self, serialized: bytes) -> int:
        by_number = {field.number: name for name, field in self.FIELDS.items()}
        try:
            for number, value in wire.fields(memoryview(serialized)):
                if number in by_number:
                    self._take(by_number[number], value)
        except (wire.WireError, TypeError, struct.error, UnicodeDecodeError) as error:
            raise ValueError(f"Error parsing message of type '{type(self).__name__}': {error}.") from None
        except RecursionError:
            raise ValueError(
                f"Error parsing message of type '{type(self).__name__}': it is nested too deeply."
            ) from None
        return len(serialized)

    def _take(self, name: str, value: Any) -> None:
        field = self.FIELDS[name]
        values = list(_decoded(field, value))
        if field.repeated:
            getattr(self, name).extend(values)
        else:
            self.__dict__[name] = values[-1]

    def SerializeToString(self) -> bytes:
        """The message in bytes."""
        written = []
        for name, value in self._set_fields():
            field = self.FIELDS[name]
            written += [_encoded(field, one) for one in (value if field.repeated else [value])]
        return b"".join(written)

    def ByteSize(self) -> int:
        return len(self.SerializeToString())


class RepeatedField(list):
    """The values of a field that may occur several times; those of pairs of key and value are found by their key too."""

    def __init__(self, kind: Any, values: Any = ()):
        super().__init__(values)
        self._kind = kind

    def __getitem__(self, index: Any) -> Any:
        return self._pair(index).value if isinstance(index, str) else super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        if not isinstance(index, str):
            super().__setitem__(index, value)
        elif (pair := next((one for one in self if one.key == index), None)) is not None:
            pair.value = value
        else:
            self.add(key=index, value=value)

    def __contains__(self, item: object) -> bool:
        return (
            any(one.key == item for one in self)
            if isinstance(item, str) and self._is_map()
            else super().__contains__(item)
        )

    def _is_map(self) -> bool:
        return not isinstance(self._kind, str) and list(self._kind.FIELDS) == ["key", "value"]

    def _pair(self, key: str) -> Any:
        for one in self if self._is_map() else ():
            if one.key == key:
                return one
        raise KeyError(key)

    def add(self, **values: Any) -> Any:
        """A new message at the end."""
        self.append(self._kind(**values))
        return self[-1]


def _decoded(field: Field, value: Any) -> Iterator[Any]:
    if not isinstance(field.kind, str):
        yield field.kind.FromString(value)
    elif field.kind == "str":
        yield wire.text(value)
    elif field.kind == "bytes":
        yield bytes(value)
    elif field.kind == "int":
        yield from [_signed(value)] if isinstance(value, int) else _packed_integers(value)
    else:
        layout = _PACKED[field.kind][0]
        yield from (number for (number,) in struct.iter_unpack(layout, bytes(value)))


def _packed_integers(data: Any) -> Iterator[int]:
    offset = 0
    while offset < len(data):
        value, offset = wire.read_varint(data, offset)
        yield _signed(value)


def _signed(value: int) -> int:
    return value - 2**64 if value >= 2**63 else value


def _encoded(field: Field, value: Any) -> bytes:
    if not isinstance(field.kind, str):
        return wire.field(field.number, value.SerializeToString())
    if field.kind in ("str", "bytes"):
        return wire.field(field.number, value.encode() if isinstance(value, str) else bytes(value))
    if field.kind == "int":
        return wire.number(field.number, int(value) % 2**64)
    layout, kind = _PACKED[field.kind]
    return wire.varint(field.number << 3 | kind) + struct.pack(layout, value)


def message(name: str, fields: str, **kinds: type[Message]) -> Any:
    """A class of messages; ``fields`` has ``name:number:kind`` for each, ``name:number*:kind`` for a repeated one."""
    table = {}
    for text in fields.split():
        own, number, kind = text.split(":")
        table[own] = Field(int(number.removesuffix("*")), number.endswith("*"), kinds.get(kind, kind))
    module = sys._getframe(1).f_globals["__name__"]  # as namedtuple does it, for pickles and printed forms
    return type(name, (Message,), {"FIELDS": table, "__module__": module})
