"""The training loop, shared by step-by-step and sink mode."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from mindspore._engine.base import deferred_checks
from mindspore._engine.interpreter.choice import compiled_at_once
from mindspore._engine.runtime.context import ParallelMode, get_auto_parallel_context
from mindspore._engine.runtime.parallel_context import device_count
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.distributed.collective import Broadcast
from mindspore.nn.cell import Cell
from mindspore.train._checkpoint import background_save
from mindspore.train._first_step import with_advice
from mindspore.train._loop.model_arguments import check_columns
from mindspore.train._loop.training_state import restore_callbacks
from mindspore.train.callback._callback import CallbackManager, InternalCallbackParam, RunContext, listed
from mindspore.train.dataset_helper import ConnectedNetwork, DatasetHelper

if TYPE_CHECKING:
    from mindspore.dataset.engine.datasets import Dataset
    from mindspore.train.model import Model, Validation


class Training:
    """A call of ``Model.train`` or ``Model.fit``.

    Args:
        size: the number of batches of the dataset; all arguments are validated.
        evaluate: called with (epoch, the callbacks' parameters, the callbacks) after every epoch; None without validation.
    """

    def __init__(
        self,
        model: Model,
        dataset: Dataset,
        size: int,
        sinks: bool,
        sink_size: int,
        epochs: range,
        evaluate: Validation | None = None,
    ):
        self.model = model
        self.dataset = dataset
        self.first: list[Any] | None = None  # the first batch
        self.epochs = epochs
        self.evaluate = evaluate
        self.helper = DatasetHelper._of_checked(dataset, size, sinks, sink_size, len(epochs))
        self.network: Cell = model._train_network
        if sinks:
            self.network = ConnectedNetwork(self.network, self._fetch, self.helper.steps_of_a_call())
        self.checks_columns = model._loss_fn is not None  # of the first batch
        self.scale = _ScaleWatch(model._loss_scale_manager) if model._loss_scale_manager is not None else None
        self.parameters = _callback_parameters(model, dataset, len(epochs), self.helper, sinks)
        self.parameters.figure_names = evaluate.evaluation.figure_names() if evaluate is not None else []

    def run(self, callbacks: Any) -> None:
        """All epochs."""
        try:
            self._run(callbacks)
        except (TypeError, ValueError, RuntimeError) as error:
            if self.parameters.cur_step_num > self.helper.steps_of_a_call():
                raise
            raise with_advice(error, self.model, self.dataset, self.first) from None
        finally:
            self.helper.stop_send()

    def _run(self, callbacks: Any) -> None:
        if get_auto_parallel_context("parameter_broadcast") and self.model._parallel_mode == ParallelMode.DATA_PARALLEL:
            _take_from_first_process(self.model._train_network.get_parameters())
        with CallbackManager(callbacks) as hooks:
            self.parameters.list_callback = listed(callbacks)
            context = RunContext(self.parameters)
            hooks.on_train_begin(context)
            for epoch in self._epochs_left():
                self.parameters.cur_epoch_num = epoch
                hooks.on_train_epoch_begin(context)
                self._epoch(hooks, context)
                if self.evaluate is not None:
                    self.evaluate(epoch, self.parameters, hooks)
                hooks.on_train_epoch_end(context)
                for name in ("eval_results", "metrics"):
                    self.parameters.pop(name, None)
                if context.get_stop_requested():
                    break
            hooks.on_train_end(context)
        background_save.finish()  # a training whose last checkpoint failed has failed

    def _epochs_left(self) -> range:
        """The epochs to run: a callback may have resumed an earlier run."""
        position = self.parameters.pop("resume_at", None)
        if position is None:
            return self.epochs
        done, steps = divmod(position["step"], self.helper.sink_size())
        self.helper.begin_at(done, steps, position["seed"])
        self.parameters.update(cur_step_num=position["step"], pipeline_seed=position["seed"])
        restore_callbacks(self.parameters.list_callback, position.get("callbacks", []))
        return self.epochs[done:]

    def _fetch(self) -> list[Any]:
        row = self.helper.fetch()
        self._check_columns(row)
        return row

    def _check_columns(self, row: list[Any]) -> None:
        self.first = self.first or row
        if self.checks_columns:
            check_columns("train_dataset", row)
            self.checks_columns = False

    def _epoch(self, hooks: CallbackManager, context: RunContext) -> None:
        parameters, network, steps = self.parameters, self.network, self.helper.steps_of_a_call()
        for inputs in self.helper:
            if inputs:  # without, the network fetches them
                self._check_columns(inputs)
            self.model._check_network_mode(self.model._train_network, True)  # a callback may have evaluated meanwhile
            parameters.train_dataset_element = inputs
            parameters.cur_step_num += steps
            hooks.on_train_step_begin(context)
            with compiled_at_once():
                outputs = network(*inputs)
            parameters.net_outputs = outputs
            if self.scale is not None:
                self.scale.note(outputs)
            hooks.on_train_step_end(context)
            if context.get_stop_requested():
                break
        if self.scale is not None:
            self.scale.finish()
        deferred_checks.wait()  # what the checks of the last steps say


def _callback_parameters(model: Model, dataset: Dataset, epochs: int, helper: DatasetHelper, sinks: bool) -> Any:
    return InternalCallbackParam(
        train_network=model._train_network, network=model._network, epoch_num=epochs, batch_num=helper.sink_size(),
        mode="train", loss_fn=model._loss_fn, optimizer=model._optimizer, parallel_mode=model._parallel_mode,
        device_number=device_count(), train_dataset=dataset, train_dataset_element=None,
        cur_step_num=0, dataset_sink_mode=sinks, last_save_ckpt_step=None, latest_ckpt_file=None, initial_step=None,
        loss_scale_manager=model._loss_scale_manager, loss_scale_mananger=model._loss_scale_manager,
        pipeline_seed=helper.seed,
    )  # fmt: skip


def _take_from_first_process(parameters: Iterable[Parameter]) -> None:
    """Broadcast the Parameters of rank 0 to every process."""
    parameters = list(parameters)
    for parameter, value in zip(parameters, Broadcast(0)(tuple(parameters)), strict=True):
        parameter.set_data(value)


class _ScaleWatch:
    """Tells the loss-scale manager whether steps overflowed, one step late: so that the host need not wait for the device."""

    def __init__(self, manager: Any):
        self.manager = manager
        dropping = getattr(manager, "get_drop_overflow_update", None)
        self.watches = dropping is not None and dropping()
        self.overflow: Tensor | None = None

    def note(self, outputs: Any) -> None:
        """The outputs of a step: loss, overflow, scale."""
        if self.watches and isinstance(outputs, tuple) and len(outputs) >= 3:
            last, self.overflow = self.overflow, outputs[1]
            self._tell(last)

    def finish(self) -> None:
        """The last step, too."""
        last, self.overflow = self.overflow, None
        self._tell(last)

    def _tell(self, overflow: Tensor | None) -> None:
        if overflow is not None:
            self.manager.update_loss_scale(bool(np.all(overflow.asnumpy())))
