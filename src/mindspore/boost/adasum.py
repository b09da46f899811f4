"""Adaptive summation: changes of several processes, added so far as they point the same way only once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore import ops
from mindspore._utils.checks import check_non_negative_int, check_positive_int
from mindspore.common.parameter import Parameter, ParameterTuple
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell

__all__ = ["AdaSum"]


def adaptive_sum(first: Tensor, second: Tensor) -> Tensor:
    """The sum where the two are orthogonal, the mean where they are parallel.

    >>> print(adaptive_sum(Tensor([1.0, 0.0]), Tensor([0.0, 2.0])), adaptive_sum(Tensor([2.0]), Tensor([2.0])))
    [1. 2.] [2.]
    """
    common = (first * second).sum()
    tiny = 1e-12
    left = 1 - common / (2 * (first * first).sum() + tiny)
    right = 1 - common / (2 * (second * second).sum() + tiny)
    return first * left + second * right


def combine(changes: Sequence[Tensor]) -> Tensor:
    """The adaptive sum of several, two by two."""
    rest = list(changes)
    while len(rest) > 1:
        pairs = [adaptive_sum(*rest[index : index + 2]) for index in range(0, len(rest) - 1, 2)]
        rest = pairs + ([rest[-1]] if len(rest) % 2 else [])
    return rest[0]


class AdaSum(Cell):
    """Combines the changes that processes made to their Parameters.

    Args:
        rank: the number of this process.
        device_number: how many processes there are.
        group_number: how many groups of processes; taken for MindSpore's sake.
        parameter_tuple: the Parameters.

    Examples:
        >>> from mindspore import Parameter, Tensor
        >>> from mindspore.boost import AdaSum
        >>> weight = Parameter(Tensor([0.5]), name="weight")
        >>> result = AdaSum(0, 1, 1, (weight,))((Tensor([0.5]),), (weight,), (Tensor([1.0]),))
        >>> print(weight.asnumpy())
        [0.5]
    """

    def __init__(self, rank: int, device_number: int, group_number: int, parameter_tuple: Sequence[Parameter]):
        super().__init__()
        self.rank = check_non_negative_int("AdaSum", "rank", rank)
        self.device_number = check_positive_int("AdaSum", "device_number", device_number)
        self.group_number = check_positive_int("AdaSum", "group_number", group_number)
        self.parameter_tuple = ParameterTuple(parameter_tuple)
        self.gather = ops.AllGather() if device_number > 1 else None

    def construct(
        self, delta_weights: tuple[Any, ...], parameters: tuple[Any, ...], old_parameters: tuple[Any, ...]
    ) -> Any:
        """Store the old Parameters minus the combined changes; what was stored."""
        results = []
        for change, parameter, old in zip(delta_weights, parameters, old_parameters, strict=True):
            if self.gather is not None:
                parts = ops.split(self.gather(change.expand_dims(0)), 1, 0)
                change = combine([part.squeeze(0) for part in parts])
            results.append(ops.assign(parameter, old - change))
        return tuple(results)
