"""What the speed-ups do to optimizers and Parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore._utils.checks import check_type
from mindspore.common.parameter import Parameter
from mindspore.nn.cell import Cell
from mindspore.nn.layer.basic import Dense
from mindspore.nn.layer.conv import Conv2d
from mindspore.nn.optim.optimizer import Optimizer

__all__ = ["OptimizerProcess", "ParameterProcess"]

_CENTRALIZED = (Conv2d, Dense)  # gradients of their weights have a mean worth taking out


class OptimizerProcess:
    """Prepares an optimizer: gradients of weights can have their mean taken out (gradient centralization).

    Args:
        opt: the optimizer.

    Examples:
        >>> from mindspore import nn
        >>> from mindspore.boost import OptimizerProcess
        >>> network = nn.Dense(2, 3)
        >>> process = OptimizerProcess(nn.Momentum(network.trainable_params(), 0.1, 0.9))
        >>> process.add_grad_centralization(network)
        >>> process.generate_new_optimizer().grad_centralization
        True
    """

    def __init__(self, opt: Optimizer):
        self.single_opt = check_type("OptimizerProcess", "opt", opt, Optimizer)
        self.opt_class = type(opt)
        self.origin_params = list(opt.parameters)
        self._centralized: set[int] = set()

    @staticmethod
    def build_params_dict(network: Cell) -> dict[str, Parameter]:
        """The weights of convolutions and dense layers by name."""
        check_type("OptimizerProcess.build_params_dict", "network", network, Cell)
        layers = [cell for _, cell in network.cells_and_names() if isinstance(cell, _CENTRALIZED)]
        return {layer.weight.name: layer.weight for layer in layers}

    @staticmethod
    def build_gc_params_group(
        params_dict: dict[str, Parameter], parameters: Sequence[Parameter]
    ) -> list[dict[str, Any]]:
        """Groups as optimizers take them: the Parameters of the table with gradient centralization, the others without."""
        chosen = [parameter for parameter in parameters if parameter.name in params_dict]
        others = [parameter for parameter in parameters if parameter.name not in params_dict]
        groups = [{"params": chosen, "grad_centralization": True}, {"params": others, "grad_centralization": False}]
        return [*(group for group in groups if group["params"]), {"order_params": list(parameters)}]

    def add_grad_centralization(self, network: Cell) -> None:
        """Have the mean taken out of gradients of the network's convolutions and dense layers."""
        self._centralized = {id(parameter) for parameter in self.build_params_dict(network).values()}

    def generate_new_optimizer(self) -> Optimizer:
        """The optimizer, prepared; its state stays what it is."""
        if self._centralized:
            before = getattr(self.single_opt, "grad_centralization_flags", (False,) * len(self.origin_params))
            flags = tuple(
                old or id(parameter) in self._centralized
                for old, parameter in zip(before, self.origin_params, strict=True)
            )
            self.single_opt.grad_centralization_flags = flags
            self.single_opt.grad_centralization = any(flags)
        return self.single_opt


class ParameterProcess:
    """Sorts Parameters into groups.

    Examples:
        >>> from mindspore import nn
        >>> from mindspore.boost import ParameterProcess
        >>> parameters = nn.SequentialCell(nn.Dense(2, 2), nn.Dense(2, 1)).trainable_params()
        >>> [one.comm_fusion for one in ParameterProcess().assign_parameter_group(parameters, [2])]
        [1, 1, 2, 2]
    """

    def assign_parameter_group(
        self, parameters: Sequence[Parameter], split_point: Sequence[int] | None = None
    ) -> list[Any]:
        """The Parameters; those up to each point share one number, by which their gradients are sent together."""
        check_type("ParameterProcess.assign_parameter_group", "parameters", parameters, (list, tuple))
        points = [50, 100] if split_point is None else list(split_point)
        for index, parameter in enumerate(parameters):
            parameter.comm_fusion = 1 + sum(index >= point for point in points)
        return list(parameters)

    @staticmethod
    def generate_group_params(parameters: Sequence[Parameter], origin_params: Sequence[Any]) -> list[Any]:
        """The groups of an optimizer, with only these Parameters left in them."""
        check_type("ParameterProcess.generate_group_params", "parameters", parameters, (list, tuple))
        if not (origin_params and isinstance(origin_params[0], dict)):
            return list(parameters)
        wanted = {id(parameter) for parameter in parameters}
        groups: list[Any] = []
        for group in origin_params:
            key = "order_params" if "order_params" in group else "params"
            kept = [parameter for parameter in group[key] if id(parameter) in wanted]
            if kept:
                groups.append({**group, key: kept})
        return groups
