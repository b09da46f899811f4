"""Transforms made of other transforms."""

from __future__ import annotations

from typing import Any

from mindspore._utils.sample_random import SampleRandom
from mindspore.dataset.core.checks import check_int, check_type, shown
from mindspore.dataset.core.operation import Operation, RandomOperation
from mindspore.dataset.vision._implementation import checks


def apply(random: SampleRandom, operation: Any, *inputs: Any) -> Any:
    """The result of a transform or a function; a random transform draws from the current generator."""
    if isinstance(operation, RandomOperation):
        return operation.run(random, *inputs)
    return operation.run(*inputs) if isinstance(operation, Operation) else operation(*inputs)


def check_operation(owner: str, name: str, value: Any) -> Any:
    """A transform, or a function that takes an image."""
    if isinstance(value, type) or not callable(value):
        raise TypeError(f"For '{owner}', the '{name}' must be a transform, as Invert(), but got {shown(value)}.")
    return value


class UniformAugment(RandomOperation):
    """Apply num_ops of the transforms, chosen anew for each image, each with probability one half.

    >>> import numpy as np
    >>> from mindspore.dataset.vision import HorizontalFlip, Invert
    >>> UniformAugment([HorizontalFlip(), Invert()], num_ops=1)(np.zeros((2, 2, 3), np.uint8)).shape
    (2, 2, 3)
    """

    def __init__(self, transforms: Any, num_ops: int = 2):
        owner = type(self).__name__
        check_type(owner, "transforms", transforms, (list, tuple))
        if not transforms:
            raise ValueError(f"For '{owner}', the 'transforms' must not be empty.")
        self.num_ops = check_int(owner, "num_ops", num_ops, 1)
        if num_ops > len(transforms):
            raise ValueError(
                f"For '{owner}', the 'num_ops' must not be greater than the number of transforms, {len(transforms)}, "
                f"but got {num_ops}."
            )
        self.transforms = [
            check_operation(owner, f"transforms[{i}]", transform) for i, transform in enumerate(transforms)
        ]

    def parse_transforms(self) -> list[Any]:
        """The transforms that do the work."""
        return [one.parse() if isinstance(one, Operation) else one for one in self.transforms]

    def run(self, random: SampleRandom, *inputs: Any) -> Any:
        result = inputs[0] if len(inputs) == 1 else inputs
        for operation in random.sample(self.transforms, self.num_ops):
            if random.random() < 0.5:
                result = apply(random, operation, *(result if isinstance(result, tuple) else (result,)))
        return result


class RandomSelectSubpolicy(RandomOperation):
    """Choose one list of (transform, probability) for each image and apply it.

    >>> import numpy as np
    >>> from mindspore.dataset.vision import Invert
    >>> RandomSelectSubpolicy([[(Invert(), 1.0)]])(np.zeros((1, 1, 3), np.uint8))
    array([[[255, 255, 255]]], dtype=uint8)
    """

    def __init__(self, policy: Any):
        owner = type(self).__name__
        check_type(owner, "policy", policy, list)
        if not policy:
            raise ValueError(f"For '{owner}', the 'policy' must not be empty.")
        self.policy = [self._subpolicy(owner, f"policy[{i}]", subpolicy) for i, subpolicy in enumerate(policy)]

    @staticmethod
    def _subpolicy(owner: str, name: str, value: Any) -> list[tuple[Any, float]]:
        check_type(owner, name, value, list)
        if not value:
            raise ValueError(f"For '{owner}', the '{name}' must not be empty.")
        pairs = []
        for i, pair in enumerate(value):
            if not isinstance(pair, tuple) or len(pair) != 2:
                raise ValueError(
                    f"For '{owner}', the '{name}[{i}]' must be a tuple (transform, probability), but got {shown(pair)}."
                )
            operation = check_operation(owner, f"{name}[{i}][0]", pair[0])
            pairs.append((operation, checks.probability(owner, pair[1], f"{name}[{i}][1]")))
        return pairs

    def run(self, random: SampleRandom, *inputs: Any) -> Any:
        result = inputs[0] if len(inputs) == 1 else inputs
        for operation, probability in random.choice(self.policy):
            if random.random() < probability:
                result = apply(random, operation, *(result if isinstance(result, tuple) else (result,)))
        return result
