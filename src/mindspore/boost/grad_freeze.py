"""Training in which the first layers rest in some steps: their gradients are not computed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mindspore import ops
from mindspore._engine.transforms.gradients import value_and_grad
from mindspore._utils.checks import check_float_range, check_int, check_one_of, check_positive_int, check_type
from mindspore.common.parameter import Parameter, ParameterTuple
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.optim.optimizer import Optimizer
from mindspore.nn.wrap.grad_reducer import DistributedGradReducer

__all__ = ["FreezeOpt", "GradientFreeze", "freeze_cell"]


class FreezeOpt(Cell):
    """An optimizer for training in which groups of Parameters take turns.

    Args:
        opt: the optimizer of all Parameters.
        train_parameter_groups: the Parameters that are trained, turn by turn. Without it, each turn leaves out one
            more tenth of the Parameters, from the front.
        train_strategy: the number of the group for each step; it begins anew at its end.

    Examples:
        >>> from mindspore import Parameter, Tensor, nn
        >>> from mindspore.boost import FreezeOpt
        >>> first, last = Parameter(Tensor([1.0]), name="first"), Parameter(Tensor([1.0]), name="last")
        >>> optimizer = FreezeOpt(nn.SGD([first, last], 0.5), [[first, last], [last]], [0, 1])
        >>> _ = optimizer.update(1, (Tensor([1.0]),))
        >>> print(first.asnumpy(), last.asnumpy())
        [1.] [0.5]
    """

    def __init__(self, opt: Optimizer, train_parameter_groups: Any = None, train_strategy: Any = None):
        super().__init__(auto_prefix=False)
        self.opt = check_type("FreezeOpt", "opt", opt, Optimizer)
        self.parameters = opt.parameters
        self.learning_rate = opt.learning_rate
        groups = _tenths(opt.parameters) if train_parameter_groups is None else train_parameter_groups
        check_type("FreezeOpt", "train_parameter_groups", groups, (list, tuple))
        self.groups = tuple(ParameterTuple(group) for group in groups)
        self.groups_num = len(self.groups)
        self.train_strategy = self._strategy(train_strategy)
        self._frozen = tuple(self._resting(group) for group in self.groups)

    def _strategy(self, given: Any) -> Tensor:
        steps = range(self.groups_num) if given is None else given
        numbers = np.asarray(steps.asnumpy() if isinstance(steps, Tensor) else list(steps), np.int32)
        if numbers.ndim != 1 or not len(numbers) or numbers.min() < 0 or numbers.max() >= self.groups_num:
            raise ValueError(
                f"For 'FreezeOpt', the 'train_strategy' must list numbers of the {self.groups_num} groups, but got {numbers}."
            )
        return Tensor(numbers)

    def _resting(self, group: ParameterTuple) -> tuple[Parameter, ...]:
        """The Parameters that are not in a group, and what the optimizer remembers of them."""
        trained = {id(parameter) for parameter in group}
        resting = [parameter for parameter in self.parameters if id(parameter) not in trained]
        kept = {parameter.name for parameter in resting}
        own = {id(parameter) for parameter in self.parameters}
        remembered = [
            parameter
            for parameter in self.opt.get_parameters()
            if id(parameter) not in own and self._remembers(parameter.name) in kept
        ]
        return (*resting, *remembered)

    def _remembers(self, state_name: str) -> str | None:
        """The name of the Parameter that a state such as 'moments.fc.weight' belongs to."""
        fitting = [parameter.name for parameter in self.parameters if state_name.endswith(f".{parameter.name}")]
        return max(fitting, key=len, default=None)

    def update(self, number: int, gradients: Sequence[Tensor]) -> Any:
        """A step of the optimizer for the Parameters of a group, given their gradients; the others stay as they are."""
        given = {id(parameter): gradient for parameter, gradient in zip(self.groups[number], gradients, strict=True)}
        everything = tuple(
            given[id(parameter)] if id(parameter) in given else ops.zeros_like(parameter)
            for parameter in self.parameters
        )
        before = [parameter.value() + 0 for parameter in self._frozen[number]]
        result = self.opt(everything)
        for parameter, value in zip(self._frozen[number], before, strict=True):
            ops.assign(parameter, value)
        return result

    def construct(self, gradients: tuple[Tensor, ...]) -> Any:
        """A step for all Parameters."""
        return self.opt(gradients)


def _tenths(parameters: Sequence[Parameter], count: int = 10) -> list[list[Parameter]]:
    """All Parameters, then all but the first of ``count`` parts, and so on; the last part is always trained."""
    bounds = [round(len(parameters) * part / count) for part in range(count)]
    return [list(parameters)[min(bound, len(parameters) - 1) :] for bound in bounds]


class _FreezeStep(Cell):
    """A training step of a group: gradients are computed for its Parameters alone."""

    def __init__(self, reducer_flag: bool, network: Cell, optimizer: FreezeOpt, number: int, sens: float):
        super().__init__(auto_prefix=False)
        self.network, self.optimizer, self.number = network, optimizer, number
        self.sens = sens
        self.weights = optimizer.groups[number]
        self.reducer = DistributedGradReducer(self.weights) if reducer_flag else None

    def construct(self, *inputs: Any) -> Any:
        loss, gradients = value_and_grad(self.network, None, self.weights)(*inputs)
        if self.sens != 1.0:
            gradients = tuple(gradient * self.sens for gradient in gradients)
        if self.reducer is not None:
            gradients = self.reducer(gradients)
        self.optimizer.update(self.number, gradients)
        return loss


def freeze_cell(reducer_flag: bool, network: Cell, optimizer: FreezeOpt, sens: float, grad: Any,
                use_grad_accumulation: bool, mean: bool | None = None, degree: int | None = None,
                max_accumulation_step: int = 1) -> tuple[Cell, ...]:  # fmt: skip
    """One training step for each group of a :class:`FreezeOpt`.

    Args:
        reducer_flag: whether gradients are averaged over processes.
        network: gives the loss.
        optimizer: the :class:`FreezeOpt`.
        sens: what gradients are multiplied by.
        grad: taken for MindSpore's sake.
        use_grad_accumulation, mean, degree, max_accumulation_step: taken for MindSpore's sake; accumulate with
            :class:`GradientAccumulation`.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> from mindspore.boost import FreezeOpt, freeze_cell
        >>> network = nn.WithLossCell(nn.Dense(1, 1), nn.MSELoss())
        >>> optimizer = FreezeOpt(nn.SGD(network.trainable_params(), 0.1))
        >>> steps = freeze_cell(False, network, optimizer, 1.0, None, False)
        >>> len(steps)
        10
    """
    check_type("freeze_cell", "optimizer", optimizer, FreezeOpt)
    return tuple(_FreezeStep(reducer_flag, network, optimizer, number, sens) for number in range(optimizer.groups_num))


class GradientFreeze:
    """Prepares training in which the first layers rest in some steps.

    Args:
        param_groups: into how many groups the layers are divided.
        freeze_type: 0 for a fixed order of turns, 1 for a random order.
        freeze_p: the share of steps of the first group, in which nothing rests.
        total_steps: the steps of the training.

    Examples:
        >>> from mindspore import nn
        >>> from mindspore.boost import GradientFreeze
        >>> GradientFreeze(4, 0, 0.3, 8).generate_freeze_index_sequence(4, 0, 0.3, 8)
        [0, 1, 2, 3, 0, 1, 2, 3]
    """

    def __init__(self, param_groups: int, freeze_type: int, freeze_p: float, total_steps: int):
        self._param_groups = check_positive_int("GradientFreeze", "param_groups", param_groups)
        self._freeze_type = check_one_of("GradientFreeze", "freeze_type", freeze_type, (0, 1))
        self._freeze_p = check_float_range("GradientFreeze", "freeze_p", freeze_p, 0.0, 1.0, include_high=False)
        self._total_steps = check_positive_int("GradientFreeze", "total_steps", total_steps)
        self.grad_reducer = None

    def split_parameters_groups(self, net: Cell, freeze_para_groups_number: int) -> list[list[Parameter]]:
        """All Parameters, then without those of the first layers, and so on."""
        count = check_positive_int("GradientFreeze", "freeze_para_groups_number", freeze_para_groups_number)
        return _tenths(net.trainable_params(), count)

    def generate_freeze_index_sequence(self, parameter_groups_number: int, freeze_strategy: int, freeze_p: float,
                                       total_steps: int) -> list[int]:  # fmt: skip
        """The number of the group for each step."""
        count = check_int("GradientFreeze", "parameter_groups_number", parameter_groups_number, 1)
        check_one_of("GradientFreeze", "freeze_strategy", freeze_strategy, (0, 1))
        rest = list(range(1, count))
        if not rest:
            return [0] * total_steps
        if freeze_strategy == 0:
            turn = [0] * max(int(len(rest) * freeze_p / (1 - freeze_p)), 1) + rest
            return (turn * -(-total_steps // len(turn)))[:total_steps]
        weights = np.array([1.0 / number for number in rest])  # the more rests, the rarer
        chances = [freeze_p, *((1 - freeze_p) * weights / weights.sum())]
        return np.random.choice(count, total_steps, p=chances).tolist()

    def freeze_generate(self, network: Cell, optimizer: Optimizer) -> tuple[Cell, FreezeOpt]:
        """The network, and an optimizer whose groups take turns."""
        groups = self.split_parameters_groups(network, self._param_groups)
        strategy = self.generate_freeze_index_sequence(
            len(groups), self._freeze_type, self._freeze_p, self._total_steps
        )
        return network, FreezeOpt(optimizer, groups, strategy)
