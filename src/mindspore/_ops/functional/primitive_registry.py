"""Gradients and computations that programs register for Primitive classes of their own.

A registered gradient is used by every call of such a Primitive, in both modes, also if the Primitive is one of ours.
"""

from __future__ import annotations

from collections import UserDict
from collections.abc import Callable
from functools import wraps
from typing import Any

from mindspore._engine.autodiff.custom_vjp import call_with_bprop
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import GRADIENTS, PRIMITIVES
from mindspore._utils.refusals import WrongObject, refused


class Registry(UserDict):
    """Functions by Primitive: a class, an instance or a name."""

    def register(self, prim: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Decorator that registers a function for a Primitive class, or for the name of one."""
        if not isinstance(prim, (str, type)):
            raise refused(
                WrongObject,
                f"For 'Registry.register', the 'prim' must be a Primitive class or its name, but got {prim!r} of type "
                f"{type(prim).__name__}.",
            )

        def keep(function: Callable[..., Any]) -> Callable[..., Any]:
            self[_key(prim)] = function
            self.registered(prim)
            return function

        return keep

    def registered(self, prim: Any) -> None:
        """What else happens when a function is registered."""

    def get(self, prim_obj: Any, default: Any = None) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The function of a Primitive, or the default."""
        return self.data.get(_key(prim_obj), default)


def _key(prim: Any) -> str:
    if isinstance(prim, str):
        return prim
    return prim.__name__ if isinstance(prim, type) else getattr(prim, "name", type(prim).__name__)


class BpropRegistry(Registry):
    """Gradients by Primitive: ``bprop(*inputs, out, dout)`` returns one gradient per input.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> from mindspore.ops._grad_experimental.grad_base import bprop_getters
        >>> class Twice(ops.PrimitiveWithInfer):
        ...     def __call__(self, x):
        ...         return x + x
        >>> @bprop_getters.register(Twice)
        ... def get_bprop_twice(self):
        ...     def bprop(x, out, dout):
        ...         return (20 * dout,)
        ...     return bprop
        >>> print(ms.grad(Twice())(Tensor([1.0])))
        [20.]
    """

    def registered(self, prim: Any) -> None:
        primitive = (PRIMITIVES.get(prim) or GRADIENTS.primitives.get(prim)) if isinstance(prim, str) else prim
        if primitive is not None and not hasattr(vars(primitive).get("__call__"), "asks_registry"):
            _use_registry(primitive)


def _use_registry(primitive: type[Primitive]) -> None:
    """Let calls of this class have the registered gradient."""
    compute = primitive.__call__

    @wraps(compute)
    def call(self: Primitive, *args: Any, **kwargs: Any) -> Any:
        bprop = get_bprop_fn(self)
        if bprop is None:
            return compute(self, *args, **kwargs)
        return call_with_bprop(lambda: compute(self, *args, **kwargs), bprop, args, (), self.name)

    call.asks_registry = True  # type: ignore[attr-defined]
    primitive.__call__ = call  # type: ignore[method-assign]


class TaylorFpropRegistry(Registry):
    """Derivatives of higher order by Primitive; here they follow from the Primitive itself."""


bprop_getters, bprops = BpropRegistry(), BpropRegistry()
taylor_fprop_getters, taylor_fprops = TaylorFpropRegistry(), TaylorFpropRegistry()
vm_impl_registry = Registry()


def get_bprop_fn(prim: Any, get_closure: bool = False) -> Callable[..., Any] | None:
    """The gradient registered for a Primitive, or None; with ``get_closure`` the function that makes it."""
    getter = bprop_getters.get(prim)
    if getter is None:
        return bprops.get(prim)
    return getter if get_closure else getter(prim)


def get_taylor_fprop_fn(prim: Any) -> Callable[..., Any] | None:
    """The derivatives of higher order registered for a Primitive, or None."""
    getter = taylor_fprop_getters.get(prim)
    return taylor_fprops.get(prim) if getter is None else getter(prim)


def get_vm_impl_fn(prim: Any) -> Callable[..., Any] | None:
    """The computation in Python registered for a Primitive, or None.

    Examples:
        >>> from mindspore import ops
        >>> ops.get_vm_impl_fn("NoSuchPrimitive") is None
        True
    """
    getter = vm_impl_registry.get(prim)
    return None if getter is None else getter(prim)
