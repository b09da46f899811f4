"""ProgressBar: how far training is, at a glance."""

from __future__ import annotations

import reprlib
import shutil
import sys
import time
from collections.abc import Mapping
from types import TracebackType
from typing import Any

from mindspore._engine.config import config
from mindspore._utils import notebook, progress
from mindspore.train.callback._callback import Callback, RunContext
from mindspore.train.callback._values import loss_number, step_in_epoch

__all__ = ["ProgressBar"]

_REDRAW = 0.1  # seconds between two states of the bar
_LINE = 10.0  # seconds between two lines where there is no terminal
_WIDTH = 20  # characters of the bar


class ProgressBar(Callback):
    """Shows epoch, steps, speed, time left, loss and metrics, on stderr or in the output of a notebook's cell.

    At a terminal and in a notebook it is one line per epoch with a bar that grows; elsewhere, in a log file for example, a
    plain line after each epoch and every ten seconds in between. Of several processes only the first shows it. The loss is read when it is
    shown, not at every step, so the device never waits.

    Examples:
        >>> from mindspore.train.callback import ProgressBar
        >>> callback = ProgressBar()  # model.train(10, dataset, callbacks=[callback])
    """

    def __init__(self) -> None:
        self._shows = config.rank_id.value == 0
        self._grows = False
        self._open = False
        self._page: notebook.LiveLine | None = None
        self._outputs: Any = None
        self._start = self._eval_start = self._due = 0.0
        self._trained: float | None = None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def on_train_epoch_begin(self, run_context: RunContext) -> None:
        """Begin a new line."""
        self._begin()
        self._trained = None

    def on_train_step_end(self, run_context: RunContext) -> None:
        """Show the step, unless a step was shown a moment ago."""
        if not self._shows:
            return
        cb_params = run_context.original_args()
        now = time.monotonic()
        last_line = not self._grows and step_in_epoch(cb_params) == cb_params.get(
            "batch_num"
        )  # comes at the end of the epoch
        if now >= self._due and not last_line:
            # the loss of the step before: it is there, while the device may still compute this step's
            self._draw(_epoch(cb_params), cb_params, now - self._start, _loss(self._outputs))
        self._outputs = cb_params.net_outputs

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """Show the whole epoch, with its metrics if it was evaluated."""
        if not self._shows:
            return
        cb_params = run_context.original_args()
        loss = _loss(cb_params.get("net_outputs"))
        figures = _figures(cb_params.get("eval_results") or cb_params.get("metrics"))
        seconds = time.monotonic() - self._start if self._trained is None else self._trained
        self._draw(_epoch(cb_params), cb_params, seconds, loss + figures, last=True)
        self._close()

    def on_eval_begin(self, run_context: RunContext) -> None:
        """Begin to count the steps of an evaluation; within ``fit`` it uses the line of the epoch."""
        if "cur_epoch_num" in run_context.original_args():
            loss_number(self._outputs)  # waits: what training has not finished is not time of the evaluation
            self._trained = time.monotonic() - self._start
            self._eval_start = time.monotonic()
        else:
            self._begin()
            self._eval_start = self._start
        self._due = time.monotonic() + (_REDRAW if self._grows else _LINE)

    def on_eval_step_end(self, run_context: RunContext) -> None:
        """Show the step of the evaluation."""
        if not self._shows:
            return
        cb_params = run_context.original_args()
        now = time.monotonic()
        if now >= self._due:
            self._draw("evaluation", cb_params, now - self._eval_start, "")

    def on_eval_end(self, run_context: RunContext) -> None:
        """Show the metrics of an evaluation; within ``fit`` they come with the epoch."""
        cb_params = run_context.original_args()
        if self._shows and "cur_epoch_num" not in cb_params:
            seconds = time.monotonic() - self._eval_start
            self._draw("evaluation", cb_params, seconds, _figures(cb_params.get("metrics")), last=True)
            self._close()

    def _begin(self) -> None:
        self._page = notebook.LiveLine() if notebook.shows_html() else None
        self._grows = self._page is not None or sys.stderr.isatty()
        self._start = time.monotonic()
        self._due = self._start + (_REDRAW if self._grows else _LINE)
        self._outputs = None

    def _draw(self, what: str, cb_params: Any, seconds: float, rest: str, last: bool = False) -> None:
        count, total = step_in_epoch(cb_params), cb_params.get("batch_num", 0)
        text = progress.line(what, count, total, seconds) + rest
        if self._grows:
            full = _WIDTH * count // max(total, count, 1)
            bar = f"[{'=' * full}{' ' * (_WIDTH - full)}] {text}"
            if self._page is not None:
                self._page.draw(bar)
            else:
                # what is drawn over must fit into one row; the last state stays, and may take two
                sys.stderr.write("\r" + (bar if last else bar[: shutil.get_terminal_size().columns - 1]) + "\x1b[K")
                sys.stderr.flush()
                self._open = True
        else:
            sys.stderr.write(text + "\n")
        self._due = time.monotonic() + (_REDRAW if self._grows else _LINE)

    def _close(self) -> None:
        if self._open:
            self._open = False
            sys.stderr.write("\n")
            sys.stderr.flush()


def _epoch(cb_params: Any) -> str:
    last = cb_params.get("epoch_num")
    return f"epoch {cb_params.cur_epoch_num}/{last}" if last else f"epoch {cb_params.cur_epoch_num}"


def _loss(outputs: Any) -> str:
    loss = loss_number(outputs)
    return f", loss {loss:.4g}" if isinstance(loss, float) else ""


def _figures(metrics: Mapping[str, Any] | None) -> str:
    """The metrics as text: numbers with four digits, anything else cut short."""
    shown = {
        name: f"{value:.4g}" if isinstance(value, (int, float)) else reprlib.repr(value)
        for name, value in (metrics or {}).items()
    }
    return "".join(f", {name} {text}" for name, text in shown.items())
