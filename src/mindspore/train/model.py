"""Model: training, evaluation and prediction of a network."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Hashable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

from mindspore import ops
from mindspore._engine.autodiff.forward_cache import evaluating
from mindspore._engine.graph.jit import compiles_now
from mindspore._engine.parallel import strategy_output
from mindspore._engine.runtime import device_state
from mindspore._engine.runtime.context import ParallelMode, get_auto_parallel_context
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import check_one_of, shown
from mindspore._utils.hints import MissingName, checks_keywords
from mindspore._utils.refusals import refused
from mindspore.nn.cell import Cell
from mindspore.nn.metrics.lookup import get_metrics
from mindspore.nn.metrics.loss import Loss
from mindspore.nn.wrap.cell_wrapper import WithEvalCell, WithLossCell
from mindspore.train import amp
from mindspore.train._hints import MODEL_HINTS
from mindspore.train._loop import model_arguments as check
from mindspore.train._loop import modes
from mindspore.train._loop.evaluation import Evaluation
from mindspore.train._loop.training import Training
from mindspore.train.callback._callback import (
    Callback,
    CallbackManager,
    InternalCallbackParam,
    listed,
    refuse_short_hooks,
)
from mindspore.train.dataset_helper import check_dataset, check_sink_size, checked_size, is_dataset

if TYPE_CHECKING:  # loaded when a program names it
    from mindspore.dataset.engine.datasets import Dataset

__all__ = ["Model", "ParallelMode"]


Method = TypeVar("Method", bound=Callable[..., Any])


def _in_settings(method: Method) -> Method:
    """A method of Model during which the settings of its network hold."""

    @functools.wraps(method)
    def settled(self: Model, *arguments: Any, **keywords: Any) -> Any:
        with self._settled():
            return method(self, *arguments, **keywords)

    return settled  # type: ignore[return-value] - the same call


class _StepSync(Callback):
    """Waits at the end of every step until it is computed."""

    def step_end(self, run_context: Any) -> None:
        device_state.wait()


def _transfer_tensor_to_tuple(inputs: Any) -> Any:
    """A Tensor as a tuple with it; everything else as it is."""
    return (inputs,) if isinstance(inputs, Tensor) else inputs


class Model:
    """A network with what it takes to train, evaluate and use it.

    Args:
        network: the network. Without ``loss_fn`` it computes the loss itself; without ``optimizer`` as well, calling it is a
            whole step of training.
        loss_fn: compares the network's output with the labels. Datasets then have two columns: data, labels.
        optimizer: updates the weights.
        metrics: what ``eval`` computes: a set of names, or a dict of metrics by name.
        eval_network: evaluates instead of ``network`` and ``loss_fn``.
        eval_indexes: indices of loss, prediction and label among the outputs of ``eval_network``; without them metrics get all.
        amp_level: mixed precision, see :func:`mindspore.amp.auto_mixed_precision`.
        boost_level: kept for programs that give it.
        loss_scale_manager: how the loss is scaled in half precision.
        keep_batchnorm_fp32: whether BatchNorm stays in float32; None for what the level says.

    Examples:
        >>> import numpy as np
        >>> import mindspore.dataset as ds
        >>> from mindspore import Model, Tensor, nn
        >>> x = np.linspace(-1, 1, 64, dtype=np.float32).reshape(-1, 1)
        >>> data = ds.NumpySlicesDataset({"x": x, "y": 3 * x}, shuffle=False).batch(8)
        >>> net = nn.Dense(1, 1, weight_init="zeros")
        >>> model = Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.5), metrics={"mse"})
        >>> model.train(20, data)
        >>> print(model.eval(data)["mse"] < 1e-3, model.predict(Tensor([[1.0]])).round(2))
        True [[3.]]
    """

    def __init__(
        self,
        network: Cell,
        loss_fn: Any = None,
        optimizer: Cell | None = None,
        metrics: Any = None,
        eval_network: Cell | None = None,
        eval_indexes: list[int] | None = None,
        amp_level: str = "O0",
        boost_level: str = "O0",
        **kwargs: Any,
    ):
        self._network: Cell = check.check_network("network", network)
        with self._settled():
            self._set_up(
                network, loss_fn, optimizer, metrics, eval_network, eval_indexes, amp_level, boost_level, kwargs
            )

    def _settled(self) -> AbstractContextManager[Any]:
        """While the settings of a network hold that has some of its own (``AutoParallel``)."""
        settled = getattr(self._network, "_settled", None)
        return nullcontext() if settled is None else settled()

    def _set_up(self, network: Cell, loss_fn: Any, optimizer: Any, metrics: Any, eval_network: Any, eval_indexes: Any,
                amp_level: str, boost_level: str, kwargs: dict[str, Any]) -> None:  # fmt: skip
        self._loss_fn = check.check_loss(loss_fn)
        self._optimizer = check.check_optimizer(optimizer)
        self._check_kwargs(kwargs)
        check_one_of("Model", "amp_level", amp_level, amp.LEVELS)
        if amp_level != "O0" and optimizer is None:
            raise ValueError(
                "Auto mixed precision will not work because 'optimizer' is None. Please set amp_level='O0' to disable auto "
                "mixed precision or set 'optimizer' not be None to use auto mixed precision."
            )
        self._amp_level = amp_level
        if optimizer is not None or not isinstance(boost_level, Hashable):
            check_one_of("Model", "boost_level", boost_level, amp.BOOST_LEVELS)
        self._boost_level = boost_level
        if optimizer is None and kwargs.get("loss_scale_manager") is not None:
            raise ValueError("For 'Model', the 'optimizer' can not be None when a 'loss_scale_manager' is given.")
        self._process_amp_args(kwargs)
        self._parallel_mode = get_auto_parallel_context("parallel_mode")
        self._device_number = get_auto_parallel_context("device_num")
        self._parameter_broadcast = get_auto_parallel_context("parameter_broadcast")
        self._metrics = metrics
        self._own_eval_network = eval_network is not None
        self._metric_fns: dict[str, Any] = {}
        self._eval_network: Any = None
        self._eval_indexes: list[int] | None = None
        self._train_network = self._build_train_network()
        self._build_eval_network(metrics, eval_network, eval_indexes)
        self._build_predict_network()

    if not TYPE_CHECKING:  # to a type checker an unknown name stays an error

        def __getattr__(self, name: str) -> Any:
            raise MissingName("'Model' object", name, MODEL_HINTS, lambda: dir(self))

    # -- steps of building a Model, which subclasses of programs override ------------------------------------------------------------
    def _check_kwargs(self, kwargs: dict[str, Any]) -> None:
        check.check_options(kwargs)

    def _process_amp_args(self, kwargs: dict[str, Any]) -> None:
        self._loss_scale_manager = kwargs.get("loss_scale_manager")
        self._loss_scale_manager_set = "loss_scale_manager" in kwargs
        self._keep_bn_fp32 = kwargs.get("keep_batchnorm_fp32")

    def _build_predict_network(self) -> None:
        self._predict_network = self._network

    def _build_train_network(self) -> Any:
        if self._optimizer is not None:
            chosen: dict[str, Any] = {}
            if self._loss_scale_manager_set:
                chosen["loss_scale_manager"] = self._loss_scale_manager
            if self._keep_bn_fp32 is not None:
                chosen["keep_batchnorm_fp32"] = self._keep_bn_fp32
            return amp.build_train_network(
                self._network, self._optimizer, self._loss_fn, self._amp_level, self._boost_level, **chosen
            )
        return self._network if self._loss_fn is None else WithLossCell(self._network, self._loss_fn)

    def _build_eval_network(self, metrics: Any, eval_network: Any, eval_indexes: Any) -> None:
        self._metric_fns = get_metrics(metrics) or {}
        if not self._metric_fns:
            return
        if eval_network is not None:
            self._eval_network = check.check_network("eval_network", eval_network)
            self._eval_indexes = check.check_indexes(eval_indexes)
            return
        if self._loss_fn is None:
            raise ValueError(
                "If `metrics` is set, `eval_network` must not be None. Give Model an `eval_network` that returns what the "
                "metrics need, or a `loss_fn`: then the network is evaluated on datasets with data and labels."
            )
        self._eval_network = WithEvalCell(self._network, self._loss_fn, self._amp_level in ("O2", "O3", "auto"))
        self._eval_indexes = [0, 1, 2]

    def _clear_metrics(self) -> None:
        for metric in self._metric_fns.values():
            metric.clear()

    def _update_metrics(self, outputs: Any) -> None:
        outputs = outputs if isinstance(outputs, Sequence) else (outputs,)
        for metric in self._metric_fns.values():
            if self._eval_indexes is None or metric.indexes is not None:
                metric.update(*outputs)
            elif isinstance(metric, Loss):
                metric.update(outputs[self._eval_indexes[0]])
            else:
                metric.update(outputs[self._eval_indexes[1]], outputs[self._eval_indexes[2]])

    def _get_metrics(self) -> dict[str, Any]:
        return {name: metric.eval() for name, metric in self._metric_fns.items()}

    @property
    def train_network(self) -> Cell:
        """The network with loss and optimizer: what ``train`` calls for every batch."""
        return self._train_network

    @property
    def eval_network(self) -> Cell:
        """The network with loss: what ``eval`` calls for every batch; None without metrics."""
        return self._eval_network

    @property
    def predict_network(self) -> Cell:
        """The network itself."""
        return self._predict_network

    # -- training or inference --------------------------------------------------------------------------------------------
    _backbone_is_train = True  # what the Model asked for last; callbacks may put layers into another mode

    def _switch_to(self, network: Cell, training: bool) -> None:
        network.set_train(training)
        self._backbone_is_train = training

    def _check_network_mode(self, network: Cell, is_train: bool) -> Cell:
        """Switch the network's mode if the Model has trained, evaluated or predicted in the other mode since."""
        if self._backbone_is_train != is_train:
            self._switch_to(network, is_train)
        return network

    # -- training -------------------------------------------------------------------------------------------------------
    @checks_keywords
    @_in_settings
    def train(
        self,
        epoch: int,
        train_dataset: Dataset,
        callbacks: Any = None,
        dataset_sink_mode: bool = False,
        sink_size: int = -1,
        initial_epoch: int = 0,
    ) -> None:
        """Train for some epochs.

        Args:
            epoch: number of the last epoch; the first is ``initial_epoch + 1``.
            callbacks: one callback or a list of them.
            dataset_sink_mode: whether many steps are handed to the device at once. In graph mode callbacks then see an epoch as
                one step.
            sink_size: steps of an epoch when sinking; the next epoch continues in the dataset where the last stopped. -1 for
                all of the dataset.
            initial_epoch: epochs that were done before.
        """
        self._train("Model.train", epoch, train_dataset, callbacks, dataset_sink_mode, sink_size, initial_epoch, None)

    @checks_keywords
    @_in_settings
    def fit(
        self,
        epoch: int,
        train_dataset: Dataset,
        valid_dataset: Dataset | None = None,
        valid_frequency: int | Sequence[int] = 1,
        callbacks: Any = None,
        dataset_sink_mode: bool = False,
        valid_dataset_sink_mode: bool = False,
        sink_size: int = -1,
        initial_epoch: int = 0,
    ) -> None:
        """Train, and evaluate in between: the metrics and 'eval_loss' reach the callbacks as ``eval_results``.

        Args:
            valid_dataset: what is evaluated; None to train only.
            valid_frequency: evaluate every ``valid_frequency`` epochs, or after the epochs in a list.
        """
        check.check_flag(valid_dataset_sink_mode)
        frequency = check.check_frequency(valid_frequency)
        refuse_short_hooks(callbacks)
        evaluate = None
        if valid_dataset is not None:
            if not self._metric_fns:
                raise refused(
                    ValueError,
                    "For 'Model.fit', if valid_dataset is not None, the model argument 'metrics' can not be None or empty, "
                    "you should set the argument 'metrics' for model.",
                )
            evaluation = Evaluation(self, check_dataset("Model.fit", valid_dataset), with_loss=True)
            evaluate = Validation(evaluation, frequency)
        self._train("Model.fit", epoch, train_dataset, callbacks, dataset_sink_mode, sink_size, initial_epoch, evaluate)

    def _train(
        self,
        owner: str,
        epoch: int,
        dataset: Dataset,
        callbacks: Any,
        sinks: bool,
        sink_size: int,
        first: int,
        evaluate: Any,
    ) -> None:
        check.check_epochs(owner, epoch, first)
        check.check_flag(sinks)
        check_sink_size(owner, sink_size)
        size = checked_size(owner, dataset)
        self._switch_to(self._train_network, True)
        with modes.in_training(self):
            Training(self, dataset, size, sinks, sink_size, range(first + 1, epoch + 1), evaluate).run(callbacks)

    # -- evaluating and using -------------------------------------------------------------------------------------------
    @checks_keywords
    @_in_settings
    def eval(self, valid_dataset: Dataset, callbacks: Any = None, dataset_sink_mode: bool = False) -> dict[str, Any]:
        """The value of every metric on a dataset."""
        if not self._metric_fns:
            raise ValueError(
                "For Model.eval, the model argument 'metrics' can not be None or empty, you should set the argument 'metrics' "
                "for model."
            )
        check.check_flag(dataset_sink_mode)
        check_dataset("Model.eval", valid_dataset)
        cb_params = InternalCallbackParam(
            network=self._network, dataset_sink_mode=dataset_sink_mode, list_callback=listed(callbacks)
        )
        with CallbackManager(callbacks) as hooks, modes.restored_for_others(self, self._eval_network):
            return Evaluation(self, valid_dataset).run(cb_params, hooks)

    @_in_settings
    def predict(self, *predict_data: Any, backend: str | None = None, config: Any = None) -> Any:
        """The network's outputs for these inputs.

        A dataset instead of Tensors gives the outputs of all its batches, joined. The network gets as many columns as it
        takes.
        """
        if backend not in (None, "lite"):
            raise ValueError(f"For Model.predict, the 'backend' must be None or 'lite', but got {shown(backend)}.")
        with modes.restored_for_others(self, self._predict_network), evaluating():
            if self._predict_network.training:
                self._switch_to(self._predict_network, False)
            if len(predict_data) == 1 and is_dataset(predict_data[0]):
                return self._predict_dataset(check_dataset("Model.predict", predict_data[0]))
            check.check_predict_data(predict_data)
            return self._predict_network(*predict_data)

    def _predict_dataset(self, dataset: Dataset) -> Any:
        taken = _inputs_of(self._predict_network)
        outputs = [self._predict_network(*row[:taken]) for row in dataset.create_tuple_iterator(num_epochs=1)]
        if isinstance(outputs[0], Tensor):
            return ops.concat(outputs, 0)
        return tuple(ops.concat(list(parts), 0) for parts in zip(*outputs, strict=True))

    # -- preparing ------------------------------------------------------------------------------------------------------
    @_in_settings
    def build(
        self,
        train_dataset: Dataset | None = None,
        valid_dataset: Dataset | None = None,
        sink_size: int = -1,
        epoch: int = 1,
        sink_mode: bool = True,
    ) -> None:
        """Compile now what training and evaluation will run. In PyNative mode there is nothing to compile."""
        check_sink_size("Model.build", sink_size)
        for dataset, network, training in (
            (train_dataset, self._train_network, True),
            (valid_dataset, self._eval_network, False),
        ):
            if dataset is None or not compiles_now():
                continue
            if network is None:
                raise refused(ValueError, "For 'Model.build' with 'valid_dataset', the Model must have metrics.")
            self._switch_to(network, training)
            first = next(check_dataset("Model.build", dataset).create_tuple_iterator(num_epochs=1))
            network.compile(*first)

    @_in_settings
    def infer_predict_layout(self, *predict_data: Any, skip_backend_compile: bool = False) -> dict[str, Any]:
        """How Parameters are spread over devices for prediction: see :meth:`infer_train_layout`."""
        self._require_automatic_parallel("infer_predict_layout")
        self._switch_to(self._predict_network, False)
        if predict_data and compiles_now():
            self._predict_network.compile(*predict_data)
        return _layouts(self._predict_network)

    def infer_train_layout(
        self, train_dataset: Dataset, dataset_sink_mode: bool = True, sink_size: int = -1
    ) -> dict[str, Any]:
        """How Parameters are spread over devices for training.

        By name: the devices in their arrangement, along which of its axes each axis of the Parameter is divided (-1: along
        none), the shape of the part of one device, and 0: there are no fields.
        """
        self._require_automatic_parallel("infer_train_layout")
        self.build(train_dataset, sink_size=sink_size, sink_mode=dataset_sink_mode)
        return _layouts(self._train_network)

    def _require_automatic_parallel(self, name: str) -> None:
        if self._parallel_mode not in (ParallelMode.SEMI_AUTO_PARALLEL, ParallelMode.AUTO_PARALLEL):
            raise RuntimeError(
                f"'{name}' only supports 'semi_auto_parallel' and 'auto_parallel' mode, but got {self._parallel_mode}."
            )


def _layouts(network: Cell) -> dict[str, Any]:
    return {parameter.name: (*strategy_output.layout(parameter), 0) for parameter in network.get_parameters()}


class Validation:
    """Evaluates between epochs of training, and leaves the callbacks' parameters as training knows them."""

    KEPT = ("mode", "batch_num", "cur_step_num", "net_outputs")

    def __init__(self, evaluation: Evaluation, frequency: int | Sequence[int]):
        self.evaluation = evaluation
        self.frequency = frequency

    def __call__(self, epoch: int, parameters: Any, hooks: Any) -> None:
        every = self.frequency
        if epoch % every if isinstance(every, int) else epoch not in every:
            return
        kept = {name: parameters[name] for name in self.KEPT}
        try:
            self.evaluation.run(parameters, hooks)
        finally:
            parameters.update(kept)
            model = self.evaluation.model
            model._check_network_mode(model._train_network, True)


def _inputs_of(network: Cell) -> int | None:
    """How many inputs a network takes; None for any number."""
    parameters = list(inspect.signature(network.construct).parameters.values())
    if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters):
        return None
    required = [
        parameter
        for parameter in parameters
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    ]
    return len([parameter for parameter in required if parameter.default is parameter.empty]) or len(required)
