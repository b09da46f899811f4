"""Callbacks: what happens beside training, step by step and epoch by epoch."""

from mindspore._utils.documented import claim as _claim
from mindspore._utils.refusals import refused
from mindspore.train.callback._backup_and_restore import BackupAndRestore
from mindspore.train.callback._best_checkpoint import load_best
from mindspore.train.callback._callback import Callback, RunContext
from mindspore.train.callback._callback import CallbackManager as _CallbackManager  # noqa: F401 - programs import it
from mindspore.train.callback._callback import InternalCallbackParam as _InternalCallbackParam  # noqa: F401
from mindspore.train.callback._callback import checkpoint_cb_for_save_op as _checkpoint_cb_for_save_op  # noqa: F401
from mindspore.train.callback._callback import set_cur_net as _set_cur_net  # noqa: F401
from mindspore.train.callback._checkpoint import CheckpointConfig, ModelCheckpoint
from mindspore.train.callback._checkpoint import CheckpointManager as _CheckpointManager  # noqa: F401
from mindspore.train.callback._early_stop import EarlyStopping
from mindspore.train.callback._federated_learning_manager import FederatedLearningManager
from mindspore.train.callback._flops_collector import FlopsUtilizationCollector
from mindspore.train.callback._history import History
from mindspore.train.callback._lambda_callback import LambdaCallback
from mindspore.train.callback._landscape import SummaryLandscape
from mindspore.train.callback._loss_monitor import LossMonitor
from mindspore.train.callback._lr_scheduler_callback import LearningRateScheduler
from mindspore.train.callback._on_request_exit import OnRequestExit
from mindspore.train.callback._progress_bar import ProgressBar
from mindspore.train.callback._reduce_lr_on_plateau import ReduceLROnPlateau
from mindspore.train.callback._summary_collector import SummaryCollector
from mindspore.train.callback._time_monitor import TimeMonitor
from mindspore.train.callback._train_fault_tolerance import TrainFaultTolerance

__all__ = [
    "BackupAndRestore",
    "Callback",
    "CheckpointConfig",
    "EarlyStopping",
    "FederatedLearningManager",
    "FlopsUtilizationCollector",
    "History",
    "LambdaCallback",
    "LearningRateScheduler",
    "LossMonitor",
    "ModelCheckpoint",
    "OnRequestExit",
    "ProgressBar",
    "ReduceLROnPlateau",
    "RunContext",
    "SummaryCollector",
    "SummaryLandscape",
    "TimeMonitor",
    "TrainFaultTolerance",
    "load_best",
]


def append(callbacks: list[Callback], callback: Callback) -> list[Callback]:
    """Add a callback to a list of them and return the list: some programs call this package as if it were their list.

    Examples:
        >>> from mindspore.train import LossMonitor, TimeMonitor, callback
        >>> [type(one).__name__ for one in callback.append([LossMonitor()], TimeMonitor())]
        ['LossMonitor', 'TimeMonitor']
    """
    if not isinstance(callbacks, list):
        raise refused(
            TypeError, f"For 'callback.append', the 'callbacks' must be a list, but got {type(callbacks).__name__}."
        )
    if not isinstance(callback, Callback):
        raise refused(
            TypeError, f"For 'callback.append', the 'callback' must be a Callback, but got {type(callback).__name__}."
        )
    callbacks.append(callback)
    return callbacks


_claim(__name__)
