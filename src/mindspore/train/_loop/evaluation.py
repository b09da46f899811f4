"""The evaluation loop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mindspore._engine.autodiff.forward_cache import evaluating
from mindspore._utils.checks import shown
from mindspore.nn.metrics.loss import Loss
from mindspore.train._loop.model_arguments import check_columns
from mindspore.train.callback._callback import CallbackManager, RunContext
from mindspore.train.dataset_helper import DatasetHelper

if TYPE_CHECKING:
    from mindspore.dataset.engine.datasets import Dataset
    from mindspore.train.model import Model


class Evaluation:
    """Passes a dataset through the evaluation network and its outputs to the metrics.

    Args:
        with_loss: whether the mean loss is computed beside the model's metrics.
    """

    def __init__(self, model: Model, dataset: Dataset, with_loss: bool = False):
        self.model = model
        self.dataset = dataset
        self.metrics: dict[str, Any] = model._metric_fns
        self.indexes: list[int] | None = model._eval_indexes
        self.loss = Loss() if with_loss and self.indexes is not None else None

    def figure_names(self) -> list[str]:
        """The names of what callbacks find in ``eval_results``."""
        return [*(["eval_loss"] if self.loss is not None else []), *self.metrics]

    def run(self, parameters: Any, hooks: CallbackManager) -> dict[str, Any]:
        """The value of every metric."""
        helper = DatasetHelper(self.dataset, dataset_sink_mode=False)
        try:
            return self._run(helper, parameters, hooks)
        finally:
            helper.stop_send()

    def _run(self, helper: DatasetHelper, parameters: Any, hooks: CallbackManager) -> dict[str, Any]:
        network = self.model._eval_network
        self.model._switch_to(network, False)
        self._clear()
        context = RunContext(parameters)
        parameters.update(
            mode="eval", eval_network=network, valid_dataset=self.dataset, batch_num=helper.sink_size(), cur_step_num=0
        )
        hooks.on_eval_begin(context)
        hooks.on_eval_epoch_begin(context)
        waiting: Any = None
        for inputs in helper:
            if parameters.cur_step_num == 0 and self.model._loss_fn is not None and not self.model._own_eval_network:
                check_columns("valid_dataset", inputs)
            parameters.cur_step_num += 1
            parameters.eval_dataset_element = inputs
            hooks.on_eval_step_begin(context)
            with evaluating():
                outputs = network(*inputs)
            parameters.net_outputs = outputs
            if waiting is not None:
                self._update(waiting)  # on the host, while the device computes this step
            waiting = outputs
            hooks.on_eval_step_end(context)
            if context.get_stop_requested():
                break
        if waiting is not None:
            self._update(waiting)
        hooks.on_eval_epoch_end(context)
        parameters.metrics = results = self.model._get_metrics()
        if self.loss is not None:
            parameters.eval_results = {**results, "eval_loss": self.loss.eval()}
        elif "train_network" in parameters:
            parameters.eval_results = dict(results)
        hooks.on_eval_end(context)
        return results

    def _clear(self) -> None:
        self.model._clear_metrics()
        if self.loss is not None:
            self.loss.clear()

    def _update(self, outputs: Any) -> None:
        outputs = outputs if isinstance(outputs, Sequence) else (outputs,)
        if self.indexes is not None and len(outputs) < 3:
            raise ValueError(
                "The evaluation network must return loss, prediction and label for 'eval_indexes' "
                f"{self.indexes}, but it returned {len(outputs)} values: {shown(outputs)}. With 'eval_indexes' None the "
                "metrics get all outputs."
            )
        if self.loss is not None and self.indexes is not None:
            self.loss.update(outputs[self.indexes[0]])
        self.model._update_metrics(outputs)
