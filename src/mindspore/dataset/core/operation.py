"""The base of every transform."""

from __future__ import annotations

import enum
import functools
import inspect
import itertools
import json
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from mindspore._utils.hints import ChecksArguments
from mindspore._utils.refusals import several
from mindspore._utils.sample_random import SampleRandom, SampleRandoms

_calls = itertools.count()
_seed_of_calls: list[int] = [5489]


class Implementation(enum.IntEnum):
    """How MindSpore runs a transform. A ``Compose`` that holds one of Python's is called as Python's: it gives a tuple of columns.

    Examples:
        >>> import mindspore.dataset as ds
        >>> [one.name for one in ds.Implementation]
        ['C', 'PY']
    """

    C = 0
    PY = 1


class Operation(ChecksArguments):
    """A transform of samples.

    ``run`` handles one sample (random operations get the generator first); ``block`` may handle a stack of samples of equal
    shape at once, with the same bits. The stack may be another operation's input: it must not be written to.
    Calling an operation applies it to arrays, images or bytes at hand.
    """

    is_random = False
    columns = 1  # how many columns it takes
    parts: Sequence[Callable] = ()  # the operations of a transform that only composes others
    run: Callable[..., Any]  # the result for one sample; every operation defines it, with the inputs it takes
    refuses_none = True  # of a direct call
    too_many: type[Exception] = RuntimeError  # what a direct call with too many inputs raises
    implementation: Any = None  # where MindSpore runs it; None for either, by the sample

    def parse(self) -> Operation:
        """The operation that does the work: itself, or the one that an operation of the program names."""
        return self

    def to_json(self) -> str:
        """The operation as JSON, with the arguments it was made with.

        Examples:
            >>> from mindspore.dataset import vision
            >>> text = vision.Invert().to_json()
            >>> type(vision.Invert.from_json(text)).__name__
            'Invert'
        """
        return json.dumps(import_module("mindspore.dataset.engine.serializer_deserializer").operation_tree(self))

    @classmethod
    def from_json(cls, json_string: str) -> Any:
        """The operation, or the list of operations, of a JSON text."""
        serializer = import_module("mindspore.dataset.engine.serializer_deserializer")  # which needs this module
        tree = json.loads(json_string)
        if isinstance(tree, list):
            return [serializer.made_operation(one) for one in tree]
        return serializer.made_operation(tree)

    def block(self, stack: np.ndarray) -> Any:
        """The results for samples stacked along the first axis, or NotImplemented: then ``run`` is called for each."""
        return NotImplemented

    def __call__(self, *inputs: Any) -> Any:
        self._check_inputs(inputs)
        return self.run(*inputs)

    def _check_inputs(self, inputs: tuple) -> None:
        """Refuse a direct call without a sample, with too many, or with None for one."""
        name = type(self).__name__
        if not inputs:
            raise several(RuntimeError, TypeError)(
                f"For '{name}', a sample must be given, an array, an image or a Tensor, but got none: write {name}(...)(sample)."
            )
        if self.refuses_none and any(value is None for value in inputs):
            raise TypeError(
                f"For '{name}', the sample must be an array, an image or a text, but got None, type 'NoneType'."
            )
        self.check_number(inputs)

    def check_number(self, inputs: tuple) -> None:
        """Refuse more inputs than the operation takes."""
        name = type(self).__name__
        if len(inputs) > 1 and (largest := _most_inputs(type(self))) is not None and len(inputs) > largest:
            kinds = ", ".join(f"'{type(value).__name__}'" for value in inputs)
            raise several(self.too_many, *{RuntimeError, TypeError} - {self.too_many})(
                f"For '{name}', the sample must be one of {largest} value(s), but got {len(inputs)}: {kinds}."
            )


@functools.cache
def _most_inputs(kind: type[Operation]) -> int | None:
    """How many inputs ``run`` takes; None for any number."""
    parameters = list(inspect.signature(kind.run).parameters.values())
    several = any(one.kind is one.VAR_POSITIONAL for one in parameters)
    return None if several else len(parameters) - 1 - kind.is_random


def draws(operation: Any) -> bool:
    """Whether it is an operation that is handed a generator of random numbers."""
    return isinstance(operation, Operation) and operation.is_random


class RandomOperation(Operation):
    """A transform that draws random numbers, all of them from the generator it is handed."""

    is_random = True

    def block(self, stack: np.ndarray, randoms: SampleRandoms) -> Any:  # type: ignore[override]
        """As for other operations, with a generator for each sample; draws nothing before it returns NotImplemented."""
        return NotImplemented

    def __call__(self, *inputs: Any) -> Any:
        self._check_inputs(inputs)
        return self.run(SampleRandom(_seed_of_calls[0], next(_calls)), *inputs)


def seed_calls(seed: int) -> None:
    """Let direct calls of random operations start over from this seed."""
    global _calls
    _calls = itertools.count()
    _seed_of_calls[0] = seed


def refuse_class(item: Any, name: str) -> None:
    """Refuse the class of a transform where a transform belongs."""
    if isinstance(item, type) and issubclass(item, Operation):
        raise ValueError(
            f"{name} should be a dataset processing operation instance, but got: {item}. It may be missing parentheses for "
            f"instantiation: write {item.__name__}(...)."
        )
