"""Cells around a network: its loss, its gradients, its evaluation."""

from __future__ import annotations

import traceback
from typing import Any

from mindspore import ops
from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.errors import returned_nothing
from mindspore._engine.base.pytree import map_leaves
from mindspore._engine.tensor.parameter import Parameter, ParameterTuple
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.transforms.gradients import GradOperation
from mindspore._utils.checks import check_type, shown
from mindspore._utils.refusals import WrongObject, refused
from mindspore.nn.cell import Cell
from mindspore.nn.wrap.micro_batch import GradAccumulationCell as GradAccumulationCell
from mindspore.nn.wrap.micro_batch import MicroBatchInterleaved as MicroBatchInterleaved
from mindspore.nn.wrap.micro_batch import PipelineCell as PipelineCell
from mindspore.nn.wrap.micro_batch import _MicroBatch as _MicroBatch
from mindspore.nn.wrap.train_step import TrainOneStepCell as TrainOneStepCell

__all__ = [
    "ForwardValueAndGrad",
    "ParameterUpdate",
    "VirtualDatasetCellTriple",
    "WithEvalCell",
    "WithGradCell",
    "WithLossCell",
]


class WithLossCell(Cell):
    """A network and its loss: ``loss_fn(backbone(data), label)``.

    Args:
        backbone: the network.
        loss_fn: the loss, called with the output of the network and the label.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> net = nn.WithLossCell(nn.ReLU(), nn.L1Loss())
        >>> print(net(Tensor([1.0, -2.0]), Tensor([0.0, 0.0])))
        0.5
    """

    def __init__(self, backbone: Cell, loss_fn: Cell):
        super().__init__(auto_prefix=False)
        self._backbone = backbone
        self._loss_fn = loss_fn

    def construct(self, data: Any, label: Any) -> Tensor:
        out = self._backbone(data)
        return self._loss_fn(out, label)

    def _cell_construct(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        """construct, then the None checks: outside it, because rewrite.SymbolTree lists its statements."""
        if type(self).construct is not WithLossCell.construct:
            return super()._cell_construct(args, kwargs)
        try:
            loss = super()._cell_construct(args, kwargs)
        except Exception as error:
            if self._output_was_none(error):
                raise refused(
                    TypeError,
                    f"For 'WithLossCell', the network must return a Tensor, but {returned_nothing(self._backbone)}",
                ) from None
            raise
        if loss is None:
            raise refused(
                WrongObject, f"For 'WithLossCell', the loss must be a Tensor, but {returned_nothing(self._loss_fn)}"
            )
        return loss

    def _output_was_none(self, error: Exception) -> bool:
        """Whether ``out`` was None in the frame of this Cell's construct, when the loss failed."""
        for frame, _ in traceback.walk_tb(error.__traceback__):
            if frame.f_code.co_name == "construct" and frame.f_locals.get("self") is self:
                return frame.f_locals.get("out", self) is None
        return False

    @property
    def backbone_network(self) -> Cell:
        """The network."""
        return self._backbone


class WithEvalCell(Cell):
    """A network and its loss for evaluation: returns the loss, the output and the label.

    Args:
        network: the network.
        loss_fn: the loss, or None: then the result is (output, label).
        add_cast_fp32: whether outputs and label are converted to float32 first.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> loss, output, label = nn.WithEvalCell(nn.ReLU(), nn.L1Loss())(Tensor([1.0, -2.0]), Tensor([0.0, 0.0]))
        >>> print(loss, output, label)
        0.5 [1. 0.] [0. 0.]
    """

    def __init__(self, network: Cell, loss_fn: Cell | None, add_cast_fp32: bool = False):
        super().__init__(auto_prefix=False)
        self._network = network
        self._loss_fn = loss_fn
        self.add_cast_fp32 = check_type("WithEvalCell", "add_cast_fp32", add_cast_fp32, bool)

    def construct(self, data: Any, label: Any) -> Any:
        outputs = self._network(data)
        if self.add_cast_fp32:
            outputs, label = map_leaves(_to_float32, (outputs, label))
        if self._loss_fn is None:
            return outputs, label
        return self._loss_fn(outputs, label), outputs, label


def _to_float32(value: Any) -> Any:
    floating = isinstance(value, Tensor) and value.dtype.is_floating
    return value.astype(dtypes.float32) if floating else value


class WithGradCell(Cell):
    """The gradients of a network for its trainable Parameters.

    Args:
        network: the network.
        loss_fn: the loss; None when the network computes it itself.
        sens: weight of the output; None for 1.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> net = nn.Dense(2, 1, weight_init="ones")
        >>> weight, bias = nn.WithGradCell(net, nn.L1Loss())(Tensor([[1.0, 2.0]]), Tensor([[0.0]]))
        >>> print(weight, bias)
        [[1. 2.]] [1.]
    """

    def __init__(self, network: Cell, loss_fn: Cell | None = None, sens: Any = None):
        super().__init__(auto_prefix=False)
        check_type("WithGradCell", "network", network, Cell)
        self.network = network
        self.loss_fn = loss_fn
        self.weights = ParameterTuple(network.trainable_params())
        self.sens = sens
        self.grad = GradOperation(get_by_list=True, sens_param=sens is not None)
        if loss_fn is None:
            self.network_with_loss = network
        else:
            self.network_with_loss = WithLossCell(network, loss_fn)
        self.network_with_loss.set_train()

    def construct(self, *inputs: Any) -> Any:
        gradients = self.grad(self.network_with_loss, self.weights)
        return gradients(*inputs) if self.sens is None else gradients(*inputs, self.sens)


class ForwardValueAndGrad(Cell):
    """The output of a network together with its gradients.

    Args:
        network: a Cell or a function.
        weights: the Parameters to differentiate, for ``get_by_list``.
        get_all: gradients of all inputs instead of the first.
        get_by_list: gradients of ``weights``; with ``get_all`` both, inputs first.
        sens_param: whether the last argument of the call is the weight of the output.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> net = nn.Dense(2, 1, weight_init="ones")
        >>> step = nn.ForwardValueAndGrad(nn.WithLossCell(net, nn.L1Loss()), net.trainable_params(), get_by_list=True)
        >>> loss, (weight, bias) = step(Tensor([[1.0, 2.0]]), Tensor([[0.0]]))
        >>> print(weight, bias)
        [[1. 2.]] [1.]
    """

    def __init__(
        self,
        network: Any,
        weights: Any = None,
        get_all: bool = False,
        get_by_list: bool = False,
        sens_param: bool = False,
    ):
        super().__init__(auto_prefix=False)
        if not callable(network):
            raise refused(
                WrongObject,
                f"For 'ForwardValueAndGrad', the argument 'network' must be a Cell or a function, but got {shown(network)}.",
            )
        for name, flag in (("get_all", get_all), ("get_by_list", get_by_list)):
            check_type("ForwardValueAndGrad", name, flag, bool)
        if get_by_list and not isinstance(weights, (ParameterTuple, tuple, list)):
            raise refused(
                TypeError,
                "For 'ForwardValueAndGrad', when 'get_by_list' is set to True, the argument 'weights' must be "
                f"Parameters array, but got {shown(weights)}.",
            )
        self.network = network
        if isinstance(network, Cell):
            network.set_grad()
        self.weights = weights
        self.get_all = get_all
        self.get_by_list = get_by_list
        self.sens_param = sens_param
        self.grad = GradOperation(get_all=get_all, get_by_list=get_by_list, sens_param=sens_param)

    def construct(self, *inputs: Any) -> Any:
        outputs = self.network(*(inputs[:-1] if self.sens_param else inputs))
        gradients = self.grad(self.network, self.weights)(*inputs)
        return outputs, gradients


class ParameterUpdate(Cell):
    """Writes a Parameter: called with a Tensor of its shape, returns the new value.

    Examples:
        >>> from mindspore import Parameter, Tensor, nn
        >>> weight = Parameter(Tensor([1.0, 2.0]), name="weight")
        >>> print(nn.ParameterUpdate(weight)(Tensor([3.0, 4.0])), weight.asnumpy())
        [3. 4.] [3. 4.]
    """

    def __init__(self, param: Parameter):
        super().__init__(auto_prefix=False)
        if not isinstance(param, Parameter):
            raise refused(TypeError, f"For 'ParameterUpdate', 'param' must be 'Parameter', but got {shown(param)}.")
        self._param = param

    def construct(self, x: Tensor) -> Tensor:
        return ops.assign(self._param, x)


class _VirtualDatasetCell(Cell):
    """Marks where a batch is split over devices in automatic parallel mode; the values pass unchanged."""

    def __init__(self, backbone: Cell):
        super().__init__(auto_prefix=False)
        self._backbone = backbone

    def construct(self, *inputs: Any) -> Any:
        return self._backbone(*inputs)


class VirtualDatasetCellTriple(_VirtualDatasetCell):
    """The same for networks of three inputs.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> class Sum(nn.Cell):
        ...     def construct(self, a, b, c):
        ...         return a + b + c
        >>> print(nn.VirtualDatasetCellTriple(Sum())(Tensor(1.0), Tensor(2.0), Tensor(3.0)))
        6.0
    """

    def construct(self, a: Any, b: Any, c: Any) -> Any:  # type: ignore[override]
        return self._backbone(a, b, c)
