"""Explanations of a whole dataset, as files."""

from __future__ import annotations

import json
import os
import time
from typing import Any

import numpy as np
from PIL import Image

from mindspore.common import Tensor
from mindspore.dataset.engine.datasets import Dataset
from mindspore.explainer.benchmark import Localization
from mindspore.explainer.benchmark.metric import AttributionMetric, LabelAgnosticMetric
from mindspore.explainer.explanation.attribution import Attribution, check_type
from mindspore.nn import Cell, SequentialCell

_LIKELY = 0.5  # a label is predicted above this probability


class ImageClassificationRunner:
    """Explains the images of a dataset, measures the explanations, and writes both to a folder.

    The folder gets the images, the saliency maps as images, and ``explanations.json``: for each image its labels,
    the predicted ones with their probabilities and the maps' files, and the measures of every explanation.

    Args:
        summary_dir: the folder; each run makes one of its own in it.
        data: a dataset of batches with the columns [images], [images, labels] or [images, labels, boxes], and the names
            of the labels in the order of the network's outputs.
        network: the classifier, which gives logits.
        activation_fn: makes probabilities of them.

    Examples:
        >>> import numpy as np, tempfile
        >>> import mindspore.dataset as ds
        >>> from mindspore import nn
        >>> from mindspore.explainer import ImageClassificationRunner
        >>> from mindspore.explainer.explanation import Gradient
        >>> net = nn.SequentialCell(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Flatten(), nn.Dense(4 * 8 * 8, 2))
        >>> images = ds.NumpySlicesDataset({"image": np.ones((2, 3, 8, 8), np.float32), "label": [0, 1]}).batch(2)
        >>> runner = ImageClassificationRunner(tempfile.mkdtemp(), (images, ["cat", "dog"]), net, nn.Softmax())
        >>> runner.register_saliency([Gradient(net)])
        >>> runner.run()  # doctest: +ELLIPSIS
        2 images explained, in ...
    """

    def __init__(self, summary_dir: str, data: Any, network: Cell, activation_fn: Cell):
        check_type(self, "summary_dir", summary_dir, str)
        check_type(self, "data", data, tuple)
        if len(data) != 2 or not isinstance(data[1], list) or not all(isinstance(name, str) for name in data[1]):
            raise ValueError(
                "For 'ImageClassificationRunner', the 'data' must be a dataset and a list of the labels' names, but got "
                f"{len(data)} element(s)."
            )
        check_type(self, "data[0]", data[0], Dataset)
        check_type(self, "network", network, Cell)
        check_type(self, "activation_fn", activation_fn, Cell)
        self._folder, (self._dataset, self._names), self._network = summary_dir, data, network
        self._full_network = SequentialCell([network, activation_fn])
        self._explainers: list[Attribution] = []
        self._benchmarkers: list[Any] = []

    def register_saliency(self, explainers: list[Any], benchmarkers: list[Any] | None = None) -> None:
        """Say how to explain, and how to measure that; once.

        Args:
            explainers: explanations of the runner's network, each of another class.
            benchmarkers: measures of :mod:`mindspore.explainer.benchmark`, each of another class.
        """
        if self._explainers:
            raise RuntimeError(
                "For 'ImageClassificationRunner', register_saliency() must be called once, but it was already."
            )
        for name, given, kind in (
            ("explainers", explainers, Attribution),
            ("benchmarkers", benchmarkers or [], AttributionMetric),
        ):
            check_type(self, name, given, list)
            for one in given:
                check_type(self, name, one, kind)
            if len({type(one) for one in given}) != len(given):
                raise ValueError(f"For 'ImageClassificationRunner', the '{name}' must be of different classes.")
        if not explainers or any(one.network is not self._network for one in explainers):
            raise ValueError(
                "For 'ImageClassificationRunner', the 'explainers' must be some, of the runner's own network."
            )
        self._explainers, self._benchmarkers = list(explainers), list(benchmarkers or [])

    def run(self) -> None:
        """Explain all images; says how many, and where the files are."""
        if not self._explainers:
            raise RuntimeError("For 'ImageClassificationRunner', register_saliency() must be called before run().")
        folder = os.path.join(self._folder, f"_explain_{int(time.time())}")
        for name in ("origin_images", "heatmap"):
            os.makedirs(os.path.join(folder, name), mode=0o750, exist_ok=True)
        samples: list[dict[str, Any]] = []
        measures = {type(one).__name__: {} for one in self._explainers}
        for explainer in self._explainers:
            for benchmarker in self._benchmarkers:
                benchmarker.reset()
            for number, (image, labels, boxes) in enumerate(self._images()):
                if number == len(samples):
                    samples.append(self._sample(folder, number, image, labels))
                self._explain(folder, number, samples[number], explainer, image, boxes)
            measures[type(explainer).__name__] = {
                type(one).__name__: {"score": one.performance, "labels": one.class_performances}
                for one in self._benchmarkers
            }
        with open(os.path.join(folder, "explanations.json"), "w", encoding="utf-8") as file:
            json.dump({"labels": self._names, "samples": samples, "measures": measures}, file, indent=1)
        print(f"{len(samples)} images explained, in {folder}")

    def _images(self) -> Any:
        """Image by image: as a batch of one, its labels, and their boxes (x, y, width, height)."""
        for images, *rest in self._dataset.create_tuple_iterator(num_epochs=1, output_numpy=True):
            for index, image in enumerate(images):
                labels = np.atleast_1d(rest[0][index]).ravel() if rest else []
                boxes = np.asarray(rest[1][index]).reshape(-1, 4) if len(rest) > 1 else []
                yield Tensor(image[None].astype(np.float32)), [int(label) for label in labels if label >= 0], boxes

    def _sample(self, folder: str, number: int, image: Tensor, labels: list[int]) -> dict[str, Any]:
        probabilities = self._full_network(image).asnumpy()[0]
        predicted = [int(label) for label in np.flatnonzero(probabilities > _LIKELY)]
        path = os.path.join("origin_images", f"{number}.jpg")
        pixels = image.asnumpy()[0].transpose(1, 2, 0)
        _save(os.path.join(folder, path), pixels if pixels.shape[2] == 3 else pixels[..., 0])
        return {
            "image": path, "labels": labels, "label_probabilities": [float(probabilities[label]) for label in labels],
            "predicted": predicted, "predicted_probabilities": [float(probabilities[label]) for label in predicted],
            "explanations": [],
        }  # fmt: skip

    def _explain(self, folder: str, number: int, sample: dict[str, Any], explainer: Attribution, image: Tensor,
                 boxes: Any) -> None:  # fmt: skip
        name = type(explainer).__name__
        for label in sorted({*sample["labels"], *sample["predicted"]}):
            saliency = explainer(image, label)
            path = os.path.join("heatmap", f"{number}_{name}_{label}.jpg")
            _save(os.path.join(folder, path), saliency.asnumpy()[0, 0])
            sample["explanations"].append({"method": name, "label": label, "heatmap": path})
            for benchmarker in self._benchmarkers:
                if isinstance(benchmarker, LabelAgnosticMetric):
                    continue
                options = {}
                if isinstance(benchmarker, Localization):
                    mask = _mask(sample["labels"], boxes, label, image.shape[2:])
                    if mask is None:
                        continue
                    options = {"mask": mask}
                benchmarker.aggregate(benchmarker.evaluate(explainer, image, label, saliency, **options), label)
        for benchmarker in self._benchmarkers:
            if isinstance(benchmarker, LabelAgnosticMetric):
                benchmarker.aggregate(benchmarker.evaluate(explainer, image))


def _mask(labels: list[int], boxes: Any, label: int, size: tuple[int, ...]) -> np.ndarray | None:
    """Where the objects of a label are; None if nothing says so."""
    found = [box for known, box in zip(labels, boxes, strict=False) if known == label]
    if not found:
        return None
    mask = np.zeros((1, 1, *size))
    for x, y, width, height in np.asarray(found).astype(int):
        mask[:, :, y : y + height, x : x + width] = 1
    return mask


def _save(path: str, values: np.ndarray) -> None:
    """Values of any range as an image."""
    spread = max(float(np.ptp(values)), 1e-10)
    Image.fromarray(np.uint8((values - values.min()) / spread * 255)).save(path)
