"""Explanations from what the network answers when parts of the image are hidden."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore import ops
from mindspore.common import Tensor
from mindspore.explainer.explanation.attribution import Attribution, check_images, check_type
from mindspore.nn import Cell


class _Perturbation(Attribution):
    """Asks the network for probabilities of changed images, some at a time."""

    def __init__(self, network: Cell, activation_fn: Cell, perturbation_per_eval: int = 32):
        super().__init__(network)
        check_type(self, "activation_fn", activation_fn, Cell)
        check_type(self, "perturbation_per_eval", perturbation_per_eval, int)
        if perturbation_per_eval < 1:
            raise ValueError(
                f"For '{type(self).__name__}', the 'perturbation_per_eval' must be at least 1, but got {perturbation_per_eval}."
            )
        self._activation_fn = activation_fn
        self._perturbation_per_eval = perturbation_per_eval

    def _probabilities(self, images: np.ndarray) -> np.ndarray:
        answers = self._activation_fn(self._network(Tensor(images.astype(np.float32)))).asnumpy()
        return answers.reshape(*answers.shape[:2], -1).mean(axis=2)


class Occlusion(_Perturbation):
    """How much a label's probability falls when a window of the image is black, averaged over the windows of a pixel.

    Args:
        network: the classifier. It is put into evaluation mode.
        activation_fn: makes probabilities of its logits: ``nn.Softmax()``, or ``nn.Sigmoid()`` for several labels.
        perturbation_per_eval: how many changed images are computed at a time.

    Examples:
        >>> import numpy as np
        >>> from mindspore import Tensor, nn
        >>> from mindspore.explainer.explanation import Occlusion
        >>> net = nn.SequentialCell(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Flatten(), nn.Dense(4 * 8 * 8, 10))
        >>> print(Occlusion(net, nn.Softmax())(Tensor(np.ones((1, 3, 8, 8), np.float32)), Tensor([1])).shape)
        (1, 1, 8, 8)
    """

    def __call__(self, inputs: Tensor, targets: Any) -> Tensor:
        """Saliency maps of shape (N, 1, H, W)."""
        labels = self._labels(inputs, targets)
        images = inputs.asnumpy().astype(np.float32)
        masks = _windows(images.shape[2], images.shape[3])
        covered = 1 + masks.sum(axis=0)
        maps = [self._one(image, int(label), masks) / covered for image, label in zip(images, labels, strict=True)]
        return Tensor(np.abs(np.stack(maps))[:, None].astype(np.float32))

    def _one(self, image: np.ndarray, label: int, masks: np.ndarray) -> np.ndarray:
        whole = self._probabilities(image[None])[0, label]
        total = np.zeros(image.shape[1:], np.float32)
        for start in range(0, len(masks), self._perturbation_per_eval):
            part = masks[start : start + self._perturbation_per_eval]
            fallen = whole - self._probabilities(image * ~part[:, None])[:, label]
            total += np.tensordot(fallen, part, axes=1).astype(np.float32)
        return total


def _windows(height: int, width: int, per_axis: int = 32) -> np.ndarray:
    """Masks of windows that slide over an image, about so many per axis; of small images, 3 x 3 pixels at every position."""
    sizes = [size // per_axis if size > per_axis else min(3, size) for size in (height, width)]
    steps = [size // per_axis if size > per_axis else 1 for size in (height, width)]
    masks = []
    for top in range(0, height - sizes[0] + 1, steps[0]):
        for left in range(0, width - sizes[1] + 1, steps[1]):
            mask = np.zeros((height, width), bool)
            mask[top : top + sizes[0], left : left + sizes[1]] = True
            masks.append(mask)
    return np.stack(masks)


class RISE(_Perturbation):
    """Random smooth masks, weighted by a label's probability where the rest of the image is black.

    Args:
        network: the classifier. It is put into evaluation mode.
        activation_fn: makes probabilities of its logits: ``nn.Softmax()``, or ``nn.Sigmoid()`` for several labels.
        perturbation_per_eval: how many masked images are computed at a time; there are 6000 for each image.

    Examples:
        >>> import numpy as np
        >>> from mindspore import Tensor, nn
        >>> from mindspore.explainer.explanation import RISE
        >>> net = nn.SequentialCell(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Flatten(), nn.Dense(4 * 8 * 8, 10))
        >>> rise = RISE(net, nn.Softmax(), perturbation_per_eval=500)
        >>> print(rise(Tensor(np.ones((1, 3, 8, 8), np.float32)), Tensor([[5, 1]])).shape)
        (1, 2, 8, 8)
    """

    def __init__(self, network: Cell, activation_fn: Cell, perturbation_per_eval: int = 32):
        super().__init__(network, activation_fn, perturbation_per_eval)
        self._num_masks = 6000
        self._mask_probability = 0.5
        self._down_sample_size = 10

    def __call__(self, inputs: Tensor, targets: Any) -> Tensor:
        """Saliency maps of shape (N, labels, H, W): one label, one per image, or several for each."""
        check_images(self, inputs)
        labels = self._several_labels(inputs, targets)
        images = inputs.asnumpy().astype(np.float32)
        maps = np.zeros((*labels.shape, *images.shape[2:]))
        for image, wanted, saliency in zip(images, labels, maps, strict=True):
            for start in range(0, self._num_masks, self._perturbation_per_eval):
                masks = self._masks(min(self._perturbation_per_eval, self._num_masks - start), *images.shape[2:])
                probabilities = self._probabilities(image * masks[:, None])[:, wanted]
                saliency += np.tensordot(probabilities.T, masks, axes=1)
        return Tensor((maps / self._num_masks).astype(np.float32))

    def _several_labels(self, inputs: Tensor, targets: Any) -> np.ndarray:
        if isinstance(targets, Tensor) and targets.ndim == 2 and len(targets) == len(inputs):
            return targets.asnumpy().astype(np.int64)
        given = Tensor(np.asarray(targets)) if isinstance(targets, (tuple, list)) else targets
        return self._labels(inputs, given)[:, None]

    def _masks(self, count: int, height: int, width: int) -> np.ndarray:
        """Small random masks, enlarged and shifted."""
        small = self._down_sample_size
        drawn = np.random.random((count, 1, small, small)) < self._mask_probability
        large = ops.interpolate(Tensor(drawn.astype(np.float32)), size=(height + small, width + small), mode="bilinear")
        shifts = np.random.randint(0, small + 1, (count, 2))
        return np.stack(
            [mask[0, y : y + height, x : x + width] for mask, (y, x) in zip(large.asnumpy(), shifts, strict=True)]
        )
