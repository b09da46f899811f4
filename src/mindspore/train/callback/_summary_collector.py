"""SummaryCollector: the course of a training in files TensorBoard reads."""

from __future__ import annotations

import importlib
import re
from types import TracebackType
from typing import Any

import numpy as np

from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils import log
from mindspore._utils.checks import check_positive_int
from mindspore._utils.refusals import refused
from mindspore.train.callback import _summary_arguments as check
from mindspore.train.callback._callback import Callback, RunContext
from mindspore.train.callback._landscape import Snapshots
from mindspore.train.callback._values import loss_number
from mindspore.train.summary._graph import network_graph
from mindspore.train.summary.summary_record import SummaryRecord, check_export_options, check_log_dir

__all__ = ["SummaryCollector"]

_HISTOGRAMS = 5  # Parameters shown by default
_TENSOR_RECORDS = 20  # times that TensorSummary is recorded in a training by default


class SummaryCollector(Callback):
    """Collects loss, learning rate, weights, input images, the graph and what the network's summary operators report.

    Look at it with ``tensorboard --logdir <summary_dir>``, or with ``python -m mindspore events <summary_dir>``. Steps that
    are not collected cost nothing: a network with summary operators has a graph with them and one without.

    Args:
        summary_dir: folder of the files; made if it does not exist.
        collect_freq: every how many steps (epochs when data sinks); the first is always collected.
        num_process: kept for programs that give it; one process writes.
        collect_specified_data: what to collect, by 'collect_metric' (loss, learning rate, figures of evaluation),
            'collect_graph', 'collect_train_lineage', 'collect_eval_lineage', 'collect_input_data' (images: the first column, if
            it is a batch of them), 'collect_dataset_graph' (True or False each) and 'histogram_regular' (a regular expression
            for names of Parameters; None for the first five).
        keep_default_action: whether what ``collect_specified_data`` does not name is collected.
        custom_lineage_data: remarks about the run, shown with it.
        collect_tensor_freq: the same as ``collect_freq`` for TensorSummary; None for about 20 times in all.
        max_file_size: bytes at which nothing more is written; None for no limit.
        export_options: ``{'tensor_format': 'npy'}`` also saves every tensor as a file of its own.

    Examples:
        >>> import tempfile
        >>> from mindspore.train.callback._summary_collector import SummaryCollector
        >>> collector = SummaryCollector(tempfile.mkdtemp(), collect_freq=100)  # model.train(..., callbacks=[collector])
    """

    _DEFAULT_SPECIFIED_DATA = check.DEFAULTS

    def __init__(
        self,
        summary_dir: str,
        collect_freq: int = 10,
        num_process: int = 32,
        collect_specified_data: dict[str, Any] | None = None,
        keep_default_action: bool = True,
        custom_lineage_data: dict[str, Any] | None = None,
        collect_tensor_freq: int | None = None,
        max_file_size: int | None = None,
        export_options: dict[str, Any] | None = None,
    ):
        super().__init__()
        self._summary_dir = check_log_dir("SummaryCollector", summary_dir)
        self._frequency = check_positive_int("SummaryCollector", "collect_freq", collect_freq)
        check_positive_int("SummaryCollector", "num_process", num_process)
        self._choice = check.check_choice(collect_specified_data, keep_default_action)
        self._remarks = check.check_lineage(custom_lineage_data)
        self._tensor_frequency = check.check_frequency("collect_tensor_freq", collect_tensor_freq)
        self._file_limit = check.check_frequency("max_file_size", max_file_size)
        check_export_options("SummaryCollector", export_options)
        self._export_options = export_options
        landscape = self._choice["collect_landscape"]
        self._snapshots = Snapshots("SummaryCollector", summary_dir, landscape) if landscape else None
        self._record: SummaryRecord | None = None
        self._in_training = False  # evaluation may happen in the middle of it
        self._collects = False  # this step
        self._rates: list[float] = []
        self._last_step = 0
        self._began = False

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        if not self._in_training or error is not None:
            self._close()
        return None

    # -- training ---------------------------------------------------------------------------------------------------------
    def on_train_begin(self, run_context: RunContext) -> None:
        """Open the files."""
        cb_params = run_context.original_args()
        _refuse_others(cb_params)
        self._close()
        self._open()
        self._in_training, self._began = True, False
        if self._snapshots is not None:
            self._snapshots.begin()
        if self._tensor_frequency is None:
            total = cb_params.get("epoch_num", 1) * (1 if self._sinks(cb_params) else cb_params.get("batch_num", 1))
            self._tensor_steps = max(total // _TENSOR_RECORDS // self._frequency, 1) * self._frequency
        else:
            self._tensor_steps = self._tensor_frequency

    def on_train_step_begin(self, run_context: RunContext) -> None:
        """Decide whether the step is collected."""
        cb_params = run_context.original_args()
        self._last_step, moment = cb_params.cur_step_num, self._moment(cb_params)
        wants_tensors = self._is_due(moment, self._tensor_steps)
        self._collects = self._is_due(moment, self._frequency) or wants_tensors
        if self._collects:
            self._record.listen(True)
            self._rates = _learning_rates(cb_params) if self._choice["collect_metric"] else []

    def on_train_step_end(self, run_context: RunContext) -> None:
        """Collect the step."""
        cb_params = run_context.original_args()
        if self._snapshots is not None:
            self._snapshots.take("step", cb_params.cur_step_num, cb_params.network)
        if not self._collects:
            return
        self._collects = False
        moment, step = self._moment(cb_params), cb_params.cur_step_num
        self._record.listen(False)
        dropped = set() if self._is_due(moment, self._tensor_steps) else {"tensor"}
        if self._is_due(moment, self._frequency):
            self._collect(cb_params)
        else:
            dropped = {"scalar", "image", "histogram"}
        if not self._began:
            self._began = True
            self._describe(cb_params)
        self._record.record(step, plugin_filter=lambda plugin: plugin not in dropped)

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """Keep the weights for the landscape of the loss, where they are asked for."""
        cb_params = run_context.original_args()
        if self._snapshots is not None:
            self._snapshots.take("epoch", cb_params.cur_epoch_num, cb_params.network)

    def on_train_end(self, run_context: RunContext) -> None:
        """Write what the training was, and close the files."""
        cb_params = run_context.original_args()
        if self._choice["collect_train_lineage"]:
            self._record.add_value("train_lineage", "lineage/train", _train_lineage(cb_params))
        if self._remarks:
            self._record.add_value("custom_lineage_data", "lineage/custom", self._remarks)
        self._record.record(cb_params.get("cur_step_num", 0))
        self._in_training = False
        self._close()

    def _moment(self, cb_params: Any) -> int:
        """What frequencies count: steps, or epochs when one call of the network is many steps."""
        return cb_params.cur_epoch_num if self._sinks(cb_params) else cb_params.cur_step_num

    @staticmethod
    def _sinks(cb_params: Any) -> bool:
        return bool(cb_params.get("dataset_sink_mode"))

    def _is_due(self, moment: int, frequency: int) -> bool:
        return not self._began or moment % frequency == 0

    def _collect(self, cb_params: Any) -> None:
        """The values of a step."""
        record, choice = self._record, self._choice
        if choice["collect_metric"]:
            loss = loss_number(cb_params.get("net_outputs"))
            if isinstance(loss, float):
                record.add_value("scalar", "loss/auto", Tensor(np.float32(loss)))
            for number, rate in enumerate(self._rates):
                name = "learning_rate/auto" if number == 0 else f"learning_rate_{number}/auto"
                record.add_value("scalar", name, Tensor(np.float32(rate)))
        if choice["collect_input_data"]:
            first = next(iter(cb_params.get("train_dataset_element") or ()), None)
            if isinstance(first, Tensor) and first.ndim == 4 and first.shape[1] in (1, 3):
                record.add_value("image", "input_data/auto", first)
        for parameter in self._shown_parameters(cb_params):
            value = parameter.reshape((-1,)) if parameter.ndim == 0 else parameter
            record.add_value("histogram", f"{parameter.name}/auto", value)

    def _shown_parameters(self, cb_params: Any) -> list[Any]:
        pattern = self._choice["histogram_regular"]
        if pattern is False:
            return []
        parameters = list(cb_params.network.get_parameters()) if cb_params.get("network") is not None else []
        if pattern is None:
            return [parameter for parameter in parameters if parameter.requires_grad][:_HISTOGRAMS]
        return [parameter for parameter in parameters if re.match(pattern, parameter.name)]

    def _describe(self, cb_params: Any) -> None:
        """What is the same in all steps: the graph of the network, and the dataset."""
        if self._choice["collect_graph"]:
            self._record.add_value("graph", "graph", _graph(cb_params))
        if self._choice["collect_dataset_graph"] and cb_params.get("train_dataset") is not None:
            self._record.add_value("dataset_graph", "dataset_graph", _dataset_text(cb_params.train_dataset))

    # -- evaluation -------------------------------------------------------------------------------------------------------
    def on_eval_begin(self, run_context: RunContext) -> None:
        """Open the files, unless training has them open."""
        if self._record is None:
            self._open()
        self._record.set_mode("eval")

    def on_eval_end(self, run_context: RunContext) -> None:
        """Write the figures of the evaluation."""
        cb_params = run_context.original_args()
        figures = dict(cb_params.get("eval_results") or cb_params.get("metrics") or {})
        if self._choice["collect_metric"]:
            for name, value in figures.items():
                number = np.asarray(value.asnumpy() if isinstance(value, Tensor) else value, np.float32)
                if number.size == 1:
                    self._record.add_value("scalar", f"eval/{name}", Tensor(number))
        if self._choice["collect_eval_lineage"]:
            lineage = {"metrics": figures, "valid_dataset_size": _size(cb_params.get("valid_dataset"))}
            self._record.add_value("eval_lineage", "lineage/eval", lineage)
        self._record.record(self._last_step)
        self._record.set_mode("train")
        if not self._in_training:
            self._close()

    # -- the files --------------------------------------------------------------------------------------------------------
    def _open(self) -> None:
        self._record = SummaryRecord(
            self._summary_dir, max_file_size=self._file_limit, export_options=self._export_options
        )
        self._record.listen(False)

    def _close(self) -> None:
        self._in_training = False
        if self._record is not None:
            self._record.close()
            self._record = None


def _refuse_others(cb_params: Any) -> None:
    """Two collectors would write everything twice."""
    if sum(isinstance(callback, SummaryCollector) for callback in cb_params.get("list_callback") or ()) > 1:
        raise refused(
            ValueError, "For 'SummaryCollector', one in the callbacks of a training is enough, but got more than one."
        )


def _learning_rates(cb_params: Any) -> list[float]:
    """The learning rates of the step that begins, one per different rate."""
    optimizer = cb_params.get("optimizer")
    if optimizer is None:
        optimizer = getattr(cb_params.get("train_network"), "optimizer", None)
    if not hasattr(optimizer, "get_lr"):
        return []
    rates = optimizer.get_lr()
    rates = rates if isinstance(rates, (tuple, list)) else (rates,)
    numbers = [float(np.mean(rate.asnumpy())) for rate in rates if isinstance(rate, Tensor)]
    return list(dict.fromkeys(numbers))


def _graph(cb_params: Any) -> bytes:
    """The graph of the network with its loss, if any, for the data of this step."""
    element = tuple(cb_params.get("train_dataset_element") or ())
    inner = getattr(cb_params.get("train_network"), "network", None)
    if cb_params.get("loss_fn") is not None and inner is not None:
        return network_graph(inner, element)
    return network_graph(cb_params.network, element)


def _dataset_text(dataset: Any) -> str:
    lines: list[str] = []
    try:
        # loaded already, if there is a dataset; a program without a dataset need not wait for it
        serializer = importlib.import_module("mindspore.dataset.engine.serializer_deserializer")
        _add_node(serializer.serialize(dataset), 0, lines)
    except Exception as error:  # sources of the user's own have no written form
        log.info("%s", f"The dataset graph shows the kind of the dataset only: {error}")
        lines = [f"- {type(dataset).__name__}"]
    return "\n".join(lines)


def _add_node(node: dict[str, Any], depth: int, lines: list[str]) -> None:
    details = [
        f"{name}={value!r}" for name, value in node.items() if name not in ("children", "op_type") and _is_short(value)
    ]
    lines.append(f"{'    ' * depth}- **{node.get('op_type', '?')}** {', '.join(details)}".rstrip())
    for child in node.get("children", ()):
        _add_node(child, depth + 1, lines)


def _is_short(value: Any) -> bool:
    return value is not None and not isinstance(value, dict) and len(repr(value)) <= 80


def _train_lineage(cb_params: Any) -> dict[str, Any]:
    network, optimizer, loss = cb_params.get("network"), cb_params.get("optimizer"), cb_params.get("loss_fn")
    element = next(iter(cb_params.get("train_dataset_element") or ()), None)
    parameters = list(network.get_parameters()) if network is not None else []
    return {
        "network": type(network).__name__,
        "optimizer": type(optimizer).__name__ if optimizer is not None else "",
        "loss_function": type(loss).__name__ if loss is not None else "",
        "learning_rate": _learning_rates(cb_params),
        "loss": loss_number(cb_params.get("net_outputs")),
        "epochs": cb_params.get("epoch_num"),
        "steps": cb_params.get("cur_step_num"),
        "batch_size": element.shape[0] if isinstance(element, Tensor) and element.ndim else None,
        "parameters": sum(parameter.size for parameter in parameters),
        "train_dataset_size": _size(cb_params.get("train_dataset")),
        "parallel_mode": str(cb_params.get("parallel_mode", "")),
        "device_number": cb_params.get("device_number"),
    }


def _size(dataset: Any) -> int | None:
    return dataset.get_dataset_size() if hasattr(dataset, "get_dataset_size") else None
