"""How ``construct`` may be called: checked before anything runs, in the same words in both modes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from mindspore._utils.checks import nearest_name
from mindspore._utils.documents.annotation_words import parameter_text
from mindspore._utils.refusals import refused
from mindspore._utils.user_call import UserCall


class ConstructSignature:
    """The parameters of a construct method, without self."""

    def __init__(self, construct: Callable[..., Any], bound: bool):
        listed = list(inspect.signature(construct).parameters.values())
        self.parameters = listed if bound else listed[1:]
        kinds = inspect.Parameter
        self.positional = [p for p in self.parameters if p.kind in (kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD)]
        self.keywords = [p for p in self.parameters if p.kind is kinds.KEYWORD_ONLY]
        self.takes_any_keyword = any(p.kind is kinds.VAR_KEYWORD for p in self.parameters)
        self.takes_any_number = any(p.kind is kinds.VAR_POSITIONAL for p in self.parameters)
        self.first = "" if bound or not listed else listed[0].name
        self.required = sum(p.default is p.empty for p in self.positional)
        # All the quick check needs: a call without keywords fits when the count lies between these.
        self.least = self.required if all(p.default is not p.empty for p in self.keywords) else float("inf")
        self.most = float("inf") if self.takes_any_number else len(self.positional)

    def check(self, args: tuple[Any, ...], kwargs: dict[str, Any], owner: str) -> None:
        """Refuse a call that construct cannot take."""
        if not kwargs and self.least <= len(args) <= self.most:
            return
        given = len(args)
        if given > self.most:
            raise TypeError(self._count_text(given, owner))
        by_position = {p.name for p in self.positional[:given]}
        named = {p.name for p in (*self.positional, *self.keywords)}
        for name in kwargs:
            if name in by_position:
                raise TypeError(f"{self._subject(owner)} got multiple values for argument '{name}'.")
            if name not in named and not self.takes_any_keyword:
                raise TypeError(f"{self._subject(owner)} got an unexpected keyword argument '{name}'.")
        missing = [p.name for p in self.positional[given:] if p.default is p.empty and p.name not in kwargs]
        if missing and not kwargs:
            raise TypeError(self._count_text(given, owner))
        missing += [p.name for p in self.keywords if p.default is p.empty and p.name not in kwargs]
        if missing:
            listed = ", ".join(f"'{name}'" for name in missing)
            raise TypeError(f"{self._subject(owner)} is missing a required argument: {listed}.")

    def in_order(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], int]:
        """All arguments by position with defaults filled in, as a bprop takes them, and how many a caller gave."""
        values, given = list(args), len(args)
        for parameter in self.positional[len(args) :]:
            if parameter.name in kwargs:
                values.append(kwargs[parameter.name])
                given = len(values)
            elif parameter.default is not parameter.empty:
                values.append(parameter.default)
        for parameter in self.keywords:
            values.append(kwargs.get(parameter.name, parameter.default))
            given = len(values) if parameter.name in kwargs else given
        named = {p.name for p in (*self.positional, *self.keywords)}
        extra = [value for name, value in kwargs.items() if name not in named]
        values += extra
        return tuple(values), len(values) if extra else given

    def takes(self, count: int) -> bool:
        """Whether that many positional arguments fit."""
        return self.least <= count <= self.most

    def check_bprop(self, count: int, owner: str, construct: ConstructSignature) -> None:
        """Refuse a bprop that does not take ``count`` inputs, out and dout."""
        if not self.takes(count + 2):
            names = [p.name for p in (*construct.positional, *construct.keywords)][:count]
            wanted = ", ".join([*names, *["*inputs"] * (len(names) < count), "out", "dout"])
            raise refused(
                TypeError,
                f"For '{owner}', the bprop must take the {count} input(s) of construct, then the output and its gradient: "
                f"bprop(self, {wanted}), but it is written as bprop{self._text('self')}.",
            )

    def _text(self, *first: str) -> str:
        """The arguments in brackets, as they are written."""
        leading = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY) for name in first]
        plain = [p.replace(annotation=p.empty) for p in self.parameters]
        return str(inspect.Signature([*leading, *plain])).replace(", /", "")

    def _subject(self, owner: str) -> str:
        return f"For 'Cell', the function construct{self._text()} of {owner}"

    def _count_text(self, given: int, owner: str) -> str:
        defaults = len(self.positional) - self.required
        plural = "" if self.required == 1 else "s"
        wanted = f"{self.required} positional argument{plural}"
        if defaults:
            wanted += f" and {defaults} default argument{'' if defaults == 1 else 's'}, total {len(self.positional)}"
        if self.takes_any_number:
            wanted = f"at least {wanted}"
        text = (
            f"For 'Cell', the function construct requires {wanted}, but got {given}. It is written as {owner}.construct"
        )
        if len(self.positional) < given and self.first not in _SELVES:
            return f"{text}{self._text(self.first)}: the first argument of a method is self, construct(self, {self.first}, ...)."
        return f"{text}{self._text()}."


_SELVES = ("self", "s", "this", "cls", "")  # what programs call the object itself


def missing_construct(cls: type) -> str:
    """Error text for a Cell without construct; suggests a method of a similar name."""
    text = f"For 'Cell', the method 'construct' is not defined in {cls.__name__}."
    own = [name for kind in cls.__mro__ if not kind.__module__.startswith("mindspore.") for name in vars(kind)]
    near = next((name for name in ("forward", "call") if name in own), nearest_name("construct", own))
    return text if near is None else f"{text} It has '{near}': call that method construct."


def signature_of(cell: Any, method: str = "construct") -> ConstructSignature:
    """The signature of a Cell's construct or bprop: of the method assigned to this object, else of its class."""
    own = cell.__dict__.get(method)
    if own is not None:
        return ConstructSignature(own, bound=True)
    cls = type(cell)
    function = getattr(cls, method)
    known = cls.__dict__.get(_KEPT[method])
    if known is None or known[0] is not function:
        known = (function, ConstructSignature(function, bound=False))
        setattr(cls, _KEPT[method], known)
    return known[1]


_KEPT = {"construct": "_construct_signature", "bprop": "_bprop_signature"}  # on the class, and gone with it


def read_call(variables: dict[str, Any]) -> UserCall:
    """The user's call of a Cell, from the variables of ``Cell.__call__``."""
    cell = variables["self"]
    parameters = ", ".join(map(parameter_text, signature_of(cell).parameters))
    return UserCall((type(cell).__name__,), variables["args"], variables["kwargs"], (f"({parameters})",))
