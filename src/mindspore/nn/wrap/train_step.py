"""One step of training: loss, gradients, update."""

from __future__ import annotations

import os
from typing import Any

from mindspore._engine.base import dtype
from mindspore._engine.runtime.context import ParallelMode, get_auto_parallel_context
from mindspore._engine.runtime.parallel_context import refuse_planned_training
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.transforms.gradients import GradOperation, value_and_grad
from mindspore._utils.checks import shown
from mindspore._utils.refusals import WrongObject, refused
from mindspore.nn.cell import Cell
from mindspore.nn.layer.basic import Identity
from mindspore.nn.wrap._exit_request import ExitByRequest
from mindspore.nn.wrap.grad_reducer import DistributedGradReducer

__all__ = ["TrainOneStepCell"]


class TrainOneStepCell(Cell):
    """A network that computes its loss, with an optimizer: every call is one step of training and returns the loss.

    In graph mode forward, backward and update are one compiled graph. Call ``set_train()`` before training, for Dropout
    and BatchNorm.

    A subclass with its own ``construct`` finds ``network``, ``weights``, ``optimizer``, ``grad`` (a GradOperation that
    takes ``sens`` last), ``sens``, ``reducer_flag``, ``grad_reducer`` and ``use_graceful_exit``: with
    MS_ENABLE_GRACEFUL_EXIT=1 in the environment, ``graceful_exit`` notes in ``exit_param`` that all processes were asked to exit.

    Args:
        network: gives the loss, see :class:`WithLossCell`.
        optimizer: updates the Parameters it was made for.
        sens: weight of the loss in the gradients (loss scale); None for 1.
        return_grad: whether the gradients come back beside the loss, as a dict by Parameter name.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
        >>> step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
        >>> print(step(Tensor([[1.0]]), Tensor([[0.0]])), net.weight.asnumpy())
        1.0 [[0.8]]
    """

    def __init__(self, network: Cell, optimizer: Cell, sens: float | None = None, return_grad: bool = False):
        super().__init__(auto_prefix=False)
        if not isinstance(network, Cell):
            raise refused(
                WrongObject, f"For 'TrainOneStepCell', the 'network' must be a Cell, but got {shown(network)}."
            )
        if not hasattr(optimizer, "parameters"):
            raise refused(
                WrongObject,
                f"For 'TrainOneStepCell', the 'optimizer' must be an Optimizer, but got {shown(optimizer)}.",
            )
        if not isinstance(return_grad, bool):
            raise refused(
                TypeError, f"For 'TrainOneStepCell', the 'return_grad' must be a bool, but got {shown(return_grad)}."
            )
        if sens is not None and not isinstance(sens, Cell) and not hasattr(sens, "dtype") and sens == 0:
            raise ValueError("The input argument of 'sens' can not be 0.")
        self.network = network
        self.network.set_grad()
        self.optimizer = optimizer
        self.weights = optimizer.parameters
        self.grad = GradOperation(get_by_list=True, sens_param=True)
        self.grad_no_sens = GradOperation(get_by_list=True)
        self.sense_flag = sens is not None
        self.sens = 1.0 if sens is None else sens
        self.return_grad = return_grad
        refuse_planned_training()
        self.parallel_mode = get_auto_parallel_context("parallel_mode")
        self.reducer_flag = self.parallel_mode in (ParallelMode.DATA_PARALLEL, ParallelMode.HYBRID_PARALLEL)
        if self.reducer_flag:
            self.grad_reducer: Cell = DistributedGradReducer(self.weights)
        else:
            self.grad_reducer = Identity()
        self.use_graceful_exit = os.environ.get("MS_ENABLE_GRACEFUL_EXIT") == "1"
        if self.use_graceful_exit:
            self.graceful_exit = ExitByRequest()
            self.exit_param = Parameter(Tensor(False), name="graceful_exit", requires_grad=False)
            self.init_param = Parameter(Tensor([0], dtype.int32), name="graceful_init", requires_grad=False)

    def construct(self, *inputs: Any) -> Any:
        return self._step(inputs, self.sens) if self.sense_flag else self._no_sens_impl(*inputs)

    def _no_sens_impl(self, *inputs: Any) -> Any:
        """The step without a `sens`; subclasses of programs call or override it."""
        return self._step(inputs, None)

    def _step(self, inputs: tuple, sens: Any) -> Any:
        loss, gradients = self._loss_and_gradients(inputs, sens)
        gradients = self.grad_reducer(gradients)
        if self.use_graceful_exit:
            gradients = self.graceful_exit.exit_by_request(gradients, self.init_param, self.exit_param)
        self.optimizer(gradients)
        if self.return_grad:
            return loss, {weight.name: each for weight, each in zip(self.weights, gradients, strict=True)}
        return loss

    def _loss_and_gradients(self, inputs: tuple, sens: Any) -> tuple[Any, Any]:
        """Loss and gradients from a single forward pass."""
        if sens is None:
            return value_and_grad(self.network, None, self.weights)(*inputs)
        return value_and_grad(self.network, None, self.weights, sens_param=True)(*inputs, sens)
