"""Second-order steps in a space of few dimensions, first-order steps in the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mindspore import ops
from mindspore._utils.checks import check_positive_int, check_type
from mindspore.common import dtype as mstype
from mindspore.common.parameter import Parameter, ParameterTuple
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell

__all__ = ["DimReduce"]

_TRIALS = 10  # the most powers of rho that are tried


class DimReduce(Cell):
    """Steps that use curvature in the directions of a matrix, such as the principal components of former weights.

    Within them a quasi-Newton step is taken, shortened until the loss falls enough; outside, momentum.

    Args:
        network: gives the loss.
        optimizer: takes the resulting change instead of gradients.
        weight: the Parameters.
        pca_mat_local: one direction per row, as long as all Parameters together.
        n_components: how many directions.
        rho: the factor that shortens a step.
        gamma: how much of the momentum stays.
        alpha: the weight of the momentum.
        sigma: how much of the predicted fall of the loss is asked for.
        rank, rank_size: taken for MindSpore's sake; every process holds all directions.
    """

    def __init__(self, network: Cell, optimizer: Cell, weight: Sequence[Parameter], pca_mat_local: np.ndarray,
                 n_components: int, rho: float, gamma: float, alpha: float, sigma: float, rank: int,
                 rank_size: int):  # fmt: skip
        super().__init__(auto_prefix=False)
        check_type("DimReduce", "network", network, Cell)
        self.network, self.optimizer = network, optimizer
        self.weights = ParameterTuple(weight)
        self.rho, self.gamma, self.alpha, self.sigma = rho, gamma, alpha, sigma
        length = sum(parameter.size for parameter in self.weights)
        count = check_positive_int("DimReduce", "n_components", n_components)
        if pca_mat_local.ndim != 2 or pca_mat_local.shape[1] != length or pca_mat_local.shape[0] > count:
            raise ValueError(
                f"For 'DimReduce', the 'pca_mat_local' must have shape (at most {count}, {length}), one direction per row, "
                f"but got {pca_mat_local.shape}."
            )
        rows = pca_mat_local.shape[0]
        self.directions = Tensor(pca_mat_local, mstype.float32)
        self.inverse = Parameter(ops.eye(rows, rows, mstype.float32), name="bk", requires_grad=False)
        self.last_gradient = Parameter(ops.zeros((rows,), mstype.float32), name="gk_last", requires_grad=False)
        self.last_step = Parameter(ops.zeros((rows,), mstype.float32), name="sk_last", requires_grad=False)
        self.momentum = Parameter(ops.zeros((length,), mstype.float32), name="grad_momentum", requires_grad=False)

    def _flat(self, parts: Sequence[Tensor]) -> Tensor:
        return ops.concat([part.reshape(-1).astype(mstype.float32) for part in parts])

    def _parts(self, flat: Tensor) -> tuple[Tensor, ...]:
        ends = np.cumsum([weight.size for weight in self.weights]).tolist()
        return tuple(
            flat[end - weight.size : end].reshape(weight.shape).astype(weight.dtype)
            for weight, end in zip(self.weights, ends, strict=True)
        )

    def _learn(self, gradient: Tensor) -> None:
        """The quasi-Newton matrix from how the gradient changed along the last step."""
        step, change = self.last_step.value(), gradient - self.last_gradient.value()
        curvature = (step * change).sum()
        safe = ops.where(curvature > 1e-10, curvature, ops.ones_like(curvature))
        identity = ops.eye(gradient.shape[0], gradient.shape[0], mstype.float32)
        left = identity - ops.outer(step, change) / safe
        learned = ops.matmul(ops.matmul(left, self.inverse.value()), left.T) + ops.outer(step, step) / safe
        ops.assign(self.inverse, ops.where(curvature > 1e-10, learned, self.inverse.value()))

    def _loss_after(self, flat: Tensor, inputs: tuple[Any, ...]) -> Tensor:
        for parameter, value in zip(self.weights, self._parts(flat), strict=True):
            ops.assign(parameter, value)
        return self.network(*inputs)

    def construct(self, loss: Tensor, old_grad: tuple[Any, ...], loss_scale: Any, weight: tuple[Any, ...], weight_clone: tuple[Any, ...],
                  *inputs: Any) -> Tensor:  # fmt: skip
        """Take a step; the loss, unchanged."""
        gradient = self._flat(old_grad) / loss_scale
        start = self._flat([parameter.value() + 0 for parameter in self.weights])
        reduced = ops.matmul(self.directions, gradient)
        self._learn(reduced)
        direction = -ops.matmul(self.inverse.value(), reduced)
        best, found = ops.zeros((), mstype.float32), ops.zeros((), mstype.bool_)
        for trial in range(_TRIALS):
            length = self.rho**trial
            new_loss = self._loss_after(start + ops.matmul(self.directions.T, direction * length), inputs)
            falls = new_loss < loss + self.sigma * length * (reduced * direction).sum()
            best = ops.where(ops.logical_and(falls, ops.logical_not(found)), Tensor(length, mstype.float32), best)
            found = ops.logical_or(found, falls)
        step = direction * best
        ops.assign(self.last_gradient, reduced)
        ops.assign(self.last_step, step)
        outside = gradient - ops.matmul(self.directions.T, reduced)
        momentum = ops.assign(self.momentum, self.gamma * self.momentum.value() + outside)
        for parameter, value in zip(self.weights, self._parts(start), strict=True):
            ops.assign(parameter, value)
        self.optimizer(self._parts(self.alpha * momentum - ops.matmul(self.directions.T, step)))
        return loss
