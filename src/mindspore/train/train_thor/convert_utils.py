"""Networks and Models for the second-order optimizer ``nn.thor``."""

from __future__ import annotations

from typing import Any

from mindspore._utils.checks import shown
from mindspore._utils.refusals import refused
from mindspore.nn.cell import Cell
from mindspore.nn.optim._thor_net import to_thor_layers
from mindspore.nn.optim.thor import Thor
from mindspore.train._loop.model_arguments import check_network
from mindspore.train.model import Model

__all__ = ["ConvertModelUtils", "ConvertNetUtils"]


class ConvertNetUtils:
    """Exchanges the layers of a network for those that note what ``nn.thor`` needs.

    Examples:
        >>> from mindspore import nn
        >>> from mindspore.train import ConvertNetUtils
        >>> net = nn.SequentialCell(nn.Dense(2, 3), nn.ReLU())
        >>> ConvertNetUtils().convert_to_thor_net(net)
        >>> type(net[0]).__name__
        'DenseThor'
    """

    def convert_to_thor_net(self, net: Cell) -> None:
        """Exchange Dense, Conv2d and Embedding; their Parameters stay the same objects."""
        to_thor_layers(check_network("net", net))
        net.update_cell_prefix()


class ConvertModelUtils:
    """Makes Models that ask ``nn.thor`` for new second-order information only once in ``frequency`` steps.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import nn
        >>> net = nn.Dense(2, 1)
        >>> model = ms.Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.1, 0.9))
        >>> optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
        >>> model = ms.ConvertModelUtils.convert_to_thor_model(model, net, nn.MSELoss(), optimizer)
        >>> isinstance(model, ms.Model)
        True
    """

    @staticmethod
    def convert_to_thor_model(
        model: Model,
        network: Cell,
        loss_fn: Any = None,
        optimizer: Any = None,
        metrics: Any = None,
        amp_level: str = "O0",
        loss_scale_manager: Any = None,
        keep_batchnorm_fp32: bool | None = False,
    ) -> Model:
        """A Model of these parts, whose steps alternate as the optimizer's ``frequency`` says.

        Examples:
            >>> from mindspore import Model, nn
            >>> from mindspore.train import ConvertModelUtils
            >>> net = nn.Dense(2, 3)
            >>> optimizer = nn.thor(net, 0.1, 0.03, 0.9, batch_size=4, frequency=10)
            >>> model = Model(net, nn.MSELoss(), optimizer)
            >>> model = ConvertModelUtils.convert_to_thor_model(model, net, nn.MSELoss(), optimizer)
            >>> type(model.train_network).__name__
            'AlternatingSteps'
        """
        if not isinstance(optimizer, Thor):
            return model
        if not isinstance(model, Model):
            raise refused(
                TypeError, f"For 'convert_to_thor_model', the 'model' must be a Model, but got {shown(model)}."
            )
        options: dict[str, Any] = {"keep_batchnorm_fp32": keep_batchnorm_fp32} if amp_level != "O0" else {}
        if loss_scale_manager is not None:
            options["loss_scale_manager"] = loss_scale_manager
        converted = Model(network, loss_fn, optimizer, metrics, amp_level=amp_level, **options)
        converted._train_network = AlternatingSteps(converted._train_network, network, optimizer)
        return converted


class AlternatingSteps(Cell):
    """A training step with new second-order information at the first of every ``frequency`` calls."""

    def __init__(self, step: Cell, network: Cell, optimizer: Thor):
        super().__init__(auto_prefix=False)
        self.step = step
        self._parts = (network, optimizer)
        self._frequency = optimizer.frequency
        self._calls = 0
        self.set_train(step.training)

    def __call__(self, *inputs: Any) -> Any:  # type: ignore[override]
        renews = self._calls % self._frequency == 0
        self._calls += 1
        network, optimizer = self._parts
        if optimizer.thor != renews:  # two graphs are compiled, one for each kind of step
            for part in (network, optimizer):
                part.add_flags_recursive(thor=renews)
            optimizer.thor = renews
        return self.step(*inputs)

    construct = __call__
