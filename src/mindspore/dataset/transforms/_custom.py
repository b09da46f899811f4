"""What users derive their own transforms from, and Plugin, which can not be had here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from mindspore.dataset.core.operation import Implementation as Implementation
from mindspore.dataset.core.operation import Operation

Function = TypeVar("Function", bound=Callable)


class _Kind(type):
    """The class of the bases: what this package itself offers for images, texts, ... counts as made from them, too."""

    def __subclasscheck__(cls, other: type) -> bool:
        if super().__subclasscheck__(other):
            return True
        family = cls.__dict__.get("family")  # not inherited: what a user derives is a class of its own
        return (
            family is not None
            and issubclass(other, Operation)
            and any(base.__module__.startswith(family) for base in other.__mro__)
        )

    def __instancecheck__(cls, value: Any) -> bool:
        return cls.__subclasscheck__(type(value))


class _UserOperation(Operation, metaclass=_Kind):
    """A transform whose author writes ``__call__``, ``_execute_py``, or ``parse`` to name another that does the work."""

    def __init__(self) -> None:
        self.implementation = None

    def __call__(self, *inputs: Any) -> Any:
        return self._execute_py(*inputs)

    def _execute_py(self, *inputs: Any) -> Any:
        worker = self.parse()
        if worker is not self:
            return worker(*inputs)
        raise NotImplementedError(
            f"For '{type(self).__name__}', write a method '__call__(self, x)' or '_execute_py(self, x)' that returns the result, "
            "or 'parse(self)' that returns another transform."
        )

    def run(self, *inputs: Any) -> Any:
        return self(*inputs)


class TensorOperation(_UserOperation):
    """Base of transforms written by users.

    >>> class Twice(TensorOperation):
    ...     def _execute_py(self, x):
    ...         return 2 * x
    >>> Twice()(3)
    6
    """

    family = "mindspore.dataset"


class ImageTensorOperation(TensorOperation):
    """Base of transforms of images written by users."""

    family = "mindspore.dataset.vision"


class VideoTensorOperation(TensorOperation):
    """Base of transforms of videos written by users."""


class TextTensorOperation(TensorOperation):
    """Base of transforms of texts written by users."""

    family = "mindspore.dataset.text"


class AudioTensorOperation(TensorOperation):
    """Base of transforms of waves written by users."""

    family = "mindspore.dataset.audio"


class PyTensorOperation(_UserOperation):
    """Base of transforms written by users in Python.

    >>> class Twice(PyTensorOperation):
    ...     def __call__(self, x):
    ...         return 2 * x
    >>> Twice().run(3)
    6
    """

    family = "mindspore.dataset.vision"


class Plugin(Operation):
    """A transform compiled against MindSpore's own C++ library; that library does not exist here.

    Examples:
        >>> from mindspore.dataset import transforms
        >>> try:
        ...     transforms.Plugin("libmine.so", "Twice")
        ... except (RuntimeError, ValueError) as error:
        ...     print(type(error).__name__)
        RuntimeError
    """

    def __init__(self, lib_path: str, func_name: str, user_args: str | None = None):
        raise RuntimeError(
            f"For 'Plugin', the operator '{func_name}' of '{lib_path}' is compiled against MindSpore's C++ library and can "
            "not be loaded. Write it as a Python function instead: map(operations=function)."
        )


def not_random(function: Function) -> Function:
    """Mark a function of the user as not random.

    >>> not_random(lambda x: x).random
    False
    """
    if not callable(function):
        got = f"{function!r} of type {type(function).__name__}"
        raise TypeError(f"For 'not_random', the 'function' must be callable, but got {got}.")
    function.random = False  # type: ignore[attr-defined]
    return function
