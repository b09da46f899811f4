"""OnRequestExit: a signal ends training in good order."""

from __future__ import annotations

import json
import os
import signal
import threading
from types import FrameType, TracebackType
from typing import Any

from mindspore._engine.config import config
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils import log
from mindspore._utils.checks import check_bool, check_int, check_str
from mindspore.nn.cell.arguments import signature_of
from mindspore.train._formats.export import export
from mindspore.train.callback._callback import Callback, RunContext
from mindspore.train.serialization import save_checkpoint

__all__ = ["OnRequestExit"]

_KEY = "GracefulExit"


class OnRequestExit(Callback):
    """When the process receives a signal, the step is finished, the network is saved, and training or evaluation ends.

    The files are ``<directory>/rank_0/<file_name>_train.ckpt`` and ``.mindir``, after an evaluation ``..._eval``.

    Args:
        save_ckpt: whether to save a checkpoint.
        save_mindir: whether to export the network.
        file_name: how the names of the files begin.
        directory: where they are put.
        config_file: a JSON file that asks for the same as the signal once it holds ``{"GracefulExit": 1}``.
        sig: the signal.

    Examples:
        >>> import signal, tempfile
        >>> from mindspore.train.callback import OnRequestExit
        >>> callback = OnRequestExit(file_name="lenet", directory=tempfile.mkdtemp(), sig=signal.SIGINT)
    """

    def __init__(
        self,
        save_ckpt: bool = True,
        save_mindir: bool = True,
        file_name: str = "Net",
        directory: str = "./",
        config_file: str | None = None,
        sig: int = signal.SIGTERM,
    ):
        super().__init__()
        name = "OnRequestExit"
        self.save_ckpt = check_bool(name, "save_ckpt", save_ckpt)
        self.save_mindir = check_bool(name, "save_mindir", save_mindir)
        self.sig = check_int(name, "sig", sig, low=1)
        if sig in (getattr(signal, "SIGKILL", None), getattr(signal, "SIGSTOP", None)):
            raise ValueError(f"Not support send exit request by signal {signal.Signals(sig).name}: no process sees it.")
        check_str(name, "file_name", file_name, allow_empty=False)
        folder = os.path.abspath(check_str(name, "directory", directory, allow_empty=False))
        self.save_path = os.path.join(folder, f"rank_{config.rank_id.value}")
        self.train_name = os.path.join(self.save_path, f"{file_name}_train")
        self.eval_name = os.path.join(self.save_path, f"{file_name}_eval")
        self.config_file = config_file if config_file is None else check_str(name, "config_file", config_file)
        os.makedirs(self.save_path, mode=0o700, exist_ok=True)
        self.exit = False
        self._config_time = -1
        self._earlier: Any = None
        self._listens = False

    def __enter__(self) -> OnRequestExit:
        self.exit, self._config_time = False, -1
        if threading.current_thread() is threading.main_thread():
            self._earlier = signal.signal(self.sig, self._handle_signal)
            self._listens = True
        else:
            log.warning("OnRequestExit cannot wait for a signal, because training does not run in the main thread.")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._listens:
            self._listens = False
            signal.signal(self.sig, signal.SIG_DFL if self._earlier is None else self._earlier)

    def on_train_step_end(self, run_context: RunContext) -> None:
        """Save and stop, if that was asked for."""
        if self._asked():
            cb_params = run_context.original_args()
            self._save(cb_params.train_network, cb_params, cb_params.train_dataset_element, self.train_name)
            run_context.request_stop()

    def on_eval_step_end(self, run_context: RunContext) -> None:
        """Save and stop, if that was asked for."""
        if self._asked():
            cb_params = run_context.original_args()
            if "cur_epoch_num" in cb_params:  # within fit: the training stops after its next step
                return
            self._save(cb_params.eval_network, cb_params, cb_params.eval_dataset_element, self.eval_name)
            run_context.request_stop()

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """Stop after an evaluation during which it was asked for."""
        if self._asked() and not run_context.get_stop_requested():
            self.on_train_step_end(run_context)

    def _handle_signal(self, signum: int, frame: FrameType | None) -> None:
        self.exit = True

    def _asked(self) -> bool:
        if not self.exit and self.config_file is not None:
            self.exit = self._config_asks(self.config_file)
        return self.exit

    def _config_asks(self, path: str) -> bool:
        """Whether the file says so; it is read only when it has changed."""
        try:
            changed = os.stat(path).st_mtime_ns
            if changed == self._config_time:
                return False
            self._config_time = changed
            with open(path, encoding="utf-8") as stream:
                return bool(json.load(stream).get(_KEY))
        except (OSError, ValueError, AttributeError) as error:
            log.once(("OnRequestExit", path), f"OnRequestExit cannot read its config file {path}: {error}")
            return False

    def _save(self, whole: Any, cb_params: Any, element: Any, name: str) -> None:
        if self.save_ckpt:
            save_checkpoint(whole, name + ".ckpt")
        if self.save_mindir:
            self._export(cb_params.network, element, name)

    def _export(self, network: Any, element: Any, name: str) -> None:
        """Export the network for inference; a failure must not cost the checkpoint or the orderly end."""
        inputs = [value for value in element or () if isinstance(value, Tensor)]
        expected = int(signature_of(network).required)
        if not inputs or len(inputs) < expected:
            log.warning("OnRequestExit cannot export the network: there is no batch at hand to show its inputs.")
            return
        training = network.training
        network.set_train(False)
        try:
            export(network, *inputs[:expected], file_name=name, file_format="MINDIR")
        except Exception as error:
            log.error("OnRequestExit could not export the network: %s", error)
        finally:
            network.set_train(training)
