"""How certain a network is of its answers, and how much of that is due to the data."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from mindspore import ops
from mindspore._utils.checks import check_bool, check_one_of, check_positive_int, check_type
from mindspore._utils.deferred import deferred
from mindspore._utils.refusals import refused
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.layer._implementation.dense import Dense
from mindspore.nn.layer._implementation.dropout import Dropout
from mindspore.nn.layer.basic import Flatten
from mindspore.nn.layer.container import SequentialCell
from mindspore.nn.layer.conv import Conv2d
from mindspore.nn.loss import MSELoss, SoftmaxCrossEntropyWithLogits
from mindspore.nn.optim import Adam

__all__ = ["UncertaintyEvaluation"]

train = deferred("mindspore.train")  # a layer above: the tool trains
_DRAWS = 10


class UncertaintyEvaluation:
    """Tells for samples how certain a network is: of its weights (epistemic) and of the data (aleatoric).

    Args:
        model: the network.
        train_dataset: what it is trained with further, where it needs to be.
        task_type: 'classification' or 'regression'.
        num_classes: the number of classes.
        epochs: how often the data are used for training.
        epi_uncer_model_path, ale_uncer_model_path: checkpoints that are read instead of training; with ``save_model``
            folders that checkpoints are written into.
        save_model: whether the trained networks are saved.

    Examples:
        >>> import numpy as np
        >>> from mindspore import Tensor, dataset as ds, nn
        >>> from mindspore.nn.probability.toolbox import UncertaintyEvaluation
        >>> class Net(nn.Cell):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.dense, self.dropout = nn.Dense(2, 3), nn.Dropout(p=0.5)
        ...     def construct(self, x):
        ...         return self.dropout(self.dense(x))
        >>> data = ds.NumpySlicesDataset((np.ones((4, 2), np.float32), np.zeros(4, np.int32)), shuffle=False).batch(2)
        >>> evaluation = UncertaintyEvaluation(Net(), data, "classification", num_classes=3)
        >>> evaluation.eval_epistemic_uncertainty(Tensor(np.ones((2, 2), np.float32))).shape
        (2, 3)
    """

    def __init__(self, model: Cell, train_dataset: Any, task_type: str, num_classes: int | None = None,
                 epochs: int = 1, epi_uncer_model_path: str | None = None, ale_uncer_model_path: str | None = None,
                 save_model: bool = False):  # fmt: skip
        owner = "UncertaintyEvaluation"
        self.epi_model = check_type(owner, "model", model, Cell)
        self.ale_model = copy.deepcopy(model)
        self.train_dataset = train_dataset
        self.task_type = check_one_of(owner, "task_type", task_type, ("regression", "classification"))
        self.num_classes = num_classes
        if task_type == "classification":
            check_positive_int(owner, "num_classes", num_classes)  # type: ignore[arg-type]
        self.epochs = check_positive_int(owner, "epochs", epochs)
        self.epi_uncer_model_path, self.ale_uncer_model_path = epi_uncer_model_path, ale_uncer_model_path
        self.save_model = check_bool(owner, "save_model", save_model)
        if save_model and (epi_uncer_model_path is None or ale_uncer_model_path is None):
            text = (
                f"For '{owner}', the 'epi_uncer_model_path' and 'ale_uncer_model_path' must be given with 'save_model'."
            )
            raise refused(ValueError, text)
        self.epi_uncer_model: Any = None
        self.ale_uncer_model: Any = None

    def eval_epistemic_uncertainty(self, eval_data: Tensor) -> np.ndarray:
        """The variance of answers while parts of the network are dropped, scaled to [0, 1].

        Args:
            eval_data: the samples.
        """
        if self.epi_uncer_model is None:
            self.epi_uncer_model = EpistemicUncertaintyModel(self.epi_model)
            if self.epi_uncer_model.drop_count == 0:
                classes = self.task_type == "classification"
                loss = SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean") if classes else MSELoss()
                self._train(self.epi_uncer_model, loss, self.epi_uncer_model_path, "checkpoint_epi_uncer_model")
        self.epi_uncer_model.set_train(True)
        answers = np.stack([self.epi_uncer_model(eval_data).asnumpy() for _ in range(_DRAWS)])
        return _scaled(answers.var(axis=0))

    def eval_aleatoric_uncertainty(self, eval_data: Tensor) -> np.ndarray:
        """The variance that the network learns to give with its answers, scaled to [0, 1].

        Args:
            eval_data: the samples.
        """
        if self.ale_uncer_model is None:
            self.ale_uncer_model = AleatoricUncertaintyModel(self.ale_model, self.num_classes, self.task_type)
            loss = AleatoricLoss(self.task_type)
            self._train(self.ale_uncer_model, loss, self.ale_uncer_model_path, "checkpoint_ale_uncer_model")
        _, variance = self.ale_uncer_model(eval_data)
        return _scaled((variance**2).sum(1).asnumpy())

    def _train(self, network: Cell, loss: Cell, path: str | None, prefix: str) -> None:
        """Train a network, or read what was trained."""
        if path is not None and not self.save_model:
            train.load_param_into_net(network, train.load_checkpoint(path))
            return
        callbacks = [train.LossMonitor()]
        if self.save_model:
            config = train.CheckpointConfig(keep_checkpoint_max=self.epochs)
            callbacks.insert(0, train.ModelCheckpoint(prefix, path, config))
        model = train.Model(network, loss, Adam(network.trainable_params()))
        model.train(self.epochs, self.train_dataset, callbacks=callbacks)


def _scaled(values: np.ndarray) -> np.ndarray:
    """Values stretched to the interval from 0 to 1."""
    low, high = values.min(), values.max()
    return (values - low) / (high - low)


class EpistemicUncertaintyModel(Cell):
    """A network that drops values also when it answers; one without Dropout gets it behind its first layer with weights."""

    def __init__(self, epi_model: Cell):
        super().__init__()
        self.drop_count = sum(isinstance(cell, Dropout) for _, cell in epi_model.cells_and_names())
        if not self.drop_count:
            self._drop_behind_a_layer(epi_model)
        self.epi_model = epi_model

    def _drop_behind_a_layer(self, network: Cell) -> None:
        for name, layer in network.name_cells().items():
            if isinstance(layer, (Conv2d, Dense)):
                setattr(network, name, SequentialCell([layer, Dropout(p=0.5)]))
                return
        text = "For 'UncertaintyEvaluation', the network must have a Dropout, Dense or Conv2d layer for epistemic uncertainty."
        raise refused(ValueError, text)

    def construct(self, x: Tensor) -> Tensor:
        """The answers."""
        return self.epi_model(x)


class AleatoricUncertaintyModel(Cell):
    """A network that gives a variance with each answer."""

    def __init__(self, ale_model: Cell, num_classes: int | None, task: str):
        super().__init__()
        self.task = task
        if task == "classification":
            self.var_layer = Dense(num_classes, num_classes)  # type: ignore[arg-type]
        else:
            found = [(name, cell) for name, cell in ale_model.name_cells().items() if isinstance(cell, Dense)]
            if not found:
                text = "For 'UncertaintyEvaluation', the network must have a Dense layer for aleatoric uncertainty."
                raise refused(ValueError, text)
            name, self.pred_layer = found[-1]
            setattr(ale_model, name, Flatten())
            self.var_layer = Dense(self.pred_layer.in_channels, self.pred_layer.out_channels)
        self.ale_model = ale_model

    def construct(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """The answers and their variances."""
        hidden = self.ale_model(x)
        answer = hidden if self.task == "classification" else self.pred_layer(hidden)
        return answer, self.var_layer(hidden)


class AleatoricLoss(Cell):
    """The loss of answers with variances."""

    def __init__(self, task: str):
        super().__init__()
        self.task = task
        self.entropy = SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")

    def construct(self, data_pred: tuple[Tensor, Tensor], y: Tensor) -> Tensor:
        """The loss of a batch."""
        answer, variance = data_pred
        if self.task != "classification":
            return (0.5 * ops.exp(-variance) * (y - answer) ** 2 + 0.5 * variance).mean()
        noise = ops.standard_normal((_DRAWS,))
        total = self.entropy(answer + noise[0] * variance, y)
        for index in range(1, _DRAWS):
            total = total + self.entropy(answer + noise[index] * variance, y)
        return total / _DRAWS
