"""What all explanations of an image classifier have in common."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from mindspore import context
from mindspore._utils.checks import shown
from mindspore.common import Tensor
from mindspore.nn import Cell


class Attribution:
    """An explanation of a network; calling it with images and labels gives saliency maps.

    Args:
        network: the classifier, which gives logits of shape (N, classes). It is put into evaluation mode.
    """

    def __init__(self, network: Cell):
        check_type(self, "network", network, Cell)
        network.set_train(False)
        network.set_grad(False)
        self._network = network

    @property
    def network(self) -> Cell:
        """The network that is explained."""
        return self._network

    @property
    def model(self) -> Cell:
        """The same, under the name it has in 1.1."""
        return self._network

    def __call__(self, inputs: Tensor, targets: Any) -> Tensor:
        """Saliency maps of shape (N, 1, H, W) for images of shape (N, C, H, W) and a label, or one for each."""
        raise NotImplementedError

    def _labels(self, inputs: Any, targets: Any) -> np.ndarray:
        """One label per image."""
        check_images(self, inputs)
        check_type(self, "targets", targets, (int, Tensor))
        labels = np.asarray(targets if isinstance(targets, int) else targets.asnumpy(), np.int64)
        if labels.ndim > 1 or (labels.ndim and len(labels) != len(inputs)):
            raise ValueError(
                f"For '{type(self).__name__}', the 'targets' must be a number, or a Tensor of one per image "
                f"({len(inputs)}), but got shape {labels.shape}."
            )
        return np.broadcast_to(labels, len(inputs))


def check_type(owner: object, name: str, value: Any, wanted: Any) -> None:
    """Refuse values of other types."""
    if not isinstance(value, wanted) or isinstance(value, bool):
        names = [kind.__name__ for kind in (wanted if isinstance(wanted, tuple) else (wanted,))]
        raise TypeError(
            f"For '{type(owner).__name__}', the '{name}' must be of type {' or '.join(names)}, but got {shown(value)}."
        )


def check_images(owner: object, inputs: Any) -> None:
    """Refuse what is no batch of images."""
    check_type(owner, "inputs", inputs, Tensor)
    if inputs.ndim != 4:
        raise ValueError(
            f"For '{type(owner).__name__}', the 'inputs' must be images of shape (N, C, H, W), but got {inputs.shape}."
        )


@contextlib.contextmanager
def in_pynative() -> Iterator[None]:
    """Without graphs: hooks of layers are called, and see values."""
    mode = context.get_context("mode")
    context.set_context(mode=context.PYNATIVE_MODE)
    try:
        yield
    finally:
        context.set_context(mode=mode)
