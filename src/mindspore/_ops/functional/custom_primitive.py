"""For programs that define Primitive classes of their own."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from mindspore._engine.operator.primitive import Primitive
from mindspore._ops.functional.primitive_registry import get_vm_impl_fn


class PrimitiveWithInfer(Primitive):
    """Base of Primitive classes that say which shape and dtype they return; the subclass writes ``__call__`` itself.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> class Double(ops.PrimitiveWithInfer):
        ...     @ops.prim_attr_register
        ...     def __init__(self, factor=2):
        ...         pass
        ...
        ...     def __call__(self, x):
        ...         return x * self.factor
        >>> print(Double()(Tensor([1.0])))
        [2.]
    """

    def infer_shape(self, *args: Any) -> Any:
        """The shape of the output for these shapes of inputs."""
        return None

    def infer_dtype(self, *args: Any) -> Any:
        """The dtype of the output for these dtypes of inputs."""
        return None

    def infer_value(self, *args: Any) -> Any:
        """The output, when it is known without running anything."""
        return None

    def __call__(self, *args: Any) -> Any:
        compute = get_vm_impl_fn(self)
        if compute is not None:
            return compute(*args)
        raise RuntimeError(
            f"Unsupported op [{self.name}]: there is no kernel of that name. Write what it computes in its __call__, "
            "with operators of mindspore.ops; the gradient follows from them."
        )


class PrimitiveWithCheck(PrimitiveWithInfer):
    """Base of Primitive classes that check their inputs, as :class:`PrimitiveWithInfer`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> class Twice(ops.PrimitiveWithCheck):
        ...     def __init__(self):
        ...         super().__init__("Twice")
        ...     def __call__(self, x):
        ...         return x + x
        >>> print(Twice()(Tensor([1.0])))
        [2.]
    """

    def check_shape(self, *args: Any) -> None:
        """Refuse shapes that do not fit."""

    def check_dtype(self, *args: Any) -> None:
        """Refuse dtypes that do not fit."""


def prim_attr_register(fn: Callable[..., None]) -> Callable[..., None]:
    """Decorator for the ``__init__`` of a Primitive: its arguments become attributes.

    Examples:
        >>> from mindspore import ops
        >>> class Scale(ops.Primitive):
        ...     @ops.prim_attr_register
        ...     def __init__(self, factor=2):
        ...         pass
        >>> Scale(3)
        Prim[Scale]<factor=3>
    """
    signature = inspect.signature(fn)

    @functools.wraps(fn)
    def initialise(self: Primitive, *args: Any, **kwargs: Any) -> None:
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        Primitive.__init__(self, type(self).__name__)
        for name, value in list(bound.arguments.items())[1:]:
            self.add_prim_attr(name, value)
        fn(self, *args, **kwargs)

    return initialise


prim_arg_register = prim_attr_register  # its name for generated classes
