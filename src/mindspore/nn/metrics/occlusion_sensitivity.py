"""Which parts of an input a prediction depends on."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from mindspore._utils.checks import check_positive_int, check_type
from mindspore._utils.refusals import refused
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.metrics.metric import Metric, rearrange_inputs

__all__ = ["OcclusionSensitivity"]


class OcclusionSensitivity(Metric):
    """How much the score of a class falls when a window around each position of the input is covered.

    Args:
        pad_val: what the window is filled with, a float.
        margin: the window around index i is [i - margin, i + margin); an int, or a list with an int per axis.
        n_batch: how many covered inputs the network gets at a time.
        b_box: first and last index of the positions to cover, for each axis; -1 means the end.

    Inputs of ``update``: a network, an input of shape (1, ...), and the class.

    Examples:
        >>> import numpy as np
        >>> from mindspore import nn
        >>> class Total(nn.Cell):
        ...     def construct(self, x):
        ...         return x.sum(axis=1, keepdims=True)
        >>> print(nn.OcclusionSensitivity(margin=1)(Total(), np.array([[1.0, 2.0, 4.0]], np.float32), np.array(0)))
        [1. 3. 6.]
    """

    def __init__(
        self, pad_val: float = 0.0, margin: int | list[Any] = 2, n_batch: int = 128, b_box: list[Any] | None = None
    ):
        super().__init__()
        owner = "OcclusionSensitivity"
        self.pad_val = check_type(owner, "pad_val", pad_val, float)
        self.margin = check_type(owner, "margin", margin, (int, list))
        self.n_batch = check_positive_int(owner, "n_batch", n_batch)
        self.b_box = check_type(owner, "b_box", b_box, (list, type(None)))
        self.clear()

    def clear(self) -> None:
        self._falls: np.ndarray | None = None

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take in a network, an input (1, ...), and the class."""
        self._count_inputs(inputs, "network, predicted value, label")
        network = check_type("OcclusionSensitivity", "model", inputs[0], Cell)
        image, label = (self._convert_data(value) for value in inputs[1:])
        if image.ndim < 2 or image.shape[0] != 1:
            raise RuntimeError(
                f"For 'OcclusionSensitivity.update', the input must have shape (1, ...), but got {image.shape}."
            )
        if label.size != 1:
            raise RuntimeError(f"For 'OcclusionSensitivity.update', there must be one label, but got {label.size}.")
        ranges = self._ranges(image.shape[1:])
        centers = list(itertools.product(*ranges))
        margins = self.margin if isinstance(self.margin, list) else [self.margin] * (image.ndim - 1)
        if len(margins) != image.ndim - 1:
            raise refused(
                ValueError,
                f"For 'OcclusionSensitivity', the 'margin' needs {image.ndim - 1} numbers, but got {margins}.",
            )
        scores = self._scores(network, image, int(label.reshape(())), centers, margins)
        self._falls = np.squeeze((scores[0] - scores[1:]).reshape([len(indices) for indices in ranges]))

    def _ranges(self, shape: tuple[int, ...]) -> list[range]:
        box = [-1] * 2 * len(shape) if self.b_box is None else self.b_box
        if len(box) != 2 * len(shape):
            raise refused(
                ValueError,
                f"For 'OcclusionSensitivity', the 'b_box' needs two numbers for each axis but the first, {2 * len(shape)}, but got "
                f"{len(box)}.",
            )
        bounds = zip(box[::2], box[1::2], shape)
        return [range(max(first, 0), (length - 1 if last < 0 else last) + 1) for first, last, length in bounds]

    def _scores(
        self, network: Cell, image: np.ndarray, label: int, centers: list[Any], margins: list[int]
    ) -> np.ndarray:
        """The score of the class for the input itself and with the window around each center covered."""
        found = [network(Tensor(image)).asnumpy()[:, label]]
        for start in range(0, len(centers), self.n_batch):
            covered = np.repeat(image, len(centers[start : start + self.n_batch]), axis=0)
            for picture, center in zip(covered, centers[start : start + self.n_batch]):
                picture[tuple(slice(max(i - m, 0), i + m) for i, m in zip(center, margins))] = self.pad_val
            found.append(network(Tensor(covered)).asnumpy()[:, label])
        return np.concatenate(found)

    def eval(self) -> Any:
        if self._falls is None:
            raise RuntimeError("The 'OcclusionSensitivity' can not be calculated: call 'update' before 'eval'.")
        return float(self._falls) if self._falls.ndim == 0 else self._falls
