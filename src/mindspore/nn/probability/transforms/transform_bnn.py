"""A network whose layers become Bayesian ones."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from mindspore._utils.checks import check_one_of, shown
from mindspore._utils.refusals import refused
from mindspore.common.parameter import Parameter
from mindspore.nn import optim
from mindspore.nn.cell import Cell
from mindspore.nn.layer._implementation.dense import Dense
from mindspore.nn.layer.conv import Conv2d
from mindspore.nn.probability.bnn_layers import ConvReparam, DenseReparam, WithBNNLossCell
from mindspore.nn.wrap.cell_wrapper import TrainOneStepCell

__all__ = ["TransformToBNN"]

Arguments = Callable[[Any], dict[str, Any]]
_OF_DENSE = ("in_channels", "has_bias", "out_channels", "activation")
_OF_CONV = (
    "in_channels", "out_channels", "pad_mode", "kernel_size", "stride", "has_bias", "padding", "dilation", "group",
)  # fmt: skip


def _dense_args(layer: Any) -> dict[str, Any]:
    return {name: getattr(layer, name) for name in _OF_DENSE}


def _conv_args(layer: Any) -> dict[str, Any]:
    return {name: getattr(layer, name) for name in _OF_CONV}


class TransformToBNN:
    """Makes the layers of a network Bayesian: their weights become distributions, and the loss counts these.

    Args:
        trainable_dnn: the network with loss and optimizer, ``nn.TrainOneStepCell(nn.WithLossCell(net, loss), optimizer)``.
        dnn_factor: the weight of the loss.
        bnn_factor: the weight of the distance of the weights from what was believed.

    Examples:
        >>> from mindspore import Tensor, nn, ops
        >>> from mindspore.nn.probability.transforms import TransformToBNN
        >>> net = nn.SequentialCell(nn.Dense(4, 8), nn.ReLU(), nn.Dense(8, 1))
        >>> step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params()))
        >>> bayesian = TransformToBNN(step, 1, 0.01).transform_to_bnn_model()
        >>> type(net[0]).__name__, bayesian(ops.ones((2, 4)), ops.ones((2, 1))).shape
        ('DenseReparam', ())
    """

    def __init__(self, trainable_dnn: Any, dnn_factor: float = 1, bnn_factor: float = 1):
        for name, factor in (("dnn_factor", dnn_factor), ("bnn_factor", bnn_factor)):
            if isinstance(factor, bool) or not isinstance(factor, (int, float)):
                text = f"For 'TransformToBNN', the '{name}' must be an int or float, but got {shown(factor)}."
                raise refused(TypeError, text)
            if factor < 0:
                raise refused(ValueError, f"For 'TransformToBNN', the '{name}' must be at least 0, but got {factor}.")
        with_loss = trainable_dnn.network
        self.optimizer = trainable_dnn.optimizer
        self.backbone = with_loss.backbone_network
        self.loss_fn = with_loss._loss_fn
        self.dnn_factor, self.bnn_factor = dnn_factor, bnn_factor

    def transform_to_bnn_model(
        self, get_dense_args: Arguments = _dense_args, get_conv_args: Arguments = _conv_args,
        add_dense_args: dict[str, Any] | None = None, add_conv_args: dict[str, Any] | None = None,
    ) -> TrainOneStepCell:  # fmt: skip
        """Make all dense layers and convolutions Bayesian.

        Args:
            get_dense_args, get_conv_args: what a layer gives its Bayesian form, by the layer.
            add_dense_args, add_conv_args: further arguments of the Bayesian forms.
        """
        dense = (DenseReparam, get_dense_args, add_dense_args or {})
        convolution = (ConvReparam, get_conv_args, add_conv_args or {})
        self._replace(self.backbone, {Dense: dense, Conv2d: convolution})
        return self._trainable()

    def transform_to_bnn_layer(self, dnn_layer_type: Any, bnn_layer_type: Any, get_args: Arguments | None = None,
                               add_args: dict[str, Any] | None = None) -> TrainOneStepCell:  # fmt: skip
        """Make the layers of one kind Bayesian.

        Args:
            dnn_layer_type: nn.Dense or nn.Conv2d.
            bnn_layer_type: DenseReparam or ConvReparam.
            get_args: what a layer gives its Bayesian form, by the layer.
            add_args: further arguments of the Bayesian form.
        """
        check_one_of("TransformToBNN", "dnn_layer_type", dnn_layer_type, (Dense, Conv2d))
        check_one_of("TransformToBNN", "bnn_layer_type", bnn_layer_type, (DenseReparam, ConvReparam))
        taken = get_args or (_dense_args if dnn_layer_type is Dense else _conv_args)
        self._replace(self.backbone, {dnn_layer_type: (bnn_layer_type, taken, add_args or {})})
        return self._trainable()

    def _replace(self, cell: Cell, kinds: dict[type, tuple[Any, Arguments, dict[str, Any]]]) -> None:
        """Replace layers of these kinds by Bayesian ones."""
        for name, inner in cell.name_cells().items():
            kind = next((kind for kind in kinds if isinstance(inner, kind)), None)
            if kind is None:
                self._replace(inner, kinds)
                continue
            made, arguments, further = kinds[kind]
            layer = made(**arguments(inner), **further)
            if name.isdigit():  # of a container, which knows its members by number
                cell[int(name)] = layer  # type: ignore[index]
            else:
                setattr(cell, name, layer)

    def _trainable(self) -> TrainOneStepCell:
        for path, parameter in self.backbone.parameters_and_names():
            parameter.name = path
        with_loss = WithBNNLossCell(self.backbone, self.loss_fn, self.dnn_factor, self.bnn_factor)
        return TrainOneStepCell(with_loss, self._same_optimizer())

    def _same_optimizer(self) -> Cell:
        """An optimizer of the same kind for the Parameters that there are now."""
        kind = type(self.optimizer)
        if kind.__name__ not in optim.__all__:
            allowed = ", ".join(optim.__all__)
            text = f"For 'TransformToBNN', the optimizer must be one of {allowed}, but got {kind.__name__}."
            raise refused(TypeError, text)
        arguments = {}
        for name in list(inspect.signature(kind).parameters)[1:]:
            value = getattr(self.optimizer, name, None)
            if isinstance(value, Parameter):
                arguments[name] = value.asnumpy().tolist()
        return kind(self.backbone.trainable_params(), **arguments)
