"""What to say beside the error of a first step: mistakes that the operator which fails cannot know of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore._engine.tensor.tensor import Tensor


def with_advice(error: Exception, model: Any, dataset: Any, row: Sequence[Any] | None) -> Exception:
    """The error with advice about the data and the loss, or as it was."""
    advice = _about_the_loss(error, model, row) or _about_columns(error, model, dataset, row)
    advice = advice or _about_batches(error, dataset, row)
    if not advice:
        return error
    text, gap, where = str(error).partition("\n\n")
    try:
        advised = type(error)(f"{text} {advice}{gap}{where}")
    except Exception:
        return error
    advised.__dict__.update(error.__dict__)
    return advised.with_traceback(error.__traceback__)


def _about_the_loss(error: Exception, model: Any, row: Sequence[Any] | None) -> str:
    counts = isinstance(error, TypeError) and "the function construct requires" in str(error)
    if not counts or model._loss_fn is not None or model._optimizer is None or not row:
        return ""
    return (
        f"Model has no loss_fn, so the network itself is called with all {len(row)} columns of the dataset and must return the "
        "loss. Write Model(net, nn.CrossEntropyLoss(), optimizer), or another loss."
    )


def _about_columns(error: Exception, model: Any, dataset: Any, row: Sequence[Any] | None) -> str:
    if model._loss_fn is None or not row or len(row) != 2 or not all(isinstance(value, Tensor) for value in row):
        return ""
    data, labels = row
    if (
        not str(error).startswith("For '")
        or data.dtype.is_floating
        or not labels.dtype.is_floating
        or labels.ndim <= data.ndim
    ):
        return ""
    first, second = dataset.get_col_names()
    return (
        f"The columns seem exchanged: '{first}', {data.dtype} of shape {data.shape}, is taken as data, '{second}', {labels.dtype} of "
        f"shape {labels.shape}, as labels. Write dataset.project(['{second}', '{first}'])."
    )


def _about_batches(error: Exception, dataset: Any, row: Sequence[Any] | None) -> str:
    message = str(error)
    if not message.startswith("For '") or ".batch(" in message or not row or _makes_batches(dataset):
        return ""
    shapes = ", ".join(str(value.shape) for value in row if isinstance(value, Tensor))
    return f"The dataset makes no batches: its rows have the shapes {shapes}. Write dataset.batch(32)."


def _makes_batches(dataset: Any) -> bool:
    return "Batch" in type(dataset).__name__ or any(_makes_batches(child) for child in getattr(dataset, "children", ()))
