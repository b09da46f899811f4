"""Transforms made of other transforms: Compose, RandomApply, RandomChoice, RandomOrder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from PIL import Image

from mindspore._utils.sample_random import SampleRandom
from mindspore.dataset._pipeline.errors import function_name, users_code
from mindspore.dataset.core.checks import check_float_range, check_type, shown
from mindspore.dataset.core.operation import Implementation, Operation, RandomOperation, draws, refuse_class


def check_transforms(owner: str, transforms: Any, name: str = "transforms") -> list[Callable]:
    """A non-empty list of things to call; the copy does not follow later changes of the caller's list."""
    check_type(owner, name, transforms, list)
    if not transforms:
        raise ValueError(f"For '{owner}', the '{name}' list can not be empty.")
    for position, transform in enumerate(transforms):
        refuse_class(transform, f"For '{owner}', {name}[{position}]")
        if not callable(transform):
            raise TypeError(
                f"For '{owner}', {name}[{position}] is neither a transforms op (TensorOperation) nor a callable pyfunc, "
                f"but {shown(transform)}."
            )
    return list(transforms)


def apply_one(operation: Callable, random: SampleRandom | None, inputs: tuple) -> tuple:
    """What an operation or a function makes of these columns, as a tuple of columns; operations get Tensors as arrays."""
    if not isinstance(operation, Operation):
        with users_code(lambda: f"the function [{function_name(operation)}] failed"):
            result = operation(*inputs)
        return result if isinstance(result, tuple) else (result,)
    operation.check_number(inputs)
    inputs = tuple(value.asnumpy() if hasattr(value, "asnumpy") else value for value in inputs)
    result = operation.run(random, *inputs) if operation.is_random else operation.run(*inputs)
    return result if isinstance(result, tuple) else (result,)


def apply_all(operations: list[Callable], random: SampleRandom | None, inputs: tuple) -> Any:
    """One operation after the other; a single column comes back without its tuple."""
    for operation in operations:
        inputs = apply_one(operation, random, inputs)
    return inputs[0] if len(inputs) == 1 else inputs


def _as_array(value: Any) -> Any:
    """What a function returned for a sample, as the array that a pipeline makes of it."""
    if value is None:
        raise RuntimeError("Got None from Python object: a function of 'Compose' must return an array.")
    return np.asarray(value) if isinstance(value, (bool, int, float, str, bytes, list)) else value


class CompoundOperation(RandomOperation):
    """A transform made of others."""

    refuses_none = False  # functions of the program may take it

    def __init__(self, transforms: list[Callable]):
        self.transforms = check_transforms(type(self).__name__, transforms)
        kinds = {getattr(one, "implementation", Implementation.C) for one in self.transforms} - {None}
        if kinds == {Implementation.PY}:
            self.implementation = Implementation.PY


class Compose(CompoundOperation):
    """Several transforms in a row. It is random if one of them is; ``transforms`` lists them.

    >>> import numpy as np
    >>> from mindspore.dataset import transforms
    >>> transforms.Compose([transforms.TypeCast("int32"), transforms.OneHot(3)])(np.array(1.0))
    array([0, 1, 0], dtype=int32)
    """

    def __init__(self, transforms: list[Callable]):
        super().__init__(transforms)
        self.is_random = any(map(draws, self.transforms))
        if any(getattr(one, "implementation", None) == Implementation.PY for one in Compose.decompose(self.transforms)):
            self.implementation = Implementation.PY
        if not self.is_random:
            self.parts = self.transforms

    def run(self, *inputs: Any) -> Any:  # type: ignore[override]
        """The result for one sample; the generator comes first when a transform among them is random."""
        if not self.is_random:
            return apply_all(self.transforms, None, inputs)
        random, *columns = inputs
        return apply_all(self.transforms, random, tuple(columns))

    def __call__(self, *inputs: Any) -> Any:
        result = RandomOperation.__call__(self, *inputs) if self.is_random else Operation.__call__(self, *inputs)
        if self._gives_columns(inputs):
            return result if isinstance(result, tuple) else (result,)
        return tuple(map(_as_array, result)) if isinstance(result, tuple) else _as_array(result)

    def _gives_columns(self, inputs: tuple) -> bool:
        """Whether a direct call gives a tuple even for one column: MindSpore's does where it runs in Python."""
        return self.implementation == Implementation.PY or (len(inputs) == 1 and isinstance(inputs[0], Image.Image))

    def release_resource(self) -> None:
        """Let go of what the transforms hold between calls, where one of them holds something."""
        for one in self.transforms:
            if callable(release := getattr(one, "release_resource", None)):
                release()

    @staticmethod
    def decompose(operations: list[Callable]) -> list[Callable]:
        """The transforms, with those of every Compose among them in its stead.

        >>> Compose.decompose([Compose([len, Compose([str])]), abs])
        [<built-in function len>, <class 'str'>, <built-in function abs>]
        """
        flat: list[Callable] = []
        for one in operations:
            flat += Compose.decompose(one.transforms) if isinstance(one, Compose) else [one]
        return flat

    @staticmethod
    def reduce(operations: list[Callable]) -> list[Callable]:
        """The transforms as few as possible: several in a row are one Compose."""
        return operations if len(operations) < 2 else [Compose(operations)]


class RandomApply(CompoundOperation):
    """All of the transforms with a probability, else none.

    >>> import numpy as np
    >>> from mindspore.dataset import transforms
    >>> transforms.RandomApply([transforms.TypeCast("int32")], prob=1.0)(np.array([1.5]))
    array([1], dtype=int32)
    """

    def __init__(self, transforms: list[Callable], prob: float = 0.5):
        super().__init__(transforms)
        self.prob = check_float_range("RandomApply", "prob", prob, 0.0, 1.0)

    def run(self, random: SampleRandom, *inputs: Any) -> Any:
        return apply_all(self.transforms if random.random() < self.prob else [], random, inputs)


class RandomChoice(CompoundOperation):
    """One of the transforms, each as likely as the others.

    >>> import numpy as np
    >>> from mindspore.dataset import transforms
    >>> transforms.RandomChoice([transforms.Fill(1), transforms.Fill(2)])(np.array(0)) in (1, 2)
    True
    """

    def run(self, random: SampleRandom, *inputs: Any) -> Any:
        return apply_all([random.choice(self.transforms)], random, inputs)


class RandomOrder(CompoundOperation):
    """All of the transforms, in a random order.

    >>> import numpy as np
    >>> from mindspore.dataset import transforms
    >>> transforms.RandomOrder([lambda x: x + 1, lambda x: x * 2])(np.array(3)) in (7, 8)
    True
    """

    implementation = Implementation.PY

    def run(self, random: SampleRandom, *inputs: Any) -> Any:
        return apply_all(random.sample(self.transforms, len(self.transforms)), random, inputs)
