"""Explanations from gradients: how a label's logit changes with the pixels, or with the features of a layer."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore import ops
from mindspore.common import Tensor
from mindspore.explainer.explanation.attribution import Attribution, check_type, in_pynative
from mindspore.nn import Cell, ReLU


def _score(network: Cell, labels: np.ndarray, inputs: Tensor) -> Tensor:
    """The sum of the logits that belong to the labels: its gradient holds that of every image."""
    logits = network(inputs)
    chosen = np.zeros(logits.shape, np.float32)
    chosen[np.arange(len(labels)), labels] = 1
    return (logits * Tensor(chosen).astype(logits.dtype)).sum()


class Gradient(Attribution):
    """The largest size of the gradient over an image's channels, pixel by pixel.

    Args:
        network: the classifier. It is put into evaluation mode; call ``set_train()`` before it is trained on.

    Examples:
        >>> import numpy as np
        >>> from mindspore import Tensor, nn
        >>> from mindspore.explainer.explanation import Gradient
        >>> net = nn.SequentialCell(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Flatten(), nn.Dense(4 * 8 * 8, 10))
        >>> print(Gradient(net)(Tensor(np.ones((1, 3, 8, 8), np.float32)), 5).shape)
        (1, 1, 8, 8)
    """

    def __call__(self, inputs: Tensor, targets: Any) -> Tensor:
        """Saliency maps of shape (N, 1, H, W)."""
        labels = self._labels(inputs, targets)
        with in_pynative():
            gradient = ops.grad(lambda x: _score(self._network, labels, x))(inputs)
        return gradient.abs().max(axis=1, keepdims=True)


class _OwnReLUs(Gradient):
    """A gradient for which the ReLU layers have another rule; operators of ReLU in ``construct`` keep theirs."""

    def __call__(self, inputs: Tensor, targets: Any) -> Tensor:
        relus = [cell for _, cell in self._network.cells_and_names() if isinstance(cell, ReLU)]
        handles = [cell.register_backward_hook(self._rule) for cell in relus]
        try:
            return super().__call__(inputs, targets)
        finally:
            for handle in handles:
                handle.remove()

    def _rule(self, cell: Cell, grad_input: Any, grad_output: Any) -> Tensor:
        raise NotImplementedError


class Deconvolution(_OwnReLUs):
    """The gradient with a ReLU on the way back in the place of that of each ReLU layer.

    Args:
        network: the classifier, with its ReLUs as layers (``nn.ReLU``). It is put into evaluation mode.

    Examples:
        >>> import numpy as np
        >>> from mindspore import Tensor, nn
        >>> from mindspore.explainer.explanation import Deconvolution
        >>> net = nn.SequentialCell(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Flatten(), nn.Dense(4 * 8 * 8, 10))
        >>> print(Deconvolution(net)(Tensor(np.ones((1, 3, 8, 8), np.float32)), 5).shape)
        (1, 1, 8, 8)
    """

    def _rule(self, cell: Cell, grad_input: Any, grad_output: Any) -> Tensor:
        return ops.relu(grad_output[0])


class GuidedBackprop(_OwnReLUs):
    """The gradient of which each ReLU layer passes on only what is positive.

    Args:
        network: the classifier, with its ReLUs as layers (``nn.ReLU``). It is put into evaluation mode.

    Examples:
        >>> import numpy as np
        >>> from mindspore import Tensor, nn
        >>> from mindspore.explainer.explanation import GuidedBackprop
        >>> net = nn.SequentialCell(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Flatten(), nn.Dense(4 * 8 * 8, 10))
        >>> print(GuidedBackprop(net)(Tensor(np.ones((1, 3, 8, 8), np.float32)), 5).shape)
        (1, 1, 8, 8)
    """

    def _rule(self, cell: Cell, grad_input: Any, grad_output: Any) -> Tensor:
        return ops.relu(grad_input[0])


class GradCAM(Attribution):
    """The feature maps of a layer, weighted by the mean gradient of each, without what is negative, as large as the image.

    Args:
        network: the classifier. It is put into evaluation mode.
        layer: the name of the layer, mostly the last convolution; "" takes the image itself.

    Examples:
        >>> import numpy as np
        >>> from mindspore import Tensor, nn
        >>> from mindspore.explainer.explanation import GradCAM
        >>> net = nn.SequentialCell(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Flatten(), nn.Dense(4 * 8 * 8, 10))
        >>> print(GradCAM(net, layer="0")(Tensor(np.ones((1, 3, 8, 8), np.float32)), 5).shape)
        (1, 1, 8, 8)
    """

    def __init__(self, network: Cell, layer: str = ""):
        super().__init__(network)
        check_type(self, "layer", layer, str)
        named = dict(network.cells_and_names())
        if layer not in named:
            raise ValueError(
                f"For 'GradCAM', the 'layer' must be the name of a layer of the network, but got {layer!r}. It has "
                f"{', '.join(name for name in named if name)}."
            )
        self._layer, self._cell = layer, named[layer]

    def __call__(self, inputs: Tensor, targets: Any) -> Tensor:
        """Saliency maps of shape (N, 1, H, W)."""
        labels = self._labels(inputs, targets)
        with in_pynative():
            features, gradient = self._features(labels, inputs) if self._layer else self._at_the_image(labels, inputs)
            weighted = gradient.mean(axis=(2, 3), keep_dims=True) * features
            saliency = ops.relu(weighted.sum(axis=1, keepdims=True))
            if saliency.shape[2:] == inputs.shape[2:]:
                return saliency
            return ops.interpolate(saliency, size=inputs.shape[2:], mode="bilinear")

    def _at_the_image(self, labels: np.ndarray, inputs: Tensor) -> tuple[Tensor, Tensor]:
        return inputs, ops.grad(lambda x: _score(self._network, labels, x))(inputs)

    def _features(self, labels: np.ndarray, inputs: Tensor) -> tuple[Tensor, Tensor]:
        """The layer's output and its gradient: that of something added to it, which is zero."""
        seen: list[Tensor] = []
        handle = self._cell.register_forward_hook(lambda cell, given, output: seen.append(output))
        try:
            self._network(inputs)
        finally:
            handle.remove()
        if not seen:
            raise ValueError(
                f"For 'GradCAM', the layer '{self._layer}' must be used by the network, but it was not called."
            )

        def score(added: Tensor) -> Tensor:
            handle = self._cell.register_forward_hook(lambda cell, given, output: output + added)
            try:
                return _score(self._network, labels, inputs)
            finally:
                handle.remove()

        return seen[0], ops.grad(score)(ops.zeros_like(seen[0]))
