"""What all metrics share."""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from mindspore._utils.hints import ChecksArguments
from mindspore._utils.refusals import refused
from mindspore.common.tensor import Tensor

__all__ = ["Metric", "rearrange_inputs"]

_EVALUATIONS = ("classification", "multilabel")


def rearrange_inputs(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator of ``update``: lets ``set_indexes`` choose which inputs it gets, and in which order.

    Examples:
        >>> from mindspore import nn
        >>> class Last(nn.Metric):
        ...     def clear(self):
        ...         self.value = None
        ...     @nn.rearrange_inputs
        ...     def update(self, *inputs):
        ...         self.value = inputs[0]
        ...     def eval(self):
        ...         return self.value
        >>> Last().set_indexes([2])("a", "b", "c")
        'c'
    """

    @functools.wraps(func)
    def chosen(self: Any, *inputs: Any) -> Any:
        if self.indexes is not None:
            for index in self.indexes:
                if not -len(inputs) <= index < len(inputs):
                    raise IndexError(
                        f"For '{type(self).__name__}.{func.__name__}', the indexes {self.indexes} ask for input {index}, but "
                        f"there are only {len(inputs)} inputs."
                    )
            inputs = tuple(inputs[index] for index in self.indexes)
        return func(self, *inputs)

    return chosen


class Metric(ChecksArguments, ABC):
    """The base of metrics: ``clear``, then ``update`` for every batch, then ``eval``. A call does all three.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> class Largest(nn.Metric):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.clear()
        ...     def clear(self):
        ...         self.largest = float("-inf")
        ...     def update(self, *inputs):
        ...         self.largest = max(self.largest, float(self._convert_data(inputs[0]).max()))
        ...     def eval(self):
        ...         return self.largest
        >>> Largest()(Tensor([1.0, 3.0, 2.0]))
        3.0
    """

    def __init__(self) -> None:
        self._indexes: list[int] | None = None

    @property
    def indexes(self) -> list[int] | None:
        """Which inputs ``update`` gets, or None for all."""
        return getattr(self, "_indexes", None)

    def set_indexes(self, indexes: list[int]) -> Metric:
        """Choose the inputs of ``update`` by their positions; returns the metric."""
        if not isinstance(indexes, list) or not all(isinstance(index, int) for index in indexes):
            raise refused(ValueError, f"For 'set_indexes', the 'indexes' must be a list of ints, but got {indexes!r}.")
        self._indexes = indexes
        return self

    def __call__(self, *inputs: Any) -> Any:
        """The metric of these inputs alone."""
        self.clear()
        self.update(*inputs)
        return self.eval()

    @abstractmethod
    def clear(self) -> None:
        """Forget everything."""

    @abstractmethod
    def update(self, *inputs: Any) -> None:
        """Take in a batch."""

    @abstractmethod
    def eval(self) -> Any:
        """The metric of everything taken in."""

    def _convert_data(self, data: Any) -> np.ndarray:
        """A Tensor, list or array as an array."""
        if isinstance(data, Tensor):
            return data.asnumpy()
        if isinstance(data, (list, np.ndarray)):
            return np.array(data)
        raise refused(
            TypeError,
            f"For '{type(self).__name__}', the inputs must be a Tensor, a list or a NumPy array, but got type "
            f"'{type(data).__name__}'.",
        )

    def _check_onehot_data(self, data: Any) -> bool:
        """Whether every entry is 0 or 1 and each sample has exactly one 1 along axis 1."""
        return is_one_hot(data)

    def _count_inputs(self, inputs: tuple, expected: str) -> None:
        """Refuse another number of inputs than the comma-separated list has names."""
        count = len(expected.split(","))
        if len(inputs) != count:
            raise refused(
                ValueError,
                f"For '{type(self).__name__}.update', it needs {count} inputs ({expected}), but got {len(inputs)}.",
            )

    def _require_samples(self, count: Any) -> None:
        if not count:
            raise RuntimeError(
                f"The '{type(self).__name__}' can not be calculated, because the number of samples is 0. Call 'update' with "
                "data before 'eval'."
            )

    def _require_same_shape(self, y_pred: np.ndarray, y: np.ndarray) -> None:
        if y_pred.shape != y.shape or not y.size:
            raise refused(
                ValueError,
                f"For '{type(self).__name__}.update', the predicted and the true value must have the same shape and not be "
                f"empty, but got {y_pred.shape} and {y.shape}.",
            )


class EvaluationBase(Metric):
    """The base of metrics of classes: one class per sample ('classification'), or any number of them ('multilabel').

    Args:
        eval_type: 'classification' or 'multilabel'.

    Examples:
        >>> from mindspore.train import Accuracy
        >>> from mindspore.train.metrics import EvaluationBase
        >>> isinstance(Accuracy("classification"), EvaluationBase)
        True
    """

    def __init__(self, eval_type: str):
        super().__init__()
        if eval_type not in _EVALUATIONS:
            raise refused(
                TypeError,
                f"For '{type(self).__name__}', the 'eval_type' must be 'classification' or 'multilabel', but got {eval_type!r}.",
            )
        self._type = eval_type

    def _take(self, inputs: tuple) -> tuple[np.ndarray, np.ndarray]:
        """Prediction and truth as arrays that fit; true classes given one-hot become indices."""
        self._count_inputs(inputs, "predicted value, true value")
        y_pred, y = (self._convert_data(value) for value in inputs)
        if self._type == "classification" and y_pred.ndim == y.ndim and self._check_onehot_data(y):
            y = y.argmax(axis=1)
        self._check_shape(y_pred, y)
        self._check_value(y_pred, y)
        return y_pred, y

    def _check_shape(self, y_pred: np.ndarray, y: np.ndarray) -> None:
        name = type(self).__name__
        if self._type == "multilabel":
            self._require_same_shape(y_pred, y)
        elif y_pred.ndim != y.ndim + 1 or y.shape != y_pred.shape[:1] + y_pred.shape[2:]:
            raise refused(
                ValueError,
                f"For '{name}.update', the predicted value must have shape (N, C, ...) and the true value (N, ...), or the same "
                f"shape one-hot, but got {y_pred.shape} and {y.shape}.",
            )

    def _check_value(self, y_pred: np.ndarray, y: np.ndarray) -> None:
        if self._type == "multilabel" and not all(np.isin(array, (0, 1)).all() for array in (y_pred, y)):
            raise refused(
                ValueError,
                f"For '{type(self).__name__}.update', all numbers must be 0 or 1 with eval_type 'multilabel', but got others.",
            )

    def _check_class_count(self, before: int, y_pred: np.ndarray) -> int:
        """The number of classes, which must not change between updates."""
        count = y_pred.shape[1]
        if before and before != count:
            raise refused(
                ValueError,
                f"For '{type(self).__name__}.update', the number of classes must not change, but got {count} after {before}.",
            )
        return count


def is_one_hot(data: Any) -> bool:
    """Whether every entry is 0 or 1 and each sample has exactly one 1 along axis 1."""
    array = np.asarray(data)
    return bool(array.ndim > 1 and np.isin(array, (0, 1)).all() and (array.sum(axis=1) == 1).all())


def by_label(array: np.ndarray) -> np.ndarray:
    """(N, C, ...) as (C, everything else)."""
    return np.moveaxis(array, 1, 0).reshape(array.shape[1], -1)
