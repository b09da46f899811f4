"""How real MindSpore's random results are distributed: ``python -m tools.oracle.record_random_laws tests/data/FILE.npz``.

Every line of ``CASES`` is applied to the same image many times. Of a few numbers of the results (probes), the distribution
functions are kept, at some of their values.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any

import numpy as np

COUNT = 4000
POINTS = 24  # at which a distribution function is kept

_LINES = np.linspace(0.0, 1.0, 24)
IMAGE = np.stack(
    [
        np.broadcast_to(20 + 200 * _LINES, (24, 24)),
        np.broadcast_to(40 + 150 * _LINES[:, None], (24, 24)),
        90 + 60 * np.sin(9 * _LINES)[:, None] * np.cos(7 * _LINES),
    ],
    axis=2,
).astype(np.uint8)
WIDE = np.ascontiguousarray(np.repeat(IMAGE[:6], 3, axis=1))

# A list of operations, and the name of the image where it is not the usual one.
CASES = """
[vision.RandomCrop(16)]
[vision.RandomCrop((20, 18), (3, 1, 2, 4))]
[vision.RandomCrop((28, 20), pad_if_needed=True)]
[vision.RandomCrop(22, 5, padding_mode=vision.Border.REFLECT)]
[vision.RandomHorizontalFlip(0.3)]
[vision.RandomVerticalFlip(0.8)]
[vision.RandomResizedCrop(24, interpolation=vision.Inter.NEAREST)]
[vision.RandomResizedCrop((10, 14), (0.3, 0.5), (0.5, 2.0))]
[vision.RandomResizedCrop((12, 12), (0.9, 1.0), (0.75, 1.33))] wide
[vision.RandomResizedCrop((12, 12), (0.2, 1.0), (2.0, 8.0), max_attempts=1)]
[vision.RandomResize(10)]
[vision.RandomColorAdjust(brightness=(0.5, 1.4))]
[vision.RandomColorAdjust(brightness=0.4)]
[vision.RandomColorAdjust(contrast=(0.5, 1.4))]
[vision.RandomColorAdjust(saturation=(0.2, 1.9))]
[vision.RandomColorAdjust(hue=(-0.2, 0.4))]
[vision.RandomColorAdjust(0.4, 0.4, 0.4, 0.1)]
[vision.RandomRotation(30)]
[vision.RandomRotation((10, 50), fill_value=9)]
[vision.RandomRotation(40, vision.Inter.BILINEAR, True), vision.Resize((24, 24))]
[vision.RandomAffine(20)]
[vision.RandomAffine(0, translate=(-0.2, 0.3, 0, 0))]
[vision.RandomAffine(0, translate=(-0.1, 0.1, -0.3, 0.2))]
[vision.RandomAffine(0, scale=(0.6, 1.5))]
[vision.RandomAffine(0, shear=(-20, 30))]
[vision.RandomAffine(0, shear=(-20, 30, -10, 15))]
[vision.RandomAdjustSharpness(3.0, 0.3)]
[vision.RandomAutoContrast(5.0, prob=0.6)]
[vision.RandomColor((0.2, 1.8))]
[vision.RandomEqualize(0.4)]
[vision.RandomInvert(0.7)]
[vision.RandomLighting(0.2)]
[vision.RandomPosterize((2, 6))]
[vision.RandomSharpness((0.2, 1.9))]
[vision.RandomSolarize((30, 200))]
[vision.RandomSolarize((120, 120))]
[vision.CutOut(8, 2)]
[vision.CutOut(9, 1)]
[vision.RandAugment(2, 9)]
[vision.TrivialAugmentWide(31)]
[vision.AutoAugment()]
[vision.AutoAugment(vision.AutoAugmentPolicy.CIFAR10)]
[vision.AutoAugment(vision.AutoAugmentPolicy.SVHN)]
[vision.UniformAugment([vision.Invert(), vision.Equalize(), vision.RandomRotation((90, 90)), vision.VerticalFlip()], 2)]
[vision.RandomSelectSubpolicy([[(vision.Invert(), 0.5)], [(vision.VerticalFlip(), 0.7), (vision.Equalize(), 1)]])]
[vision.HWC2CHW(), vision.RandomErasing(0.7), vision.ToType("float32")]
[vision.HWC2CHW(), vision.RandomErasing(1.0, (0.1, 0.5), (0.2, 6.0), 7), vision.ToType("float32")]
[vision.HWC2CHW(), vision.RandomErasing(1.0, (0.1, 0.5), (0.5, 6.0), (200, 100, 50), True), vision.ToType("float32")]
[vision.ToPIL(), vision.RandomGrayscale(0.4), vision.ToNumpy()]
[vision.ToPIL(), vision.RandomPerspective(0.5, 0.8), vision.ToNumpy()]
[vision.ToPIL(), vision.RandomCrop((20, 18), (3, 1, 2, 4)), vision.ToNumpy()]
[vision.ToPIL(), vision.RandomHorizontalFlip(0.3), vision.ToNumpy()]
[vision.ToPIL(), vision.RandomResizedCrop((10, 14), (0.3, 0.5), (0.5, 2.0)), vision.ToNumpy()]
[vision.ToPIL(), vision.RandomColorAdjust(0.4, 0.4, 0.4, 0.1), vision.ToNumpy()]
[vision.ToPIL(), vision.RandomRotation((10, 50)), vision.ToNumpy()]
[vision.ToPIL(), vision.RandomAffine((5, 25), (0.1, 0.3), (0.6, 1.5), (-20, 30)), vision.ToNumpy()]
[vision.ToPIL(), vision.RandomColor((0.2, 1.8)), vision.ToNumpy()]
[vision.ToPIL(), vision.RandomSharpness((0.2, 1.9)), vision.ToNumpy()]
[vision.ToPIL(), vision.RandomLighting(0.2), vision.ToNumpy()]
[transforms.RandomApply([vision.Invert(), vision.VerticalFlip()], 0.3)]
[transforms.RandomChoice([vision.Invert(), vision.VerticalFlip(), vision.HorizontalFlip()])]
[transforms.RandomOrder([vision.Posterize(2), vision.Invert(), vision.Solarize((0, 80))])]
"""


# Transforms of a batch of images and their labels.
BATCH_CASES = """
vision.MixUpBatch(1.0)
vision.MixUpBatch(3.0)
vision.CutMixBatch(vision.ImageBatchFormat.NHWC, 1.0, 1.0)
vision.CutMixBatch(vision.ImageBatchFormat.NHWC, 3.0, 0.7)
"""


def cases() -> list[tuple[str, str]]:
    """The operations of every case, and the name of its image."""
    lines = [line.rpartition("]") for line in CASES.strip().splitlines()]
    return [(operations + "]", image.strip() or "image") for operations, _, image in lines]


def probes(result: np.ndarray) -> list[float]:
    """Numbers that tell results apart."""
    result = np.asarray(result, np.float64)
    if result.shape[0] == 3:
        result = result.transpose(1, 2, 0)
    height, width = result.shape[:2]
    quarter = result[height // 4, width // 4]
    low = result[(3 * height) // 4, (2 * width) // 3]
    return [
        *result.mean(axis=(0, 1)),
        quarter[0],
        quarter[1],
        low[0],
        low[1],
        low[2],
        result.std(),
        (result == 0).mean(),
    ]


def results(ds: Any, operations: str, image: str, count: int) -> np.ndarray:
    """The probes of many results, <N, probes>."""
    names = {"vision": importlib.import_module("mindspore.dataset.vision"), "transforms": ds.transforms}
    data = ds.NumpySlicesDataset({"index": np.arange(count)}, shuffle=False)
    picture = WIDE if image == "wide" else IMAGE
    data = data.map(lambda index: picture.copy(), "index")
    data = data.map(eval(operations, names), "index")
    return np.array([probes(row[0]) for row in data.create_tuple_iterator(output_numpy=True, num_epochs=1)])


def batch_cases() -> list[str]:
    """The transforms of batches."""
    return BATCH_CASES.strip().splitlines()


def batch_results(ds: Any, operation: str, count: int) -> np.ndarray:
    """The weight of the own label, and the height and width of what changed, for both images of many batches."""
    images, labels = np.stack([IMAGE, 255 - IMAGE]), np.eye(2, dtype=np.int32)
    data = ds.GeneratorDataset(
        [(images[row % 2], labels[row % 2]) for row in range(2 * count)], ["image", "label"], shuffle=False
    )
    mix = eval(operation, {"vision": importlib.import_module("mindspore.dataset.vision")})
    found = []
    for mixed, weights in (
        data.batch(2).map(mix, ["image", "label"]).create_tuple_iterator(output_numpy=True, num_epochs=1)
    ):
        for own, weight, image, before in zip(range(2), weights, mixed, images, strict=True):
            changed = (image != before).any(axis=2)
            found.append([weight.reshape(-1)[own], changed.any(axis=1).sum(), changed.any(axis=0).sum()])
    return np.array(found, np.float64)


def law(values: np.ndarray) -> np.ndarray:
    """Some of the values and the share that is no larger than each, <2, points>."""
    values = np.round(values, 4)
    levels, counts = np.unique(values, return_counts=True)
    shares = np.cumsum(counts) / values.size
    chosen = np.linspace(0, len(levels) - 1, POINTS).round().astype(int)  # some twice where there are few
    return np.stack([levels[chosen], shares[chosen]]).astype(np.float32)


def distance(values: np.ndarray, recorded: np.ndarray) -> float:
    """How far the distribution of values is from a recorded one, at the points that were kept."""
    levels, shares = recorded.astype(np.float64)
    found = np.searchsorted(np.sort(np.round(values, 4)), levels + 5e-5, side="right") / len(values)
    return float(np.abs(found - shares).max())


def main() -> None:
    """Record everything."""
    import mindspore.dataset as ds  # noqa: PLC0415 - the real one; tests import this module for its cases

    ds.config.set_seed(1)
    recorded = {}
    for operations, image in cases():
        values = results(ds, operations, image, COUNT)
        recorded[f"{operations} {image}"] = np.stack([law(column) for column in values.T])
    for operation in batch_cases():
        recorded[operation] = np.stack([law(column) for column in batch_results(ds, operation, COUNT).T])
    np.savez_compressed(sys.argv[1], **recorded)


if __name__ == "__main__":
    main()
