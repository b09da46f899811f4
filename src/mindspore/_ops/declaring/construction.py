"""Checks of a Primitive's attributes at the moment it is made, not only when it is called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore._engine.operator.primitive import OpPrimitive
from mindspore._utils.user_call import called_as

Check = Callable[..., dict[str, Any] | None]


def at_construction(check: Check) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Have the Primitive classes of an operator call ``check(**attributes)``; stands above ``@op``.

    The check raises like an operator body ("the 'pad_mode' must ..."). It may return attributes as they are to be
    shown where that differs from what was given.
    """

    def attach(function: Callable[..., Any]) -> Callable[..., Any]:
        def construct(self: OpPrimitive, *args: Any, **kwargs: Any) -> None:
            OpPrimitive.__init__(self, *args, **kwargs)
            try:
                shown = check(**{name: _frozen(value) for name, value in self.attrs.items()})
            except (TypeError, ValueError) as error:
                raise type(error)(f"For '{self.name}', {error}{called_as()}") from None
            for name, value in (shown or {}).items():
                self.add_prim_attr(name, value)

        for primitive in function.op.primitives:  # type: ignore[attr-defined] - made by @op
            primitive.__init__ = construct
        return function

    return attach


def _frozen(value: Any) -> Any:
    """Lists as tuples, as operator bodies get them."""
    return tuple(map(_frozen, value)) if isinstance(value, (list, tuple)) else value
