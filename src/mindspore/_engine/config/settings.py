"""A table of declared keys, and the one way all contexts take new values: check everything, then change everything.

>>> from mindspore._engine.config.settings import Key, Settings, at_least
>>> depths = Settings("set_depth", [Key("depth", int, 10, at_least(1))])
>>> depths.update({"depth": 3}); depths.get("depth")
3
>>> depths.update({"depth": 0})
Traceback (most recent call last):
...
ValueError: For 'set_depth', the argument 'depth' must be greater than or equal to 1, but got 0.
>>> depths.get("depth")
3
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from mindspore._utils import checks, log
from mindspore._utils.refusals import WrongType

LATER: Any = object()  # the default of a key whose value object works it out when it is first read


@dataclass(frozen=True)
class Key:
    """One key: what may be written, what is stored, what is read back, and in which MindSpore versions it exists."""

    name: str
    types: type | tuple[type, ...]
    default: Any = None  # a value, or a function that gives it at every reset
    check: Callable[[str, str, Any], Any] | None = None  # (owner, name, value) -> the value to store
    prepare: Callable[[Any], Any] | None = None  # work on the file system, done after every check has passed
    devices: tuple[str, ...] = ()  # empty: any device; otherwise ignored elsewhere
    alias: str = ""  # another spelling of that key
    since: str = "1.0"  # empty: a key of our own
    until: str = ""  # a version known to refuse the key; accepted here all the same
    note: str = ""  # why setting it has no effect here; logged once at INFO

    def initial(self) -> Any:
        """A fresh default."""
        if self.default is LATER:
            return LATER
        return self.default() if callable(self.default) else copy.deepcopy(self.default)

    @property
    def versions(self) -> str:
        if not self.since:
            return "here only"
        return f"{self.since} on, not in {self.until}" if self.until else f"{self.since} on"


class Settings:
    """The values of a table of keys, readable as plain attributes of ``values``."""

    def __init__(
        self,
        owner: str,
        keys: Iterable[Key],
        values: Any = None,
        unknown: str = "For '{owner}', the keyword argument {name} is not recognized!",
    ):
        self.owner = owner
        self.keys = {key.name: key for key in keys}
        self.values: Any = values if values is not None else _Values()
        self._unknown = unknown
        self._written: set[str] = set()
        self.reset()

    def reset(self) -> None:
        """Put every key back to its default."""
        fresh = {key.name: key.initial() for key in self.keys.values() if not key.alias}
        self._written.clear()
        self.values.__dict__.clear()
        self.values.__dict__.update({name: value for name, value in fresh.items() if value is not LATER})

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Afterwards every key has the value it had."""
        values, written = dict(self.values.__dict__), set(self._written)
        try:
            yield
        finally:
            self.values.__dict__.clear()
            self.values.__dict__.update(values)
            self._written = written

    def was_set(self, name: str) -> bool:
        """Whether the program gave this key a value itself."""
        return self.resolve(name).name in self._written

    def resolve(self, name: str, template: str = "") -> Key:
        """The key of that name, or of the key it is an old spelling of; an unknown name is a ValueError."""
        if not isinstance(name, str):
            raise WrongType(f"For '{self.owner}', the name of a key must be a str, but got {checks.shown(name)}.")
        key = self.keys.get(name)
        if key is None:
            text = (template or self._unknown).format(owner=self.owner, name=name)
            raise ValueError(f"{text}{checks.suggestion(name, self.keys)} The keys are: {', '.join(self.keys)}.")
        return self.keys[key.alias] if key.alias else key

    def get(self, name: str) -> Any:
        """The value of a key; containers are copied, so that changing the answer changes no setting."""
        return copy.deepcopy(getattr(self.values, self.resolve(name).name))

    def check_types(self, arguments: Mapping[str, Any]) -> None:
        """Refuse unknown keys and values of the wrong type."""
        for name in arguments:
            self.resolve(name)
        for name, value in arguments.items():
            _check_type(name, value, self.keys[name].types)

    def check_values(self, arguments: Mapping[str, Any], device: str | None = None) -> dict[str, Any]:
        """What well-typed ``arguments`` would store. ``device`` None: not known yet, so every key applies."""
        planned: dict[str, Any] = {}
        for name, value in arguments.items():
            key = self.resolve(name)
            if key.devices and device is not None and device not in key.devices:
                _say_ignored(self.owner, name, key.devices, device)
                continue
            value = key.check(self.owner, name, value) if key.check else value
            if value is not None:  # None leaves a key as it is, unless its check has refused it
                planned[key.name] = copy.deepcopy(value)
        return planned

    def store(self, planned: Mapping[str, Any]) -> None:
        """Do the file system work of checked values, then change all of them at once."""
        ready = {}
        for name, value in planned.items():
            prepare = self.keys[name].prepare
            ready[name] = prepare(value) if prepare else value
        self.values.__dict__.update(ready)
        self._written.update(ready)
        for name in ready:
            _say_note(self.owner, self.keys[name])

    def update(self, arguments: Mapping[str, Any]) -> None:
        """Check, then store."""
        self.check_types(arguments)
        self.store(self.check_values(arguments))

    def describe(self) -> str:
        """A table of every key: value in force, default, MindSpore versions that know it, what it does here."""
        rows = [("key", "value", "default", "versions", "")]
        for key in self.keys.values():
            real = self.resolve(key.name)
            value = self.values.__dict__.get(real.name, LATER)
            remark = f"same as {real.name}" if key.alias else key.note
            rows.append((key.name, _text(value), _text(real.initial()), key.versions, remark))
        widths = [max(len(row[column]) for row in rows) for column in range(4)]
        return "\n".join("  ".join([*map(str.ljust, row[:4], widths), row[4]]).rstrip() for row in rows)


class _Values:
    """Plain attributes."""


def _text(value: Any) -> str:
    return "(chosen when needed)" if value is LATER else repr(value)


def _check_type(name: str, value: Any, types: type | tuple[type, ...]) -> None:
    # isinstance as in MindSpore: None passes, and a bool passes for an int
    if value is not None and not isinstance(value, types):
        raise TypeError(f"The parameter '{name}' must be {types}, but got {type(value)}: {checks.shown(value)}.")


def _say_ignored(owner: str, name: str, devices: tuple[str, ...], device: str) -> None:
    where = " and ".join(devices)
    text = f"For '{owner}', the argument '{name}' has a meaning on {where} only and is ignored on {device}."
    log.once((owner, name, device), text, log.WARNING)


def _say_note(owner: str, key: Key) -> None:
    if key.note:
        removed = f" (a key MindSpore {key.until} no longer has)" if key.until else ""
        log.once((owner, key.name), f"For '{owner}', '{key.name}'{removed} is accepted: {key.note}.", log.INFO)


# --- checks a Key can be given -----------------------------------------------------------------------------------


def at_least(low: int) -> Callable[[str, str, Any], Any]:
    """A number of at least ``low``."""

    def check(owner: str, name: str, value: Any) -> Any:
        if value is not None and value < low:
            raise ValueError(
                f"For '{owner}', the argument '{name}' must be greater than or equal to {low}, but got {value}."
            )
        return value if value is None else int(value)

    return check


def between(low: int, high: int) -> Callable[[str, str, Any], Any]:
    """A number within ``[low, high]``."""

    def check(owner: str, name: str, value: Any) -> Any:
        if value is not None and not low <= value <= high:
            raise ValueError(f"For '{owner}', the argument '{name}' must be in range [{low}, {high}], but got {value}.")
        return value if value is None else int(value)

    return check


def one_of(*allowed: Any) -> Callable[[str, str, Any], Any]:
    """One of a few values."""

    def check(owner: str, name: str, value: Any) -> Any:
        if value not in allowed:
            hint = checks.suggestion(value, [one for one in allowed if isinstance(one, str)])
            raise ValueError(
                f"For '{owner}', the argument '{name}' must be one of {list(allowed)}, but got {value}.{hint}"
            )
        return value

    return check


def sub_keys(allowed: Mapping[str, Collection[Any] | type]) -> Callable[[str, str, Any], Any]:
    """A dict whose keys are listed, each with its allowed values or its type."""

    def check(owner: str, name: str, value: Any) -> Any:
        for sub, content in (value or {}).items():
            if sub not in allowed:
                raise ValueError(
                    f"For '{owner}', the key of argument '{name}' must be one of {list(allowed)}, but got {sub!r}."
                    f"{checks.suggestion(sub, allowed)}"
                )
            wanted = allowed[sub]
            if isinstance(wanted, type):
                checks.check_type(owner, f"{name}['{sub}']", content, wanted)
            elif content not in wanted:
                raise ValueError(
                    f"For '{name}', the value of argument {sub} must be one of {list(wanted)}, but got {content!r}."
                )
        return value

    return check
