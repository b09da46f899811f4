"""Values in statements: names and constants."""

from __future__ import annotations

import ast
import enum
from collections.abc import Sequence
from typing import Any

from mindspore._utils.checks import check_str, check_type

__all__ = ["ScopedValue", "ValueType"]


class ValueType(enum.Enum):
    """The kinds of values.

    Examples:
        >>> from mindspore.rewrite import ScopedValue, ValueType
        >>> ScopedValue.create_variable_value(3).type == ValueType.ConstantValue
        True
    """

    ConstantValue = 0
    TupleValue = 20
    ListValue = 21
    DictValue = 22
    NamingValue = 40
    CustomObjValue = 41
    UnsupportedValue = 50


_CONTAINERS = {tuple: ValueType.TupleValue, list: ValueType.ListValue, dict: ValueType.DictValue}


class ScopedValue:
    """A name, perhaps of an attribute, or a constant.

    Examples:
        >>> from mindspore.rewrite import ScopedValue
        >>> ScopedValue.create_naming_value("conv", "self"), ScopedValue.create_variable_value(2)
        (self.conv, 2)
    """

    def __init__(self, arg_type: ValueType, scope: str = "", value: Any = None):
        self.type = check_type("ScopedValue", "arg_type", arg_type, ValueType)
        self.scope = check_str("ScopedValue", "scope", scope)
        self.value = value

    @classmethod
    def create_variable_value(cls, value: Any) -> ScopedValue:
        """A constant."""
        if type(value) in _CONTAINERS:
            return cls(_CONTAINERS[type(value)], "", value)
        plain = value is None or isinstance(value, (bool, int, float, complex, str, bytes))
        return cls(ValueType.ConstantValue if plain else ValueType.CustomObjValue, "", value)

    @classmethod
    def create_naming_value(cls, name: str, scope: str = "") -> ScopedValue:
        """A name, in a scope such as 'self'."""
        check_str("ScopedValue.create_naming_value", "name", name, allow_empty=False)
        return cls(ValueType.NamingValue, check_str("ScopedValue.create_naming_value", "scope", scope), name)

    @staticmethod
    def create_name_values(names: Sequence[str], scopes: Sequence[str] | None = None) -> list[ScopedValue]:
        """Several names."""
        check_type("ScopedValue.create_name_values", "names", names, (list, tuple))
        check_type("ScopedValue.create_name_values", "scopes", scopes, (list, tuple, type(None)))
        if scopes is not None and len(scopes) != len(names):
            raise ValueError(
                f"For 'ScopedValue.create_name_values', the 'scopes' must be as many as the {len(names)} 'names', but got "
                f"{len(scopes)}."
            )
        return [ScopedValue.create_naming_value(n, s) for n, s in zip(names, scopes or [""] * len(names), strict=True)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ScopedValue) and repr(self) == repr(other) and self.type == other.type

    def __hash__(self) -> int:
        return hash((self.type, repr(self)))

    def __repr__(self) -> str:
        if self.type == ValueType.NamingValue:
            return f"{self.scope}.{self.value}" if self.scope else str(self.value)
        return repr(self.value) if isinstance(self.value, str) else str(self.value)


def to_value(expression: ast.expr) -> ScopedValue:
    """The value that an expression without calls stands for."""
    if isinstance(expression, ast.Name):
        return ScopedValue.create_naming_value(expression.id)
    if isinstance(expression, ast.Attribute):
        return ScopedValue.create_naming_value(expression.attr, ast.unparse(expression.value))
    try:
        return ScopedValue.create_variable_value(ast.literal_eval(expression))
    except ValueError:
        return ScopedValue(ValueType.UnsupportedValue, "", ast.unparse(expression))


def to_expression(owner: str, name: str, value: Any) -> ast.expr:
    """The expression for a value, or for a name given as a string."""
    check_type(owner, name, value, (ScopedValue, str))
    text = value if isinstance(value, str) else repr(value)
    if isinstance(value, ScopedValue) and value.type in (ValueType.CustomObjValue, ValueType.UnsupportedValue):
        raise TypeError(f"For '{owner}', the '{name}' must be a name or a constant, but got {value!r}.")
    return ast.parse(text, mode="eval").body
